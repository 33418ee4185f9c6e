// host/manifest/scalar.h — what a scalar is: typed strictly, and told to the user as what it is.
#pragma once

#include "host/manifest/yaml.h"

namespace htp {

// unclear: other readers of YAML take it for something else than it reads (`010`, `0x10`, `1_000`, `.5`, `True`).
enum class ScalarType : uint8_t { string, integer, number, boolean, unclear };

ScalarType scalar_type(const YamlNode &node);            // of a node that is a scalar
std::optional<int64_t> integer_of(const YamlNode &node); // of one that is an integer
std::string describe(const YamlNode &node);              // "a list", "the integer `10`", "nothing"

} // namespace htp

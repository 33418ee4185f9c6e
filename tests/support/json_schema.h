// tests/support/json_schema.h — does a JSON text fit a JSON Schema?
#pragma once

#include <string>
#include <vector>

namespace htp::test {

// What does not fit, one line each: "<root>/units/0: …". Empty: it fits.
std::vector<std::string> schema_errors(const std::string &schema, const std::string &instance);

std::string read_text(const std::string &path);

// The text of a file that is generated and checked in equals `text`. With HTP_UPDATE=1 in the environment
// (scripts/generate-docs) the file is written instead.
bool is_up_to_date(const std::string &path, const std::string &text);

} // namespace htp::test

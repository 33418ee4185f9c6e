// host/manifest/reader.h — reads typed values out of the YAML tree. Each function reports what does not fit, and goes
// on.
#pragma once

#include "host/manifest/fields.h"

namespace htp {

class Reader {
public:
  explicit Reader(Diagnostics &to) : diagnostics(to) {}

  Diagnostics &diagnostics;

  // Reads the fields of `record` from a map into `into`, the struct that the record's table is about. For units, `kind`
  // says which fields there are.
  void fields(const Record &record, const YamlNode &map, void *into, std::optional<UnitKind> kind = {});

  // One value, in the form its shape wants; nothing when it was refused. `what` is how messages call it: "`version`".
  std::optional<Text> text(const YamlNode &node, Shape shape, const std::string &what);
  std::optional<Text> choice(const YamlNode &node, std::span<const std::string_view> choices, const std::string &what);
  std::optional<bool> boolean(const YamlNode &node, const std::string &what);
  std::optional<uint64_t> natural(const YamlNode &node, const std::string &what);
  std::optional<Text> scalar(const YamlNode &node, const std::string &what);

  // The items of a list, the entries of a map; empty when it was refused.
  std::span<const YamlNode> items(const YamlNode &node, const std::string &what);
  std::span<const YamlEntry> entries(const YamlNode &node, const std::string &what);

  // Terms, each a scalar of its own.
  std::optional<Requirement> requirement(const YamlNode &node);
  std::optional<Term> term(const YamlNode &node, bool exact);
  std::optional<PluginWish> wish(const YamlNode &node);

  // `hint` is for a scalar of another type. Nothing is reported of what was refused already.
  void wrong_type(const YamlNode &node, const std::string &what, std::string_view wanted, const std::string &hint = {});
  // Reports a `value` that is none of `known`, and the one that it comes close to.
  void unknown_value(const Span &span, const std::string &what, std::string_view value,
                     std::span<const std::string_view> known);
  // Reports those of `names` that stand twice; `what` they are: "the unit".
  void unique(const std::string &what, const std::vector<Text> &names);

  // The field that is being read, as messages call it: "`version`".
  std::string what;

private:
  void unknown_key(const Record &record, const YamlEntry &entry, std::optional<UnitKind> kind);
};

} // namespace htp

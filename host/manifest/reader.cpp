#include "host/manifest/reader.h"

#include "host/base/hash.h"
#include "host/diag/suggestion.h"
#include "host/manifest/scalar.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace htp {

namespace {

std::string quoted(std::string_view text) { return fmt::format("`{}`", text); }

bool is_plugin_id(std::string_view text) {
  const bool lower = std::none_of(text.begin(), text.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
  return lower && is_name(text) && text[0] != '_';
}

std::string_view noun_of(Shape shape) {
  switch (shape) {
  case Shape::version: return "a quoted version";
  case Shape::key:
  case Shape::digest: return "64 hex digits";
  case Shape::plugin_id: return "a plugin's id";
  case Shape::id_pattern: return "a plugin's id or a pattern";
  case Shape::name: return "a name";
  case Shape::name_or_any: return "a name or a variable";
  case Shape::capability: return "a capability's name";
  case Shape::path:
  case Shape::any_path: return "a path";
  default: return "a string";
  }
}

// A module's or a function's name.
bool is_dotted(std::string_view text) { return is_name(text) && text.find('-') == std::string_view::npos; }

// The form of the texts of a shape that has one, for messages; empty for the others.
std::string_view form_of(Shape shape) {
  switch (shape) {
  case Shape::plugin_id: return "lower-case words joined by dots or dashes, as `acme.spatial`";
  case Shape::name: return "words of letters, digits and `_`, joined by dots or dashes, as `tile.infer`";
  case Shape::name_or_any: return "a unit's name, as `cpu`, or a variable, as `$B`";
  case Shape::capability: return "capitalised words joined by dots, as `Tile.Typed`";
  case Shape::code: return "`module:function`, as `acme_passes.fold:run`";
  case Shape::diagnostic: return "its owner and lower-case words joined by dashes, as `acme.too-wide`";
  case Shape::version: return "integers joined by dots, as `\"1.2.0\"`";
  case Shape::key:
  case Shape::digest: return "64 lower-case hex digits";
  case Shape::id_pattern: return "a plugin's id, as `acme.spatial`, or what ids begin with, as `acme.*`";
  default: return "";
  }
}

// Is `text`, which is not empty, of its shape? Any is of a shape without a form.
bool has_form(Shape shape, std::string_view text) {
  switch (shape) {
  case Shape::plugin_id: return is_plugin_id(text);
  case Shape::name: return is_name(text);
  case Shape::name_or_any:
    return is_name(text) || (text.starts_with('$') && is_name(text.substr(1)) && text.find_first_of(".-") == text.npos);
  case Shape::capability: return is_capability_name(text);
  case Shape::code: {
    const size_t colon = text.find(':');
    return colon != std::string_view::npos && is_dotted(text.substr(0, colon)) && is_dotted(text.substr(colon + 1)) &&
           text.find('.', colon) == std::string_view::npos;
  }
  case Shape::diagnostic: return is_plugin_id(text) && text.find('.') != std::string_view::npos;
  case Shape::version: return Version::parse(text).has_value();
  case Shape::key:
  case Shape::digest: return is_sha256(text);
  case Shape::id_pattern: return is_plugin_id(text.ends_with(".*") ? text.substr(0, text.size() - 2) : text);
  default: return true;
  }
}

// Is `path` relative, and without a step out of its folder?
bool is_inner_path(std::string_view path) {
  if (path.starts_with('/') || path.find('\\') != std::string_view::npos) return false;
  for (std::string_view rest = path; !rest.empty();) {
    const size_t slash = std::min(rest.find('/'), rest.size());
    if (rest.substr(0, slash) == "..") return false;
    rest.remove_prefix(std::min(slash + 1, rest.size()));
  }
  return true;
}

// One spelling of a path: `./python/` is `python`.
std::string plain_path(std::string_view path) {
  std::string plain;
  for (std::string_view rest = path; !rest.empty();) {
    const size_t slash = std::min(rest.find('/'), rest.size());
    if (const std::string_view part = rest.substr(0, slash); !part.empty() && part != ".")
      plain.append(plain.empty() ? "" : "/").append(part);
    rest.remove_prefix(std::min(slash + 1, rest.size()));
  }
  return plain.empty() ? "." : plain;
}

std::string example_of(const Field &field) {
  switch (field.shape) {
  case Shape::format: return fmt::format("{}: 1", field.key);
  case Shape::version: return fmt::format("{}: \"0.1.0\"", field.key);
  case Shape::choice: return fmt::format("{}: {}", field.key, field.choices.front());
  default: return fmt::format("{}: …", field.key);
  }
}

} // namespace

void Reader::wrong_type(const YamlNode &node, const std::string &whose, std::string_view wanted,
                        const std::string &hint) {
  if (node.form == YamlNode::Form::refused) return;
  Diagnostic &d = diagnostics.report(diag::manifest_wrong_type, node.span, whose, wanted, describe(node));
  if (node.form == YamlNode::Form::null) d.hint("give it a value, or leave the line out");
  if (node.form == YamlNode::Form::scalar && !hint.empty()) d.hint(hint);
}

void Reader::unknown_value(const Span &span, const std::string &whose, std::string_view value,
                           std::span<const std::string_view> known) {
  std::string list;
  for (size_t i = 0; i < known.size(); ++i)
    list += (i == 0 ? "" : i + 1 == known.size() ? " or " : ", ") + quoted(known[i]);
  Diagnostic &d = diagnostics.report(diag::manifest_unknown_value, span, whose, value, list);
  suggest(d, value, std::vector<std::string_view>(known.begin(), known.end()), span);
}

std::optional<Text> Reader::text(const YamlNode &node, Shape shape, const std::string &whose) {
  if (node.form == YamlNode::Form::refused) return std::nullopt;
  const bool is_string = node.form == YamlNode::Form::scalar && scalar_type(node) == ScalarType::string;
  if (!is_string || (shape == Shape::version && !node.quoted)) {
    wrong_type(node, whose, noun_of(shape), fmt::format("quote it: `\"{}\"`", node.text));
    return std::nullopt;
  }
  if (node.text.empty() && shape != Shape::text)
    diagnostics.report(diag::manifest_empty_value, node.span, whose);
  else if (shape == Shape::path && !is_inner_path(node.text))
    diagnostics.report(diag::manifest_bad_path, node.span, whose, node.text);
  else if (!has_form(shape, node.text))
    diagnostics.report(diag::manifest_bad_value, node.span, whose, node.text, form_of(shape));
  else
    return Text{shape == Shape::path ? plain_path(node.text) : node.text, node.span};
  return std::nullopt;
}

std::optional<Text> Reader::choice(const YamlNode &node, std::span<const std::string_view> choices,
                                   const std::string &whose) {
  std::optional<Text> read = text(node, Shape::text, whose);
  if (!read || std::find(choices.begin(), choices.end(), read->value) != choices.end()) return read;
  unknown_value(node.span, whose, read->value, choices);
  return std::nullopt;
}

std::optional<bool> Reader::boolean(const YamlNode &node, const std::string &whose) {
  if (node.form == YamlNode::Form::scalar && scalar_type(node) == ScalarType::boolean) return node.text == "true";
  wrong_type(node, whose, "`true` or `false`");
  return std::nullopt;
}

std::optional<uint64_t> Reader::natural(const YamlNode &node, const std::string &whose) {
  const bool integer = node.form == YamlNode::Form::scalar && scalar_type(node) == ScalarType::integer;
  const std::optional<int64_t> value = integer ? integer_of(node) : std::nullopt;
  if (value && *value >= 0) return static_cast<uint64_t>(*value);
  if (value)
    diagnostics.report(diag::manifest_negative, node.span, whose, *value);
  else
    wrong_type(node, whose, "an integer in decimal digits");
  return std::nullopt;
}

std::optional<Text> Reader::scalar(const YamlNode &node, const std::string &whose) {
  if (node.form == YamlNode::Form::scalar && scalar_type(node) != ScalarType::unclear)
    return Text{node.text, node.span};
  wrong_type(node, whose, "one string, number or boolean",
             fmt::format("write the number in decimal digits, or quote it: `\"{}\"`", node.text));
  return std::nullopt;
}

std::span<const YamlNode> Reader::items(const YamlNode &node, const std::string &whose) {
  if (node.form == YamlNode::Form::list) return node.items;
  wrong_type(node, whose, "a list", fmt::format("write each item on a line of its own: `- {}`", node.text));
  return {};
}

std::span<const YamlEntry> Reader::entries(const YamlNode &node, const std::string &whose) {
  if (node.form == YamlNode::Form::map) return node.entries;
  wrong_type(node, whose, "a map");
  return {};
}

std::optional<Requirement> Reader::requirement(const YamlNode &node) {
  const std::optional<Text> read = text(node, Shape::text, "an item of " + what);
  return read ? parse_requirement(read->value, read->span, diagnostics) : std::nullopt;
}

std::optional<Term> Reader::term(const YamlNode &node, bool exact) {
  const std::optional<Text> read = text(node, Shape::text, "an item of " + what);
  std::optional<Term> term = read ? parse_term(read->value, read->span, diagnostics) : std::nullopt;
  if (!term || !exact) return term;
  const auto inexact = [&](std::string_view of_it) {
    diagnostics.report(diag::manifest_inexact_term, term->span, what, of_it);
    return std::nullopt;
  };
  if (!term->range.comparators.empty()) return inexact("a range of versions");
  for (const auto &[name, argument] : term->arguments) {
    if (argument.form == Argument::Form::any) return inexact("`*`");
    if (argument.values.size() > 1) return inexact("a set of values");
  }
  return term;
}

std::optional<PluginWish> Reader::wish(const YamlNode &node) {
  const std::optional<Text> read = text(node, Shape::text, "an item of " + what);
  if (!read) return std::nullopt;
  const std::string_view spelled = read->value;
  const size_t at = spelled.find('@');
  std::string_view id = spelled.substr(0, at);
  while (id.ends_with(' ')) id.remove_suffix(1);
  PluginWish wish{std::string(id), {}, read->span};
  if (!is_plugin_id(id)) {
    const Span span = span_within(read->span, spelled, 0, id.size());
    if (const size_t range = id.find_first_of("<>="); range != std::string_view::npos)
      diagnostics.report(diag::manifest_missing_at, span, id)
          .hint(fmt::format("write `{}@{}`", id.substr(0, range), id.substr(range)));
    else
      diagnostics.report(diag::manifest_bad_value, span, "a plugin", id, form_of(Shape::plugin_id));
    return std::nullopt;
  }
  if (at == std::string_view::npos) return wish;
  const std::string_view range_text = spelled.substr(at + 1);
  std::optional<VersionRange> range =
      parse_range(range_text, span_within(read->span, spelled, at + 1, spelled.size()), diagnostics);
  if (!range) return std::nullopt;
  wish.range = std::move(*range);
  return wish;
}

void Reader::unique(const std::string &whose, const std::vector<Text> &names) {
  std::map<std::string_view, const Text *> seen;
  for (const Text &name : names) {
    const auto [first, fresh] = seen.emplace(name.value, &name);
    if (!fresh && !name.value.empty())
      diagnostics.report(diag::manifest_duplicate_item, name.span, whose, name.value)
          .label(first->second->span, "it stands here first");
  }
}

void Reader::unknown_key(const Record &record, const YamlEntry &entry, std::optional<UnitKind> kind) {
  const std::string where =
      kind ? fmt::format("{} of kind `{}`", record.what, unit_kind_name(*kind)) : std::string(record.what);
  Diagnostic &d = diagnostics.report(diag::manifest_unknown_key, entry.key_span, entry.key, where);
  std::vector<std::string_view> known;
  for (const Field &field : record.fields) {
    if (field.key == entry.key) { // of other kinds
      std::string kinds;
      for (size_t k = 0; k < unit_kind_count; ++k)
        if (has_field(field, static_cast<UnitKind>(k)))
          kinds += (kinds.empty() ? "" : ", ") + quoted(unit_kind_name(static_cast<UnitKind>(k)));
      d.hint(fmt::format("`{}` belongs to units of kind {}", entry.key, kinds));
      return;
    }
    if (!kind || has_field(field, *kind)) known.push_back(field.key);
  }
  if (suggest(d, entry.key, known, entry.key_span)) return;
  std::string list;
  for (const std::string_view key : known) list += (list.empty() ? "" : ", ") + quoted(key);
  d.hint(fmt::format("the keys of {} are {}", where, list));
}

void Reader::fields(const Record &record, const YamlNode &map, void *into, std::optional<UnitKind> kind) {
  if (map.form != YamlNode::Form::map) return wrong_type(map, std::string(record.what), "a map");
  for (const YamlEntry &entry : map.entries) {
    const auto field = std::find_if(record.fields.begin(), record.fields.end(), [&](const Field &f) {
      return f.key == entry.key && (!kind || has_field(f, *kind));
    });
    if (field == record.fields.end()) {
      unknown_key(record, entry, kind);
      continue;
    }
    what = quoted(entry.key);
    if (entry.value.form != YamlNode::Form::refused) field->read(into, entry.value, *this);
  }
  for (const Field &field : record.fields) {
    if (!field.required || (kind && !has_field(field, *kind)) || (!kind && field.kinds != 0)) continue;
    const bool given =
        std::any_of(map.entries.begin(), map.entries.end(), [&](const YamlEntry &e) { return e.key == field.key; });
    if (given) continue;
    const Span &place = map.entries.empty() ? map.span : map.entries.front().key_span;
    const std::string who =
        kind ? fmt::format("{} of kind `{}`", record.what, unit_kind_name(*kind)) : std::string(record.what);
    diagnostics.report(diag::manifest_missing_key, place, who, field.key)
        .hint(fmt::format("add `{}`: {}", example_of(field), field.doc));
  }
}

} // namespace htp

// host/manifest/term.h — capability terms: what units provide, require and conflict with (R13; spelling in decision
// 0003).
#pragma once

#include "host/base/source.h"

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace htp {

class Diagnostics;

// Dotted integers: 1.2 == 1.2.0.
struct Version {
  std::vector<uint32_t> parts;
  std::string text() const;
  static std::optional<Version> parse(std::string_view text);
  friend std::strong_ordering operator<=>(const Version &a, const Version &b);
  friend bool operator==(const Version &a, const Version &b) { return (a <=> b) == 0; }
};

struct Comparator {
  enum Op { lt, le, eq, ge, gt } op;
  Version version;
};
// All comparators hold. Empty: any version.
struct VersionRange {
  std::vector<Comparator> comparators;
  bool contains(const Version &version) const;
  std::string text() const; // ">=1.2,<2"
};

std::string_view comparator_spelling(Comparator::Op op); // ">="

// One value, in one form: a quoted string that could as well stand unquoted is a name, so `op="tile.add"` is
// `op=tile.add`.
struct Value {
  enum class Form { integer, boolean, string, name } form;
  int64_t integer = 0;
  bool boolean = false;
  std::string text; // of a string or a name
  std::string spelling() const;
  static Value of_integer(int64_t value);
  static Value of_boolean(bool value);
  static Value of_text(std::string text); // a name where it can be one
  friend auto operator<=>(const Value &, const Value &) = default;
};

// What an argument of a pattern accepts: one of a set, anything, or whatever the variable is bound to.
struct Argument {
  enum class Form { values, any, variable } form = Form::any;
  std::vector<Value> values; // sorted; one in a ground term
  std::string variable;
  std::string text() const;
};

// `Name.Name(param=…, …)@range`. Ground when every argument is one value.
struct Term {
  std::string name;
  std::map<std::string, Argument> arguments;
  VersionRange range;
  Span span;
  std::string text() const; // canonical: parameters sorted, one spelling
};

// `a | b`: any one of them will do.
struct Requirement {
  std::vector<Term> alternatives;
  Span span;
  std::string text() const;
};

// Parses; on an error reports it with a caret inside the scalar and returns nothing. `span` is the scalar's.
std::optional<Requirement> parse_requirement(std::string_view text, const Span &span, Diagnostics &diagnostics);
std::optional<Term> parse_term(std::string_view text, const Span &span, Diagnostics &diagnostics);
std::optional<VersionRange> parse_range(std::string_view text, const Span &span,
                                        Diagnostics &diagnostics); // ">=1.2,<2"

// The place of text[begin, end) where `span` is the scalar `text` was read from; all of `span` when it is spelled
// otherwise there (escapes, several lines).
Span span_within(const Span &span, std::string_view text, size_t begin, size_t end);

// `Word.Word`: words of letters, digits and `_`, each beginning with a capital.
bool is_capability_name(std::string_view text);
// What may stand unquoted as a value: names of units, plugins and enumeration values. Letters, digits, `_`, `-` and
// `.`, not beginning with a digit; and not `true` or `false`.
bool is_name(std::string_view text);

} // namespace htp

// host/manifest/term.h — capability terms: what units provide, require and conflict with (R13; spelling in decision 0003).
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

struct Value {
  enum class Form { integer, boolean, string, word } form;
  int64_t integer = 0;
  bool boolean = false;
  std::string text; // of a string or a word
  std::string spelling() const;
  friend auto operator<=>(const Value &, const Value &) = default;
};

// What an argument of a pattern accepts: one of a set, anything, or whatever the variable is bound to.
struct Argument {
  enum class Form { values, any, variable } form = Form::any;
  std::vector<Value> values; // sorted; one in a ground term
  std::string variable;
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

// Parses; on an error reports `manifest.bad-term` with a caret inside the scalar and returns nothing. `span` is the scalar's.
std::optional<Requirement> parse_requirement(std::string_view text, const Span &span, Diagnostics &diagnostics);
std::optional<Term> parse_term(std::string_view text, const Span &span, Diagnostics &diagnostics);

} // namespace htp

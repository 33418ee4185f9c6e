// verify/program.h — the last stage's program as a tree, and the numbers in it.
#pragma once

#include "syntax.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace htp::a2a3sim::program {

struct Line {
  int number;
  size_t indent;
  std::string text;
};
struct Py {
  enum class Kind { loop, branch, assign, call, kernel } kind = Kind::call;
  int line = 0;
  std::string name = {}, turn = {}; // assign: the name; loop: its variables; kernel: "aiv", "aic"
  Expr value = {};                  // assign, call; loop: the range; branch: the condition
  bool turned = false;              // call: a transfer whose slice is turned, `turned=True`
  std::vector<Py> body = {}, otherwise = {};
};

std::string trimmed(std::string_view s);
// Without comments and empty lines.
std::vector<Line> lines_of(std::string_view program);
// Parts between commas that stand in no brackets.
std::vector<std::string> parts_of(std::string_view text);
// What stands between the bracket at `open` and the one that closes it.
std::string_view within(std::string_view text, size_t open);
// The statements from `at` on that are indented by more than `outer`. Throws NotRead, with the program's line.
std::vector<Py> statements_of(const std::vector<Line> &lines, size_t &at, size_t outer);

struct Number {
  bool real = false;
  int64_t i = 0;
  double f = 0;
  double value() const { return real ? f : static_cast<double>(i); }
};
using Constants = std::map<std::string, Number>;

// Of a call: its arguments, how many it has, and whether it is one of `name`.
inline const Expr &argument(const Expr &call, size_t k) { return call.children[k + 1]; }
inline size_t count_of(const Expr &call) { return call.children.empty() ? 0 : call.children.size() - 1; }
inline bool calls(const Expr &e, std::string_view name) {
  return e.kind == Expr::Kind::call && e.children[0].text == name;
}
// What an expression of numbers and constants is; nothing where it is none, or leaves 64 bits.
std::optional<Number> number_of(const Expr &e, const Constants &constants);

} // namespace htp::a2a3sim::program

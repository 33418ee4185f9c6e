// What handlers make of one call at a time, seen together: results are written where they go, and nothing is added to
// zero.
#include "passes/passes.h"

#include "htp_cpp/constants.h"
#include "htp_cpp/edit.h"

#include <algorithm>
#include <map>
#include <set>

namespace htp::a2a3 {

namespace {

// What may write where it reads, element by element.
constexpr std::string_view in_place[] = {"tabs",  "tadd", "tadds",  "tdiv",  "tdivs", "texp",
                                         "tlog",  "tmax", "tmaxs",  "tmin",  "tmins", "tmul",
                                         "tmuls", "tneg", "trsqrt", "tsqrt", "tsub",  "tsubs"};

class Copies {
public:
  Copies(const Context &context, Node root)
      : c(context), names_(context, root), constants_(context, root), function_(context.entry_function(root)) {}

  Node run() {
    std::map<std::string, unsigned, std::less<>> writes;
    c.each(function_, [&](Node n) {
      if (c.is(n, HTP_Name)) ++mentions_[std::string(c.name_of(n))];
      if (auto s = c.as<ast::Assign>(n); s && instruction(s.value()) == "tile")
        declared_[std::string(c.name_of(s.targets()[0]))] = s.value();
      const std::string w = instruction(n);
      if (w.empty() || w == "tstore" || w == "tile") return;
      const Nodes a = c.get<ast::Call>(n).args();
      if (a.empty()) return;
      ++writes[std::string(c.name_of(a[0]))];
      const auto value = w == "texpands" ? constants_.number(a[1]) : std::nullopt;
      if (value && value->as_double() == 0) zeros_.emplace(c.name_of(a[0]));
    });
    std::erase_if(zeros_, [&](const std::string &z) { return writes[z] != 1; });
    const Node function =
        with_list(c, function_, HTP_FIELD(FunctionDef, body), body(c.get<ast::FunctionDef>(function_).body()));
    if (gone_.empty()) return function_;
    return rewrite(
        c, function, [](Node n) { return n; },
        [&](Node s, std::vector<uint32_t> &) {
          auto a = c.as<ast::Assign>(s);
          auto e = c.as<ast::Expr>(s);
          const Node value = a ? a.value() : e ? e.value() : HTP_NONE;
          const std::string w = instruction(value);
          if (w == "tile") return a && gone_.contains(c.name_of(a.targets()[0]));
          return w == "texpands" && gone_.contains(c.name_of(c.get<ast::Call>(value).args()[0]));
        });
  }

private:
  std::string instruction(Node n) const {
    const std::string called = c.is(n, HTP_Call) ? names_.called(n) : std::string();
    return called.starts_with("htp_pto.") ? called.substr(8) : std::string();
  }
  Node call_of(Node s) const {
    auto e = c.as<ast::Expr>(s);
    return e && !instruction(e.value()).empty() ? e.value() : HTP_NONE;
  }
  // How often a name stands anywhere, its declaration among it.
  bool only(std::string_view name, unsigned times) const {
    const auto it = mentions_.find(name);
    return it != mentions_.end() && it->second == times;
  }
  Node with_target(Node s, Node target) const {
    const Node value = c.get<ast::Expr>(s).value();
    auto call = c.read<ast::Call>(value);
    call.args[0] = c.name(c.name_of(target), s);
    return with_slot(c, s, HTP_FIELD(Expr, value), c.with(value, call));
  }

  std::vector<uint32_t> body(Nodes statements) {
    std::vector<uint32_t> out;
    for (const Node s : statements) {
      if (auto l = c.as<ast::For>(s)) {
        out.push_back(with_list(c, s, HTP_FIELD(For, body), body(l.body())));
      } else if (auto f = c.as<ast::If>(s)) {
        const Node then = with_list(c, s, HTP_FIELD(If, body), body(f.body()));
        out.push_back(with_list(c, then, HTP_FIELD(If, orelse), body(f.orelse())));
      } else if (const Node joined = out.empty() ? HTP_NONE : join(out.back(), s); joined) {
        out.back() = joined;
      } else {
        out.push_back(s);
      }
    }
    return out;
  }
  // Two statements as one; 0 where they are not.
  Node join(Node first, Node second) {
    const Node made = call_of(first), then = call_of(second);
    if (!made || !then) return HTP_NONE;
    const std::string from = instruction(made), w = instruction(then);
    const Nodes a = c.get<ast::Call>(made).args(), b = c.get<ast::Call>(then).args();
    const std::string_view tile = c.name_of(a[0]);
    if (tile.empty() || from == "tstore" || !only(tile, 3)) return HTP_NONE; // declared, written, read
    if (w == "tmov" && b.size() == 2 && c.name_of(b[1]) == tile && moves(from, a, c.name_of(b[0]))) {
      gone_.emplace(tile);
      return with_target(first, b[0]);
    }
    if (w == "tadd" && from == "tmatmul" && zeros_.contains(c.name_of(b[1])) && c.name_of(b[2]) == tile) {
      gone_.emplace(tile);
      if (only(c.name_of(b[1]), 3)) gone_.emplace(c.name_of(b[1]));
      return with_target(first, b[0]);
    }
    return HTP_NONE;
  }
  // Whether an instruction may write to a tile that its result is moved to.
  static bool elementwise(std::string_view w) {
    return std::find(std::begin(in_place), std::end(in_place), w) != std::end(in_place);
  }
  bool moves(const std::string &w, Nodes operands, std::string_view to) const {
    const auto reads = [&](Node o) { return c.name_of(o) == to; };
    if (!alike(c.name_of(operands[0]), to)) return false;
    return elementwise(w) || ((w == "tmov" || w == "texpands" || w == "tcvt" || w == "tload" || w == "ttrans") &&
                              std::none_of(operands.begin() + 1, operands.end(), reads));
  }
  // Whether two tiles are declared alike.
  bool alike(std::string_view a, std::string_view b) const {
    const auto one = declared_.find(a), other = declared_.find(b);
    return one != declared_.end() && other != declared_.end() && c.show(one->second) == c.show(other->second);
  }

  const Context &c;
  Names names_;
  sdk::Constants constants_;
  Node function_;
  std::map<std::string, unsigned, std::less<>> mentions_;
  std::map<std::string, Node, std::less<>> declared_; // tiles
  std::set<std::string, std::less<>> zeros_, gone_;
};

} // namespace

Node forward_results(const Context &c, Node root) {
  for (Node before = HTP_NONE; before != root;) { // a tile that is gone may leave another one that is written once
    before = root;
    root = with_statement(c, root, c.entry_function(root), Copies(c, root).run());
  }
  return root;
}

} // namespace htp::a2a3

// Ints and loops as kernels have them: the least of two, and ranges that go upwards.
#include "passes/passes.h"

#include "htp_cpp/constants.h"
#include "htp_cpp/edit.h"
#include "htp_cpp/tree.h"

#include <utility>

namespace htp::a2a3 {

namespace {

class PlainInts {
public:
  PlainInts(const Context &context, Node root)
      : c(context), constants_(context, root), function_(context.entry_function(root)) {}

  Node run() {
    return rewrite(
        c, function_, [&](Node n) { return in_twos(n); },
        [&](Node s, std::vector<uint32_t> &out) {
          const Node loop = c.is(s, HTP_For) ? upwards(s) : HTP_NONE;
          if (loop) out.push_back(loop);
          return loop != HTP_NONE;
        });
  }

private:
  // `min(a, b, c)` as `min(min(a, b), c)`.
  Node in_twos(Node n) const {
    auto k = c.as<ast::Call>(n);
    if (!k || (c.name_of(k.func()) != "min" && c.name_of(k.func()) != "max") || k.args().size() < 3) return n;
    const Nodes all = k.args();
    Node least = all[0];
    for (const Node next : all.subspan(1)) least = c.call(c.name_of(k.func()), {least, next}, n);
    return least;
  }
  // `for m in range(M - 1, -1, -1)` as `for m in range(M)`, in which `m` is `M - 1 - m`; 0 of another loop.
  // Nothing else is bound to a loop's name.
  Node upwards(Node s) const {
    auto l = c.read<ast::For>(s);
    auto range = c.as<ast::Call>(l.iter);
    if (!range || c.name_of(range.func()) != "range" || range.args().size() != 3) return HTP_NONE;
    const int64_t by = -constants_.integer(range.args()[2]).value_or(0);
    const std::string variable(c.name_of(l.target));
    if (by < 1 || variable.empty()) return HTP_NONE;
    const Node from = range.args()[0];
    const std::string first = c.show(from),
                      value = "(" + first + ") - " + variable + (by > 1 ? " * " + std::to_string(by) : "");
    for (uint32_t &n : l.body)
      n = rewrite(
          c, n, [&](Node e) { return c.name_of(e) == variable ? c.parse(value, e) : e; },
          [](Node, std::vector<uint32_t> &) { return false; });
    l.iter = c.parse("range(" + count(from, range.args()[1], by) + ")", l.iter);
    return c.with(s, l);
  }
  // How often a loop goes round that counts down from one int to another. Where that is less than once the division
  // gives no more than 0.
  std::string count(Node from, Node to, int64_t by) const {
    const auto [first, plus] = parts(from);
    const auto [end, minus] = parts(to);
    const bool same = first && end && c.show(first) == c.show(end);
    const int64_t more = plus - minus + by - 1;
    std::string apart = first && !same ? "(" + c.show(first) + ")" : "";
    if (end && !same) apart += (apart.empty() ? "0 - (" : " - (") + c.show(end) + ")";
    if (apart.empty()) return std::to_string(std::max<int64_t>(0, more) / by);
    if (more) apart += (more > 0 ? " + " : " - ") + std::to_string(std::abs(more));
    return by == 1 ? apart : "(" + apart + ") // " + std::to_string(by);
  }
  // An int without the numbers that are added to it, 0 where there is nothing else, and their sum.
  std::pair<Node, int64_t> parts(Node n) const {
    if (const auto number = constants_.integer(n)) return {HTP_NONE, *number};
    auto b = c.as<ast::BinOp>(n);
    const auto number = b && (b.op() == HTP_Add || b.op() == HTP_Sub) ? constants_.integer(b.right()) : std::nullopt;
    if (!number) return {n, 0};
    const auto [rest, more] = parts(b.left());
    return {rest, more + (b.op() == HTP_Add ? *number : -*number)};
  }

  const Context &c;
  sdk::Constants constants_;
  Node function_;
};

} // namespace

Node normalize_loops(const Context &c, Node root) {
  if (!c.entry_function(root)) {
    c.report(diag::no_entry, HTP_NONE, c.entry());
    return HTP_NONE;
  }
  // The first of the passes: what no core has is reported before anything is rewritten.
  if (!is_supported(c, root) || !check_instructions(c, root)) return HTP_NONE;
  return with_statement(c, root, c.entry_function(root), PlainInts(c, root).run());
}

} // namespace htp::a2a3

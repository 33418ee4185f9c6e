// Bytes that are not only multiplied become i32 by f16, which holds them: a cast that products alone need is left to
// them. What is made whole to be cast is rounded by the cast.
#include "passes/passes.h"

#include "analyses/shapes.h"

#include "htp_cpp/types.h"

#include <algorithm>
#include <map>
#include <set>

namespace htp::a2a3 {

Node legalize_casts(const Context &c, Node root) {
  static constexpr std::pair<std::string_view, std::string_view> whole[] = {{"htp_tile.round", "nearest"},
                                                                            {"htp_tile.trunc", "toward_zero"},
                                                                            {"htp_tile.floor", "down"},
                                                                            {"htp_tile.ceil", "up"}};
  struct Made {
    std::string dtype;
    Node value = HTP_NONE;
    size_t bound = 0, read = 0, multiplied = 0;
  };
  const Names names(c, root);
  const Node function = c.entry_function(root);
  std::map<std::string, Made, std::less<>> made;
  const auto rounding = [&](Node value) {
    const std::string called = value ? names.called(value) : std::string();
    const auto *it = std::find_if(std::begin(whole), std::end(whole), [&](const auto &w) { return w.first == called; });
    return it == std::end(whole) ? std::string_view() : it->second;
  };
  c.each(function, [&](Node n) {
    if (auto a = c.as<ast::AnnAssign>(n))
      if (const auto type = read_type(c, a.annotation())) {
        Made &m = made[std::string(c.name_of(a.target()))];
        m.dtype = type->dtype, m.value = a.value();
      }
    if (auto id = c.as<ast::Name>(n))
      ++(id.ctx() == HTP_STORE ? made[std::string(id.id())].bound : made[std::string(id.id())].read);
    if (names.called(n) == "htp_tile.matmul")
      for (const Node o : c.get<ast::Call>(n).args()) ++made[std::string(c.name_of(o))].multiplied;
  });
  const auto cast_of = [&](Node value) { return value && names.called(value) == "htp_tile.cast"; };
  const auto integer = [&](Node value) { // a cast to one
    const auto type = made.find(c.name_of(value));
    return type != made.end() && dtype_named(type->second.dtype) && !is_float(type->second.dtype);
  };
  // The names that are made whole for one cast alone.
  std::set<std::string, std::less<>> folded;
  c.each(function, [&](Node n) {
    auto a = c.as<ast::AnnAssign>(n);
    if (!a || !cast_of(a.value()) || !integer(a.target())) return;
    auto call = c.get<ast::Call>(a.value());
    const auto it = made.find(c.name_of(call.args()[0]));
    if (it == made.end() || call.args().size() > 2 || !call.keywords().empty() || rounding(it->second.value).empty())
      return;
    const auto from = made.find(c.name_of(c.get<ast::Call>(it->second.value).args()[0]));
    if (it->second.bound == 1 && it->second.read == 1 && from != made.end() && from->second.bound == 1)
      folded.insert(it->first);
  });
  const Node changed = rewrite(
      c, function, [](Node n) { return n; },
      [&](Node s, std::vector<uint32_t> &out) {
        auto a = c.as<ast::AnnAssign>(s);
        if (a && folded.contains(c.name_of(a.target()))) return true;
        if (!a || !cast_of(a.value())) return false;
        auto call = c.read<ast::Call>(a.value());
        const std::string from(c.name_of(call.args[0]));
        if (folded.contains(from)) {
          const Node value = made[from].value;
          const Node mode = c.string_node(rounding(value), s);
          call.args[0] = copy_of(c, c.get<ast::Call>(value).args()[0], s);
          call.keywords.push_back(c.make(make::keyword{.arg = "rounding", .value = mode}, s));
          out.push_back(with_slot(c, s, HTP_FIELD(AnnAssign, value), c.with(a.value(), call)));
          return true;
        }
        const auto type = read_type(c, a.annotation());
        const Made &result = made[std::string(c.name_of(a.target()))];
        if (!type || type->dtype != "i32" || result.read <= result.multiplied || made[from].dtype != "i8") return false;
        Type half = *type;
        half.dtype = "f16";
        const std::string part = c.fresh(std::string(c.name_of(a.target())) + "_part");
        const Node to = call.args[1];
        call.args = {call.args[0], c.path("htp.f16", s)};
        auto annotation = c.get<ast::Subscript>(a.annotation());
        out.push_back(
            c.assign(part, write_type(c, half, s, c.dotted(annotation.value()), "htp.f16"), c.make(call, s), s));
        call.args = {c.name(part, s), copy_of(c, to, s)};
        out.push_back(with_slot(c, s, HTP_FIELD(AnnAssign, value), c.with(a.value(), call)));
        return true;
      });
  return changed == function ? root : with_statement(c, root, function, changed);
}

} // namespace htp::a2a3

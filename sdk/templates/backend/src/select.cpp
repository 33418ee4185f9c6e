// my-plugin.select: from the tile language to the target set. A call that gives a tile becomes a buffer for it and a
// call that writes to that.
#include "htp_cpp/select.h"
#include "htp_cpp/edit.h"
#include "my_plugin.h"

#include <algorithm>

namespace htp_my_plugin {
namespace {

enum class Rewrite : uint8_t { load, store, fill, iota, cast, elements, swapped, whole, reshape, product };
struct Row {
  std::string_view intrinsic;
  Rewrite how;
  std::string_view target;
};
constexpr Row rows[] = {
#define HANDLER(intrinsic, how, target) {intrinsic, Rewrite::how, target},
#include "handlers.def"
};

class Handler {
public:
  Handler(const Context &context, const htp_handler_call &request)
      : c(context), call_(request), given_(request.arguments, request.count) {}

  std::vector<uint32_t> run(const Row &row) {
    if (row.how == Rewrite::store) return {with_value(c, call_.statement, call_of(row.target, all()))};
    const auto type = read_type(c, call_.type);
    if (!type || type->form != "Tile") {
      c.report(diag::no_form, call_.call, "a value that is no tile");
      return {};
    }
    type_ = *type;
    const Node target = c.is(call_.statement, HTP_AnnAssign)
                            ? c.get<ast::AnnAssign>(call_.statement).target()
                            : c.get<ast::Assign>(call_.statement).targets()[0]; // again: the buffer is there
    target_ = std::string(c.name_of(target));
    if (c.is(call_.statement, HTP_AnnAssign)) declare(target_, call_.type);
    // An intrinsic that reads an element more than once does not write where it reads.
    const bool itself = row.how >= Rewrite::whole && c.is(call_.statement, HTP_Assign) &&
                        std::any_of(given_.begin(), given_.begin() + (row.how == Rewrite::product ? 2 : 1),
                                    [&](Node n) { return c.name_of(n) == target_; });
    const std::string result = target_;
    if (itself) declare(target_ = c.fresh(result + "_new"), copy_of(c, call_.type, call_.call));
    if (!compute(row)) return {};
    if (itself) add(c.call("my_plugin.copy", {c.name(result, call_.call), c.name(target_, call_.call)}, call_.call));
    statements_.front() = with_comments_of(c, call_.statement, statements_.front());
    return std::move(statements_);
  }

private:
  // `row: Tile[f32, i, N] = my_plugin.tile(f32, i, N)`
  void declare(const std::string &name, Node annotation) {
    const Node slice = c.get<ast::Subscript>(call_.type).slice();
    const auto spelled = c.as<ast::Tuple>(slice);
    std::vector<uint32_t> arguments{copy_of(c, spelled ? spelled.elts()[0] : slice, call_.call)};
    for (const Extent &e : type_.extents) arguments.push_back(write_extent(c, e, call_.call));
    statements_.push_back(
        c.assign(name, annotation, c.call("my_plugin.tile", std::move(arguments), call_.call), call_.statement));
  }
  void add(Node call) { statements_.push_back(c.statement(call, call_.statement)); }
  std::vector<uint32_t> all() const { return {given_.begin(), given_.end()}; }
  Node call_of(std::string_view name, std::vector<uint32_t> arguments, std::vector<uint32_t> keywords = {}) const {
    return c.call("my_plugin." + std::string(name), std::move(arguments), call_.call, std::move(keywords));
  }
  std::vector<uint32_t> with_target(std::span<const Node> arguments) const {
    std::vector<uint32_t> result{c.name(target_, call_.call)};
    for (const Node n : arguments)
      if (n) result.push_back(n);
    return result;
  }
  std::vector<uint32_t> axis(Node value) const {
    return {c.make(make::keyword{.arg = "axis", .value = value}, call_.call)};
  }

  // The arguments come in the order of the intrinsic's parameters; one that is left out is 0.
  bool compute(const Row &row) {
    const Node zero = c.integer_node(0, call_.call);
    switch (row.how) {
    case Rewrite::load:
      if (has_keyword("outside")) return c.report(diag::no_form, call_.call, "a load with `outside`"), false;
      add(call_of(row.target, with_target(c.get<ast::Call>(call_.call).args())));
      break;
    case Rewrite::fill:
      add(call_of(row.target, with_target({row.intrinsic == "tile.full" ? &given_[1] : &zero, 1})));
      break;
    case Rewrite::iota:
      add(call_of(row.target, with_target(given_.subspan(1, given_.size() - 2)), axis(given_.back())));
      break;
    case Rewrite::cast:
      if (given_.size() > 2 && given_[2]) return c.report(diag::no_form, call_.call, "a cast with a rounding"), false;
      add(call_of(row.target, with_target(given_.first(1))));
      break;
    case Rewrite::reshape: add(call_of(row.target, with_target(given_.first(1)))); break;
    case Rewrite::elements: add(call_of(row.target, with_target(given_))); break;
    case Rewrite::swapped: { // a > b is b < a
      const Node other[] = {given_[1], given_[0]};
      add(call_of(row.target, with_target(other)));
      break;
    }
    case Rewrite::whole:
      if (row.target == "transpose")
        add(call_of(row.target, with_target(given_)));
      else
        add(call_of(row.target, with_target(given_.first(1)), axis(given_[1])));
      break;
    case Rewrite::product: // adds to what the target has
      if (given_.size() < 3 || !given_[2])
        add(call_of("fill", with_target({&zero, 1})));
      else if (c.name_of(given_[2]) != target_)
        add(call_of("copy", with_target(given_.subspan(2, 1))));
      add(call_of(row.target, with_target(given_.first(2))));
      break;
    case Rewrite::store: break;
    }
    return true;
  }
  bool has_keyword(std::string_view name) const {
    return std::ranges::any_of(c.get<ast::Call>(call_.call).keywords(),
                               [&](Node n) { return c.get<ast::keyword>(n).arg() == name; });
  }

  const Context &c;
  const htp_handler_call &call_;
  std::span<const Node> given_;
  Type type_;
  std::string target_;
  std::vector<uint32_t> statements_;
};

} // namespace

std::vector<uint32_t> rewrite_call(const Context &c, const htp_handler &handler, const htp_handler_call &call) {
  const Row *row = std::ranges::find(rows, std::string_view(handler.intrinsic), &Row::intrinsic);
  return Handler(c, call).run(*row);
}

// All calls, by their handlers; what then has no form is refused here, at the user's own line.
Result select(const Context &c, Node root, Node &out) {
  out = select_calls(c, root, diag::no_handler, "htp_my_plugin", "my_plugin");
  if (!out) return HTP_FAILED;
  read_kernel(c, out, Form::selected, [&](Node where, const std::string &what) {
    c.report(diag::no_form, where, what).hint("`target: cpu` takes all programs");
  });
  return c.result();
}

} // namespace htp_my_plugin

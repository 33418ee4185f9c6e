#include "handlers.h"

#include "htp_cpp/edit.h"

namespace htp::cpu {

namespace {
constexpr std::string_view target_names[] = {
#define ELEMENTWISE(intrinsic, operation, ...) #operation,
#define SCALAR(...)
#define HANDLER(intrinsic, target) #target,
#include "operations.def"
};
} // namespace

namespace {

// slot: Tensor[f32, i, N] = cpu.claim(rows, i, N)          slot: Tensor[f32, i, N] = cpu.front(rows, i, N)
// cpu.store(slot, row, cpu.whole, cpu.whole)               row: Tile[f32, i, N] = cpu.load(slot, cpu.whole, cpu.whole)
// cpu.publish(rows)                                        cpu.release(rows)
std::vector<uint32_t> through_slot(const Context &c, bool puts, const htp_handler_call &call) {
  const Nodes arguments = c.get<ast::Call>(call.call).args();
  const Node channel = arguments[0];
  const auto call_of = [&](const char *name, std::vector<uint32_t> list) {
    return c.call("cpu." + std::string(name), std::move(list), call.call);
  };
  const Node done = c.statement(call_of(puts ? "publish" : "release", {clone(c, channel)}), call.statement);
  const size_t first = puts ? 2 : 1; // extent
  std::vector<uint32_t> extents{channel}, whole;
  for (const Node extent : arguments.subspan(std::min(first, arguments.size()))) {
    extents.push_back(extent);
    whole.push_back(c.path("cpu.whole", extent));
  }
  const Node slot = call_of(puts ? "claim" : "front", extents);
  const Node carried = puts && call.count > 1 ? call.types[1] : call.type; // Tile[f32, i, N]
  if (!c.is(carried, HTP_Subscript)) return {};
  const std::string name = c.fresh(std::string(c.name_of(channel)) + "_slot");
  auto tensor = c.read<ast::Subscript>(clone(c, carried));
  const std::string form = c.dotted(tensor.value); // `Tile`, or `tile.Tile`
  tensor.value = c.path(form.substr(0, form.rfind('.') + 1) + "Tensor", carried);
  const Node type = c.with(carried, tensor), bound = c.assign(name, type, slot, call.statement);
  std::vector<uint32_t> element{c.name(name, call.call)};
  if (puts) element.push_back(arguments[1]);
  element.insert(element.end(), whole.begin(), whole.end());
  if (puts) return {bound, c.statement(call_of("store", element), call.statement), done};
  return {bound, with_value(c, call.statement, call_of("load", element)), done};
}

} // namespace

// Every portable intrinsic is in the target set under one name, with the same parameters: only the callee changes.
std::vector<uint32_t> rewrite_call(const Context &c, const htp_handler &row, const htp_handler_call &call) {
  const auto intrinsic = target_names[&row - handler_rows];
  if (intrinsic == "claim" || intrinsic == "front") return through_slot(c, intrinsic == "claim", call);
  auto callee = c.read<ast::Call>(call.call);
  callee.func = c.path("cpu." + std::string(intrinsic), callee.func);
  const Node value = c.with(call.call, callee);
  return {with_value(c, call.statement, value)};
}

} // namespace htp::cpu

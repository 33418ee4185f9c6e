// Blocks as ints, and indices over them.
#include "analyses/indices.h"

#include "htp_cpp/edit.h"
#include "htp_cpp/ints.h"
#include "htp_cpp/types.h"

namespace htp::a2a3 {

std::string Indices::text_of_extent(Node n) const {
  const auto value = constants_.integer(n);
  return value ? std::to_string(*value) : c.show(n);
}

int64_t Indices::most_of(Node extent, int64_t size) const {
  const auto n = constants_.integer(extent);
  return n && *n > 0 ? std::min(*n, size) : size;
}

// Where a block begins: in a tensor, or in a task's own part of what lies between kernels.
std::string Indices::begin_of(const Block &b, bool own) const {
  return own && b.part ? "(" + b.at + " - " + b.part->name + ")" : b.at;
}

Node Indices::ints(Node n, bool own) const {
  return rewrite(
      c, n,
      [&](Node e) -> Node {
        if (auto a = c.as<ast::Attribute>(e)) {
          const auto b = blocks.find(c.name_of(a.value()));
          if (a.attr() == "start" && tasks.contains(c.name_of(a.value()))) return copy_of(c, a.value(), e);
          if (b == blocks.end()) return e;
          return c.parse(a.attr() == "start" ? begin_of(b->second, own) : b->second.at + " + " + b->second.count, e);
        }
        if (const auto part = own ? counted.find(c.name_of(e)) : counted.end(); part != counted.end())
          return c.parse(std::string(c.name_of(e)) + " - " + part->second->name, e);
        auto k = c.as<ast::Call>(e);
        if (!k || c.name_of(k.func()) != "len" || k.args().size() != 1) return e;
        const auto b = blocks.find(c.name_of(k.args()[0]));
        return b == blocks.end() ? e : c.name(b->second.count, e);
      },
      [](Node, std::vector<uint32_t> &) { return false; });
}

Node Indices::indexed(Node call) {
  auto k = c.read<ast::Call>(call);
  const std::string instruction = names_.called(call).substr(8);
  if (instruction != "tload" && instruction != "tstore") {
    for (uint32_t &a : k.args) a = ints(a);
    return c.with(call, k);
  }
  const auto memory = memories.find(std::string(c.name_of(k.args[instruction == "tload"])));
  const bool own = memory != memories.end();
  for (size_t n = 2; n < k.args.size(); ++n) {
    std::string further; // a block shifted: ` + 1`
    const auto b = blocks.find(c.name_of(block_in(k.args[n], further)));
    const std::string text = c.show(k.args[n]);
    if (own) {
      memory->second.resize(k.args.size() - 2);
      if (const PartLoop *part = part_of(k.args[n])) memory->second[n - 2] = part;
    }
    if (b != blocks.end() && own && b->second.part && !further.empty()) {
      c.report(diag::task_index, k.args[n], text);
    } else if (b != blocks.end()) {
      const std::string begin = begin_of(b->second, own) + further;
      k.args[n] = c.parse("slice(" + begin + ", " + begin + " + " + b->second.count + ")", k.args[n]);
    } else if (text == "whole" || text.ends_with(".whole"))
      k.args[n] = c.path("pto.whole", k.args[n]);
    else if (const auto slice = read_slice(c, k.args[n]); slice && !slice->step && !mentions_block(k.args[n]))
      k.args[n] = c.parse(
          "slice(" + (slice->start ? c.show(ints(slice->start, own)) : "0") + ", " +
              (slice->stop ? c.show(ints(slice->stop, own)) : extent_of(k.args[instruction == "tload"], n - 2)) + ")",
          k.args[n]);
    else if (c.is(k.args[n], HTP_Call) || mentions_block(k.args[n]))
      c.report(diag::index, k.args[n], text);
    else
      k.args[n] = ints(k.args[n], own);
  }
  return c.with(call, k);
}

Node Indices::block_in(Node n, std::string &further) const {
  auto b = c.as<ast::BinOp>(n);
  if (!b || (b.op() != HTP_Add && b.op() != HTP_Sub)) return n;
  const bool left = blocks.contains(std::string(c.name_of(b.left())));
  const Node block = left ? b.left() : b.right(), by = left ? b.right() : b.left();
  if ((!left && b.op() == HTP_Sub) || !blocks.contains(std::string(c.name_of(block))) || mentions_block(by)) return n;
  further =
      (b.op() == HTP_Add ? " + " : " - ") + (c.is(by, HTP_BinOp) ? "(" + c.show(ints(by)) + ")" : c.show(ints(by)));
  return block;
}

std::string Indices::extent_of(Node tensor, size_t dim) const {
  for (const Node a : c.get<ast::arguments>(c.get<ast::FunctionDef>(function_).args()).args())
    if (auto p = c.get<ast::arg>(a); p.arg() == c.name_of(tensor))
      if (const auto type = read_type(c, p.annotation()); type && dim < type->extents.size())
        return type->extents[dim].text();
  return "0";
}

const PartLoop *Indices::part_of(Node n) const {
  const PartLoop *found = nullptr;
  c.each(n, [&](Node e) {
    const std::string_view name = c.name_of(e);
    if (const auto b = blocks.find(name); b != blocks.end() && b->second.part) found = b->second.part;
    if (const auto part = counted.find(name); part != counted.end()) found = part->second;
  });
  return found;
}

bool Indices::mentions_block(Node n) const {
  bool found = false;
  c.each(n, [&](Node e) {
    auto call = c.as<ast::Call>(e);
    if (c.is(e, HTP_Attribute) || (call && c.name_of(call.func()) == "len")) return false;
    found |= blocks.contains(std::string(c.name_of(e)));
    return true;
  });
  return found;
}

} // namespace htp::a2a3

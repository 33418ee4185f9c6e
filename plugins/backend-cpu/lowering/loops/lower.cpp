// cpu.loops: walks the entry, turns loops over blocks into loops over ranges, and each segment of tile statements into
// loops over elements.
#include "lower.h"

#include "htp_cpp/imports.h"
#include "htp_cpp/loops.h"

#include <algorithm>
#include <utility>

namespace htp::cpu::loops {

// ── what reading and writing share
// ────────────────────────────────────────────────────────────────────────────────────────────

Extent Kernel::extent_of(Node dim) const {
  const auto constant = c.is(dim, HTP_Name) ? constants.number(dim) : std::nullopt;
  if (constant && !constant->real) return {std::to_string(constant->i), c.integer_node(constant->i, dim)};
  return {c.show(dim), dim};
}

Node Kernel::slice_length(const SliceCall &slice) const {
  const auto length = sdk::slice_length(c, slice, sdk::with_constants(constants));
  if (!length) return HTP_NONE;
  const auto size = length->constant();
  return size ? c.integer_node(*size, slice.start) : c.parse(length->text(), slice.start);
}

Node Kernel::count(const Extent &extent, Node origin) const {
  const auto b = blocks.find(extent.key);
  if (b != blocks.end() && !b->second.active) {
    c.report(diag::outside_block, origin, extent.key);
    return c.integer_node(0, origin);
  }
  return b != blocks.end() ? clone(c, b->second.count)
                           : clone(c, extent.node ? extent.node : c.parse(extent.key, origin));
}

Node Kernel::most(const Extent &extent, Node origin) const {
  const auto b = blocks.find(extent.key);
  return b != blocks.end() ? clone(c, b->second.size)
                           : clone(c, extent.node ? extent.node : c.parse(extent.key, origin));
}

bool Kernel::at_least(const Extent &extent, int64_t elements) const {
  const auto b = blocks.find(extent.key);
  const auto known = constants.integer(b != blocks.end() ? b->second.size : extent.node);
  return !known || *known >= elements;
}

bool Kernel::is_natural(const std::string &name) const {
  for (const auto &[block, b] : blocks)
    if (b.count && c.name_of(b.count) == name) return true;
  bool bound = uses.bindings(name) > 0;
  c.each(c.get<ast::FunctionDef>(function).args(),
         [&](Node n) { bound |= c.is(n, HTP_arg) && c.get<ast::arg>(n).arg() == name; });
  return !bound;
}

const std::string &Kernel::loop_variable(size_t level) {
  static constexpr std::string_view stems[] = {"p", "q", "r", "s", "t"};
  while (level_names.size() <= level)
    level_names.push_back(c.fresh(stems[std::min(level_names.size(), std::size(stems) - 1)]));
  return level_names[level];
}

const std::string &Kernel::element_name(const Object *object) {
  auto [it, fresh] = element_names.try_emplace(object);
  if (fresh) it->second = object->buffered || object->in_memory ? c.fresh(object->name + "_at") : object->name;
  return it->second;
}

Node Kernel::alloc(const Object &object, const std::vector<size_t> &dims, Node origin) const {
  std::vector<uint32_t> extents, type{clone(c, object.type.dtype_node)}, arguments{clone(c, object.type.dtype_node)};
  for (const size_t d : dims) {
    type.push_back(most(object.shape[d], origin));
    arguments.push_back(most(object.shape[d], origin));
  }
  if (object.type.space) type.push_back(clone(c, object.type.space));
  const Node annotation = c.make(make::Subscript{.value = clone(c, object.type.constructor),
                                                 .slice = c.make(make::Tuple{.elts = type, .ctx = HTP_LOAD}, origin),
                                                 .ctx = HTP_LOAD},
                                 origin);
  return c.assign(object.name, annotation, c.call("cpu.alloc", arguments, origin), origin);
}

namespace {

class Lowering {
public:
  explicit Lowering(Kernel &kernel) : k(kernel), c(kernel.c) {}

  Node run() {
    for (const Parameter &p : parameters_of(c, k.names, k.function)) {
      if (!p.type.dtype) {
        c.report(diag::unsupported_dtype, p.node, c.show(p.type.dtype_node));
        continue;
      }
      if (p.type.form == Type::Form::integer) continue;
      Object &o = k.objects.emplace_back();
      o.name = p.name;
      o.tensor = true;
      o.type = p.type;
      if (p.type.form == Type::Form::scalar) o.shape.push_back({"1", c.integer_node(1, p.node)});
      for (const Node d : p.type.dims) o.shape.push_back(k.extent_of(d));
      o.beside = beside_in(c, p);
      k.memory[p.name] = &o;
    }
    if (c.errors()) return k.function;
    auto f = c.read<ast::FunctionDef>(k.function);
    f.body = block(f.body);
    return c.with(k.function, f);
  }

private:
  std::vector<uint32_t> block(Nodes statements) {
    std::vector<uint32_t> out;
    std::vector<Node> segment;
    const std::set<std::string> stored_around = std::exchange(k.stored, stored_in(statements));
    auto flush = [&] {
      if (segment.empty()) return;
      SegmentReader reader(k);
      for (const Node s : segment) reader.read(s);
      if (!reader.steps().empty() && gives_int(c, k.names, segment.back()))
        reader.steps().back().stays = names_before(segment, bound_name(c, segment.back()));
      if (!reader.steps().empty()) go_along_lines(reader.steps());
      if (!c.errors())
        for (const Node s : write_segment(k, reader.steps())) out.push_back(s);
      segment.clear();
    };
    for (const Node s : statements) {
      for (const std::string &name : k.uses.buffers_before(s)) buffer(name, s, out);
      if (is_tile_statement(c, k.names, s)) {
        segment.push_back(with_inside_asked(k, counted(s), out)); // of ints that are bound before the segment
        if (gives_int(c, k.names, s)) flush();
        continue;
      }
      flush();
      if (!c.is(s, HTP_Pass)) other(s, out);
    }
    flush();
    k.stored = stored_around;
    if (out.empty() && !statements.empty()) out.push_back(c.make(make::Pass{}, statements.front()));
    return out;
  }

  // Whether what stands before the last statement names this.
  bool names_before(const std::vector<Node> &segment, std::string_view name) const {
    bool found = false;
    for (size_t n = 0; n + 1 < segment.size(); ++n) c.each(segment[n], [&](Node m) { found |= c.name_of(m) == name; });
    return found;
  }

  std::set<std::string> stored_in(Nodes statements) const {
    std::set<std::string> stored;
    for (const Node s : statements)
      c.each(s, [&](Node n) {
        auto call = c.as<ast::Call>(n);
        const std::string intrinsic = call ? k.names.qualified(call.func()) : std::string();
        if (intrinsic == "htp_cpu.front")
          stored.emplace(bound_name(c, s)); // a slot is somebody else's when it is released
        if ((intrinsic == "htp_cpu.store" || intrinsic == "htp_cpu.scatter_add") && !call.args().empty())
          stored.emplace(c.name_of(call.args()[0]));
      });
    return stored;
  }

  static bool is_memory(const std::string &intrinsic) {
    return intrinsic == "htp_cpu.buffer" || intrinsic == "htp_cpu.claim" || intrinsic == "htp_cpu.front";
  }

  // A tensor of the kernel's own: what its blocks have at most is allocated, or stands in a channel's slot.
  void make_buffer(Node s, std::vector<uint32_t> &out) {
    auto a = c.as<ast::AnnAssign>(s);
    const Type type = a ? read_type(c, k.names, a.annotation()) : Type{};
    if (type.form != Type::Form::tensor || !type.dtype) {
      c.report(diag::untyped_buffer, s, bound_name(c, s));
      return;
    }
    Object &o = k.objects.emplace_back();
    o.name = std::string(c.name_of(a.target()));
    o.tensor = o.in_memory = true;
    o.type = type;
    std::vector<size_t> all;
    for (const Node d : type.dims) {
      all.push_back(all.size());
      o.shape.push_back(k.extent_of(d));
    }
    k.memory[o.name] = &o;
    out.push_back(k.alloc(o, all, s));
    auto slot = c.get<ast::Call>(a.value());
    if (cpu_intrinsic(k.names.qualified(slot.func())) == "buffer") return;
    // rows_slot: Tensor[f32, 8, N] = cpu.claim(rows, 8, N)
    auto bound = c.read<ast::AnnAssign>(out.back());
    auto call = c.read<ast::Call>(bound.value);
    call.func = clone(c, slot.func());
    call.args[0] = clone(c, slot.args()[0]);
    bound.value = c.with(bound.value, call);
    out.back() = c.with(out.back(), bound);
  }

  // Whether the binding of a name is read wherever it is used, so that it needs no memory.
  bool is_view(std::string_view name) const {
    const Node binding = k.uses.binding(name);
    auto call = c.as<ast::Call>(value_of(c, binding));
    if (!call || !k.uses.scoped(name)) return false;
    const auto qualified = k.names.qualified(call.func());
    const auto intrinsic = cpu_intrinsic(qualified);
    if (intrinsic != "load" && intrinsic != "zeros" && intrinsic != "full") return false;
    if (intrinsic == "load" && !call.args().empty() && k.stored.contains(std::string(c.name_of(call.args()[0]))))
      return false;
    for (size_t n = 1; n < call.args().size(); ++n)
      if (!k.blocks.contains(std::string(c.name_of(call.args()[n]))) && !block_variable(c.name_of(call.args()[n])) &&
          !k.uses.stable(call.args()[n]))
        return false;
    return true;
  }
  // A name that only loops over blocks bind.
  bool block_variable(std::string_view name) const {
    auto loop = name.empty() ? ast::For{nullptr, HTP_NONE} : c.as<ast::For>(k.uses.binding(name));
    return loop && k.names.called(loop_forms(c, k.names, loop.iter()).range) == "htp_tile.tiles";
  }

  void buffer(const std::string &name, Node before, std::vector<uint32_t> &out) {
    if (is_view(name)) return;
    auto a = c.as<ast::AnnAssign>(k.uses.binding(name));
    if (!a) return; // the reader reports it where it is bound
    Object &o = k.objects.emplace_back();
    o.name = name;
    o.type = read_type(c, k.names, a.annotation());
    o.in_memory = true;
    std::vector<size_t> all;
    for (const Node d : o.type.dims) {
      all.push_back(all.size());
      o.shape.push_back(k.extent_of(d));
      note_block(o.shape.back().key);
    }
    k.memory[name] = &o;
    if (o.type.dtype) out.push_back(k.alloc(o, all, before));
  }
  // A buffer may stand before the loop whose block gives its extent: what is needed of it is the loop's size.
  void note_block(const std::string &key) {
    if (k.blocks.contains(key)) return;
    auto loop = c.as<ast::For>(k.uses.binding(key));
    if (!loop) return;
    const Node tiles = loop_forms(c, k.names, loop.iter()).range;
    if (k.names.called(tiles) != "htp_tile.tiles") return;
    const Nodes arguments = c.get<ast::Call>(tiles).args();
    if (arguments.size() == 2) k.blocks[key] = {"", HTP_NONE, arguments[1], false};
  }

  Node wrap(const LoopForms &i, Node range) const {
    for (auto w = i.wrappers.rbegin(); w != i.wrappers.rend(); ++w) {
      auto call = c.read<ast::Call>(*w);
      call.args = {range};
      range = c.with(*w, call);
    }
    return range;
  }

  // With `len(i)` of a block around as the number of its elements, `i.start` and `i.stop` as where they stand.
  Node counted(Node n) const {
    return rewrite(
        c, n,
        [&](Node e) {
          if (auto a = c.as<ast::Attribute>(e); a && (a.attr() == "start" || a.attr() == "stop")) {
            const auto b = k.blocks.find(c.name_of(a.value()));
            if (b == k.blocks.end() || !b->second.active) return e;
            const Node at = c.name(b->second.at, e);
            return a.attr() == "start" ? at : c.binary(at, HTP_Add, clone(c, b->second.count), e);
          }
          auto call = c.as<ast::Call>(e);
          if (!call || call.args().size() != 1 || c.dotted(call.func()) != "len") return e;
          const auto b = k.blocks.find(c.name_of(call.args()[0]));
          return b != k.blocks.end() && b->second.active ? clone(c, b->second.count) : e;
        },
        [](Node, std::vector<uint32_t> &) { return false; });
  }

  // The ints that both ways of a branch bind, and nothing before.
  std::vector<std::string> chosen_ints(ast::If branch) const {
    const auto ints = [&](Nodes statements) {
      std::map<std::string, Node> bound;
      for (const Node s : statements)
        c.each(s, [&](Node n) {
          auto a = c.as<ast::Assign>(n);
          if (a && a.targets().size() == 1 && (!is_tile_statement(c, k.names, n) || gives_int(c, k.names, n)))
            bound.try_emplace(std::string(c.name_of(a.targets()[0])), n);
        });
      return bound;
    };
    const auto then = ints(branch.body()), other = ints(branch.orelse());
    std::vector<std::string> both;
    for (const auto &[name, first] : then)
      if (!name.empty() && other.contains(name) && k.uses.binding(name) == first) both.push_back(name);
    return both;
  }

  void other(Node s, std::vector<uint32_t> &out) {
    if (auto loop = c.as<ast::For>(s)) {
      const LoopForms i = loop_forms(c, k.names, loop.iter());
      if (k.names.called(i.range) == "htp_tile.tiles") return tiles(s, i, out);
      auto f = c.read<ast::For>(s);
      f.iter = counted(f.iter);
      f.body = block(f.body);
      out.push_back(c.with(s, f));
    } else if (c.is(s, HTP_While)) {
      auto f = c.read<ast::While>(s);
      f.test = counted(f.test);
      f.body = block(f.body);
      out.push_back(c.with(s, f));
    } else if (auto branch = c.as<ast::If>(s)) {
      for (const std::string &name : chosen_ints(branch))
        out.push_back(c.assign(name, HTP_NONE, c.integer_node(0, s), s)); // it is one name behind the branches
      auto f = c.read<ast::If>(s);
      f.test = counted(f.test);
      f.body = block(f.body);
      f.orelse = block(f.orelse);
      const auto nothing = [&](uint32_t n) { return c.is(n, HTP_Pass); };
      if (!std::all_of(f.body.begin(), f.body.end(), nothing) ||
          !std::all_of(f.orelse.begin(), f.orelse.end(), nothing))
        out.push_back(c.with(s, f));
    } else if (auto inner = c.as<ast::FunctionDef>(s)) {
      auto f = c.read<ast::FunctionDef>(s);
      f.body = block(inner.body());
      out.push_back(c.with(s, f));
    } else if (is_memory(k.names.called(value_of(c, s))) && c.is(s, HTP_AnnAssign)) {
      make_buffer(s, out);
    } else {
      out.push_back(counted(s));
    }
  }

  // for i in tile.tiles(M, 8):            for i_at in range(0, M, 8):
  //     …                          →          i_n = min(8, M - i_at)
  //                                           …
  void tiles(Node s, const LoopForms &i, std::vector<uint32_t> &out) {
    auto f = c.read<ast::For>(s);
    const Nodes arguments = c.get<ast::Call>(i.range).args();
    const std::string name(c.name_of(f.target));
    if (arguments.size() != 2 || name.empty()) {
      c.report(diag::loop_range, i.range, c.show(i.range));
      return;
    }
    const Node extent = arguments[0], size = arguments[1];
    Node start, stop, whole, of = extent; // whole: how many elements all blocks together have
    if (const auto outer = k.blocks.find(c.name_of(extent)); outer != k.blocks.end() && outer->second.active) {
      of = outer->second.of;
      start = c.name(outer->second.at, extent);
      whole = clone(c, outer->second.count);
      stop = c.binary(c.name(outer->second.at, extent), HTP_Add, clone(c, outer->second.count), extent);
    } else {
      start = c.integer_node(0, extent);
      whole = stop = extent;
    }
    auto &slot = k.blocks[name];
    const Block before = slot;
    Block b;
    b.at = before.at.empty() || before.active ? c.fresh(name + "_at") : before.at;
    b.size = size, b.of = of;
    b.active = true;
    int64_t total = 0, each = 0;
    const bool even = c.integer(whole, &total) && c.integer(size, &each) && each > 0 && total % each == 0;
    std::vector<uint32_t> body;
    if (even) {
      b.count = size;
    } else {
      const std::string n =
          before.at.empty() || before.active ? c.fresh(name + "_n") : std::string(c.name_of(before.count));
      b.count = c.name(n.empty() ? c.fresh(name + "_n") : n, i.range);
      const Node left = c.binary(clone(c, stop), HTP_Sub, c.name(b.at, i.range), i.range);
      body.push_back(c.assign(c.name_of(b.count), HTP_NONE, c.call("min", {clone(c, size), left}, i.range), i.range));
    }
    slot = b;
    const auto inner = block(f.body);
    bool needed = false; // how long the block is
    for (const Node n : inner)
      c.each(n, [&](Node e) { needed = needed || (c.is(e, HTP_Name) && c.name_of(e) == c.name_of(b.count)); });
    if (!even && !needed) body.clear();
    body.insert(body.end(), inner.begin(), inner.end());
    k.blocks[name].active = before.active;
    if (before.active) k.blocks[name] = before;
    f.target = c.name(b.at, f.target, HTP_STORE);
    f.iter = wrap(i, c.call("range", {start, clone(c, stop), clone(c, size)}, i.range));
    f.body = std::move(body);
    out.push_back(c.with(s, f));
  }

  Kernel &k;
  const Context &c;
};

} // namespace
} // namespace htp::cpu::loops

namespace htp::cpu {

Result make_loops(const Context &c, Node root, Node &out) {
  const Names names(c, root);
  const Node function = c.entry_function(root);
  if (!function) {
    c.report(diag::no_entry, HTP_NONE, c.entry());
    return c.result();
  }
  loops::Kernel kernel(c, names, root, function);
  const Node lowered = loops::Lowering(kernel).run();
  out = root;
  if (c.errors()) return c.result();
  auto m = c.read<ast::Module>(root);
  for (uint32_t &s : m.body)
    if (s == function) s = lowered;
  out = drop_unused_imports(c, c.with(root, m), is_tile_import);
  return c.result();
}

} // namespace htp::cpu

// cache, pack, prefetch and buffer: local copies of what a loop reads, and where local memory lies.
#include "wsp.h"

#include "htp_cpp/edit.h"
#include "htp_cpp/suggest.h"
#include "htp_cpp/types.h"

#include <algorithm>

namespace htp::wsp {

namespace {

int64_t bytes_of(std::string_view dtype) {
  const size_t digits = dtype.find_first_of("0123456789");
  int64_t bits = 8; // bool_
  if (digits != std::string_view::npos) std::from_chars(dtype.data() + digits, dtype.data() + dtype.size(), bits);
  return bits / 8;
}

std::string listed(const std::vector<std::string> &names) {
  return join(names, ", ", [](const std::string &n) { return "`" + n + "`"; });
}

// What one buffer takes; nothing when an extent has no known size.
struct Footprint {
  std::optional<int64_t> bytes;
  std::string text; // "64 x 32 x 4 bytes"
};
Footprint footprint(const Transform &t, const std::vector<Extent> &extents, std::string_view dtype) {
  Footprint result{bytes_of(dtype), {}};
  const auto all = t.loops();
  for (const Extent &e : extents) {
    std::optional<int64_t> size = e.name.empty() ? std::optional(e.size) : std::nullopt;
    if (const auto constant = size ? std::nullopt : t.constants.named(e.name); constant && !constant->real)
      size = constant->i;
    if (const Loop *loop = size ? nullptr : find_loop(all, e.name)) size = t.size_of(*loop);
    result.text += (size ? std::to_string(*size) : e.text()) + " x ";
    if (!size || !result.bytes || __builtin_mul_overflow(*result.bytes, *size, &*result.bytes)) result.bytes.reset();
  }
  result.text += std::to_string(bytes_of(dtype)) + " bytes";
  return result;
}

// Whether a buffer fits into a space of the target, beside the others that lie there. Reports why not.
bool fits(const Transform &t, const Directive &d, const Name &space, const std::string &name,
          const std::vector<Extent> &extents, std::string_view dtype) {
  const Context &c = t.c;
  const auto spaces = c.hardware_names("spaces");
  if (std::find(spaces.begin(), spaces.end(), space.text) == spaces.end()) {
    Report report = c.report(diag::unknown_space, space.at, c.target(), space.text);
    report.hint(spaces.empty() ? "leave `space=` out" : "it has: " + listed(spaces));
    if (d.via) report.label(d.via, "called here");
    return false;
  }
  const std::string_view text = c.hardware(("spaces." + space.text + ".capacity").c_str());
  int64_t capacity = 0;
  std::from_chars(text.data(), text.data() + text.size(), capacity);
  if (capacity == 0) return true; // it is declared to have no end
  const Footprint own = footprint(t, extents, dtype);
  if (!own.bytes) {
    about(d, c.report(diag::unknown_footprint, d.call, name, own.text, space.text, capacity)
                 .hint("tile the loops whose blocks it holds, and hold one block of each dimension"));
    return false;
  }
  int64_t others = 0;
  c.each(t.workload, [&](Node n) {
    auto a = c.as<ast::AnnAssign>(n);
    const auto type = a ? read_type(c, a.annotation()) : std::nullopt;
    std::string_view in;
    if (!type || !type->space || c.name_of(a.target()) == name) return;
    auto call = c.as<ast::Call>(type->space);
    if (call && call.args().size() == 1 && c.string(call.args()[0], &in) && in == space.text)
      others += footprint(t, type->extents, type->dtype).bytes.value_or(0);
  });
  if (*own.bytes + others <= capacity) return true;
  Report report = c.report(diag::over_capacity, d.call, name, own.text, *own.bytes, space.text, capacity);
  if (others > 0) report.note("other buffers in `" + space.text + "` take " + std::to_string(others) + " bytes");
  report.hint("make the blocks smaller, or use another space");
  if (d.via) report.label(d.via, "called here");
  return false;
}

// `name = buffer(dtype, …)`, with its space in its type when there is one.
Node make_buffer(Transform &t, const std::string &name, const Type &type, const Name *space, Node origin) {
  const Context &c = t.c;
  const std::string dtype = t.imports.name("htp", type.dtype, "htp");
  std::vector<uint32_t> arguments{c.path(dtype, origin)};
  for (const Extent &e : type.extents) arguments.push_back(write_extent(c, e, origin));
  Node annotation = HTP_NONE;
  if (space) {
    Type typed = type;
    typed.layout = HTP_NONE;
    typed.space = c.call(t.imports.module("htp", "htp") + ".space", {c.string_node(space->text, origin)}, origin);
    annotation = write_type(c, typed, origin, t.imports.name("htp_tile", "Tensor", "tile"), dtype);
  }
  return c.assign(name, annotation, c.call(t.imports.name("htp_tile", "buffer", "tile"), arguments, origin), origin);
}

Node subscript(const Transform &t, const std::string &tensor, const std::vector<Node> &index, Node origin,
               htp_expr_ctx use = HTP_LOAD) {
  const Context &c = t.c;
  std::vector<uint32_t> items;
  for (const Node n : index) items.push_back(n ? n : c.make(make::Slice{}, origin));
  const Node slice = items.size() == 1 ? items[0] : c.make(make::Tuple{.elts = items, .ctx = HTP_LOAD}, origin);
  return c.make(make::Subscript{.value = c.name(tensor, origin), .slice = slice, .ctx = use}, origin);
}

struct Copy {
  std::string tensor, local;
  Type type;                // of the tensor
  Loop loop;                // in whose body it is
  std::vector<Extent> held; // its extents: blocks of loops around, or whole dimensions
};

// What a copy of a tensor in a loop's body holds; nothing after a report.
std::optional<Copy> plan(Transform &t, const Directive &d) {
  const Context &c = t.c;
  Copy copy;
  copy.tensor = d.names[0].text;
  const auto type = t.tensor(d, d.names[0]);
  const auto loop = t.loop(d, d.texts.find("at")->second);
  if (!type || !loop) return std::nullopt;
  copy.type = *type;
  copy.loop = *loop;
  const auto all = t.loops();
  // Blocks that are known where the body begins.
  std::set<std::string> around;
  for (const Loop &l : all) {
    bool holds = false;
    c.each(l.statement, [&](Node n) { holds |= n == loop->statement; });
    if (holds) around.insert(l.variable);
  }
  std::vector<std::vector<std::string>> blocks(type->rank()); // of each access, from the inside out
  bool read = false;
  for (const TensorAccess &a : t.accesses(loop->statement)) {
    if (a.tensor != copy.tensor) continue;
    if (a.writes) {
      about(d, c.report(diag::copied_written, d.call, copy.tensor, loop->variable)
                   .label(a.at, "written here")
                   .hint("copy what the loop only reads"));
      return std::nullopt;
    }
    if (a.index.size() != type->rank()) continue; // reported when it is typed
    for (size_t k = 0; k < a.index.size(); ++k) {
      std::vector<std::string> chain;
      for (std::string name(c.name_of(a.index[k])); !name.empty();) {
        if (around.contains(name)) chain.push_back(name);
        const Loop *outer = find_loop(all, name);
        name = outer ? c.name_of(outer->extent) : std::string_view();
      }
      if (!read) {
        blocks[k] = chain;
      } else {
        std::erase_if(blocks[k],
                      [&](const std::string &b) { return std::find(chain.begin(), chain.end(), b) == chain.end(); });
      }
    }
    read = true;
  }
  if (!read) {
    about(d, c.report(diag::not_read, d.names[0].at, loop->variable, copy.tensor).label(loop->statement, "this loop"));
    return std::nullopt;
  }
  for (size_t k = 0; k < type->rank(); ++k)
    copy.held.push_back(blocks[k].empty() ? type->extents[k] : Extent{blocks[k][0], 0});
  copy.local = t.free_name(copy.tensor + "_local");
  return copy;
}

bool make_copy(Transform &t, const Directive &d, bool turned) {
  const Context &c = t.c;
  const auto copy = plan(t, d);
  if (!copy) return false;
  if (turned && copy->type.rank() < 2)
    return about(d, c.report(diag::nothing_to_turn, d.names[0].at, copy->tensor)), false;
  Type local = copy->type;
  local.extents = copy->held;
  if (turned) std::swap(local.extents[local.rank() - 2], local.extents.back());
  const auto space = d.texts.find("space");
  if (space != d.texts.end() && !fits(t, d, space->second, copy->local, local.extents, local.dtype)) return false;
  const Node origin = copy->loop.statement;
  const auto place = [&](const std::vector<Extent> &extents) {
    std::vector<Node> index;
    for (const Extent &e : extents)
      index.push_back(!e.name.empty() && find_loop(t.loops(), e.name) ? c.name(e.name, origin) : HTP_NONE);
    return index;
  };
  const std::string transpose = turned ? t.imports.name("htp_tile", "transpose", "tile") : std::string();
  Node value = subscript(t, copy->tensor, place(copy->held), origin);
  if (turned) value = c.call(transpose, {value}, origin);
  std::vector<uint32_t> body{
      make_buffer(t, copy->local, local, space == d.texts.end() ? nullptr : &space->second, origin),
      c.make(
          make::Assign{.targets = {subscript(t, copy->local, place(local.extents), origin, HTP_STORE)}, .value = value},
          origin)};
  std::set<Node> made; // transposes put around what is read
  bool plain = true;
  auto f = c.read<ast::For>(copy->loop.statement);
  for (const Node s : f.body)
    body.push_back(rewrite(
        c, s,
        [&](Node n) -> Node {
          if (auto k = c.as<ast::Call>(n); turned && k && k.args().size() == 1 && made.contains(k.args()[0]) &&
                                           t.names.qualified(k.func()) == "htp_tile.transpose")
            return c.get<ast::Call>(k.args()[0]).args()[0]; // turned twice
          if (!turned) {
            auto name = c.as<ast::Name>(n);
            if (!name || name.id() != copy->tensor) return n;
            auto m = c.read<ast::Name>(n);
            m.id = copy->local;
            return c.with(n, m);
          }
          if (const auto a = tensor_access(c, t.names, n); a && a->tensor == copy->tensor) {
            if (!c.is(n, HTP_Subscript)) return plain = false, n;
            std::vector<Node> index = a->index;
            std::swap(index[index.size() - 2], index.back());
            const Node call = c.call(transpose, {subscript(t, copy->local, index, n)}, n);
            made.insert(call);
            return call;
          }
          return n;
        },
        [](Node, std::vector<uint32_t> &) { return false; }));
  if (!plain)
    return about(d, c.report(diag::nothing_to_turn, d.names[0].at, copy->tensor).hint("read it by `x[…]`")), false;
  f.body = body;
  t.replace(copy->loop.statement, {c.with(copy->loop.statement, f)});
  return true;
}

} // namespace

bool apply_cache(Transform &t, const Directive &d) { return make_copy(t, d, false); }
bool apply_pack(Transform &t, const Directive &d) { return make_copy(t, d, true); }

// Several tensors may be on their way for one loop, all of them as far ahead.
bool apply_prefetch(Transform &t, const Directive &d) {
  const Name &at = d.texts.find("at")->second;
  const auto loop = t.loop(d, at);
  if (!loop) return false;
  if (!loop->forms.pipelined) {
    Directive pipeline = d;
    pipeline.names = {at};
    return make_copy(t, d, false) && apply_pipeline(t, pipeline);
  }
  const auto depth = d.numbers.contains("depth") ? t.number(d, "depth", 2) : std::optional<int64_t>(2);
  if (!depth) return false;
  const int64_t now = t.depth_of(*loop);
  if (*depth != now) {
    about(d, t.c.report(diag::depths_differ, d.call, loop->variable, now, *depth)
                 .label(loop->statement, "overlaps already")
                 .hint("write `depth=" + std::to_string(now) + "`"));
    return false;
  }
  return make_copy(t, d, false);
}

bool apply_buffer(Transform &t, const Directive &d) {
  const Context &c = t.c;
  const auto type = t.tensor(d, d.names[0]);
  if (!type) return false;
  const std::string &name = d.names[0].text;
  const Node binding = t.buffer_binding(name);
  if (!binding)
    return about(d, c.report(diag::not_a_buffer, d.names[0].at, name).label(t.bound()[name], "a parameter")), false;
  const Name &space = d.texts.find("space")->second;
  if (!fits(t, d, space, name, type->extents, type->dtype)) return false;
  t.replace(binding, {with_comments_of(c, binding, make_buffer(t, name, *type, &space, binding))});
  return true;
}

} // namespace htp::wsp

// What cores do, as an entry again.
#include "analyses/cores.h"

#include "analyses/host_made.h"
#include "analyses/writing.h"

#include "htp_cpp/calls.h"
#include "htp_cpp/edit.h"
#include "htp_cpp/loops.h"

#include <algorithm>

namespace htp::aie::cores {

namespace {

class Writer : Writing {
public:
  Writer(const Context &context, Node function, const OnDevice &on, Cores &all)
      : Writing(context), c(context), function_(function), on_(on), all_(all) {}

  Node run() {
    std::vector<uint32_t> inside;
    std::set<size_t> seen; // tensors
    for (Process &p : all_.processes)
      each_access(all_, p.body, [&](const Item &, const Access &a) { seen.insert(a.tensor); });
    for (size_t t = 0; t < all_.parameters.size(); ++t) {
      Parameter &q = all_.parameters[t];
      if (const auto made = all_.host_made.find(t); made != all_.host_made.end())
        inside.push_back(made->second.node ? made->second.node
                                           : assign(q.name, host_made_text(q, made->second.dtype), q.node));
      if (!q.view.empty() && seen.contains(t))
        inside.push_back(q.view_node ? q.view_node : assign(q.view, padding_text(q), q.node));
    }
    for (const Channel &ch : all_.channels)
      if (!ch.dead) inside.push_back(channel(ch));
    if (all_.alike) {
      p_ = &all_.processes[0];
      std::vector<uint32_t> body = statements(all_.processes[0].body);
      const Node at = p_->node;
      if (all_.core.empty())
        inside.insert(inside.end(), body.begin(), body.end());
      else if (c.is(at, HTP_For))
        inside.push_back(with_list(c, at, HTP_FIELD(For, body), body));
      else
        inside.push_back(c.make(make::For{.target = c.name(all_.core, at, HTP_STORE),
                                          .iter = c.parse("aie.cores()", at),
                                          .body = std::move(body)},
                                at));
    } else {
      for (Process &p : all_.processes) inside.push_back(process(p));
    }
    auto f = c.read<ast::FunctionDef>(with_body(c, function_, device_around(c, on_, std::move(inside), function_)));
    std::erase_if(f.decorator_list, [&](Node d) {
      const std::string mark = c.dotted(c.is(d, HTP_Call) ? c.get<ast::Call>(d).func() : d);
      return mark == "pipeline" || mark.ends_with(".pipeline");
    });
    return c.with(function_, f);
  }

private:
  Node copy(Node n) const { return clone(c, n); }

  Node channel(const Channel &ch) const {
    if (!ch.changed) return ch.node;
    auto a = c.get<ast::AnnAssign>(ch.node);
    std::vector<uint32_t> args{copy(ch.dtype)}, keywords;
    for (const int64_t e : ch.extents) args.push_back(c.integer_node(e, ch.node));
    const auto keyword = [&](const char *name, int64_t value) {
      keywords.push_back(
          c.make(make::keyword{.arg = std::string(name), .value = c.integer_node(value, ch.node)}, ch.node));
    };
    keyword("capacity", ch.capacity);
    if (ch.readers != 1) keyword("readers", ch.readers);
    // `csp.Channel[f32, 8, 64]`, as of an array
    auto of = c.as<ast::Subscript>(a.annotation());
    std::string type = of ? c.show(of.value()) : std::string("aie.Channel");
    if (type.ends_with("Channels")) type.pop_back();
    std::string text = type + "[" + c.show(ch.dtype);
    for (const int64_t e : ch.extents) text += ", " + std::to_string(e);
    return c.assign(ch.name, c.parse(text + "]", ch.node), c.call("aie.channel", args, ch.node, keywords), ch.node);
  }

  Node process(Process &p) {
    p_ = &p;
    std::vector<uint32_t> body = statements(p.body);
    return core_function(c, p, std::move(body));
  }
  std::vector<uint32_t> statements(std::vector<Item> &items) {
    std::vector<uint32_t> out;
    for (Item &i : items) out.push_back(statement(i));
    return out;
  }
  Node statement(Item &i) {
    if (i.kind == Item::Kind::loop) {
      std::vector<uint32_t> body = statements(i.body);
      if (!i.changed) return with_list(c, i.node, HTP_FIELD(For, body), body);
      const Loop &l = all_.loops[i.loop];
      return c.make(
          make::For{.target = c.name(l.name, i.node, HTP_STORE), .iter = range(i, l), .body = std::move(body)}, i.node);
    }
    const bool moved = (i.kind == Item::Kind::load || i.kind == Item::Kind::store) && all_.accesses[i.access].changed;
    if (!i.changed && !moved) return i.node;
    const auto call = [&](const char *intrinsic, std::vector<uint32_t> args, std::vector<uint32_t> keywords = {}) {
      return c.statement(c.call(intrinsic, std::move(args), i.node, std::move(keywords)), i.node);
    };
    const auto name = [&](const std::string &n) { return c.name(n, i.node); };
    switch (i.kind) {
    case Item::Kind::loop: break;
    case Item::Kind::buffer: {
      const Buffer &b = p_->buffers.at(i.tile);
      std::vector<uint32_t> args{copy(b.dtype)};
      for (size_t d = 0; d < b.extents.size(); ++d)
        args.push_back(b.loops[d] ? name(all_.loops[*b.loops[d]].name) : c.integer_node(b.extents[d], i.node));
      return c.assign(i.tile, HTP_NONE, c.call("aie.buffer", args, i.node), i.node);
    }
    case Item::Kind::call: return c.statement(i.call, i.node);
    case Item::Kind::put: return call("aie.put", {name(all_.channels[i.channel].name), name(i.tile)});
    case Item::Kind::get: return call("aie.get", {name(i.tile), name(all_.channels[i.channel].name)});
    case Item::Kind::drop: return call("aie.drop", {name(all_.channels[i.channel].name)});
    case Item::Kind::load:
    case Item::Kind::store: {
      const Access &a = all_.accesses[i.access];
      const Parameter &q = all_.parameters[a.tensor];
      std::vector<uint32_t> args{name(a.stores ? tensor(q) : i.tile), name(a.stores ? i.tile : tensor(q))}, keywords;
      for (size_t d = 0; d < a.index.size(); ++d)
        args.push_back(index(a.index[d], (q.view.empty() ? q.extents : q.padded)[d], i.node));
      if (a.bordered)
        keywords.push_back(c.make(make::keyword{.arg = std::string("outside"),
                                                .value = c.make(make::Constant{.value = Literal::real(0)}, i.node)},
                                  i.node));
      return call(a.stores ? "aie.store" : "aie.load", args, keywords);
    }
    }
    return i.node;
  }
  static const std::string &tensor(const Parameter &q) { return q.view.empty() ? q.name : q.view; }

  Node range(const Item &i, const Loop &l) const {
    const Node made = plain_range(i, l);
    if (l.depth <= 2) return made;
    for (Node w = c.get<ast::For>(i.node).iter(); c.get<ast::Call>(w).args().size() == 1;
         w = c.get<ast::Call>(w).args()[0])
      for (const Node n : c.get<ast::Call>(w).keywords()) // `htp.pipelined(…, depth=4)`
        if (c.get<ast::keyword>(n).arg() == "depth")
          return with_list(c, w, HTP_FIELD(Call, args), std::vector<uint32_t>{made});
    return made;
  }
  Node plain_range(const Item &i, const Loop &l) const {
    const auto number = [&](int64_t n) { return c.integer_node(n, i.node); };
    if (!l.block || l.ints)
      return c.call("range",
                    l.first ? std::vector<uint32_t>{number(l.first), number(l.first + l.times)}
                            : std::vector<uint32_t>{number(l.times)},
                    i.node);
    if (l.first || l.times != (l.extent + l.block - 1) / l.block)
      return c.call("aie.blocks", {number(l.extent), number(l.block), number(l.first), number(l.times)}, i.node);
    Node tiles = c.get<ast::For>(i.node).iter();
    for (auto k = c.get<ast::Call>(tiles); k.args().size() == 1; k = c.get<ast::Call>(tiles)) tiles = k.args()[0];
    return c.make(make::Call{.func = copy(c.get<ast::Call>(tiles).func()), .args = {number(l.extent), number(l.block)}},
                  i.node);
  }

  // ── indices ──

  // `left + right`, of what there is.
  Node sum(Node left, Node right, Node origin) const {
    return !left ? right : !right ? left : c.binary(left, HTP_Add, right, origin);
  }
  Node plus(Node left, int64_t number, Node origin) const {
    if (!left || number == 0) return left ? left : c.integer_node(number, origin);
    return c.binary(left, number > 0 ? HTP_Add : HTP_Sub, c.integer_node(number > 0 ? number : -number, origin),
                    origin);
  }
  Node times(int64_t factor, Node n, Node origin) const {
    return factor == 1 ? n : c.binary(c.integer_node(factor, origin), HTP_Mult, n, origin);
  }
  // The steps of a slice beside what blocks within others begin at already, which is where those do.
  std::map<size_t, int64_t> beside_outer(const Slice &s, std::optional<size_t> block) const {
    std::map<size_t, int64_t> steps = s.steps;
    for (auto it = steps.rbegin(); it != steps.rend(); ++it) { // inner loops first
      const Loop &l = all_.loops[it->first];
      if (l.within && l.block && (it->first == block || it->second % l.block == 0))
        steps[*l.within] -= (it->first == block ? s.apart : it->second / l.block) * all_.loops[*l.within].block;
    }
    return steps;
  }
  // Where a slice begins, but for the block of a loop; `number` is what is added to that.
  Node begin(const Slice &s, std::optional<size_t> block, int64_t &number, Node origin) const {
    Node made = HTP_NONE;
    number = s.start;
    for (const auto &[step, attribute] : {std::pair(s.column, "column"), std::pair(s.row, "row")})
      if (step) {
        const Node of =
            c.make(make::Attribute{.value = c.name(all_.core, origin), .attr = std::string(attribute)}, origin);
        made = sum(made, times(step, of, origin), origin);
      }
    for (const auto &[loop, step] : beside_outer(s, block)) {
      if (step == 0 || loop == block) continue;
      const Loop &l = all_.loops[loop];
      number -= step * l.first;
      Node variable = c.name(l.name, origin);
      int64_t factor = step;
      if (l.block && !l.ints) {
        variable = c.make(make::Attribute{.value = variable, .attr = std::string("start")}, origin);
        if (step % l.block == 0)
          factor = step / l.block;
        else
          variable = c.binary(variable, HTP_FloorDiv, c.integer_node(l.block, origin), origin);
      }
      made = sum(made, times(factor, variable, origin), origin);
    }
    return made;
  }
  Node index(const Slice &s, int64_t extent, Node origin) const {
    const bool still = std::all_of(s.steps.begin(), s.steps.end(), [](const auto &k) { return k.second == 0; });
    const bool all = all_.alike ? s.whole : still && s.start == 0 && s.size == extent && s.apart == 1 && !s.block;
    if (all) return c.path("aie.whole", origin);
    int64_t number = 0;
    if (s.block && all_.loops[*s.block].block == s.size && s.step(*s.block) == s.apart * s.size) {
      const Loop &l = all_.loops[*s.block];
      const Node rest = begin(s, s.block, number, origin);
      return plus(sum(times(s.apart, c.name(l.name, origin), origin), rest, origin),
                  number - s.apart * l.first * l.block, origin);
    }
    if (s.size == 1) {
      const Node from = begin(s, std::nullopt, number, origin);
      return plus(from, number, origin);
    }
    const Node from = begin(s, std::nullopt, number, origin), to = begin(s, std::nullopt, number, origin);
    std::vector<uint32_t> ends{plus(from, number, origin), plus(to, number + (s.size - 1) * s.apart + 1, origin)};
    if (s.apart != 1) ends.push_back(c.integer_node(s.apart, origin));
    return c.call("slice", ends, origin);
  }

  const Context &c;
  Node function_;
  const OnDevice &on_;
  Cores &all_;
  const Process *p_ = nullptr;
};

} // namespace

Node core_function(const Context &c, const Process &p, std::vector<uint32_t> body) {
  if (!p.changed) return with_list(c, p.node, HTP_FIELD(FunctionDef, body), body);
  std::string mark = p.dma ? "aie.dma(" : "aie.core(";
  if (!p.on.empty()) mark += "on='" + p.on + "'" + (p.interleaved ? "" : ", interleaved=False");
  make::FunctionDef f;
  make::arguments arguments;
  arguments.args = {c.make(make::arg{.arg = std::string("core"), .annotation = c.parse("aie.Core", p.node)}, p.node)};
  f.name = p.name;
  f.args = c.make(arguments, p.node);
  f.decorator_list = {c.parse(mark + ")", p.node)};
  f.returns = c.make(make::Constant{.value = {}}, p.node);
  f.body = std::move(body);
  return c.make(f, p.node);
}

Node write(const Context &c, Node function, const OnDevice &on, Cores &cores) {
  return Writer(c, function, on, cores).run();
}

Node changed(const Context &c, Node root, Of of, const Change &change) {
  const Node function = c.entry_function(root);
  const Names names(c, root);
  const auto found = function ? on_device(c, names, function) : std::nullopt;
  if (!found || (of == Of::named && !found->named) || !loads_tensors(c, names, *found)) return root;
  OnDevice on = *found;
  Cores all;
  all.columns = on.columns, all.rows = on.rows;
  if (!read(c, root, function, {.choices = on.choices}, all)) return HTP_NONE;
  const bool any = change(c, root, all, on);
  if (c.errors()) return HTP_NONE;
  return any ? with_statement(c, root, function, write(c, function, on, all)) : root;
}

} // namespace htp::aie::cores

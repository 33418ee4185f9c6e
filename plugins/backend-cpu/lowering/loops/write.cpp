// Writing a segment: decides which tiles need a buffer, then writes the fused loops as Python.
#include "lower.h"

#include <algorithm>
#include <set>

namespace htp::cpu::loops {

namespace {

// Names of values that are known in the block that is being written, by what they are an element of.
class Known {
public:
  // The name of an element; null: none.
  const std::string *find(const std::string &element) const {
    const auto it = names_.find(element);
    return it == names_.end() ? nullptr : &it->second;
  }
  bool has(const std::string &name) const { return elements_.contains(name); }
  void set(const std::string &element, const std::string &name) {
    erase(element);
    names_[element] = name;
    elements_[name].insert(element);
  }
  void erase(const std::string &element) {
    const auto it = names_.find(element);
    if (it == names_.end()) return;
    const auto of = elements_.find(it->second);
    of->second.erase(element);
    if (of->second.empty()) elements_.erase(of);
    names_.erase(it);
  }
  // The name is of nothing any more.
  void forget(const std::string &name) {
    const auto it = elements_.find(name);
    if (it == elements_.end()) return;
    for (const std::string &element : it->second) names_.erase(element);
    elements_.erase(it);
  }

private:
  std::map<std::string, std::string> names_;
  std::map<std::string, std::set<std::string>> elements_; // by name
};

struct Scope {
  std::vector<uint32_t> out;
  Known known;
};

class SegmentWriter {
public:
  SegmentWriter(Kernel &kernel, const std::deque<Step> &steps) : k(kernel), c(kernel.c) {
    for (const Step &s : steps) order_.push_back(&s);
  }

  std::vector<uint32_t> run() {
    items_ = fuse(order_, 0);
    std::vector<const Item *> path;
    for (const Item &i : items_) note_path(i, path);
    scopes_.emplace_back();
    buffers();
    for (const Item &i : items_) write(i, 0, false);
    return std::move(scopes_[0].out);
  }

private:
  // ── which tiles need a buffer ─────────────────────────────────────────────────────────────────────────────────────

  void note_path(const Item &item, std::vector<const Item *> &path) {
    if (item.step) {
      paths_[item.step] = path;
      return;
    }
    path.push_back(&item);
    for (const Item &i : item.body) note_path(i, path);
    path.pop_back();
  }

  // How many loops two steps share.
  size_t shared(const Step *a, const Step *b) const {
    const auto &x = paths_.at(a), &y = paths_.at(b);
    size_t n = 0;
    while (n < x.size() && n < y.size() && x[n] == y[n]) ++n;
    return n;
  }

  // A tile keeps, in its buffer, the dims whose loops not all of its uses share.
  void buffers() {
    std::unordered_map<const Object *, std::vector<const Step *>> readers;
    for (const Step *s : order_)
      s->each_access([&](const Access &access, bool writes) {
        if (!writes) readers[access.object].push_back(s);
      });
    for (const Step *producer : order_) {
      Object *object = producer->result.object;
      if (!object || object->tensor || object->in_memory) continue;
      size_t common = producer->loops.size();
      for (const Step *s : readers[object]) common = std::min(common, shared(producer, s));
      for (size_t d = 0; d < producer->result.index.size(); ++d)
        if (producer->result.index[d].depth() >= static_cast<int>(common) ||
            (object->line && d + 1 == producer->result.index.size()))
          object->kept.push_back(d);
    }
    for (const Step *s : order_) {
      if (s->form != Step::Form::order) continue; // one index leads to both lines
      auto &keys = s->operands[0].access.object->kept, &order = s->result.object->kept;
      std::set<size_t> both(keys.begin(), keys.end());
      both.insert(order.begin(), order.end());
      keys.assign(both.begin(), both.end());
      order = keys;
    }
    for (const Step *producer : order_) {
      Object *object = producer->result.object;
      if (!object || object->tensor || object->in_memory || object->buffered) continue;
      object->buffered = !object->kept.empty();
      if (object->buffered) scopes_[0].out.push_back(k.alloc(*object, object->kept, producer->statement));
    }
  }

  bool stored(const Object *o) const { return o->tensor || o->in_memory || o->buffered; }

  // ── writing ───────────────────────────────────────────────────────────────────────────────────────────────────────

  Scope &here() { return scopes_.back(); }

  void write(const Item &item, size_t level, bool in_vector) {
    if (item.step) return leaf(*item.step);
    const Node origin = item.members.front()->statement;
    std::vector<const Step *> ending; // reductions this loop completes
    for (const Step *s : item.members)
      if (s->loops.size() == level + 1 && s->loops.back().reduces) ending.push_back(s);
    for (const Step *s : ending) begin_reduction(*s);
    scopes_.emplace_back();
    const bool vector = item.vectorized && !in_vector;
    for (const Item &i : item.body) write(i, level + 1, in_vector || vector);
    std::vector<uint32_t> body = std::move(here().out);
    scopes_.pop_back();
    Node range = c.call("range", {k.count(item.extent, origin)}, origin);
    if (vector) range = c.call("htp.vectorized", {range}, origin);
    here().out.push_back(c.make(
        make::For{.target = c.name(k.loop_variable(level), origin, HTP_STORE), .iter = range, .body = std::move(body)},
        origin));
    for (const Step *s : ending) end_reduction(*s);
  }

  void leaf(const Step &s) {
    const bool reduces = !s.loops.empty() && s.loops.back().reduces;
    switch (s.form) {
    case Step::Form::store: s.intrinsic.empty() ? put(s, scalar_or_literal(s.operands[0], s)) : add(s); break;
    case Step::Form::order: order(s); break;
    case Step::Form::position: {
      const std::string value = scalar(s.operands[0], s);
      here().out.push_back(c.assign(bound_name(c, s.statement), HTP_NONE,
                                    c.call("cpu." + s.intrinsic, {c.name(value, s.statement)}, s.statement),
                                    s.statement));
      break;
    }
    case Step::Form::elementwise: elementwise(s); break;
    case Step::Form::reduce:
    case Step::Form::locate:
    case Step::Form::scan:
    case Step::Form::matmul:
      if (!reduces) begin_reduction(s);
      accumulate(s);
      if (!reduces) end_reduction(s);
      break;
    }
  }

  void elementwise(const Step &s) {
    const std::string &name = k.element_name(s.result.object);
    if (s.intrinsic.empty()) return copy(s);
    if (s.intrinsic == "iota") {
      assign(name, s, c.call("cpu.index", {clone(c, s.dtype_node), index_node(s.counted, s)}, s.statement));
    } else if (s.intrinsic == "get") {
      assign(name, s, element(s.operands[0], s));
    } else {
      auto call = c.read<ast::Call>(s.call);
      for (size_t n = 0; n < s.operands.size(); ++n)
        if (s.operands[n].view) call.args[n] = c.name(scalar(s.operands[n], s), s.operands[n].node);
      assign(name, s, c.with(s.call, call));
    }
    know(s, name);
    if (stored(s.result.object)) put(s, c.name(name, s.statement));
  }

  // target[…] = target[…] + value
  void add(const Step &s) {
    const Node o = s.statement, value = scalar_or_literal(s.operands[0], s);
    auto [it, fresh] = wide_names_.try_emplace(&s);
    if (fresh) it->second = c.fresh(s.result.object->name + "_at");
    const std::string &sum = it->second;
    std::vector<uint32_t> element{c.name(s.result.object->name, o)};
    for (const uint32_t i : indices(s.result, s)) element.push_back(i);
    assign(sum, s, c.call("cpu.get", element, o));
    assign(sum, s, c.call("cpu.add", {c.name(sum, o), value}, s.call));
    put(s, c.name(sum, o));
  }

  // cpu.order(indices, keys, count, first, …)
  void order(const Step &s) {
    const Node o = s.statement;
    const Access &keys = s.operands[0].access;
    std::vector<uint32_t> arguments{c.name(s.result.object->name, o), c.name(keys.object->name, o),
                                    k.count(keys.object->shape.back(), o), k.count(s.result.object->shape.back(), o)};
    std::vector<uint32_t> line = indices(s.result, s);
    line.pop_back();
    arguments.insert(arguments.end(), line.begin(), line.end());
    std::vector<uint32_t> keywords;
    if (s.descending)
      keywords.push_back(c.make(
          make::keyword{.arg = "descending", .value = c.make(make::Constant{.value = Literal::boolean(true)}, o)}, o));
    here().out.push_back(c.statement(
        c.make(make::Call{.func = c.path("cpu.order", o), .args = std::move(arguments), .keywords = keywords}, s.call),
        o));
  }

  // A step without an intrinsic: another tile's element, or one value, as the result's.
  void copy(const Step &s) {
    const std::string &name = k.element_name(s.result.object);
    const Operand &from = s.operands[0];
    const bool read = from.view && from.view->object && find(from.access).empty();
    Node value = read ? element(from, s) : scalar_or_literal(from, s);
    if (!read && stored(s.result.object)) {
      here().known.erase(key(s.result));
      put(s, value);
      return;
    }
    if (!read && !c.is(value, HTP_Name)) value = splat(s, value);
    assign(name, s, value);
    know(s, name);
    if (stored(s.result.object)) put(s, c.name(name, s.statement));
  }

  // The scalar that gathers a reduction: the result's own name; but f16 and bf16 add up in f32 and are rounded once,
  // and a scan gives each result on the way.
  bool widens(const Step &s) const {
    return s.dtype->narrow() && (s.form == Step::Form::matmul || s.intrinsic == "add" || s.intrinsic == "mul");
  }
  Node wide_dtype(Node origin) const { return c.path("htp.f32", origin); }
  // An operand of a product that is added up in a wider dtype.
  bool narrower(const Step &s, size_t n) const {
    const View *view = s.form == Step::Form::matmul ? s.operands[n].view : nullptr;
    const Type from = view && view->dtype_node ? read_type(c, k.names, view->dtype_node) : Type{};
    return from.dtype && from.dtype != s.dtype;
  }
  Node widened(Node value, const Step &s) const {
    return widens(s) && c.is(value, HTP_Name) ? c.call("cpu.cast", {value, wide_dtype(s.statement)}, s.statement)
                                              : value;
  }
  const std::string &gathered(const Step &s) {
    const bool scan = s.form == Step::Form::scan;
    if (!widens(s) && !scan) return k.element_name(s.result.object);
    auto [it, fresh] = wide_names_.try_emplace(&s);
    if (fresh) it->second = c.fresh(s.result.object->name + (scan ? "_far" : "_sum"));
    return it->second;
  }
  void gather(const Step &s, Node value) {
    assign(here(), gathered(s), widens(s) ? wide_dtype(s.statement) : s.dtype_node, value, s.statement);
  }

  void begin_reduction(const Step &s) {
    const std::string &name = gathered(s);
    Node start;
    if (s.form == Step::Form::matmul && s.operands.size() > 2) {
      const Operand &acc = s.operands[2];
      if (acc.view && acc.access.object && find(acc.access).empty() && !widens(s))
        start = element(acc, s);
      else
        start = scalar_or_literal(acc, s);
      if (c.is(start, HTP_Name) && c.name_of(start) == name) return;
      start = c.is(start, HTP_Name) ? widened(start, s) : c.is(start, HTP_Call) ? start : splat(s, start);
    } else if (s.form == Step::Form::locate) {
      assign(k.element_name(s.result.object), s,
             c.call("cpu.splat", {clone(c, s.dtype_node), c.integer_node(0, s.statement)}, s.statement));
      const Node dtype = s.operands[0].view->dtype_node;
      start =
          identity(s.intrinsic == "above" ? "maximum" : "minimum", *read_type(c, k.names, dtype).dtype, s.statement);
      start = c.call("cpu.splat", {clone(c, dtype), start}, s.statement);
      return assign(here(), found(s).best, dtype, start, s.statement);
    } else {
      start = splat(s, s.form == Step::Form::matmul ? c.integer_node(0, s.statement)
                                                    : identity(s.intrinsic, *s.dtype, s.statement));
    }
    gather(s, start);
  }

  // What a search carries besides the index it found, and what it names on the way.
  struct Found {
    std::string best, better, here;
  };
  const Found &found(const Step &s) {
    auto [it, fresh] = found_.try_emplace(&s);
    const std::string &name = s.result.object->name;
    if (fresh) it->second = {c.fresh(name + "_best"), c.fresh(name + "_better"), c.fresh(name + "_here")};
    return it->second;
  }

  // better = cpu.above(x, best); best = cpu.where(better, x, best); index = cpu.where(better, here, index)
  void locate(const Step &s) {
    const auto &[best, better, index] = found(s);
    const std::string x = scalar(s.operands[0], s);
    const Node o = s.statement, dtype = s.operands[0].view->dtype_node;
    const std::string &name = k.element_name(s.result.object);
    const auto choose = [&, &better = better](const std::string &a, const std::string &b) {
      return c.call("cpu.where", {c.name(better, o), c.name(a, o), c.name(b, o)}, o);
    };
    assign(here(), better, c.path("htp.bool_", o),
           c.call("cpu." + s.intrinsic, {c.name(x, o), c.name(best, o)}, s.call), o);
    assign(here(), index, s.dtype_node, c.call("cpu.index", {clone(c, s.dtype_node), index_node(s.counted, s)}, o), o);
    assign(here(), best, dtype, choose(x, best), o);
    assign(name, s, choose(index, name));
  }

  void accumulate(const Step &s) {
    if (s.form == Step::Form::locate) return locate(s);
    const std::string &name = gathered(s);
    const Node o = s.statement;
    // An operand's element, in the dtype that gathers.
    auto operand = [&](size_t n) {
      const std::string value = scalar(s.operands[n], s);
      if (!widens(s) && !narrower(s, n)) return value;
      auto [it, fresh] = wide_operands_.try_emplace({&s, n});
      if (fresh) it->second = c.fresh(value + "_wide");
      const Node wide = widens(s) ? wide_dtype(o) : clone(c, s.dtype_node);
      assign(here(), it->second, wide, c.call("cpu.cast", {c.name(value, o), clone(c, wide)}, o), o);
      return it->second;
    };
    const std::string a = operand(0);
    if (s.form != Step::Form::matmul) {
      gather(s, c.call("cpu." + s.intrinsic, {c.name(name, o), c.name(a, o)}, s.call));
      if (s.form == Step::Form::scan) publish(s);
      return;
    }
    const std::string b = operand(1);
    if (s.dtype->kind == Class::floating) {
      gather(s, c.call("cpu.fma", {c.name(a, o), c.name(b, o), c.name(name, o)}, s.call));
      return;
    }
    const std::string product = product_names_.try_emplace(&s, c.fresh(s.result.object->name + "_term")).first->second;
    assign(product, s, c.call("cpu.mul", {c.name(a, o), c.name(b, o)}, s.call));
    gather(s, c.call("cpu.add", {c.name(name, o), c.name(product, o)}, s.call));
  }

  void end_reduction(const Step &s) {
    if (s.form != Step::Form::scan) publish(s);
  }

  // What was gathered, as the result's element.
  void publish(const Step &s) {
    const std::string &name = k.element_name(s.result.object);
    if (widens(s))
      assign(name, s, c.call("cpu.cast", {c.name(gathered(s), s.statement), clone(c, s.dtype_node)}, s.statement));
    else if (s.form == Step::Form::scan)
      assign(name, s, c.name(gathered(s), s.statement));
    know(s, name);
    if (stored(s.result.object)) put(s, c.name(name, s.statement));
  }

  // A reduction's start.
  Node splat(const Step &s, Node value) const {
    return c.call("cpu.splat", {widens(s) ? wide_dtype(s.statement) : clone(c, s.dtype_node), value}, s.statement);
  }

  // What leaves every value as it is.
  Node identity(std::string_view intrinsic, const DType &dtype, Node o) const {
    const bool floating = dtype.kind == Class::floating;
    if (dtype.kind == Class::boolean)
      return c.make(make::Constant{.value = Literal::boolean(intrinsic == "bit_and")}, o);
    if (intrinsic == "add") return c.integer_node(0, o);
    if (intrinsic == "mul") return c.integer_node(1, o);
    const bool lowest = intrinsic == "maximum";
    auto negative = [&](Node n) { return c.make(make::UnaryOp{.op = HTP_USub, .operand = n}, o); };
    if (floating) {
      const Node infinity = c.make(make::Constant{.value = Literal::real(__builtin_inf())}, o);
      return lowest ? negative(infinity) : infinity;
    }
    const unsigned bits = dtype.bytes * 8;
    uint64_t magnitude = 0;
    if (dtype.kind == Class::integer)
      magnitude = (uint64_t{1} << (bits - 1)) - (lowest ? 0 : 1);
    else if (!lowest)
      magnitude = ~uint64_t{0} >> (64 - bits);
    const Node n = c.make(make::Constant{.value = {HTP_CONST_INT, std::to_string(magnitude), 0, 0}}, o);
    return lowest && magnitude ? negative(n) : n;
  }

  // ── elements ──────────────────────────────────────────────────────────────────────────────────────────────────────

  Node index_node(const Index &i, const Step &s) {
    const Node origin = s.statement;
    const Node base = i.base ? clone(c, i.base) : HTP_NONE;
    if (i.loop < 0 && !i.from) return base ? base : c.integer_node(0, origin);
    Node variable =
        c.name(i.from ? position(*i.from, i.limit, s) : k.loop_variable(static_cast<size_t>(i.loop)), origin);
    if (i.scale) variable = c.binary(variable, HTP_Mult, clone(c, i.scale), origin);
    return base ? c.binary(base, HTP_Add, variable, origin) : variable;
  }

  // The name of an element of an integer tile as an int, which is below `limit` if there is one.
  std::string position(const Operand &o, Node limit, const Step &s) {
    const std::string wanted =
        "int " + (o.view->object ? key(o.access) : o.view->name) + (limit ? " of " + c.show(limit) : "");
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
      if (const std::string *name = scope->known.find(wanted)) return *name;
    const std::string element = scalar(o, s);
    std::string name = c.fresh(o.view->name + "_int");
    Scope &scope = scopes_[static_cast<size_t>(o.access.depth() + 1)];
    std::vector<uint32_t> arguments{c.name(element, s.statement)};
    if (limit) arguments.push_back(clone(c, limit));
    const Node value = c.call("cpu.position", arguments, s.statement);
    scope.out.push_back(c.assign(name, HTP_NONE, value, s.statement));
    scope.known.set(wanted, name);
    return name;
  }

  // The index of an access into what is really there: a buffer has only the dims it keeps.
  std::vector<uint32_t> indices(const Access &a, const Step &s) {
    std::vector<uint32_t> result;
    for (size_t d = 0; d < a.index.size(); ++d)
      if (!a.object->buffered || std::find(a.object->kept.begin(), a.object->kept.end(), d) != a.object->kept.end())
        result.push_back(index_node(a.index[d], s));
    return result;
  }

  Node element(const Operand &o, const Step &s) {
    std::vector<uint32_t> arguments{c.name(o.access.object->name, s.statement)};
    for (const uint32_t i : indices(o.access, s)) arguments.push_back(i);
    if (!o.view->outside) return c.call("cpu.get", arguments, s.statement);
    const Node outside = c.make(make::keyword{.arg = "outside", .value = clone(c, o.view->outside)}, s.statement);
    return c.make(
        make::Call{.func = c.path("cpu.get", s.statement), .args = std::move(arguments), .keywords = {outside}},
        s.statement);
  }

  void put(const Step &s, Node value) {
    std::vector<uint32_t> arguments{c.name(s.result.object->name, s.statement), value};
    for (const uint32_t i : indices(s.result, s)) arguments.push_back(i);
    here().out.push_back(c.statement(c.call("cpu.put", arguments, s.statement), s.statement));
  }

  // `name = value`; the name's first binding carries its type.
  void assign(const std::string &name, const Step &s, Node value) {
    assign(here(), name, s.dtype_node, value, s.statement);
  }
  void assign(Scope &scope, const std::string &name, Node dtype_node, Node value, Node origin) {
    const bool first = k.annotated.insert(name).second;
    scope.out.push_back(c.assign(name, first ? clone(c, dtype_node) : HTP_NONE, value, origin));
  }

  static std::string key(const Access &a) {
    std::string text = a.object->name;
    for (const Index &i : a.index) text += "," + i.text + "+" + std::to_string(i.loop);
    return text;
  }
  void know(const Step &s, const std::string &name) {
    const std::string own = key(s.result);
    for (Scope &scope : scopes_) {
      const std::string *before = scope.known.find(own);
      const bool kept = before && *before == name;
      scope.known.forget(name);
      if (kept) scope.known.set(own, name);
    }
    here().known.set(own, name);
  }
  // Whether the name stands for an element here.
  bool taken(const std::string &name) const {
    return std::ranges::any_of(scopes_, [&](const Scope &scope) { return scope.known.has(name); });
  }
  std::string find(const Access &a) const {
    const std::string wanted = key(a);
    for (auto s = scopes_.rbegin(); s != scopes_.rend(); ++s)
      if (const std::string *name = s->known.find(wanted)) return *name;
    return {};
  }

  // The name of an operand's element here. It is read in the outermost block that has the index's variables.
  std::string scalar(const Operand &o, const Step &s) {
    const View &view = *o.view;
    const std::string wanted = view.object ? key(o.access) : "constant " + view.name;
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
      if (const std::string *name = scope->known.find(wanted)) return *name;
    Scope &scope = scopes_[static_cast<size_t>(o.access.depth() + 1)];
    const bool own = view.object && !view.object->tensor && view.name == view.object->name;
    std::string name = own ? k.element_name(view.object) : element_of(view);
    if (taken(name)) name = c.fresh(name); // another element of the same tile
    const Node value = view.object
                           ? element(o, s)
                           : c.call("cpu.splat", {clone(c, view.dtype_node), clone(c, view.constant)}, s.statement);
    assign(scope, name, view.dtype_node, value, s.statement);
    scope.known.set(wanted, name);
    return name;
  }
  // A view's element is called as the tile is; a tile that lives in memory keeps that name for its buffer.
  std::string element_of(const View &view) {
    const auto m = k.memory.find(view.name);
    return m == k.memory.end() ? view.name : k.element_name(m->second);
  }

  // The operand as an expression: a scalar's name, or a literal.
  Node scalar_or_literal(const Operand &o, const Step &s) {
    if (!o.view) return o.node;
    if (!o.view->object) return clone(c, o.view->constant);
    return c.name(scalar(o, s), s.statement);
  }

  Kernel &k;
  const Context &c;
  std::vector<const Step *> order_;
  std::vector<Item> items_;
  std::map<const Step *, std::vector<const Item *>> paths_;
  std::map<const Step *, std::string> product_names_, wide_names_;
  std::map<const Step *, Found> found_;
  std::map<std::pair<const Step *, size_t>, std::string> wide_operands_;
  std::vector<Scope> scopes_;
};

} // namespace

std::vector<uint32_t> write_segment(Kernel &k, const std::deque<Step> &steps) { return SegmentWriter(k, steps).run(); }

} // namespace htp::cpu::loops

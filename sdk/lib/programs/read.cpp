// Reading a tile program: names and what they stand for, statement by statement, and live ranges on the way.
#include "htp_cpp/tile_program.h"

#include <algorithm>
#include <set>

namespace htp::sdk {

const TileOperand &TileStatement::operand(std::string_view parameter) const {
  static const TileOperand none;
  size_t at = 0;
  for (uint32_t k = 0; intrinsic && k < intrinsic->parameter_count; ++k) {
    const std::string_view own = intrinsic->parameters[k].name;
    if (own.starts_with('*')) continue;
    if (own == parameter) return at < operands.size() ? operands[at] : none;
    ++at;
  }
  return none;
}

IntRange TileProgram::range_of(const std::string &symbol) const {
  const auto it = ranges.find(symbol);
  return it == ranges.end() ? IntRange{} : it->second;
}

namespace {

class ProgramReader {
public:
  ProgramReader(const Context &context, Node root, const NotOfForm &no, std::vector<std::string> blocks, bool open,
                TileProgram &p)
      : c(context), names_(context, root), constants_(context, root), no_(no), blocks_(std::move(blocks)),
        open_form_(open), p_(p) {
    for (const std::string &name : dims_of(c, names_, root)) ints_.emplace(name);
  }

  bool run(Node function) {
    if (!function) return refuse(function, "a program without its entry");
    auto f = c.get<ast::FunctionDef>(function);
    p_.name = std::string(f.name()), p_.node = function;
    for (const std::string &dim : ints_) p_.ranges[dim] = {0, std::nullopt};
    c.each(function, [&](Node n) {
      if (auto a = c.as<ast::Assign>(n))
        for (const Node target : a.targets()) ++assigned_[std::string(c.name_of(target))];
    });
    for (const Node n : c.get<ast::arguments>(f.args()).args())
      if (!parameter(n)) return false;
    return block(f.body(), p_.body);
  }

private:
  bool refuse(Node where, const std::string &what) const { return no_(where, what), false; }
  bool refuse_statement(Node s, std::string what = "") const {
    if (what.empty()) what = "`" + c.show(s) + "`";
    return refuse(s, what);
  }

  // ── ints ──

  // A block's name is where it begins, or, as an extent, how long it is.
  IntMeanings meanings(bool extent) const {
    IntMeanings m;
    m.choices = true;
    m.name = [this, extent](std::string_view name) -> MaybeInt {
      const std::string own(name);
      if (block_names_.contains(own)) return IntExpr::symbol(extent ? length_of(own) : start_of(own));
      if (ints_.contains(own)) return IntExpr::symbol(own);
      const auto number = constants_.named(name);
      return number && !number->real ? MaybeInt(IntExpr(number->i)) : std::nullopt;
    };
    m.other = [this](Node n) -> MaybeInt {
      if (auto a = c.as<ast::Attribute>(n); a && block_names_.contains(std::string(c.name_of(a.value())))) {
        const std::string block(c.name_of(a.value()));
        const MaybeInt start = IntExpr::symbol(start_of(block));
        if (a.attr() == "start") return start;
        if (a.attr() == "stop") return start + IntExpr::symbol(length_of(block));
      } else if (a && objects_.contains(std::string(c.name_of(a.value())))) {
        return IntExpr::symbol(std::string(c.name_of(a.value())) + "." + std::string(a.attr()));
      }
      if (auto k = c.as<ast::Call>(n); k && c.name_of(k.func()) == "len" && k.args().size() == 1)
        if (const std::string block(c.name_of(k.args()[0])); block_names_.contains(block))
          return IntExpr::symbol(length_of(block));
      return std::nullopt;
    };
    return m;
  }
  MaybeInt integer(Node n) const { return n ? read_int(c, n, meanings(false)) : std::nullopt; }
  MaybeInt extent(Node n) const { return n ? read_int(c, n, meanings(true)) : std::nullopt; }
  IntRange range(const IntExpr &e) const {
    return e.range([this](const std::string &symbol) { return p_.range_of(symbol); });
  }
  static std::optional<int64_t> moved(std::optional<int64_t> number, int64_t by) {
    int64_t result = 0;
    return number && !__builtin_add_overflow(*number, by, &result) ? std::optional(result) : std::nullopt;
  }
  // A symbol of several loops lies in the ranges of all.
  void lies(const std::string &symbol, IntRange range) {
    const auto [it, fresh] = p_.ranges.try_emplace(symbol, range);
    if (fresh) return;
    IntRange &all = it->second;
    all.least = all.least && range.least ? std::optional(std::min(*all.least, *range.least)) : std::nullopt;
    all.most = all.most && range.most ? std::optional(std::max(*all.most, *range.most)) : std::nullopt;
  }

  // ── parameters ──

  bool parameter(Node n) {
    auto a = c.get<ast::arg>(n);
    const auto type = a.annotation() ? read_type(c, a.annotation()) : std::nullopt;
    const std::string name(a.arg());
    if (!type) return refuse(n, "the parameter `" + name + "`");
    if (type->form.empty() && type->dtype == "int") {
      p_.integers.push_back(name);
      ints_.insert(name);
      return true;
    }
    TileTensor t{name, direction_of(c, a.annotation()), *type, {}, n};
    if (type->form.empty()) {
      t.extents = {IntExpr(1)};
    } else if (!extents(*type, n, t.extents)) {
      return false;
    }
    for (const IntExpr &e : t.extents)
      for (const std::string &dim : e.names())
        if (!p_.is_dim(dim)) p_.dims.push_back(dim);
    tensors_[name] = &p_.tensors.emplace_back(std::move(t));
    return true;
  }
  bool extents(const Type &type, Node where, std::vector<IntExpr> &out) const {
    for (const Extent &e : type.extents) {
      const MaybeInt read = extent(c.parse(e.text(), where));
      if (!read) return refuse(where, "the extent `" + e.text() + "`");
      out.push_back(*read);
    }
    return true;
  }

  // ── statements ──

  bool block(Nodes statements, std::vector<TileStatement> &out) {
    open_.push_back(next_block_++);
    for (const Node s : statements)
      if (!is_nothing(s) && !statement(s, out)) return false;
    open_.pop_back();
    return true;
  }
  bool is_nothing(Node s) const {
    auto e = c.as<ast::Expr>(s);
    return c.is(s, HTP_Pass) || (e && c.is(e.value(), HTP_Constant));
  }

  bool statement(Node s, std::vector<TileStatement> &out) {
    TileStatement n;
    n.node = s, n.position = position_++;
    if (c.is(s, HTP_For)) {
      if (!loop(s, n)) return false;
    } else if (auto i = c.as<ast::If>(s)) {
      n.kind = TileStatement::Kind::branch;
      n.test = test(i.test());
      if (!block(i.body(), n.body) || !block(i.orelse(), n.otherwise)) return false;
    } else if (auto a = c.as<ast::AnnAssign>(s); a && c.is(a.value(), HTP_Call)) {
      if (!call(a.value(), n) || !bind(s, a.target(), a.annotation(), n)) return false;
    } else if (auto b = c.as<ast::Assign>(s); b && b.targets().size() == 1 && !c.name_of(b.targets()[0]).empty()) {
      if (!assign(s, std::string(c.name_of(b.targets()[0])), b.value(), n)) return false;
    } else if (auto e = c.as<ast::Expr>(s); e && c.is(e.value(), HTP_Call)) {
      if (!call(e.value(), n)) return false;
    } else if (auto f = c.as<ast::FunctionDef>(s); f && open_form_) {
      if (!function(f, n)) return false;
    } else if (auto w = c.as<ast::With>(s); w && open_form_) {
      n.kind = TileStatement::Kind::scope;
      if (w.items().size() == 1) n.call = c.get<ast::withitem>(w.items()[0]).context_expr();
      if (!block(w.body(), n.body)) return false;
    } else if (open_form_) {
      n.kind = TileStatement::Kind::other;
    } else {
      return refuse_statement(s, c.is(s, HTP_While) ? "a `while`" : "");
    }
    out.push_back(std::move(n));
    return true;
  }

  // What a function binds is its own.
  bool function(ast::FunctionDef f, TileStatement &n) {
    n.kind = TileStatement::Kind::function;
    n.name = std::string(f.name());
    const auto values = values_;
    const auto ints = ints_, blocks = block_names_, objects = objects_;
    for (const Node a : c.get<ast::arguments>(f.args()).args()) {
      auto parameter = c.get<ast::arg>(a);
      const std::string name(parameter.arg());
      const auto type = parameter.annotation() ? read_type(c, parameter.annotation()) : std::nullopt;
      forget(name);
      (type && type->form.empty() && type->dtype == "int" ? ints_ : objects_).insert(name);
      n.parameters.push_back(name);
    }
    const bool read = block(f.body(), n.body);
    values_ = values, ints_ = ints, block_names_ = blocks, objects_ = objects;
    return read;
  }
  // Of a name that gets another meaning.
  void forget(const std::string &name) {
    values_.erase(name), ints_.erase(name), block_names_.erase(name), objects_.erase(name);
  }

  bool loop(Node s, TileStatement &n) {
    auto f = c.get<ast::For>(s);
    n.kind = TileStatement::Kind::loop;
    TileLoop &l = n.loop;
    l.name = std::string(c.name_of(f.target()));
    l.forms = loop_forms(c, names_, f.iter());
    auto k = c.as<ast::Call>(l.forms.range);
    const bool plain = !l.name.empty() && k && f.orelse().empty();
    if (!plain && !open_form_) return refuse(f.iter(), "a loop over `" + c.show(f.iter()) + "`");
    l.blocks = plain && std::ranges::find(blocks_, names_.called(l.forms.range)) != blocks_.end();
    const Nodes a = plain ? k.args() : Nodes();
    MaybeInt start = IntExpr(0), stop, step = IntExpr(1);
    if (l.blocks && a.size() == 2) {
      const std::string of(c.name_of(a[0]));
      const bool again = block_names_.contains(of);
      if (again) start = IntExpr::symbol(start_of(of));
      stop = again ? start + IntExpr::symbol(length_of(of)) : integer(a[0]);
      step = integer(a[1]);
    } else if (l.blocks && a.size() == 4) { // so many blocks, from one on
      step = integer(a[1]);
      start = integer(a[2]) * step;
      stop = least({integer(a[0]), start + integer(a[3]) * step});
    } else if (plain && !l.blocks && c.name_of(k.func()) == "range" && !a.empty() && a.size() <= 3) {
      if (a.size() > 1) start = integer(a[0]);
      stop = integer(a[a.size() > 1]);
      if (a.size() > 2) step = integer(a[2]);
    }
    if (!start || !stop || !step) {
      if (!open_form_) return refuse(f.iter(), "a loop over `" + c.show(l.forms.range) + "`");
      l.other = true, l.blocks = false;
      const auto objects = objects_;
      const auto ints = ints_, block_names = block_names_;
      ints_.erase(l.name), block_names_.erase(l.name), objects_.insert(l.name);
      loops_.emplace_back();
      const bool read = block(f.body(), n.body);
      loops_.pop_back();
      objects_ = objects, ints_ = ints, block_names_ = block_names;
      return read;
    }
    l.start = *start, l.stop = *stop, l.step = *step;
    const IntRange first = range(l.start), end = range(l.stop), by = range(l.step);
    const bool up = by.least.value_or(0) > 0;
    const bool down = by.most.value_or(0) < 0;
    const IntRange variable = up     ? IntRange{first.least, moved(end.most, -1)}
                              : down ? IntRange{moved(end.least, 1), first.most}
                                     : IntRange{};
    lies(l.blocks ? start_of(l.name) : l.name, variable);
    // A block is no longer than what it is cut from.
    if (l.blocks) {
      const MaybeInt indices = l.stop - MaybeInt(l.start);
      const IntRange all = indices ? range(*indices) : IntRange{};
      lies(length_of(l.name), {1, by.most && all.most ? std::min(*by.most, *all.most) : by.most ? by.most : all.most});
    }
    const bool was_block = block_names_.contains(l.name), was_int = ints_.contains(l.name);
    (l.blocks ? block_names_ : ints_).insert(l.name);
    (l.blocks ? ints_ : block_names_).erase(l.name);
    const bool was_object = objects_.erase(l.name) > 0;
    loops_.emplace_back();
    if (!block(f.body(), n.body)) return false;
    // What was bound before it and is used within is needed until its last iteration has ended.
    for (TileValue *value : loops_.back()) value->end = position_ - 1;
    loops_.pop_back();
    was_block ? block_names_.insert(l.name).second : block_names_.erase(l.name);
    was_int ? ints_.insert(l.name).second : ints_.erase(l.name);
    if (was_object) objects_.insert(l.name);
    return true;
  }

  TileTest test(Node n) const {
    TileTest t;
    t.node = n;
    if (auto k = c.as<ast::Compare>(n); k && k.ops().size() == 1 && k.comparators().size() == 1) {
      const MaybeInt left = integer(k.left()), right = integer(k.comparators()[0]);
      if (left && right)
        t.kind = TileTest::Kind::compare, t.op = static_cast<htp_op>(k.ops()[0]), t.left = *left, t.right = *right;
    } else if (auto b = c.as<ast::BoolOp>(n)) {
      t.kind = b.op() == HTP_And ? TileTest::Kind::all : TileTest::Kind::any;
      for (const Node inner : b.values()) t.of.push_back(test(inner));
    } else if (const auto constant = constants_.number(n); constant && !constant->real) {
      t.kind = TileTest::Kind::compare, t.op = HTP_NotEq, t.left = IntExpr(constant->i);
    } else if (auto u = c.as<ast::UnaryOp>(n); u && u.op() == HTP_Not) {
      t.kind = TileTest::Kind::negation;
      t.of.push_back(test(u.operand()));
    }
    return t;
  }

  // Whether a call gives a tile of a dtype and extents that it is given.
  static bool makes_tile(const htp_intrinsic *i) {
    return i && i->effects[0] == '\0' && i->parameter_count == 2 && std::string_view(i->result) != "Any" &&
           std::string_view(i->parameters[0].annotation).starts_with("type[") && i->parameters[1].name[0] == '*' &&
           std::string_view(i->parameters[1].annotation) == "Extent";
  }
  // `t = buffer(f32, 8, 64)`
  bool make(Node s, const std::string &name, TileStatement &n) {
    TileValue v;
    v.name = name, v.node = s, v.begin = v.end = n.position;
    v.type.form = "Tile";
    const std::string dtype = n.operands.empty() ? "" : names_.qualified(n.operands[0].node);
    v.type.dtype = dtype.substr(dtype.rfind('.') + 1);
    for (const Node e : n.rest) {
      const MaybeInt read = extent(e);
      if (!read && !open_form_) return refuse(e, "the extent `" + c.show(e) + "`");
      v.extents.push_back(read.value_or(IntExpr::other(c.show(e), {})));
    }
    bind(std::move(v), n);
    return true;
  }
  void bind(TileValue v, TileStatement &n) {
    forget(v.name);
    TileValue *value = &p_.values.emplace_back(std::move(v));
    values_[value->name] = value;
    bound_in_[value] = {open_.back(), loops_.size()};
    n.result = value, n.binds = true;
  }

  // `t = intrinsic(…)` again, `q = N - p`, or an int that a call gives.
  bool assign(Node s, const std::string &name, Node value, TileStatement &n) {
    if (c.is(value, HTP_Call)) {
      const htp_intrinsic *made = c.intrinsic(names_.called(value));
      if (makes_tile(made) && (open_form_ || !values_.contains(name))) return call(value, n) && make(s, name, n);
      if (open_form_ && (!made || std::string_view(made->result) == "Any")) return call(value, n) && object(name, n);
    }
    if (const auto it = values_.find(name); it != values_.end()) {
      if (!c.is(value, HTP_Call)) return refuse_statement(s);
      if (!call(value, n)) return false;
      n.result = it->second;
      use(it->second);
      return true;
    }
    n.name = name;
    if (const MaybeInt read = integer(value)) {
      n.kind = TileStatement::Kind::integer;
      n.value = *read;
      lies(name, assigned_[name] == 1 ? range(*read) : IntRange{});
    } else if (open_form_ && !c.is(value, HTP_Call)) {
      n.kind = TileStatement::Kind::other;
      return true;
    } else if (!c.is(value, HTP_Call) || !call(value, n)) {
      return c.is(value, HTP_Call) ? false : refuse_statement(s);
    } else {
      lies(name, {});
    }
    ints_.insert(name);
    return true;
  }

  // What is neither a tile nor an int.
  bool object(const std::string &name, TileStatement &n) {
    forget(name);
    objects_.insert(name);
    n.name = name;
    return true;
  }
  bool bind(Node s, Node target, Node annotation, TileStatement &n) {
    const std::string name(c.name_of(target));
    const auto type = read_type(c, annotation);
    if (open_form_ && !name.empty() && (!type || type->form != "Tile")) return object(name, n);
    if (!type || type->form != "Tile" || name.empty())
      return refuse(s, "a value of the type `" + c.show(annotation) + "`");
    if (values_.contains(name) && !open_form_) return refuse(s, "`" + name + "`, which has two types");
    TileValue v;
    v.name = name, v.type = *type, v.node = s, v.begin = v.end = n.position;
    if (!extents(*type, s, v.extents)) return false;
    bind(std::move(v), n);
    return true;
  }

  void use(TileValue *value) {
    const auto &[block, depth] = bound_in_[value];
    value->escapes |= std::ranges::find(open_, block) == open_.end();
    value->end = std::max(value->end, position_ - 1);
    if (loops_.size() > depth) loops_[depth].insert(value);
  }

  // ── calls ──

  bool call(Node node, TileStatement &n) {
    auto k = c.get<ast::Call>(node);
    n.call = node;
    n.intrinsic = c.intrinsic(names_.qualified(k.func()));
    if (!n.intrinsic && open_form_) {
      for (const Node a : k.args()) n.operands.push_back(operand(a));
      return true;
    }
    if (!n.intrinsic) return refuse(node, "`" + c.show(k.func()) + "`, which is no intrinsic");
    bool indexed = false;
    size_t next = 0;
    for (uint32_t i = 0; i < n.intrinsic->parameter_count; ++i) {
      const htp_parameter &p = n.intrinsic->parameters[i];
      if (p.name[0] == '*') {
        indexed = std::string_view(p.annotation) == "Index";
        while (next < k.args().size()) n.rest.push_back(k.args()[next++]);
        continue;
      }
      Node given = HTP_NONE;
      if (!p.keyword_only && next < k.args().size()) given = k.args()[next++];
      for (const Node w : k.keywords())
        if (auto word = c.get<ast::keyword>(w); word.arg() == p.name) given = word.value();
      n.operands.push_back(operand(given));
    }
    for (const Node w : k.keywords())
      if (!open_form_ && !takes(*n.intrinsic, c.get<ast::keyword>(w).arg()))
        return refuse(w,
                      "`" + std::string(c.get<ast::keyword>(w).arg()) + "`, which `" + n.intrinsic->name + "` has not");
    if (next < k.args().size() && !open_form_)
      return refuse(node, "a call of `" + std::string(n.intrinsic->name) + "` with too many operands");
    const std::string_view effects = n.intrinsic->effects;
    const bool writes = effects.find("write") != std::string_view::npos;
    if (!effects.empty() && !n.operands.empty()) {
      n.stores = writes && n.operands[0].tensor;
      if (writes && n.operands[0].tile) n.result = n.operands[0].tile;
      for (const TileOperand &o : n.operands)
        if (o.tensor && !n.tensor) n.tensor = o.tensor;
    }
    if (n.tensor && indexed && !open_form_) return index(node, n);
    if (open_form_ && indexed)
      for (size_t d = 0; d < n.rest.size(); ++d) {
        const bool known = n.tensor && d < n.tensor->extents.size();
        TileIndex &i = n.index.emplace_back();
        i.other = !read(n.rest[d], known ? n.tensor->extents[d] : IntExpr(), i);
      }
    return true;
  }

  static bool takes(const htp_intrinsic &intrinsic, std::string_view parameter) {
    return std::any_of(intrinsic.parameters, intrinsic.parameters + intrinsic.parameter_count,
                       [&](const htp_parameter &p) { return p.name == parameter; });
  }

  TileOperand operand(Node n) {
    TileOperand o;
    o.node = n;
    if (!n) return o;
    if (const std::string name(c.name_of(n)); !name.empty()) {
      if (const auto value = values_.find(name); value != values_.end()) {
        use(value->second);
        o.tile = value->second;
        return o;
      }
      if (const auto tensor = tensors_.find(name); tensor != tensors_.end()) {
        o.tensor = tensor->second;
        return o;
      }
      if (objects_.contains(name)) {
        o.object = name;
        return o;
      }
    }
    o.number = constants_.number(n);
    o.integer = integer(n);
    return o;
  }

  bool index(Node call, TileStatement &n) {
    if (n.rest.size() != n.tensor->extents.size())
      return refuse(call, "an index of " + std::to_string(n.rest.size()) + " into `" + n.tensor->name +
                              "`, which has " + std::to_string(n.tensor->extents.size()) + " dimensions");
    for (size_t d = 0; d < n.rest.size(); ++d) {
      TileIndex &i = n.index.emplace_back();
      if (!read(n.rest[d], n.tensor->extents[d], i)) return refuse(n.rest[d], "the index `" + c.show(n.rest[d]) + "`");
    }
    return true;
  }
  bool read(Node n, const IntExpr &extent, TileIndex &i) {
    i.node = n;
    const std::string whole = names_.qualified(n);
    if (whole.substr(whole.rfind('.') + 1) == "whole") {
      i.whole = true, i.count = extent;
      return true;
    }
    if (const auto value = values_.find(std::string(c.name_of(n))); value != values_.end()) {
      use(value->second);
      i.indices = value->second;
      return true;
    }
    if (const auto slice = read_slice(c, n)) {
      const MaybeInt start = integer(slice->start), count = slice_length(c, *slice, meanings(false)),
                     step = slice->step ? integer(slice->step) : IntExpr(1);
      if (!start || !count || !step || !step->constant()) return false;
      i.start = *start, i.count = *count, i.step = *step->constant();
      return true;
    }
    const MaybeInt start = integer(n);
    if (!start) return false;
    i.start = *start, i.count = IntExpr(1);
    for (const std::string &block : block_names_)
      if (start->uses(start_of(block)) && mentions(n, block)) {
        if (!i.block.empty()) return false;
        i.block = block, i.count = IntExpr::symbol(length_of(block)), i.step = start->coefficient(start_of(block));
      }
    return true;
  }
  // Whether a block itself stands in the index, and not its start.
  bool mentions(Node n, const std::string &block) const {
    bool found = false;
    c.each(n, [&](Node m) {
      if (c.is(m, HTP_Attribute) || c.is(m, HTP_Call)) return false;
      found |= c.name_of(m) == block;
      return true;
    });
    return found;
  }

  const Context &c;
  Names names_;
  Constants constants_;
  const NotOfForm &no_;
  std::vector<std::string> blocks_;
  bool open_form_;
  TileProgram &p_;
  std::set<std::string> ints_, block_names_, objects_;
  std::map<std::string, unsigned> assigned_; // how many assignments a name has
  std::map<std::string, TileTensor *, std::less<>> tensors_;
  std::map<std::string, TileValue *, std::less<>> values_;
  std::map<const TileValue *, std::pair<size_t, size_t>> bound_in_; // its block, and how many loops are around
  std::vector<size_t> open_;                                        // blocks of statements
  size_t next_block_ = 0, position_ = 0;
  std::vector<std::set<TileValue *>> loops_; // around, with what they use that was bound before them
};

} // namespace

std::optional<TileProgram> read_tile_program(const Context &c, Node root, const NotOfForm &no,
                                             std::vector<std::string> blocks) {
  TileProgram program;
  if (!ProgramReader(c, root, no, std::move(blocks), false, program).run(c.entry_function(root))) return std::nullopt;
  return program;
}

std::optional<TileProgram> read_open_program(const Context &c, Node root, const NotOfForm &no,
                                             std::vector<std::string> blocks) {
  TileProgram program;
  if (!ProgramReader(c, root, no, std::move(blocks), true, program).run(c.entry_function(root))) return std::nullopt;
  return program;
}

} // namespace htp::sdk

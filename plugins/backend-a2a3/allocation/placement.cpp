// A kernel's loops over blocks as loops over ints, and the bytes of its tiles.
#include "allocation/placement.h"

#include "htp_cpp/edit.h"
#include "htp_cpp/loops.h"

#include <algorithm>

namespace htp::a2a3 {

Placement::Placement(const Context &context, Node root)
    : c(context), names(context, root), constants(context, root), function_(context.entry_function(root)),
      indices_(context, names, constants, function_) {
  read(c.get<ast::FunctionDef>(function_).body());
}

// ── tasks ──

void Placement::read(Nodes statements) {
  for (const Node s : statements) {
    if (auto a = c.as<ast::Assign>(s); a && names.called(a.value()) == "htp_pto.gm")
      if (const std::string name(c.name_of(a.targets()[0])); families_with(name) == 1) indices_.memories[name];
    auto l = c.as<ast::For>(s);
    auto range = l ? c.as<ast::Call>(l.iter()) : c.as<ast::Call>(HTP_NONE);
    if (!range || range.args().size() != 2) continue;
    PartLoop here{{},
                  std::string(c.name_of(l.target())),
                  indices_.text_of_extent(range.args()[0]),
                  indices_.text_of_extent(range.args()[1])};
    const auto around = parts_.find(c.name_of(range.args()[0]));
    Own &own = parts_[here.name];
    indices_.tasks.insert(here.name);
    if (around == parts_.end()) {
      own.own = here;
      own.part = &own.own;
    } else { // a lane: the last one of a part ends with it
      own = around->second;
      own.own.name += " + " + here.name;
      own.own.step = here.step;
    }
    read(l.body());
  }
}
bool Placement::mentions(Node s, std::string_view name) const {
  bool found = false;
  c.each(s, [&](Node n) { found |= c.is(n, HTP_Name) && c.name_of(n) == name; });
  return found;
}
// How many of the families of tasks, and of the kernels beside them, use some memory; all kernels without loops of
// tasks are one.
size_t Placement::families_with(std::string_view name) const {
  size_t count = 0, loops = 0;
  for (const Node s : c.get<ast::FunctionDef>(function_).body()) {
    loops += c.is(s, HTP_For);
    count += (c.is(s, HTP_For) || c.is(s, HTP_With)) && mentions(s, name);
  }
  return loops ? count : 1;
}
// `tiles(i_part, 8)`, or `range(n_part.start, n_part.stop)`.
const Placement::Own *Placement::own_of(Node range) const {
  auto call = c.as<ast::Call>(range);
  if (!call || call.args().empty()) return nullptr;
  auto start = c.as<ast::Attribute>(call.args()[0]);
  const auto it = parts_.find(c.name_of(start ? start.value() : call.args()[0]));
  return it == parts_.end() ? nullptr : &it->second;
}

std::string Placement::extent_of(Node range) const {
  const Own *own = own_of(range);
  return own ? own->own.extent : c.show(c.get<ast::Call>(range).args()[0]);
}

Node Placement::with_kernels(const std::function<Node(Node)> &changed) {
  const Node out = rewrite(
      c, function_, [](Node n) { return n; },
      [&](Node s, std::vector<uint32_t> &to) {
        if (!c.is(s, HTP_With)) return false;
        const Node kernel = c.errors() ? s : changed(s);
        if (kernel && kernel != s) to.push_back(kernel);
        return kernel && kernel != s;
      });
  return c.errors() ? HTP_NONE : out;
}
Node Placement::over_ints(const std::function<Node(Node)> &placed) {
  auto f = c.read<ast::FunctionDef>(function_);
  std::vector<uint32_t> before, memories, rest;
  for (const Node s : f.body) {
    auto a = c.as<ast::Assign>(s);
    (a && names.called(a.value()) == "htp_pto.gm" ? memories
     : c.is(s, HTP_With) || c.is(s, HTP_For)      ? rest
                                                  : before)
        .push_back(s);
  }
  std::vector<uint32_t> body;
  if (std::any_of(rest.begin(), rest.end(), [&](Node s) { return c.is(s, HTP_For); })) {
    for (const Node m : memories)
      if (families_with(c.name_of(c.get<ast::Assign>(m).targets()[0])) != 1) before.push_back(m);
    for (const Node s : rest) {
      std::vector<uint32_t> own;
      for (const Node m : memories)
        if (const auto name = c.name_of(c.get<ast::Assign>(m).targets()[0]);
            families_with(name) == 1 && mentions(s, name))
          own.push_back(m);
      const std::vector<uint32_t> one = tasks(std::vector<uint32_t>{s}, placed, own);
      body.insert(body.end(), one.begin(), one.end());
    }
  } else {
    body = tasks(rest, placed, memories);
  }
  if (c.errors()) return HTP_NONE;
  f.body = std::move(before);
  f.body.insert(f.body.end(), body.begin(), body.end());
  return c.with(function_, f);
}
// Kernels, and the loops of tasks around them; memory between kernels is of one task, which has its part of it alone.
std::vector<uint32_t> Placement::tasks(Nodes statements, const std::function<Node(Node)> &placed, Nodes memories) {
  const auto around = [&](Node s, const std::string &extent, std::vector<uint32_t> body) {
    auto l = c.read<ast::For>(s);
    const Node step = c.get<ast::Call>(l.iter).args()[1];
    l.iter = c.parse("range(0, " + extent + ", " + indices_.text_of_extent(step) + ")", s);
    l.body = std::move(body);
    return c.with(s, l);
  };
  const auto lane = [&](Node s) {
    return parts_.contains(c.name_of(c.get<ast::Call>(c.get<ast::For>(s).iter()).args()[0]));
  };
  if (statements.size() == 1 && c.is(statements[0], HTP_For) && !lane(statements[0])) {
    auto l = c.get<ast::For>(statements[0]);
    const std::string extent = parts_.find(c.name_of(l.target()))->second.own.extent;
    return {around(statements[0], extent, tasks(l.body(), placed, memories))};
  }
  std::vector<uint32_t> kernels;
  for (const Node s : statements) {
    if (c.errors()) return {};
    if (c.is(s, HTP_With)) {
      kernels.push_back(placed(s));
    } else {
      auto l = c.get<ast::For>(s);
      const auto part = parts_.find(c.name_of(c.get<ast::Call>(l.iter()).args()[0]));
      kernels.push_back(around(s, part->second.part->step, {placed(l.body()[0])}));
    }
  }
  std::vector<uint32_t> out;
  for (const Node m : memories) out.push_back(sized(m));
  out.insert(out.end(), kernels.begin(), kernels.end());
  return out;
}
// Memory between kernels, of which a task has its part alone.
Node Placement::sized(Node m) {
  auto a = c.get<ast::Assign>(m);
  const std::vector<const PartLoop *> &parts = indices_.memories[std::string(c.name_of(a.targets()[0]))];
  auto call = c.read<ast::Call>(a.value());
  for (size_t d = 0; d + 1 < call.args.size() && d < parts.size(); ++d)
    if (parts[d])
      call.args[d + 1] = rewrite(
          c, call.args[d + 1],
          [&](Node n) { return indices_.text_of_extent(n) == parts[d]->extent ? c.parse(parts[d]->step, n) : n; },
          [](Node, std::vector<uint32_t> &) { return false; });
  return with_slot(c, m, HTP_FIELD(Assign, value), c.with(a.value(), call));
}

// ── attempts ──

Memory::Fit Placement::attempt(Node kernel) {
  memory_ = {}, by_name_.clear(), by_statement_.clear(), by_loop_.clear(), indices_.counted.clear();
  clock_ = 0;
  body_ = block(c.get<ast::With>(kernel).body());
  return c.errors() ? Memory::Fit::none : memory_.assign();
}
Node Placement::better(Node kernel, Node other, Memory::Fit &fit, const std::function<bool(const Memory &)> &fine) {
  if (!other || other == kernel) return kernel;
  const int64_t open_extent = memory_.open_extent;
  restart();
  const Memory::Fit here = attempt(other);
  if (c.errors() || (here >= fit && memory_.open_extent >= open_extent && fine(memory_))) return fit = here, other;
  restart();
  fit = attempt(kernel);
  return kernel;
}
std::string Placement::named(const std::string &stem) {
  std::vector<std::string> &all = given_[stem];
  size_t &next = used_[stem];
  if (next == all.size()) all.push_back(c.fresh(stem));
  return all[next++];
}
bool Placement::refuse(Node where, const Refusal &why) const {
  why.report(c, where);
  return false;
}

// ── the kernel with places ──

Node Placement::placed(Node kernel) {
  memory_.name_turns([&](const char *stem) { return c.fresh(stem); });
  for (const PlacedLoop &l : memory_.loops)
    if (!l.turn.empty() && l.pipelined) pipelined_[l.variable] = HTP_NONE;
  std::vector<uint32_t> out;
  for (const Node n : body_) out.push_back(with_places(n));
  return with_list(c, kernel, HTP_FIELD(With, body), out);
}
bool Placement::overlaps() const {
  for (const auto &[variable, range] : pipelined_)
    if (range) return refuse(range, Refusal(diag::pipelined_loop, variable));
  return true;
}
// An `if` of other statements.
Node Placement::each_way(Node s, const std::function<Node(Node)> &changed) {
  auto choice = c.read<ast::If>(s);
  for (auto *body : {&choice.body, &choice.orelse})
    for (uint32_t &n : *body) n = changed(n);
  return c.with(s, choice);
}
std::vector<uint32_t> Placement::block(Nodes statements) {
  std::vector<uint32_t> out;
  for (const Node s : statements) {
    ++clock_;
    if (c.is(s, HTP_Pass) || is_text(c, s)) continue;
    if (c.is(s, HTP_For)) {
      loop(s, out);
    } else if (auto a = c.as<ast::Assign>(s)) {
      const std::string called = names.called(a.value());
      if (called == "htp_pto.tile")
        declare(s, a);
      else if ((!called.empty() && called != "htp_pto.value") || a.targets().size() != 1)
        refuse(s, Refusal(diag::statement, c.show(s)));
      out.push_back(called == "htp_pto.tile" ? s : over_ints(s));
    } else if (auto e = c.as<ast::Expr>(s); e && names.called(e.value()).starts_with("htp_pto.")) {
      use(e.value());
      out.push_back(with_slot(c, s, HTP_FIELD(Expr, value), indices_.indexed(e.value())));
    } else if (c.is(s, HTP_If)) {
      auto choice = c.read<ast::If>(s);
      choice.test = indices_.ints(choice.test);
      const auto outer = sizes_;
      if (const auto size = most_of_size(c, choice.test)) sizes_.insert_or_assign(size->first, size->second);
      const bool alternatives = around_.empty(); // within a loop one way would wait for the other
      if (alternatives) ways_.push_back({s, 0});
      choice.body = block(c.get<ast::If>(s).body());
      sizes_ = outer;
      if (alternatives) ways_.back().way = 1;
      choice.orelse = block(c.get<ast::If>(s).orelse());
      if (alternatives) ways_.pop_back();
      out.push_back(c.with(s, choice));
    } else {
      refuse(s, Refusal(diag::statement, c.show(s)));
    }
  }
  return out;
}

void Placement::loop(Node s, std::vector<uint32_t> &out) {
  auto l = c.read<ast::For>(s);
  const LoopForms forms = loop_forms(c, names, l.iter);
  const Node range = forms.range;
  const std::string variable(c.name_of(l.target));
  if (forms.pipelined) {
    for (const Node w : forms.wrappers)
      for (const Node k : c.get<ast::Call>(w).keywords())
        if (auto keyword = c.get<ast::keyword>(k);
            keyword.arg() == "depth" && constants.integer(keyword.value()) != 2) {
          refuse(w, Refusal(diag::pipeline_depth, c.show(keyword.value())));
          return;
        }
    pipelined_.try_emplace(variable, l.iter);
  }
  auto call = c.as<ast::Call>(range);
  std::vector<uint32_t> body;
  bool once = false;
  const Own *task = own_of(range);
  const PartLoop *part = task ? task->part : nullptr, *own = task ? &task->own : nullptr;
  const bool blocks = names.called(range) == "htp_tile.tiles";
  if (blocks) {
    Block b{named(variable + "_at"), named(variable + "_n"), 0, nullptr};
    const auto size = constants.integer(call.args()[1]);
    if (!size || *size < 1) {
      refuse(range, Refusal(diag::block_size, c.show(call.args()[1])));
      return;
    }
    const auto outer = indices_.blocks.find(c.name_of(call.args()[0]));
    const std::string first = outer == indices_.blocks.end() ? "0" : outer->second.at;
    const bool lane = own && own->name != part->name; // which may end within a block
    const std::string end = outer != indices_.blocks.end() ? outer->second.at + " + " + outer->second.count
                            : lane                         ? Indices::end_of(*own)
                            : own                          ? own->extent
                                                           : indices_.text_of_extent(call.args()[0]);
    const std::string n = std::to_string(*size);
    if (own) once = own->step == n;
    b.most = outer == indices_.blocks.end()
                 ? indices_.most_of(own ? c.parse(own->extent, range) : call.args()[0], *size)
                 : std::min(*size, outer->second.most);
    b.part = part ? part : outer != indices_.blocks.end() ? outer->second.part : nullptr;
    l.target = c.name(b.at, s, HTP_STORE);
    l.iter = c.parse(own ? "range(" + own->name + ", " + Indices::end_of(*own) + ", " + n + ")"
                         : "range(" + first + ", " + end + ", " + n + ")",
                     range);
    const Node count = c.parse("min(" + n + ", " + end + " - " + b.at + ")", range);
    body.push_back(c.assign(b.count, HTP_NONE, count, s));
    indices_.blocks[variable] = b;
  } else if (call && c.name_of(call.func()) == "range") {
    l.iter = own ? c.parse("range(" + own->name + ", " + Indices::end_of(*own) + ")", range) : indices_.ints(range);
    indices_.counted.erase(variable);
    if (part) indices_.counted[variable] = part, once = own->step == "1";
  } else {
    refuse(range, Refusal(diag::loop_range, c.show(range)));
    return;
  }
  const size_t here = memory_.loops.size();
  memory_.loops.push_back({clock_, 0, false, once, {}, variable, forms.pipelined});
  if (!around_.empty()) memory_.loops[around_.back()].holds_loops = true;
  around_.push_back(here);
  const auto inner = block(c.get<ast::For>(s).body());
  around_.pop_back();
  memory_.loops[here].end = clock_;
  body.insert(body.end(), inner.begin(), inner.end());
  l.body = body;
  out.push_back(c.with(s, l));
  by_loop_[out.back()] = here;
}

Node Placement::over_ints(Node s) {
  return with_slot(c, s, HTP_FIELD(Assign, value), indices_.ints(c.get<ast::Assign>(s).value()));
}

MostOf Placement::most_of(Node extent) const {
  if (const auto b = indices_.blocks.find(c.name_of(extent)); b != indices_.blocks.end()) return {b->second.most};
  if (const auto n = sizes_.find(c.name_of(extent)); n != sizes_.end()) return {n->second};
  return {constants.integer(extent).value_or(0)};
}
Node Placement::valid_of(Node extent) const {
  if (const auto b = indices_.blocks.find(c.name_of(extent)); b != indices_.blocks.end())
    return c.name(b->second.count, extent);
  return c.parse(indices_.text_of_extent(extent), extent);
}

void Placement::declare(Node s, ast::Assign a) {
  const Nodes parts = c.get<ast::Call>(a.value()).args();
  Kept t;
  t.name = std::string(c.name_of(a.targets()[0]));
  const std::string dtype = parts.empty() ? "" : names.qualified(parts[0]);
  t.dtype = dtype_named(dtype.substr(dtype.rfind('.') + 1));
  if (!t.dtype && !dtype.ends_with("bool_")) {
    refuse(s, Refusal(diag::unknown_dtype, dtype.substr(dtype.rfind('.') + 1)));
    return;
  }
  for (const Node w : c.get<ast::Call>(a.value()).keywords()) {
    auto keyword = c.get<ast::keyword>(w);
    std::string_view text;
    c.string(keyword.value(), &text);
    if (keyword.arg() == "space" && !(t.space = space_named(text))) {
      refuse(s, Refusal(diag::unknown_space, c.show(keyword.value())));
      return;
    }
    if (keyword.arg() == "layout") t.layout = std::string(text);
    t.kept |= keyword.arg() == "kept";
  }
  t.dtype_node = parts[0];
  t.statement = s;
  std::vector<Extent> extents;
  std::vector<Node> nodes;
  for (const Node n : parts.subspan(1)) {
    const auto e = read_extent(c, n);
    const auto number = constants.integer(n);
    extents.push_back(number ? Extent::of(*number) : e.value_or(Extent{c.show(n), 0}));
    if (!extents.back().is(1)) nodes.push_back(n);
  }
  t.kind = shape_of(extents).kind;
  if (t.space->boxes && extents.size() == 2) t.kind = Kind::matrix, nodes = {parts[1], parts[2]};
  // A column's bits lie in a row.
  if (!t.dtype && (t.kind == Kind::column || t.kind == Kind::single)) t.kind = Kind::row;
  t.rows = t.columns = {1};
  t.rows_valid = t.columns_valid = c.integer_node(1, s);
  if (t.kind == Kind::other) {
    refuse(s, Refusal(diag::too_many_dimensions, t.name));
    return;
  }
  if (t.kind == Kind::matrix || t.kind == Kind::column) {
    t.rows = most_of(nodes[0]);
    t.rows_valid = valid_of(nodes[0]);
  }
  // Lines of one element each are rows, of which one column counts.
  if (t.kind == Kind::column && !t.space->cube && t.layout == "nd") {
    t.kind = Kind::matrix, t.apart = true, t.layout.clear();
    nodes.clear();
  }
  if ((t.kind == Kind::matrix || t.kind == Kind::row) && !nodes.empty()) {
    t.columns = most_of(nodes.back());
    t.columns_valid = valid_of(nodes.back());
  }
  t.depth = around_.size();
  if (!around_.empty()) t.loop = static_cast<int>(around_.back());
  t.first = t.last = clock_;
  t.ways = ways_;
  by_name_[t.name] = memory_.tiles.size();
  by_statement_[s] = memory_.tiles.size();
  memory_.tiles.push_back(t);
}

void Placement::use(Node call) {
  const std::string instruction = names.called(call).substr(8);
  for (const Node n : c.get<ast::Call>(call).args()) {
    const auto it = by_name_.find(c.name_of(n));
    if (it == by_name_.end()) continue;
    Kept &t = memory_.tiles[it->second];
    t.moves |= instruction == "tload" || instruction == "tstore" || t.space->name == "left" || t.space->name == "right";
    if (instruction == "tload" || instruction == "tstore") {
      const bool load = instruction == "tload";
      memory_.transfers.push_back(
          {it->second, std::string(c.name_of(c.get<ast::Call>(call).args()[load])), load, clock_});
    }
    memory_.uses.push_back({it->second, clock_, around_.size() > t.depth ? static_cast<int>(around_[t.depth]) : -1});
  }
}

Node Placement::with_places(Node s) {
  if (auto l = c.as<ast::For>(s)) {
    std::vector<uint32_t> body;
    for (const Node n : l.body()) body.push_back(with_places(n));
    const std::string turn = memory_.loops[by_loop_.at(s)].turn;
    auto changed = c.read<ast::For>(s);
    changed.body = std::move(body);
    if (!turn.empty()) {
      changed.target = c.make(make::Tuple{.elts = {c.name(turn, s, HTP_STORE), changed.target}, .ctx = HTP_STORE}, s);
      changed.iter = c.call("pto.turns", {changed.iter}, s);
    }
    return c.with(s, changed);
  }
  if (c.is(s, HTP_If)) return each_way(s, [&](Node n) { return with_places(n); });
  const auto it = by_statement_.find(s);
  if (it == by_statement_.end()) return s;
  const Kept &t = memory_.tiles[it->second];
  const Node valid = c.make(make::Tuple{.elts = {t.rows_valid, t.columns_valid}, .ctx = HTP_LOAD}, s);
  const auto keyword = [&](const char *name, Node value) {
    return c.make(make::keyword{.arg = name, .value = value}, s);
  };
  Node at = c.integer_node(t.offset, s);
  if (t.twice) {
    const Node turn = c.binary(c.name(memory_.loops[static_cast<size_t>(t.loop)].turn, s), HTP_Mult,
                               c.integer_node(t.once(memory_.open_extent), s), s);
    at = t.offset ? c.binary(at, HTP_Add, turn, s) : turn;
  }
  std::vector<uint32_t> keywords{keyword("valid", valid), keyword("at", at)};
  if (t.space != spaces) keywords.push_back(keyword("space", c.string_node(t.space->name, s)));
  if (!t.layout.empty()) keywords.push_back(keyword("layout", c.string_node(t.layout, s)));
  if (t.kept) keywords.push_back(keyword("kept", c.parse("True", s)));
  return c.assign(t.name, HTP_NONE,
                  c.call("pto.tile",
                         {copy_of(c, t.dtype_node, s), c.integer_node(t.lines(memory_.open_extent), s),
                          c.integer_node(t.width(memory_.open_extent), s)},
                         s, std::move(keywords)),
                  s);
}

} // namespace htp::a2a3

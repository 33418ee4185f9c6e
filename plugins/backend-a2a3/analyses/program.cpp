#include "analyses/declaration.h"

#include "htp_cpp/loops.h"

#include <algorithm>
#include <array>

namespace htp::a2a3 {

namespace {

class ProgramReader {
public:
  ProgramReader(const Context &context, Node root, Stage stage, Program &program)
      : c(context), names_(context, root), constants_(context, root), stage_(stage), p(program) {
    dims_ = dims_of(c, names_, root);
  }

  bool run(Node function) {
    auto f = c.get<ast::FunctionDef>(function);
    p.name = std::string(f.name());
    for (const Node n : c.get<ast::arguments>(f.args()).args())
      if (!parameter(n)) return false;
    p.parameters = p.tensors.size();
    if (stage_ == Stage::selected) return kernel_of(f.body(), function, false);
    for (const Node s : f.body()) {
      if (auto e = c.as<ast::Expr>(s); e && c.is(e.value(), HTP_Constant)) continue;
      if (!(c.is(s, HTP_For) ? family(s) : is_int(s) ? before(s) : beside(s))) return false;
    }
    for (size_t k = 0; k < p.kernels.size(); ++k)
      p.kernels[k].name = p.kernels.size() == 1 ? p.name : p.name + "_" + std::to_string(k + 1);
    return !p.kernels.empty() || no(function, Refusal(diag::no_kernel, p.name));
  }

private:
  // A statement's first line.
  std::string line_of(Node s) const {
    const std::string all = c.show(s);
    return all.substr(0, all.find('\n'));
  }
  bool beside_kernel(Node s) { return no(s, Refusal(diag::beside_kernel, line_of(s))); }
  // A kernel, or memory for what goes from one to the next.
  bool beside(Node s) {
    if (auto a = c.as<ast::Assign>(s); a && a.targets().size() == 1 && names_.called(a.value()) == "htp_pto.gm")
      return memory(s, c.name_of(a.targets()[0]), c.get<ast::Call>(a.value()).args());
    return kernel(s);
  }
  bool memory(Node s, std::string_view name, Nodes parts) {
    Tensor t;
    t.name = std::string(name);
    t.direction = "gm";
    t.node = s;
    const std::string dtype = parts.empty() ? "" : names_.qualified(parts[0]);
    t.dtype = dtype_named(dtype.substr(dtype.rfind('.') + 1));
    if (!t.dtype || t.name.empty() || parts.size() < 2) return no(s, Refusal(diag::memory, c.show(s)));
    t.extents.assign(parts.begin() + 1, parts.end());
    for (const Node extent : t.extents)
      if (!integer(extent)) return false;
    if (in_loops_) t.group = p.groups.size() - 1;
    tensors_[t.name] = &p.tensors.emplace_back(t);
    return true;
  }
  bool kernel(Node s) {
    if (!in_loops_ && (p.groups.empty() || !p.groups.back().parts.empty())) p.groups.emplace_back();
    auto w = c.as<ast::With>(s);
    if (!w || w.items().size() != 1) return beside_kernel(s);
    auto item = c.get<ast::withitem>(w.items()[0]);
    const std::string callee = names_.called(item.context_expr());
    const bool ordered = stage_ == Stage::ordered;
    bool cube = callee == "htp_pto.aic";
    std::string_view kind;
    if (const Nodes a = callee.empty() ? Nodes() : c.get<ast::Call>(item.context_expr()).args(); !ordered)
      cube = a.size() == 1 && c.string(a[0], &kind) && kind == "aic";
    if (callee != (!ordered ? "htp_pto.one_by_one" : cube ? "htp_pto.aic" : "htp_pto.aiv") || item.optional_vars())
      return no(s, Refusal(diag::not_kernel, line_of(s)));
    return kernel_of(w.body(), s, cube);
  }
  bool kernel_of(Nodes body, Node s, bool cube) {
    k_ = &p.kernels.emplace_back();
    k_->node = s, k_->cube = cube, k_->stage = stage_, k_->blocks = blocks_;
    if (p.groups.empty()) p.groups.emplace_back();
    k_->group = p.groups.size() - 1;
    const auto ints = ints_;
    if (!block(body, k_->body)) return false;
    ints_ = ints;
    tiles_.clear();
    return true;
  }
  // `i_step = max(8, (M + 47) // 48)`
  bool is_int(Node s) const {
    auto a = c.as<ast::Assign>(s);
    return a && a.targets().size() == 1 && names_.called(a.value()).empty();
  }
  bool before(Node s) {
    auto a = c.get<ast::Assign>(s);
    const std::string name(c.name_of(a.targets()[0]));
    if (name.empty() || !p.kernels.empty()) return beside_kernel(s);
    if (!integer(a.value())) return false;
    if (!ints_.insert(name).second) return no(s, Refusal(diag::int_changes, name));
    p.ints.emplace_back(name, a.value());
    return true;
  }
  // `for i_part in range(0, M, i_step):`
  bool task_loop(Node s, PartOf &part) {
    auto l = c.get<ast::For>(s);
    auto range = c.as<ast::Call>(l.iter());
    int64_t start = 1;
    part.name = std::string(c.name_of(l.target()));
    const bool blocks = range && stage_ == Stage::tasks && names_.called(l.iter()) == "htp_tile.tiles";
    const bool ints = range && stage_ != Stage::tasks && c.name_of(range.func()) == "range" &&
                      range.args().size() == 3 && c.integer(range.args()[0], &start) && start == 0;
    if (part.name.empty() || !l.orelse().empty() || !(ints || (blocks && range.args().size() == 2)) ||
        constants_.integer(range.args().back()).value_or(1) < 1)
      return no(s, Refusal(diag::task_loop, line_of(s)));
    part.stop = range.args()[ints], part.step = range.args().back();
    if (blocks) {
      const auto outer = blocks_.find(c.name_of(part.stop));
      blocks_[part.name] = outer == blocks_.end() ? part.stop : outer->second;
    }
    if (!integer(part.stop) || !integer(part.step)) return false;
    if (!constants_.integer(part.step)) part.by = std::string(c.name_of(part.step));
    ints_.insert(part.name);
    return true;
  }
  // One kernel in a loop of its own.
  bool lanes(Node s) {
    PartOf lane;
    const Nodes body = c.get<ast::For>(s).body();
    if (!task_loop(s, lane)) return false;
    if (body.size() != 1 || !c.is(body[0], HTP_With)) return beside_kernel(body[0]);
    if (!kernel(body[0])) return false;
    p.kernels.back().lane = lane;
    ints_.erase(lane.name);
    return true;
  }
  // Loops around kernels that stand in them alone.
  bool family(Node s) {
    p.groups.emplace_back();
    in_loops_ = true;
    const bool read = tasks(s);
    in_loops_ = false;
    for (const PartOf &part : p.groups.back().parts) ints_.erase(part.name), blocks_.erase(part.name);
    return read;
  }
  bool tasks(Node s) {
    auto l = c.get<ast::For>(s);
    PartOf part;
    if (!task_loop(s, part)) return false;
    p.groups.back().parts.push_back(part);
    if (l.body().size() == 1 && c.is(l.body()[0], HTP_For)) return tasks(l.body()[0]);
    for (const Node n : l.body())
      if (!(c.is(n, HTP_For) ? lanes(n) : beside(n))) return false;
    return true;
  }
  bool over_blocks() const { return stage_ < Stage::placed; }
  bool no(Node where, const Refusal &why) const {
    why.report(c, where);
    return false;
  }

  bool parameter(Node n) {
    auto a = c.get<ast::arg>(n);
    const auto type = a.annotation() ? read_type(c, a.annotation()) : std::nullopt;
    const std::string direction = direction_of(c, a.annotation());
    p.signature.emplace_back(a.arg());
    if (type && type->form.empty()) return scalar(n, *type);
    if (!type || type->form != "Tensor") return no(n, Refusal(diag::parameter, a.arg()));
    Strided strided;
    std::string why;
    if (!read_strided(c, names_, constants_, *type, strided, why)) {
      Refusal(diag::placement, a.arg(), c.show(type->layout)).report(c, type->layout, why);
      return false;
    }
    if (type->space) return no(type->space, Refusal(diag::placement, a.arg(), c.show(type->space)));
    Tensor &t = p.tensors.emplace_back();
    t.name = std::string(a.arg());
    t.direction = direction == "Out" ? "out" : direction == "InOut" ? "inout" : "in";
    t.dtype = dtype_named(type->dtype);
    if (!t.dtype) return no(n, Refusal(diag::tensor_dtype, t.name, type->dtype));
    auto annotation = c.as<ast::Subscript>(a.annotation());
    while (annotation && !c.is(annotation.slice(), HTP_Tuple)) annotation = c.as<ast::Subscript>(annotation.slice());
    if (!annotation) return no(n, Refusal(diag::parameter, t.name));
    const Nodes extents = c.get<ast::Tuple>(annotation.slice()).elts().subspan(1, type->extents.size());
    t.extents.assign(extents.begin(), extents.end());
    t.lies = std::move(strided);
    for (const Node extent : t.extents) {
      if (!integer(extent)) return false;
      c.each(extent, [&](Node e) {
        const std::string name(c.name_of(e));
        if (dims_.contains(name) && std::find(p.dims.begin(), p.dims.end(), name) == p.dims.end())
          p.dims.push_back(name);
      });
    }
    tensors_[t.name] = &t;
    return true;
  }

  // `scale: f32` lies in memory as one element; `p: int` is handed over by value, as sizes are.
  bool scalar(Node n, const Type &type) {
    auto a = c.get<ast::arg>(n);
    if (type.dtype == "int") {
      p.int_parameters.emplace_back(a.arg());
      ints_.emplace(a.arg());
      return true;
    }
    const DType *dtype = dtype_named(type.dtype);
    if (!dtype) return no(n, Refusal(diag::scalar_dtype, a.arg(), type.dtype));
    Tensor &t = p.tensors.emplace_back();
    t.name = std::string(a.arg());
    t.direction = "in";
    t.dtype = dtype;
    t.scalar = true;
    t.extents = {c.integer_node(1, n)};
    tensors_[t.name] = &t;
    return true;
  }

  // An expression over ints: loop variables, dims, constants, + - * // %, min and max.
  bool integer(Node n) {
    if (over_blocks()) return true;
    int64_t value = 0;
    if (c.integer(n, &value) || constants_.integer(n)) return true;
    if (const std::string name(c.name_of(n)); !name.empty())
      return ints_.contains(name) || dims_.contains(name) || no(n, Refusal(diag::not_int, name));
    if (auto u = c.as<ast::UnaryOp>(n); u && (u.op() == HTP_USub || u.op() == HTP_UAdd)) return integer(u.operand());
    if (auto b = c.as<ast::BinOp>(n))
      if (const htp_op op = b.op();
          op == HTP_Add || op == HTP_Sub || op == HTP_Mult || op == HTP_FloorDiv || op == HTP_Mod)
        return integer(b.left()) && integer(b.right());
    if (auto k = c.as<ast::Call>(n); k && k.args().size() == 2 && k.keywords().empty())
      if (const auto name = c.name_of(k.func()); name == "min" || name == "max")
        return integer(k.args()[0]) && integer(k.args()[1]);
    return no(n, Refusal(diag::not_int, c.show(n)));
  }

  // Ints are known in the block that they stand in.
  bool block(Nodes statements, std::vector<Statement> &out) {
    const auto outside = ints_;
    const size_t before = declared_.size();
    for (const Node s : statements)
      if (!statement(s, out)) return false;
    ints_ = outside;
    for (; declared_.size() > before; declared_.pop_back()) tiles_.erase(declared_.back());
    return true;
  }

  bool statement(Node s, std::vector<Statement> &out) {
    Statement n{};
    n.node = s;
    if (c.is(s, HTP_Pass)) return true;
    if (over_blocks() && !c.is(s, HTP_Assign) && !c.is(s, HTP_If) && !c.is(s, HTP_Expr))
      return !c.is(s, HTP_For) || over(s, n, out);
    if (auto l = c.as<ast::For>(s)) {
      auto range = c.as<ast::Call>(l.iter());
      Node target = l.target();
      n.kind = Statement::Kind::loop;
      if (auto pair = c.as<ast::Tuple>(target);
          pair && pair.elts().size() == 2 && names_.called(l.iter()) == "htp_pto.turns" && range.args().size() == 1) {
        n.turn = std::string(c.name_of(pair.elts()[0]));
        if (n.turn.empty()) return no(target, Refusal(diag::loop_range, c.show(l.iter())));
        target = pair.elts()[1];
        range = c.as<ast::Call>(range.args()[0]);
      }
      n.name = std::string(c.name_of(target));
      if (!range || c.name_of(range.func()) != "range" || range.args().empty() || range.args().size() > 3 ||
          n.name.empty() || !l.orelse().empty())
        return no(s, Refusal(diag::loop_range, c.show(l.iter())));
      const Nodes a = range.args();
      n.stop = a[a.size() > 1];
      if (a.size() > 1) n.start = a[0];
      if (a.size() > 2) n.step = a[2];
      for (const Node bound : a)
        if (!integer(bound)) return false;
      // Limits see to it that sizes by themselves are there, and tasks that blocks of theirs are.
      n.perhaps = a.size() == 1 && !constants_.integer(n.stop) && !dims_.contains(c.name_of(n.stop));
      if (n.step && constants_.integer(n.step).value_or(0) < 1)
        return no(n.step, Refusal(diag::loop_step, c.show(n.step)));
      ints_.insert(n.name);
      if (!n.turn.empty()) turns_.insert(n.turn);
      if (!block(l.body(), n.body)) return false;
      ints_.erase(n.name);
      turns_.erase(n.turn);
      out.push_back(std::move(n));
      return true;
    }
    if (auto a = c.as<ast::Assign>(s); a && a.targets().size() == 1 && !c.name_of(a.targets()[0]).empty()) {
      n.name = std::string(c.name_of(a.targets()[0]));
      const std::string called = names_.called(a.value());
      if (called == "htp_pto.tile") return over_blocks() ? unplaced(n, a.value(), out) : tile(n, a.value(), out);
      if (called == "htp_pto.gm" && over_blocks()) return memory(s, n.name, c.get<ast::Call>(a.value()).args());
      n.kind = Statement::Kind::integer;
      n.value = a.value();
      if (names_.called(n.value) == "htp_pto.value" ? !value(n) : !integer(n.value)) return false;
      if (!ints_.insert(n.name).second && !over_blocks()) return no(s, Refusal(diag::int_changes, n.name));
      out.push_back(std::move(n));
      return true;
    }
    if (c.is(s, HTP_If)) return choice(s, n, out);
    auto e = c.as<ast::Expr>(s);
    const std::string callee = e ? names_.called(e.value()) : std::string();
    if (over_blocks() && !callee.starts_with("htp_pto.")) return true;
    if (!callee.starts_with("htp_pto.")) return no(s, Refusal(diag::statement, line_of(s)));
    n.instruction = callee.substr(8);
    return call(n, c.get<ast::Call>(e.value()), out);
  }

  // A loop over blocks, or over ints, of a stage without places.
  bool over(Node s, Statement &n, std::vector<Statement> &out) {
    auto l = c.get<ast::For>(s);
    n.kind = Statement::Kind::loop;
    n.name = std::string(c.name_of(l.target()));
    const Node range = loop_forms(c, names_, l.iter()).range;
    if (names_.called(range) == "htp_tile.tiles") {
      const Node of = c.get<ast::Call>(range).args()[0];
      const auto outer = k_->blocks.find(c.name_of(of));
      k_->blocks[n.name] = outer == k_->blocks.end() ? of : outer->second;
    } else {
      k_->blocks.erase(n.name);
      ints_.insert(n.name);
    }
    if (!block(l.body(), n.body)) return false;
    out.push_back(std::move(n));
    return true;
  }
  // `row = pto.tile(f32, i, N)`
  bool unplaced(Statement &n, Node call, std::vector<Statement> &out) {
    const Declaration d = read_declaration(c, names_, n.name, call);
    if (const Refusal wrong = d.wrong_dtype()) return no(call, wrong);
    if (const Refusal wrong = d.wrong_space(c)) return no(call, wrong);
    Tile t = d.tile;
    if (const Nodes extents = c.get<ast::Call>(call).args().subspan(1); extents.size() == 2) {
      t.valid_rows = extents[0], t.valid_columns = extents[1];
      t.rows = constants_.integer(t.valid_rows).value_or(0),
      t.columns = constants_.integer(t.valid_columns).value_or(0);
    }
    n.kind = Statement::Kind::tile;
    n.tile = &k_->tiles.emplace_back(t);
    tiles_[t.name] = n.tile;
    out.push_back(std::move(n));
    return true;
  }

  // `page = pto.value(table, b, p)` of a tensor that nobody writes.
  bool value(Statement &n) {
    const Nodes a = c.get<ast::Call>(n.value).args();
    const auto it = a.empty() ? tensors_.end() : tensors_.find(c.name_of(a[0]));
    if (it == tensors_.end() || it->second->direction != "in" || it->second->extents.size() + 1 != a.size() ||
        (it->second->dtype->name != "i32" && it->second->dtype->name != "i64"))
      return no(n.node, Refusal(diag::not_element, c.show(n.value)));
    n.tensor = it->second;
    k_->reads.insert(n.tensor);
    n.index.assign(a.begin() + 1, a.end());
    return std::all_of(n.index.begin(), n.index.end(), [&](Node i) { return integer(i); });
  }

  // `if k_at == 0: pto.tmatmul(…)`, `else: pto.tmatmul_acc(…)` of the same tiles.
  // Else a choice between statements.
  bool choice(Node s, Statement &n, std::vector<Statement> &out) {
    auto f = c.get<ast::If>(s);
    if (!condition(f.test())) return false;
    const auto call = [&](Nodes body, std::string_view callee) {
      auto e = body.size() == 1 ? c.as<ast::Expr>(body[0]) : c.as<ast::Expr>(HTP_NONE);
      return e && names_.called(e.value()) == callee ? e.value() : HTP_NONE;
    };
    const Node alone = call(f.body(), "htp_pto.tmatmul"), sum = call(f.orelse(), "htp_pto.tmatmul_acc");
    const auto operands = [&](Node k) {
      std::string text;
      for (const Node a : c.get<ast::Call>(k).args()) text += c.show(a) + ", ";
      return text;
    };
    n.test = f.test();
    if (!alone || !sum || operands(alone) != operands(sum)) {
      n.kind = Statement::Kind::branch;
      if (!block(f.body(), n.body) || !block(f.orelse(), n.otherwise)) return false;
      out.push_back(std::move(n));
      return true;
    }
    n.instruction = "tmatmul_acc";
    return this->call(n, c.get<ast::Call>(sum), out);
  }
  // A comparison of ints, `and`, `or` and `not` of these.
  bool condition(Node n) {
    if (over_blocks()) return true;
    if (auto all = c.as<ast::BoolOp>(n))
      return std::all_of(all.values().begin(), all.values().end(), [&](Node v) { return condition(v); });
    if (auto opposite = c.as<ast::UnaryOp>(n); opposite && opposite.op() == HTP_Not)
      return condition(opposite.operand());
    auto k = c.as<ast::Compare>(n);
    if (!k || k.ops().size() != 1 || comparison(static_cast<htp_op>(k.ops()[0])).empty())
      return no(n, Refusal(diag::condition, c.show(n)));
    return integer(k.left()) && integer(k.comparators()[0]);
  }

  bool tile(Statement &n, Node call, std::vector<Statement> &out) {
    const Declaration d = read_declaration(c, names_, n.name, call);
    if (tiles_.contains(n.name)) return no(n.node, Refusal(diag::declared_twice, n.name));
    if (const Refusal wrong = d.wrong_space(c)) return no(call, wrong);
    if (const Refusal wrong = d.wrong_dtype()) return no(call, wrong);
    auto k = c.get<ast::Call>(call);
    Tile t = d.tile;
    t.kept = d.kept;
    if (k.args().size() != 3 || !c.integer(k.args()[1], &t.rows) || !c.integer(k.args()[2], &t.columns) || t.rows < 1 ||
        t.columns < 1)
      return no(call, Refusal(diag::tile_extents, t.name));
    if (!d.valid)
      return no(call, Refusal(diag::no_valid, t.name)
                          .with("name those that count: `valid=(" + std::to_string(t.rows) + ", " +
                                std::to_string(t.columns) + ")`"));
    if (d.mask() && t.space->cube) return no(call, Refusal(diag::mask_space, t.name, t.space->text));
    if (!d.at || !in_turn(d.at, t.offset, t.apart, t.turn))
      return no(call, Refusal(diag::no_address, t.name)
                          .with("let it begin behind the others: `at=" + std::to_string(free_behind(*t.space)) + "`"));
    if (!integer(t.valid_rows) || !integer(t.valid_columns)) return false;
    if (const auto wrong = wrong_place(t)) return no(call, wrong);
    n.kind = Statement::Kind::tile;
    n.tile = &k_->tiles.emplace_back(t);
    tiles_[t.name] = n.tile;
    declared_.push_back(t.name);
    out.push_back(std::move(n));
    return true;
  }

  // The first byte of a space behind what lies there.
  int64_t free_behind(const Space &space) const {
    int64_t end = 0;
    for (const Tile &t : k_->tiles)
      if (t.space == &space) end = std::max(end, t.offset + t.apart + t.bytes());
    return (end + 31) / 32 * 32;
  }
  bool call(Statement &n, ast::Call k, std::vector<Statement> &out) {
    const Nodes a = k.args();
    if (n.instruction == "set_flag" || n.instruction == "wait_flag") {
      n.kind = n.instruction == "set_flag" ? Statement::Kind::set : Statement::Kind::wait;
      if (a.size() != 3)
        return no(n.node, Refusal(diag::operand_count, n.instruction, 3, a.size())
                              .with("give two pipes and an event: `pto." + n.instruction + "('MTE2', 'V', 0)`"));
      if (!pipe(a[0], n.source) || !pipe(a[1], n.destination)) return false;
      if (!event(a[2], n)) return no(a[2], Refusal(diag::event, c.show(a[2])));
    } else if (n.instruction == "pipe_barrier") {
      n.kind = Statement::Kind::barrier;
      std::string_view text;
      n.all = a.size() == 1 && c.string(a[0], &text) && text == "ALL";
      if (a.size() != 1)
        return no(n.node, Refusal(diag::operand_count, n.instruction, 1, a.size())
                              .with("give a pipe, `pto.pipe_barrier('V')`, or `'ALL'` for all of them"));
      if (!n.all && !pipe(a[0], n.source)) return false;
    } else if (n.instruction == "drain") {
      n.kind = Statement::Kind::drain;
    } else {
      return instruction(n, k, out);
    }
    out.push_back(std::move(n));
    return true;
  }

  bool instruction(Statement &n, ast::Call call, std::vector<Statement> &out) {
    const Nodes a = call.args();
    n.kind = Statement::Kind::instruction;
    const Transfer *way = transfer_of(n.instruction);
    const htp_intrinsic *row = c.intrinsic("pto." + n.instruction);
    if (!row) return no(n.node, Refusal(diag::unknown_instruction, "pto." + n.instruction));
    if (a.size() < 2)
      return no(n.node,
                Refusal(diag::operand_count, n.instruction, row->parameter_count, a.size()).with(example_of(*row)));
    n.tile = tile_of(a[way && way->writes]);
    if (!n.tile) {
      const std::string of = c.show(a[way && way->writes]);
      return no(n.node,
                Refusal(diag::undeclared, of)
                    .with("declare it: `" + (c.is(a[way && way->writes], HTP_Name) ? of : "u") + " = pto.tile(…)`"));
    }
    if (way) {
      const auto it = tensors_.find(c.name_of(a[!way->writes]));
      const size_t first = 2 + way->tiles;
      if (it == tensors_.end() || a.size() < first ||
          a.size() - first != (way->indexed ? it->second->extents.size() : 0))
        return no(n.node,
                  (it == tensors_.end() ? Refusal(diag::not_tensor, c.show(a[!way->writes]))
                   : a.size() < first   ? Refusal(diag::operand_count, n.instruction, row->parameter_count, a.size())
                                        : Refusal(diag::index_count, n.instruction, a.size() - first,
                                                way->indexed ? it->second->extents.size() : 0, it->second->name))
                      .with(example_of(*row)));
      n.tensor = it->second;
      n.turned = is_turned(c, call);
      if (way->writes) k_->writes.insert(n.tensor);
      if (!way->writes || !way->indexed) k_->reads.insert(n.tensor); // what it does not scatter to stays
      for (const Node o : a.subspan(2, way->tiles)) {
        if (!tile_of(o)) return no(o, Refusal(diag::undeclared, c.show(o)).with(example_of(*row)));
        n.operands.push_back({tile_of(o), o});
      }
      for (const Node i : a.subspan(first)) {
        if (const auto s = read_slice(c, i)) {
          if (!s->start || !s->stop || (s->step && !over_blocks())) return no(i, Refusal(diag::index, c.show(i)));
          if (!integer(s->start) || !integer(s->stop)) return false;
        } else if (!c.dotted(i).ends_with(".whole") && !integer(i)) {
          return false;
        }
        n.index.push_back(i);
      }
    } else {
      for (const Node o : a.subspan(1)) {
        std::string_view text;
        if (tile_of(o) || c.string(o, &text) || constants_.number(o)) {
          n.operands.push_back({tile_of(o), o});
          continue;
        }
        if (const std::string name(c.name_of(o)); !name.empty() && !ints_.contains(name) && !dims_.contains(name))
          return no(o, Refusal(diag::undeclared, name).with("declare it: `" + name + " = pto.tile(…)`"));
        if (!integer(o)) return false;
        n.operands.push_back({tile_of(o), o});
      }
    }
    out.push_back(std::move(n));
    return true;
  }
  // `k`, `turn`, `turn * k`, or a number and one of these, in either order; `each` is what the turn counts.
  bool in_turn(Node n, int64_t &first, int64_t &each, std::string &turn) const {
    if (c.integer(n, &first)) return true;
    if (turns_.contains(c.name_of(n))) return turn = c.name_of(n), each = 1, true;
    auto b = c.as<ast::BinOp>(n);
    if (!b) return false;
    const bool number_first = c.is(b.left(), HTP_Constant);
    const Node number = number_first ? b.left() : b.right(), other = number_first ? b.right() : b.left();
    if (b.op() == HTP_Mult) {
      turn = c.name_of(other);
      return turns_.contains(turn) && c.integer(number, &each);
    }
    return b.op() == HTP_Add && !c.is(other, HTP_Constant) && in_turn(other, first, each, turn) && first == 0 &&
           c.integer(number, &first);
  }
  bool event(Node n, Statement &s) const {
    int64_t each = 0;
    if (!in_turn(n, s.event, each, s.turn) || each < 0 || each > 1) return false;
    return s.event >= 0 && s.event + each <= 7;
  }
  const Tile *tile_of(Node n) const {
    const auto it = tiles_.find(c.name_of(n));
    return it == tiles_.end() ? nullptr : it->second;
  }
  bool pipe(Node n, Pipe &found) {
    std::string_view text;
    c.string(n, &text);
    const auto it = std::find(std::begin(pipe_names), std::end(pipe_names), text);
    found = static_cast<Pipe>(it - std::begin(pipe_names));
    if (it != std::end(pipe_names)) return true;
    std::string all;
    for (const std::string_view name : pipe_names) all += (all.empty() ? "'" : ", '") + std::string(name) + "'";
    return no(n, Refusal(diag::unknown_pipe, c.show(n)).with("choose one of " + all));
  }

  const Context &c;
  Names names_;
  sdk::Constants constants_;
  Stage stage_;
  std::set<std::string, std::less<>> turns_; // of the loops around
  Program &p;
  Kernel *k_ = nullptr;                             // that is read
  std::map<std::string, Node, std::less<>> blocks_; // of loops of tasks
  bool in_loops_ = false;
  std::set<std::string, std::less<>> dims_, ints_;
  std::map<std::string, const Tensor *, std::less<>> tensors_;
  std::map<std::string, const Tile *, std::less<>> tiles_; // by name, in the blocks around; the same in
  std::vector<std::string> declared_;                      // their order
};
} // namespace

bool has_apart_lines(const Reader &r, const Tile &t) {
  if (t.space->cube || !t.dtype) return false;
  if (t.layout == Tile::Layout::nd) return true;
  int64_t rows = 0, columns = 0;
  return t.columns > 1 && t.valid_columns && r.integer(t.valid_columns, &columns) && columns == 1 &&
         !(r.integer(t.valid_rows, &rows) && rows == 1);
}

bool on_cube(const Context &c, Node kernel) {
  const Node item = c.get<ast::With>(kernel).items()[0];
  return !c.get<ast::Call>(c.get<ast::withitem>(item).context_expr()).args().empty();
}

std::string_view comparison(htp_op op) {
  switch (op) {
  case HTP_Eq: return " == ";
  case HTP_NotEq: return " != ";
  case HTP_Lt: return " < ";
  case HTP_LtE: return " <= ";
  case HTP_Gt: return " > ";
  case HTP_GtE: return " >= ";
  default: return {};
  }
}

std::string example_of(const htp_intrinsic &row) {
  const std::string_view doc = row.doc;
  const size_t at = doc.find(">>> ");
  return at == std::string_view::npos
             ? "read its documentation"
             : "write `pto." + std::string(doc.substr(at + 4, doc.find('\n', at) - at - 4)) + "`";
}

bool read_program(const Context &c, Node root, Stage stage, Program &program) {
  const Node function = c.entry_function(root);
  if (!function) {
    c.report(diag::no_entry, root, c.entry());
    return false;
  }
  if (!ProgramReader(c, root, stage, program).run(function)) return false;
  if (stage >= Stage::placed) find_overwrites(c, root, program);
  return true;
}

} // namespace htp::a2a3

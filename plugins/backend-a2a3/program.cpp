#include "program.h"

#include <algorithm>
#include <array>

namespace htp::a2a3 {

namespace {
constexpr std::array<std::string_view, pipe_count> pipes{"MTE2", "V", "MTE3", "S"};

class ProgramReader {
public:
  ProgramReader(const Context &context, Node root, bool placed, Program &program, const Refuse &refuse)
      : c(context), names_(context, root), constants_(context, root),
        word_(placed ? "htp_pto.one_by_one" : "htp_pto.aiv"), p(program), refuse_(refuse) {
    for (const Node s : c.get<ast::Module>(root).body())
      if (auto a = c.as<ast::Assign>(s))
        each_assigned(c, a, [&](Node target, Node value) {
          if (names_.called(value) == "htp.dim") dims_.emplace(c.name_of(target));
        });
  }

  bool run(Node function) {
    auto f = c.get<ast::FunctionDef>(function);
    p.name = std::string(f.name());
    for (const Node n : c.get<ast::arguments>(f.args()).args())
      if (!parameter(n)) return false;
    for (const Node s : f.body()) {
      if (auto e = c.as<ast::Expr>(s); e && c.is(e.value(), HTP_Constant)) continue;
      if (p.kernel) return no(s, "something beside a kernel");
      if (!c.is(s, HTP_For) ? !kernel(s) : !tasks(s)) return false;
    }
    return p.kernel || no(function, "an entry without a kernel");
  }

private:
  bool kernel(Node s) {
    auto w = c.as<ast::With>(s);
    if (!w || w.items().size() != 1 || !is_kernel(w.items()[0])) return no(s, "`" + c.show(s) + "` around a kernel");
    p.kernel = s;
    return block(w.body(), p.body);
  }
  bool tasks(Node s) {
    auto l = c.get<ast::For>(s);
    auto range = c.as<ast::Call>(l.iter());
    int64_t start = 1;
    p.tasks = s;
    p.part = std::string(c.name_of(l.target()));
    if (p.part.empty() || l.body().size() != 1 || !l.orelse().empty() || !range || c.name_of(range.func()) != "range" ||
        range.args().size() != 3 || !c.integer(range.args()[0], &start) || start != 0 ||
        !c.integer(range.args()[2], &p.step) || p.step < 1)
      return no(s, "`" + c.show(s) + "` around a kernel");
    p.stop = range.args()[1];
    if (!integer(p.stop)) return false;
    ints_.insert(p.part);
    return kernel(l.body()[0]);
  }
  bool is_kernel(Node item) const {
    auto i = c.get<ast::withitem>(item);
    return names_.called(i.context_expr()) == word_ && !i.optional_vars();
  }
  bool no(Node where, const std::string &what) {
    refuse_(where, what);
    return false;
  }

  bool parameter(Node n) {
    auto a = c.get<ast::arg>(n);
    const auto type = a.annotation() ? read_type(c, a.annotation()) : std::nullopt;
    const std::string direction = direction_of(c, a.annotation());
    if (!type || type->form != "Tensor") return no(n, "a parameter that is no tensor");
    Tensor &t = p.tensors.emplace_back();
    t.name = std::string(a.arg());
    t.direction = direction == "Out" ? "out" : direction == "InOut" ? "inout" : "in";
    t.dtype = dtype_named(type->dtype);
    if (!t.dtype) return no(n, "a tensor of " + type->dtype);
    auto annotation = c.as<ast::Subscript>(a.annotation());
    while (annotation && !c.is(annotation.slice(), HTP_Tuple)) annotation = c.as<ast::Subscript>(annotation.slice());
    if (!annotation) return no(n, "a tensor without extents");
    t.extents = c.get<ast::Tuple>(annotation.slice()).elts().subspan(1, type->extents.size());
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

  // An expression over ints: loop variables, dims, constants, + - * // %, min and max.
  bool integer(Node n) {
    int64_t value = 0;
    if (c.integer(n, &value) || constants_.integer(n)) return true;
    if (const std::string name(c.name_of(n)); !name.empty())
      return ints_.contains(name) || dims_.contains(name) || no(n, "the name `" + name + "` here");
    if (auto u = c.as<ast::UnaryOp>(n); u && (u.op() == HTP_USub || u.op() == HTP_UAdd)) return integer(u.operand());
    if (auto b = c.as<ast::BinOp>(n))
      if (const htp_op op = b.op();
          op == HTP_Add || op == HTP_Sub || op == HTP_Mult || op == HTP_FloorDiv || op == HTP_Mod)
        return integer(b.left()) && integer(b.right());
    if (auto k = c.as<ast::Call>(n); k && k.args().size() == 2 && k.keywords().empty())
      if (const auto name = c.name_of(k.func()); name == "min" || name == "max")
        return integer(k.args()[0]) && integer(k.args()[1]);
    return no(n, "`" + c.show(n) + "` as an int");
  }

  bool block(Nodes statements, std::vector<Statement> &out) {
    for (const Node s : statements)
      if (!statement(s, out)) return false;
    return true;
  }

  bool statement(Node s, std::vector<Statement> &out) {
    Statement n{};
    n.node = s;
    if (c.is(s, HTP_Pass)) return true;
    if (auto l = c.as<ast::For>(s)) {
      auto range = c.as<ast::Call>(l.iter());
      Node target = l.target();
      n.kind = Statement::Kind::loop;
      if (auto pair = c.as<ast::Tuple>(target);
          pair && pair.elts().size() == 2 && names_.called(l.iter()) == "htp_pto.turns" && range.args().size() == 1) {
        n.turn = std::string(c.name_of(pair.elts()[0]));
        if (n.turn.empty()) return no(target, "`" + c.show(target) + "`");
        target = pair.elts()[1];
        range = c.as<ast::Call>(range.args()[0]);
      }
      n.name = std::string(c.name_of(target));
      if (!range || c.name_of(range.func()) != "range" || range.args().empty() || range.args().size() > 3 ||
          n.name.empty() || !l.orelse().empty())
        return no(s, "a loop over `" + c.show(l.iter()) + "`");
      const Nodes a = range.args();
      n.stop = a[a.size() > 1];
      if (a.size() > 1) n.start = a[0];
      if (a.size() > 2) n.step = a[2];
      for (const Node bound : a)
        if (!integer(bound)) return false;
      if (n.step && constants_.integer(n.step).value_or(0) < 1)
        return no(s, "a loop that does not step upwards by a number");
      ints_.insert(n.name);
      const std::string outer = turn_;
      turn_ = n.turn;
      if (!block(l.body(), n.body)) return false;
      turn_ = outer;
      out.push_back(std::move(n));
      return true;
    }
    if (auto a = c.as<ast::Assign>(s); a && a.targets().size() == 1 && !c.name_of(a.targets()[0]).empty()) {
      n.name = std::string(c.name_of(a.targets()[0]));
      if (names_.called(a.value()) == "htp_pto.tile") return tile(n, a.value(), out);
      n.kind = Statement::Kind::integer;
      n.value = a.value();
      if (!integer(n.value)) return false;
      ints_.insert(n.name);
      out.push_back(std::move(n));
      return true;
    }
    auto e = c.as<ast::Expr>(s);
    const std::string word = e ? names_.called(e.value()) : std::string();
    if (!word.starts_with("htp_pto.")) return no(s, "`" + c.show(s) + "`");
    n.word = word.substr(8);
    return call(n, c.get<ast::Call>(e.value()), out);
  }

  bool tile(Statement &n, Node call, std::vector<Statement> &out) {
    auto k = c.get<ast::Call>(call);
    Tile t;
    t.name = n.name;
    const std::string dtype = k.args().empty() ? "" : names_.qualified(k.args()[0]);
    t.dtype = dtype_named(dtype.substr(dtype.rfind('.') + 1));
    bool at = false;
    for (const Node w : k.keywords()) {
      auto word = c.get<ast::keyword>(w);
      if (word.arg() == "at") at = in_turn(word.value(), t.offset, t.apart);
      if (auto valid = c.as<ast::Tuple>(word.value()); valid && word.arg() == "valid" && valid.elts().size() == 2)
        t.valid_rows = valid.elts()[0], t.valid_columns = valid.elts()[1];
    }
    if (!t.dtype || k.args().size() != 3 || !c.integer(k.args()[1], &t.rows) || !c.integer(k.args()[2], &t.columns) ||
        !at || !t.valid_rows)
      return no(call, "a tile without a place: `" + c.show(call) + "`");
    if (!integer(t.valid_rows) || !integer(t.valid_columns)) return false;
    const int64_t line = (t.columns == 1 ? t.rows : t.columns) * t.dtype->bytes;
    if (t.rows < 1 || t.columns < 1 || t.offset % 32 || t.apart % 32 || line % 32 || t.offset < 0 || t.apart < 0 ||
        t.offset + t.apart > buffer_bytes - t.bytes())
      return no(call, "a tile that does not lie in the buffer: `" + c.show(call) + "`");
    n.kind = Statement::Kind::tile;
    n.tile = &p.tiles.emplace_back(t);
    tiles_[t.name] = n.tile;
    out.push_back(std::move(n));
    return true;
  }

  bool call(Statement &n, ast::Call k, std::vector<Statement> &out) {
    const Nodes a = k.args();
    if (n.word == "set_flag" || n.word == "wait_flag") {
      n.kind = n.word == "set_flag" ? Statement::Kind::set : Statement::Kind::wait;
      if (a.size() != 3 || !pipe(a[0], n.source) || !pipe(a[1], n.destination) || !event(a[2], n))
        return no(n.node, "`" + c.show(k.node) + "`");
    } else if (n.word == "pipe_barrier") {
      n.kind = Statement::Kind::barrier;
      std::string_view text;
      n.all = a.size() == 1 && c.string(a[0], &text) && text == "ALL";
      if (a.size() != 1 || (!n.all && !pipe(a[0], n.source))) return no(n.node, "`" + c.show(k.node) + "`");
    } else if (n.word == "drain") {
      n.kind = Statement::Kind::drain;
    } else {
      return instruction(n, a, out);
    }
    out.push_back(std::move(n));
    return true;
  }

  bool instruction(Statement &n, Nodes a, std::vector<Statement> &out) {
    n.kind = Statement::Kind::instruction;
    const bool load = n.word == "tload", moves = load || n.word == "tstore";
    if (!c.intrinsic("pto." + n.word)) return no(n.node, "`pto." + n.word + "`");
    if (a.size() < 2) return no(n.node, "`pto." + n.word + "` of too few operands");
    n.tile = tile_of(a[moves && !load]);
    if (!n.tile) return no(n.node, "`pto." + n.word + "` that writes to no tile");
    if (moves) {
      const auto it = tensors_.find(c.name_of(a[load]));
      if (it == tensors_.end() || it->second->extents.size() + 2 != a.size())
        return no(n.node, "`pto." + n.word + "` of no tensor");
      n.tensor = it->second;
      for (const Node i : a.subspan(2)) {
        if (const auto s = read_slice(c, i)) {
          if (!s->start || !s->stop || s->step || !integer(s->start) || !integer(s->stop))
            return no(i, "the index `" + c.show(i) + "`");
        } else if (!c.dotted(i).ends_with(".whole") && !integer(i)) {
          return false;
        }
        n.index.push_back(i);
      }
    } else {
      for (const Node o : a.subspan(1)) {
        std::string_view text;
        if (!tile_of(o) && !c.string(o, &text) && !constants_.number(o) && !integer(o)) return false;
        n.operands.push_back({tile_of(o), o});
      }
    }
    out.push_back(std::move(n));
    return true;
  }
  // `k`, `turn`, `turn * k`, or a number and one of these; `each` is what the turn counts.
  bool in_turn(Node n, int64_t &first, int64_t &each) const {
    if (c.integer(n, &first)) return true;
    if (!turn_.empty() && c.name_of(n) == turn_) return each = 1, true;
    auto b = c.as<ast::BinOp>(n);
    if (!b) return false;
    if (b.op() == HTP_Mult) return !turn_.empty() && c.name_of(b.left()) == turn_ && c.integer(b.right(), &each);
    return b.op() == HTP_Add && c.integer(b.left(), &first) && !c.is(b.right(), HTP_Constant) &&
           in_turn(b.right(), first, each);
  }
  bool event(Node n, Statement &s) const {
    int64_t each = 0;
    if (!in_turn(n, s.event, each) || each < 0 || each > 1) return false;
    s.turned = each == 1;
    return s.event >= 0 && s.event + each <= 7;
  }
  const Tile *tile_of(Node n) const {
    const auto it = tiles_.find(c.name_of(n));
    return it == tiles_.end() ? nullptr : it->second;
  }
  bool pipe(Node n, Pipe &found) const {
    std::string_view text;
    if (!c.string(n, &text)) return false;
    const auto it = std::find(pipes.begin(), pipes.end(), text);
    found = static_cast<Pipe>(it - pipes.begin());
    return it != pipes.end();
  }

  const Context &c;
  Names names_;
  sdk::Constants constants_;
  std::string_view word_;
  std::string turn_; // of the loop around
  Program &p;
  const Refuse &refuse_;
  std::set<std::string, std::less<>> dims_, ints_;
  std::map<std::string, const Tensor *, std::less<>> tensors_;
  std::map<std::string, const Tile *, std::less<>> tiles_;
};
} // namespace

std::string_view name_of(Pipe pipe) { return pipes[static_cast<size_t>(pipe)]; }

std::vector<Touch> touches(const Statement &s, int64_t turn) {
  std::vector<Touch> found;
  const auto bytes = [&](const Tile &t, bool writes) {
    const int64_t first = t.offset + turn * t.apart;
    found.push_back({nullptr, first, first + t.bytes(), writes, s.pipe()});
  };
  if (s.tensor) {
    const bool loads = s.pipe() == Pipe::mte2;
    // An input that nothing writes needs no order.
    if (s.tensor->direction != "in") found.push_back({s.tensor, 0, 0, !loads, s.pipe()});
    bytes(*s.tile, loads);
    return found;
  }
  bytes(*s.tile, true);
  const bool works = s.word.starts_with("trow") && !s.word.starts_with("trowexpand");
  for (size_t k = 0; k < s.operands.size(); ++k)
    if (s.operands[k].tile) bytes(*s.operands[k].tile, works && k == 1);
  return found;
}

bool read_program(const Context &c, Node root, bool placed, Program &program, const Refuse &refuse) {
  const Node function = c.entry_function(root);
  if (!function) {
    refuse(root, "a module without `" + std::string(c.entry()) + "`");
    return false;
  }
  return ProgramReader(c, root, placed, program, refuse).run(function);
}

} // namespace htp::a2a3

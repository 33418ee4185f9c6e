// The body of a core: loops, acquires and releases, and calls of the functions that compute what is between them.
#include "size.h"

#include <algorithm>
#include <cctype>
#include <numeric>

namespace htp::aie {

namespace {

std::string texts(const std::vector<std::string> &list) {
  return join(list, ", ", [](const std::string &text) { return text; });
}

class CoreWriter {
public:
  CoreWriter(Lines &lines, const Context &context, const Program &program, Functions &functions, Needs &needs,
             const Core &core, int64_t column, int64_t row, ProductForm products, bool short_loops)
      : w_(lines), c(context), p(program), functions_(functions), needs_(needs), core_(core), column_(column),
        row_(row), products_(products), short_loops_(short_loops), registers_(in_registers(core)) {}

  void write() {
    w_.from(core_.node);
    auto calls = w_.block("}", "scf.for %call = %c0 to %forever step %c1 {");
    block(core_.body);
  }

private:
  std::string fresh(const std::string &stem) { return stem + std::to_string(next_++); }
  std::string number(int64_t n) {
    needs_.numbers.insert(n);
    return "%c" + std::to_string(n);
  }
  std::string memory_of(const Tile &t) const { return t.stream ? block_of(t) : "%" + buffer_of(t, column_, row_); }
  std::string block_of(const Tile &t) const {
    const auto again = again_.find(&t);
    return again == again_.end() ? value_of(t) : again->second;
  }
  // The value of a block that is acquired here.
  std::string acquired(const Tile &t) {
    if (copies_) again_[&t] = fresh(value_of(t) + "_again"); // `%c7` is a number
    return block_of(t);
  }
  std::string type_of(const Tile &t) const { return lying_view(p, t).type(); }

  // What computes is called where the last of it stands; what is acquired on the way comes before.
  void block(const std::vector<Statement> &statements) {
    std::vector<const Statement *> run;
    for (const Statement &s : statements) {
      if (only_computes(s)) {
        run.push_back(&s);
      } else if (s.kind == Statement::Kind::acquire) {
        statement(s);
      } else {
        call(run);
        statement(s);
      }
    }
    call(run);
  }
  void call(std::vector<const Statement *> &run) {
    if (products_ == ProductForm::in_place && in_place(run)) {
      next_ = Computing(w_, needs_, c, p, registers_, turns_)
                  .block(
                      run, [&](const Tile &t) { return memory_of(t); }, next_);
    } else if (std::any_of(run.begin(), run.end(),
                           [](const Statement *s) { return s->kind != Statement::Kind::buffer; })) {
      const Functions::Call &f = functions_.of(run, registers_);
      std::vector<std::string> operands, types;
      for (const Tile *t : f.tiles) operands.push_back(memory_of(*t)), types.push_back(type_of(*t));
      for (const std::string &turn : f.turns) operands.push_back(turns_.at(turn)), types.emplace_back("index");
      for (const Statement *s : run)
        if (s->kind != Statement::Kind::buffer) {
          w_.from(s->node);
          break;
        }
      w_.line("func.call @", f.name, "(", texts(operands), ") : (", texts(types), ") -> ()");
    }
    run.clear();
  }
  void statement(const Statement &s) {
    w_.from(s.node);
    switch (s.kind) {
    case Statement::Kind::loop: loop(s); break;
    case Statement::Kind::buffer: break;
    case Statement::Kind::acquire: {
      if (p.linked_at_core(*s.stream)) {
        acquire_linked(s);
        break;
      }
      const std::string type = memref(s.tile->extents, *s.tile->dtype), held = fresh("%v");
      w_.line(held, " = aie.objectfifo.acquire @", fifo_of(p, *s.stream, column_, row_), port(s), ", ", s.held + 1,
              ") : !aie.objectfifosubview<", type, ">");
      w_.line(acquired(*s.tile), " = aie.objectfifo.subview.access ", held, "[", s.held, "] : !aie.objectfifosubview<",
              type, "> -> ", type);
      break;
    }
    case Statement::Kind::release:
      if (p.linked_at_core(*s.stream) && ++given_back_[s.stream->link] < p.linked(*s.stream).size()) break;
      given_back_.erase(s.stream->link);
      w_.line("aie.objectfifo.release @", fifo_of(p, *s.stream, column_, row_), port(s), ", 1)");
      break;
    case Statement::Kind::call: apart(s); break;
    }
  }
  void loop(const Statement &s) {
    const int64_t rounds = short_loops_ ? s.times : rounds_kept(s);
    if (rounds > 0) {
      const std::string step = fresh("%step");
      turns_[s.name] = step;
      auto loop = w_.block("}", "scf.for ", step, " = ", number(0), " to ", number(rounds), " step ", number(1), " {");
      block(s.body);
    }
    ++copies_;
    for (int64_t k = rounds; k < s.times; ++k) {
      turns_[s.name] = number(k);
      block(s.body);
    }
    --copies_;
  }
  // What comes with others is acquired with the first of them, and released with the last.
  void acquire_linked(const Statement &s) {
    const auto all = p.linked(*s.stream);
    int64_t elements = 0;
    for (const Stream *other : all) elements += count(other->block);
    const std::string type = memref({elements}, *s.stream->dtype);
    std::string &whole = wholes_[s.stream->link];
    if (const size_t number = acquired_[s.stream->link]++ % all.size(); number == 0) {
      const std::string held = fresh("%v");
      whole = fresh("%linked");
      w_.line(held, " = aie.objectfifo.acquire @", fifo_of(p, *s.stream, column_, row_), port(s),
              ", 1) : !aie.objectfifosubview<", type, ">");
      w_.line(whole, " = aie.objectfifo.subview.access ", held, "[0] : !aie.objectfifosubview<", type, "> -> ", type);
    }
    View v = lying_view(p, *s.tile);
    v.value = acquired(*s.tile);
    View flat = v;
    flat.extents = {count(v.extents)};
    const bool one = v.extents.size() == 1;
    const std::string part = one ? v.value : fresh("%flat"), elements_of = std::to_string(flat.extents[0]);
    w_.line(part, " = memref.subview ", whole, "[", v.offset, "] [", elements_of, "] [1] : ", type, " to ",
            flat.type());
    if (one) return;
    std::vector<int64_t> dims(v.extents.size());
    std::iota(dims.begin(), dims.end(), 0);
    const auto listed = [](const std::vector<int64_t> &numbers) {
      return join(numbers, ", ", [](int64_t n) { return std::to_string(n); });
    };
    w_.line(v.value, " = memref.expand_shape ", part, " [[", listed(dims), "]] output_shape [", listed(v.extents),
            "] : ", flat.type(), " into ", v.type());
  }
  static std::string port(const Statement &s) { return s.takes ? " (Consume" : " (Produce"; }

  void apart(const Statement &s) {
    const External &e = *s.external;
    std::vector<std::string> operands, types;
    for (size_t k = 0; k < s.operands.size(); ++k) {
      const Operand &o = s.operands[k];
      types.push_back(o.tile ? type_of(*o.tile) : std::string(e.arguments[k].dtype->text));
      operands.push_back(o.tile ? memory_of(*o.tile) : fresh("%number"));
      if (!o.tile)
        w_.line(operands.back(), " = arith.constant ", literal_of(o.number, *e.arguments[k].dtype), " : ",
                types.back());
    }
    for (const int64_t size : e.sizes) {
      operands.push_back(fresh("%size"));
      types.emplace_back("i32");
      w_.line(operands.back(), " = arith.constant ", size, " : i32");
    }
    w_.line("func.call @", e.name, "(", texts(operands), ") : (", texts(types), ") -> ()");
  }

  Lines &w_;
  const Context &c;
  const Program &p;
  Functions &functions_;
  Needs &needs_;
  const Core &core_;
  int64_t column_, row_;
  ProductForm products_;
  bool short_loops_;
  const std::set<const Tile *> registers_;
  std::map<std::string, std::string> turns_;            // of the loops around, by their variables
  std::map<std::string, size_t> acquired_, given_back_; // streams of each link
  std::map<std::string, std::string> wholes_;           // what was acquired of each link
  std::map<const Tile *, std::string> again_;           // values of blocks in iterations that are written out
  unsigned copies_ = 0, next_ = 0;
};

// A function of what some statements compute, but for its name.
struct Text {
  std::string behind_name;
  Functions::Call call;
};

class Uses { // in the order in which they come
public:
  Uses(const std::set<const Tile *> &registers, Functions::Call &call) : registers_(registers), call_(call) {}
  void of(const Statement &s) {
    if (s.kind == Statement::Kind::loop) inside_.insert(s.name);
    for (const Operand &o : s.operands)
      if (o.tile) of(*o.tile);
    if (s.tile && s.kind == Statement::Kind::call) of(*s.tile);
    for (const Statement &inner : s.body) of(inner);
  }

private:
  void of(const Tile &t) {
    if (const Tile *memory = lying(t); !registers_.contains(memory)) add(call_.tiles, memory);
    if (t.whole && !inside_.contains(t.at)) add(call_.turns, t.at);
  }
  template <class T> static void add(std::vector<T> &to, const T &one) {
    if (std::find(to.begin(), to.end(), one) == to.end()) to.push_back(one);
  }
  const std::set<const Tile *> &registers_;
  Functions::Call &call_;
  std::set<std::string> inside_; // variables of loops
};

void name_of(const Statement &s, std::vector<std::string> &operations) {
  if (s.kind == Statement::Kind::call && operations.size() < 3 &&
      std::find(operations.begin(), operations.end(), s.name) == operations.end())
    operations.push_back(s.name);
  for (const Statement &inner : s.body) name_of(inner, operations);
}

std::string without_places(const std::string &text) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const size_t end = text.find('\n', at);
    std::string_view line = std::string_view(text).substr(at, end - at);
    if (line.find("// ") == line.npos) out += std::string(line.substr(0, line.rfind(" loc(#"))) + "\n";
    at = end + 1;
  }
  return out;
}

} // namespace

Functions::Functions(const Context &context, const Program &program, Locations &locations)
    : c(context), p(program), locations_(locations) {
  for (const External &e : program.externals) names_.reserve(e.name);
  for (const Stream &s : program.streams) names_.reserve(s.name);
}

const Functions::Call &Functions::of(const std::vector<const Statement *> &statements,
                                     const std::set<const Tile *> &registers) {
  const auto [found, fresh] = calls_.try_emplace(statements.front());
  Call &call = found->second;
  if (!fresh) return call;
  Uses uses(registers, call);
  for (const Statement *s : statements) uses.of(*s);
  std::map<std::string, std::string> turns;
  std::vector<std::string> parameters;
  for (const Tile *t : call.tiles) parameters.push_back(value_of(*t) + ": " + lying_view(p, *t).type());
  for (const std::string &turn : call.turns) {
    turns[turn] = "%turn" + std::to_string(turns.size());
    parameters.push_back(turns[turn] + ": index");
  }
  Node first = statements.front()->node;
  for (const Statement *s : statements)
    if (s->kind != Statement::Kind::buffer) {
      first = s->node;
      break;
    }
  // Which numbers and constants it wants is known when it has been written.
  Needs needs;
  Writer nothing, body;
  Locations none;
  Lines nowhere(nothing, none), lines(body, locations_);
  Computing(nowhere, needs, c, p, registers, turns).block(statements);
  lines.from(first);
  {
    auto function = lines.block("}", "(", texts(parameters), ") {");
    for (const int64_t n : needs.numbers) lines.line("%c", n, " = arith.constant ", n, " : index");
    for (size_t k = 0; k < needs.constants.size(); ++k) lines.line("%k", k, " = arith.constant ", needs.constants[k]);
    Computing(lines, needs, c, p, registers, turns).block(statements);
    lines.from(first);
    lines.line("return");
  }
  const auto [same, other] = by_text_.try_emplace(without_places(body.text()));
  if (other) {
    std::vector<std::string> name{"do"};
    for (const Statement *s : statements) name_of(*s, name);
    same->second = names_.claim(join(name, "_", [](const std::string &operation) { return operation; }));
    texts_.push_back("func.func private @" + same->second + body.text());
    int64_t &bytes = bytes_[same->second] = size_of(body.text());
    for (const std::string &function : with_called(needs.functions)) bytes += size_of(function_text(function));
    needs_.functions.merge(needs.functions);
  }
  call.name = same->second;
  return call;
}

void Functions::write(Writer &w) {
  for (const std::string &text : texts_)
    for (size_t at = 0; at < text.size();) {
      const size_t end = text.find('\n', at);
      w.line(std::string_view(text).substr(at, end - at));
      at = end + 1;
    }
  write_functions(w, needs_);
}

void write_core(Lines &w, Functions &functions, const Context &c, const Program &p, const Core &core, int64_t column,
                int64_t row, ProductForm products, bool short_loops) {
  Needs needs;
  needs.numbers = {0, 1};
  Writer nothing;
  Locations none;
  Lines nowhere(nothing, none);
  CoreWriter(nowhere, c, p, functions, needs, core, column, row, products, short_loops)
      .write(); // which numbers it wants
  w.from(core.node);
  for (const int64_t n : needs.numbers) w.line("%c", n, " = arith.constant ", n, " : index");
  w.line("%forever = arith.constant 9223372036854775807 : index");
  CoreWriter(w, c, p, functions, needs, core, column, row, products, short_loops).write();
}

View lying_view(const Program &p, const Tile &t) {
  View v{value_of(t), t.extents, t.dtype};
  if (t.stream && p.linked_at_core(*t.stream)) v.offset = p.offset_in_link(*t.stream);
  return v;
}

std::string value_of(const Tile &t) {
  const bool ours = t.name == "call" || t.name == "forever" || t.name.ends_with('_') ||
                    std::isdigit(static_cast<unsigned char>(t.name.back()));
  return "%" + t.name + (ours ? "_" : "");
}

std::string memref(const std::vector<int64_t> &extents, const DType &dtype) {
  return "memref<" + join(extents, "", [](int64_t n) { return std::to_string(n) + "x"; }) + std::string(dtype.text) +
         ">";
}

} // namespace htp::aie

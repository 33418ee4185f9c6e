// a2a3.split: a program as kernels, in turn on vector and on cube cores.
//
// Every instruction belongs to a turn, the first in which all it reads is there: even turns are those of vector cores,
// odd ones of cube cores. A kernel is the program with the instructions of one turn alone, in the loops they stand in.
// What one kernel makes and a later one reads goes through global memory, with a dimension for each loop that it is
// made in; what is loaded from a tensor that nobody writes is loaded where it is needed.
//
// The operands of a product are moved on: to a mat tile (L1), and from there to a left and a right one (L0A, L0B). A
// cast and a transpose that only a product needs are left to the way there, and a cast of its result to the store.
#include "program.h"

#include "htp_cpp/constants.h"
#include "htp_cpp/edit.h"
#include "htp_cpp/imports.h"
#include "htp_cpp/loops.h"

#include <algorithm>
#include <climits>
#include <map>
#include <optional>
#include <set>

namespace htp::a2a3 {

namespace {

constexpr int unset = -1;

struct Item {
  enum class Kind : uint8_t { tile, instruction, loop, integer } kind;
  Node node = HTP_NONE;
  size_t parent = 0, place = 0;  // the loop around it, and where in its body
  std::vector<size_t> body = {}; // loop
  size_t what = 0;               // of a tile or an instruction
  Node range = HTP_NONE;         // loop: tiles(…) or range(…)
  std::string variable = {};     // loop
  bool blocks = false;           // loop over tiles(…)
};

struct Value {
  std::string name;
  Node dtype = HTP_NONE;
  std::string word; // of the dtype
  std::vector<Node> extents;
  size_t item = 0;
  std::vector<size_t> writers, readers; // instructions that are not dropped
  int turn = unset;                     // in which it is made
  bool sums = false;                    // products add up in it
  // Between kernels: its tensor, and the index of its place there.
  std::string memory;
  std::vector<std::string> dims, index;
  size_t crosses = SIZE_MAX; // where in the body that it is declared in the first one stands that needs it from there
};

struct Instruction {
  std::string word;
  std::vector<Node> operands;
  size_t item = 0;
  size_t writes = SIZE_MAX, work = SIZE_MAX;
  std::vector<size_t> reads;
  std::string tensor; // of a load or a store
  int turn = unset;
  bool dropped = false;
  bool product() const { return word == "tmatmul" || word == "tmatmul_acc"; }
};

// What a product multiplies: a value, or its transpose.
struct Factor {
  size_t value = SIZE_MAX;
  bool transposed = false;
};

class Splitting {
public:
  Splitting(const Context &context, Node root, Node function)
      : c(context), names_(context, root), constants_(context, root), function_(function),
        imports_(context, root, bound_in(context, function)) {}

  // The module with what the kernels need.
  Node imported(Node root) const { return imports_.apply(root); }

  Node run() {
    auto f = c.read<ast::FunctionDef>(function_);
    items_.push_back({});
    read(c.get<ast::FunctionDef>(function_).body(), 0);
    if (c.errors()) return HTP_NONE;
    if (buffers_.empty() &&
        std::none_of(instructions_.begin(), instructions_.end(), [](const Instruction &i) { return i.product(); })) {
      casts();
      f.body = {kernel(false, std::move(f.body))};
      return c.with(function_, f);
    }
    sums();
    uses();
    factors();
    casts_of_results();
    drop();
    casts();
    if (c.errors() || !turns() || !memories()) return HTP_NONE;
    f.body.assign(buffers_.begin(), buffers_.end());
    for (const Value &v : values_)
      if (!v.memory.empty()) f.body.push_back(memory(v));
    int last = 0;
    for (const Instruction &i : instructions_) last = std::max(last, i.turn);
    for (turn_ = 0; turn_ <= last; ++turn_) {
      tiles_.clear();
      std::vector<uint32_t> body = block(0);
      if (!body.empty()) f.body.push_back(kernel(turn_ % 2 == 1, std::move(body)));
    }
    return c.errors() ? HTP_NONE : c.with(function_, f);
  }

private:
  static std::set<std::string, std::less<>> bound_in(const Context &c, Node function) {
    std::set<std::string, std::less<>> bound;
    c.each(function, [&](Node n) {
      if (auto name = c.as<ast::Name>(n); name && name.ctx() == HTP_STORE) bound.emplace(name.id());
    });
    return bound;
  }
  bool refuse(Node where, const std::string &what) {
    c.report(diag::unsupported_form, where, what);
    return false;
  }
  static bool floats(std::string_view dtype) { return dtype == "f16" || dtype == "bf16"; }

  // ── reading ──

  void read(Nodes statements, size_t parent) {
    for (const Node s : statements) {
      auto e = c.as<ast::Expr>(s);
      if (c.is(s, HTP_Pass) || (e && c.is(e.value(), HTP_Constant))) continue;
      if (auto b = c.as<ast::Assign>(s); b && names_.called(b.value()) == "htp_pto.gm") {
        buffers_.push_back(s);
        continue;
      }
      Item item{};
      item.node = s;
      item.parent = parent;
      item.place = items_[parent].body.size();
      const size_t here = items_.size();
      if (auto l = c.as<ast::For>(s)) {
        item.kind = Item::Kind::loop;
        item.range = loop_forms(c, names_, l.iter()).range;
        item.variable = std::string(c.name_of(l.target()));
        item.blocks = names_.called(item.range) == "htp_tile.tiles";
        auto call = c.as<ast::Call>(item.range);
        if (!call || (!item.blocks && c.name_of(call.func()) != "range") ||
            (item.blocks && !constants_.integer(call.args()[1]))) {
          refuse(l.iter(), "a loop over `" + c.show(l.iter()) + "`");
          return;
        }
        loops_[item.variable] = here;
      } else if (auto a = c.as<ast::Assign>(s); a && names_.called(a.value()) == "htp_pto.tile") {
        item.kind = Item::Kind::tile;
        item.what = declare(a, here);
      } else if (e && names_.called(e.value()).starts_with("htp_pto.")) {
        item.kind = Item::Kind::instruction;
        item.what = instruction(e.value(), here);
      } else if (a && names_.called(a.value()).empty()) {
        item.kind = Item::Kind::integer;
      } else {
        refuse(s, c.is(s, HTP_If)      ? "an `if` within a kernel"
                  : c.is(s, HTP_While) ? "a `while` within a kernel"
                                       : "`" + c.show(s) + "`");
        return;
      }
      items_.push_back(item);
      items_[parent].body.push_back(here);
      if (item.kind == Item::Kind::loop) read(c.get<ast::For>(s).body(), here);
    }
  }
  size_t declare(ast::Assign a, size_t item) {
    const Nodes parts = c.get<ast::Call>(a.value()).args();
    Value v;
    v.name = std::string(c.name_of(a.targets()[0]));
    v.dtype = parts[0];
    const std::string dtype = names_.qualified(parts[0]);
    v.word = dtype.substr(dtype.rfind('.') + 1);
    v.extents.assign(parts.begin() + 1, parts.end());
    v.item = item;
    by_name_[v.name] = values_.size();
    values_.push_back(std::move(v));
    return values_.size() - 1;
  }
  size_t value_of(Node n) const {
    const auto it = by_name_.find(c.name_of(n));
    return it == by_name_.end() ? SIZE_MAX : it->second;
  }
  size_t instruction(Node call, size_t item) {
    Instruction i;
    i.word = names_.called(call).substr(8);
    const Nodes operands = c.get<ast::Call>(call).args();
    i.operands.assign(operands.begin(), operands.end());
    i.item = item;
    size_t first = 0;
    if (i.word == "tstore") {
      i.tensor = std::string(c.name_of(operands[0]));
      stored_.insert(i.tensor);
      first = 1;
    } else {
      i.writes = value_of(operands[0]);
      first = 1;
      if (i.word == "tload") i.tensor = std::string(c.name_of(operands[1])), first = operands.size();
      if (i.word == "tmatmul_acc") first = 0; // adds to what is there
    }
    const size_t work = work_of(i.word, operands.size());
    for (size_t k = first; k < operands.size(); ++k)
      if (const size_t v = value_of(operands[k]); v != SIZE_MAX) {
        if (k == work)
          i.work = v;
        else
          i.reads.push_back(v);
      }
    instructions_.push_back(std::move(i));
    return instructions_.size() - 1;
  }

  void uses() {
    for (Value &v : values_) v.writers.clear(), v.readers.clear();
    for (size_t k = 0; k < instructions_.size(); ++k) {
      const Instruction &i = instructions_[k];
      if (i.dropped) continue;
      if (i.writes != SIZE_MAX) values_[i.writes].writers.push_back(k);
      for (const size_t v : i.reads) values_[v].readers.push_back(k);
    }
  }

  // ── what products make of it ──

  // The loops from an item outwards, up to the one whose body holds `outermost`.
  std::vector<size_t> loops_around(size_t item, size_t outermost) const {
    std::vector<size_t> found;
    for (size_t n = items_[item].parent; n != outermost && n; n = items_[n].parent) found.push_back(n);
    return found;
  }
  bool within(size_t item, size_t loop) const {
    for (; item; item = items_[item].parent)
      if (items_[item].parent == loop) return true;
    return loop == 0;
  }
  bool is_zero(const Instruction &i) const {
    if (i.word != "texpands") return false;
    const auto n = constants_.number(i.operands[1]);
    return n && n->as_double() == 0;
  }
  // The index in the body of `loop` (or of the function) that an item is in.
  size_t place_in(size_t item, size_t loop) const {
    while (items_[item].parent != loop) item = items_[item].parent;
    return items_[item].place;
  }

  // A product that adds to what is zero before the loops around it adds up in the accumulator. Else it is added by the
  // vector cores.
  void sums() {
    uses();
    for (size_t k = 0, count = instructions_.size(); k < count; ++k) {
      if (instructions_[k].word != "tmatmul_acc") continue;
      const size_t v = instructions_[k].writes;
      const Value sum = values_[v];
      const size_t zero = sum.writers.size() == 2 ? sum.writers[sum.writers[0] == k] : SIZE_MAX;
      const size_t around = items_[sum.item].parent;
      const bool fits =
          zero != SIZE_MAX && is_zero(instructions_[zero]) && items_[instructions_[zero].item].parent == around &&
          place_in(instructions_[zero].item, around) < place_in(instructions_[k].item, around) &&
          std::all_of(sum.readers.begin(), sum.readers.end(), [&](size_t r) {
            return r == k || place_in(instructions_[r].item, around) > place_in(instructions_[k].item, around);
          });
      if (fits) {
        values_[v].sums = true;
        instructions_[zero].dropped = true;
        std::erase(instructions_[k].reads, v);
        continue;
      }
      // acc += a @ b, apart: an own value for the product, and an addition behind it.
      Value product = sum;
      product.name = c.fresh(sum.name + "_product");
      product.item = instructions_[k].item;
      by_name_[product.name] = values_.size();
      const size_t made = values_.size();
      values_.push_back(product);
      Instruction &i = instructions_[k];
      const Node origin = items_[i.item].node;
      std::erase(i.reads, v);
      i.word = "tmatmul";
      i.writes = made;
      Instruction add;
      add.word = "tadd";
      add.operands = {c.name(sum.name, origin), c.name(sum.name, origin), c.name(product.name, origin)};
      add.writes = v;
      add.reads = {v, made};
      after(i.item, std::move(add), made);
    }
  }
  // Puts an instruction behind an item, and the tile `declared` before it.
  void after(size_t item, Instruction i, size_t declared) {
    const size_t parent = items_[item].parent;
    Item tile{.kind = Item::Kind::tile, .node = items_[item].node, .parent = parent, .what = declared};
    Item add{
        .kind = Item::Kind::instruction, .node = items_[item].node, .parent = parent, .what = instructions_.size()};
    i.item = items_.size() + 1;
    values_[declared].item = items_.size();
    items_.push_back(tile);
    items_.push_back(add);
    instructions_.push_back(std::move(i));
    auto &body = items_[parent].body;
    const auto at = std::find(body.begin(), body.end(), item);
    const auto place = at - body.begin();
    body.insert(body.begin() + place, items_.size() - 2);
    body.insert(body.begin() + place + 2, items_.size() - 1);
    for (size_t k = 0; k < body.size(); ++k) items_[body[k]].place = k;
  }

  Factor factor_of(size_t v, bool casts) const {
    Factor f{v, false};
    for (;;) {
      const Value &value = values_[f.value];
      if (value.writers.size() != 1) return f;
      const Instruction &w = instructions_[value.writers[0]];
      if (w.word != "ttrans" && (w.word != "tcvt" || !casts)) return f;
      const Value &from = values_[w.reads[0]];
      if (from.writers.size() != 1) return f;
      if (w.word == "tcvt" && !(floats(from.word) && value.word == "f32") &&
          !(from.word == "i8" && value.word == "i32"))
        return f;
      f.transposed ^= w.word == "ttrans";
      f.value = w.reads[0];
    }
  }
  // What each product multiplies, before casts that lose nothing and transposes.
  void factors() {
    for (size_t k = 0; k < instructions_.size(); ++k) {
      Instruction &i = instructions_[k];
      if (!i.product()) continue;
      const Node origin = items_[i.item].node;
      if (i.reads.size() != 2) {
        refuse(origin, "a product whose operands are no tiles");
        return;
      }
      Factor left = factor_of(i.reads[0], true), right = factor_of(i.reads[1], true);
      if (values_[left.value].word != values_[right.value].word)
        left = factor_of(i.reads[0], false), right = factor_of(i.reads[1], false);
      const std::string &dtype = values_[left.value].word;
      const bool known = values_[i.writes].word == (dtype == "i8" ? "i32" : "f32") &&
                         (floats(dtype) || dtype == "f32" || dtype == "i8");
      if (dtype != values_[right.value].word || !known) {
        c.report(diag::no_instruction, origin, "tile.matmul", dtype + " by " + values_[right.value].word)
            .hint("multiply f16, bf16 or f32 to f32, and i8 to i32: cast what f16, bf16 or i8 tiles hold, and not what "
                  "was computed");
        return;
      }
      i.reads = {left.value, right.value};
      factors_[k] = {left, right};
    }
    uses();
  }
  // f32 sums that only leave for f16 or bf16 are converted by the store.
  void casts_of_results() {
    for (Instruction &i : instructions_) {
      if (i.dropped || i.word != "tcvt") continue;
      const Value &from = values_[i.reads[0]], &to = values_[i.writes];
      const auto product = [&](size_t w) { return instructions_[w].product(); };
      if (from.word != "f32" || !floats(to.word) || from.writers.size() != 1 || !product(from.writers[0]) ||
          to.writers.size() != 1 || items_[from.item].parent != items_[i.item].parent)
        continue;
      const auto stores = [&](size_t r) {
        return instructions_[r].word == "tstore" && items_[instructions_[r].item].parent == items_[i.item].parent;
      };
      if (to.readers.empty() || !std::all_of(to.readers.begin(), to.readers.end(), stores)) continue;
      for (const size_t r : to.readers) {
        instructions_[r].reads = {i.reads[0]};
        instructions_[r].operands[1] = c.name(from.name, items_[instructions_[r].item].node);
      }
      i.dropped = true;
    }
    uses();
  }
  // What the vector cores cannot cast, and no product takes as it is.
  void casts() {
    for (const Instruction &i : instructions_)
      if (!i.dropped && i.word == "tcvt" && values_[i.reads[0]].word == "i8")
        c.report(diag::no_instruction, items_[i.item].node, "tile.cast", "i8 to " + values_[i.writes].word)
            .hint("i8 goes into products alone, of two tiles that are both cast from it");
  }
  // What nobody reads any more.
  void drop() {
    for (bool changed = true; changed;) {
      changed = false;
      for (Instruction &i : instructions_)
        if (!i.dropped && i.word != "tstore" && i.writes != SIZE_MAX &&
            std::all_of(values_[i.writes].readers.begin(), values_[i.writes].readers.end(), [&](size_t r) {
              return &instructions_[r] == &i || (instructions_[r].writes == i.writes && !instructions_[r].product() &&
                                                 values_[i.writes].readers.size() == 1);
            }))
          i.dropped = changed = true;
      uses();
    }
  }

  // ── turns ──

  // The indices of a load or a store.
  static std::span<const Node> index_of(const Instruction &i) { return std::span(i.operands).subspan(2); }
  // Whether a variable, or that of a loop over blocks of its blocks, is an index by itself.
  bool indexes(Node index, const std::string &variable) const {
    for (std::string name(c.name_of(index)); !name.empty();) {
      if (name == variable) return true;
      const auto it = loops_.find(name);
      if (it == loops_.end() || !items_[it->second].blocks) return false;
      name = std::string(c.name_of(c.get<ast::Call>(items_[it->second].range).args()[0]));
    }
    return false;
  }
  // Whether a tensor is stored before it is loaded, also when loops are cut in between: in the loops that are around
  // both, all of it is indexed by their variables.
  bool stored_first(const std::string &tensor) const {
    std::vector<const Instruction *> stores, loads;
    for (const Instruction &i : instructions_)
      if (i.tensor == tensor && !i.dropped) (i.word == "tstore" ? stores : loads).push_back(&i);
    for (const Instruction *store : stores)
      for (const Instruction *load : loads) {
        size_t common = items_[store->item].parent;
        while (!within(load->item, common)) common = items_[common].parent;
        if (place_in(store->item, common) >= place_in(load->item, common)) return false;
        for (size_t l = common; l; l = items_[l].parent) {
          bool apart = false;
          const auto a = index_of(*store), b = index_of(*load);
          for (size_t d = 0; d < std::min(a.size(), b.size()); ++d)
            apart |= indexes(a[d], items_[l].variable) && indexes(b[d], items_[l].variable);
          if (!apart) return false;
        }
      }
    return true;
  }
  // The turn in which a tensor is complete; unset where nobody writes it.
  int complete(const std::string &tensor) const {
    int turn = unset;
    for (const Instruction &i : instructions_)
      if (i.word == "tstore" && i.tensor == tensor && !i.dropped) turn = std::max(turn, i.turn);
    return turn;
  }

  // Made anew wherever it is needed: a load of what is complete, or a number.
  bool anywhere(const Value &v) const {
    if (v.writers.size() != 1) return false;
    const Instruction &w = instructions_[v.writers[0]];
    return (w.word == "tload" && (!stored_.contains(w.tensor) || first_.contains(w.tensor))) ||
           (w.word == "texpands" && value_of(w.operands[1]) == SIZE_MAX);
  }
  bool turns() {
    for (const std::string &t : stored_)
      if (stored_first(t)) first_.insert(t);
    const int limit = static_cast<int>(2 * instructions_.size() + 4);
    std::map<std::string, int> tensors; // what is loaded and stored is so in one turn
    for (bool changed = true; changed;) {
      changed = false;
      const auto raise = [&](int &turn, int to) {
        if (turn < to) turn = to, changed = true;
      };
      for (Instruction &i : instructions_) {
        if (i.dropped || (i.writes != SIZE_MAX && anywhere(values_[i.writes]))) continue;
        const bool stores_product = i.word == "tstore" && values_[i.reads[0]].turn % 2 == 1;
        const bool cube = i.product() || stores_product;
        int turn = std::max(i.turn, cube ? 1 : 0);
        for (const size_t r : i.reads) {
          const Value &v = values_[r];
          if (anywhere(v)) {
            const Instruction &w = instructions_[v.writers[0]];
            const int done = w.word == "tload" ? complete(w.tensor) : unset;
            if (done != unset) turn = std::max(turn, done + (done % 2 != (cube ? 1 : 0) || i.product()));
            continue;
          }
          if (v.turn == unset) continue;
          const bool same = v.turn % 2 == (cube ? 1 : 0) && !(cube && i.product());
          turn = std::max(turn, same ? v.turn : v.turn % 2 == (cube ? 1 : 0) ? v.turn + 2 : v.turn + 1);
        }
        if (i.writes != SIZE_MAX) turn = std::max(turn, values_[i.writes].turn);
        if (!i.tensor.empty() && stored_.contains(i.tensor) && !first_.contains(i.tensor) && loaded(i.tensor) && !cube)
          turn = std::max(turn, tensors[i.tensor]);
        if (turn % 2 != (cube ? 1 : 0)) ++turn;
        raise(i.turn, turn);
        if (i.writes != SIZE_MAX) raise(values_[i.writes].turn, i.turn);
        if (!i.tensor.empty() && stored_.contains(i.tensor) && !first_.contains(i.tensor) && loaded(i.tensor))
          raise(tensors[i.tensor], i.turn);
        if (turn > limit)
          return refuse(items_[i.item].node, "products that need what later ones in the same loop are computed from");
      }
    }
    later();
    return true;
  }
  // What is made of what is anywhere alone waits until it is needed.
  void later() {
    std::set<size_t> free;
    const auto is_free = [&](size_t v) { return anywhere(values_[v]) || free.contains(v); };
    for (const Instruction &i : instructions_)
      if (!i.dropped && i.writes != SIZE_MAX && !i.product() && i.tensor.empty() &&
          values_[i.writes].writers.size() == 1 && std::all_of(i.reads.begin(), i.reads.end(), is_free))
        free.insert(i.writes);
    for (size_t k = instructions_.size(); k-- > 0;) {
      Instruction &i = instructions_[k];
      if (i.dropped || i.writes == SIZE_MAX || !free.contains(i.writes)) continue;
      int turn = INT_MAX;
      for (const size_t r : values_[i.writes].readers) turn = std::min(turn, instructions_[r].turn);
      if (turn != INT_MAX && turn - turn % 2 > i.turn) i.turn = values_[i.writes].turn = turn - turn % 2;
    }
  }
  bool loaded(const std::string &tensor) const {
    return std::any_of(instructions_.begin(), instructions_.end(),
                       [&](const Instruction &i) { return i.word == "tload" && i.tensor == tensor; });
  }

  // ── what lies between kernels ──

  bool memories() {
    for (Value &v : values_) {
      if (v.writers.empty() || anywhere(v)) continue;
      const size_t around = items_[v.item].parent;
      for (const size_t r : v.readers) {
        const Instruction &i = instructions_[r];
        if (i.turn == v.turn) continue;
        v.crosses = std::min(v.crosses, place_in(i.item, around));
      }
      if (v.crosses == SIZE_MAX) continue;
      for (const size_t w : v.writers)
        if (place_in(instructions_[w].item, around) >= v.crosses)
          return refuse(items_[v.item].node,
                        "`" + v.name + "`, which goes on from one iteration to the next, on both kinds of cores");
      if (!between(v)) return false;
    }
    return true;
  }
  std::string extent_text(Node n) const {
    const auto number = constants_.integer(n);
    return number ? std::to_string(*number) : c.show(n);
  }
  // The extent that a block is of: of the dimension that the outermost of the loops over it runs along.
  std::string whole_of(const std::string &block) const {
    const auto it = loops_.find(block);
    if (it == loops_.end()) return block;
    const Item &l = items_[it->second];
    return whole_of(extent_text(c.get<ast::Call>(l.range).args()[0]));
  }
  bool between(Value &v) {
    if (!dtype_named(v.word)) return refuse(items_[v.item].node, "a mask that goes from one kernel to another");
    v.memory = c.fresh(v.name + "_gm");
    std::vector<size_t> loops = loops_around(v.item, 0);
    std::reverse(loops.begin(), loops.end());
    const auto has = [&](const std::string &variable) {
      // of an inner block the place says where the outer one is
      for (const Node e : v.extents)
        for (std::string name(c.name_of(e)); loops_.contains(name);) {
          if (name == variable) return true;
          const Item &l = items_[loops_.at(name)];
          if (!l.blocks) break;
          name = std::string(c.name_of(c.get<ast::Call>(l.range).args()[0]));
        }
      return false;
    };
    for (const size_t n : loops) {
      const Item &l = items_[n];
      const Nodes a = c.get<ast::Call>(l.range).args();
      if (!l.blocks) {
        v.dims.push_back(extent_text(a[a.size() > 1]));
        v.index.push_back(l.variable);
      } else if (!has(l.variable)) {
        const int64_t size = constants_.integer(a[1]).value_or(1);
        const std::string extent = whole_of(l.variable);
        const auto number = constants_.integer(a[0]);
        const std::string times = std::to_string(size);
        v.dims.push_back(number      ? std::to_string((*number + size - 1) / size)
                         : size == 1 ? extent
                                     : "(" + extent + " + " + std::to_string(size - 1) + ") // " + times);
        v.index.push_back(size == 1 ? l.variable + ".start" : l.variable + ".start // " + times);
        if (const auto outer = loops_.find(c.name_of(a[0])); outer != loops_.end() && items_[outer->second].blocks) {
          const auto step = constants_.integer(c.get<ast::Call>(items_[outer->second].range).args()[1]);
          if (!step || *step % size)
            return refuse(l.range, "blocks of " + times +
                                       " within blocks that are no multiple of them, of a value that goes from one "
                                       "kind of core to the other");
        }
      }
    }
    for (const Node e : v.extents) {
      const std::string text = extent_text(e);
      const bool block = loops_.contains(text);
      v.dims.push_back(block ? whole_of(text) : text);
      v.index.push_back(block ? text : "pto.whole");
    }
    return v.dims.size() <= 5 || refuse(items_[v.item].node, "`" + v.name + "` in more than five loops and dimensions");
  }
  Node memory(const Value &v) {
    const Node origin = items_[v.item].node;
    std::vector<uint32_t> parts{copy_of(c, v.dtype, origin)};
    for (const std::string &d : v.dims) parts.push_back(c.parse(d, origin));
    return c.assign(v.memory, HTP_NONE, c.call("pto.gm", std::move(parts), origin), origin);
  }

  // ── kernels ──

  Node kernel(bool cube, std::vector<uint32_t> body) {
    std::vector<uint32_t> kind;
    if (cube) kind.push_back(c.string_node("aic", function_));
    const Node item =
        c.make(make::withitem{.context_expr = c.call("pto.one_by_one", std::move(kind), function_)}, function_);
    return c.make(make::With{.items = {item}, .body = std::move(body)}, function_);
  }
  Node statement(const std::string &word, std::vector<uint32_t> operands, Node origin) {
    return c.statement(c.call("pto." + word, std::move(operands), origin), origin);
  }

  // What of a loop's body belongs to this turn.
  std::vector<uint32_t> block(size_t loop) {
    std::vector<uint32_t> out;
    const std::vector<size_t> body = items_[loop].body;
    bool worth = false;
    for (size_t place = 0; place < body.size(); ++place) {
      worth |= across(loop, place, out);
      const Item item = items_[body[place]];
      switch (item.kind) {
      case Item::Kind::tile: declared(item.what, out); break;
      case Item::Kind::integer:
        out.push_back(c.assign(c.name_of(c.get<ast::Assign>(item.node).targets()[0]), HTP_NONE,
                               copy_of(c, c.get<ast::Assign>(item.node).value(), item.node), item.node));
        break;
      case Item::Kind::instruction: worth |= instruction_here(item.what, out); break;
      case Item::Kind::loop: {
        auto inner = block(body[place]);
        if (inner.empty()) break;
        worth = true;
        out.push_back(repeat(item, std::move(inner)));
      }
      }
    }
    if (!worth) out.clear();
    return out;
  }
  Node repeat(const Item &l, std::vector<uint32_t> body) {
    return c.make(make::For{.target = c.name(l.variable, l.node, HTP_STORE),
                            .iter = copy_of(c, l.range, l.node),
                            .body = std::move(body)},
                  l.node);
  }

  bool needed_here(const Value &v) const {
    return std::any_of(v.readers.begin(), v.readers.end(), [&](size_t r) { return instructions_[r].turn == turn_; });
  }
  // Stores what later turns need, and loads what earlier ones made.
  bool across(size_t loop, size_t place, std::vector<uint32_t> &out) {
    bool worth = false;
    for (size_t k = 0; k < values_.size(); ++k) {
      const Value &v = values_[k];
      if (v.crosses != place || items_[v.item].parent != loop) continue;
      const Node origin = items_[v.item].node;
      if (v.turn == turn_) {
        std::vector<uint32_t> operands{c.name(v.memory, origin), c.name(v.name, origin)};
        for (const std::string &i : v.index) operands.push_back(c.parse(i, origin));
        out.push_back(statement("tstore", std::move(operands), origin));
        worth = true;
      } else if (v.turn < turn_ && needed_here(v)) {
        load(
            k, v.memory, [&](size_t d) { return c.parse(v.index[d], origin); }, v.index.size(), origin, out);
        worth = true;
      }
    }
    return worth;
  }
  // To a tile of a vector core, or to mat tiles, one each for how products see it.
  void load(size_t k, const std::string &tensor, const auto &index, size_t count, Node origin,
            std::vector<uint32_t> &out) {
    const Value &v = values_[k];
    const auto into = [&](const std::string &tile) {
      std::vector<uint32_t> operands{c.name(tile, origin), c.name(tensor, origin)};
      for (size_t d = 0; d < count; ++d) operands.push_back(index(d));
      out.push_back(statement("tload", std::move(operands), origin));
    };
    if (turn_ % 2 == 0) {
      declare_here(k, out);
      return into(v.name);
    }
    for (const bool transposed : {false, true})
      if (multiplied(k, transposed) && !in_steps(k)) {
        const std::string name = c.fresh(v.name + "_mat");
        mats_[{k, transposed}] = name;
        const auto [rows, columns] = matrix(v, transposed);
        tile(name, v, rows, columns, "mat", transposed, origin, out);
        into(name);
      }
  }
  bool multiplied(size_t k, bool transposed) const {
    for (const auto &[n, two] : factors_)
      for (const Factor &f : {two.first, two.second})
        if (f.value == k && f.transposed == transposed && instructions_[n].turn == turn_) return true;
    return false;
  }
  // A tile stands where the program has it in the kernel that writes it.
  void declared(size_t k, std::vector<uint32_t> &out) {
    const Value &v = values_[k];
    if (v.turn != turn_ || v.writers.empty() || anywhere(v)) return;
    Product p;
    if (!instructions_[v.writers[0]].product())
      declare_here(k, out);
    else if (shape(v.writers[0], p))
      tile(v.name, v, p.rows, p.columns, "acc", false, items_[v.item].node, out);
  }
  void declare_here(size_t k, std::vector<uint32_t> &out) {
    if (!tiles_.insert(k).second) return;
    const Value &v = values_[k];
    const Node origin = items_[v.item].node;
    std::vector<uint32_t> parts{copy_of(c, v.dtype, origin)};
    for (const Node e : v.extents) parts.push_back(copy_of(c, e, origin));
    out.push_back(c.assign(v.name, HTP_NONE, c.call("pto.tile", std::move(parts), origin), origin));
  }
  void tile(const std::string &name, const Value &like, const std::string &rows, const std::string &columns,
            const char *space, bool transposed, Node origin, std::vector<uint32_t> &out) {
    std::vector<uint32_t> words{c.make(make::keyword{.arg = "space", .value = c.string_node(space, origin)}, origin)};
    if (transposed)
      words.push_back(c.make(make::keyword{.arg = "layout", .value = c.string_node("zn", origin)}, origin));
    out.push_back(
        c.assign(name, HTP_NONE,
                 c.call("pto.tile", {copy_of(c, like.dtype, origin), c.parse(rows, origin), c.parse(columns, origin)},
                        origin, std::move(words)),
                 origin));
  }
  // Rows and columns of a matrix: the last two extents. Those before are 1.
  std::pair<std::string, std::string> matrix(const Value &v, bool transposed) const {
    const size_t n = v.extents.size();
    std::pair two{n > 1 ? extent_text(v.extents[n - 2]) : "1", extent_text(v.extents[n - 1])};
    if (transposed) std::swap(two.first, two.second);
    return two;
  }

  bool instruction_here(size_t n, std::vector<uint32_t> &out) {
    const Instruction i = instructions_[n];
    const Node origin = items_[i.item].node;
    if (i.dropped) return false;
    if (i.writes != SIZE_MAX && anywhere(values_[i.writes])) {
      if (!needed_here(values_[i.writes])) return false;
      if (i.word == "tload")
        load(
            i.writes, i.tensor, [&](size_t d) { return copy_of(c, i.operands[d + 2], origin); }, i.operands.size() - 2,
            origin, out);
      else
        declare_here(i.writes, out), out.push_back(copy(i, origin));
      return true;
    }
    if (i.turn != turn_) return false;
    if (i.product()) {
      product(n, out);
      return true;
    }
    if (i.work != SIZE_MAX) declare_here(i.work, out);
    out.push_back(copy(i, origin));
    return true;
  }
  Node copy(const Instruction &i, Node origin) {
    std::vector<uint32_t> operands;
    for (const Node o : i.operands) operands.push_back(copy_of(c, o, origin));
    return statement(i.word, std::move(operands), origin);
  }

  // ── products ──

  // The most that an extent may be; nothing where it is not known.
  std::optional<int64_t> most(const std::string &extent) const {
    const auto it = loops_.find(extent);
    if (it == loops_.end()) {
      const Node n = c.parse(extent, function_);
      return constants_.integer(n);
    }
    const Nodes a = c.get<ast::Call>(items_[it->second].range).args();
    const auto size = constants_.integer(a[1]), of = most(extent_text(a[0]));
    return size && of ? std::min(*size, *of) : size;
  }
  static int64_t box(const DType &dtype) { return dtype.bytes == 1 ? 32 : 16; }
  static int64_t up(int64_t n, int64_t step) { return (n + step - 1) / step * step; }

  struct Product {
    Factor left, right;
    std::string rows, sum, columns; // m, k, n
    int64_t step = 0;               // of the sum that fits in L0 at once, twice; 0: all of it
    bool open = false;              // how long the sum is is not known: its parts are loaded one by one
  };
  bool shape(size_t n, Product &p) {
    const Instruction &i = instructions_[n];
    const Node origin = items_[i.item].node;
    std::tie(p.left, p.right) = factors_.at(n);
    std::tie(p.rows, p.sum) = matrix(values_[p.left.value], p.left.transposed);
    p.columns = matrix(values_[p.right.value], p.right.transposed).second;
    for (const size_t v : {p.left.value, p.right.value, i.writes})
      for (size_t d = 0; d + 2 < values_[v].extents.size(); ++d)
        if (extent_text(values_[v].extents[d]) != "1") {
          c.report(diag::too_many_dimensions, origin, "`" + values_[v].name + "`");
          return false;
        }
    const DType &dtype = *dtype_named(values_[p.left.value].word);
    const auto rows = most(p.rows), columns = most(p.columns), sum = most(p.sum);
    for (const auto &[extent, known] : {std::pair(p.rows, rows), std::pair(p.columns, columns)})
      if (!known) {
        c.report(diag::unsupported_form, origin, "a product of which `" + extent + "` rows or columns are made at once")
            .hint("compute it in blocks whose size is known: `tiles(" + extent + ", 128)`");
        return false;
      }
    const int64_t widest = up(std::max(*rows, *columns), box(dtype)) * dtype.bytes * 2;
    const int64_t fits = std::max(capacity_of("left") / widest / box(dtype), int64_t{1}) * box(dtype);
    p.open = !sum;
    if (!sum || up(*sum, box(dtype)) > fits) {
      p.step = box(dtype);
      while (p.step * 2 <= fits && p.step < 256) p.step *= 2;
    }
    return true;
  }
  // Whether some product takes this value part by part.
  bool in_steps(size_t k) {
    for (const auto &[n, two] : factors_) {
      if (instructions_[n].turn != turn_ || (two.first.value != k && two.second.value != k)) continue;
      Product p;
      if (!shape(n, p)) return false;
      if (p.open) return true;
    }
    return false;
  }

  void product(size_t n, std::vector<uint32_t> &out) {
    Product p;
    if (!shape(n, p)) return;
    const Instruction &i = instructions_[n];
    const Node origin = items_[i.item].node;
    const Value &result = values_[i.writes];
    const std::string part = p.step ? c.fresh(p.open ? "k_part" : "k_step") : p.sum;
    std::vector<uint32_t> body;
    const auto operand = [&](const Factor &f, bool left) {
      const Value &v = values_[f.value];
      const std::string rows = left ? p.rows : part, columns = left ? part : p.columns;
      std::string mat;
      if (p.open) {
        mat = c.fresh(v.name + "_mat");
        tile(mat, v, rows, columns, "mat", f.transposed, origin, body);
        body.push_back(part_of(f, left, mat, part, origin));
      } else {
        mat = mats_.at({f.value, f.transposed});
      }
      const std::string name = c.fresh(v.name + (left ? "_left" : "_right"));
      tile(name, v, rows, columns, left ? "left" : "right", false, origin, body);
      std::vector<uint32_t> operands{c.name(name, origin), c.name(mat, origin)};
      if (p.step && !p.open) {
        const Node at = c.parse(part + ".start" + (loops_.contains(p.sum) ? " - " + p.sum + ".start" : ""), origin);
        const Node zero = c.integer_node(0, origin);
        operands.push_back(left ? zero : at);
        operands.push_back(left ? at : zero);
        body.push_back(statement("textract", std::move(operands), origin));
      } else {
        body.push_back(statement("tmov", std::move(operands), origin));
      }
      return name;
    };
    const std::string left = operand(p.left, true), right = operand(p.right, false);
    // The first product of a sum writes, the others add.
    std::vector<std::string> first;
    if (p.step)
      first.push_back(part + ".start == " + (loops_.contains(p.sum) && !result.sums ? p.sum + ".start" : "0"));
    if (result.sums) {
      std::set<size_t> seen;
      if (p.step && loops_.contains(p.sum)) seen.insert(loops_.at(p.sum));
      for (const size_t l : loops_around(i.item, items_[result.item].parent)) {
        const Item &loop = items_[l];
        const Nodes a = c.get<ast::Call>(loop.range).args();
        const auto outer = loop.blocks ? loops_.find(c.name_of(a[0])) : loops_.end();
        if (!seen.contains(l)) {
          const bool inner = outer != loops_.end() && !within(outer->second, items_[result.item].parent);
          first.push_back(!loop.blocks ? loop.variable + " == " + (a.size() > 1 ? extent_text(a[0]) : "0")
                                       : loop.variable + ".start == " + (inner ? outer->first + ".start" : "0"));
        }
        if (outer != loops_.end()) seen.insert(outer->second);
      }
    }
    const auto multiply = [&](const char *word) {
      return statement(word, {c.name(result.name, origin), c.name(left, origin), c.name(right, origin)}, origin);
    };
    std::string condition;
    for (const std::string &f : first) condition += (condition.empty() ? "" : " and ") + f;
    if (first.empty())
      body.push_back(multiply("tmatmul"));
    else
      body.push_back(c.make(make::If{.test = c.parse(condition, origin),
                                     .body = {multiply("tmatmul")},
                                     .orelse = {multiply("tmatmul_acc")}},
                            origin));
    if (!p.step) {
      out.insert(out.end(), body.begin(), body.end());
      return;
    }
    const Node range = c.call(imports_.name("htp_tile", "tiles", "tile"),
                              {c.parse(p.sum, origin), c.integer_node(p.step, origin)}, origin);
    out.push_back(
        c.make(make::For{.target = c.name(part, origin, HTP_STORE), .iter = range, .body = std::move(body)}, origin));
  }
  // A part of a factor, straight from its tensor.
  Node part_of(const Factor &f, bool left, const std::string &mat, const std::string &part, Node origin) {
    const Value &v = values_[f.value];
    const Instruction *load = anywhere(v) ? &instructions_[v.writers[0]] : nullptr;
    std::vector<uint32_t> operands{c.name(mat, origin), load ? c.name(load->tensor, origin) : c.name(v.memory, origin)};
    const size_t count = load ? load->operands.size() - 2 : v.index.size();
    // The sum runs along the columns of the left one, and the rows of the right one.
    const size_t along = (left != f.transposed) ? count - 1 : count - 2;
    for (size_t d = 0; d < count; ++d) {
      const Node index = load ? copy_of(c, load->operands[d + 2], origin) : c.parse(v.index[d], origin);
      operands.push_back(d == along ? c.name(part, origin) : index);
    }
    return statement("tload", std::move(operands), origin);
  }

  const Context &c;
  Names names_;
  sdk::Constants constants_;
  Node function_;
  Imports imports_;
  std::vector<Item> items_; // the first is the function
  std::vector<Value> values_;
  std::vector<Instruction> instructions_;
  std::map<std::string, size_t, std::less<>> by_name_, loops_;
  std::set<std::string, std::less<>> stored_, first_; // first_: and loaded only then
  std::vector<Node> buffers_;
  std::map<size_t, std::pair<Factor, Factor>> factors_;
  std::map<std::pair<size_t, bool>, std::string> mats_;
  std::set<size_t> tiles_; // declared in the kernel that is written
  int turn_ = 0;
};

} // namespace

Result split(const Context &c, Node root, Node &out) {
  const Node function = c.entry_function(root);
  if (!function) {
    c.report(diag::no_entry, HTP_NONE, c.entry());
    return HTP_FAILED;
  }
  Splitting splitting(c, root, function);
  const Node changed = splitting.run();
  if (!changed || c.errors()) return HTP_FAILED;
  out = splitting.imported(with_statement(c, root, function, changed));
  return HTP_OK;
}

} // namespace htp::a2a3

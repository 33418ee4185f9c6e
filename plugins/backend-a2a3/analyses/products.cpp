// What products make of a program before its turns are known: what adds up in an accumulator, and which casts and
// transposes are left to the way there.
#include "analyses/turns.h"

#include <algorithm>

namespace htp::a2a3 {

std::vector<size_t> TurnFinder::loops_around(size_t item, size_t outermost) const {
  std::vector<size_t> found;
  for (size_t n = items_[item].parent; n != outermost && n; n = items_[n].parent)
    if (items_[n].kind == Item::Kind::loop) found.push_back(n);
  return found;
}

bool TurnFinder::within(size_t item, size_t loop) const {
  for (; item; item = items_[item].parent)
    if (items_[item].parent == loop) return true;
  return loop == 0;
}

bool TurnFinder::is_zero(const Instruction &i) const {
  if (i.name != "texpands") return false;
  const auto n = constants_.number(i.operands[1]);
  return n && n->as_double() == 0;
}

size_t TurnFinder::place_in(size_t item, size_t loop) const {
  while (items_[item].parent != loop) item = items_[item].parent;
  return items_[item].place;
}

bool TurnFinder::adds_up(size_t k) const {
  const Value &sum = values_[instructions_[k].writes];
  const size_t zero = zero_of(k), around = items_[sum.item].parent;
  bool always = true; // no branch leaves the product out
  for (size_t n = items_[instructions_[k].item].parent; n != around && n; n = items_[n].parent)
    always &= items_[n].kind != Item::Kind::branch;
  return always && zero != SIZE_MAX && is_zero(instructions_[zero]) &&
         items_[instructions_[zero].item].parent == around &&
         place_in(instructions_[zero].item, around) < place_in(instructions_[k].item, around) &&
         std::all_of(sum.readers.begin(), sum.readers.end(), [&](size_t r) {
           return r == k || place_in(instructions_[r].item, around) > place_in(instructions_[k].item, around);
         });
}

size_t TurnFinder::zero_of(size_t k) const {
  const std::vector<size_t> &writers = values_[instructions_[k].writes].writers;
  return writers.size() == 2 ? writers[writers[0] == k] : SIZE_MAX;
}

bool TurnFinder::sums() {
  uses();
  for (size_t k = 0; k < instructions_.size(); ++k) {
    Instruction &i = instructions_[k];
    if (i.name != "tmatmul_acc") continue;
    if (!adds_up(k)) {
      c.report(diag::not_rewritten, items_[i.item].node, "a2a3.split_accumulations");
      return false;
    }
    Instruction &zero = instructions_[zero_of(k)];
    zero.dropped = true, zero.product = k;
    std::erase(i.reads, i.writes);
  }
  return true;
}

bool TurnFinder::same(const Value &a, const Value &b) const {
  return a.element == b.element && std::equal(a.extents.begin(), a.extents.end(), b.extents.begin(), b.extents.end(),
                                              [&](Node x, Node y) { return extent_text(x) == extent_text(y); });
}

MatrixOperand TurnFinder::operand_of(size_t v, bool casts) const {
  MatrixOperand f{v};
  for (;;) {
    const Value &value = values_[f.value];
    if (value.writers.size() != 1) return f;
    const Instruction &w = instructions_[value.writers[0]];
    if (w.name != "ttrans" && w.name != "tmov" && (w.name != "tcvt" || !casts)) return f;
    const Value &from = values_[w.reads[0]];
    if (from.writers.size() != 1 || (w.name == "tmov" && !same(from, value))) return f;
    if (w.name == "tcvt" && !(floats(from.element) && value.element == "f32") &&
        !(from.element == "i8" && value.element == "i32"))
      return f;
    f.way.insert(f.way.begin(), value.writers[0]);
    f.value = w.reads[0];
  }
}

void TurnFinder::factors() {
  for (size_t k = 0; k < instructions_.size(); ++k) {
    Instruction &i = instructions_[k];
    if (!i.multiplies()) continue;
    const Node origin = items_[i.item].node;
    if (i.reads.size() != 2) {
      const bool left = value_of(i.operands[1]) != SIZE_MAX;
      refuse(origin,
             Refusal(diag::operand_kind, left ? "right" : "left", i.name, c.show(i.operands[left ? 2 : 1]), "tile"));
      return;
    }
    MatrixOperand left = operand_of(i.reads[0], true), right = operand_of(i.reads[1], true);
    if (values_[left.value].element != values_[right.value].element)
      left = operand_of(i.reads[0], false), right = operand_of(i.reads[1], false);
    const std::string &dtype = values_[left.value].element;
    const bool known = values_[i.writes].element == (dtype == "i8" ? "i32" : "f32") &&
                       (floats(dtype) || dtype == "f32" || dtype == "i8");
    if (dtype != values_[right.value].element || !known) {
      c.report(diag::product_dtypes, origin, dtype, values_[right.value].element);
      return;
    }
    i.reads = {left.value, right.value};
    values_[left.value].multiplied = values_[right.value].multiplied = true;
    operands_[k] = {left, right};
  }
  uses();
}

void TurnFinder::casts_of_results() {
  for (Instruction &i : instructions_) {
    if (i.dropped || i.name != "tcvt") continue;
    const Value &from = values_[i.reads[0]], &to = values_[i.writes];
    const auto product = [&](size_t w) { return instructions_[w].multiplies(); };
    if (from.element != "f32" || !floats(to.element) || from.writers.size() != 1 || !product(from.writers[0]) ||
        to.writers.size() != 1 || items_[from.item].parent != items_[i.item].parent)
      continue;
    const auto stores = [&](size_t r) {
      return instructions_[r].name == "tstore" && items_[instructions_[r].item].parent == items_[i.item].parent;
    };
    if (to.readers.empty() || !std::all_of(to.readers.begin(), to.readers.end(), stores)) continue;
    for (const size_t r : to.readers) instructions_[r].reads = {i.reads[0]};
    i.dropped = true, i.product = from.writers[0];
  }
  uses();
}

void TurnFinder::casts() {
  for (const Instruction &i : instructions_)
    if (!i.dropped && i.name == "tcvt" && values_[i.reads[0]].element == "i8" && values_[i.writes].element == "i32")
      c.report(diag::conversion, items_[i.item].node, "tile.cast", "i8", values_[i.writes].element)
          .hint("cast i8 for products alone, both of whose operands are cast from it");
}

void TurnFinder::drop() {
  for (bool changed = true; changed;) {
    changed = false;
    for (Instruction &i : instructions_)
      if (!i.dropped && i.name != "tstore" && i.writes != SIZE_MAX &&
          std::all_of(values_[i.writes].readers.begin(), values_[i.writes].readers.end(), [&](size_t r) {
            return &instructions_[r] == &i || (instructions_[r].writes == i.writes && !instructions_[r].multiplies() &&
                                               values_[i.writes].readers.size() == 1);
          }))
        i.dropped = changed = true;
    uses();
  }
}

} // namespace htp::a2a3

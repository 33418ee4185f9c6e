#include "analyses/program.h"

#include <algorithm>
#include <set>

namespace htp::aie {

namespace {
constexpr DType dtypes[] = {{"f32", "f32", 4, true},  {"bf16", "bf16", 2, true}, {"i32", "i32", 4, false},
                            {"i16", "i16", 2, false}, {"i8", "i8", 1, false},    {"bool_", "i8", 1, false}};
} // namespace

const DType *dtype_named(std::string_view name) {
  for (const DType &d : dtypes)
    if (d.name == name) return &d;
  return nullptr;
}

std::vector<std::pair<int64_t, int64_t>> Stream::rows_in_order() const {
  if (!blocked()) return order;
  const size_t n = order.size();
  auto rows = order;
  rows.resize(n - 4);
  rows.push_back({order[n - 4].first * order[n - 2].first, order[n - 2].second});
  rows.push_back({order[n - 3].first * order[n - 1].first, order[n - 1].second});
  return rows;
}

bool spreads(const std::vector<int64_t> &from, const std::vector<int64_t> &to) {
  if (from.size() > to.size()) return false;
  for (size_t k = 0; k < from.size(); ++k)
    if (const int64_t size = from[from.size() - 1 - k]; size != 1 && size != to[to.size() - 1 - k]) return false;
  return true;
}

bool compares(std::string_view operation) {
  return operation == "lt" || operation == "le" || operation == "gt" || operation == "ge" || operation == "eq" ||
         operation == "ne";
}

const DType &computes_in(const DType &dtype) { return dtype.real ? dtypes[0] : dtype; }

int64_t count(const std::vector<int64_t> &extents) { return layout::product_of(extents); }

std::string tuple(const std::vector<int64_t> &items) {
  std::string text = "(";
  for (const int64_t n : items) text += (text.size() > 1 ? ", " : "") + std::to_string(n);
  return text + (items.size() == 1 ? ",)" : ")");
}

int64_t Stream::blocks() const {
  int64_t moved = 1;
  for (const auto &[size, stride] : order) moved *= size;
  return moved / count(block);
}

std::vector<const Parameter *> Program::handed() const {
  std::set<std::string_view> packed;
  for (const Parameter &q : parameters)
    for (const PackedTensor &slice : q.packed) packed.insert(slice.tensor);
  for (const Stream &s : streams)
    if (s.tensor) packed.erase(s.tensor->name);
  std::vector<const Parameter *> found;
  for (const Parameter &q : parameters)
    if (!packed.contains(q.name) && !q.scalar) found.push_back(&q);
  return found;
}

const Core *Program::core_named(std::string_view core) const {
  for (const Core &one : cores)
    if (one.name == core) return &one;
  return nullptr;
}

std::vector<const Stream *> Program::linked(const Stream &s) const {
  if (s.link.empty()) return {&s};
  std::vector<const Stream *> all;
  for (const Stream &other : streams)
    if (other.link == s.link) all.push_back(&other);
  return all;
}

bool Program::linked_at_core(const Stream &s) const {
  const std::vector<const Stream *> all = linked(s);
  return all.size() > 1 && all[0]->consumers == all[1]->consumers && all[0]->producer == all[1]->producer;
}

int64_t Program::offset_in_link(const Stream &s) const {
  int64_t at = 0;
  for (const Stream *other : linked(s)) {
    if (other == &s) break;
    at += count(other->block);
  }
  return at;
}

std::vector<std::pair<int64_t, int64_t>> Program::order_of(const Stream &s) const {
  const std::vector<const Stream *> all = linked(s);
  if (!linked_at_shim(s) || all.size() == 1) return s.rows_in_order();
  // Behind the loops, and before what a block has, one stream's after the other's.
  std::vector<std::pair<int64_t, int64_t>> around = s.rows_in_order(), part;
  for (int64_t rest = count(s.block); rest > 1 && !around.empty();) {
    auto &[size, stride] = around.back();
    const int64_t of = std::min(size, rest);
    part.insert(part.begin(), {of, stride});
    rest /= of;
    if (size > of)
      size /= of, stride *= of;
    else
      around.pop_back();
  }
  around.push_back({static_cast<int64_t>(all.size()), all[1]->start - s.start});
  around.insert(around.end(), part.begin(), part.end());
  return around;
}

bool names_something(const Program &p, std::string_view name) {
  return std::any_of(p.streams.begin(), p.streams.end(), [&](const Stream &s) { return s.name == name; }) ||
         std::any_of(p.externals.begin(), p.externals.end(), [&](const External &e) { return e.name == name; });
}

int64_t Program::ahead(const Stream &s) const {
  if (std::none_of(streams.begin(), streams.end(), [](const Stream &other) { return other.by_row; })) return s.depth;
  return s.feeds && !s.by_row ? 4 : 2; // strips of rows come more often than blocks of columns
}

bool Program::beside(const Stream &s) const {
  if (s.tensor || s.consumers.size() != 1) return false;
  const Core *a = core_named(s.producer), *b = core_named(s.consumers[0]);
  return a && b && a->column >= 0 && std::abs(a->column - b->column) + std::abs(a->row - b->row) == 1;
}

int64_t Program::rounds() const {
  const auto acquired = [](const auto &self, const std::vector<Statement> &body, std::set<const Stream *> &of) -> void {
    for (const Statement &s : body) {
      if (s.kind == Statement::Kind::acquire) of.insert(s.stream);
      self(self, s.body, of);
    }
  };
  const auto turning = std::count_if(streams.begin(), streams.end(), [](const Stream &s) { return !s.once; });
  int64_t times = 1;
  for (const std::vector<Statement> *body = &cores.front().body; body;) {
    const Statement *around = nullptr;
    for (const Statement &s : *body) {
      if (s.kind != Statement::Kind::loop) continue;
      std::set<const Stream *> of;
      acquired(acquired, s.body, of);
      if (s.node == HTP_NONE || static_cast<int64_t>(of.size()) == turning) around = &s;
    }
    if (around && __builtin_mul_overflow(times, around->times, &times)) return INT64_MAX;
    body = around ? &around->body : nullptr;
  }
  return times;
}

Refuse refusing(const Context &c) {
  return [&c](Node where, const Refusal &why) { why.report(c, where); };
}

} // namespace htp::aie

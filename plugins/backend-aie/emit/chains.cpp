// Operations on single elements that follow one another are one loop: what one makes the next has in a register. The
// last dimensions go by vectors of as many elements as a register holds, and what is left over of them by elements.
#include "computing.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace htp::aie {

namespace {

bool by_elements(const Statement &s) {
  return s.kind == Statement::Kind::call && !s.external && !s.name.starts_with("reduce_") && s.name != "matmul" &&
         s.name != "mmul" && s.name != "transpose" && s.name != "unpack";
}
// A copy between extents that only count alike.
bool in_order(const Statement &s) {
  return s.name == "copy" && s.operands[0].tile && !spreads(s.operands[0].tile->extents, s.tile->extents);
}
// How many elements a register holds of the widest; any number of masks.
constexpr int64_t any = 0;
int64_t lanes_of(const Statement &s) {
  int64_t bytes = 0;
  const auto count_in = [&](const Tile *t) {
    if (t && t->dtype->name != "bool_") bytes = std::max(bytes, t->dtype->bytes);
  };
  count_in(s.tile);
  for (const Operand &o : s.operands) count_in(o.tile);
  return bytes ? register_bytes / bytes : any;
}

int64_t extent_at(const Tile &t, const std::vector<int64_t> &to, size_t dim) {
  const size_t missing = to.size() - t.extents.size();
  return dim < missing ? 1 : t.extents[dim - missing];
}
// Whether an operand goes as the target does in the dimensions from `first` on, or stays.
bool goes(const Tile &t, const std::vector<int64_t> &to, size_t first) {
  for (size_t dim = first; dim < to.size(); ++dim)
    if (to[dim] != 1 && extent_at(t, to, dim) != 1) return true;
  return false;
}
int64_t length_of(const std::vector<int64_t> &to, size_t first) {
  return count({to.begin() + static_cast<std::ptrdiff_t>(first), to.end()});
}

// An operand that goes along some of the dimensions of a run and stays in others, as a bias does along rows of blocks:
// what it has for a register of the target's lies together, and is spread over the register.
struct Mixed {
  struct Term { // (index >> shift & mask) * stride; -1: no mask
    int64_t shift, mask, stride;
  };
  std::vector<Term> terms;
  std::vector<int64_t> lanes; // which of the elements from there on each lane has
  int64_t elements = 0;
};
int64_t log_of(int64_t n) { // -1: it is no power of two
  const auto bits = static_cast<uint64_t>(n);
  return std::has_single_bit(bits) ? std::countr_zero(bits) : -1;
}
std::optional<Mixed> mixed(const Tile &t, const std::vector<int64_t> &to, size_t first, int64_t lanes) {
  const int64_t length = length_of(to, first);
  if (lanes <= 1 || length % lanes) return std::nullopt;
  struct Part {
    int64_t inner, extent, stride;
  };
  std::vector<Part> parts;
  Mixed made;
  int64_t inner = 1, stride = 1;
  for (size_t dim = to.size(); dim-- > first; inner *= to[dim]) {
    if (to[dim] == 1 || extent_at(t, to, dim) == 1) continue;
    const bool last = inner * to[dim] == length;
    const int64_t shift = log_of(inner), bits = log_of(to[dim]);
    if (shift < 0 || (bits < 0 && !last)) return std::nullopt;
    if (lanes % (inner * to[dim])) made.terms.push_back({shift, last ? -1 : to[dim] - 1, stride});
    parts.push_back({inner, to[dim], stride});
    stride *= to[dim];
  }
  const auto at = [&](int64_t element) {
    int64_t found = 0;
    for (const Part &p : parts) found += element / p.inner % p.extent * p.stride;
    return found;
  };
  for (int64_t lane = 0; lane < lanes; ++lane) {
    made.lanes.push_back(at(lane));
    made.elements = std::max(made.elements, at(lane) + 1);
  }
  for (int64_t element = 0; element < length; ++element)
    if (at(element) != at(element / lanes * lanes) + made.lanes[static_cast<size_t>(element % lanes)])
      return std::nullopt;
  return made.elements > 1 && made.elements <= lanes ? std::optional(made) : std::nullopt;
}
// Whether it goes along all dimensions of the run, or stays.
bool plain(const Tile &t, const std::vector<int64_t> &to, size_t first) {
  bool some = false, all = true;
  for (size_t dim = first; dim < to.size(); ++dim)
    if (to[dim] != 1) (extent_at(t, to, dim) != 1 ? some = true : all = false);
  return !some || all;
}
size_t first_mixed(const Statement &s, size_t until, int64_t lanes) {
  const std::vector<int64_t> &to = s.tile->extents;
  for (size_t first = 0; first < until; ++first)
    if (std::all_of(s.operands.begin(), s.operands.end(), [&](const Operand &o) {
          return !o.tile || plain(*o.tile, to, first) || mixed(*o.tile, to, first, lanes);
        }))
      return first;
  return until;
}
// From which dimension on all are one: along them each operand either goes as the target does, or stays; or is mixed,
// where registers would be half empty otherwise.
size_t first_of(const Statement &s) {
  const std::vector<int64_t> &to = s.tile->extents;
  if (in_order(s)) return 0;
  const int64_t lanes = lanes_of(s);
  size_t first = to.size();
  while (first > 0) {
    const size_t dim = first - 1;
    if (to[dim] != 1)
      for (const Operand &o : s.operands) {
        if (!o.tile) continue;
        const bool begun = std::any_of(to.begin() + static_cast<std::ptrdiff_t>(first), to.end(),
                                       [](int64_t extent) { return extent != 1; });
        if (begun && goes(*o.tile, to, first) != (extent_at(*o.tile, to, dim) != 1))
          return length_of(to, first) >= lanes ? first : first_mixed(s, first, lanes);
      }
    --first;
  }
  return first;
}

// The same block of the same memory, with an element for each of the target's.
bool alike(const Tile &a, const Tile &b) {
  return lying(a) == lying(b) && a.extents == b.extents && a.at == b.at && (a.whole == nullptr) == (b.whole == nullptr);
}
// Whether an operation may have its elements beside those of operations before it: what one writes and another one has
// is the same element of the same turn.
bool apart_or_alike(const Statement &before, const Statement &s) {
  const auto clashes = [](const Tile &written, const Statement &by) {
    return std::any_of(by.operands.begin(), by.operands.end(), [&](const Operand &o) {
      return o.tile && lying(*o.tile) == lying(written) && !alike(*o.tile, written);
    });
  };
  return !clashes(*before.tile, s) && !clashes(*s.tile, before) &&
         (lying(*before.tile) != lying(*s.tile) || alike(*before.tile, *s.tile));
}

bool join_chain(Chain &chain, const Statement &s) {
  const Statement &head = *chain.statements.front();
  const std::vector<int64_t> &to = head.tile->extents;
  if (s.tile->extents != to || in_order(head) || in_order(s)) return false;
  const int64_t lanes = lanes_of(s);
  if (lanes != any && chain.lanes != any && lanes != chain.lanes) return false;
  const int64_t both = lanes == any ? chain.lanes : lanes;
  const size_t own = first_of(s), first = std::max(own, chain.first);
  const int64_t whole = both == any ? register_bytes : both;
  if ((own != first || chain.first != first) && length_of(to, first) % whole != 0) return false;
  for (const Statement *before : chain.statements)
    if (!apart_or_alike(*before, s)) return false;
  chain.statements.push_back(&s), chain.first = first, chain.lanes = both;
  return true;
}

void count_uses(const std::vector<Statement> &body, std::map<const Tile *, size_t> &uses) {
  for (const Statement &s : body) {
    if (s.kind == Statement::Kind::call) {
      ++uses[lying(*s.tile)];
      for (const Operand &o : s.operands)
        if (o.tile) ++uses[lying(*o.tile)];
    }
    count_uses(s.body, uses);
  }
}
void find_registers(const std::vector<Statement> &body, const std::map<const Tile *, size_t> &uses,
                    std::set<const Tile *> &found) {
  const auto of_run = [&](std::vector<const Statement *> &run) {
    for (const Chain &chain : chains_of(run)) {
      if (!by_elements(*chain.statements.front())) continue;
      std::map<const Tile *, size_t> here;
      std::set<const Tile *> read_before;
      for (const Statement *s : chain.statements) {
        for (const Operand &o : s->operands)
          if (o.tile && here[lying(*o.tile)]++ == 0) read_before.insert(lying(*o.tile));
        ++here[lying(*s->tile)];
      }
      for (const auto &[tile, times] : here)
        if (times > 1 && !tile->stream && uses.at(tile) == times && !read_before.contains(tile)) found.insert(tile);
    }
    run.clear();
  };
  std::vector<const Statement *> run;
  for (const Statement &s : body) {
    if (only_computes(s) && s.kind != Statement::Kind::loop) {
      run.push_back(&s);
    } else if (s.kind != Statement::Kind::acquire) {
      of_run(run);
      find_registers(s.body, uses, found);
    }
  }
  of_run(run);
}

double rounded(double value, const DType &d) {
  if (d.text != "bf16" || !std::isfinite(value)) return value;
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent); // 8 bits, and fewer of what is denormal
  const int bits = std::min(8, exponent + 133);
  const double nearest = std::ldexp(std::nearbyint(std::ldexp(fraction, bits)), exponent - bits);
  return std::fabs(nearest) >= std::ldexp(1, 128) ? std::copysign(HUGE_VAL, value) : nearest;
}

} // namespace

bool only_computes(const Statement &s) {
  if (s.kind == Statement::Kind::acquire || s.kind == Statement::Kind::release || s.external) return false;
  return std::all_of(s.body.begin(), s.body.end(), only_computes);
}

// The larger, or the smaller, of a tile's elements and a number.
bool Computing::limits(const Statement &s) {
  return (s.name == "maximum" || s.name == "minimum") && s.tile->dtype->real &&
         (s.operands[0].tile != nullptr) != (s.operands[1].tile != nullptr) &&
         !std::isnan(s.operands[s.operands[0].tile ? 1 : 0].number);
}
std::string Computing::limit(const Statement &s, const std::vector<std::string> &operands, const Lanes &lanes) {
  const size_t number = s.operands[0].tile ? 1 : 0;
  const DType &inside = computes_in(*lanes.dtype);
  const std::string x = cast(operands[1 - number], lanes, inside), limit = cast(operands[number], lanes, inside);
  return cast(Elements::limit(s.name, x, limit, std::signbit(s.operands[number].number), lanes.of(inside)),
              lanes.of(inside), *lanes.dtype);
}

bool in_place(const std::vector<const Statement *> &statements) {
  bool product = false;
  for (const Statement *s : statements) {
    if (s->kind == Statement::Kind::buffer) continue;
    if (product || s->kind != Statement::Kind::call || s->name != "mmul") return false;
    product = true;
  }
  return product;
}

std::vector<Chain> chains_of(const std::vector<const Statement *> &statements) {
  std::vector<Chain> chains;
  for (const Statement *s : statements) {
    if (s->kind == Statement::Kind::buffer) continue;
    if (!by_elements(*s)) {
      chains.push_back({{s}, 0, 0});
    } else if (chains.empty() || !by_elements(*chains.back().statements.front()) || !join_chain(chains.back(), *s)) {
      chains.push_back({{s}, first_of(*s), lanes_of(*s)});
    }
  }
  return chains;
}

std::set<const Tile *> in_registers(const Core &core) {
  std::map<const Tile *, size_t> uses;
  std::set<const Tile *> found;
  count_uses(core.body, uses);
  find_registers(core.body, uses, found);
  return found;
}

View Computing::view(const Tile &t) {
  View v = lying_view(p, *lying(t));
  v.value = names_(*lying(t));
  v.extents = t.extents;
  if (!t.whole) return v;
  const std::string &turn = turns_.at(t.at);
  v.first = t.extents[0] == 1 ? turn : op("arith.muli", {turn, number(t.extents[0])}, "index");
  v.in_memory = t.whole->extents[0];
  return v;
}
// Dimensions from `first` on as one.
View Computing::last_as_one(const View &v, size_t first) {
  std::vector<size_t> groups(first, 1);
  if (first < v.extents.size()) groups.push_back(v.extents.size() - first);
  return collapse(v, groups);
}
void Computing::cite(const Statement &s) {
  w_.from(s.node);
  if (!cited_.insert(&s).second) return;
  if (const uint32_t number = c.record(s.node).line)
    w_.comment("program.py:", number, ": ", c.show(s.node));
  else
    w_.comment(c.show(s.node));
}

void Computing::block(const std::vector<const Statement *> &statements) {
  for (const Chain &one : chains_of(statements)) {
    const Statement &s = *one.statements.front();
    if (s.kind == Statement::Kind::loop) {
      w_.from(s.node);
      const std::string step = fresh("%step");
      turns_[s.name] = step;
      auto loop = loop_of(step, s.times);
      std::vector<const Statement *> inside;
      for (const Statement &inner : s.body) inside.push_back(&inner);
      block(inside);
      continue;
    }
    if (by_elements(s)) {
      chain(one);
      continue;
    }
    cite(s);
    if (s.name == "matmul")
      multiply(s);
    else if (s.name == "mmul")
      multiply_blocks(s);
    else if (s.name == "transpose")
      transpose(s);
    else if (s.name == "unpack")
      unpack(s);
    else
      reduce(s);
  }
}

void Computing::chain(const Chain &chain) {
  const Statement &head = *chain.statements.front();
  const std::vector<int64_t> &to = head.tile->extents;
  const size_t first = chain.first;
  const int64_t length = length_of(to, first);
  int64_t lanes = chain.lanes == any ? register_bytes : chain.lanes; // fewer where a run is shorter
  while (lanes > length && lanes > 4) lanes /= 2;
  // A tile, as the loop sees it.
  struct Seen {
    const Tile *tile;
    bool along; // goes along the run of last dimensions, and does not stay
    std::optional<Mixed> mixed;
    View view;
    size_t missing; // dimensions in front
    std::string one, many;
  };
  std::vector<Seen> seen;
  const auto of = [&](const Tile &t) -> Seen & {
    return *std::find_if(seen.begin(), seen.end(), [&](const Seen &x) { return alike(*x.tile, t); });
  };
  const auto see = [&](const Tile &t) {
    if (std::any_of(seen.begin(), seen.end(), [&](const Seen &x) { return alike(*x.tile, t); })) return;
    const bool ordered = in_order(head);
    Seen x{&t, ordered || goes(t, to, first), {}, {}, ordered ? 0 : to.size() - t.extents.size(), {}, {}};
    if (!ordered && !plain(t, to, first)) x.mixed = mixed(t, to, first, lanes);
    if (!registers_.contains(lying(t))) {
      x.view = view(t);
      if (x.along) x.view = last_as_one(x.view, first > x.missing ? first - x.missing : 0);
    }
    seen.push_back(std::move(x));
  };
  for (const Statement *s : chain.statements) {
    w_.from(s->node);
    see(*s->tile);
    for (const Operand &o : s->operands)
      if (o.tile) see(*o.tile);
  }
  const auto place_of = [&](const Mixed &m, const std::string &at) {
    std::string sum;
    for (const Mixed::Term &t : m.terms) {
      std::string one = t.shift ? op("arith.shrui", {at, number(t.shift)}, "index") : at;
      if (t.mask >= 0) one = op("arith.andi", {one, number(t.mask)}, "index");
      if (t.stride > 1) one = op("arith.muli", {one, number(t.stride)}, "index");
      sum = sum.empty() ? one : op("arith.addi", {sum, one}, "index");
    }
    return sum.empty() ? number(0) : sum;
  };
  nest({to.begin(), to.begin() + static_cast<std::ptrdiff_t>(first)}, [&](const Index &outer) {
    const auto index_of = [&](const Seen &x, const std::string &last) {
      Index at;
      for (size_t k = 0; k < x.view.extents.size(); ++k) {
        const bool is_last = x.along && k + 1 == x.view.extents.size();
        const size_t dim = k + x.missing;
        at.push_back(is_last ? last : dim < first && x.view.extents[k] != 1 ? outer[dim] : number(0));
      }
      return at;
    };
    std::set<const Seen *> written;
    for (const Statement *s : chain.statements) {
      w_.from(s->node);
      for (const Operand &o : s->operands) {
        if (!o.tile) continue;
        Seen &x = of(*o.tile);
        if (x.along || written.contains(&x) || !x.one.empty()) continue;
        x.one = bits_of(load(x.view, index_of(x, {})), {x.tile->dtype, 1});
        if (length >= lanes) x.many = spread(x.one, {&held(*x.tile->dtype), lanes});
      }
      written.insert(&of(*s->tile));
    }
    run(length, lanes, [&](const std::string &at, int64_t n) {
      std::map<const Seen *, std::string> now;
      std::vector<std::pair<const Seen *, Node>> left; // what is written, and by what at last
      for (const Statement *s : chain.statements) {
        cite(*s);
        const Lanes lanes_here{&held(*s->tile->dtype), n};
        const DType *numbers = s->tile->dtype; // what numbers among the operands are of
        for (const Operand &o : s->operands)
          if (o.tile && compares(s->name)) numbers = o.tile->dtype;
        std::vector<std::string> operands;
        for (const Operand &o : s->operands) {
          if (!o.tile) {
            operands.push_back(constant(rounded(o.number, *numbers), {&held(*numbers), n}));
            continue;
          }
          const Seen &x = of(*o.tile);
          std::string &value = now[&x];
          if (value.empty() && x.mixed)
            value = bits_of(deal(load(x.view, index_of(x, place_of(*x.mixed, at)), x.mixed->elements),
                                 {x.tile->dtype, x.mixed->elements}, x.mixed->lanes),
                            {x.tile->dtype, n});
          else if (value.empty())
            value = x.along ? bits_of(load(x.view, index_of(x, at), n), {x.tile->dtype, n}) : n > 1 ? x.many : x.one;
          operands.push_back(value);
        }
        const Seen &x = of(*s->tile);
        now[&x] = s->name == "cast"    ? cast(operands[0], {&held(*s->operands[0].tile->dtype), n}, *lanes_here.dtype)
                  : compares(s->name)  ? compare(s->name, operands, {&held(*numbers), n})
                  : s->name == "where" ? choose(operands, lanes_here)
                  : limits(*s)         ? limit(*s, operands, lanes_here)
                                       : compute(s->name, operands, lanes_here);
        std::erase_if(left, [&](const auto &one) { return one.first == &x; });
        if (!registers_.contains(lying(*x.tile))) left.emplace_back(&x, s->node);
      }
      for (const auto &[x, node] : left) {
        w_.from(node);
        store(bytes_of(now.at(x), {x->tile->dtype, n}), x->view, index_of(*x, at), n);
      }
    });
  });
}

} // namespace htp::aie

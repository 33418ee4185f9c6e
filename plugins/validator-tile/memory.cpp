// Tensors and buffers: their contents, what an index takes of them, which of them may lie on each other.
#include "reader.h"

#include <algorithm>
#include <functional>

namespace htp::validator {

using namespace htp::sdk;

namespace {

int64_t bytes_of(std::string_view dtype) {
  for (const auto &[name, bytes] : {std::pair<std::string_view, int64_t>{"f64", 8},
                                    {"i64", 8},
                                    {"u64", 8},
                                    {"f32", 4},
                                    {"i32", 4},
                                    {"u32", 4},
                                    {"f16", 2},
                                    {"bf16", 2},
                                    {"i16", 2},
                                    {"u16", 2}})
    if (dtype == name) return bytes;
  return 1; // masks have less
}

// A tile that holds fewer is not for a dim.
constexpr int64_t least_assumed = 64;

} // namespace

bool Reader::same_bits(const std::string &one, const std::string &other) {
  return one == other || (bytes_of(one) > 1 && bytes_of(one) == bytes_of(other));
}

int Reader::make_memory(std::string name, Type type, Term holds) {
  std::vector<Term> origins(type.extents.size(), t.integer(0));
  memories_.push_back({std::move(name), std::move(type), std::move(origins), "", 0, "", 0, 0, -1, -1, {}, -1, 0, 0});
  s->holds.push_back(holds);
  return static_cast<int>(memories_.size() - 1);
}

Value Reader::allocated(const std::string &dtype, Nodes extents, Node n) {
  Type type{dtype, {}};
  std::vector<Term> origins;
  for (const Node e : extents) {
    const Term x = term(e);
    type.extents.push_back(extent_of(x, e));
    origins.push_back(t.is(x, Op::block) ? t.at(x).args[0] : t.integer(0));
  }
  std::vector<Term> args{t.symbol("htp." + dtype)};
  args.insert(args.end(), type.extents.begin(), type.extents.end());
  const int m = make_memory(c.show(n), type, t.apply("nothing", std::move(args), type));
  memories_[static_cast<size_t>(m)].origins = std::move(origins);
  return {0, m, HTP_NONE};
}

int Reader::memory_of(Node n) {
  const Value v = evaluate(n);
  if (v.memory < 0) fail(n, "`" + c.show(n) + "` is not a buffer or tensor");
  return v.memory;
}

Term Reader::contents(int memory, Node n) {
  const auto m = static_cast<size_t>(memory);
  if (memories_[m].stream) fail(n, "a stream is no value");
  if (memories_[m].view >= 0) {
    const Memory part = memories_[m];
    const Term x = load_from(part.view, shifted(part, {}), 0, n);
    return x;
  }
  reads_.insert(memory);
  const Term holds = s->holds[m];
  t.type(holds, memories_[m].type);
  if (scalars_.contains(memory)) return load(holds, memories_[m].type, {index_of_int(t.integer(0))}, 0);
  return holds;
}

std::vector<Term> Reader::indices(Node slice, int memory) {
  if (const auto tuple = c.as<ast::Tuple>(slice)) return indices(tuple.elts(), memory);
  const uint32_t one[] = {slice};
  return indices(Nodes(one, 1), memory);
}

std::vector<Term> Reader::indices(Nodes nodes, int memory) {
  const Memory m = memories_[static_cast<size_t>(memory)]; // indices may make others
  if (nodes.size() != m.type.extents.size())
    fail(nodes.empty() ? HTP_NONE : nodes[0], "not an index for each dimension");
  std::vector<Term> result;
  for (size_t k = 0; k < nodes.size(); ++k) {
    const Term extent = m.type.extents[k];
    if (const auto slice = c.as<ast::Slice>(nodes[k])) {
      const Term from = slice.lower() ? term(slice.lower()) : t.integer(0);
      const Term to = slice.upper() ? term(slice.upper()) : extent;
      result.push_back(sliced(from, to, slice.step() ? term(slice.step()) : t.integer(1), nodes[k]));
      continue;
    }
    const Term x = term(nodes[k]);
    const Term origin = m.origins[k];
    if (t.is(x, Op::whole)) {
      result.push_back(t.make(Op::slice, "", {t.integer(0), extent, t.integer(1)}));
    } else if (t.is(x, Op::block)) {
      const TermNode b = t.at(x);
      result.push_back(t.make(Op::slice, "", {t.sub(b.args[0], origin), b.args[1], b.args[2]}));
    } else if (t.is(x, Op::slice)) {
      result.push_back(x);
    } else if (t.is_int(x)) {
      result.push_back(index_of_int(t.sub(x, origin)));
    } else if (t.type_of(x).known()) {
      if (t.constant(origin) != 0) fail(nodes[k], "a tile of indices into a buffer of a block");
      result.push_back(x);
    } else {
      fail(nodes[k], "`" + c.show(nodes[k]) + "` is an index that has no meaning here");
    }
  }
  return result;
}

Term Reader::sliced(Term from, Term to, Term step, Node n) {
  const auto apart = t.constant(step);
  if (!apart || *apart < 1 || !t.is_int(from) || !t.is_int(to)) fail(n, "a slice that has no meaning here");
  const Term extent = t.floordiv(t.sub(t.add(to, t.integer(*apart - 1)), from), t.integer(*apart));
  return t.make(Op::slice, "", {from, extent, step});
}

std::vector<Term> Reader::scalar_index(Nodes positional) {
  if (positional.size() != 2 || t.constant(term(positional[1])) != 0)
    fail(positional[0], "an index of a scalar that is not 0");
  return {index_of_int(t.integer(0))};
}

int Reader::part_of(int memory, std::vector<Term> extents, std::vector<Term> offset) {
  const Memory whole = memories_[static_cast<size_t>(memory)];
  const int m = make_memory(whole.name, {whole.type.dtype, std::move(extents)}, t.symbol("None"));
  memories_[static_cast<size_t>(m)].view = memory;
  memories_[static_cast<size_t>(m)].offset = std::move(offset);
  return m;
}

std::vector<Term> Reader::shifted(const Memory &part, const std::vector<Term> &index) {
  std::vector<Term> result;
  for (size_t k = 0; k < part.offset.size(); ++k) {
    if (index.empty()) {
      result.push_back(t.make(Op::slice, "", {part.offset[k], part.type.extents[k], t.integer(1)}));
    } else if (t.is(index[k], Op::slice)) {
      const TermNode sl = t.at(index[k]);
      result.push_back(t.make(Op::slice, "", {t.add(sl.args[0], part.offset[k]), sl.args[1], sl.args[2]}));
    } else if (t.constant(part.offset[k]) == 0) {
      result.push_back(index[k]);
    } else {
      fail(HTP_NONE, "a tile of indices into a part of a tensor");
    }
  }
  return result;
}

void Reader::stays(const std::vector<Term> &index, const Type &of, Node n) {
  if (!beyond_.empty()) return;
  std::vector<Term> wanted;
  for (size_t k = 0; k < index.size() && k < of.extents.size(); ++k) {
    if (!t.is(index[k], Op::slice)) continue; // by data: what is taken there is compared
    const TermNode sl = t.at(index[k]);
    // By data as well.
    std::set<Term> seen;
    const std::function<bool(Term)> by_data = [&](Term x) {
      if (!seen.insert(x).second) return false;
      const TermNode y = t.at(x);
      return (y.op == Op::apply && y.tag == "element") || std::any_of(y.args.begin(), y.args.end(), by_data);
    };
    if (by_data(sl.args[0])) continue;
    const Term last = t.mul(t.sub(sl.args[1], t.integer(1)), sl.args[2]);
    wanted.push_back(sl.args[0]);
    wanted.push_back(t.sub(t.sub(of.extents[k], t.add(sl.args[0], last)), t.integer(1)));
  }
  if (!bounds_.within_loops(loop_, facts_, wanted)) beyond_ = c.show(n);
}

Term Reader::load_from(int memory, const std::vector<Term> &index, Term outside, Node n) {
  if (const Memory part = memories_[static_cast<size_t>(memory)]; part.view >= 0) {
    if (outside) fail(n, "a part of a tensor is used beyond it");
    return load_from(part.view, shifted(part, index), 0, n);
  }
  const auto m = static_cast<size_t>(memory);
  if (!outside) stays(index, memories_[m].type, n);
  reads_.insert(memory);
  t.type(s->holds[m], memories_[m].type);
  return load(s->holds[m], memories_[m].type, index, outside);
}

void Reader::store(int memory, Term value, const std::vector<Term> &index, Node n, const char *how) {
  if (const Memory part = memories_[static_cast<size_t>(memory)]; part.view >= 0) {
    stays(index, part.type, n);
    return store(part.view, value, shifted(part, index), n, how);
  }
  const auto m = static_cast<size_t>(memory);
  const Type of = memories_[m].type;
  stays(index, of, n);
  if (is_number(value) || t.is_int(value)) {
    // as it is: it takes the tensor's dtype
  } else {
    const Type type = t.type_of(value);
    if (!type.known()) fail(n, "the type of what is stored is not known here");
    if (type.dtype != of.dtype) fail(n, "what is stored has dtype " + type.dtype + ", and the tensor " + of.dtype);
    if (const Term scalar = scalar_of(value)) {
      value = scalar; // extents of 1 repeat
      std::vector<Term> wanted;
      for (const Term i : index)
        if (t.is(i, Op::slice)) wanted.push_back(t.at(i).args[1]);
      if (const auto all = broadcast(wanted, type.extents); !all || !same_extents(*all, wanted))
        fail(n, "extents of what is stored are not shown to be the index's");
    } else {
      const std::vector<Term> wanted = extents_at(index);
      const auto fits = [&](const Type &stored) {
        const auto all = broadcast(wanted, stored.extents);
        return (all && same_extents(*all, wanted)) ||
               (stored.extents.size() > wanted.size() && without_ones(stored.extents) == without_ones(wanted));
      };
      if (!fits(type)) fail(n, "extents of what is stored are not shown to be the index's");
      // What spreads it, or gives it extents of 1, the store does as well.
      while (t.is(value, Op::apply) && (t.at(value).tag == "spread" || t.at(value).tag == "reshape") &&
             fits(t.type_of(t.at(value).args[0])) &&
             (t.at(value).tag == "spread" ||
              without_ones(t.type_of(value).extents) == without_ones(t.type_of(t.at(value).args[0]).extents)))
        value = t.at(value).args[0];
    }
  }
  std::vector<Term> args{s->holds[m], value};
  args.insert(args.end(), index.begin(), index.end());
  set(memory, t.apply(how, std::move(args), of));
}

void Reader::write(int memory, Term value, Node n) {
  const Memory &m = memories_[static_cast<size_t>(memory)];
  if (is_number(value) || t.is_int(value)) {
    if (m.view >= 0) return store(m.view, value, shifted(Memory(m), {}), n);
    return set(memory, full(m.type.dtype, value, m.type.extents));
  }
  const Type type = t.type_of(value);
  if (!type.known()) fail(n, "the type of what is written is not known here");
  if (type.dtype != m.type.dtype)
    fail(n, "what is written has dtype " + type.dtype + ", and `" + m.name + "` " + m.type.dtype);
  if (!same_extents(type.extents, m.type.extents))
    fail(n, "extents of what is written are not shown to be those of `" + m.name + "`");
  if (m.view >= 0) return store(m.view, value, shifted(Memory(m), {}), n);
  set(memory, value);
}

void Reader::copy(int memory, Term value, Node n) {
  const Type to = memories_[static_cast<size_t>(memory)].type;
  if (is_number(value) || t.is_int(value)) return write(memory, value, n);
  const Type type = t.type_of(value);
  if (type.known() && !same_extents(type.extents, to.extents)) {
    if (without_ones(type.extents) == without_ones(to.extents)) value = reshaped(value, to.extents);
  }
  write(memory, value, n);
}

void Reader::set(int memory, Term holds) {
  const auto m = static_cast<size_t>(memory);
  t.type(holds, memories_[m].type);
  s->holds[m] = holds;
  clobber(memory);
}

void Reader::clobber(int memory) {
  const Memory &m = memories_[static_cast<size_t>(memory)];
  if (!m.address) return;
  for (size_t k = 0; k < memories_.size(); ++k) {
    const Memory &o = memories_[k];
    if (static_cast<int>(k) == memory || !o.address || o.space != m.space || apart(m, o)) continue;
    s->holds[k] = t.garbage(o.type);
  }
}

bool Reader::apart(const Memory &a, const Memory &b) {
  const auto between = range(t.sub(a.address, b.address));
  return between && (between->first >= b.bytes || between->second <= -a.bytes);
}

std::optional<std::pair<int64_t, int64_t>> Reader::range(Term x) const {
  if (const auto k = t.constant(x)) return std::pair(*k, *k);
  const TermNode n = t.at(x);
  const auto is_turn = [&](Term a) { return t.at(a).op == Op::apply && t.at(a).tag == "turn"; };
  if (is_turn(x)) return std::pair<int64_t, int64_t>(0, 1);
  if (n.op != Op::sum) return std::nullopt;
  std::pair<int64_t, int64_t> result(n.numbers[0], n.numbers[0]);
  for (size_t k = 0; k < n.args.size(); ++k) {
    if (!is_turn(n.args[k])) return std::nullopt;
    (n.numbers[k + 1] > 0 ? result.second : result.first) += n.numbers[k + 1];
  }
  return result;
}

bool Reader::bounded(Term x, Term most) {
  const auto at_most = [&](Term a) {
    const Term d = t.sub(most, a);
    if (const auto k = t.constant(d)) return *k >= 0;
    return std::any_of(facts_.begin(), facts_.end(),
                       [&](Term fact) { return t.constant(t.sub(d, fact)).value_or(-1) >= 0; });
  };
  if (const auto k = t.constant(x); k && *k <= 0) return false;
  if (t.is(x, Op::minimum)) {
    const auto arms = t.at(x).args;
    return std::any_of(arms.begin(), arms.end(), at_most);
  }
  return at_most(x);
}

bool Reader::assume_bounded(Term x, Term most) {
  const auto k = t.constant(most);
  if (!k || *k < least_assumed || !of_dims(x)) return false;
  assumptions_.insert(t.show(x, 9) + " <= " + std::to_string(*k));
  return true;
}

bool Reader::of_dims(Term x) const {
  const TermNode &n = t.at(x);
  if (n.op == Op::symbol) return n.tag.starts_with("dim ");
  if (n.op != Op::sum && n.op != Op::product && n.op != Op::floordiv && n.op != Op::minimum && n.op != Op::maximum)
    return false;
  return std::all_of(n.args.begin(), n.args.end(), [&](Term a) { return of_dims(a); });
}

void Reader::place(Memory &m, Term address, Node n) {
  const Space *space = space_named(m.space);
  if (!space || space->core != core_) fail(n, "a tile in a space that has no meaning here");
  const int64_t size = bytes_of(m.type.dtype);
  const bool bits = m.type.dtype == "bool_";
  std::vector<int64_t> extents;
  for (const Term e : m.type.extents) {
    const auto k = t.constant(e);
    if (!k || *k <= 0 || *k > (1 << 20)) fail(n, "a tile with an address and extents that are not known");
    extents.push_back(*k);
  }
  const auto between = range(address);
  if (extents.size() != 2 || !between || !t.divisible(address, 32)) fail(n, "a tile at an address that is not known");
  const int64_t line = 32 / size;
  std::string layout = m.layout;
  if (layout.empty()) layout = space->layouts.empty() ? "" : words(space->layouts)[0];
  bool fits = false;
  if (m.space == "ub")
    fits = layout.empty() && (extents[1] == 1 ? extents[0] : extents[1]) * size % (bits ? 256 : 32) == 0;
  else if (m.space == "left" && extents[0] == 1)
    fits = !bits && extents[1] * size % 512 == 0;
  else if (std::string(space->layouts).find(layout) != std::string::npos && !bits)
    fits = layout == "nz"   ? extents[0] % 16 == 0 && extents[1] % (m.space == "acc" ? 16 : line) == 0
           : layout == "zn" ? extents[0] % line == 0 && extents[1] % 16 == 0
           : layout == "nd" ? extents[1] % line == 0
                            : false;
  m.bytes = extents[0] * extents[1] * size / (bits ? 8 : 1);
  if (!fits || between->first < 0 || between->second + m.bytes > space->bytes)
    fail(n, "a tile that is not shown to lie as its space wants");
  m.address = address;
}

} // namespace htp::validator

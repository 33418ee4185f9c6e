// What each instruction computes: one function a family of instructions.def.
#include "arithmetic.h"

namespace htp::a2a3sim {

namespace {

using namespace arithmetic;

// A tile's elements as values of a dtype.
template <class T> class View {
public:
  using Value = typename As<T>::Value;
  View(const Operand &operand, uint8_t *data) : o_(operand), data_(data) {}
  Value get(int64_t r, int64_t c) const { return As<T>::read(data_ + element_offset(o_, r, c)); }
  void set(int64_t r, int64_t c, Value v) const { As<T>::write(data_ + element_offset(o_, r, c), v); }

private:
  const Operand &o_;
  uint8_t *data_;
};

// What wraps around unless it saturates.
bool narrows(Type from, Type to) {
  const bool floats = from == Type::f32 || from == Type::f16;
  return (floats && (to == Type::i16 || to == Type::i8 || to == Type::u8)) || (from == Type::i64 && to == Type::i32) ||
         (from == Type::i32 && to == Type::i16);
}

template <class V> V number(const Operand &o) {
  if constexpr (std::is_floating_point_v<V>)
    return static_cast<V>(o.real);
  else
    return static_cast<V>(o.integer);
}
// As the scalar is given: of the tile's dtype.
template <class T> typename As<T>::Value scalar(const Operand &o) {
  uint8_t bytes[8];
  As<T>::write(bytes, number<typename As<T>::Value>(o));
  return As<T>::read(bytes);
}

// ── the families ────────────────────────────────────────────────────────────────────────────────────────────────────

class Run {
public:
  Run(Op op, const std::vector<Operand> &operands, uint32_t options,
      const std::function<uint8_t *(const Operand &)> &at)
      : op_(op), o_(operands), options_(options), row_(instruction(op)) {
    for (const Operand &o : o_) data_.push_back(o.kind == Kind::tile || o.kind == Kind::global ? at(o) : nullptr);
  }
  void go();

private:
  template <class T> View<T> view(size_t k) const { return View<T>(o_[k], data_[k]); }
  template <class F> void each(size_t k, F &&f) const { // of the valid part
    for (int64_t r = 0; r < o_[k].valid_rows; ++r)
      for (int64_t c = 0; c < o_[k].valid_columns; ++c) f(r, c);
  }
  bool family(const char *name) const { return std::strcmp(row_.family, name) == 0; }
  uint8_t *global(size_t k, int64_t r, int64_t c) const {
    return data_[k] + element_of_global(o_[k], r, c) * static_cast<int64_t>(bytes_of(o_[k].type));
  }
  void copy_in() const {
    const size_t bytes = bytes_of(o_[0].type);
    each(0, [&](int64_t r, int64_t c) { std::memcpy(data_[0] + element_offset(o_[0], r, c), global(1, r, c), bytes); });
  }
  void store() const;
  void store_scaled() const;
  void table() const;
  void scatter() const;
  void matmul() const;
  template <class A, class C> void product() const;
  template <class T> void vector() const;
  template <class T> void places() const;
  template <class T> void sort() const;
  void merge() const;

  Op op_;
  const std::vector<Operand> &o_;
  uint32_t options_;
  const Instruction &row_;
  std::vector<uint8_t *> data_;
};

void Run::store() const {
  with(o_[1].type, [&](auto from) {
    using From = decltype(from);
    with(o_[1].space == Space::acc ? o_[0].type : o_[1].type, [&](auto to) {
      using To = decltype(to);
      const auto source = view<From>(1);
      each(1, [&](int64_t r, int64_t c) {
        uint8_t *place = global(0, r, c);
        auto value = converted<From, To>(source.get(r, c), 1);
        if (options_ & htp_sim::relu) value = value > 0 ? value : 0;
        if (options_ & htp_sim::adds) value = apply(What::add, As<To>::read(place), value);
        As<To>::write(place, value);
      });
    });
  });
}

// A sum times its column's scale, and the offset.
void Run::store_scaled() const {
  const auto scales = view<uint64_t>(2);
  with(o_[1].type, [&](auto from) {
    const auto source = view<decltype(from)>(1);
    each(1, [&](int64_t r, int64_t c) {
      const uint64_t scale = scales.get(0, c);
      const float scaled =
          static_cast<float>(source.get(r, c)) * htp_sim::bits_to_float(static_cast<uint32_t>(scale & 0xffffe000u));
      if (o_[0].type == Type::f16) return As<Half>::write(global(0, r, c), std::clamp(scaled, -65504.0f, 65504.0f));
      const bool is_signed = scale >> 46 & 1;
      const float whole = std::nearbyint(scaled + static_cast<float>(scale >> 37 & 0x1ff)),
                  bounded = std::isnan(whole)
                                ? 0
                                : std::clamp(whole, is_signed ? -128.0f : 0.0f, is_signed ? 127.0f : 255.0f);
      *global(0, r, c) = static_cast<uint8_t>(static_cast<int32_t>(bounded));
    });
  });
}

// Rows of a matrix at places; a place outside of it moves nothing.
void Run::table() const {
  const bool loads = family("table_load");
  const size_t at = loads ? 0 : 1, of = loads ? 1 : 0;
  const auto bytes = bytes_of(o_[at].type);
  const auto places = view<int32_t>(2);
  for (int64_t r = 0; r < o_[at].valid_rows; ++r) {
    const int64_t place = places.get(0, r);
    if (place < 0 || place >= o_[of].shape[3]) continue;
    for (int64_t c = 0; c < o_[at].valid_columns; ++c) {
      uint8_t *element = data_[at] + element_offset(o_[at], r, c);
      loads ? std::memcpy(element, global(of, place, c), bytes) : std::memcpy(global(of, place, c), element, bytes);
    }
  }
}

// Zeros, and elements at places; of 32 bytes at offsets.
void Run::scatter() const {
  const auto bytes = static_cast<int64_t>(bytes_of(o_[0].type));
  if (family("blocks")) {
    const auto offsets = view<uint32_t>(2);
    const int64_t all = static_cast<int64_t>(o_[1].rows) * o_[1].columns * bytes;
    each(2, [&](int64_t r, int64_t c) {
      const int64_t from = offsets.get(r, c);
      if (from + 32 <= all) std::memcpy(data_[0] + element_offset(o_[0], r, c * 32 / bytes), data_[1] + from, 32);
    });
    return;
  }
  const int64_t capacity = static_cast<int64_t>(o_[0].rows) * o_[0].columns;
  std::memset(data_[0], 0, static_cast<size_t>(capacity * bytes));
  const Pattern p = family("spread") ? pattern_of(o_[2].integer) : Pattern{};
  with(family("spread") ? Type::i32 : o_[2].type, [&](auto type) {
    using I = decltype(type);
    if constexpr (std::is_integral_v<typename As<I>::Value>)
      each(1, [&](int64_t r, int64_t c) {
        const int64_t place =
            p.step ? r * o_[0].columns + c * p.step + p.first : static_cast<int64_t>(view<I>(2).get(r, c));
        if (place >= 0 && place < capacity)
          std::memcpy(data_[0] + place * bytes, data_[1] + element_offset(o_[1], r, c), static_cast<size_t>(bytes));
      });
  });
}

// Sums are made in order of k, in f32 (of i8: in i32).
template <class A, class C> void Run::product() const {
  const bool accumulates = std::strstr(row_.name, "_ACC"), from_other = accumulates && o_.size() == 4,
             biased = std::strstr(row_.name, "_BIAS");
  const size_t a_at = from_other ? 2 : 1, b_at = a_at + 1;
  const auto m = static_cast<size_t>(o_[a_at].valid_rows), k = static_cast<size_t>(o_[a_at].valid_columns),
             n = static_cast<size_t>(o_[b_at].valid_columns);
  const auto a = view<A>(a_at), b = view<A>(b_at);
  const auto c = view<C>(0), before = view<C>(from_other ? 1 : biased ? 3 : 0);
  std::vector<C> right(k * n), sums(n);
  for (size_t r = 0; r < k; ++r)
    for (size_t x = 0; x < n; ++x)
      right[r * n + x] = static_cast<C>(b.get(static_cast<int64_t>(r), static_cast<int64_t>(x)));
  for (size_t r = 0; r < m; ++r) {
    const auto row = static_cast<int64_t>(r);
    for (size_t x = 0; x < n; ++x)
      sums[x] = accumulates || biased ? before.get(biased ? 0 : row, static_cast<int64_t>(x)) : C{0};
    for (size_t p = 0; p < k; ++p) {
      const auto left = static_cast<C>(a.get(row, static_cast<int64_t>(p)));
      const C *with_b = right.data() + p * n;
      if constexpr (std::is_integral_v<C>)
        for (size_t x = 0; x < n; ++x)
          sums[x] = static_cast<C>(static_cast<uint32_t>(sums[x]) + static_cast<uint32_t>(left * with_b[x]));
      else
        for (size_t x = 0; x < n; ++x) sums[x] += left * with_b[x];
    }
    for (size_t x = 0; x < n; ++x) c.set(row, static_cast<int64_t>(x), sums[x]);
  }
}

void Run::matmul() const {
  switch (o_.back().space == Space::bias ? o_[1].type : o_.back().type) {
  case Type::f16: return product<Half, float>();
  case Type::bf16: return product<Bfloat, float>();
  case Type::i8: return product<int8_t, int32_t>();
  default: return product<float, float>();
  }
}

template <class T> void Run::vector() const {
  using V = typename As<T>::Value;
  const auto d = view<T>(0);
  const What what = what_of(row_.name);
  if (family("unary")) {
    const auto s = view<T>(1);
    each(0, [&](int64_t r, int64_t c) { d.set(r, c, unary(op_, s.get(r, c))); });
  } else if (family("binary")) {
    const auto a = view<T>(1), b = view<T>(2);
    each(0, [&](int64_t r, int64_t c) { d.set(r, c, apply(what, a.get(r, c), b.get(r, c))); });
  } else if (family("scalar")) {
    const bool turned = o_[1].kind != Kind::tile;
    const auto a = view<T>(turned ? 2 : 1);
    const V b = scalar<T>(o_[turned ? 1 : 2]);
    each(0, [&](int64_t r, int64_t c) {
      d.set(r, c, turned ? apply(what, b, a.get(r, c)) : apply(what, a.get(r, c), b));
    });
  } else if (family("axpy")) {
    const auto a = view<T>(1);
    const V b = scalar<T>(o_[2]);
    each(0,
         [&](int64_t r, int64_t c) { d.set(r, c, apply(What::add, apply(What::mul, a.get(r, c), b), d.get(r, c))); });
  } else if (family("fused")) { // the product is rounded, and the sum
    const auto a = view<T>(1), b = view<T>(2);
    const auto stored = [](V v) {
      uint8_t bytes[8];
      As<T>::write(bytes, v);
      return As<T>::read(bytes);
    };
    const bool adds_to = op_ == Op::TMULADDDST, cuts = op_ == Op::TFUSEDMULADDRELU;
    each(0, [&](int64_t r, int64_t c) {
      const V product = stored(apply(What::mul, a.get(r, c), adds_to ? b.get(r, c) : d.get(r, c)));
      const V sum = apply(What::add, product, adds_to ? d.get(r, c) : b.get(r, c));
      d.set(r, c, cuts && !(sum > 0) ? V{0} : sum);
    });
  } else if (family("rest")) {
    const auto a = view<T>(1), b = view<T>(2);
    const bool number = o_[2].kind != Kind::tile;
    const V by = number ? scalar<T>(o_[2]) : V{};
    each(0, [&](int64_t r, int64_t c) { d.set(r, c, rest(op_, a.get(r, c), number ? by : b.get(r, c))); });
  } else if (family("power")) {
    const auto a = view<T>(1), b = view<T>(2);
    const bool number = o_[2].kind != Kind::tile;
    const V by = number ? scalar<T>(o_[2]) : V{};
    each(0, [&](int64_t r, int64_t c) { d.set(r, c, raised(a.get(r, c), number ? by : b.get(r, c))); });
  } else if (family("expands")) {
    const V value = scalar<T>(o_[1]);
    each(0, [&](int64_t r, int64_t c) { d.set(r, c, value); });
  } else if (family("iota")) {
    const auto start = number<int64_t>(o_[1]);
    each(0, [&](int64_t r, int64_t c) {
      const int64_t k = r * o_[0].valid_columns + c;
      d.set(r, c, static_cast<V>(options_ & htp_sim::descending ? start - k : start + k));
    });
  } else if (family("select")) {
    const auto mask = view<uint8_t>(1);
    const auto a = view<T>(2);
    const bool tiles = op_ == Op::TSEL;
    const V other = tiles ? V{} : scalar<T>(o_[4]);
    const auto b = view<T>(tiles ? 3 : 2);
    each(0, [&](int64_t r, int64_t c) {
      d.set(r, c, mask.get(r, c / 8) >> (c % 8) & 1 ? a.get(r, c) : tiles ? b.get(r, c) : other);
    });
  } else if (family("transpose")) {
    const auto s = view<T>(1);
    each(1, [&](int64_t r, int64_t c) { d.set(c, r, s.get(r, c)); });
  } else if (family("gather")) {
    const auto s = view<T>(1);
    with(o_[2].type, [&](auto index) {
      using I = decltype(index);
      if constexpr (std::is_integral_v<typename As<I>::Value>) {
        const auto places = view<I>(2);
        const int64_t all = static_cast<int64_t>(o_[1].rows) * o_[1].columns;
        each(0, [&](int64_t r, int64_t c) {
          const auto place = static_cast<int64_t>(places.get(r, c));
          d.set(r, c, place >= 0 && place < all ? s.get(place / o_[1].columns, place % o_[1].columns) : V{});
        });
      }
    });
  } else if (family("fillpad")) {
    const auto s = view<T>(1);
    const V pad = pad_value<V>(o_[0].pad);
    for (int64_t r = 0; r < o_[0].valid_rows; ++r)
      for (int64_t c = 0; c < o_[0].columns; ++c)
        d.set(r, c, r < o_[1].valid_rows && c < o_[1].valid_columns ? s.get(r, c) : pad);
  } else if (family("row_reduce") || family("col_reduce")) {
    const auto s = view<T>(1);
    const bool rows = family("row_reduce");
    for (int64_t k = 0; k < (rows ? o_[1].valid_rows : o_[1].valid_columns); ++k) {
      V sum = rows ? s.get(k, 0) : s.get(0, k);
      for (int64_t i = 1; i < (rows ? o_[1].valid_columns : o_[1].valid_rows); ++i)
        sum = apply(what, sum, rows ? s.get(k, i) : s.get(i, k));
      rows ? d.set(k, 0, sum) : d.set(0, k, sum);
    }
  } else if (family("row_place")) {
    const auto s = view<T>(1);
    const auto places = view<int32_t>(0);
    for (int64_t r = 0; r < o_[1].valid_rows; ++r) {
      int64_t best = 0;
      for (int64_t c = 1; c < o_[1].valid_columns; ++c)
        if (op_ == Op::TROWARGMAX ? s.get(r, c) > s.get(r, best) : s.get(r, c) < s.get(r, best)) best = c;
      places.set(r, 0, static_cast<int32_t>(best));
    }
  } else if (family("row_expand")) {
    const auto s = view<T>(1);
    each(0, [&](int64_t r, int64_t c) { d.set(r, c, s.get(r, 0)); });
  } else if (family("col_expand")) {
    const auto s = view<T>(1);
    each(0, [&](int64_t r, int64_t c) { d.set(r, c, s.get(0, c)); });
  } else if (family("row_binary") || family("col_binary")) {
    const auto a = view<T>(1), b = view<T>(2);
    const bool rows = family("row_binary");
    each(0, [&](int64_t r, int64_t c) {
      const V x = a.get(r, rows ? c % o_[1].valid_columns : c),
              y = rows ? b.get(r, c % o_[2].valid_columns) : b.get(0, c);
      if (what == What::expdif) d.set(r, c, x - y); // which is rounded
      d.set(r, c, what == What::expdif ? unary(Op::TEXP, d.get(r, c)) : apply(what, x, y));
    });
  }
}

// What moves elements, and makes none but by TPART's operation.
template <class T> void Run::places() const {
  using V = typename As<T>::Value;
  const auto d = view<T>(0);
  if (family("triangle")) {
    const int64_t diagonal = o_[1].integer;
    each(0, [&](int64_t r, int64_t c) {
      d.set(r, c, static_cast<V>(o_[2].integer == 0 ? c <= r + diagonal : c >= r + diagonal));
    });
    return;
  }
  const auto a = view<T>(1), b = view<T>(2);
  if (family("beside")) {
    each(1, [&](int64_t r, int64_t c) { d.set(r, c, a.get(r, c)); });
    each(2, [&](int64_t r, int64_t c) { d.set(r, o_[1].valid_columns + c, b.get(r, c)); });
    return;
  }
  const What what = what_of(row_.name);
  const auto has = [&](size_t k, int64_t r, int64_t c) { return r < o_[k].valid_rows && c < o_[k].valid_columns; };
  each(0, [&](int64_t r, int64_t c) {
    d.set(r, c,
          has(1, r, c) && has(2, r, c) ? apply(what, a.get(r, c), b.get(r, c))
          : has(1, r, c)               ? a.get(r, c)
                                       : b.get(r, c));
  });
}

// A pair of a value and its place, of 8 bytes; of two bytes' values the next two are 0.
template <class T> void Run::sort() const {
  struct Pair {
    typename As<T>::Value value;
    uint32_t place;
  };
  const auto s = view<T>(1);
  const auto index = view<uint32_t>(2);
  for (int64_t r = 0; r < o_[1].valid_rows; ++r)
    for (int64_t first = 0; first < o_[1].valid_columns; first += 32) {
      std::vector<Pair> block;
      for (int64_t c = first; c < std::min<int64_t>(first + 32, o_[1].valid_columns); ++c)
        block.push_back({s.get(r, c), index.get(r, c)});
      std::stable_sort(block.begin(), block.end(), [](const Pair &a, const Pair &b) {
        return a.value != b.value ? a.value > b.value : a.place < b.place;
      });
      uint8_t *at = data_[0] + element_offset(o_[0], r, 0) + first * 8;
      for (const Pair &p : block) {
        std::memset(at, 0, 8);
        As<T>::write(at, p.value);
        std::memcpy(at + 4, &p.place, 4);
        at += 8;
      }
    }
}

// Each four blocks to one; of equals that of the earlier block first.
void Run::merge() const {
  const uint64_t block = static_cast<uint64_t>(o_[2].integer) * bytes_of(o_[1].type) / 8,
                 all = static_cast<uint64_t>(o_[1].valid_columns) * bytes_of(o_[1].type) / 8;
  const auto value = [&](const uint8_t *p) { return o_[1].type == Type::f16 ? As<Half>::read(p) : As<float>::read(p); };
  for (uint64_t group = 0; group + 4 * block <= all; group += 4 * block) {
    uint64_t next[4] = {};
    for (uint64_t out = 0; out < 4 * block; ++out) {
      const uint8_t *best = nullptr;
      size_t from = 0;
      for (size_t b = 0; b < 4; ++b) {
        if (next[b] == block) continue;
        const uint8_t *p = data_[1] + (group + b * block + next[b]) * 8;
        if (!best || value(p) > value(best)) best = p, from = b;
      }
      ++next[from];
      std::memcpy(data_[0] + (group + out) * 8, best, 8);
    }
  }
}

void Run::go() {
  if (family("load")) return copy_in();
  if (family("store")) return store();
  if (family("store_scaled")) return store_scaled();
  if (family("table_load") || family("table_store")) return table();
  if (family("scatter") || family("spread") || family("blocks")) return scatter();
  if (family("matmul")) return matmul();
  if (family("move") || family("insert")) {
    const int64_t row = o_.size() > 2 ? o_[2].integer : 0, column = o_.size() > 3 ? o_[3].integer : 0;
    const bool inserts = family("insert");
    return with(o_[1].type, [&](auto from) {
      with(o_[0].type, [&](auto to) {
        const auto s = view<decltype(from)>(1);
        const auto d = view<decltype(to)>(0);
        each(inserts ? 1 : 0, [&](int64_t r, int64_t c) {
          const auto value = inserts ? s.get(r, c) : s.get(r + row, c + column);
          d.set(inserts ? r + row : r, inserts ? c + column : c, converted<decltype(from), decltype(to)>(value, 1));
        });
      });
    });
  }
  if (family("pattern")) { // its bits, without gaps between the rows
    const Pattern p = pattern_of(o_[2].integer);
    const size_t bytes = bytes_of(o_[0].type);
    uint8_t *to = data_[0];
    for (int64_t r = 0; r < o_[1].valid_rows; ++r)
      for (int64_t c = p.first; c < o_[1].valid_columns; c += p.step, to += bytes)
        std::memcpy(to, data_[1] + element_offset(o_[1], r, c), bytes);
    return;
  }
  if (family("merge")) return merge();
  if (family("sort")) return with(o_[1].type, [&](auto type) { sort<decltype(type)>(); });
  if (family("part") || family("beside") || family("triangle"))
    return with(o_[0].type, [&](auto type) { places<decltype(type)>(); });
  if (family("convert"))
    return with(o_[1].type, [&](auto from) {
      with(o_[0].type, [&](auto to) {
        const auto s = view<decltype(from)>(1);
        const auto d = view<decltype(to)>(0);
        const bool wraps = narrows(o_[1].type, o_[0].type) && (o_.size() < 4 || o_[3].integer != 0);
        each(0, [&](int64_t r, int64_t c) {
          d.set(r, c, converted<decltype(from), decltype(to)>(s.get(r, c), o_[2].integer, wraps));
        });
      });
    });
  if (family("compare"))
    return with(o_[1].type, [&](auto type) {
      using T = decltype(type);
      const auto a = view<T>(1), b = view<T>(op_ == Op::TCMP ? 2 : 1);
      const auto d = view<uint8_t>(0);
      for (int64_t r = 0; r < o_[1].valid_rows; ++r)
        for (int64_t word = 0; word * 8 < o_[1].valid_columns; ++word) {
          unsigned bits = 0;
          for (int64_t c = word * 8; c < std::min<int64_t>(word * 8 + 8, o_[1].valid_columns); ++c)
            bits |= static_cast<unsigned>(
                        compare(o_[3].integer, a.get(r, c), op_ == Op::TCMP ? b.get(r, c) : scalar<T>(o_[2])))
                    << (c % 8);
          d.set(r, word, static_cast<uint8_t>(bits));
        }
    });
  with(family("row_place") || family("select") ? o_[family("select") ? 0 : 1].type : o_[0].type,
       [&](auto type) { vector<decltype(type)>(); });
}

} // namespace

void execute(Op op, const std::vector<Operand> &operands, uint32_t options,
             const std::function<uint8_t *(const Operand &)> &at) {
  Run(op, operands, options, at).go();
}

} // namespace htp::a2a3sim

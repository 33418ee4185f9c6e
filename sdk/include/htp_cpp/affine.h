// htp_cpp/affine.h — sets of ints between affine bounds, by isl: whatever the values of their variables, is one set
// within another, and if not, for which values? A draft. A plugin that includes this links with `htp::sets`.
//
//   Affine isl;
//   const auto n = isl.variable("N"), v = isl.variable("v");
//   const auto inside = (v >= isl.number(0)) & (v < n);
//   inside.within(v < n + isl.number(1))            yes, no, or (too hard) unknown
//   inside.without("v")                             for which N there is such a v
//
// All variables are on a level; a set holds tuples of values of those that it names. What isl gives up on stays
// unknown, and so does all that is made of it. Not for two threads.
#pragma once

#include "htp_cpp/ints.h"

#include <isl/aff.h>
#include <isl/ctx.h>
#include <isl/id.h>
#include <isl/ilp.h>
#include <isl/options.h>
#include <isl/point.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/val.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace htp::sdk {

// One of isl's objects; null where isl gave up.
template <class T, auto Copy, auto Free> class IslPointer {
public:
  IslPointer() = default;
  explicit IslPointer(T *taken) : p_(taken) {}
  IslPointer(const IslPointer &other) : p_(Copy(other.p_)) {}
  IslPointer(IslPointer &&other) noexcept : p_(std::exchange(other.p_, nullptr)) {}
  IslPointer &operator=(IslPointer other) noexcept { return std::swap(p_, other.p_), *this; }
  ~IslPointer() { Free(p_); }
  T *get() const { return p_; }
  T *copy() const { return Copy(p_); } // for isl to take

private:
  T *p_ = nullptr;
};

enum class Answer : uint8_t { no, yes, unknown };

// A condition on ints: the tuples of values that meet it.
class IntSet {
public:
  IntSet() = default;
  explicit IntSet(isl_set *taken) : set_(taken) {}

  friend IntSet operator&(const IntSet &a, const IntSet &b) {
    return IntSet(isl_set_intersect(a.set_.copy(), b.set_.copy()));
  }
  friend IntSet operator|(const IntSet &a, const IntSet &b) {
    return IntSet(isl_set_coalesce(isl_set_union(a.set_.copy(), b.set_.copy())));
  }
  friend IntSet operator-(const IntSet &a, const IntSet &b) {
    return IntSet(isl_set_subtract(a.set_.copy(), b.set_.copy()));
  }
  isl_set *copy() const { return set_.copy(); } // for isl to take

  // For which values of the others there is a value of `variable`.
  IntSet without(const std::string &variable) const {
    isl_set *set = set_.copy();
    const int at = isl_set_find_dim_by_name(set, isl_dim_param, variable.c_str());
    return IntSet(at < 0 ? set : isl_set_project_out(set, isl_dim_param, static_cast<unsigned>(at), 1));
  }
  // The same set of another variable, which it does not have.
  IntSet renamed(const std::string &variable, const std::string &other) const {
    isl_set *set = set_.copy();
    const int at = isl_set_find_dim_by_name(set, isl_dim_param, variable.c_str());
    return IntSet(at < 0 ? set : isl_set_set_dim_name(set, isl_dim_param, static_cast<unsigned>(at), other.c_str()));
  }
  Answer empty() const { return answer(isl_set_is_empty(set_.get())); }
  Answer within(const IntSet &other) const { return answer(isl_set_is_subset(set_.get(), other.set_.get())); }

  // One of the tuples: the smallest in the order of `first`, as far as there is one. Nothing of an empty set.
  std::optional<std::map<std::string, int64_t>> point(const std::vector<std::string> &first) const;

private:
  static Answer answer(isl_bool b) {
    return b == isl_bool_error ? Answer::unknown : b == isl_bool_true ? Answer::yes : Answer::no;
  }
  IslPointer<isl_set, isl_set_copy, isl_set_free> set_;
};

// An int: affine in variables, piece by piece.
class IntValue {
public:
  IntValue() = default;
  explicit IntValue(isl_pw_aff *taken) : value_(taken) {}

  friend IntValue operator+(const IntValue &a, const IntValue &b) { return by<isl_pw_aff_add>(a, b); }
  friend IntValue operator-(const IntValue &a, const IntValue &b) { return by<isl_pw_aff_sub>(a, b); }
  friend IntValue least(const IntValue &a, const IntValue &b) { return by<isl_pw_aff_min>(a, b); }
  friend IntValue most(const IntValue &a, const IntValue &b) { return by<isl_pw_aff_max>(a, b); }
  friend IntValue operator*(const IntValue &a, int64_t k) { return IntValue(isl_pw_aff_scale_val(a.copy(), a.val(k))); }
  // Python's, of a positive divisor.
  friend IntValue operator/(const IntValue &a, int64_t k) {
    return IntValue(isl_pw_aff_floor(isl_pw_aff_scale_down_val(a.copy(), a.val(k))));
  }
  friend IntValue operator%(const IntValue &a, int64_t k) { return IntValue(isl_pw_aff_mod_val(a.copy(), a.val(k))); }

  friend IntSet operator<(const IntValue &a, const IntValue &b) { return set<isl_pw_aff_lt_set>(a, b); }
  friend IntSet operator<=(const IntValue &a, const IntValue &b) { return set<isl_pw_aff_le_set>(a, b); }
  friend IntSet operator>(const IntValue &a, const IntValue &b) { return set<isl_pw_aff_gt_set>(a, b); }
  friend IntSet operator>=(const IntValue &a, const IntValue &b) { return set<isl_pw_aff_ge_set>(a, b); }
  friend IntSet operator==(const IntValue &a, const IntValue &b) { return set<isl_pw_aff_eq_set>(a, b); }
  friend IntSet operator!=(const IntValue &a, const IntValue &b) { return set<isl_pw_aff_ne_set>(a, b); }

  // The same where a set holds, and nothing elsewhere.
  IntValue within(const IntSet &set) const { return IntValue(isl_pw_aff_intersect_params(copy(), set.copy())); }
  // Of two that are nothing where the other is something: each where it is.
  friend IntValue either(const IntValue &a, const IntValue &b) { return by<isl_pw_aff_union_add>(a, b); }

  isl_pw_aff *copy() const { return value_.copy(); } // for isl to take

  // The int that it is everywhere.
  std::optional<int64_t> constant() const {
    std::optional<int64_t> found;
    isl_pw_aff_foreach_piece(
        value_.get(),
        [](isl_set *set, isl_aff *aff, void *user) {
          auto &only = *static_cast<std::optional<int64_t> *>(user);
          isl_val *value = isl_aff_is_cst(aff) == isl_bool_true ? isl_aff_get_constant_val(aff) : nullptr;
          const bool first = value && !only;
          if (first) only = isl_val_get_num_si(value);
          isl_set_free(set), isl_aff_free(aff), isl_val_free(value);
          return first ? isl_stat_ok : (only.reset(), isl_stat_error);
        },
        &found);
    return found;
  }

private:
  isl_val *val(int64_t k) const {
    return value_.get() ? isl_val_int_from_si(isl_pw_aff_get_ctx(value_.get()), k) : nullptr;
  }
  template <auto F> static IntValue by(const IntValue &a, const IntValue &b) { return IntValue(F(a.copy(), b.copy())); }
  template <auto F> static IntSet set(const IntValue &a, const IntValue &b) { return IntSet(F(a.copy(), b.copy())); }
  IslPointer<isl_pw_aff, isl_pw_aff_copy, isl_pw_aff_free> value_;
};

inline std::optional<std::map<std::string, int64_t>> IntSet::point(const std::vector<std::string> &first) const {
  if (empty() != Answer::no) return std::nullopt;
  // The smallest, variable by variable, as far as each has a smallest value.
  isl_set *rest = set_.copy();
  for (const std::string &variable : first) {
    const int at = isl_set_find_dim_by_name(rest, isl_dim_param, variable.c_str());
    if (at < 0) continue;
    isl_set *values = isl_set_from_params(isl_set_copy(rest));
    values = isl_set_move_dims(values, isl_dim_set, 0, isl_dim_param, static_cast<unsigned>(at), 1);
    values = isl_set_project_out(values, isl_dim_param, 0, static_cast<unsigned>(isl_set_dim(values, isl_dim_param)));
    isl_val *value = isl_set_dim_min_val(values, 0);
    if (value && isl_val_is_int(value) == isl_bool_true)
      rest = isl_set_intersect(rest, isl_set_fix_val(isl_set_universe(isl_set_get_space(rest)), isl_dim_param,
                                                     static_cast<unsigned>(at), isl_val_copy(value)));
    isl_val_free(value);
  }
  isl_point *sample = isl_set_sample_point(rest);
  if (!sample || isl_point_is_void(sample) != isl_bool_false) return isl_point_free(sample), std::nullopt;
  std::map<std::string, int64_t> found;
  isl_space *space = isl_point_get_space(sample);
  const isl_size count = isl_space_dim(space, isl_dim_param);
  for (int k = 0; k < count; ++k) {
    isl_val *value = isl_point_get_coordinate_val(sample, isl_dim_param, k);
    found[isl_space_get_dim_name(space, isl_dim_param, static_cast<unsigned>(k))] = isl_val_get_num_si(value);
    isl_val_free(value);
  }
  isl_space_free(space);
  isl_point_free(sample);
  return found;
}

class Affine {
public:
  // Past a number of isl's steps an answer is unknown: by number, so that it is the same on every machine.
  explicit Affine(unsigned long steps = 500'000) : ctx_(isl_ctx_alloc()) {
    isl_options_set_on_error(ctx_.get(), ISL_ON_ERROR_CONTINUE);
    isl_ctx_set_max_operations(ctx_.get(), steps);
  }

  // Another question, for which all steps are there.
  void next_question() { isl_ctx_reset_operations(ctx_.get()); }

  IntValue number(int64_t value) {
    return IntValue(isl_pw_aff_from_aff(isl_aff_val_on_domain_space(space(), isl_val_int_from_si(ctx_.get(), value))));
  }
  IntValue variable(const std::string &name) {
    isl_id *id = isl_id_alloc(ctx_.get(), name.c_str(), nullptr);
    isl_space *with = isl_space_add_param_id(space(), isl_id_copy(id));
    return IntValue(isl_pw_aff_from_aff(isl_aff_param_on_domain_space_id(with, id)));
  }
  IntSet all() { return IntSet(isl_set_universe(space())); }
  IntSet none() { return IntSet(isl_set_empty(space())); }

private:
  isl_space *space() { return isl_space_params_alloc(ctx_.get(), 0); }
  struct Free {
    void operator()(isl_ctx *ctx) const { isl_ctx_free(ctx); }
  };
  std::unique_ptr<isl_ctx, Free> ctx_;
};

// ── and int expressions ─────────────────────────────────────────────────────────────────────────────────────────────

// Names and what is no arithmetic are variables of their spelling, and so is a product of several.
IntValue to_value(Affine &isl, const IntExpr &e);
// Nothing of an int that is of several pieces, or that isl gave up on.
MaybeInt to_int(const IntValue &value);

} // namespace htp::sdk

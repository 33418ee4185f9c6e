// Int expressions as isl's, and back.
#include "htp_cpp/affine.h"

#include <limits>

namespace htp::sdk {

namespace {

IntValue of_atom(Affine &isl, const IntAtom &a) {
  switch (a.kind) {
  case IntAtom::Kind::quotient: return to_value(isl, a.of[0]) / a.by;
  case IntAtom::Kind::remainder: return to_value(isl, a.of[0]) % a.by;
  case IntAtom::Kind::least:
  case IntAtom::Kind::most: {
    IntValue all = to_value(isl, a.of[0]);
    for (const IntExpr &one : a.of) {
      const IntValue next = to_value(isl, one);
      all = a.kind == IntAtom::Kind::least ? least(all, next) : most(all, next);
    }
    return all;
  }
  default: return isl.variable(a.text);
  }
}

// A product of ints is a variable of its own, in the spelling of the product.
IntValue of_product(Affine &isl, const IntProduct &product) {
  if (product.size() == 1) return of_atom(isl, *product[0]);
  std::string text;
  for (const IntFactor &f : product) text += (text.empty() ? "" : " * ") + f->text;
  return isl.variable(text);
}

std::optional<int64_t> number(isl_val *taken) {
  const bool fits = isl_val_is_int(taken) == isl_bool_true &&
                    isl_val_cmp_si(taken, std::numeric_limits<int64_t>::max()) <= 0 &&
                    isl_val_cmp_si(taken, std::numeric_limits<int64_t>::min()) >= 0;
  const auto found = fits ? std::optional<int64_t>(isl_val_get_num_si(taken)) : std::nullopt;
  isl_val_free(taken);
  return found;
}

// An affine form times its denominator, which is put into `by`.
MaybeInt numerator(isl_aff *aff, int64_t &by) {
  const auto denominator = number(isl_aff_get_denominator_val(aff));
  if (!denominator) return std::nullopt;
  by = *denominator;
  const auto whole = [&](isl_val *taken) { // a coefficient times the denominator
    return number(isl_val_mul(taken, isl_aff_get_denominator_val(aff)));
  };
  const auto constant = whole(isl_aff_get_constant_val(aff));
  MaybeInt all = constant ? MaybeInt(*constant) : std::nullopt;
  for (int k = 0; k < isl_aff_dim(aff, isl_dim_param); ++k) {
    const auto factor = whole(isl_aff_get_coefficient_val(aff, isl_dim_param, k));
    if (!factor) return std::nullopt;
    if (*factor)
      all =
          all + IntExpr::symbol(isl_aff_get_dim_name(aff, isl_dim_param, static_cast<unsigned>(k))) * IntExpr(*factor);
  }
  for (int k = 0; k < isl_aff_dim(aff, isl_dim_div); ++k) {
    const auto factor = whole(isl_aff_get_coefficient_val(aff, isl_dim_div, k));
    if (!factor) return std::nullopt;
    if (*factor == 0) continue;
    isl_aff *div = isl_aff_get_div(aff, k);
    int64_t of = 1;
    const MaybeInt inside = numerator(div, of);
    isl_aff_free(div);
    all = all + floor_div(inside, of) * IntExpr(*factor);
  }
  return all;
}

} // namespace

IntValue to_value(Affine &isl, const IntExpr &e) {
  IntValue all = isl.number(e.offset());
  for (const auto &[product, factor] : e.terms())
    if (!product.empty()) all = all + of_product(isl, product) * factor;
  return all;
}

MaybeInt to_int(const IntValue &value) {
  isl_pw_aff *pieces = value.copy();
  MaybeInt found;
  if (pieces && isl_pw_aff_n_piece(pieces) == 1)
    isl_pw_aff_foreach_piece(
        pieces,
        [](isl_set *set, isl_aff *aff, void *user) {
          int64_t by = 1;
          MaybeInt e = numerator(aff, by);
          if (by == 1) *static_cast<MaybeInt *>(user) = std::move(e);
          isl_set_free(set), isl_aff_free(aff);
          return isl_stat_ok;
        },
        &found);
  isl_pw_aff_free(pieces);
  return found;
}

} // namespace htp::sdk

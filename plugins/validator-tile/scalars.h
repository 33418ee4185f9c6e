// scalars.h — single elements as terms in a normal form: functions of elements, choices by conditions of ints, and
// folds: sums, products, maxima and minima of any number of elements, in whichever order. Knows no loop and no
// contents.
#pragma once

#include "facts.h"
#include "terms.h"

#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace htp::validator {

// Why an element has no form here.
struct NoElement {
  std::string why;
};

// What a fold is made with: "sum", and the function of two of it.
struct Fold {
  std::string_view name, function;
};

class Scalars {
public:
  Scalars(Terms &terms, Facts &facts) : t(terms), facts(facts) {}

protected:
  [[noreturn]] static void fail(std::string why) { throw NoElement{std::move(why)}; }

  // ── variables: an int or a value that is named in one term alone ──
  Term fresh_int();
  Term fresh_value(const std::string &dtype);
  // In each place that is not bound.
  Term replaced(Term x, const std::map<Term, Term> &by);
  // A variable, of which `per` times it is known to be `whole`: so wherever a multiple of it stands.
  struct Pin {
    Term variable = 0, value = 0; // no value: it is not known
    int64_t per = 1;
    Term whole = 0; // 0: the quotient alone is known
  };
  Term pinned_in(Term x, const Pin &pin);
  bool mentions(Term x, Term variable);
  bool mentions_any(Term x, const std::set<Term> &variables);

  // ── functions ──
  // One of elements that are there: operands of what commutes have an order, and what folds is one.
  Term function(const std::string &name, std::vector<Term> args, const std::string &dtype);
  // A literal, or an int: it takes the dtype of what it meets.
  bool is_weak(Term x) const;
  // With the dtype that it takes.
  Term typed(Term x, const std::string &dtype);
  std::string dtype_of(Term x) const { return t.type_of(x).dtype; }

  // ── choices ──
  // One value where all conditions hold (ints that are not negative, or truths), else the other. What the facts decide
  // is decided.
  Term guarded(std::vector<Term> conditions, Term yes, Term no);
  static std::vector<Term> atoms_of_condition(const Terms &t, Term condition);
  bool is_truth(Term x) const { return t.type_of(x).dtype == "truth"; }
  // Again, by what is known now.
  Term decided(Term x);

  // ── folds ──
  static const Fold *fold_of_function(std::string_view function);
  // Of items, each an element or one that goes `over` a range.
  Term fold(const std::string &name, const std::string &dtype, std::vector<Term> items);
  // As many as `count` of it, from 0 on; nothing where that is not positive.
  Term over(const std::string &name, const std::string &dtype, Term count, Term variable, Term body);
  bool folds(Term x, const std::string &name, const std::string &dtype) const;
  bool is_identity(Term x, const std::string &name, const std::string &dtype) const;

  // ── bound variables: a term that binds one names it by how deep it is in itself ──
  int64_t height(Term x);
  Term bound_int(int64_t height);
  Term bound_value(int64_t height, size_t k, const std::string &dtype);

  Terms &t;
  Facts &facts;
  bool reordered_ = false; // a fold of floats has another order

private:
  // Ranges one after the other, and ranges that take turns, are one.
  bool joined(const std::string &name, const std::string &dtype, std::vector<Term> &items);
  bool interleaved(const std::string &name, const std::string &dtype, std::vector<Term> &items);
  Term cut(const std::string &name, const std::string &dtype, Term count, Term variable, Term body);
  Term merged(const std::string &name, const std::string &dtype, Term count, Term variable, Term body);
  bool has_choice(Term x);
  Term again(Term x, std::vector<Term> args);
  std::map<Term, int64_t> heights_;
  std::map<Term, bool> chooses_;
  uint64_t variables_ = 0;
};

} // namespace htp::validator

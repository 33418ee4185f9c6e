#include "export/affine.h"

#include <algorithm>
#include <charconv>

namespace htp::mlir {

// ── out ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

namespace {

// An affine expression as MLIR reads it; `called` says what a name is called in it.
template <class F> std::string spelled(const IntExpr &e, F &&called) {
  std::string all;
  const auto atom = [&](const sdk::IntAtom &a) {
    if (a.of.empty()) return std::string(called(a.text));
    return "(" + spelled(a.of[0], called) + (a.kind == sdk::IntAtom::Kind::quotient ? ") floordiv " : ") mod ") +
           std::to_string(a.by);
  };
  for (const auto &[product, factor] : e.terms()) {
    if (product.empty()) continue;
    const std::string one = atom(*product[0]);
    all += (all.empty() ? "" : " + ") + (factor == 1 ? one : "(" + one + ") * " + std::to_string(factor));
  }
  if (const int64_t number = e.offset(); number || all.empty())
    all += (all.empty() ? "" : " + ") + std::to_string(number);
  return all;
}

// Whether MLIR has such expressions.
bool expressible(const IntExpr &e) {
  return std::ranges::all_of(e.terms(), [](const auto &term) {
    return term.first.size() < 2 && std::ranges::all_of(term.first, [](const sdk::IntFactor &f) {
             return std::ranges::all_of(f->of, expressible);
           });
  });
}

} // namespace

std::string map_of(const AffineForm &form) {
  constexpr std::string_view symbol = "symbol(";
  std::vector<std::string> dims, symbols;
  const auto called = [&](std::string_view name) {
    const bool is_symbol = name.starts_with(symbol);
    if (is_symbol) name = name.substr(symbol.size(), name.size() - symbol.size() - 1);
    auto &list = is_symbol ? symbols : dims;
    const auto at = std::ranges::find(list, name);
    const auto place = at - list.begin();
    if (at == list.end()) list.emplace_back(name);
    return (is_symbol ? "s" : "d") + std::to_string(place);
  };
  const std::string results = join(form.expressions, ", ", [&](const IntExpr &e) { return spelled(e, called); });
  const auto listed = [](size_t count, const char *letter) {
    std::string text;
    for (size_t k = 0; k < count; ++k) text += (k ? ", " : "") + std::string(letter) + std::to_string(k);
    return text;
  };
  const auto values = [](const std::vector<std::string> &list) {
    return join(list, ", ", [](const std::string &s) { return s; });
  };
  std::string text = "affine_map<(" + listed(dims.size(), "d") + ")";
  if (!symbols.empty()) text += "[" + listed(symbols.size(), "s") + "]";
  text += " -> (" + results + ")>(" + values(dims) + ")";
  return symbols.empty() ? text : text + "[" + values(symbols) + "]";
}

void AffineForms::define(const std::string &value, const Environment &names, Node n) {
  if (auto f = form(names, n)) forms_[value] = std::move(*f);
}

// An expression that is no choice of several.
MaybeInt AffineForms::one(const Environment &names, Node n) const {
  sdk::IntMeanings meanings;
  meanings.other = [&](Node e) {
    const auto number = p.constants().integer(e);
    return number ? MaybeInt(*number) : std::nullopt;
  };
  meanings.name = [&](std::string_view id) -> MaybeInt {
    if (const auto number = p.constants().named(id))
      return number->real || number->truth ? std::nullopt : MaybeInt(number->i);
    const auto at = names.find(id);
    const auto known = at == names.end() ? forms_.end() : forms_.find(at->second.name);
    const bool is_one = known != forms_.end() && known->second.choice == AffineForm::Choice::one;
    return is_one ? MaybeInt(known->second.expressions[0]) : std::nullopt;
  };
  const MaybeInt e = sdk::read_int(c, n, meanings);
  return e && expressible(*e) ? e : std::nullopt;
}

std::optional<AffineForm> AffineForms::form(const Environment &names, Node n) const {
  using Choice = AffineForm::Choice;
  if (const MaybeInt e = one(names, n)) return AffineForm{{}, {*e}};
  if (const auto at = names.find(c.name_of(n)); at != names.end()) // it may be a choice
    if (const auto known = forms_.find(at->second.name); known != forms_.end()) return known->second;
  if (auto call = c.as<ast::Call>(n); call && call.keywords().empty() && !call.args().empty())
    if (const auto function = c.name_of(call.func()); function == "min" || function == "max") {
      AffineForm all{function == "min" ? Choice::least : Choice::greatest, {}};
      for (const Node x : call.args()) {
        auto f = form(names, x);
        if (!f || (f->choice != Choice::one && f->choice != all.choice)) return std::nullopt;
        all.expressions.insert(all.expressions.end(), f->expressions.begin(), f->expressions.end());
      }
      return all;
    }
  return std::nullopt;
}

std::string AffineForms::expression(const Environment &names, Node n) const {
  const auto f = form(names, n);
  if (!f || f->choice != AffineForm::Choice::one) refuse(n, diag::not_affine, c.show(n));
  return spelled(f->expressions[0], [](const std::string &name) { return name; });
}

AffineForm AffineForms::bound(const Environment &names, Node n, AffineForm::Choice choice) const {
  auto f = form(names, n);
  if (!f || (f->choice != AffineForm::Choice::one && f->choice != choice)) refuse(n, diag::not_affine, c.show(n));
  return std::move(*f);
}

// ── back ────────────────────────────────────────────────────────────────────────────────────────────────────────────

namespace {

// sum ::= product (("+" | "-") product)*    product ::= term (("*" | "floordiv" | "ceildiv" | "mod") term)*
class MapReader {
public:
  explicit MapReader(std::string_view text) : text_(text) {}

  std::optional<AffineMap> run() {
    AffineMap map;
    const bool set = take("affine_set<");
    if (!set && !take("affine_map<")) return std::nullopt;
    if (!names("(", ")", 'd', map.dims)) return std::nullopt;
    if (at("[") && !names("[", "]", 's', map.symbols)) return std::nullopt;
    map_ = &map;
    if (!take(set ? ":" : "->") || !take("(")) return std::nullopt;
    while (!take(")")) {
      auto e = sum(0);
      if (!e) return std::nullopt;
      map.results.push_back(*e);
      if (set) {
        map.equal.push_back(take("=="));
        if ((!map.equal.back() && !take(">=")) || !take("0")) return std::nullopt;
      }
      if (!take(",") && !at(")")) return std::nullopt;
    }
    return take(">") && at_ == text_.size() ? std::optional(std::move(map)) : std::nullopt;
  }

private:
  using Part = std::shared_ptr<const AffineExpression>;
  using Kind = AffineExpression::Kind;
  static constexpr unsigned deepest = 200;

  bool at(std::string_view token) {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return text_.substr(at_, token.size()) == token;
  }
  bool take(std::string_view token) {
    if (!at(token)) return false;
    at_ += token.size();
    return true;
  }
  bool names(std::string_view open, std::string_view close, char letter, size_t &count) {
    if (!take(open)) return false;
    while (!take(close)) {
      if (!take(std::string(1, letter) + std::to_string(count))) return false;
      ++count;
      if (!take(",") && !at(close)) return false;
    }
    return true;
  }
  static Part made(Kind kind, Part l, Part r) {
    return std::make_shared<AffineExpression>(AffineExpression{kind, 0, std::move(l), std::move(r)});
  }
  static Part number(int64_t n) {
    return std::make_shared<AffineExpression>(AffineExpression{Kind::number, n, nullptr, nullptr});
  }

  Part sum(unsigned depth) {
    Part l = product(depth);
    while (l && (at("+") || (at("-") && !at("->")))) {
      const bool minus = take("-");
      if (!minus) take("+");
      Part r = product(depth);
      if (!r) return nullptr;
      if (minus) r = made(Kind::multiply, r, number(-1));
      l = made(Kind::add, l, r);
    }
    return l;
  }
  Part product(unsigned depth) {
    Part l = term(depth);
    while (l) {
      const Kind kind = take("*")          ? Kind::multiply
                        : take("floordiv") ? Kind::floor_divide
                        : take("ceildiv")  ? Kind::ceil_divide
                        : take("mod")      ? Kind::remainder
                                           : Kind::number;
      if (kind == Kind::number) break;
      Part r = term(depth);
      if (!r) return nullptr;
      l = made(kind, l, r);
    }
    return l;
  }
  Part term(unsigned depth) {
    if (depth > deepest) return nullptr;
    if (take("(")) {
      Part e = sum(depth + 1);
      return e && take(")") ? e : nullptr;
    }
    const bool minus = take("-");
    if (minus && (at("(") || at("d") || at("s"))) {
      Part e = term(depth + 1);
      return e ? made(Kind::multiply, e, number(-1)) : nullptr;
    }
    const Kind kind = take("d") ? Kind::dim : take("s") ? Kind::symbol : Kind::number;
    if (at_ < text_.size() && text_[at_] == ' ' && kind != Kind::number) return nullptr;
    at("");
    int64_t n = 0;
    const char *const end = text_.data() + text_.size();
    const auto read = std::from_chars(text_.data() + at_, end, n);
    if (read.ec != std::errc() || read.ptr == text_.data() + at_ || n < 0) return nullptr;
    at_ = static_cast<size_t>(read.ptr - text_.data());
    if ((kind == Kind::dim && static_cast<size_t>(n) >= map_->dims) ||
        (kind == Kind::symbol && static_cast<size_t>(n) >= map_->symbols))
      return nullptr;
    return std::make_shared<AffineExpression>(AffineExpression{kind, minus ? -n : n, nullptr, nullptr});
  }

  std::string_view text_;
  size_t at_ = 0;
  const AffineMap *map_ = nullptr;
};

} // namespace

std::optional<AffineMap> affine_map_of(std::string_view attribute) { return MapReader(attribute).run(); }

} // namespace htp::mlir

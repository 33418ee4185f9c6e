#include "affine.h"

#include <algorithm>
#include <charconv>

namespace htp::mlir {

namespace {

bool is_name(char ch) {
  return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || (ch >= '0' && ch <= '9') || ch == '_';
}

} // namespace

// ── out ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

std::string map_of(const AffineForm &form) {
  std::vector<std::string> dims, symbols;
  std::string results;
  for (const std::string &e : form.expressions) {
    if (!results.empty()) results += ", ";
    for (size_t k = 0; k < e.size();) {
      const bool symbol = e.compare(k, 7, "symbol(") == 0;
      if (!symbol && e[k] != '%') {
        results += e[k++];
        continue;
      }
      const size_t begin = symbol ? k + 7 : k;
      size_t end = begin + 1;
      while (end < e.size() && is_name(e[end])) ++end;
      const std::string name = e.substr(begin, end - begin);
      auto &list = symbol ? symbols : dims;
      const auto at = std::find(list.begin(), list.end(), name);
      results += (symbol ? "s" : "d") + std::to_string(at - list.begin());
      if (at == list.end()) list.push_back(name);
      k = symbol ? end + 1 : end;
    }
  }
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

std::optional<AffineForm> AffineForms::form(const Environment &names, Node n) const {
  using Choice = AffineForm::Choice;
  if (const auto number = p.constants().number(n)) {
    if (number->real || number->truth) return std::nullopt;
    return AffineForm{{}, {std::to_string(number->i)}};
  }
  if (const auto id = c.name_of(n); !id.empty()) {
    const auto at = names.find(id);
    const auto known = at == names.end() ? forms_.end() : forms_.find(at->second.name);
    return known == forms_.end() ? std::nullopt : std::optional(known->second);
  }
  const auto one = [&](Node x) -> std::optional<std::string> {
    auto f = form(names, x);
    if (!f || f->choice != Choice::one) return std::nullopt;
    return std::move(f->expressions[0]);
  };
  if (auto u = c.as<ast::UnaryOp>(n); u && u.op() == HTP_USub) {
    const auto v = one(u.operand());
    return v ? std::optional(AffineForm{{}, {"(" + *v + ") * -1"}}) : std::nullopt;
  }
  if (auto b = c.as<ast::BinOp>(n)) {
    const auto l = one(b.left()), r = one(b.right());
    if (!l || !r) return std::nullopt;
    const auto by = p.constants().integer(b.right()), times = p.constants().integer(b.left());
    std::string text;
    if (b.op() == HTP_Add)
      text = *l + " + " + *r;
    else if (b.op() == HTP_Sub)
      text = *l + " - (" + *r + ")";
    else if (b.op() == HTP_Mult && by)
      text = "(" + *l + ") * " + *r;
    else if (b.op() == HTP_Mult && times)
      text = "(" + *r + ") * " + *l;
    else if ((b.op() == HTP_FloorDiv || b.op() == HTP_Mod) && by && *by > 0)
      text = "(" + *l + (b.op() == HTP_Mod ? ") mod " : ") floordiv ") + *r;
    else
      return std::nullopt;
    return AffineForm{{}, {std::move(text)}};
  }
  if (auto call = c.as<ast::Call>(n); call && call.keywords().empty() && !call.args().empty())
    if (const auto word = c.name_of(call.func()); word == "min" || word == "max") {
      AffineForm all{word == "min" ? Choice::least : Choice::greatest, {}};
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
  return f->expressions[0];
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

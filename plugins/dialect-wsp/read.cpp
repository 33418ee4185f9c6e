// Reading a schedule: its own directives, those of the schedule it is made from, and those of the combinations it
// calls, in which what the parameters stand for is put in.
#include "wsp.h"

#include "htp_cpp/suggest.h"

namespace htp::wsp {

namespace {

constexpr DirectiveKind kinds[] = {
#define DIRECTIVE(name, positional, keywords, example) {#name, positional, keywords, example},
#include "directives.def"
#undef DIRECTIVE
};

constexpr size_t deepest = 16; // combinations that call combinations

// What a name stands for in a combination.
struct Meaning {
  Node node = HTP_NONE;
  std::optional<std::string> text; // of a string
};
using Environment = std::map<std::string, Meaning, std::less<>>;

// "level:s" and its like, one after the other.
struct Keyword {
  std::string_view name;
  char letter;
  bool optional;
};
std::vector<Keyword> keywords_of(const DirectiveKind &kind) {
  std::vector<Keyword> result;
  for (std::string_view rest = kind.keywords; !rest.empty();) {
    const std::string_view one = rest.substr(0, rest.find(' '));
    rest.remove_prefix(std::min(one.size() + 1, rest.size()));
    const size_t colon = one.find(':');
    result.push_back({one.substr(0, colon), one[colon + 1], one.ends_with('?')});
  }
  return result;
}

class ScheduleReader {
public:
  ScheduleReader(const Context &context, const Names &names, Node root, bool report, std::vector<Directive> &to)
      : c(context), names_(names), root_(root), report_(report), to_(to) {}

  // A schedule, after the one it is made from.
  void schedule(Node function, size_t depth = 0) {
    const Node base = c.function(root_, c.name_of(scheduled(c, names_, function)));
    if (base && scheduled(c, names_, base) && depth < deepest) schedule(base, depth + 1);
    body(function, {}, HTP_NONE, depth);
  }

private:
  void body(Node function, const Environment &environment, Node via, size_t depth) {
    auto f = c.get<ast::FunctionDef>(function);
    const Nodes parameters = c.get<ast::arguments>(f.args()).args();
    const std::string_view self = parameters.empty() ? std::string_view() : c.get<ast::arg>(parameters[0]).arg();
    bool first = true;
    for (const Node s : f.body()) {
      std::string_view doc;
      auto e = c.as<ast::Expr>(s);
      const bool docstring = first && e && c.string(e.value(), &doc);
      first = false;
      if (!docstring && !c.is(s, HTP_Pass)) line(s, self, environment, via, depth);
    }
  }

  void line(Node statement, std::string_view self, const Environment &environment, Node via, size_t depth) {
    auto e = c.as<ast::Expr>(statement);
    auto call = e ? c.as<ast::Call>(e.value()) : ast::Call{&c, HTP_NONE};
    auto method = call ? c.as<ast::Attribute>(call.func()) : ast::Attribute{&c, HTP_NONE};
    if (method && c.name_of(method.value()) == self) return directive(call, method.attr(), environment, via);
    const Node called = call ? c.function(root_, c.name_of(call.func())) : HTP_NONE;
    if (called && !call.args().empty() && c.name_of(call.args()[0]) == self &&
        (is_combination(c, names_, called) || scheduled(c, names_, called)))
      return combination(call, called, environment, via ? via : call.node, depth);
    if (report_) {
      const std::string text = c.show(statement);
      Report r = c.report(diag::not_a_directive, statement, text.substr(0, text.find('\n')));
      if (via) r.label(via, "called here");
    }
  }

  // A call of a combination, or of another schedule's function: its lines stand for it.
  void combination(ast::Call call, Node function, const Environment &outer, Node via, size_t depth) {
    auto f = c.get<ast::FunctionDef>(function);
    auto a = c.get<ast::arguments>(f.args());
    if (depth >= deepest) {
      if (report_) c.report(diag::endless_combination, via, f.name());
      return;
    }
    const Nodes parameters = a.args(), defaults = a.defaults();
    Environment inner;
    bool fits = call.args().size() <= parameters.size() && !a.vararg() && !a.kwarg() && a.kwonlyargs().empty();
    for (size_t k = 1; k < parameters.size() && fits; ++k) {
      const std::string_view name = c.get<ast::arg>(parameters[k]).arg();
      const Environment *where = &outer;
      Node given = k < call.args().size() ? call.args()[k] : HTP_NONE;
      for (const Node n : call.keywords())
        if (auto keyword = c.get<ast::keyword>(n); keyword.arg() == name) fits = !given, given = keyword.value();
      static const Environment none;
      if (const size_t without = parameters.size() - defaults.size(); !given && k >= without)
        given = defaults[k - without], where = &none;
      fits = fits && given;
      if (fits) inner[std::string(name)] = value(given, *where);
    }
    for (const Node n : call.keywords()) fits = fits && inner.contains(c.get<ast::keyword>(n).arg());
    if (!fits) {
      if (report_)
        c.report(diag::bad_arguments, call.node, f.name(),
                 join(parameters, ", ", [&](Node p) { return std::string(c.get<ast::arg>(p).arg()); }))
            .label(function, "defined here")
            .hint("give it the schedule first, then a value for each of its parameters");
      return;
    }
    body(function, inner, via, depth + 1);
  }

  // ── values ──

  std::optional<std::string> text(Node n, const Environment &environment) const {
    std::string_view literal;
    if (c.string(n, &literal)) return std::string(literal);
    if (const auto it = environment.find(c.name_of(n)); it != environment.end()) return it->second.text;
    if (auto b = c.as<ast::BinOp>(n); b && b.op() == HTP_Add) {
      const auto left = text(b.left(), environment), right = text(b.right(), environment);
      return left && right ? std::optional(*left + *right) : std::nullopt;
    }
    auto f = c.as<ast::JoinedStr>(n);
    if (!f) return std::nullopt;
    std::string all;
    for (const Node part : f.values()) {
      auto v = c.as<ast::FormattedValue>(part);
      if (v && (v.format_spec() || v.conversion() != -1)) return std::nullopt;
      std::optional<std::string> piece = text(v ? v.value() : part, environment);
      if (const auto number = v && !piece ? Constants(c, root_).integer(put_in(v.value(), environment)) : std::nullopt)
        piece = std::to_string(*number);
      if (!piece) return std::nullopt;
      all += *piece;
    }
    return all;
  }

  // The expression with what the names stand for in their place.
  Node put_in(Node n, const Environment &environment) const {
    if (environment.empty()) return n;
    return rewrite(
        c, n,
        [&](Node e) {
          const auto it = environment.find(c.name_of(e));
          return it == environment.end() || it->second.text ? e : it->second.node;
        },
        [](Node, std::vector<uint32_t> &) { return false; });
  }

  Meaning value(Node n, const Environment &environment) const {
    const Node now = put_in(n, environment);
    return {now, text(n, environment)};
  }

  // ── directives ──

  void directive(ast::Call call, std::string_view name, const Environment &environment, Node via) {
    const DirectiveKind *kind = directive_kind(name);
    if (!kind) {
      if (!report_) return;
      const std::string near = nearest(std::string(name), directive_names());
      Report r = c.report(diag::unknown_directive, call.node, name);
      if (via) r.label(via, "called here");
      r.hint(near.empty()
                 ? "there are " + join(directive_names(), ", ", [](const std::string &n) { return "`" + n + "`"; })
                 : "did you mean `" + near + "`?");
      auto method = c.get<ast::Attribute>(call.func());
      if (!near.empty()) r.fix(method.node, c.show(method.value()) + "." + near, "use `" + near + "`");
      return;
    }
    Directive d;
    d.call = call.node;
    d.via = via;
    d.kind = kind;
    bool overrides = false;
    if (const Refusal why = arguments(d, call, environment, overrides)) {
      if (!report_) return;
      Report r = c.report(why.kind, call.node, why.message);
      if (via) r.label(via, "called here");
      r.hint("write it like `" + std::string(kind->example) + "`");
      return;
    }
    if (!overrides) return to_.push_back(std::move(d));
    // It takes the place of the one before it that speaks of the same.
    for (size_t k = to_.size(); k-- > 0;)
      if (to_[k].kind == kind && to_[k].names[0].text == d.names[0].text) return void(to_[k] = std::move(d));
    if (report_) about(d, c.report(diag::overrides_nothing, call.node, name, d.names[0].text));
  }

  // Why the directive does not take what it is given.
  Refusal arguments(Directive &d, ast::Call call, const Environment &environment, bool &overrides) const {
    const std::string_view letters = d.kind->positional;
    const Nodes given = call.args();
    const bool open = letters.ends_with('+');
    const std::string_view fixed = open ? letters.substr(0, letters.size() - 1) : letters;
    const auto takes = [&] { return Refusal(diag::bad_arguments, d.kind->name, signature(*d.kind)); };
    if (given.size() < fixed.size() || (!open && given.size() > fixed.size())) return takes();
    for (size_t k = 0; k < given.size(); ++k) {
      const char letter = fixed[std::min(k, fixed.size() - 1)];
      const Meaning v = value(given[k], environment);
      if (letter == 'z') {
        if (v.text) return takes();
        d.sizes.push_back(v.node);
      } else if (v.text) {
        d.names.push_back({given[k], *v.text});
      } else {
        return Refusal(diag::not_a_name, d.kind->name, letter == 'l' ? "loop" : "tensor", c.show(given[k]));
      }
    }
    const auto known = keywords_of(*d.kind);
    for (const Node n : call.keywords()) {
      auto keyword = c.get<ast::keyword>(n);
      if (keyword.arg() == "override") {
        auto k = c.as<ast::Constant>(keyword.value());
        if (!k || (k.value().type != HTP_CONST_TRUE && k.value().type != HTP_CONST_FALSE))
          return Refusal(diag::bad_override, d.kind->name, c.show(keyword.value()));
        overrides = k.value().type == HTP_CONST_TRUE;
        continue;
      }
      const auto it =
          std::find_if(known.begin(), known.end(), [&](const Keyword &k) { return k.name == keyword.arg(); });
      if (it == known.end()) return takes();
      const Meaning v = value(keyword.value(), environment);
      if (it->letter == 'z')
        d.numbers[std::string(it->name)] = v.node;
      else if (v.text)
        d.texts[std::string(it->name)] = {keyword.value(), *v.text};
      else
        return Refusal(diag::not_a_string, it->name, d.kind->name, c.show(keyword.value()));
    }
    for (const Keyword &k : known)
      if (!k.optional && !d.texts.contains(k.name) && !d.numbers.contains(k.name)) return takes();
    return {};
  }

  // `loop, size, ...`; `loop, level=`
  static std::string signature(const DirectiveKind &kind) {
    std::string text;
    for (const char letter : kind.positional)
      text += (text.empty() ? "" : ", ") + std::string(letter == 'l'   ? "loop"
                                                       : letter == 't' ? "tensor"
                                                       : letter == 'z' ? "size"
                                                                       : "...");
    for (const Keyword &k : keywords_of(kind))
      if (!k.optional) text += ", " + std::string(k.name) + "=";
    return text;
  }

  const Context &c;
  const Names &names_;
  const Node root_;
  const bool report_;
  std::vector<Directive> &to_;
};

} // namespace

const DirectiveKind *directive_kind(std::string_view name) {
  for (const DirectiveKind &k : kinds)
    if (k.name == name) return &k;
  return nullptr;
}

std::vector<std::string> directive_names() {
  std::vector<std::string> names;
  for (const DirectiveKind &k : kinds) names.emplace_back(k.name);
  return names;
}

void read_directives(const Context &c, const Names &names, Node root, Node schedule, bool report,
                     std::vector<Directive> &directives) {
  ScheduleReader(c, names, root, report, directives).schedule(schedule);
}

} // namespace htp::wsp

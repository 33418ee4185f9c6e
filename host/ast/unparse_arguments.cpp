// Calls' and functions' arguments, imports' names, type parameters, and the patterns of `match`.
#include "host/ast/unparse_printer.h"

namespace htp {

void Printer::call_arguments(uint32_t args, uint32_t keywords) {
  joined(args);
  bool first = args == 0;
  for (const htp_node k : list(keywords)) {
    if (!std::exchange(first, false)) out_.write(", ");
    keyword(k);
  }
}

void Printer::keyword(htp_node n) {
  const auto *f = HTP_FIELDS(keyword, &store_, n);
  const size_t span = open(n);
  if (f->arg == 0)
    out_.write("**");
  else
    (out_.write(string(f->arg)), out_.put('='));
  expression(f->value);
  close(span);
}

void Printer::arg(htp_node n) {
  const auto *f = HTP_FIELDS(arg, &store_, n);
  const size_t span = open(n);
  out_.write(string(f->arg));
  if (f->annotation != 0) (out_.write(": "), expression(f->annotation));
  close(span);
}

void Printer::arguments(htp_node n) {
  const auto *f = HTP_FIELDS(arguments, &store_, n);
  bool first = true;
  const auto comma = [&] {
    if (!std::exchange(first, false)) out_.write(", ");
  };
  const auto with_default = [&](htp_node a, htp_node value) {
    comma();
    arg(a);
    if (value != 0) (out_.put('='), expression(value));
  };
  const List positional = list(f->posonlyargs), plain = list(f->args), defaults = list(f->defaults);
  const uint32_t count = positional.count + plain.count;
  for (uint32_t k = 0; k < count; ++k) {
    const uint32_t from_end = count - k; // the last parameters have the defaults
    with_default(k < positional.count ? positional[k] : plain[k - positional.count],
                 from_end <= defaults.count ? defaults[defaults.count - from_end] : 0);
    if (k + 1 == positional.count) out_.write(", /");
  }
  if (f->vararg != 0 || f->kwonlyargs != 0) {
    comma();
    out_.put('*');
    if (f->vararg != 0) arg(f->vararg);
  }
  const List only = list(f->kwonlyargs), only_defaults = list(f->kw_defaults);
  for (uint32_t k = 0; k < only.count; ++k) with_default(only[k], k < only_defaults.count ? only_defaults[k] : 0);
  if (f->kwarg != 0) {
    comma();
    out_.write("**");
    arg(f->kwarg);
  }
}

void Printer::alias(htp_node n) {
  const auto *f = HTP_FIELDS(alias, &store_, n);
  const size_t span = open(n);
  out_.write(string(f->name));
  if (f->asname != 0) (out_.write(" as "), out_.write(string(f->asname)));
  close(span);
}

void Printer::withitem(htp_node n) {
  const auto *f = HTP_FIELDS(withitem, &store_, n);
  expression(f->context_expr);
  if (f->optional_vars != 0) (out_.write(" as "), expression(f->optional_vars));
}

void Printer::type_params(uint32_t id) {
  if (id == 0) return;
  begin('[');
  bool first = true;
  for (const htp_node n : list(id)) {
    if (!std::exchange(first, false)) out_.write(", ");
    type_param(n);
  }
  end(']');
}

void Printer::type_param(htp_node n) {
  const size_t span = open(n);
  htp_node otherwise = 0;
  switch (kind(n)) {
  case HTP_TypeVar: {
    const auto *f = HTP_FIELDS(TypeVar, &store_, n);
    out_.write(string(f->name));
    if (f->bound != 0) (out_.write(": "), expression(f->bound));
    otherwise = f->default_value;
    break;
  }
  case HTP_TypeVarTuple: {
    const auto *f = HTP_FIELDS(TypeVarTuple, &store_, n);
    out_.put('*');
    out_.write(string(f->name));
    otherwise = f->default_value;
    break;
  }
  case HTP_ParamSpec: {
    const auto *f = HTP_FIELDS(ParamSpec, &store_, n);
    out_.write("**");
    out_.write(string(f->name));
    otherwise = f->default_value;
    break;
  }
  default: fail(n, "it is not a type parameter"); break;
  }
  if (otherwise != 0) (out_.write(" = "), expression(otherwise));
  close(span);
}

void Printer::pattern(htp_node n, Precedence wanted) {
  if (!enter(n)) return;
  const uint16_t which = kind(n);
  const auto *as = which == HTP_MatchAs ? HTP_FIELDS(MatchAs, &store_, n) : nullptr;
  const Precedence level = which == HTP_MatchOr            ? Precedence::bor
                           : as && as->name && as->pattern ? Precedence::test
                                                           : Precedence::atom;
  const htp_node value = which == HTP_MatchValue ? HTP_FIELDS(MatchValue, &store_, n)->value : HTP_NONE;
  const bool parenthesise = wanted > level || (kind(value) == HTP_Constant && form_needs_brackets(value));
  if (parenthesise) begin('(');
  const size_t span = open(n);
  switch (which) {
  case HTP_MatchValue: expression(value); break;
  case HTP_MatchSingleton: constant(HTP_FIELDS(MatchSingleton, &store_, n)->value); break;
  case HTP_MatchSequence: {
    begin('[');
    bool first = true;
    for (const htp_node p : list(HTP_FIELDS(MatchSequence, &store_, n)->patterns)) {
      if (!std::exchange(first, false)) out_.write(", ");
      pattern(p);
    }
    end(']');
    break;
  }
  case HTP_MatchMapping: match_mapping(n); break;
  case HTP_MatchClass: match_class(n); break;
  case HTP_MatchStar: {
    const uint32_t name = HTP_FIELDS(MatchStar, &store_, n)->name;
    out_.put('*');
    out_.write(name != 0 ? string(name) : "_");
    break;
  }
  case HTP_MatchAs:
    if (as->name && as->pattern) (pattern(as->pattern, Precedence::bor), out_.write(" as "));
    out_.write(as->name != 0 ? string(as->name) : "_");
    break;
  case HTP_MatchOr: {
    bool first = true;
    for (const htp_node p : list(HTP_FIELDS(MatchOr, &store_, n)->patterns)) {
      if (!std::exchange(first, false)) out_.write(" | ");
      pattern(p, tighter(Precedence::bor));
    }
    break;
  }
  default: fail(n, "it is not a pattern"); break;
  }
  close(span);
  if (parenthesise) end(')');
  leave();
}

void Printer::match_mapping(htp_node n) {
  const auto *f = HTP_FIELDS(MatchMapping, &store_, n);
  const List keys = list(f->keys), patterns = list(f->patterns);
  begin('{');
  for (uint32_t k = 0; k < keys.count && k < patterns.count; ++k) {
    if (k != 0) out_.write(", ");
    expression(keys[k]);
    out_.write(": ");
    pattern(patterns[k]);
  }
  if (f->rest != 0) {
    out_.write(keys.count != 0 ? ", **" : "**");
    out_.write(string(f->rest));
  }
  end('}');
}

void Printer::match_class(htp_node n) {
  const auto *f = HTP_FIELDS(MatchClass, &store_, n);
  expression(f->cls, Precedence::atom);
  begin('(');
  bool first = true;
  for (const htp_node p : list(f->patterns)) {
    if (!std::exchange(first, false)) out_.write(", ");
    pattern(p);
  }
  const List names = list(f->kwd_attrs), patterns = list(f->kwd_patterns);
  for (uint32_t k = 0; k < names.count && k < patterns.count; ++k) {
    if (!std::exchange(first, false)) out_.write(", ");
    out_.write(string(names[k]));
    out_.put('=');
    pattern(patterns[k]);
  }
  end(')');
}

} // namespace htp

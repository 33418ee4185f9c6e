// Constants and f-strings.
#include "host/ast/unparse_printer.h"

#include <cmath>

namespace htp {

namespace {

// Where the string literal that begins the text ends; 0 if none does.
size_t literal_end(std::string_view text) {
  const size_t open = text.find_first_of("'\"");
  if (open == text.npos) return 0;
  const bool triple = text.substr(open, 3) == std::string(3, text[open]);
  const std::string_view quote = text.substr(open, triple ? 3 : 1);
  for (size_t at = open + quote.size(); at < text.size(); ++at) {
    if (text[at] == '\\')
      ++at;
    else if (text.substr(at, quote.size()) == quote)
      return at + quote.size();
  }
  return 0;
}

// Whether the text, put between these quotes, ends where it should.
bool closes(std::string_view text, std::string_view quote) {
  const std::string whole = std::string(quote) + std::string(text) + std::string(quote);
  return literal_end(whole) == whole.size() && (quote.size() == 3 || text.find('\n') == text.npos);
}

std::string doubled_braces(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '{' || c == '}') out += c;
    out += c;
  }
  return out;
}

} // namespace

void Printer::constant_node(htp_node n, Precedence wanted) {
  const auto *f = HTP_FIELDS(Constant, &store_, n);
  const htp_const &c = store_.consts[f->value];
  // Only a pass makes a negative constant; it binds like the operator it is written with.
  const bool negative = (c.type == HTP_CONST_FLOAT || c.type == HTP_CONST_COMPLEX) && std::signbit(c.u.f);
  parenthesised((negative && wanted > Precedence::factor) || form_needs_brackets(n), [&] {
    const size_t span = open(n);
    if (has_form(n)) {
      out_.write_lines(string(at(n).note));
    } else {
      if (f->kind != 0 && string(f->kind) == "u") out_.put('u');
      constant(f->value);
    }
    close(span);
  });
}

void Printer::constant(uint32_t id) {
  const htp_const &c = store_.consts[id];
  scratch_.clear();
  switch (c.type) {
  case HTP_CONST_NONE: return out_.write("None");
  case HTP_CONST_TRUE: return out_.write("True");
  case HTP_CONST_FALSE: return out_.write("False");
  case HTP_CONST_ELLIPSIS: return out_.write("...");
  case HTP_CONST_INT: append_int(scratch_, string(c.text)); break;
  case HTP_CONST_FLOAT: append_float(scratch_, c.u.f); break;
  case HTP_CONST_COMPLEX: append_imaginary(scratch_, c.u.f); break;
  case HTP_CONST_BYTES:
    append_bytes(scratch_, string(c.text));
    if (nested_ != 0 && scratch_.find('\\') != scratch_.npos) {
      out_.put('b');
      if (raw_string(string(c.text))) return;
    }
    break;
  default:
    if (nested_ != 0) return sparing_string(string(c.text), Quotes::all());
    append_str(scratch_, string(c.text));
  }
  out_.write(scratch_);
}

void Printer::sparing_string(std::string_view text, Quotes quotes) {
  const std::string body = quote_sparingly(text, quotes, false);
  if (nested_ != 0 && body.find('\\') != body.npos && raw_string(text)) return;
  out_.write(quotes.first());
  out_.write_lines(body);
  out_.write(quotes.first());
}

bool Printer::raw_string(std::string_view text) {
  if (text.find_first_of(std::string_view("\0\r\\", 3)) != text.npos || text.find("\xed\xa0") != text.npos)
    return false;
  for (const std::string_view quote : Quotes::All) {
    if (!closes(text, quote)) continue;
    out_.write(quote);
    out_.write_lines(text);
    out_.write(quote);
    unusual_ = true;
    return true;
  }
  return false;
}

// Strings that are joined by standing beside each other, over several lines, need brackets around them.
bool Printer::form_needs_brackets(htp_node n) const {
  if (brackets_ != 0 || !has_form(n)) return false;
  const std::string_view form = string(at(n).note);
  return form.find('\n') != form.npos && literal_end(form) != form.size();
}

// ── f-strings ───────────────────────────────────────────────────────────────────────────────────────────────────────

void Printer::fstring(htp_node n, uint32_t values, char prefix) {
  const size_t first = spans_ ? spans_->size() : 0;
  const uint32_t line = out_.line(), col = out_.col();
  if (prefix == 'f' && has_form(n)) {
    out_.write_lines(string(at(n).note));
    if (spans_) spans_within(n, {n, line, col, out_.line(), out_.col()});
    return;
  }
  const std::string text = buffered([&] {
    out_.put(prefix);
    fstring_text(n, values, prefix);
  });
  if (joins_unicode(values)) {
    const char quote[] = {'u', text[1], text[1], ' '};
    out_.write({quote, sizeof quote});
  }
  out_.write_lines(text);
  if (!spans_) return;
  for (size_t k = first; k < spans_->size(); ++k)
    (*spans_)[k] = {(*spans_)[k].node, line, col, out_.line(), out_.col()};
}

bool Printer::joins_unicode(uint32_t values) const {
  for (const htp_node v : list(values))
    if (kind(v) == HTP_Constant && HTP_FIELDS(Constant, &store_, v)->kind != 0) return true;
  return false;
}

void Printer::fstring_text(htp_node n, uint32_t values, char prefix) {
  const bool outer = std::exchange(unusual_, false);
  std::string text;
  if (nested_ != 0) {
    text = buffered([&] {
      for (const htp_node v : list(values)) fstring_value(v, false);
    });
    unusual_ |= outer;
    sparing_string(text, Quotes::all());
  } else {
    Segments parts;
    for (const htp_node v : list(values))
      parts.push_back({buffered([&] { fstring_value(v, false); }), kind(v) == HTP_Constant, false});
    if (unusual_ || !(prefix == 'f' ? quoted_as_311(parts, text) : quoted_as_314(parts, text))) {
      Segments segments;
      fstring_segments(values, false, segments);
      if (!quoted_safely(segments, text)) fail(n, "an f-string's expressions leave no quotes to put around it");
    }
    out_.write_lines(text);
    unusual_ = outer;
  }
}

void Printer::fstring_value(htp_node n, bool spec) {
  switch (kind(n)) {
  case HTP_Constant: {
    const size_t span = open(n);
    const std::string text = doubled_braces(string(store_.consts[HTP_FIELDS(Constant, &store_, n)->value].text));
    if (spec && text.find_first_of("{}") != text.npos) {
      unusual_ = true;
      if (nested_ != 0) fail(n, "a nested f-string has a brace in a format spec");
    }
    out_.write_lines(text);
    close(span);
    break;
  }
  case HTP_JoinedStr: {
    const size_t span = open(n);
    for (const htp_node v : list(HTP_FIELDS(JoinedStr, &store_, n)->values)) fstring_value(v, spec);
    close(span);
    break;
  }
  case HTP_FormattedValue:
  case HTP_Interpolation: {
    const size_t span = open(n);
    const htp_node given_spec = replacement(n);
    if (given_spec != 0) (out_.put(':'), fstring_value(given_spec, true));
    out_.put('}');
    close(span);
    break;
  }
  default: fail(n, "it may not stand in an f-string");
  }
}

htp_node Printer::replacement(htp_node n) {
  if (!enter(n)) return 0;
  std::string text;
  uint32_t conversion = 0;
  htp_node spec = 0;
  const auto unparsed = [&](htp_node value) {
    ++nested_;
    std::string inner = buffered([&] { expression(value, tighter(Precedence::test)); });
    --nested_;
    return inner;
  };
  if (kind(n) == HTP_Interpolation) {
    const auto *f = HTP_FIELDS(Interpolation, &store_, n);
    const htp_const &given = store_.consts[f->str];
    text = given.type == HTP_CONST_STR ? std::string(string(given.text)) : unparsed(f->value);
    conversion = f->conversion;
    spec = f->format_spec;
  } else {
    const auto *f = HTP_FIELDS(FormattedValue, &store_, n);
    text = unparsed(f->value);
    if (text.find('\\') != text.npos) fail(n, "an f-string's expression would need a backslash");
    conversion = f->conversion;
    spec = f->format_spec;
  }
  out_.write(text.starts_with('{') ? "{ " : "{"); // `{{` is a brace
  out_.write_lines(text);
  if (static_cast<int32_t>(conversion) > 0) (out_.put('!'), out_.put(static_cast<char>(conversion)));
  leave();
  return spec;
}

void Printer::fstring_segments(uint32_t values, bool spec, Segments &segments) {
  for (const htp_node v : list(values)) {
    switch (kind(v)) {
    case HTP_Constant:
      segments.push_back(
          {std::string(string(store_.consts[HTP_FIELDS(Constant, &store_, v)->value].text)), true, spec});
      break;
    case HTP_JoinedStr: fstring_segments(HTP_FIELDS(JoinedStr, &store_, v)->values, spec, segments); break;
    case HTP_FormattedValue:
    case HTP_Interpolation: {
      const size_t seen = spans_ ? spans_->size() : 0; // these were recorded already
      htp_node given_spec = 0;
      segments.push_back({buffered([&] { given_spec = replacement(v); }), false, spec});
      if (spans_) spans_->resize(seen);
      if (given_spec != 0) {
        segments.push_back({":", false, spec});
        fstring_segments(HTP_FIELDS(JoinedStr, &store_, given_spec)->values, true, segments);
      }
      segments.push_back({"}", false, spec});
      break;
    }
    default: break;
    }
  }
}

bool Printer::quoted_as_311(const Segments &parts, std::string &out) {
  Quotes quotes = Quotes::all();
  out.clear();
  for (const Segment &part : parts) {
    bool as_repr = false;
    const std::string text = quote_sparingly(part.text, quotes, part.constant, &as_repr);
    // Escapes are right in a format spec, never in an expression.
    if (as_repr && !part.constant && text != part.text) return false;
    out += text;
  }
  const std::string_view quote = quotes.first();
  if (!closes(out, quote)) return false;
  out = std::string(quote) + out + std::string(quote);
  return true;
}

bool Printer::quoted_as_314(const Segments &parts, std::string &out) {
  Quotes quotes = Quotes::all();
  out.clear();
  for (const Segment &part : parts) {
    if (part.constant) {
      Quotes narrowed = quotes;
      out += quote_sparingly(part.text, narrowed, true);
      if (quotes.where([&](std::string_view q) { return narrowed.has(q); }).empty()) return false;
      quotes = narrowed;
    } else {
      const bool lines = part.text.find('\n') != part.text.npos;
      const Quotes allowed = quotes.where([&](std::string_view q) { return !lines || q.size() == 3; });
      if (allowed.empty()) return false;
      const Quotes apart = allowed.where([&](std::string_view q) { return part.text.find(q) == part.text.npos; });
      quotes = apart.empty() ? allowed : apart;
      out += part.text;
    }
  }
  const std::string_view quote = quotes.first();
  if (!closes(out, quote)) return false;
  out = std::string(quote) + out + std::string(quote);
  return true;
}

bool Printer::quoted_safely(const Segments &segments, std::string &out) {
  for (const std::string_view quote : Quotes::All) {
    bool fits = true;
    out = quote;
    for (const Segment &segment : segments) {
      if (!segment.constant) {
        fits &= segment.text.find(quote) == segment.text.npos;
        fits &= quote.size() == 3 || segment.text.find('\n') == segment.text.npos;
        out += segment.text;
        continue;
      }
      // The representation in the other quotes leaves this quote alone; it is escaped everywhere.
      std::string body;
      append_str(body, segment.text);
      const char around = body.front();
      for (size_t at = 1; at + 1 < body.size(); ++at) {
        const char c = body[at];
        if (c == '\\' && body[at + 1] == around && around != quote[0]) continue;
        if (c == '\\')
          out += c, out += body[++at];
        else if (c == quote[0])
          out += '\\', out += c;
        else if ((c == '{' || c == '}') && segment.spec)
          out += c == '{' ? "\\x7b" : "\\x7d";
        else if (c == '{' || c == '}')
          out += c, out += c;
        else
          out += c;
      }
    }
    out += quote;
    if (fits) return true;
  }
  return false;
}

// ── positions ───────────────────────────────────────────────────────────────────────────────────────────────────────

// All that stands below `n` and has a position gets this one.
void Printer::spans_within(htp_node root, const LineSpan &span) {
  std::vector<htp_node> open{root};
  while (!open.empty()) {
    const htp_node n = open.back();
    open.pop_back();
    const htp_kind_info &info = store_.kinds[kind(n)];
    const bool placed = info.group != HTP_GROUP_OTHER || kind(n) == HTP_arg || kind(n) == HTP_keyword;
    if (n != root && placed) spans_->push_back({n, span.line, span.col, span.end_line, span.end_col});
    for (unsigned f = info.field_count; f-- != 0;) {
      const uint32_t slot = htp_slot(&store_, n, f);
      const uint8_t type = info.fields[f].type;
      if (slot == 0) continue;
      if (type == HTP_FIELD_NODE || type == HTP_FIELD_OPT) open.push_back(slot);
      if (type != HTP_FIELD_LIST && type != HTP_FIELD_LISTN) continue;
      const List children = list(slot);
      for (uint32_t k = children.count; k-- != 0;)
        if (children[k] != 0) open.push_back(children[k]);
    }
  }
}

} // namespace htp

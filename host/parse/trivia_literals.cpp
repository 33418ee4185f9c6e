#include "host/parse/trivia_literals.h"

#include "host/ast/unparse_literals.h"

#include <algorithm>
#include <string>
#include <vector>

namespace htp {

namespace {

class Literals {
public:
  Literals(Store &store, const SourceFile &source, std::span<const TriviaToken> tokens)
      : store_(store), source_(source), tokens_(tokens) {}

  void run(htp_node root) {
    std::vector<htp_node> open{root};
    while (!open.empty()) {
      const htp_node n = open.back();
      open.pop_back();
      const uint16_t kind = store_.kind(n);
      if (kind == HTP_Constant) {
        constant(n, n == docstring_);
        continue;
      }
      if (kind == HTP_JoinedStr) {
        note(n, written(n));
        continue;
      }
      if (kind == HTP_TemplateStr) continue;
      if (kind == HTP_Module || kind == HTP_FunctionDef || kind == HTP_AsyncFunctionDef || kind == HTP_ClassDef)
        docstring_ = docstring_of(n, kind);
      const auto fields = kind_fields(kind);
      const Slots slots = store_.slots(n);
      for (size_t f = slots.size(); f-- != 0;) {
        const uint8_t type = fields[f].type;
        if (slots[f] == 0) continue;
        if (type == HTP_FIELD_NODE || type == HTP_FIELD_OPT) open.push_back(slots[f]);
        if (type != HTP_FIELD_LIST && type != HTP_FIELD_LISTN) continue;
        const Slots children = store_.items(slots[f]);
        for (size_t k = children.size(); k-- != 0;)
          if (children[k] != 0) open.push_back(children[k]);
      }
    }
  }

private:
  // The constant that is its docstring. Nothing else that has one is met before that constant is.
  htp_node docstring_of(htp_node n, uint16_t kind) const {
    const unsigned field = kind == HTP_Module     ? HTP_FIELD(Module, body)
                           : kind == HTP_ClassDef ? HTP_FIELD(ClassDef, body)
                                                  : HTP_FIELD(FunctionDef, body);
    const Slots body = store_.items(store_.slot(n, field));
    if (body.empty() || store_.kind(body[0]) != HTP_Expr) return HTP_NONE;
    const htp_node value = store_.slot(body[0], HTP_FIELD(Expr, value));
    if (store_.kind(value) != HTP_Constant) return HTP_NONE;
    const htp_const &c = store_.constant_at(store_.slot(value, HTP_FIELD(Constant, value)));
    return c.type == HTP_CONST_STR ? value : HTP_NONE;
  }

  std::string_view written(htp_node n) const {
    const htp_record &r = store_.at(n);
    const size_t begin = source_.offset(r.line, r.col), end = source_.offset(r.end_line, r.end_col);
    return std::string_view(source_.text).substr(begin, std::max(begin, end) - begin);
  }

  void constant(htp_node n, bool docstring) {
    const htp_const &c = store_.constant_at(store_.slot(n, HTP_FIELD(Constant, value)));
    const std::string_view text = written(n);
    scratch_.clear();
    switch (c.type) {
    case HTP_CONST_INT:
      if (text == store_.text(c.text)) return;
      append_int(scratch_, store_.text(c.text));
      break;
    case HTP_CONST_FLOAT: append_float(scratch_, c.u.f); break;
    case HTP_CONST_COMPLEX: append_imaginary(scratch_, c.u.f); break;
    case HTP_CONST_BYTES: append_bytes(scratch_, store_.text(c.text)); break;
    case HTP_CONST_STR: {
      if (store_.slot(n, HTP_FIELD(Constant, kind)) != 0) scratch_.push_back('u');
      if (docstring) {
        Quotes quotes = Quotes::triple();
        const std::string body = quote_sparingly(store_.text(c.text), quotes, false);
        ((scratch_ += quotes.first()) += body) += quotes.first();
      } else {
        append_str(scratch_, store_.text(c.text));
      }
      break;
    }
    default: return;
    }
    if (text != scratch_) note(n, text);
  }

  void note(htp_node n, std::string_view text) {
    if (text.empty()) return;
    if (text.find('\n') == text.npos || text.find('#') == text.npos) return store_.set_note(n, store_.string(text));
    // Comments between its parts are kept with the statement.
    const auto begin = static_cast<size_t>(text.data() - source_.text.data());
    auto token = std::lower_bound(tokens_.begin(), tokens_.end(), begin,
                                  [](const TriviaToken &t, size_t offset) { return t.offset < offset; });
    std::string kept;
    size_t at = 0;
    for (; token != tokens_.end() && token->offset < begin + text.size(); ++token) {
      if (token->kind != TriviaKind::inner_comment) continue;
      size_t from = token->offset - begin, to = from + token->size;
      while (from > at && (text[from - 1] == ' ' || text[from - 1] == '\t')) --from;
      if (from > at && text[from - 1] == '\n') ++to; // the whole line
      kept += text.substr(at, from - at);
      at = std::min(to, text.size());
    }
    kept += text.substr(at);
    store_.set_note(n, store_.string(kept));
  }

  Store &store_;
  const SourceFile &source_;
  std::span<const TriviaToken> tokens_;
  htp_node docstring_ = HTP_NONE;
  std::string scratch_;
};

} // namespace

void attach_literals(Store &store, htp_node root, const SourceFile &source, std::span<const TriviaToken> tokens) {
  Literals(store, source, tokens).run(root);
}

} // namespace htp

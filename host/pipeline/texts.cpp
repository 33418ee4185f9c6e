// They become part of it, so that each stage stands for itself.
#include "host/pipeline/texts.h"

#include "host/ast/rewrite.h"
#include "host/base/fs.h"
#include "host/base/hash.h"
#include "host/pipeline/tree.h"

namespace htp {

namespace {

constexpr size_t most_bytes = 1u << 20;

// Beside the program, or beneath that: no `..`, not absolute.
bool is_beside(std::string_view path) {
  for (size_t at = 0; at <= path.size();) {
    const size_t end = std::min(path.find('/', at), path.size());
    const std::string_view part = path.substr(at, end - at);
    if (part.empty() || part == "." || part == "..") return false;
    at = end + 1;
  }
  return true;
}

// A string of several lines between three quotes, where that can say it; empty: as Python's `repr` has it.
std::string form_of(std::string_view text) {
  const bool plain = text.find("\"\"\"") == text.npos && text.find('\r') == text.npos && text.find('\0') == text.npos;
  if (!plain || text.find('\n') == text.npos || text.ends_with('"') || text.ends_with('\\')) return {};
  return (text.find('\\') == text.npos ? "\"\"\"" : "r\"\"\"") + std::string(text) + "\"\"\"";
}

} // namespace

htp_node take_texts(htp_node module, const std::string &folder, Store &store, std::vector<InputFile> &inputs,
                    Diagnostics &diagnostics) {
  const std::vector<Imported> imports = imports_of(store, module);
  RewriteRules rules;
  Store &s = store;
  rules.leave = [&](htp_node n) -> htp_node {
    if (s.kind(n) != HTP_Call || qualified_name(s, imports, s.slot(n, HTP_FIELD(Call, func))) != "htp.text") return n;
    const Slots arguments = s.items(s.slot(n, HTP_FIELD(Call, args)));
    const htp_const *name = nullptr;
    if (arguments.size() == 1 && s.kind(arguments[0]) == HTP_Constant &&
        s.items(s.slot(n, HTP_FIELD(Call, keywords))).empty())
      name = &s.constant_at(s.slot(arguments[0], HTP_FIELD(Constant, value)));
    if (!name || name->type != HTP_CONST_STR || !is_beside(s.text(name->text))) {
      diagnostics.report(diag::io_unreadable, s.span(n), "htp.text(…)",
                         "it takes a name, written out, of a file beside the program");
      return n;
    }
    const std::string path = join_path(folder, std::string(s.text(name->text)));
    auto text = read_file(path, most_bytes);
    if (!text) {
      inputs.push_back({path, "text", ""});
      diagnostics.report(diag::io_unreadable, s.span(n), text.error().path, text.error().reason);
      return n;
    }
    inputs.push_back({path, "text", sha256(*text)});
    const uint32_t value = s.constant(HTP_CONST_STR, *text);
    const htp_node made = value ? s.node(HTP_Constant, {value, 0}, n) : HTP_NONE;
    if (!made) {
      diagnostics.report(diag::io_unreadable, s.span(n), path, s.reason());
      return n;
    }
    if (const std::string form = form_of(*text); !form.empty()) s.set_note(made, s.string(form));
    return made;
  };
  const htp_node changed = rewrite(store, module, rules);
  return changed ? changed : module;
}

} // namespace htp

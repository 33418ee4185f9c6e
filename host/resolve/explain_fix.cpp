#include "host/resolve/explain_fix.h"

#include "host/diag/location.h"
#include "host/resolve/lists.h"

#include <fmt/format.h>

#include <cctype>

namespace htp {
namespace {

std::string who(const Change &change) {
  if (change.plugin.empty()) return fmt::format("`{}`", change.unit);
  return change.unit.empty() ? change.plugin : fmt::format("`{}` of {}", change.unit, change.plugin);
}

std::string dropped(const Change &change) {
  switch (change.of) {
  case Cause::Kind::pipeline:
    return fmt::format("leave `pipeline: {}` out of the profile, so that the passes are planned", change.subject);
  case Cause::Kind::step: return fmt::format("leave `{}` out of the pipeline {}", change.subject, who(change));
  case Cause::Kind::invalidates: return fmt::format("have {} not invalidate `{}`", who(change), change.subject);
  case Cause::Kind::wish: return fmt::format("drop `{}` from the profile's plugins", change.subject);
  case Cause::Kind::need: return fmt::format("do without {}", change.phrase);
  case Cause::Kind::contract: return fmt::format("drop `{}` from the contract of {}", change.subject, who(change));
  case Cause::Kind::conflict:
  case Cause::Kind::plugin_conflict:
    return fmt::format("drop the conflict of {} with `{}`", who(change), change.subject);
  default: return fmt::format("drop the requirement `{}` of {}", change.subject, who(change));
  }
}

std::string location_text(const Change &change) {
  if (change.kind == Change::Kind::install || change.locations.empty() || !change.locations.front()) return "";
  const Span &span = change.locations.front();
  return span.line == 0 ? fmt::format(" ({})", span.file->path)
                        : fmt::format(" ({}:{})", span.file->path, location_of(span).line);
}

// The item of a block list that stands on a line of its own, with others beside it: then the list goes on without it.
std::string_view item_indent(const SourceFile &file, uint32_t line) {
  if (line == 0 || line > file.line_count()) return {};
  std::string_view const text = file.line(line);
  size_t const dash = text.find_first_not_of(' ');
  return dash == std::string_view::npos || text.substr(dash, 2) != "- " ? std::string_view() : text.substr(0, dash + 2);
}

std::optional<Edit> without_item(const Span &span) {
  const SourceFile &file = *span.file;
  std::string_view const indent = item_indent(file, span.line);
  bool const alone = item_indent(file, span.line - 1) != indent && item_indent(file, span.line + 1) != indent;
  if (span.line == 0 || span.line != span.end_line || indent.empty() || alone || indent.size() != span.col)
    return std::nullopt;
  if (span.line == file.line_count()) return std::nullopt; // the line before would keep its end
  Span const whole{span.file, span.line, 0, span.line + 1, 0};
  return Edit{whole, ""};
}

// From the `@` on, where that is all the range there is.
std::optional<Edit> without_range(const Span &span) {
  if (span.line == 0 || span.line != span.end_line) return std::nullopt;
  std::string_view const text = span.file->line(span.line).substr(span.col, span.end_col - span.col);
  size_t const at = text.find('@');
  if (at == std::string_view::npos || text.find_first_of("\"'|") != std::string_view::npos) return std::nullopt;
  size_t const from = text.find_last_not_of(' ', at == 0 ? 0 : at - 1) + 1;
  return Edit{{span.file, span.line, static_cast<uint32_t>(span.col + from), span.line, span.end_col}, ""};
}

// The name, where it stands once within the span and apart from others.
std::optional<Edit> respelled(const Span &span, std::string_view wrong, const std::string &right) {
  if (span.line == 0 || span.line != span.end_line) return std::nullopt;
  std::string_view const text = span.file->line(span.line).substr(span.col, span.end_col - span.col);
  auto in_word = [&](size_t at) {
    return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_' ||
                                text[at] == '-' || text[at] == '.' || text[at] == '$');
  };
  std::optional<size_t> found;
  for (size_t at = text.find(wrong); at != std::string_view::npos; at = text.find(wrong, at + 1)) {
    if ((at > 0 && in_word(at - 1)) || in_word(at + wrong.size())) continue;
    if (found) return std::nullopt;
    found = at;
  }
  if (!found) return std::nullopt;
  auto const from = static_cast<uint32_t>(span.col + *found);
  return Edit{{span.file, span.line, from, span.line, from + static_cast<uint32_t>(wrong.size())}, right};
}

// Every location, or nothing: half a change helps nobody.
bool add_edits(const Change &change, std::vector<Edit> &edits) {
  if (change.kind == Change::Kind::install || change.locations.empty() || change.of == Cause::Kind::need) return false;
  for (const Span &span : change.locations) {
    if (!span || span.line == 0) return false;
    std::optional<Edit> edit;
    switch (change.kind) {
    case Change::Kind::respell: edit = respelled(span, change.wrong, change.right); break;
    case Change::Kind::retarget: edit = Edit{span, change.subject}; break;
    case Change::Kind::relax: edit = without_range(span); break;
    default: edit = without_item(span); break;
    }
    if (!edit) return false;
    edits.push_back(std::move(*edit));
  }
  return true;
}

} // namespace

std::string text_of(const Change &change) {
  std::string const location = location_text(change);
  switch (change.kind) {
  case Change::Kind::respell: return fmt::format("write `{}` for `{}`{}", change.right, change.wrong, location);
  case Change::Kind::retarget: return fmt::format("set the target to `{}`{}", change.subject, location);
  case Change::Kind::install: return fmt::format("install a plugin that provides `{}`", change.subject);
  case Change::Kind::drop: return dropped(change) + location;
  case Change::Kind::relax: break;
  }
  std::string const of = change.of == Cause::Kind::requirement || change.of == Cause::Kind::contract
                             ? " of " + who(change)
                             : std::string();
  return fmt::format("relax the range in `{}`{}, so that {} will do{}", change.subject, of,
                     list_text(change.there, "or"), location);
}

void add_fixes(const std::vector<Fix> &fixes, Diagnostic &d) {
  for (const Fix &fix : fixes) {
    FixIt fixit;
    std::vector<std::string> changes;
    bool whole = true;
    for (const Change &change : fix.changes) {
      changes.push_back(text_of(change));
      whole = add_edits(change, fixit.edits) && whole;
    }
    fixit.title = list_text(changes, "and");
    if (!whole) fixit.edits.clear();
    d.alternatives.push_back(std::move(fixit));
  }
}

} // namespace htp

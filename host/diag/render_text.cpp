#include "host/diag/excerpt.h"
#include "host/diag/location.h"
#include "host/diag/render.h"
#include "host/diag/utf8.h"

#include <fmt/format.h>

namespace htp {

namespace {

Ink ink_of(Severity severity) {
  switch (severity) {
  case Severity::warning: return Ink::warning;
  case Severity::note: return Ink::note;
  case Severity::error:
  case Severity::fault: break;
  }
  return Ink::error;
}

std::string where(const Span &span) {
  const std::string path = printable(span.file->path);
  if (span.line == 0) return path;
  const Location location = location_of(span);
  return fmt::format("{}:{}:{}", path, location.line, location.column);
}

void arrow(Canvas &canvas, std::string_view shape, const Span &span) {
  canvas.put(std::string(canvas.gutter, ' '));
  canvas.put(shape, Ink::gutter);
  canvas.put(" ");
  canvas.put(where(span));
  canvas.end_line();
}

// `= kind: text`; further lines of the text stand under the first.
void remark(Canvas &canvas, std::string_view kind, std::string_view text) {
  std::string indented;
  for (const char c : printable(text, true)) {
    indented += c;
    if (c == '\n') indented.append(canvas.gutter + 5 + kind.size(), ' ');
  }
  canvas.put(std::string(canvas.gutter + 1, ' '));
  canvas.put("=", Ink::gutter);
  canvas.put(" ");
  canvas.put(fmt::format("{}:", kind), Ink::strong);
  canvas.put(" ");
  canvas.put(indented);
  canvas.end_line();
}

void draw_places(Canvas &canvas, const Diagnostic &d) {
  if (d.span) arrow(canvas, "-->", d.span);
  // Marks by file, the primary's first, then in the order of the labels.
  std::vector<std::vector<Mark>> files;
  const auto add = [&](Mark mark) {
    for (auto &marks : files)
      if (marks.front().span.file->path == mark.span.file->path) return marks.push_back(std::move(mark));
    files.push_back({std::move(mark)});
  };
  const bool has_primary = d.span && d.span.line > 0;
  if (has_primary) add({d.span, true, ""});
  for (const Label &label : d.labels)
    if (label.span && label.span.line > 0) add({label.span, false, label.text});
  for (size_t i = 0; i < files.size(); ++i) {
    if (i > 0 || !has_primary) {
      if (i > 0) canvas.margin(0), canvas.end_line();
      arrow(canvas, i == 0 && !d.span ? "-->" : ":::", files[i].front().span);
    }
    draw_excerpt(canvas, files[i], ink_of(d.severity));
  }
  const bool more = !d.notes.empty() || !hints_of(d).empty() || !d.fixits.empty() || !d.alternatives.empty();
  if (more && !files.empty()) canvas.margin(0), canvas.end_line();
  for (const Label &label : d.labels)
    if (!label.span || label.span.line == 0)
      remark(canvas, "note", label.span ? fmt::format("{} ({})", label.text, label.span.file->path) : label.text);
}

void draw(Canvas &canvas, const Diagnostic &d) {
  canvas.gutter = static_cast<unsigned>(std::to_string(last_line(d)).size());
  canvas.put(severity_name(d.severity), ink_of(d.severity));
  if (!d.code.empty()) canvas.put(fmt::format("[{}]", printable(d.code)), ink_of(d.severity));
  canvas.put(": ", Ink::strong);
  canvas.put(printable(d.message, true), Ink::strong);
  canvas.end_line();
  draw_places(canvas, d);
  for (const std::string &note : d.notes) remark(canvas, "note", note);
  for (const std::string &hint : hints_of(d)) remark(canvas, "hint", hint);
  if (!d.alternatives.empty()) {
    std::string list = d.alternatives.size() == 1 ? d.alternatives.front().title : "any one of these changes helps";
    for (const FixIt &fixit : d.alternatives)
      if (d.alternatives.size() > 1) list += "\n- " + fixit.title;
    remark(canvas, "fix", list);
  }
  for (const FixIt &fixit : d.fixits) {
    remark(canvas, "fix", fixit.title);
    draw_fixit(canvas, fixit);
  }
}

std::string count(size_t number, std::string_view what) {
  return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
}

} // namespace

std::string render_text(const Diagnostics &diagnostics, const TextStyle &style) {
  Canvas canvas(style);
  size_t errors = 0, warnings = 0;
  bool first = true;
  for (const Diagnostic *d : in_order(diagnostics)) {
    if (!first) canvas.end_line();
    first = false;
    draw(canvas, *d);
    if (is_error(d->severity)) ++errors;
    if (d->severity == Severity::warning) ++warnings;
  }
  if (errors > 0) {
    canvas.end_line();
    canvas.put(count(errors, "error"), Ink::error);
    if (warnings > 0) canvas.put(", " + count(warnings, "warning"), Ink::warning);
    canvas.end_line();
  }
  return canvas.take();
}

} // namespace htp

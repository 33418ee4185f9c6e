#include "host/diag/excerpt.h"

#include "host/diag/utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace htp {

namespace {

constexpr unsigned tab_width = 4;
constexpr unsigned longest_line = 400; // columns shown when the width is unlimited

std::string_view escape_of(Ink ink) {
  switch (ink) {
  case Ink::error: return "\x1b[1;31m";
  case Ink::warning: return "\x1b[1;33m";
  case Ink::note: return "\x1b[1;36m";
  case Ink::gutter: return "\x1b[1;34m";
  case Ink::strong: return "\x1b[1m";
  case Ink::added: return "\x1b[32m";
  case Ink::removed: return "\x1b[31m";
  case Ink::plain: break;
  }
  return "";
}

// A part of one line, in bytes of the source.
struct Stretch {
  uint32_t begin = 0, end = 0;
  bool primary = false;
  std::string text;
};

// A source line as shown: its text, and the column where each of its bytes begins.
struct Laid {
  std::string text;
  std::vector<unsigned> column;

  unsigned at(size_t byte) const { return column[std::min(byte, column.size() - 1)]; }
};

// Lays `line` out in at most `limit` columns, cut (…) around the byte `focus` when it is longer.
Laid lay_out(std::string_view line, unsigned limit, size_t focus) {
  struct Cell {
    size_t byte;
    unsigned column, width;
    char32_t c;
  };
  std::vector<Cell> cells;
  std::vector<unsigned> column(line.size() + 1);
  unsigned width = 0;
  for (std::string_view rest = line; !rest.empty();) {
    const size_t byte = line.size() - rest.size();
    const bool tab = rest.front() == '\t';
    const char32_t c = printable(take_code_point(rest));
    cells.push_back({byte, width, tab ? tab_width : display_width(c), c});
    for (size_t i = byte; i < line.size() - rest.size(); ++i) column[i] = width;
    width += cells.back().width;
  }
  column[line.size()] = width;

  unsigned first = 0;
  if (width > limit) {
    const unsigned wanted = column[std::min(focus, line.size())];
    first = std::min(wanted > limit / 3 ? wanted - limit / 3 : 0, width - limit);
  }
  const unsigned shift = first > 0 ? 1 : 0;
  Laid laid;
  if (shift) append_code_point(laid.text, 0x2026);
  for (const Cell &cell : cells) {
    if (cell.column < first || cell.column + cell.width > first + limit) continue;
    if (line[cell.byte] == '\t')
      laid.text.append(tab_width, ' ');
    else
      append_code_point(laid.text, cell.c);
  }
  if (first + limit < width) append_code_point(laid.text, 0x2026);
  for (unsigned &c : column) c = std::clamp(c, first, first + limit) - first + shift;
  laid.column = std::move(column);
  return laid;
}

unsigned limit_of(const Canvas &canvas) {
  if (canvas.style().width == 0) return longest_line;
  return std::max(20u, canvas.style().width - std::min(canvas.style().width, canvas.gutter + 5));
}

void blank(Canvas &canvas, unsigned &column, unsigned to) {
  if (to > column) canvas.put(std::string(to - column, ' '));
  column = std::max(column, to);
}

// The line itself, the marks under it, and under these the labels that do not fit beside a mark.
void draw_line(Canvas &canvas, const SourceFile &file, uint32_t number, std::vector<Stretch> marks, Ink ink) {
  std::stable_sort(marks.begin(), marks.end(), [](const Stretch &a, const Stretch &b) {
    return std::tuple(a.begin, !a.primary) < std::tuple(b.begin, !b.primary);
  });
  const size_t focus = marks.empty() ? 0 : marks.front().begin;
  const Laid laid = lay_out(file.line(number), limit_of(canvas), focus);
  canvas.margin(number);
  canvas.put(laid.text);
  canvas.end_line();
  if (marks.empty()) return;

  // One cell a column: which mark is on top (primary before secondary, earlier before later).
  const auto columns_of = [&](const Stretch &mark) {
    const unsigned from = laid.at(mark.begin);
    return std::pair(from, std::max(from + 1, laid.at(mark.end)));
  };
  std::vector<int> top;
  for (size_t i = 0; i < marks.size(); ++i) {
    const auto [from, to] = columns_of(marks[i]);
    if (top.size() < to) top.resize(to, -1);
    for (unsigned c = from; c < to; ++c)
      if (top[c] < 0 || (marks[i].primary && !marks[static_cast<size_t>(top[c])].primary)) top[c] = static_cast<int>(i);
  }
  canvas.margin(0);
  const auto sign = [&](size_t column) {
    if (column >= top.size() || top[column] < 0) return ' ';
    return marks[static_cast<size_t>(top[column])].primary ? '^' : '-';
  };
  for (size_t from = 0, to = 0; from < top.size(); from = to) {
    while (to < top.size() && sign(to) == sign(from)) ++to;
    canvas.put(std::string(to - from, sign(from)), sign(from) == '^'   ? ink
                                                   : sign(from) == '-' ? Ink::gutter
                                                                       : Ink::plain);
  }
  const auto ink_of = [&](const Stretch &mark) { return mark.primary ? ink : Ink::gutter; };
  std::erase_if(marks, [&](const Stretch &mark) { return mark.text.empty(); });
  // The label of the rightmost mark stands beside it, when no other mark follows.
  if (!marks.empty() && columns_of(marks.back()).second == top.size()) {
    canvas.put(" ");
    canvas.put(printable(marks.back().text), ink_of(marks.back()));
    marks.pop_back();
  }
  canvas.end_line();
  while (!marks.empty()) {
    for (const bool text : {false, true}) {
      canvas.margin(0);
      unsigned column = 0;
      for (size_t i = 0; i < marks.size(); ++i) {
        const unsigned from = columns_of(marks[i]).first;
        if (from < column) continue;
        blank(canvas, column, from);
        const bool last = i + 1 == marks.size();
        if (!last && columns_of(marks.back()).first == from) continue; // a label at the same column comes first
        canvas.put(text && last ? printable(marks[i].text) : "|", ink_of(marks[i]));
        ++column;
      }
      canvas.end_line();
    }
    marks.pop_back();
  }
}

void split(const Mark &mark, std::map<uint32_t, std::vector<Stretch>> &lines) {
  const Span &span = mark.span;
  const auto length = [&](uint32_t line) { return static_cast<uint32_t>(span.file->line(line).size()); };
  const auto first_word = [&](uint32_t line) {
    const size_t at = span.file->line(line).find_first_not_of(" \t");
    return at == std::string_view::npos ? 0 : static_cast<uint32_t>(at);
  };
  if (span.end_line <= span.line) {
    const uint32_t end = span.end_line == span.line ? std::max(span.col, span.end_col) : span.col;
    lines[span.line].push_back({span.col, end, mark.primary, mark.text});
    return;
  }
  // A span that ends at the very start of a line ends on the line before.
  uint32_t last = span.end_line, end = span.end_col;
  if (end <= first_word(last)) {
    --last;
    end = length(last);
  }
  if (last == span.line) return lines[last].push_back({span.col, end, mark.primary, mark.text});
  lines[span.line].push_back({span.col, std::max(length(span.line), span.col + 1), mark.primary, ""});
  if (last == span.line + 2)
    lines[span.line + 1].push_back({first_word(span.line + 1), length(span.line + 1), mark.primary, ""});
  lines[last].push_back({first_word(last), end, mark.primary, mark.text});
}

// The last line that an edit changes: not the one at whose start it ends, when that stays a line of its own.
uint32_t last_touched(const Edit &edit) {
  const Span &span = edit.span;
  const bool apart =
      span.end_line > span.line && span.end_col == 0 && (edit.text.empty() ? span.col == 0 : edit.text.back() == '\n');
  return std::max(span.line, apart ? span.end_line - 1 : span.end_line);
}

std::string_view without_newline(std::string_view text) {
  if (!text.empty() && text.back() == '\n') text.remove_suffix(1);
  if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
  return text;
}

} // namespace

void Canvas::put(std::string_view text, Ink ink) {
  if (text.empty()) return;
  if (!style_.color || ink == Ink::plain) {
    out_ += text;
    return;
  }
  out_ += escape_of(ink);
  out_ += text;
  out_ += "\x1b[0m";
}

void Canvas::end_line() {
  while (!out_.empty() && out_.back() == ' ') out_.pop_back();
  out_ += '\n';
}

void Canvas::margin(uint32_t line, std::string_view bar) {
  const std::string number = line == 0 ? std::string() : std::to_string(line);
  put(fmt::format("{:>{}} {}", number, gutter, bar), Ink::gutter);
  put(" ");
}

void draw_excerpt(Canvas &canvas, const std::vector<Mark> &marks, Ink ink) {
  std::map<uint32_t, std::vector<Stretch>> lines;
  for (const Mark &mark : marks) split(mark, lines);
  canvas.margin(0);
  canvas.end_line();
  uint32_t before = 0;
  for (auto &[number, stretches] : lines) {
    const SourceFile &file = *marks.front().span.file;
    if (before != 0 && number == before + 2) {
      draw_line(canvas, file, before + 1, {}, ink);
    } else if (before != 0 && number > before + 1) {
      canvas.put("...", Ink::gutter);
      canvas.end_line();
    }
    draw_line(canvas, file, number, std::move(stretches), ink);
    before = number;
  }
}

void draw_fixit(Canvas &canvas, const FixIt &fixit) {
  std::vector<const Edit *> edits;
  for (const Edit &edit : fixit.edits)
    if (edit.span.file && edit.span.line > 0) edits.push_back(&edit);
  std::stable_sort(edits.begin(), edits.end(), [](const Edit *a, const Edit *b) {
    return std::tie(a->span.file->path, a->span.line, a->span.col) <
           std::tie(b->span.file->path, b->span.line, b->span.col);
  });
  canvas.margin(0);
  canvas.end_line();
  for (size_t i = 0; i < edits.size();) {
    // One hunk: edits whose lines touch.
    const SourceFile &file = *edits[i]->span.file;
    const uint32_t first = edits[i]->span.line;
    uint32_t last = last_touched(*edits[i]);
    size_t end = i + 1;
    for (; end < edits.size() && edits[end]->span.file->path == file.path && edits[end]->span.line <= last; ++end)
      last = std::max(last, last_touched(*edits[end]));
    size_t at = file.offset(first, 0);
    std::string after;
    for (; i < end; ++i) {
      const Span &span = edits[i]->span;
      const size_t from = std::max(at, file.offset(span.line, span.col));
      after += std::string_view(file.text).substr(at, from - at);
      after += edits[i]->text;
      at = std::max(from, file.offset(span.end_line, span.end_col));
    }
    const size_t stop = last < file.line_count() ? file.offset(last + 1, 0) : file.text.size();
    after += std::string_view(file.text).substr(at, stop - at);
    for (uint32_t line = first; line <= last; ++line) {
      canvas.margin(line, "-");
      canvas.put(lay_out(file.line(line), limit_of(canvas), 0).text, Ink::removed);
      canvas.end_line();
    }
    uint32_t line = first;
    for (std::string_view rest = after; !rest.empty(); ++line) {
      const size_t newline = rest.find('\n');
      const size_t length = newline == std::string_view::npos ? rest.size() : newline + 1;
      canvas.margin(line, "+");
      canvas.put(lay_out(without_newline(rest.substr(0, length)), limit_of(canvas), 0).text, Ink::added);
      canvas.end_line();
      rest.remove_prefix(length);
    }
  }
}

uint32_t last_line(const Diagnostic &diagnostic) {
  uint32_t last = 0;
  const auto meet = [&](const Span &span, uint32_t more = 0) {
    if (span.file && span.line > 0) last = std::max({last, span.line, span.end_line + more});
  };
  meet(diagnostic.span);
  for (const Label &label : diagnostic.labels) meet(label.span);
  for (const FixIt &fixit : diagnostic.fixits)
    for (const Edit &edit : fixit.edits)
      meet(edit.span, static_cast<uint32_t>(std::count(edit.text.begin(), edit.text.end(), '\n')));
  return last;
}

} // namespace htp

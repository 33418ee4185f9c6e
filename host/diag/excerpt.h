// host/diag/excerpt.h — source lines with marks under them, and suggested changes, as the terminal renderer shows them.
#pragma once

#include "host/diag/diagnostic.h"
#include "host/diag/render.h"

#include <string>
#include <string_view>
#include <vector>

namespace htp {

// The looks of one run of text. Everything is plain when colour was not asked for.
enum class Ink { plain, error, warning, note, gutter, strong, added, removed };

class Canvas {
public:
  explicit Canvas(const TextStyle &style) : style_(style) {}

  const TextStyle &style() const { return style_; }
  // Digits that the widest line number takes; set before the lines of a diagnostic are drawn.
  unsigned gutter = 1;

  void put(std::string_view text, Ink ink = Ink::plain);
  void end_line(); // drops trailing blanks
  // `12 | `, or `   | ` for line 0.
  void margin(uint32_t line, std::string_view bar = "|");
  std::string take() { return std::move(out_); }

private:
  TextStyle style_;
  std::string out_;
};

// What stands under a span: carets for the primary one, dashes for the others.
struct Mark {
  Span span;
  bool primary = false;
  std::string text;
};

// The lines that `marks` touch, all of one file, with the marks under them. Spans over several lines are shown at their
// first and last lines; lines between are left out.
void draw_excerpt(Canvas &canvas, const std::vector<Mark> &marks, Ink ink);
// The lines that the edits touch, before (-) and after (+).
void draw_fixit(Canvas &canvas, const FixIt &fixit);

// The last line number that drawing these will show.
uint32_t last_line(const Diagnostic &diagnostic);

} // namespace htp

// htp_cpp/refusal.h — a diagnostic that is found before it can be reported: by an analysis whose caller may try another
// form first, or by a reader that a compile and a verifier share. It is a row of the table and its message.
#pragma once

#include "htp_cpp/plugin.h"

#include <stdexcept>

namespace htp::sdk {

struct Refusal {
  DiagKind kind{}; // of the row: its code, its severity and its hint
  std::string message, hint;

  Refusal() = default;
  template <class... A> explicit Refusal(const DiagKind &row, const A &...arguments)
      : kind{row.code, row.severity, "{}", row.hint}, message(format(row.summary, {to_text(arguments)...})) {}

  explicit operator bool() const { return kind.code; }
  // By what the code says: a literal need not have one address in all of a plugin.
  bool is(const DiagKind &row) const { return kind.code && std::string_view(kind.code) == row.code; }
  // A hint of its own, instead of the row's.
  Refusal &&with(std::string text) && {
    hint = std::move(text);
    return std::move(*this);
  }
  // One that was not found is a fault of the plugin, and becomes a diagnostic that says so.
  void report(const Context &c, Node where, const std::string &note = {}) const {
    if (!kind.code) throw std::logic_error("something was refused without a reason");
    auto report = c.report(kind, where, message);
    if (!hint.empty()) report.hint(hint);
    if (!note.empty()) report.note(note);
  }
};

} // namespace htp::sdk

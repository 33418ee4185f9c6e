// host/log/log.h — the log: what htp-host read, chose, kept and refused, and how long it took, a line each, for who
// looks for how something came about. What a user must know is a diagnostic. Lines go to standard error as text, to a
// file as JSON, and into a package's logs/compile.log; where none of these takes a line's level it costs a comparison.
#pragma once

#include "host/base/expected.h"

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

namespace htp {

enum class LogLevel : uint8_t { trace, debug, info, warning, error, off }; // htp_log_level

std::optional<LogLevel> log_level(std::string_view name);

// A named value of a line, borrowed while the line is written.
struct LogField {
  std::string_view name;
  std::variant<std::string_view, uint64_t, double> value;
  LogField(std::string_view n, std::string_view text) : name(n), value(text) {}
  LogField(std::string_view n, const std::string &text) : name(n), value(std::string_view(text)) {}
  LogField(std::string_view n, const char *text) : name(n), value(std::string_view(text)) {}
  LogField(std::string_view n, double number) : name(n), value(number) {}
  template <class T>
  requires std::is_integral_v<T> LogField(std::string_view n, T number)
      : name(n), value(static_cast<uint64_t>(number)) {}
};

struct LogSettings {
  LogLevel shown = LogLevel::off; // on standard error, as text
  LogLevel kept = LogLevel::off;  // in the file, as JSON lines
  std::string file;
  bool color = false;
  std::function<void()> before_shown; // takes a progress line off the terminal
};
// What `HTP_LOG` says: "LEVEL", which is shown, or "LEVEL:FILE". The error says what it is to be instead.
Expected<LogSettings, std::string> log_settings(std::string_view text);
// Of this process. The reason when the file cannot be written.
std::optional<std::string> open_log(const LogSettings &settings);

// Whether a line of the level goes anywhere.
bool logs(LogLevel level);

// `from`: "host", or a plugin's id. What it says is of a few words, the same for all that are of a kind; the values
// are fields.
void log_from(std::string_view from, LogLevel level, std::string_view what,
              std::initializer_list<LogField> fields = {});
inline void log(LogLevel level, std::string_view what, std::initializer_list<LogField> fields = {}) {
  if (logs(level)) log_from("host", level, what, fields);
}

// The phase that lines of this thread belong to while it lives. Its end is a line with the milliseconds it took.
class LogPhase {
public:
  explicit LogPhase(std::string_view name, LogLevel level = LogLevel::info); // a literal, or what lives as long
  ~LogPhase();
  LogPhase(const LogPhase &) = delete;
  LogPhase &operator=(const LogPhase &) = delete;
  void add(const LogField &field); // to the line of its end; text is copied

private:
  struct State;
  std::unique_ptr<State> state_; // null: nobody listens
};

// While it lives, this thread's lines from `info` on are kept as well, as JSON; one within another takes them for both.
class LogRecord {
public:
  LogRecord();
  ~LogRecord();
  LogRecord(const LogRecord &) = delete;
  LogRecord &operator=(const LogRecord &) = delete;
  std::string text() const;
  // Lines of a process that made a part of this one's work: kept here, and shown and written as its own were.
  void take(std::string_view lines);

private:
  friend struct LogSinks;
  struct State;
  std::unique_ptr<State> state_;
};

// In a process that has the log of the one that it was forked from: lines go into its records only.
void leave_log();

} // namespace htp

#include "host/log/log.h"

#include "host/diag/utf8.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <spdlog/logger.h>
#include <spdlog/sinks/ansicolor_sink.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/ostream_sink.h>

#include <chrono>
#include <ctime>
#include <sstream>
#include <vector>

namespace htp {

namespace {

using Logger = std::shared_ptr<spdlog::logger>;
using Time = spdlog::log_clock::time_point;
using Json = nlohmann::ordered_json;

constexpr const char *text_pattern = "%H:%M:%S.%e %^%-7l%$ %v";
constexpr const char *json_pattern = R"({"time":"%Y-%m-%dT%H:%M:%S.%fZ","level":"%l",%v})";

// ── this process, this thread ──

Logger shown, kept;
std::function<void()> before_shown;

struct Thread {
  std::string_view phase;
  std::vector<LogRecord *> records;
};
thread_local Thread thread;

spdlog::level::level_enum level_of(LogLevel level) { return static_cast<spdlog::level::level_enum>(level); }
static_assert(static_cast<int>(LogLevel::warning) == SPDLOG_LEVEL_WARN &&
              static_cast<int>(LogLevel::error) == SPDLOG_LEVEL_ERROR);

Logger logger_to(spdlog::sink_ptr sink, LogLevel level, const char *pattern) {
  auto made = std::make_shared<spdlog::logger>("htp", std::move(sink));
  made->set_formatter(std::make_unique<spdlog::pattern_formatter>(
      pattern, pattern == json_pattern ? spdlog::pattern_time_type::utc : spdlog::pattern_time_type::local));
  made->set_level(level_of(level));
  made->flush_on(spdlog::level::trace); // what crashes has said where it was
  return made;
}

// Where the disk is full, say, the log ends, and what is done goes on.
void end_kept(const std::string &file, const std::string &why) {
  kept->set_level(spdlog::level::off);
  if (before_shown) before_shown();
  const size_t reason = why.rfind(": ");
  fmt::print(stderr, "warning: the log `{}` is not complete: {}\n", printable(file),
             reason == std::string::npos ? why : why.substr(reason + 2));
}

// ── lines ──

struct Line {
  std::string_view from, phase, what;
  std::vector<std::pair<std::string_view, Json>> fields;
};

std::string as_text(const Line &line) {
  std::string text = line.from == "host" ? "" : printable(line.from) + ": ";
  if (!line.phase.empty()) text += printable(line.phase) + ": ";
  text += printable(line.what);
  for (const auto &[name, value] : line.fields) {
    text += " " + printable(name) + "=";
    if (value.is_number_float())
      text += fmt::format("{:.3f}", value.get<double>());
    else if (const auto *string = value.get_ptr<const std::string *>())
      text += string->empty() || string->find_first_of(" \t\n\"=") != std::string::npos ? '"' + printable(*string) + '"'
                                                                                        : printable(*string);
    else
      text += value.dump();
  }
  return text;
}

// The members of an object, without its braces.
std::string as_json(const Line &line) {
  Json object{{"from", line.from}};
  if (!line.phase.empty()) object["phase"] = line.phase;
  object["what"] = line.what;
  for (const auto &[name, value] : line.fields) object[std::string(name)] = value;
  const std::string text = object.dump(-1, ' ', false, Json::error_handler_t::replace);
  return text.substr(1, text.size() - 2);
}

bool takes(const Logger &logger, LogLevel level) { return logger && logger->should_log(level_of(level)); }

} // namespace

struct LogRecord::State {
  std::ostringstream text;
  Logger logger = logger_to(std::make_shared<spdlog::sinks::ostream_sink_st>(text), LogLevel::info, json_pattern);
};

struct LogSinks {
  static void write(const Line &line, LogLevel level, Time at) {
    const auto put = [&](const Logger &logger, const std::string &text) {
      logger->log(at, spdlog::source_loc{}, level_of(level), spdlog::string_view_t(text.data(), text.size()));
    };
    if (takes(shown, level)) {
      if (before_shown) before_shown();
      put(shown, as_text(line));
    }
    std::string json;
    const auto put_json = [&](const Logger &logger) {
      if (!takes(logger, level)) return;
      if (json.empty()) json = as_json(line);
      put(logger, json);
    };
    put_json(kept);
    for (const LogRecord *record : thread.records) put_json(record->state_->logger);
  }
};

std::optional<LogLevel> log_level(std::string_view name) {
  constexpr std::string_view names[] = {"trace", "debug", "info", "warning", "error", "off"};
  for (size_t i = 0; i < std::size(names); ++i)
    if (name == names[i]) return static_cast<LogLevel>(i);
  return std::nullopt;
}

Expected<LogSettings, std::string> log_settings(std::string_view text) {
  LogSettings settings;
  const size_t colon = text.find(':');
  const auto level = log_level(text.substr(0, colon));
  if (!level) return Unexpected{std::string("it begins with a level: trace, debug, info, warning, error or off")};
  (colon == std::string_view::npos ? settings.shown : settings.kept) = *level;
  if (colon != std::string_view::npos) settings.file = text.substr(colon + 1);
  if (colon != std::string_view::npos && settings.file.empty())
    return Unexpected{std::string("behind the colon is a file")};
  return settings;
}

std::optional<std::string> open_log(const LogSettings &settings) {
  before_shown = settings.before_shown;
  if (settings.shown != LogLevel::off) {
    auto sink = std::make_shared<spdlog::sinks::ansicolor_stderr_sink_mt>(settings.color ? spdlog::color_mode::always
                                                                                         : spdlog::color_mode::never);
    shown = logger_to(std::move(sink), settings.shown, text_pattern);
  }
  if (settings.kept == LogLevel::off) return std::nullopt;
  try {
    kept = logger_to(std::make_shared<spdlog::sinks::basic_file_sink_mt>(settings.file), settings.kept, json_pattern);
  } catch (const spdlog::spdlog_ex &e) {
    return std::string(e.what());
  }
  kept->set_error_handler([file = settings.file](const std::string &why) { end_kept(file, why); });
  return std::nullopt;
}

bool logs(LogLevel level) {
  return takes(shown, level) || takes(kept, level) || (!thread.records.empty() && level >= LogLevel::info);
}

void log_from(std::string_view from, LogLevel level, std::string_view what, std::initializer_list<LogField> fields) {
  if (!logs(level)) return;
  Line line{from, thread.phase, what, {}};
  for (const LogField &field : fields)
    line.fields.emplace_back(field.name, std::visit([](const auto &value) { return Json(value); }, field.value));
  LogSinks::write(line, level, spdlog::log_clock::now());
}

// ── phases ──

struct LogPhase::State {
  LogLevel level;
  std::string_view outer;
  std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
  std::vector<std::pair<std::string, Json>> fields{};
};

LogPhase::LogPhase(std::string_view name, LogLevel level) {
  if (!logs(level)) return;
  state_.reset(new State{level, thread.phase});
  thread.phase = name;
}

LogPhase::~LogPhase() {
  if (!state_) return;
  Line line{"host", thread.phase, "done", {}};
  const std::chrono::duration<double, std::milli> spent = std::chrono::steady_clock::now() - state_->begin;
  line.fields.emplace_back("ms", spent.count());
  for (auto &[name, value] : state_->fields) line.fields.emplace_back(name, std::move(value));
  LogSinks::write(line, state_->level, spdlog::log_clock::now());
  thread.phase = state_->outer;
}

void LogPhase::add(const LogField &field) {
  if (state_)
    state_->fields.emplace_back(field.name, std::visit([](const auto &value) { return Json(value); }, field.value));
}

// ── records ──

LogRecord::LogRecord() : state_(std::make_unique<State>()) { thread.records.push_back(this); }
LogRecord::~LogRecord() { std::erase(thread.records, this); }

std::string LogRecord::text() const { return state_->text.str(); }

void LogRecord::take(std::string_view lines) {
  while (!lines.empty()) {
    const std::string_view one = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(std::min(one.size() + 1, lines.size()));
    const Json object = Json::parse(one, nullptr, false);
    if (!object.is_object()) continue;
    Line line{"host", {}, {}, {}};
    std::string time;
    LogLevel level = LogLevel::info;
    for (const auto &[name, value] : object.items()) {
      const auto *text = value.get_ptr<const std::string *>();
      if (name == "time" && text)
        time = *text;
      else if (name == "level" && text)
        level = log_level(*text).value_or(level);
      else if (name == "from" && text)
        line.from = *text;
      else if (name == "phase" && text)
        line.phase = *text;
      else if (name == "what" && text)
        line.what = *text;
      else
        line.fields.emplace_back(name, value);
    }
    Time at = spdlog::log_clock::now();
    std::tm parts{};
    if (const char *rest = ::strptime(time.c_str(), "%Y-%m-%dT%H:%M:%S", &parts); rest && *rest == '.')
      at = spdlog::log_clock::from_time_t(::timegm(&parts)) + std::chrono::microseconds(std::atol(rest + 1));
    LogSinks::write(line, level, at);
  }
}

void leave_log() {
  shown.reset(), kept.reset(); // each line was written when it came: nothing is left to write at their end
  thread.records.clear();
  thread.phase = {};
}

} // namespace htp

#include "host/log/log.h"

#include "host/base/fs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sstream>
#include <thread>

namespace htp {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<json> lines_of(const std::string &text) {
  std::vector<json> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(json::parse(line));
  return lines;
}

LogSettings kept_in(const std::string &file) {
  LogSettings settings;
  settings.kept = LogLevel::debug;
  settings.file = file;
  return settings;
}

// Each test leaves the log closed.
class Log : public testing::Test {
protected:
  void TearDown() override { leave_log(); }
};

TEST_F(Log, TakesNothingUntilItIsOpened) {
  EXPECT_FALSE(logs(LogLevel::error));
  log(LogLevel::error, "nobody reads it");
  LogPhase phase("none");
  phase.add({"plugins", 3});
}

TEST_F(Log, KeepsLinesFromInfoOnInARecord) {
  LogRecord record;
  EXPECT_TRUE(logs(LogLevel::info));
  EXPECT_FALSE(logs(LogLevel::debug));
  log(LogLevel::debug, "not this one");
  log(LogLevel::info, "plugin chosen", {{"plugin", "acme.fold"}, {"units", 3}, {"share", 0.5}});
  log_from("acme.fold", LogLevel::warning, "it \"quotes\"\nand breaks");
  const auto lines = lines_of(record.text());
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_THAT(lines[0].at("time").get<std::string>(), testing::MatchesRegex("....-..-..T..:..:..[.]......Z"));
  EXPECT_EQ(lines[0].at("level"), "info");
  EXPECT_EQ(lines[0].at("from"), "host");
  EXPECT_EQ(lines[0].at("what"), "plugin chosen");
  EXPECT_EQ(lines[0].at("units"), 3);
  EXPECT_EQ(lines[0].at("share"), 0.5);
  EXPECT_FALSE(lines[0].contains("phase"));
  EXPECT_EQ(lines[1].at("from"), "acme.fold");
  EXPECT_EQ(lines[1].at("level"), "warning");
  EXPECT_EQ(lines[1].at("what"), "it \"quotes\"\nand breaks");
}

TEST_F(Log, EndsAPhaseWithItsTime) {
  LogRecord record;
  {
    LogPhase outer("resolve");
    { LogPhase inner("tile.infer", LogLevel::debug); }
    { LogPhase inner("tile.inline"); }
    log(LogLevel::info, "within");
    outer.add({"plugins", 7});
  }
  log(LogLevel::info, "outside");
  const auto lines = lines_of(record.text());
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[0].at("phase"), "tile.inline");
  EXPECT_EQ(lines[1].at("phase"), "resolve");
  EXPECT_EQ(lines[2].at("what"), "done");
  EXPECT_EQ(lines[2].at("plugins"), 7);
  EXPECT_GE(lines[2].at("ms").get<double>(), lines[0].at("ms").get<double>());
  EXPECT_FALSE(lines[3].contains("phase"));
}

TEST_F(Log, IsOfOneThread) {
  LogRecord record;
  std::thread([] {
    EXPECT_FALSE(logs(LogLevel::error)); // of another compile
    log(LogLevel::error, "elsewhere");
  }).join();
  EXPECT_EQ(record.text(), "");
}

TEST_F(Log, AddsToAFile) {
  const auto folder = TemporaryFolder::make();
  ASSERT_TRUE(folder);
  const std::string file = folder->path() + "/a b.jsonl";
  ASSERT_FALSE(write_file(file, "{\"before\": 1}\n"));
  ASSERT_EQ(open_log(kept_in(file)), std::nullopt);
  log(LogLevel::debug, "one");
  log(LogLevel::trace, "not this one");
  const auto lines = lines_of(*read_file(file)); // while it is open: each line is written when it comes
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[1].at("what"), "one");
}

TEST_F(Log, SaysWhyAFileCannotBe) {
  EXPECT_THAT(open_log(kept_in("/dev/null/x")).value_or(""), HasSubstr("Not a directory"));
  EXPECT_FALSE(logs(LogLevel::error));
}

TEST_F(Log, ShowsTextThatATerminalDoesNotObey) {
  int hidden = 0;
  LogSettings settings;
  settings.shown = LogLevel::info;
  settings.before_shown = [&] { ++hidden; };
  testing::internal::CaptureStderr();
  open_log(settings);
  log_from("acme.fold", LogLevel::info, "title \x1b]0;x\a", {{"file", "a b\n"}, {"empty", ""}, {"count", 2}});
  const std::string text = testing::internal::GetCapturedStderr();
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1);
  EXPECT_THAT(text, HasSubstr(" info    acme.fold: title "));
  EXPECT_THAT(text, HasSubstr("file=\"a b"));
  EXPECT_THAT(text, HasSubstr(" empty=\"\" count=2\n"));
  EXPECT_EQ(hidden, 1);
}

TEST_F(Log, TakesWhatAnotherProcessKept) {
  std::string lines;
  {
    LogRecord other;
    LogPhase phase("load");
    log(LogLevel::info, "library tried", {{"plugin", "acme.fold"}});
    lines = other.text();
  }
  LogRecord record;
  record.take(lines + "no JSON\n[1]\n{\"level\": 3, \"what\": [\"odd\"]}\n");
  auto taken = lines_of(record.text());
  ASSERT_EQ(taken.size(), 2u);
  EXPECT_EQ(taken[0], json::parse(lines)); // its time too
  EXPECT_EQ(taken[1].at("from"), "host");
}

TEST_F(Log, ReadsHTP_LOG) {
  const auto reads = [](std::string_view text) {
    const auto found = log_settings(text);
    return found ? std::tuple(found->shown, found->kept, found->file)
                 : std::tuple(LogLevel::off, LogLevel::off, found.error());
  };
  EXPECT_THAT(reads("info"), testing::FieldsAre(LogLevel::info, LogLevel::off, ""));
  EXPECT_THAT(reads("trace:a:b.jsonl"), testing::FieldsAre(LogLevel::off, LogLevel::trace, "a:b.jsonl"));
  EXPECT_THAT(std::get<2>(reads("loud")), HasSubstr("trace, debug, info, warning, error or off"));
  EXPECT_EQ(std::get<2>(reads("info:")), "behind the colon is a file");
}

} // namespace
} // namespace htp

// The component itself: its table, its child processes, what it remembers, and the form of the command's answer. What
// each check finds is tested by check_test.py.
#include "host/base/confined.h"
#include "host/base/fs.h"
#include "host/base/process.h"
#include "host/check/check.h"
#include "host/check/made_up.h"
#include "tests/support/json_schema.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <set>
#include <unistd.h>

namespace htp {
namespace {

std::string toy(const std::string &library) {
  static std::vector<TemporaryFolder> folders;
  auto made = TemporaryFolder::make("toy");
  EXPECT_TRUE(made);
  folders.push_back(std::move(*made));
  const std::string folder = folders.back().path(), source = std::string(HTP_SOURCE_DIR) + "/tests/check/toy";
  for (const char *name :
       {"/htp-plugin.yaml", "/python/htp_toy/__init__.py", "/python/htp_toy/intrinsics.py", "/examples/main.py"}) {
    const auto text = read_file(source + name);
    EXPECT_TRUE(text) << name;
    const std::string path = folder + name;
    EXPECT_FALSE(make_folders(path.substr(0, path.rfind('/'))));
    EXPECT_FALSE(write_file(path, *text));
  }
  const auto bytes = read_file(std::string(HTP_BINARY_DIR) + "/fixtures/check/" + library + "/libtoy.so");
  EXPECT_TRUE(bytes);
  EXPECT_FALSE(write_file(folder + "/libtoy.so", *bytes));
  return folder;
}

TEST(Table, HasFiftyChecksAndNamesEachOnce) {
  std::set<std::string_view> names;
  for (const CheckInfo &check : all_checks()) {
    EXPECT_TRUE(names.insert(check.name).second) << check.name;
    EXPECT_FALSE(check.what.empty());
    EXPECT_EQ(find_check(check.name), &check);
  }
  EXPECT_GE(names.size(), 50u);
  EXPECT_EQ(find_check("nothing"), nullptr);
}

// A diagnostic about a plugin that no check stands for would be lost.
TEST(Table, StandsForEachErrorOfReadingAndLoadingAPlugin) {
  for (const DiagInfo &row : host_diagnostics()) {
    const bool about_a_plugin = row.code.starts_with("manifest.") || row.code.starts_with("load.");
    if (row.code == "load.old-stays") continue; // of a process that loads twice; a check's loads once
    EXPECT_TRUE(!about_a_plugin || !is_error(row.severity) || check_of(row.code)) << row.code;
  }
  EXPECT_EQ(check_of("load.bad"), nullptr) << "part of a code is none";
}

TEST(Child, TellsHowItEnded) {
  ConfinedLimits limits;
  limits.time = std::chrono::milliseconds(60000);
  ConfinedEnd end = run_confined(limits, [](ConfinedVoice &voice) {
    voice.at("here");
    voice.answer("all of it");
  });
  EXPECT_EQ(end.outcome, ConfinedEnd::Outcome::done);
  EXPECT_EQ(end.answer, "all of it");
  EXPECT_EQ(end.place, "here");

  end = run_confined(limits, [](ConfinedVoice &voice) {
    voice.answer("some of it");
    voice.at("the end");
    ::raise(SIGKILL);
  });
  EXPECT_EQ(end.outcome, ConfinedEnd::Outcome::died);
  EXPECT_FALSE(end.exited);
  EXPECT_EQ(end.reason, "killed by SIGKILL");
  EXPECT_EQ(end.answer, "some of it");
  EXPECT_EQ(end.place, "the end");

  end = run_confined(limits, [](ConfinedVoice &) {
    [[maybe_unused]] const auto n = ::write(2, "no licence\n", 11);
    std::exit(4);
  });
  EXPECT_TRUE(end.exited);
  EXPECT_EQ(end.reason, "it called exit(4)");
  EXPECT_EQ(end.output, "no licence");
}

TEST(Child, EndsOneThatHangsOrEatsMemory) {
  ConfinedLimits limits;
  limits.time = std::chrono::milliseconds(200);
  const ConfinedEnd hung = run_confined(limits, [](ConfinedVoice &voice) {
    voice.at("waiting");
    for (;;) ::pause();
  });
  EXPECT_EQ(hung.outcome, ConfinedEnd::Outcome::hung);
  EXPECT_EQ(hung.place, "waiting");
  limits.time = std::chrono::milliseconds(60000);
  limits.memory = uint64_t{64} << 20;
  const ConfinedEnd fat = run_confined(limits, [](ConfinedVoice &) {
    for (;;) {
      std::vector<char> *const kept = new std::vector<char>(1 << 24, 'x');
      if (kept->empty()) break;
    }
  });
  EXPECT_EQ(fat.outcome, ConfinedEnd::Outcome::died);
  EXPECT_EQ(fat.reason, "it took more than 64 MiB of memory");
}

TEST(Child, OfAChildIsHeardByItsParent) {
  ConfinedLimits limits;
  limits.time = std::chrono::milliseconds(60000);
  const ConfinedEnd end = run_confined(limits, [&](ConfinedVoice &) {
    run_confined(limits, [](ConfinedVoice &inner) {
      inner.at("far down");
      ::raise(SIGSEGV);
    });
    ::_exit(9);
  });
  EXPECT_EQ(end.place, "far down");
  EXPECT_EQ(end.reason, "it ended the process with status 9");
}

TEST(MadeUp, TheSameSeedMakesTheSameProgram) {
  Store a, b;
  for (uint64_t seed = 0; seed < 50; ++seed) {
    Dice first(seed), second(seed);
    const htp_node x = made_up_module(a, first), y = made_up_module(b, second);
    ASSERT_NE(x, HTP_NONE) << seed << " " << a.reason();
    EXPECT_EQ(a.abi()->record_count, b.abi()->record_count) << seed;
    EXPECT_EQ(x, y) << seed;
  }
}

TEST(CheckPlugin, RemembersAVerdictWithItsReasons) {
  const auto folder = TemporaryFolder::make("cache");
  ASSERT_TRUE(folder);
  Cache cache(folder->path());
  CheckOptions options;
  options.cache = &cache;
  options.load = LoadOptions::from_environment();
  options.only = {"identity"};
  const std::string plugin = toy("identity");
  const PluginReport first = check_plugin(plugin, {}, options);
  EXPECT_FALSE(first.remembered);
  ASSERT_EQ(first.results.size(), 1u);
  EXPECT_EQ(first.results[0].verdict, Verdict::failed);
  const PluginReport second = check_plugin(plugin, {}, options);
  EXPECT_TRUE(second.remembered);
  ASSERT_EQ(second.findings.size(), 1u);
  EXPECT_EQ(second.findings[0].diagnostic.message, first.findings.at(0).diagnostic.message);
  EXPECT_EQ(second.findings[0].diagnostic.span.line, first.findings[0].diagnostic.span.line);
  // Other bytes are another question.
  const auto other = read_file(std::string(HTP_BINARY_DIR) + "/fixtures/check/none/libtoy.so");
  ASSERT_TRUE(other);
  ASSERT_FALSE(write_file(plugin + "/libtoy.so", *other));
  const PluginReport third = check_plugin(plugin, {}, options);
  EXPECT_FALSE(third.remembered);
  EXPECT_EQ(third.results.at(0).verdict, Verdict::ok);
}

// A machine that is busy may be late too.
TEST(CheckPlugin, AsksAgainWhatGaveNoAnswerInTime) {
  const auto folder = TemporaryFolder::make("cache");
  ASSERT_TRUE(folder);
  Cache cache(folder->path());
  CheckOptions options;
  options.cache = &cache;
  options.load = LoadOptions::from_environment();
  options.time = std::chrono::milliseconds(1000);
  const std::string plugin = toy("comes_to_an_end");
  for (int time = 0; time < 2; ++time) {
    const PluginReport report = check_plugin(plugin, {}, options);
    EXPECT_FALSE(report.remembered);
    ASSERT_FALSE(report.findings.empty());
    EXPECT_TRUE(report.findings[0].late);
    EXPECT_NE(report.findings[0].diagnostic.message.find("no sign of life for 1000 ms"), std::string::npos)
        << report.findings[0].diagnostic.message;
  }
}

TEST(Command, AnswersAsItsSchemaSays) {
  const std::string schema =
      test::read_text(std::string(HTP_SOURCE_DIR) + "/manifests/schema/answers/plugin-check.schema.json");
  for (const char *library : {"none", "identity", "survives"}) {
    ProcessRequest request;
    request.argv = {std::string(HTP_BINARY_DIR) + "/bin/htp-host",
                    "--json",
                    "plugins",
                    "check",
                    toy(library),
                    "--only",
                    "entry",
                    "--only",
                    "survives"};
    const auto ran = run_process(request);
    ASSERT_TRUE(ran);
    const auto errors = test::schema_errors(schema, ran->out);
    EXPECT_TRUE(errors.empty()) << errors.front();
    EXPECT_EQ(ran->exit_status != 0, std::string(library) != "none") << ran->out;
  }
}

// One bad plugin says nothing of another.
TEST(Command, ChecksEachPluginOfAProfileByItself) {
  const std::string good = toy("none"), bad = toy("survives_opening");
  auto text = read_file(bad + "/htp-plugin.yaml");
  ASSERT_TRUE(text);
  const auto profile = TemporaryFolder::make("profile");
  ASSERT_TRUE(profile);
  ASSERT_FALSE(write_file(profile->path() + "/p.yaml",
                          "htp_profile: 1\ntarget: toy\nsearch:\n  - " + bad + "\n  - " + good + "\n"));
  ProcessRequest request;
  request.argv = {std::string(HTP_BINARY_DIR) + "/bin/htp-host",
                  "--json",
                  "plugins",
                  "check",
                  profile->path() + "/p.yaml",
                  "--only",
                  "elf"};
  const auto ran = run_process(request);
  ASSERT_TRUE(ran);
  const auto answer = nlohmann::json::parse(ran->out);
  std::map<std::string, std::string> verdicts;
  for (const auto &plugin : answer.at("plugins"))
    for (const auto &check : plugin.at("checks"))
      if (check.at("name") == "survives-opening") verdicts[plugin.at("folder")] = check.at("verdict");
  EXPECT_EQ(verdicts[good], "ok");
  EXPECT_EQ(verdicts[bad], "failed");
}

} // namespace
} // namespace htp

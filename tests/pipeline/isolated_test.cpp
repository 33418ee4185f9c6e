// What an isolated compile hands over is taken as data, and how its process ended is told by the system.
#include "host/base/confined.h"
#include "host/base/fs.h"
#include "host/diag/render.h"
#include "host/pipeline/isolated.h"

#include <gtest/gtest.h>

#include <algorithm>

#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <thread>

namespace htp {
namespace {

// Of a package with one stage, as a compile for `cpu` gives it.
Made made() {
  Made made;
  PackageManifest &m = made.draft.manifest;
  m.htp = "1.0.0";
  m.identity.name = m.identity.entry = "f";
  m.identity.target = m.target.backend = "cpu";
  m.entries = {{"f", {}, "None"}};
  m.stages_kept = "changed";
  m.stages = {{"00", "source", "ir/stages/00-source/program.py", ""}};
  made.draft.files = {{"ir/stages/00-source/program.py", "stage", "import htp\n"}, {"a.bin", "source", {"\0\xff", 2}}};
  made.draft.logs = {{"b.json", "log", "{}\n"}};
  return made;
}

struct Isolated : testing::Test {
  void SetUp() override {
    ASSERT_TRUE(folder);
    request.profile = folder->path() + "/p.yaml";
    ASSERT_FALSE(write_file(request.profile, "htp_profile: 1\ntarget: cpu\n"));
    ASSERT_FALSE(write_file(folder->path() + "/f.py", "import htp\n"));
    request.program = folder->path() + "/f.py";
    auto gathered = gather(request, true, diagnostics);
    ASSERT_TRUE(gathered) << said();
    inputs = std::move(*gathered);
  }
  std::optional<Made> run(const Make &make, std::chrono::milliseconds silence = std::chrono::minutes(1)) {
    return isolated(request, inputs, diagnostics, seconds, record, make, silence);
  }
  std::string said() const { return render_text(diagnostics, {}); }
  // The codes, without what this system lacks.
  std::string codes() const {
    std::string all;
    for (const Diagnostic &d : diagnostics.list())
      if (d.code != "pipeline.less-isolated") all += (all.empty() ? "" : " ") + d.code;
    return all;
  }

  Expected<TemporaryFolder, IoError> folder = TemporaryFolder::make();
  CompileRequest request;
  LogRecord record;
  Inputs inputs;
  Diagnostics diagnostics;
  Seconds seconds;
};

TEST_F(Isolated, WhatWasMadeComesBackByteByByte) {
  const auto result = run([](const CompileRequest &, Diagnostics &d, Seconds &s) {
    d.report(diag::pipeline_passes_differ, {});
    s.emplace_back("pass a", 0.5);
    return std::optional(made());
  });
  ASSERT_TRUE(result) << said();
  const Made expected = made();
  ASSERT_EQ(result->draft.files.size(), expected.draft.files.size());
  for (size_t i = 0; i < expected.draft.files.size(); ++i) {
    EXPECT_EQ(result->draft.files[i].bytes, expected.draft.files[i].bytes);
    EXPECT_EQ(result->draft.files[i].role, expected.draft.files[i].role);
  }
  EXPECT_EQ(result->draft.logs[0].bytes, "{}\n");
  EXPECT_EQ(result->draft.manifest.stages[0].path, expected.draft.manifest.stages[0].path);
  EXPECT_TRUE(result->draft.manifest.outputs.empty());
  EXPECT_EQ(codes(), "pipeline.passes-differ");
  ASSERT_EQ(seconds.size(), 2u);
  EXPECT_EQ(seconds[0], (std::pair<std::string, double>("pass a", 0.5)));
  EXPECT_EQ(seconds[1].first, "isolate");
  const bool noted =
      std::ranges::any_of(diagnostics.list(), [](const Diagnostic &d) { return d.code == "pipeline.less-isolated"; });
  EXPECT_EQ(noted, !confinement_lacks().empty());
}

TEST_F(Isolated, WhatIsOfAnotherTargetOrPluginIsNotTaken) {
  for (const bool target : {true, false}) {
    diagnostics = {};
    EXPECT_FALSE(run([&](const CompileRequest &, Diagnostics &, Seconds &) {
      Made other = made();
      if (target)
        other.draft.manifest.identity.target = other.draft.manifest.target.backend = "aie";
      else
        other.draft.manifest.plugins = {{"acme.unknown", "1.0.0", std::string(64, '0'), "", {}}};
      return std::optional(other);
    }));
    EXPECT_NE(said().find(target ? "does not hold: its `target`" : "does not hold: its `plugins`"), std::string::npos)
        << said();
  }
}

TEST_F(Isolated, APackageBesideAnErrorIsNotTaken) {
  EXPECT_FALSE(run([](const CompileRequest &, Diagnostics &d, Seconds &) {
    d.report(diag::pipeline_not_isolated, {}, "it is said to be so");
    return std::optional(made());
  }));
  EXPECT_EQ(codes(), "pipeline.isolated-answer");
}

TEST_F(Isolated, NothingWithoutAReasonIsNotTaken) {
  EXPECT_FALSE(run([](const CompileRequest &, Diagnostics &, Seconds &) { return std::optional<Made>(); }));
  EXPECT_EQ(codes(), "pipeline.isolated-answer");
}

TEST_F(Isolated, AProcessThatEndsWhereNoUnitRunsIsTold) {
  EXPECT_FALSE(run([](const CompileRequest &, Diagnostics &, Seconds &) -> std::optional<Made> { ::_exit(7); }));
  EXPECT_EQ(said().substr(0, said().find('\n')), "error[pipeline.isolated-ended]: the process that compiled ended "
                                                 "before it was done: it ended the process with status 7");
}

TEST_F(Isolated, OneThatGivesNoSignOfLifeIsEnded) {
  EXPECT_FALSE(run(
      [](const CompileRequest &asked, Diagnostics &, Seconds &) -> std::optional<Made> {
        asked.progress(0.25, "acme.slow");
        for (;;) ::pause();
      },
      std::chrono::milliseconds(300)));
  EXPECT_NE(said().find("error[pipeline.isolated-silent]: `acme.slow` has not ended for 0.3 s, and was ended"),
            std::string::npos)
      << said();
}

TEST_F(Isolated, ProcessesThatAreLeftSpoilThePackage) {
  EXPECT_FALSE(run([](const CompileRequest &, Diagnostics &, Seconds &) {
    if (::fork() == 0)
      for (;;) ::pause();
    return std::optional(made());
  }));
  EXPECT_EQ(codes(), "pipeline.isolated-left");
}

TEST_F(Isolated, WhereThereIsNoProcessNothingRuns) {
  rlimit before{};
  ::getrlimit(RLIMIT_NOFILE, &before);
  const rlimit none{3, before.rlim_max};
  ::setrlimit(RLIMIT_NOFILE, &none);
  bool ran = false;
  const auto result =
      run([&](const CompileRequest &, Diagnostics &, Seconds &) { return ran = true, std::optional(made()); });
  ::setrlimit(RLIMIT_NOFILE, &before);
  EXPECT_FALSE(result);
  EXPECT_FALSE(ran);
  EXPECT_EQ(codes(), "pipeline.not-isolated");
}

TEST_F(Isolated, WhatACancelledOneStartedEndsToo) {
  volatile std::sig_atomic_t cancel = 0;
  request.cancel = &cancel;
  const std::string path = folder->path() + "/started";
  std::thread later([&] {
    // Without memory of its own: a sanitizer's allocator does not come through a fork beside a thread that allocates.
    while (::access(path.c_str(), F_OK) != 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    cancel = 1;
  });
  EXPECT_FALSE(run([&](const CompileRequest &, Diagnostics &, Seconds &) -> std::optional<Made> {
    const pid_t started = ::fork();
    if (started > 0) (void)write_file_atomic(path, std::to_string(started));
    for (;;) ::pause();
  }));
  later.join();
  EXPECT_EQ(codes(), "");
  const auto started = read_file(path);
  ASSERT_TRUE(started);
  EXPECT_NE(::kill(std::stoi(*started), 0), 0) << "it is still there";
}

TEST_F(Isolated, PhasesThatAreNoNamesAreNotTaken) {
  EXPECT_FALSE(run([](const CompileRequest &, Diagnostics &, Seconds &s) {
    s.emplace_back("a\": 1}", 0.5);
    return std::optional(made());
  }));
  EXPECT_NE(said().find("does not hold: its `seconds`"), std::string::npos) << said();
}

TEST_F(Isolated, ACancelledOneEnds) {
  volatile std::sig_atomic_t cancel = 1;
  request.cancel = &cancel;
  EXPECT_FALSE(run([](const CompileRequest &, Diagnostics &, Seconds &) -> std::optional<Made> {
    for (;;) ::pause();
  }));
  EXPECT_EQ(codes(), "");
}

} // namespace
} // namespace htp

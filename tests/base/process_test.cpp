#include "host/base/process.h"

#include "host/base/fs.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>

#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <thread>

namespace htp {
namespace {

ProcessResult shell(const std::string &script, ProcessRequest request = {}) {
  request.argv = {"sh", "-c", script};
  auto result = run_process(request);
  EXPECT_TRUE(result) << result.error();
  return std::move(*result);
}

TEST(Process, CollectsStatusAndOutput) {
  const ProcessResult result = shell("echo out; echo err >&2; exit 3");
  EXPECT_EQ(result.exit_status, 3);
  EXPECT_EQ(result.out, "out\n");
  EXPECT_EQ(result.err, "err\n");
  EXPECT_FALSE(result.timed_out);
}

TEST(Process, PassesArgumentsAsTheyAre) {
  ProcessRequest request;
  request.argv = {"printf", "%s|", "a b", "$HOME", "\"'*"};
  EXPECT_EQ(run_process(request)->out, "a b|$HOME|\"'*|");
}

TEST(Process, FeedsInputWhileItCollects) {
  ProcessRequest request;
  request.input = std::string(3 << 20, 'x'); // more than any pipe holds
  EXPECT_EQ(shell("cat", request).out, request.input);
}

TEST(Process, SurvivesAToolThatReadsNothing) {
  ProcessRequest request;
  request.input = std::string(3 << 20, 'x');
  EXPECT_EQ(shell("exec <&-; echo done", request).out, "done\n");
}

TEST(Process, RunsInTheFolderAndEnvironmentItIsGiven) {
  const auto folder = TemporaryFolder::make();
  ProcessRequest request;
  request.directory = folder->path();
  request.environment = std::vector<std::string>{"PATH=/usr/bin:/bin", "ONLY=this"};
  EXPECT_EQ(shell("pwd; echo $ONLY$HOME", request).out, folder->path() + "\nthis\n");
}

TEST(Process, NamesTheSignal) {
  const ProcessResult result = shell("kill -TERM $$");
  EXPECT_EQ(result.signal, SIGTERM);
  EXPECT_EQ(result.exit_status, 128 + SIGTERM);
}

TEST(Process, IsKilledWithAllItStartedWhenTold) {
  const auto folder = TemporaryFolder::make();
  const std::string ready = folder->path() + "/ready";
  std::atomic<bool> over = false;
  std::thread killer(
      [&] { // a tool may begin before it is among those that run, where signals wait for that and a thread does not
        while (!exists(ready)) std::this_thread::yield();
        for (; !over; std::this_thread::sleep_for(std::chrono::milliseconds(1))) kill_running_tools();
      });
  // The second sleep holds the output open: the call returns only when it is gone too.
  const ProcessResult result = shell("sleep 600 & touch " + ready + "; sleep 600");
  over = true;
  killer.join();
  EXPECT_EQ(result.signal, SIGKILL);
  EXPECT_FALSE(result.timed_out);
  kill_running_tools(); // none is left
  EXPECT_EQ(shell("echo still").out, "still\n");
}

TEST(Process, EndsAtItsTimeWithAllItStarted) {
  ProcessRequest request;
  request.timeout = std::chrono::milliseconds(200);
  const ProcessResult result =
      shell("echo begun; sleep 1000 & sleep 1000", request); // the inner one holds the pipe too
  EXPECT_TRUE(result.timed_out);
  EXPECT_EQ(result.signal, SIGKILL);
  EXPECT_EQ(result.out, "begun\n");
}

TEST(Process, LimitsWhatItKeeps) {
  ProcessRequest request;
  request.output_limit = 10;
  EXPECT_EQ(shell("printf 0123456789abcdef", request).out, "0123456789");
}

// Root may look into any folder, so as somebody else where the tests are root's.
class AsSomebodyElse {
public:
  AsSomebodyElse() { EXPECT_TRUE(root_ != 0 || ::seteuid(65534) == 0); }
  ~AsSomebodyElse() { EXPECT_EQ(::seteuid(root_), 0); }

private:
  const uid_t root_ = ::geteuid();
};

TEST(Process, SaysWhyItCannotStart) {
  ProcessRequest request;
  request.argv = {"htp-no-such-tool"};
  EXPECT_EQ(run_process(request).error(), "No such file or directory");
  // A folder that may not be looked into is not the reason, a file that may not be run is.
  const auto folder = TemporaryFolder::make();
  ASSERT_TRUE(folder);
  ASSERT_FALSE(write_file(folder->path() + "/htp-no-program", ""));
  const std::string before = std::getenv("PATH") ? std::getenv("PATH") : "";
  ASSERT_EQ(::setenv("PATH", folder->path().c_str(), 1), 0);
  request.argv = {"htp-no-program"};
  EXPECT_EQ(run_process(request).error(), "Permission denied");
  ASSERT_EQ(::chmod(folder->path().c_str(), 0), 0);
  request.argv = {"htp-no-such-tool"};
  {
    const AsSomebodyElse other;
    EXPECT_EQ(run_process(request).error(), "No such file or directory");
  }
  ASSERT_EQ(::chmod(folder->path().c_str(), 0700), 0);
  ASSERT_EQ(::setenv("PATH", before.c_str(), 1), 0);
  request.argv = {};
  EXPECT_EQ(run_process(request).error(), "Invalid argument");
}

} // namespace
} // namespace htp

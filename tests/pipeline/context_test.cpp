// What the host itself says where no command leads to it: tools that hang, states nobody verifies, requests of the C
// API, Python that fails.
#include "host/python/object.h"

#include "host/diag/render.h"
#include "host/parse/interpreter.h"
#include "host/pipeline/run.h"
#include "host/python/python.h"

#include <htp/capi.h>

#include <gtest/gtest.h>

#include <csignal>
#include <fstream>
#include <functional>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace htp {
namespace {

htp_str str(std::string_view text) { return {text.data(), text.size()}; }

struct Compile {
  Store store;
  Diagnostics diagnostics;
  Cache cache = Cache::off();
  Registry registry{{}, {}};
  htp_ctx ctx{store, diagnostics, cache, {}};
  Compile() { ctx.registry = &registry; }
  std::string said() const { return render_text(diagnostics, {}); }
};

TEST(Context, AToolThatHangsIsStopped) {
  Compile c;
  c.ctx.settings.tool_timeout = std::chrono::milliseconds(100);
  const htp_str argv[] = {str("sleep"), str("60")};
  htp_tool_result result{};
  EXPECT_EQ(host_table().run_tool(&c.ctx, argv, 2, {}, {}, &result), HTP_FAILED);
  EXPECT_EQ(c.said(), "error[pipeline.tool-timeout]: `sleep` did not end within 100 ms\n  = hint: run the tool by "
                      "hand with the same input to see what it waits for\n\n1 error\n");
}

TEST(Context, AToolsOutputAndStatusComeBack) {
  Compile c;
  const htp_str argv[] = {str("sh"), str("-c"), str("cat; echo no >&2; exit 3")};
  htp_tool_result result{};
  EXPECT_EQ(host_table().run_tool(&c.ctx, argv, 3, {}, str("in"), &result), HTP_OK);
  EXPECT_EQ(result.exit_status, 3);
  EXPECT_EQ(std::string(result.out.data, result.out.size), "in");
  EXPECT_EQ(std::string(result.err.data, result.err.size), "no\n");
  EXPECT_EQ(c.ctx.recorded.size(), 1u);
}

TEST(Context, AStateThatNobodyVerifiesDoesNotHold) {
  Compile c;
  Diagnostics why;
  EXPECT_FALSE(holds(c.ctx, "Nobody.Knows", HTP_NONE, why));
  EXPECT_EQ(render_text(why, {}), "error[pipeline.no-verifier]: no loaded plugin verifies `Nobody.Knows`\n  = hint: "
                                  "add a plugin with a unit of kind `verifier` for it\n\n1 error\n");
}

TEST(Context, TheEnvironmentIsWhatTheProfileLetsThrough) {
  Compile c;
  setenv("HTP_TEST_SECRET", "x", 1);
  EXPECT_EQ(host_table().environment(&c.ctx, "HTP_TEST_SECRET").data, nullptr);
  c.ctx.settings.environment.insert("HTP_TEST_SECRET");
  EXPECT_EQ(host_table().environment(&c.ctx, "HTP_TEST_SECRET").size, 1u);
}

TEST(Api, ARequestThatIsNoJsonIsRefused) {
  char *response = nullptr;
  EXPECT_EQ(htp_api_compile("nonsense", &response), 2);
  EXPECT_NE(std::string(response).find("api.bad-request"), std::string::npos) << response;
  htp_api_free(response);
}

// Bytes that are no text, nothing at all, nowhere to respond to: each call answers, and the caller goes on.
TEST(Api, NoRequestEndsTheCaller) {
  void *handle = nullptr;
  const std::vector<std::pair<const char *, std::function<int(const char *, char **)>>> calls = {
      {"compile", htp_api_compile},
      {"operations", htp_api_operations},
      {"layout", htp_api_layout},
      {"open", [&](const char *request, char **response) { return htp_api_open(request, &handle, response); }},
      {"run",
       [](const char *request, char **response) { return htp_api_run(nullptr, request, nullptr, 0, response); }}};
  for (const auto &[name, call] : calls) {
    for (const char *request : {"\xff\xfe", "[]", "{\"operation\": 3, \"program\": 3, \"package\": 3}", "",
                                static_cast<const char *>(nullptr)}) {
      char *response = nullptr;
      EXPECT_EQ(call(request, &response), 2) << name << " of " << (request ? request : "nothing");
      ASSERT_NE(response, nullptr);
      EXPECT_NE(std::string(response).find("htp/capi.h"), std::string::npos) << response;
      htp_api_free(response);
    }
    EXPECT_EQ(call("{}", nullptr), 2) << name;
  }
}

#if !defined(__SANITIZE_ADDRESS__) // which needs more memory than there is then
TEST(Api, TooLittleMemoryIsAnAnswer) {
  std::string request = "{\"set\": [0";
  for (int i = 0; i < 4'000'000; ++i) request += ",0";
  request += "]}";
  const pid_t child = fork();
  if (child == 0) {
    std::ifstream sizes("/proc/self/statm");
    rlim_t pages = 0;
    sizes >> pages;
    const rlim_t most = pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + (16u << 20);
    const rlimit limit{most, most};
    setrlimit(RLIMIT_AS, &limit);
    char *response = nullptr;
    const int status = htp_api_compile(request.c_str(), &response);
    _exit(status == 3 && response && std::string(response).find("api.failed") != std::string::npos &&
                  std::string(response).find("libhtp could not answer: there is too little memory") != std::string::npos
              ? 0
              : 1);
  }
  int ended = 0;
  ASSERT_EQ(waitpid(child, &ended, 0), child);
  EXPECT_TRUE(WIFEXITED(ended) && WEXITSTATUS(ended) == 0) << ended;
}
#endif

TEST(Python, AModuleThatIsNotThereIsADiagnostic) {
  Diagnostics diagnostics;
  EXPECT_FALSE(call_python("no_such_module", "run", "{}", {}, diagnostics));
  const std::string said = render_text(diagnostics, {});
  EXPECT_TRUE(said.starts_with("error[python.failed]: `no_such_module.run` failed: No module named 'no_such_module'"))
      << said;
}

TEST(Python, AnInterruptTakesNoAnswerAway) {
  Diagnostics diagnostics;
  ASSERT_EQ(call_python("textwrap", "dedent", "  up", {}, diagnostics), "up"); // from now on an interrupt is raised
  const Interpreter interpreter;
  const Object answer(make_text("an answer"));
  PyErr_SetInterruptEx(SIGINT);
  EXPECT_EQ(text_of(answer.get()), "an answer");
  EXPECT_NE(PyErr_CheckSignals(), 0);
  PyErr_Clear();
}

} // namespace
} // namespace htp

// What the host itself says where no command leads to it: tools that hang, states nobody verifies, requests of the C
// API, Python that fails.
#include "host/diag/render.h"
#include "host/pipeline/run.h"
#include "host/python/python.h"

#include <htp/capi.h>

#include <gtest/gtest.h>

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

TEST(Python, AModuleThatIsNotThereIsADiagnostic) {
  Diagnostics diagnostics;
  EXPECT_FALSE(call_python("no_such_module", "run", "{}", {}, diagnostics));
  const std::string said = render_text(diagnostics, {});
  EXPECT_TRUE(said.starts_with("error[python.failed]: `no_such_module.run` failed: No module named 'no_such_module'"))
      << said;
}

} // namespace
} // namespace htp

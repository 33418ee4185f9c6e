// MLIR-AIE's own `aie-opt`, where the user has one: the module is read, verified and taken through its pipeline.
#include "binding/binding.h"

namespace htp::aiesim {

namespace {
struct Step {
  std::string_view version, what, pipeline;
};
constexpr Step steps[] = {
#define PEER(...) {__VA_ARGS__},
#include "binding/peer.def"
};
} // namespace

Result ask_peer(const Context &c, const Package &package) {
  const std::string tool(view(c.host()->environment(c.ctx(), "HTP_AIE_OPT")));
  if (tool.empty()) return HTP_OK;
  const htp_str probe[] = {str("/bin/sh"), str("-c"), str("command -v -- \"$1\" || exit 127; \"$1\" --version"),
                           str("sh"), str(tool)};
  htp_tool_result version{};
  const bool ran = c.host()->run_tool(c.ctx(), probe, 5, {}, {}, &version) == HTP_OK;
  if (!ran || version.exit_status != 0) {
    constexpr int not_executable = 126, not_found = 127; // as a shell says it
    const bool starts = ran && version.exit_status != not_executable && version.exit_status != not_found;
    if (starts)
      c.report(diag::peer_version, HTP_NONE, tool, version.exit_status);
    else
      c.report(diag::no_peer, HTP_NONE, tool);
    return HTP_FAILED;
  }
  // What it has agreed to once is not asked again.
  std::string inputs =
      "htp.aiesim.peer/1\n" + tool + "\n" + std::string(view(version.out)) + package.version + "\n" + package.text;
  for (const Step &s : steps) inputs += std::string(s.pipeline) + "\n";
  const std::string key(view(c.host()->sha256(c.ctx(), str(inputs))));
  htp_str folder{};
  int fresh = 0;
  if (c.host()->cache_folder(c.ctx(), str(key), &folder, &fresh) != HTP_OK) return HTP_FAILED;
  if (!fresh) return HTP_OK;
  const std::string into(view(folder));
  std::string text = package.text;
  for (const Step &s : steps) {
    if (s.version != package.version) continue;
    std::vector<std::string> argv{tool};
    if (!s.pipeline.empty()) argv.push_back("--pass-pipeline=" + std::string(s.pipeline));
    argv.emplace_back("-");
    std::vector<htp_str> arguments;
    for (const std::string &a : argv) arguments.push_back(str(a));
    htp_tool_result done{};
    if (c.host()->run_tool(c.ctx(), arguments.data(), static_cast<uint32_t>(arguments.size()), str(into), str(text),
                           &done) != HTP_OK)
      return HTP_FAILED;
    if (done.exit_status != 0) {
      const std::string errors(view(done.err).substr(0, 2000));
      c.report(diag::peer_refused, user_node(cited_in(package.text, errors)), s.what, done.exit_status)
          .note(errors)
          .hint("the module is written for MLIR-AIE " + package.version +
                ": `mlir_aie` among the options of `aie` chooses another version");
      return HTP_FAILED;
    }
    if (view(done.out).find("aie.device") == std::string_view::npos) {
      c.report(diag::no_peer_answer, HTP_NONE, tool, s.what);
      return HTP_FAILED;
    }
    // The text as it was goes into the pipeline: what parsing alone prints says the same.
    if (!s.pipeline.empty()) text = std::string(view(done.out));
  }
  return c.host()->cache_keep(c.ctx(), str(key));
}

} // namespace htp::aiesim

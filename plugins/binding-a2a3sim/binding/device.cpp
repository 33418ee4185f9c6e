// With the option `device`: what the processors themselves load, built by the package's own recipe with the user's
// tools.
#include "package.h"

#include <nlohmann/json.hpp>

namespace htp::a2a3sim {

namespace {

using nlohmann::json;

constexpr const char *recipe = "build/build.sh";

// The recipe and all that it compiles, by the package's manifest; false after a report.
bool sources(const Context &c, std::vector<std::pair<std::string, std::string>> &files) {
  htp_str text{};
  if (c.host()->read_file(c.ctx(), str("manifest.json"), &text) != HTP_OK) return false;
  const json manifest = json::parse(view(text), nullptr, false);
  for (const json &o : manifest.is_object() ? manifest.value("outputs", json::array()) : json::array()) {
    const std::string path = o.is_object() ? o.value("path", "") : "";
    if (path != recipe && path.rfind("codegen/a2a3/", 0) != 0) continue;
    if (c.host()->read_file(c.ctx(), str(path), &text) != HTP_OK) return false;
    files.emplace_back(path, view(text));
  }
  for (const auto &[path, bytes] : files)
    if (path == recipe) return true;
  c.report(diag::missing_file, HTP_NONE, recipe);
  return false;
}

bool run_shell(const Context &c, const std::string &folder, std::vector<std::string> arguments, std::string_view input,
               htp_tool_result &result) {
  arguments.insert(arguments.begin(), {"/bin/sh", "-c"});
  return run_tool(c, arguments, folder, input, result);
}

} // namespace

Result build_for_device(const Context &c, htp_str *built) {
  Checkouts checkouts;
  std::vector<std::pair<std::string, std::string>> files;
  if (find_checkouts(c, checkouts) != HTP_OK || !sources(c, files)) return HTP_FAILED;
  const std::string contract = checkouts ? checkouts.contract : std::string(c.option("contract"));
  const std::string flavour = checkouts ? checkouts.flavour : std::string(c.option("runtime"));
  std::string inputs = "htp.a2a3.device/1\n" + contract + "\n" + flavour + "\n";
  for (const char *name : {"ASCEND_HOME_PATH", "HTP_PTO_RUNTIME", "HTP_PTO_ISA", "CXX"})
    inputs += std::string(view(c.host()->environment(c.ctx(), name))) + "\n";
  for (const auto &[path, bytes] : files)
    inputs += path + " " + std::string(view(c.host()->sha256(c.ctx(), str(bytes)))) + "\n";
  const std::string key(view(c.host()->sha256(c.ctx(), str(inputs))));
  int fresh = 0;
  if (c.host()->cache_folder(c.ctx(), str(key), built, &fresh) != HTP_OK) return HTP_FAILED;
  if (!fresh) return HTP_OK;
  const std::string folder(view(*built));
  htp_tool_result result{};
  for (const auto &[path, bytes] : files)
    if (!run_shell(c, folder, {"mkdir -p \"package/${1%/*}\" && cat > \"package/$1\"", "sh", path}, bytes, result) ||
        result.exit_status != 0) {
      c.report(diag::unwritable, HTP_NONE, path, folder);
      return HTP_FAILED;
    }
  std::vector<std::string> arguments = {"sh package/build/build.sh \"$@\"", "build.sh", contract};
  arguments.push_back(flavour.empty() ? "tensormap_and_ringbuffer" : flavour);
  arguments.emplace_back(".");
  if (!run_shell(c, folder, arguments, {}, result)) return HTP_FAILED;
  if (result.exit_status != 0) {
    const std::string output(view(result.err));
    constexpr std::string_view own = "build.sh: "; // the recipe's own message, before any tool is called
    if (output.rfind(own, 0) == 0)
      c.report(diag::no_device_tools, HTP_NONE).note(output.substr(own.size(), output.find('\n') - own.size()));
    else
      c.report(diag::device_tool_failed, HTP_NONE, result.exit_status)
          .note(output.substr(output.size() - std::min<size_t>(output.size(), 4000)));
    return HTP_FAILED;
  }
  if (!run_shell(c, folder, {"rm -r package", "sh"}, {}, result)) return HTP_FAILED;
  return c.host()->cache_keep(c.ctx(), str(key));
}

} // namespace htp::a2a3sim

#include "host/base/fs.h"
#include "host/base/signals.h"
#include "host/bind/bind.h"
#include "host/cli/ask.h"

#include <filesystem>

namespace htp {

namespace {

constexpr const char *into_hint = "what was built is cached; give `--into` a folder that may be written";

namespace fs = std::filesystem;

// Moves what is in a folder over what is there; of folders that both have what is in them.
void move_into(const fs::path &from, const fs::path &to, std::error_code &error) {
  for (fs::directory_iterator entry(from, error), end; !error && entry != end; entry.increment(error)) {
    const fs::path target = to / entry->path().filename();
    std::error_code none;
    if (entry->is_directory(none) && fs::is_directory(target, none))
      move_into(entry->path(), target, error);
    else
      fs::rename(entry->path(), target, error);
    if (error) return;
  }
}

// Copies what was built, folders and modes too, over what is there: once all of it could be copied.
void copy_tree(const std::string &from, const std::string &to, Diagnostics &diagnostics) {
  std::error_code error;
  const auto beside = TemporaryFolder::make(".htp", to);
  if (!beside) {
    diagnostics.report(diag::io_unwritable, {}, to, beside.error().reason).hint(into_hint);
    return;
  }
  fs::copy(from, beside->path(), fs::copy_options::recursive, error);
  const SignalsHeld held;
  if (!error) move_into(beside->path(), to, error);
  if (error) diagnostics.report(diag::io_unwritable, {}, to, error.message()).hint(into_hint);
}

} // namespace

int build_command(const Arguments &arguments) {
  Cache cache = Cache::from_environment();
  Diagnostics diagnostics;
  const auto bound = BoundPackage::open(arguments.package, arguments.request, cache, diagnostics);
  const auto built = bound ? bound->build(diagnostics) : std::nullopt;
  if (!built) return finish(arguments, diagnostics);
  std::string folder = *built;
  if (!arguments.into.empty()) {
    folder = arguments.into;
    if (const auto failed = make_folders(folder))
      diagnostics.report(diag::io_unwritable, {}, failed->path, failed->reason).hint(into_hint);
    else
      copy_tree(*built, folder, diagnostics);
  }
  if (diagnostics.errors()) return finish(arguments, diagnostics);
  const nlohmann::ordered_json json{{"folder", folder}};
  return finish(arguments, diagnostics, arguments.quiet ? "" : folder + "\n", json);
}

// Arrays are Python's business: the authoring package reads and writes them with NumPy, and comes back through the C
// API.
int run_command(const Arguments &arguments) {
  Diagnostics diagnostics;
  nlohmann::ordered_json request = arrays_asked(arguments);
  request.update({{"package", arguments.package},
                  {"outputs", arguments.outputs},
                  {"trace", arguments.trace},
                  {"record", arguments.record},
                  {"check", arguments.check}});
  const auto response = ask_python("htp.runner", "run", request, diagnostics);
  if (!response) return finish(arguments, diagnostics);
  return finish(arguments, diagnostics, arguments.quiet ? "" : response->at("text").get<std::string>(),
                response->at("result"));
}

} // namespace htp

#include "host/api/kept.h"

#include "host/base/fs.h"
#include "host/base/hash.h"

#include <unistd.h>

#include <list>
#include <mutex>

namespace htp::api {

namespace {

std::optional<IoError> copy_tree(const std::string &from, const std::string &to) {
  const auto files = list_tree(from);
  if (!files) return files.error();
  for (const FolderEntry &file : *files) {
    const std::string path = join_path(to, file.name);
    if (file.kind != FolderEntry::Kind::file) continue;
    if (auto failed = make_folders(path.substr(0, path.rfind('/')))) return failed;
    auto bytes = read_file(join_path(from, file.name));
    if (!bytes) return bytes.error();
    if (auto failed = write_file(path, *bytes)) return failed;
  }
  return std::nullopt;
}

// Folders that are no part of a cache stay until the process ends: packages are opened and run there. A copy of the
// process that ends removes nothing.
void hold(Cache cache) {
  struct Held {
    const pid_t owner = ::getpid();
    std::list<Cache> *const caches = new std::list<Cache>;
    ~Held() {
      if (::getpid() == owner) delete caches;
    }
  };
  static std::mutex guard;
  static const Held held;
  const std::lock_guard lock(guard);
  held.caches->push_back(std::move(cache));
}

} // namespace

CompileOutcome compile_kept(CompileRequest request, Cache cache, Diagnostics &diagnostics) {
  const auto unwritable = [&](const IoError &error) {
    diagnostics.report(diag::io_unwritable, {}, error.path, error.reason);
    CompileOutcome outcome;
    outcome.status = CompileOutcome::Status::failed;
    return outcome;
  };
  auto made = TemporaryFolder::make("htp-package");
  if (!made) return unwritable(made.error());
  std::string name = request.program.substr(request.program.rfind('/') + 1);
  if (name.ends_with(".py")) name.resize(name.size() - 3);
  name += name.empty() ? "package.htp" : ".htp";
  request.out = join_path(made->path(), name);
  CompileOutcome outcome = compile(request, cache, diagnostics);
  if (outcome.status != CompileOutcome::Status::done) return outcome;
  const auto sources = read_file(join_path(outcome.package, "logs/sources.json"));
  const std::string key =
      sha256("htp.package/1\n" + outcome.digest + "\n" + name + "\n" + (sources ? *sources : std::string()));
  const auto folder = cache.folder(key);
  if (!folder) return unwritable({temporary_place(), "no folder can be made there"});
  const std::string at = join_path(folder->path, name);
  if (folder->fresh) {
    if (const auto failed = copy_tree(outcome.package, at)) return unwritable(*failed);
    cache.keep(key);
  }
  outcome.package = at;
  if (cache.path().empty() || !at.starts_with(cache.path() + "/")) hold(std::move(cache));
  return outcome;
}

} // namespace htp::api

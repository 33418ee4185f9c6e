#include "host/trust/trust_file.h"

#include "host/base/environment.h"
#include "host/base/fs.h"
#include "host/load/access.h"

namespace htp {

std::string user_trust_file() {
  if (const char *file = environment("HTP_TRUST")) return file;
  if (const char *config = environment("XDG_CONFIG_HOME"); config && *config == '/')
    return join_path(config, "htp/trust.yaml");
  if (const char *home = environment("HOME"); home && *home == '/') return join_path(home, ".config/htp/trust.yaml");
  return "";
}

bool read_trust_file(const std::string &path, std::optional<TrustFile> &file, Diagnostics &diagnostics) {
  if (path.empty() || !exists(path)) return true;
  if (!check_access(path, {}, diagnostics)) return false;
  auto text = read_file(path, 1u << 20);
  if (!text) {
    diagnostics.report(diag::io_unreadable, {}, text.error().path, text.error().reason);
    return false;
  }
  auto policy = read_policy(std::make_shared<SourceFile>(path, *text), diagnostics);
  if (!policy) return false;
  file = TrustFile{path, std::move(*text), std::move(*policy)};
  return true;
}

bool write_trust_file(const std::string &path, const Policy &policy, Diagnostics &diagnostics) {
  const size_t slash = path.rfind('/');
  auto failed = slash == std::string::npos ? std::nullopt : make_folders(path.substr(0, slash));
  if (!failed) failed = write_file_atomic(path, policy_text(policy));
  if (failed) diagnostics.report(diag::io_unwritable, {}, failed->path, failed->reason);
  return !failed;
}

} // namespace htp

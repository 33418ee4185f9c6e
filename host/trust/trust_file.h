// host/trust/trust_file.h — the files that say who is trusted.
#pragma once

#include "host/manifest/manifest.h"

#include <optional>
#include <string>

namespace htp {

// The user's: $HTP_TRUST, else $XDG_CONFIG_HOME/htp/trust.yaml, else ~/.config/htp/trust.yaml; empty in a process that
// may do what its user may not, whose user has no say.
std::string user_trust_file();
inline constexpr const char *system_trust_file = "/etc/htp/trust.yaml";

// What a file says; empty when there is none. False after a report: it cannot be read, is not of its form, or can be
// changed by others.
struct TrustFile {
  std::string path, text;
  Policy policy;
};
bool read_trust_file(const std::string &path, std::optional<TrustFile> &file, Diagnostics &diagnostics);
// Writes the user's. False after a report.
bool write_trust_file(const std::string &path, const Policy &policy, Diagnostics &diagnostics);

} // namespace htp

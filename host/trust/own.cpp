#include "host/trust/own.h"

#include "host/base/fs.h"
#include "host/load/identity.h"

#include <algorithm>

namespace htp {

const std::string &own_build_path() {
  static const std::string path = [] {
    const std::string &file = own_file();
    const size_t within = file.rfind('/');
    if (within == std::string::npos || within == 0) return std::string();
    const std::string prefix = file.substr(0, file.rfind('/', within - 1)); // of PREFIX/bin, PREFIX/lib, PREFIX/lib/htp
    for (const char *place : {"/lib/htp/own-plugins", "/htp/own-plugins"})
      if (exists(prefix + place)) return prefix + place;
    return std::string();
  }();
  return path;
}

OwnBuild read_own_build(std::string_view text) {
  OwnBuild own;
  Statement *plugin = nullptr;
  for (size_t at = 0, end; at < text.size(); at = end + 1) {
    end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    if (line.starts_with("plugin ")) {
      line.remove_prefix(7);
      const size_t space = std::min(line.find(' '), line.size());
      plugin = &own.plugins[std::string(line.substr(0, space))];
      *plugin = {};
      plugin->id = line.substr(0, space);
      plugin->version = line.substr(std::min(space + 1, line.size()));
    } else if (line.starts_with("name ")) {
      own.names.emplace(line.substr(5));
    } else if (auto file = file_of(line); file && plugin) {
      plugin->files.push_back(std::move(*file));
    }
  }
  for (auto &[id, one] : own.plugins) std::ranges::sort(one.files, {}, &SignedFile::path);
  return own;
}

} // namespace htp

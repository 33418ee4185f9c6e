#include "host/load/access.h"

#include <unistd.h>

namespace htp {

bool others_can_write(const struct stat &file) {
  if (!(file.st_mode & S_IWOTH)) return false;
  const bool keeps = S_ISDIR(file.st_mode) && (file.st_mode & S_ISVTX);
  return !keeps || (file.st_uid != ::geteuid() && file.st_uid != 0);
}

bool others_can_write(const std::string &path) {
  struct stat file {};
  return ::stat(path.c_str(), &file) == 0 && others_can_write(file);
}

void report_others_can_write(const std::string &path, Span span, Diagnostics &diagnostics) {
  diagnostics.report(diag::load_writable_by_others, std::move(span), path)
      .hint("take the permission away: `chmod o-w " + path + "`");
}

} // namespace htp

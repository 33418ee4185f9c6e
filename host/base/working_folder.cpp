#include "host/base/working_folder.h"

#include "host/base/confined.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace htp {

namespace {

int kept = -1;
struct stat kept_status {};

} // namespace

bool keep_working_folder() {
  kept = ::open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
  return kept >= 0 && ::fstat(kept, &kept_status) == 0 && kept_status.st_nlink > 0;
}

bool return_to_working_folder() {
  if (kept < 0 || confined()) return false; // what is confined works for itself, and has no folder open
  struct stat now {};
  if (::stat(".", &now) == 0 && now.st_dev == kept_status.st_dev && now.st_ino == kept_status.st_ino) return false;
  return ::fchdir(kept) == 0;
}

} // namespace htp

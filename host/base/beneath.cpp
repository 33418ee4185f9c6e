#include "host/base/beneath.h"

#include "host/base/fs.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>

namespace htp {

Fd open_beneath(const std::string &folder, const std::string &path, Links links) {
  if (!is_beneath(path)) return errno = EXDEV, Fd();
  Fd at(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!at) return Fd();
  constexpr int flags = O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK; // a pipe without a writer must not hang us
  open_how how{};
  how.flags = static_cast<unsigned>(flags);
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS | (links == Links::none ? RESOLVE_NO_SYMLINKS : 0u);
  Fd fd(static_cast<int>(::syscall(SYS_openat2, at.get(), path.c_str(), &how, sizeof how)));
  if (fd || (errno != ENOSYS && errno != EPERM)) return fd;
  // A kernel or a sandbox without openat2: the same question, asked of resolved paths.
  char root[PATH_MAX], file[PATH_MAX];
  if (!::realpath(folder.c_str(), root) || !::realpath(join_path(folder, path).c_str(), file)) return Fd();
  if (!std::string_view(file).starts_with(std::string(root) + "/")) return errno = EXDEV, Fd();
  if (links == Links::none && file != join_path(root, path)) return errno = ELOOP, Fd();
  return Fd(::open(file, flags | O_NOFOLLOW));
}

Expected<std::string, IoError> read_beneath(const std::string &folder, const std::string &path) {
  const Fd fd = open_beneath(folder, path, Links::inside);
  if (fd) return read_all(fd, path);
  return Unexpected{IoError{path, errno == EXDEV ? "it leads out of `" + folder + "`" : std::strerror(errno)}};
}

} // namespace htp

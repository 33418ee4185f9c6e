// The same answers without openat2, as on an older kernel or in a sandbox that forbids it.
#include "host/base/beneath.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

namespace htp {
namespace {

bool forbid_openat2() {
  sock_filter rules[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat2, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog program{std::size(rules), rules};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

// In a child, since a filter stays: which of these was wrong, or 0.
int wrong(const std::string &folder) {
  if (!forbid_openat2()) return 100;
  if (::syscall(SYS_openat2, AT_FDCWD, "/", nullptr, 0) != -1 || errno != ENOSYS) return 101;
  const auto opens = [&](const char *path, Links links) {
    return static_cast<bool>(open_beneath(folder, path, links));
  };
  const auto refuses = [&](const char *path, Links links, int with) { return !opens(path, links) && errno == with; };
  if (!opens("file", Links::none)) return 1;
  if (!opens("link", Links::inside)) return 2;
  if (!refuses("link", Links::none, ELOOP)) return 3;
  if (!refuses("out", Links::inside, EXDEV)) return 4;
  if (!refuses("folder_out/secret", Links::inside, EXDEV)) return 5;
  if (!refuses("../secret", Links::inside, EXDEV)) return 6;
  if (!refuses("none", Links::inside, ENOENT)) return 7;
  return 0;
}

TEST(Beneath, HoldsWithoutOpenat2) {
  const auto place = TemporaryFolder::make();
  const std::string folder = place->path() + "/in";
  ASSERT_FALSE(make_folders(folder));
  ASSERT_FALSE(write_file(folder + "/file", "text"));
  ASSERT_FALSE(write_file(place->path() + "/secret", "text"));
  ASSERT_EQ(::symlink("file", (folder + "/link").c_str()), 0);
  ASSERT_EQ(::symlink("../secret", (folder + "/out").c_str()), 0);
  ASSERT_EQ(::symlink("..", (folder + "/folder_out").c_str()), 0);
  const pid_t child = ::fork();
  if (child == 0) ::_exit(wrong(folder));
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 100) GTEST_SKIP() << "no filters here";
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

} // namespace
} // namespace htp

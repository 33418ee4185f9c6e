// Law 9: a compile killed at any instant leaves the old package or the new one, never a mixture. The process is ended
// at each call that touches the disk, and at moments no one chose.
#include "tests/package/sample.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdlib>

namespace {
long calls_left = -1;          // -1: no end
bool exchange_missing = false; // as on a file system that cannot

void count() {
  if (calls_left > 0 && --calls_left == 0) ::kill(::getpid(), SIGKILL);
}
} // namespace

// The linker sends the calls here (--wrap).
extern "C" {
int __real_open(const char *path, int flags, ...);
int __real_mkdir(const char *path, mode_t mode);
ssize_t __real_write(int fd, const void *bytes, size_t size);
int __real_rename(const char *from, const char *to);
int __real_renameat2(int from_at, const char *from, int to_at, const char *to, unsigned flags);
int __real_unlink(const char *path);
int __real_unlinkat(int at, const char *path, int flags);
int __real_flock(int fd, int operation);
int __real_close(int fd);

int __wrap_open(const char *path, int flags, ...);
int __wrap_mkdir(const char *path, mode_t mode);
ssize_t __wrap_write(int fd, const void *bytes, size_t size);
int __wrap_rename(const char *from, const char *to);
int __wrap_renameat2(int from_at, const char *from, int to_at, const char *to, unsigned flags);
int __wrap_unlink(const char *path);
int __wrap_unlinkat(int at, const char *path, int flags);
int __wrap_flock(int fd, int operation);
int __wrap_close(int fd);

int __wrap_open(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const unsigned mode = va_arg(rest, unsigned);
  va_end(rest);
  count();
  return __real_open(path, flags, mode);
}
int __wrap_mkdir(const char *path, mode_t mode) { return count(), __real_mkdir(path, mode); }
ssize_t __wrap_write(int fd, const void *bytes, size_t size) {
  count();
  // A write may stop anywhere: half of it first.
  if (calls_left > 0 && size > 1) {
    const ssize_t half = __real_write(fd, bytes, size / 2);
    count();
    return half;
  }
  return __real_write(fd, bytes, size);
}
int __wrap_rename(const char *from, const char *to) { return count(), __real_rename(from, to); }
int __wrap_renameat2(int from_at, const char *from, int to_at, const char *to, unsigned flags) {
  count();
  if (exchange_missing) return errno = EINVAL, -1;
  return __real_renameat2(from_at, from, to_at, to, flags);
}
int __wrap_unlink(const char *path) { return count(), __real_unlink(path); }
int __wrap_unlinkat(int at, const char *path, int flags) { return count(), __real_unlinkat(at, path, flags); }
int __wrap_flock(int fd, int operation) { return count(), __real_flock(fd, operation); }
int __wrap_close(int fd) { return count(), __real_close(fd); }
}

namespace htp {
namespace {

class Kill : public PackageTest {
protected:
  // Publishes in a child that is killed at its k-th call, or after a while; true when it came to its end.
  bool publish_in_child(long k, useconds_t delay = 0) {
    const pid_t child = ::fork();
    if (child == 0) {
      calls_left = k;
      Diagnostics diagnostics;
      const bool ok = write_package(draft("new"), out(), diagnostics).has_value();
      ::_exit(ok ? 0 : 1);
    }
    if (delay) {
      ::usleep(delay);
      ::kill(child, SIGKILL);
    }
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    EXPECT_TRUE((WIFEXITED(status) && WEXITSTATUS(status) == 0) || (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL))
        << status;
    return WIFEXITED(status);
  }
  // What stands at OUT: whole, whichever it is.
  std::string standing() {
    if (!exists(out())) return "nothing";
    const auto package = read();
    EXPECT_TRUE(package) << said();
    EXPECT_EQ(said(), "");
    if (!package) return "a mixture";
    const std::string &kernel = *package->file("codegen/cpu/kernel.c"),
                      &program = *package->file("ir/stages/00-source/program.py");
    if (kernel == "/* new */\n" && program == "import htp  # new\n") return "new";
    if (kernel == "/* old */\n" && program == "import htp  # old\n") return "old";
    return "a mixture";
  }
  // The next compile works, and clears up.
  void expect_recovery() {
    EXPECT_TRUE(publish(draft("next"))) << said();
    EXPECT_EQ(names(), std::vector<std::string>{"out put"});
  }
};

TEST_F(Kill, AtEachCallTheOldPackageOrTheNewOneStands) {
  ASSERT_TRUE(publish(draft("old")));
  int olds = 0, news = 0;
  for (long k = 1;; ++k) {
    ASSERT_LT(k, 5000);
    const bool finished = publish_in_child(k);
    const std::string found = standing();
    ASSERT_TRUE(found == "old" || found == "new") << found << " at call " << k;
    ++(found == "old" ? olds : news);
    if (finished) break;
    expect_recovery();
    ASSERT_TRUE(publish(draft("old")));
  }
  EXPECT_GT(olds, 20); // it was killed on both sides of the one step
  EXPECT_GT(news, 5);
}

TEST_F(Kill, AtEachCallOfAFirstCompileNothingOrAllStands) {
  int nothings = 0, news = 0;
  for (long k = 1;; ++k) {
    ASSERT_LT(k, 5000);
    const bool finished = publish_in_child(k);
    const std::string found = standing();
    ASSERT_TRUE(found == "nothing" || found == "new") << found << " at call " << k;
    ++(found == "new" ? news : nothings);
    if (finished) break;
    expect_recovery();
    ASSERT_FALSE(remove_tree(out()));
  }
  EXPECT_GT(nothings, 20);
  EXPECT_GT(news, 0);
}

// Without an exchange there is a moment with nothing at OUT, but never half of a package.
TEST_F(Kill, WithoutExchangeNoMixtureEither) {
  exchange_missing = true;
  ASSERT_TRUE(publish(draft("old")));
  for (long k = 1;; ++k) {
    ASSERT_LT(k, 5000);
    const bool finished = publish_in_child(k);
    const std::string found = standing();
    ASSERT_TRUE(found == "old" || found == "new" || found == "nothing") << found << " at call " << k;
    if (finished) {
      EXPECT_EQ(found, "new");
      break;
    }
    expect_recovery();
    ASSERT_TRUE(publish(draft("old")));
  }
  exchange_missing = false;
}

TEST_F(Kill, AtAnyMoment) {
  ASSERT_TRUE(publish(draft("old")));
  for (useconds_t delay = 1; delay < 6000; delay += 60) {
    publish_in_child(-1, delay);
    const std::string found = standing();
    ASSERT_TRUE(found == "old" || found == "new") << found << " after " << delay << " us";
    expect_recovery();
    ASSERT_TRUE(publish(draft("old")));
  }
}

} // namespace
} // namespace htp

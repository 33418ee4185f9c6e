// Law 9: a compile killed at any instant leaves the old package or the new one, never a mixture. The process is ended
// at each call that touches the disk, and at moments no one chose.
#include "tests/package/sample.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <map>

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
  // The old package, another one each time. It is also the compile after a kill: it works, and clears up.
  void publish_old() {
    old_ = "old " + std::to_string(++generation_);
    EXPECT_TRUE(publish(draft(old_))) << said();
    EXPECT_EQ(names(), std::vector<std::string>{"out put"});
  }

  // Publishes the new one in a child that is killed at its k-th call, or after a while; true when it came to its end.
  bool publish_new_in_child(long k, useconds_t delay = 0) {
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
    const auto is = [&](const std::string &which) {
      return kernel == "/* " + which + " */\n" && program == "import htp  # " + which + "\n";
    };
    return is("new") ? "new" : is(old_) ? "old" : "a mixture";
  }

  // Kills at each call in turn; how often what stood afterwards.
  template <class Prepare> std::map<std::string, int> kill_at_each_call(Prepare prepare) {
    std::map<std::string, int> found;
    for (long k = 1; k < 5000; ++k) {
      prepare();
      const bool finished = publish_new_in_child(k);
      const std::string now = standing();
      EXPECT_NE(now, "a mixture") << "at call " << k;
      ++found[now];
      if (!finished) continue;
      EXPECT_EQ(now, "new");
      return found;
    }
    ADD_FAILURE() << "it never ends";
    return found;
  }

private:
  std::string old_;
  int generation_ = 0;
};

TEST_F(Kill, AtEachCallTheOldPackageOrTheNewOneStands) {
  auto found = kill_at_each_call([&] { publish_old(); });
  EXPECT_GT(found["old"], 20); // it was killed on both sides of the one step
  EXPECT_GT(found["new"], 5);
  EXPECT_EQ(found["nothing"], 0);
}

TEST_F(Kill, AtEachCallOfAFirstCompileNothingOrAllStands) {
  auto found = kill_at_each_call([&] { EXPECT_FALSE(remove_tree(out())); });
  EXPECT_GT(found["nothing"], 20);
  EXPECT_GT(found["new"], 0);
  EXPECT_EQ(found["old"], 0);
  publish_old();
}

// Without an exchange there is a moment with nothing at OUT, but never half of a package.
TEST_F(Kill, WithoutExchangeNoMixtureEither) {
  exchange_missing = true;
  auto found = kill_at_each_call([&] { publish_old(); });
  exchange_missing = false;
  EXPECT_GT(found["old"], 20);
  EXPECT_EQ(found["nothing"], 1);
  EXPECT_GT(found["new"], 5);
}

TEST_F(Kill, AtAnyMoment) {
  for (useconds_t delay = 1; delay < 5000; delay += 100) {
    publish_old();
    publish_new_in_child(-1, delay);
    const std::string found = standing();
    EXPECT_TRUE(found == "old" || found == "new") << found << " after " << delay << " us";
  }
  publish_old();
}

} // namespace
} // namespace htp

// What leaves the process when a plugin is no longer used, and that what is said of it is true.
#include "host/base/hash.h"
#include "htp/htp.h"
#include "tests/load/elf_edit.h"
#include "tests/load/fixture.h"

#include <dlfcn.h>

#include <filesystem>
#include <thread>

namespace htp {
namespace {

LoadOptions from(LoadOptions::From from) {
  LoadOptions options;
  options.from = from;
  options.probe_timeout = std::chrono::minutes(1);
  return options;
}
const auto memory = LoadOptions::From::memory, path = LoadOptions::From::path;

bool is_mapped(const void *address) {
  Dl_info info;
  return ::dladdr(address, &info) != 0;
}

// A load forks. AddressSanitizer (gcc 12) takes locks where a thread begins and ends, and a process that is forked just
// then waits for them for ever.
void wait_for_threads() {
  const auto threads = [] {
    return std::distance(std::filesystem::directory_iterator("/proc/self/task"), std::filesystem::directory_iterator());
  };
  while (threads() > 1) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

void run_pass(const LoadedPlugin &plugin) {
  htp_node out = 0;
  const auto *pass = static_cast<const htp_pass *>(plugin.interface(UnitKind::pass, "test.pass"));
  ASSERT_NE(pass, nullptr);
  EXPECT_EQ(pass->run(nullptr, nullptr, 7, &out), HTP_OK);
  EXPECT_EQ(out, 7u);
}

class Unload : public testing::Test {
protected:
  void copy(const std::string &name) {
    for (const char *file : {"htp-plugin.yaml", "libfixture.so"})
      ASSERT_FALSE(write_file(at(file), *read_file(fixture_folder(name) + "/" + file)));
  }
  // The next version of the plugin, in the same place.
  void update(const std::string &name) {
    ElfEdit edit(*read_file(at("libfixture.so")));
    edit.replace("1.0.0", "1.1.0");
    ASSERT_FALSE(write_file_atomic(at("libfixture.so"), edit.bytes()));
    std::string manifest = *read_file(fixture_folder(name) + "/htp-plugin.yaml");
    manifest.replace(manifest.find("1.0.0"), 5, "1.1.0");
    ASSERT_FALSE(write_file(at("htp-plugin.yaml"), manifest));
  }
  std::string at(const std::string &file) const { return folder_->path() + "/" + file; }
  Manifest manifest() const { return manifest_in(folder_->path()); }

private:
  Expected<TemporaryFolder, IoError> folder_ = TemporaryFolder::make();
};

TEST_F(Unload, WhatLeavesNothingBehindIsGoneAndCanBeLoadedAnew) {
  for (const auto way : {memory, path}) {
    copy("ok");
    const Manifest old = manifest();
    Diagnostics diagnostics;
    auto plugins = load(old, from(way), diagnostics);
    ASSERT_EQ(plugins.size(), 1u) << text(diagnostics);
    const void *const inside = plugins[0].entry();
    EXPECT_TRUE(is_mapped(inside));
    const Unloaded result = unload(std::move(plugins[0]), diagnostics);
    EXPECT_TRUE(result.gone);
    EXPECT_TRUE(result.why.empty());
    EXPECT_FALSE(is_mapped(inside));
    update("ok");
    const Manifest updated = manifest();
    const auto again = load(updated, from(way), diagnostics);
    ASSERT_EQ(again.size(), 1u) << text(diagnostics);
    EXPECT_STREQ(again[0].entry()->version, "1.1.0");
    run_pass(again[0]);
    EXPECT_EQ(text(diagnostics), "");
  }
}

struct Stays {
  const char *fixture;
  std::string why;
};
const Stays stays[] = {{"starts_thread", "it can start threads"},
                       {"thread_local", "it has thread-local objects with destructors"},
                       {"unique", "of `_ZN7fixture6SharedIiE5valueE` a process has one (STB_GNU_UNIQUE)"}};

TEST_F(Unload, WhatMayLeaveSomethingBehindStaysAndIsSaidTo) {
  for (const Stays &one : stays) {
    copy(one.fixture);
    const Manifest old = manifest();
    Diagnostics diagnostics;
    auto plugins = load(old, from(memory), diagnostics);
    ASSERT_EQ(plugins.size(), 1u) << text(diagnostics);
    const void *const inside = plugins[0].entry();
    std::thread(run_pass, std::cref(plugins[0])).join(); // its destructors of thread-local objects run here
    run_pass(plugins[0]);                                // and these at the end of the test
    const Unloaded result = unload(std::move(plugins[0]), diagnostics);
    EXPECT_FALSE(result.gone);
    EXPECT_EQ(result.why, std::vector{one.why});
    EXPECT_TRUE(is_mapped(inside));
    EXPECT_EQ(text(diagnostics),
              "5 load.stays-mapped: `libfixture.so` stays mapped until the process ends: " + one.why + "\n");
    wait_for_threads();
    // Beside it the next version is a library of its own.
    update(one.fixture);
    const Manifest updated = manifest();
    const auto again = load(updated, from(memory), diagnostics);
    ASSERT_EQ(again.size(), 1u) << text(diagnostics);
    EXPECT_NE(again[0].entry(), inside);
    EXPECT_STREQ(again[0].entry()->version, "1.1.0");
    run_pass(again[0]);
    wait_for_threads();
  }
}

TEST_F(Unload, AnOldVersionThatStaysIsNotTakenForTheNew) {
  copy("starts_thread");
  const Manifest old = manifest();
  Diagnostics diagnostics;
  EXPECT_EQ(load(old, from(path), diagnostics).size(), 1u); // and gone again, but for its library
  EXPECT_EQ(load(old, from(path), diagnostics).size(), 1u); // the same bytes are the same library
  EXPECT_EQ(text(diagnostics), "");
  update("starts_thread");
  const Manifest updated = manifest();
  EXPECT_TRUE(load(updated, from(path), diagnostics).empty());
  EXPECT_EQ(text(diagnostics),
            "5 load.old-stays: `libfixture.so` was opened before with other bytes, which stay mapped\n"
            "  hint: start the program again, or take `HTP_LOAD=path` away\n");
  EXPECT_EQ(load(updated, from(memory), diagnostics).size(), 1u);
}

TEST_F(Unload, WhatIsUsedElsewhereStays) {
  copy("ok");
  const Manifest manifest = this->manifest();
  Diagnostics diagnostics;
  auto plugins = load(manifest, from(path), diagnostics);
  ASSERT_EQ(plugins.size(), 1u);
  void *const another = ::dlopen(at("libfixture.so").c_str(), RTLD_NOW | RTLD_NOLOAD);
  ASSERT_NE(another, nullptr);
  EXPECT_EQ(unload(std::move(plugins[0]), diagnostics).why,
            std::vector<std::string>{"something else in this process uses it"});
  ::dlclose(another);
}

} // namespace
} // namespace htp

// A plugin that fits: what it offers, whose bytes run, what is remembered.
#include "tests/load/elf_edit.h"
#include "tests/load/fixture.h"

#include "host/base/cache.h"
#include "host/base/hash.h"
#include "host/load/loader.h"
#include "htp/htp.h"

#include <elf.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>

namespace htp {
namespace {

LoadOptions from(LoadOptions::From from, Cache *cache = nullptr) {
  LoadOptions options;
  options.from = from;
  options.probe_timeout = std::chrono::minutes(1);
  options.cache = cache;
  return options;
}
const auto memory = LoadOptions::From::memory, path = LoadOptions::From::path;

TEST(Load, GivesTheUnitsOfAPlugin) {
  const Manifest manifest = fixture("ok");
  for (const auto way : {memory, path}) {
    Diagnostics diagnostics;
    const auto plugins = load(manifest, from(way), diagnostics);
    EXPECT_EQ(text(diagnostics), "");
    ASSERT_EQ(plugins.size(), 1u);
    const LoadedPlugin &plugin = plugins[0];
    EXPECT_EQ(&plugin.manifest(), &manifest);
    EXPECT_STREQ(plugin.entry()->id, "test.ok");
    EXPECT_EQ(plugin.library_sha256(), sha256(*read_file(fixture_folder("ok") + "/libfixture.so")));
    EXPECT_EQ(plugin.manifest_sha256(), sha256(*read_file(fixture_folder("ok") + "/htp-plugin.yaml")));
    const auto *pass = static_cast<const htp_pass *>(plugin.interface(UnitKind::pass, "test.pass"));
    ASSERT_NE(pass, nullptr);
    htp_node out = 0;
    EXPECT_EQ(pass->run(nullptr, nullptr, 7, &out), HTP_OK);
    EXPECT_EQ(out, 7u);
    EXPECT_EQ(plugin.interface(UnitKind::pass, "test.none"), nullptr);
    EXPECT_EQ(plugin.interface(UnitKind::verifier, "test.pass"), nullptr);
  }
}

TEST(Load, TakesAPluginOfDataOnly) {
  Manifest manifest = fixture("ok");
  manifest.library.value.clear();
  manifest.units[0].kind = UnitKind::pipeline;
  Diagnostics diagnostics;
  const auto plugins = load(manifest, from(memory), diagnostics);
  EXPECT_EQ(text(diagnostics), "");
  ASSERT_EQ(plugins.size(), 1u);
  EXPECT_EQ(plugins[0].entry(), nullptr);
  EXPECT_EQ(plugins[0].library_sha256(), "");
}

TEST(Load, RefusesAPassWithoutALibrary) {
  Manifest manifest = fixture("ok");
  manifest.library.value.clear();
  Diagnostics diagnostics;
  EXPECT_TRUE(load(manifest, from(memory), diagnostics).empty());
  EXPECT_EQ(text(diagnostics), "9 load.missing-unit: plugin `test.ok` has no library, so it has no pass `test.pass`\n"
                               "  hint: name its `library:`; a pass, an analysis or a verifier in Python says `code: "
                               "module:function`\n");
}

TEST(Load, FindsALibraryBesideThePlugin) {
  const Manifest manifest = fixture("beside_itself");
  Diagnostics diagnostics;
  EXPECT_EQ(load(manifest, from(memory), diagnostics).size(), 1u);
  EXPECT_EQ(text(diagnostics), "");
}

TEST(Load, TwoOfOneAreTwo) {
  const Manifest manifest = fixture("ok");
  Diagnostics diagnostics;
  auto first = load(manifest, from(memory), diagnostics);
  const auto second = load(manifest, from(memory), diagnostics);
  EXPECT_NE(first[0].entry(), second[0].entry());
  first.clear();
  EXPECT_STREQ(second[0].entry()->id, "test.ok");
}

// A plugin's folder made for one test, so that it can be changed.
class Copied : public testing::Test {
protected:
  void copy(const std::string &name) {
    for (const char *file : {"htp-plugin.yaml", "libfixture.so"})
      ASSERT_FALSE(write_file(folder() + "/" + file, *read_file(fixture_folder(name) + "/" + file)));
  }
  const std::string &folder() const { return folder_->path(); }
  std::string library() const { return folder() + "/libfixture.so"; }

private:
  Expected<TemporaryFolder, IoError> folder_ = TemporaryFolder::make();
};

TEST_F(Copied, TheBytesThatWereCheckedAreTheBytesThatRun) {
  copy("rewrites_itself");
  const Manifest manifest = manifest_in(folder());
  ::setenv("FIXTURE_REWRITE", library().c_str(), 1); // overwritten in the probe: after the check, before we open it
  Diagnostics diagnostics;
  const auto plugins = load(manifest, from(memory), diagnostics);
  ::unsetenv("FIXTURE_REWRITE");
  EXPECT_EQ(*read_file(library()), "other bytes\n");
  EXPECT_EQ(text(diagnostics), "");
  ASSERT_EQ(plugins.size(), 1u);
  EXPECT_STREQ(plugins[0].entry()->id, "test.rewrites_itself");
}

TEST_F(Copied, ByPathAChangeInBetweenIsSeen) {
  copy("rewrites_itself");
  const Manifest manifest = manifest_in(folder());
  ::setenv("FIXTURE_REWRITE", library().c_str(), 1);
  Diagnostics diagnostics;
  const auto plugins = load(manifest, from(path), diagnostics);
  ::unsetenv("FIXTURE_REWRITE");
  EXPECT_TRUE(plugins.empty());
  EXPECT_EQ(text(diagnostics), "5 load.changed: `libfixture.so` was changed while it was being loaded\n"
                               "  hint: load it again once it is finished\n");
}

// What the note says is compared before anything of the library runs, in the child either.
TEST_F(Copied, WhoTheNoteSaysItIsComesFirst) {
  copy("counts_loads");
  const Manifest manifest = manifest_in(folder());
  const std::string good = *read_file(library());
  const std::string count = folder() + "/count";
  ::setenv("FIXTURE_COUNT", count.c_str(), 1);
  const auto said = [&](const std::string &old, const std::string &changed) {
    ElfEdit edit(good);
    edit.replace(old, changed);
    EXPECT_FALSE(write_file(library(), edit.bytes()));
    Diagnostics diagnostics;
    EXPECT_TRUE(load(manifest, from(memory), diagnostics).empty());
    return text(diagnostics);
  };
  using namespace std::string_literals;
  EXPECT_EQ(
      said("test.counts_loads\0001.0.0\0"s, "test.counts_loves\0001.1.0\0"s),
      "3 load.id-mismatch: the plugin's id is `test.counts_loads` in the manifest and `test.counts_loves` in the "
      "library\n"
      "4 load.id-mismatch: the version of plugin `test.counts_loads` is `1.0.0` in the manifest and `1.1.0` in the "
      "library\n");
  static_assert(HTP_ABI_MAJOR == 1 && HTP_ABI_MINOR == 1, "the note's bytes below are of this version");
  EXPECT_EQ(said("HTP\0\1\0\0\0"s, "HTP\0\2\0\0\0"s),
            "5 load.bad-abi: plugin `test.counts_loads` speaks ABI 2.1, this host speaks ABI 1.1\n"
            "  hint: use a newer htp-host, or build the plugin with this host's SDK\n");
  EXPECT_EQ(said("HTP\0\1\0\0\0\1"s, "HTP\0\1\0\0\0\2"s).substr(0, 77),
            "5 load.bad-abi: plugin `test.counts_loads` speaks ABI 1.2, this host speaks A");
  EXPECT_EQ(
      said("HTP\0\1\0\0\0\1\0\0\0"s + good.substr(good.find("HTP\0\1"s) + 12, 1), "HTP\0\1\0\0\0\1\0\0\0"s + "\x55")
          .substr(0, 80),
      "5 load.wrong-layout: plugin `test.counts_loads` was built with other struct layo");
  EXPECT_EQ(
      said("\0001.0.0\0\0"s, "\0001.0.0xx"s).substr(0, 105),
      "5 load.no-note: `libfixture.so` does not say which plugin it is\n  note: it has a note that cannot be read");
  EXPECT_EQ(said("HTP\0"s, "HTQ\0"s).substr(0, 64),
            "5 load.no-note: `libfixture.so` does not say which plugin it is\n");
  ::unsetenv("FIXTURE_COUNT");
  EXPECT_FALSE(exists(count));
}

// The entry is asked all the same: a note is only what someone wrote.
TEST_F(Copied, AnEntryThatIsNotItsNotesIsRefused) {
  for (const auto &[name, code] : {std::pair{"wrong_id", "load.id-mismatch"},
                                   {"old_abi", "load.bad-abi"},
                                   {"newer_abi", "load.bad-abi"},
                                   {"wrong_layout", "load.wrong-layout"}}) {
    copy(name);
    ElfEdit edit(*read_file(library()));
    edit.note(std::string("test.") + name, "1.0.0");
    ASSERT_FALSE(write_file(library(), edit.bytes()));
    Diagnostics diagnostics;
    const Manifest manifest = manifest_in(folder());
    const Manifest *const one[] = {&manifest};
    const auto results = PluginLoader::run(one, from(memory), diagnostics);
    EXPECT_EQ(results[0].failed, name == std::string("wrong_id") ? LoadStep::identity : LoadStep::abi);
    ASSERT_FALSE(diagnostics.empty());
    EXPECT_EQ(diagnostics.list()[0].code, code);
  }
}

TEST_F(Copied, NothingOutsideTheFolderIsLoaded) {
  copy("ok");
  Manifest manifest = manifest_in(folder());
  const std::string outside = fixture_folder("ok") + "/libfixture.so";
  ASSERT_EQ(::unlink(library().c_str()), 0);
  ASSERT_EQ(::symlink(outside.c_str(), library().c_str()), 0);
  for (const std::string &name : {std::string("libfixture.so"), outside, std::string("../libfixture.so")}) {
    manifest.library.value = name;
    Diagnostics diagnostics;
    EXPECT_TRUE(load(manifest, from(memory), diagnostics).empty());
    EXPECT_EQ(text(diagnostics), "5 load.outside-folder: the library `" + name +
                                     "` of plugin `test.ok` lies outside its plugin's folder\n" +
                                     "  hint: put the library beside its manifest\n");
  }
}

TEST_F(Copied, ALinkInsideTheFolderIsFine) {
  copy("ok");
  const Manifest manifest = manifest_in(folder());
  ASSERT_EQ(::rename(library().c_str(), (library() + ".1").c_str()), 0);
  ASSERT_EQ(::symlink("libfixture.so.1", library().c_str()), 0);
  Diagnostics diagnostics;
  EXPECT_EQ(load(manifest, from(memory), diagnostics).size(), 1u) << text(diagnostics);
}

TEST_F(Copied, WhatTheLoaderRefusesItExplains) {
  copy("ok");
  const Manifest manifest = manifest_in(folder());
  std::string bytes = *read_file(library());
  reinterpret_cast<Elf64_Ehdr *>(bytes.data())->e_version = 7;
  ASSERT_FALSE(write_file(library(), bytes));
  Diagnostics diagnostics;
  EXPECT_TRUE(load(manifest, from(memory), diagnostics).empty());
  EXPECT_EQ(text(diagnostics),
            "5 load.cannot-open: `libfixture.so` cannot be opened: ELF file version does not match current one\n");
}

// The symbol is there, and the hash table by which it is looked up has it not.
TEST_F(Copied, AnEntryThatIsNotFoundIsNone) {
  copy("ok");
  const Manifest manifest = manifest_in(folder());
  std::string bytes = *read_file(library());
  const auto *header = reinterpret_cast<const Elf64_Ehdr *>(bytes.data());
  const auto *sections = reinterpret_cast<const Elf64_Shdr *>(bytes.data() + header->e_shoff);
  for (unsigned i = 0; i < header->e_shnum; ++i)
    if (sections[i].sh_type == SHT_GNU_HASH) {
      auto *words = reinterpret_cast<uint32_t *>(bytes.data() + sections[i].sh_offset);
      std::fill_n(words + 4, words[2] * 2, 0u); // its filter lets nothing through
    }
  ASSERT_FALSE(write_file(library(), bytes));
  for (const auto way : {memory, path}) {
    Diagnostics diagnostics;
    EXPECT_TRUE(load(manifest, from(way), diagnostics).empty());
    EXPECT_EQ(text(diagnostics), "5 load.not-a-plugin: `libfixture.so` does not export `htp_plugin_entry`\n"
                                 "  hint: define the entry with `HTP_PLUGIN(…)` and build with `htp_add_plugin()`\n");
  }
}

// Structs grow at their end from one version of the ABI to the next.
TEST(Load, TakesAPluginOfAnOlderAbi) {
  const Manifest manifest = fixture("older_dialect");
  AbiRelease older = abi_releases().back();
  older.layout = 0x01de5;
  older.interfaces[static_cast<size_t>(UnitKind::dialect)] = {offsetof(htp_dialect, check), 0x01dd1a};
  const AbiRelease releases[] = {older, abi_releases().back()};
  LoadOptions options = from(memory);
  options.releases = releases;
  Diagnostics diagnostics;
  const auto plugins = load(manifest, options, diagnostics);
  EXPECT_EQ(text(diagnostics), "");
  ASSERT_EQ(plugins.size(), 1u);
  const auto *dialect = static_cast<const htp_dialect *>(plugins[0].interface(UnitKind::dialect, "test.dialect"));
  EXPECT_EQ(dialect->head.size, offsetof(htp_dialect, check));
  EXPECT_STREQ(dialect->decorators[0], "entry");
  EXPECT_EQ(dialect->check, nullptr); // and not what lies beyond the struct
  EXPECT_EQ(load(fixture("ok"), options, diagnostics).size(), 1u) << text(diagnostics);
}

TEST_F(Copied, AnInterfaceOfAnotherSizeThanItsAbisIsRefused) {
  const Manifest manifest = fixture("older_dialect");
  AbiRelease older = abi_releases().back();
  older.layout = 0x01de5;
  LoadOptions options = from(memory);
  options.releases = {&older, 1};
  Diagnostics diagnostics;
  EXPECT_TRUE(load(manifest, options, diagnostics).empty());
  EXPECT_EQ(text(diagnostics),
            "8 load.bad-interface: the interface of dialect `test.dialect` has the size 32, expected 40\n  note: the "
            "plugin was built for ABI 1.1\n");
}

TEST_F(Copied, WhatOthersCanWriteToIsRefused) {
  copy("ok");
  const Manifest manifest = manifest_in(folder());
  for (const auto &[place, line] : {std::pair{folder(), 3}, {folder() + "/htp-plugin.yaml", 3}, {library(), 5}}) {
    struct stat before {};
    ASSERT_EQ(::stat(place.c_str(), &before), 0);
    ASSERT_EQ(::chmod(place.c_str(), before.st_mode | S_IWOTH), 0);
    Diagnostics diagnostics;
    EXPECT_TRUE(load(manifest, from(memory), diagnostics).empty());
    EXPECT_EQ(text(diagnostics), std::to_string(line) +
                                     " load.writable-by-others: every user of this machine can write to `" + place +
                                     "`: its mode is " + fmt::format("{:04o}", (before.st_mode | S_IWOTH) & 07777) +
                                     ", with o+w\n  hint: take the permission away: `chmod o-w " + place + "`\n");
    ASSERT_EQ(::chmod(place.c_str(), before.st_mode), 0);
  }
  Diagnostics diagnostics;
  EXPECT_EQ(load(manifest, from(memory), diagnostics).size(), 1u);
}

TEST_F(Copied, AFolderOrAPipeIsNoLibrary) {
  copy("ok");
  const Manifest manifest = manifest_in(folder());
  const auto refused = [&](const std::string &why) {
    Diagnostics diagnostics;
    EXPECT_TRUE(load(manifest, from(memory), diagnostics).empty());
    EXPECT_EQ(text(diagnostics), "5 load.not-a-library: `libfixture.so` cannot be a plugin's library: " + why + "\n");
  };
  ASSERT_EQ(::unlink(library().c_str()), 0);
  ASSERT_EQ(::mkdir(library().c_str(), 0755), 0);
  refused("Is a directory");
  ASSERT_EQ(::rmdir(library().c_str()), 0);
  ASSERT_EQ(::mkfifo(library().c_str(), 0644), 0);
  refused("Not a regular file");
}

TEST(LoadCache, ASurvivorIsNotTriedAgain) {
  const Manifest manifest = fixture("counts_loads");
  const auto folder = TemporaryFolder::make();
  const std::string count = folder->path() + "/count";
  ::setenv("FIXTURE_COUNT", count.c_str(), 1);
  Cache cache(folder->path() + "/cache");
  Diagnostics diagnostics;
  load(manifest, from(memory, &cache), diagnostics);
  EXPECT_EQ(*read_file(count), ".."); // in the child and here
  load(manifest, from(memory, &cache), diagnostics);
  EXPECT_EQ(*read_file(count), "..."); // here only
  load(manifest, from(memory), diagnostics);
  EXPECT_EQ(*read_file(count), ".....");
  ::unsetenv("FIXTURE_COUNT");
  EXPECT_EQ(text(diagnostics), "");
}

// A library is not its bytes alone: with another manifest, or another library beside it, it is tried again.
TEST(LoadCache, ASurvivorAmongOthersIsTriedAgain) {
  const auto folder = TemporaryFolder::make();
  const std::string own = folder->path() + "/plugin", count = folder->path() + "/count";
  ASSERT_FALSE(make_folders(own));
  for (const char *file : {"htp-plugin.yaml", "libfixture.so", "libfixture_side.so"})
    ASSERT_FALSE(write_file(own + "/" + file, *read_file(fixture_folder("beside_itself") + "/" + file)));
  ::setenv("FIXTURE_COUNT", count.c_str(), 1);
  Cache cache(folder->path() + "/cache");
  const auto loads = [&] {
    ::unlink(count.c_str());
    Diagnostics diagnostics;
    EXPECT_EQ(load(manifest_in(own), from(memory, &cache), diagnostics).size(), 1u) << text(diagnostics);
    return read_file(count)->size();
  };
  EXPECT_EQ(loads(), 2u); // in the child and here
  EXPECT_EQ(loads(), 1u); // here only
  ASSERT_FALSE(write_file(own + "/htp-plugin.yaml", *read_file(own + "/htp-plugin.yaml") + "# and more\n"));
  EXPECT_EQ(loads(), 2u);
  ASSERT_FALSE(write_file_atomic(own + "/libfixture_side.so", *read_file(own + "/libfixture_side.so") + "\n"));
  EXPECT_EQ(loads(), 2u);
  EXPECT_EQ(loads(), 1u);
  ::unsetenv("FIXTURE_COUNT");
}

// One that survived, and then does not. In a child, since the dynamic loader that it was thrown through never lets go
// of its lock again: what another thread opens would wait for good.
TEST(LoadCache, AnExceptionHereIsCaught) {
  const auto folder = TemporaryFolder::make();
  const auto twice = [&] {
    const Manifest manifest = fixture("throws_in_constructor");
    Cache cache(folder->path());
    Diagnostics diagnostics;
    ::setenv("FIXTURE_CALM", "1", 1);
    const bool calm = load(manifest, from(memory, &cache), diagnostics).size() == 1;
    ::unsetenv("FIXTURE_CALM");
    const bool refused = load(manifest, from(memory, &cache), diagnostics).empty();
    std::fputs(text(diagnostics).c_str(), stderr);
    ::_exit(calm && refused ? 0 : 1);
  };
  EXPECT_EXIT(twice(), testing::ExitedWithCode(0),
              "^5 load.crashed-at-load: plugin `test.throws_in_constructor` crashed while it was opened: it threw an "
              "exception\n$");
}

TEST(LoadOptionsFromEnvironment, TakeTheWayFromHtpLoad) {
  ::setenv("HTP_LOAD", "path", 1);
  EXPECT_EQ(LoadOptions::from_environment().from, path);
  ::setenv("HTP_LOAD", "memory", 1);
  EXPECT_EQ(LoadOptions::from_environment().from, memory);
  ::unsetenv("HTP_LOAD");
}

} // namespace
} // namespace htp

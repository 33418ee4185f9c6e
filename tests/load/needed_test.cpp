// Where a plugin's libraries would be found, and the digests of those that are not the system's.
#include "host/load/needed.h"

#include "host/base/hash.h"
#include "tests/load/fixture.h"

#include <algorithm>
#include <cstdlib>

namespace htp {
namespace {

using Place = NeededLibrary::Place;

std::vector<NeededLibrary> needed(const std::string &fixture) {
  const std::string library = fixture_folder(fixture) + "/libfixture.so";
  const auto facts = read_elf(*read_file(library));
  EXPECT_TRUE(facts);
  return needed_libraries(library, *facts);
}

NeededLibrary named(const std::vector<NeededLibrary> &list, const std::string &name) {
  const auto found = std::find_if(list.begin(), list.end(), [&](const NeededLibrary &n) { return n.name == name; });
  return found == list.end() ? NeededLibrary{"not needed", {}, Place::missing, {}} : *found;
}

TEST(Needed, SaysWhereTheLoaderWouldLook) {
  const auto list = needed("beside_itself");
  const NeededLibrary side = named(list, "libfixture_side.so");
  EXPECT_EQ(side.place, Place::folder);
  EXPECT_EQ(side.path, fixture_folder("beside_itself") + "/libfixture_side.so");
  EXPECT_EQ(side.by, fixture_folder("beside_itself") + "/libfixture.so");
  const NeededLibrary libc = named(list, "libc.so.6");
  EXPECT_EQ(libc.place, Place::system);
  EXPECT_TRUE(exists(libc.path)) << libc.path;
}

TEST(Needed, SaysWhatIsNowhere) {
  const NeededLibrary side = named(needed("missing_dependency"), "libfixture_side.so");
  EXPECT_EQ(side.place, Place::missing);
  EXPECT_EQ(side.path, "");
}

TEST(Needed, LooksInTheEnvironmentToo) {
  ::setenv("LD_LIBRARY_PATH", ("/nowhere:" + fixture_folder("beside_itself")).c_str(), 1);
  const NeededLibrary side = named(needed("missing_dependency"), "libfixture_side.so");
  Diagnostics diagnostics;
  const auto digests = needed_digests(fixture("missing_dependency"), diagnostics);
  ::unsetenv("LD_LIBRARY_PATH");
  EXPECT_EQ(side.place, Place::environment);
  EXPECT_EQ(side.path, fixture_folder("beside_itself") + "/libfixture_side.so");
  ASSERT_EQ(digests.size(), 1u);
  EXPECT_EQ(digests[0].path, side.path); // not in the plugin's folder: absolute
  EXPECT_EQ(digests[0].sha256, sha256(*read_file(side.path)));
}

TEST(Needed, DigestsAreThoseOfWhatThePluginBrings) {
  Diagnostics diagnostics;
  const auto digests = needed_digests(fixture("beside_itself"), diagnostics);
  ASSERT_EQ(digests.size(), 1u);
  EXPECT_EQ(digests[0].path, "libfixture_side.so");
  EXPECT_EQ(digests[0].sha256, sha256(*read_file(fixture_folder("beside_itself") + "/libfixture_side.so")));
  EXPECT_TRUE(needed_digests(fixture("ok"), diagnostics).empty());
  Manifest data_only = fixture("ok");
  data_only.library.value.clear();
  EXPECT_TRUE(needed_digests(data_only, diagnostics).empty());
  EXPECT_EQ(text(diagnostics), "");
}

TEST(Needed, SaysWhenThereIsNothingToRead) {
  Diagnostics diagnostics;
  EXPECT_TRUE(needed_digests(fixture("no_library"), diagnostics).empty());
  EXPECT_TRUE(needed_digests(fixture("not_elf"), diagnostics).empty());
  EXPECT_EQ(text(diagnostics),
            "5 load.missing-library: cannot open the library `libfixture.so` of plugin `test.no_library`: No such file "
            "or directory\n"
            "  hint: build the plugin, or correct `library:`, which is relative to the manifest\n"
            "5 load.not-a-library: `libfixture.so` cannot be a plugin's library: it is not an ELF file\n");
}

} // namespace
} // namespace htp

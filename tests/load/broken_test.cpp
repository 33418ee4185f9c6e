// What is said of each broken plugin, word by word; and that it hurts neither the process nor another plugin.
#include "tests/load/fixture.h"

#include "htp/htp.h"

#include <fmt/format.h>

namespace htp {
namespace {

struct Broken {
  const char *fixture;
  std::string said;
};

const std::string rebuild = "  hint: build the plugin again with the headers of this host's SDK\n";
const std::string debug = "  hint: debug it with `HTP_LOAD=path`; nothing else of this plugin was used\n";

const Broken broken[] = {
    {"no_library", "5 load.missing-library: cannot open the library `libfixture.so` of plugin `test.no_library`: No "
                   "such file or directory\n"
                   "  hint: build the plugin, or correct `library:`, which is relative to the manifest\n"},
    {"not_elf", "5 load.not-a-library: `libfixture.so` cannot be a plugin's library: it is not an ELF file\n"},
    {"no_entry", "5 load.not-a-plugin: `libfixture.so` does not export `htp_plugin_entry`\n"
                 "  hint: define the entry with `HTP_PLUGIN(…)` and build with `htp_add_plugin()`\n"},
    {"entry_function", "5 load.not-a-plugin: `libfixture.so` does not export `htp_plugin_entry`\n"
                       "  hint: define the entry with `HTP_PLUGIN(…)` and build with `htp_add_plugin()`\n"},
    {"undefined_symbol",
     "5 load.undefined-symbol: `libfixture.so` uses the symbol `frobnicate`, which no library it links to defines\n"
     "  hint: link with the library that defines `frobnicate`\n"},
    {"missing_dependency",
     "5 load.missing-dependency: `libfixture.so` needs the library `libfixture_side.so`, which cannot be found\n"
     "  hint: install `libfixture_side.so`, put it beside the manifest and link with `-Wl,-rpath,'$ORIGIN'`, or name "
     "its "
     "folder in LD_LIBRARY_PATH\n"},
    {"no_note", "5 load.no-note: `libfixture.so` does not say which plugin it is\n"
                "  hint: build it again with `HTP_PLUGIN(…)`, or in C with the line `HTP_PLUGIN_NOTE(\"test.no_note\", "
                "\"1.0.0\")`\n"},
    {"aborts_in_constructor",
     "5 load.crashed-at-load: plugin `test.aborts_in_constructor` crashed while it was opened: killed by SIGABRT\n"
     "  note: it wrote: out of luck\n" +
         debug},
    {"exits_in_constructor",
     "5 load.crashed-at-load: plugin `test.exits_in_constructor` crashed while it was opened: it called exit(3)\n" +
         debug},
    {"leaves_in_constructor",
     "5 load.crashed-at-load: plugin `test.leaves_in_constructor` crashed while it was opened: "
     "it ended the process with status 0\n" +
         debug},
    {"throws_in_constructor",
     "5 load.crashed-at-load: plugin `test.throws_in_constructor` crashed while it was opened: killed by SIGABRT\n"
     "  note: it wrote: terminate called after throwing an instance of 'std::runtime_error'\n"
     "  what():  no license found\n" +
         debug},
    {"hangs_in_constructor",
     "5 load.hung: plugin `test.hangs_in_constructor` did not finish loading within 300 ms\n" + debug},
    {"silent_in_constructor",
     "5 load.hung: plugin `test.silent_in_constructor` did not finish loading within 300 ms\n" + debug},
    {"boasts_in_constructor",
     "5 load.crashed-at-load: plugin `test.boasts_in_constructor` crashed while it was opened: "
     "it ended the process with status 0\n"
     "  note: it wrote: done\nsorsorsors{\"survived\":true}\ndone\n" +
         debug},
    {"answers_in_constructor", "5 load.crashed-at-load: plugin `test.answers_in_constructor` crashed while its entry "
                               "was read: it wrote where the host did alone\n"
                               "  note: it wrote: {\"survived\":true}\n" +
                                   debug},
    {"forks_in_constructor", "5 load.left-processes: plugin `test.forks_in_constructor` started processes while it was "
                             "opened, and left them\n" +
                                 debug},
    {"daemon_in_constructor", "5 load.left-processes: plugin `test.daemon_in_constructor` started processes while it "
                              "was opened, and left them\n" +
                                  debug},
    {"bomb_in_constructor", "5 load.left-processes: plugin `test.bomb_in_constructor` started processes while it was "
                            "opened, and left them\n" +
                                debug},
    {"marks_lying_head",
     fmt::format("5 load.entry-size: the entry of plugin `test.marks_lying_head` has 8 bytes, expected at least {}\n",
                 offsetof(htp_entry, id))},
    {"marks_lying_note", "3 load.id-mismatch: the plugin's id is `test.marks_lying_note` in the manifest and "
                         "`test.another` in the library\n"},
    {"wild_entry",
     "5 load.crashed-at-load: plugin `test.wild_entry` crashed while its entry was read: killed by SIGSEGV\n" + debug},
    {"old_abi", fmt::format("5 load.bad-abi: plugin `test.old_abi` speaks ABI 0.{1}, this host speaks ABI {0}.{1}\n"
                            "  hint: build the plugin again with this host's SDK\n",
                            HTP_ABI_MAJOR, HTP_ABI_MINOR)},
    {"newer_abi",
     fmt::format("5 load.bad-abi: plugin `test.newer_abi` speaks ABI {0}.99, this host speaks ABI {0}.{1}\n"
                 "  hint: use a newer htp-host, or build the plugin with this host's SDK\n",
                 HTP_ABI_MAJOR, HTP_ABI_MINOR)},
    {"wrong_layout",
     fmt::format(
         "5 load.wrong-layout: plugin `test.wrong_layout` was built with other struct layouts than ABI {}.{} has\n"
         "  note: its layout hash is 0000000000001234, that version's {:016x}\n",
         HTP_ABI_MAJOR, HTP_ABI_MINOR, HTP_LAYOUT_ALL) +
         rebuild},
    {"no_version", "5 load.null-in-entry: `version` is null in the entry of plugin `test.no_version`\n"},
    {"wrong_id",
     "3 load.id-mismatch: the plugin's id is `test.wrong_id` in the manifest and `test.another` in the library\n"
     "4 load.id-mismatch: the version of plugin `test.wrong_id` is `1.0.0` in the manifest and `2.0` in the library\n"},
    {"missing_unit", "9 load.missing-unit: `libfixture.so` has no pass `test.pass`\n"
                     "  note: it has `test.other` (`htp.pass/1`)\n"
                     "5 load.undeclared-unit: `libfixture.so` has the unit `test.other` (`htp.pass/1`), which the "
                     "manifest does not declare\n"},
    {"wrong_kind",
     "9 load.wrong-kind: unit `test.pass` is `htp.pass/1` in the manifest and `htp.pass/2` in the library\n"},
    {"unit_twice", "5 load.unit-twice: the entry of plugin `test.unit_twice` has the unit `test.pass` twice\n"},
    {"nameless_unit", "5 load.null-in-entry: `units[0].name` is null in the entry of plugin `test.nameless_unit`\n"},
    {"small_entry",
     fmt::format("5 load.entry-size: the entry of plugin `test.small_entry` has 8 bytes, expected at least {}\n",
                 offsetof(htp_entry, id))},
    {"stack_overflow_in_constructor", "5 load.crashed-at-load: plugin `test.stack_overflow_in_constructor` crashed "
                                      "while it was opened: killed by SIGSEGV\n" +
                                          debug},
    {"null_interface", "9 load.null-interface: the interface of pass `test.pass` is null\n"},
    {"bad_interface",
     fmt::format("9 load.bad-interface: the interface of pass `test.pass` has the size {}, expected {}\n  note: the "
                 "plugin was built for ABI {}.{}\n",
                 sizeof(htp_pass) + sizeof(void *), sizeof(htp_pass), HTP_ABI_MAJOR, HTP_ABI_MINOR)},
    {"older_dialect",
     fmt::format("5 load.wrong-layout: plugin `test.older_dialect` was built with other struct layouts than ABI {}.{} "
                 "has\n  note: its layout hash is 0000000000001de5, that version's {:016x}\n",
                 HTP_ABI_MAJOR, HTP_ABI_MINOR, HTP_LAYOUT_ALL) +
         rebuild},
    {"null_members", "8 load.null-member: `decorators` of dialect `test.dialect` is null\n"
                     "10 load.null-member: `infer` of intrinsics `test.intrinsics` is null\n"
                     "14 load.null-member: `rewrite` of handlers `test.handlers` is null\n"
                     "19 load.null-member: `constructor` of layout `test.layout` is null\n"
                     "21 load.null-member: `run` of analysis `test.analysis` is null\n"
                     "24 load.null-member: `run` of pass `test.pass` is null\n"
                     "26 load.null-member: `claims` of island `test.island` is null\n"
                     "28 load.null-member: `target_set` of backend `test.backend` is null\n"
                     "34 load.null-member: `validate` of binding `test.binding` is null\n"
                     "37 load.null-member: `verify` of verifier `test.verifier` is null\n"},
    {"bad_rows",
     "8 load.null-member: `rows` of intrinsics `test.null` is null\n"
     "12 load.null-member: `rows[1].name` of intrinsics `test.nameless` is null\n"
     "16 load.null-member: `rows[0].parameters` of intrinsics `test.no_parameters` is null\n"
     "20 load.null-member: `rows[0].parameters[1].annotation` of intrinsics `test.hole` is null\n"
     "26 load.missing-row: intrinsics `test.others` has no row `test.f`, which the manifest names\n"
     "24 load.undeclared-row: intrinsics `test.others` has a row `test.g`, which the manifest does not name\n"
     "28 load.null-member: `rows` of handlers `test.null_handlers` is null\n"
     "33 load.row-backend: row `test.f` of handlers `test.elsewhere` is for the backend `gpu`, and the manifest says "
     "`test`\n"
     "38 load.undeclared-row: handlers `test.twice` has a row `test.f`, which the manifest does not name\n"},
    {"endless_names",
     "5 load.crashed-at-load: plugin `test.endless_names` crashed while its entry was read: killed by SIGSEGV\n" +
         debug},
    {"eats_memory", "5 load.crashed-at-load: plugin `test.eats_memory` crashed while it was opened: killed by SIGABRT\n"
                    "  note: it wrote: a terabyte: Cannot allocate memory\n" +
                        debug},
};

void PrintTo(const Broken &one, std::ostream *out) { *out << one.fixture; }

LoadOptions options(LoadOptions::From from, int timeout) {
  LoadOptions result;
  result.from = from;
  result.probe_timeout = std::chrono::milliseconds(timeout);
  return result;
}

class BrokenPlugin : public testing::TestWithParam<Broken> {};

TEST_P(BrokenPlugin, IsRefusedWithTheseWords) {
  const Manifest manifest = fixture(GetParam().fixture);
  for (const auto from : {LoadOptions::From::memory, LoadOptions::From::path}) {
    const bool hangs = std::string(GetParam().said).find("load.hung") != std::string::npos;
    const int timeout = hangs ? 300 : 60000;
    Diagnostics diagnostics;
    EXPECT_TRUE(load(manifest, options(from, timeout), diagnostics).empty());
    EXPECT_EQ(text(diagnostics), GetParam().said);
    EXPECT_EQ(std::getenv("HTP_TEST_OPENED"), nullptr) << "what is refused where it was tried is not opened here";
  }
}

INSTANTIATE_TEST_SUITE_P(Load, BrokenPlugin, testing::ValuesIn(broken),
                         [](const auto &named) { return std::string(named.param.fixture); });

TEST(BrokenPlugins, LeaveTheOthersUsable) {
  std::vector<Manifest> manifests;
  for (const char *name :
       {"aborts_in_constructor", "ok", "not_elf", "exits_in_constructor", "undefined_symbol", "beside_itself"})
    manifests.push_back(fixture(name));
  std::vector<const Manifest *> all;
  for (const Manifest &manifest : manifests) all.push_back(&manifest);
  Diagnostics diagnostics;
  const auto plugins = load_plugins(all, options(LoadOptions::From::memory, 60000), diagnostics);
  ASSERT_EQ(plugins.size(), 2u);
  EXPECT_EQ(plugins[0].manifest().id.value, "test.ok");
  EXPECT_EQ(plugins[1].manifest().id.value, "test.beside_itself");
  std::string codes;
  for (const Diagnostic &d : diagnostics.list()) codes += d.code + " ";
  EXPECT_EQ(codes, "load.not-a-library load.undefined-symbol load.crashed-at-load load.crashed-at-load ");
}

} // namespace
} // namespace htp

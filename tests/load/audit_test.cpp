// What an audit says of libraries, before anything of them runs.
#include "host/load/audit.h"

#include "tests/load/elf_edit.h"
#include "tests/load/fixture.h"

#include <cstdlib>

namespace htp {
namespace {

std::string library(const std::string &name) { return *read_file(fixture_folder(name) + "/libfixture.so"); }

// "severity code: message", with the hint beneath; errors are what refuses.
std::string audited(const std::string &name, const std::string &bytes, const std::string &file = "libfixture.so") {
  const auto facts = read_elf(bytes);
  if (!facts) return facts.error();
  Auditor auditor;
  std::string result;
  for (const AuditFinding &finding : auditor.audit(fixture_folder(name), file, *facts)) {
    Diagnostics diagnostics;
    const Diagnostic &d = report(finding, {}, diagnostics);
    EXPECT_EQ(finding.refuses(), diagnostics.errors() == 1);
    result += (d.severity == Severity::error     ? "error "
               : d.severity == Severity::warning ? "warning "
                                                 : "note ") +
              d.code + ": " + d.message + "\n";
    for (const std::string &hint : d.hints) result += "  " + hint + "\n";
  }
  return result;
}
std::string audited(const std::string &name) { return audited(name, library(name)); }

template <class Change> std::string changed(const std::string &name, Change change) {
  ElfEdit edit(library(name));
  change(edit);
  return audited(name, edit.bytes());
}

TEST(Audit, HasNothingToSayOfAGoodPlugin) { EXPECT_EQ(audited("ok"), ""); }

const std::string constructs = "note load.constructors: 1 static constructor of `libfixture.so` run when it is opened\n"
                               "  make the objects constants, or build them when they are first asked for\n";

TEST(Audit, NamesWhatIsMissing) {
  EXPECT_EQ(
      audited("missing_dependency"),
      "error load.missing-dependency: `libfixture.so` needs the library `libfixture_side.so`, which cannot be found\n"
      "  install `libfixture_side.so`, put it beside the manifest and link with `-Wl,-rpath,'$ORIGIN'`, or name its "
      "folder in LD_LIBRARY_PATH\n" +
          constructs);
  EXPECT_EQ(audited("undefined_symbol"),
            "error load.undefined-symbol: `libfixture.so` uses the symbol `frobnicate`, which no library it links to "
            "defines\n  link with the library that defines `frobnicate`\n" +
                constructs);
  EXPECT_EQ(changed("counts_loads", [](ElfEdit &e) { e.replace("GLIBC_2.2.5", "GLIBC_9.9.9"); }),
            "error load.missing-version: `libfixture.so` needs the version `GLIBC_9.9.9` of `libc.so.6`, which is not "
            "there\n  build the plugin on this system, or on the oldest that it is meant for\n" +
                constructs);
}

TEST(Audit, RefusesToLookForLibrariesOutside) {
  for (const char *path : {"/usr/li", "lib::/a", "$ORIGI/", "/../../"}) {
    const std::string said = changed("beside_itself", [&](ElfEdit &e) { e.replace("$ORIGIN", path); });
    EXPECT_NE(said.find("error load.outside-run-path: `libfixture.so` looks for libraries in `" +
                        std::string(path).substr(0, std::string(path).find("::")) + "`, outside its plugin's folder\n"),
              std::string::npos)
        << said;
  }
  // Beneath the folder it may.
  EXPECT_EQ(audited("beside_itself").find("outside-run-path"), std::string::npos);
}

TEST(Audit, RefusesWhatThePluginsLibrariesBring) {
  const auto folder = TemporaryFolder::make();
  ElfEdit side(*read_file(fixture_folder("beside_itself") + "/libfixture_side.so"));
  side.segment(PT_GNU_STACK).p_flags |= PF_X;
  ASSERT_FALSE(write_file(folder->path() + "/libfixture_side.so", side.bytes()));
  Auditor auditor;
  const auto found = auditor.audit(folder->path(), "libfixture.so", *read_elf(library("beside_itself")));
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0].rule->kind.code, "load.executable-stack");
  EXPECT_EQ(found[0].library, "libfixture_side.so");
}

TEST(Audit, RefusesALibraryByItsPath) {
  const std::string said = changed("counts_loads", [](ElfEdit &e) { e.replace("libc.so.6", "./lc.so.6"); });
  EXPECT_NE(said.find("error load.needs-path: `libfixture.so` needs the library `./lc.so.6` by its path\n"
                      "  give that library a SONAME (`-Wl,-soname,…`) and link again\n"),
            std::string::npos)
      << said;
}

TEST(Audit, RefusesWhatMakesALibraryUnfit) {
  EXPECT_EQ(changed("ok", [](ElfEdit &e) { e.segment(PT_GNU_STACK).p_flags |= PF_X; }),
            "error load.executable-stack: `libfixture.so` makes the stack of every thread executable\n"
            "  add `.section .note.GNU-stack,\"\",@progbits` to its assembler files, or link with "
            "`-Wl,-z,noexecstack`\n");
  // Without that header at all the loader takes it for one.
  EXPECT_EQ(changed("ok", [](ElfEdit &e) { e.segment(PT_GNU_STACK).p_type = PT_NULL; }).substr(0, 27),
            "error load.executable-stack");
  const std::string writable =
      "error load.writable-code: `libfixture.so` has code that can be written to\n"
      "  compile all of it with `-fPIC`, and link without `-Wl,-z,notext`, `-N` and `--omagic`\n";
  EXPECT_EQ(changed("ok", [](ElfEdit &e) { e.set_dynamic(DT_TEXTREL, 0); }), writable);
  EXPECT_EQ(changed("ok", [](ElfEdit &e) { e.set_dynamic(DT_FLAGS, DF_TEXTREL); }), writable);
  EXPECT_EQ(changed("ok", [](ElfEdit &e) { e.segment(PT_LOAD).p_flags = PF_R | PF_W | PF_X; }), writable);
  for (const int64_t tag : {DT_AUXILIARY, DT_FILTER, DT_AUDIT, DT_DEPAUDIT})
    EXPECT_EQ(
        changed("counts_loads", [&](ElfEdit &e) { e.set_dynamic(tag, e.dynamic(DT_NEEDED)); }),
        "error load.other-libraries: `libfixture.so` makes the dynamic loader open `libc.so.6`, which it does not "
        "need\n  link without it\n" +
            constructs);
}

TEST(Audit, WarnsOfWhatWorksHereAlone) {
  EXPECT_EQ(audited("borrows"), "warning load.host-symbol: `libfixture.so` uses `_Znwm`, which no library it links to "
                                "defines but this process has\n  link with the library that defines `_Znwm`\n");
  ::setenv("LD_LIBRARY_PATH", fixture_folder("beside_itself").c_str(), 1);
  const std::string said = audited("missing_dependency");
  ::unsetenv("LD_LIBRARY_PATH");
  EXPECT_EQ(said.substr(0, said.find("\n  ")),
            "warning load.needed-elsewhere: `libfixture.so` finds the library `libfixture_side.so` only through this "
            "process's environment");
}

TEST(Audit, WarnsOfMoreExports) {
  const std::string side = *read_file(fixture_folder("beside_itself") + "/libfixture_side.so");
  EXPECT_EQ(audited("beside_itself", side, "libfixture_side.so"),
            "warning load.more-exports: `libfixture_side.so` exports `fixture_side_answer` beside its entry\n"
            "  link with the SDK's version script, as `htp_add_plugin()` does\n");
}

TEST(Audit, SaysWhatRunsWhenItIsOpened) {
  EXPECT_EQ(audited("counts_loads"), constructs);
  EXPECT_EQ(audited("resolver"), "note load.resolvers: `libfixture.so` has 1 symbol that pick their code while it is "
                                 "opened\n  choose the code when it is first called\n");
  EXPECT_EQ(
      changed("ok", [](ElfEdit &e) { e.set_dynamic(DT_FLAGS, DF_STATIC_TLS); }),
      "warning load.static-tls: `libfixture.so` wants thread-local storage that is reserved when a process starts\n"
      "  compile with `-ftls-model=global-dynamic`\n");
}

TEST(Audit, SaysWhatStaysMapped) {
  const std::string begin = "note load.stays-mapped: `libfixture.so` stays mapped until the process ends: ";
  EXPECT_EQ(audited("starts_thread"), begin + "it can start threads\n");
  EXPECT_EQ(audited("unique"), begin + "of `_ZN7fixture6SharedIiE5valueE` a process has one (STB_GNU_UNIQUE)\n");
  EXPECT_EQ(audited("thread_local"), begin + "it has thread-local objects with destructors\n");
  EXPECT_EQ(changed("ok", [](ElfEdit &e) { e.set_dynamic(DT_FLAGS_1, DF_1_NODELETE); }),
            begin + "it was linked with `-z nodelete`\n");
}

// Each row of the table is in this file, and says what to do unless there is nothing to be done.
TEST(Audit, EachRuleHasAHint) {
  for (const AuditRule &rule : audit_rules())
    EXPECT_EQ(rule.hint.empty(), rule.kind.code == "load.stays-mapped") << rule.kind.code;
}

} // namespace
} // namespace htp

// Which plugins are looked for, and by whom; files of text that a program names.
#include "host/ast/unparse.h"
#include "host/base/environment.h"
#include "host/base/fs.h"
#include "host/parse/parse.h"
#include "host/pipeline/inputs.h"
#include "host/pipeline/texts.h"

#include <gtest/gtest.h>

namespace htp {
namespace {

TEST(Gather, OneWithPrivilegesLooksForNoPluginsElsewhere) {
  const auto folder = TemporaryFolder::make();
  const std::string profile = folder->path() + "/profile.yaml";
  ASSERT_FALSE(make_folders(folder->path() + "/asked"));
  ASSERT_FALSE(write_file(profile, "htp_profile: 1\ntarget: cpu\nsearch:\n  - " + folder->path() + "/asked\n"));
  CompileRequest request;
  request.profile = profile;
  request.plugin_path = {folder->path()};
  Diagnostics diagnostics;
  const auto usual = gather(request, false, diagnostics);
  ASSERT_TRUE(usual);
  ASSERT_GE(usual->search.size(), 2u);
  EXPECT_EQ(usual->search[0], folder->path() + "/asked");
  EXPECT_EQ(usual->search[1], folder->path());
  EXPECT_TRUE(diagnostics.empty());
  const PretendPrivileged as_root;
  const auto careful = gather(request, false, diagnostics);
  ASSERT_TRUE(careful);
  EXPECT_EQ(careful->search, default_search());
  ASSERT_EQ(diagnostics.list().size(), 2u);
  EXPECT_EQ(diagnostics.list()[0].code, "load.privileged");
  EXPECT_EQ(diagnostics.list()[0].span.line, 4u);
  EXPECT_EQ(diagnostics.list()[1].message,
            "the search folder `" + folder->path() + "` is left out: this process may do what its user may not");
}

// As a string in the program, which Python reads back as it was, whatever stands in it.
TEST(Texts, AreWhatTheFileHas) {
  const auto folder = TemporaryFolder::make();
  for (const std::string text : {"", "one line", "two\nlines", "two\nlines\n", "it \"ends\nin a \"quote\"",
                                 "it ends\nin a backslash\\", "three\n\"\"\"quotes", "a \\n of\nC",
                                 "carriage\r\nreturns", "\ttabs\n\tand 漢字", "'''\n'''", "\n", "\"\n\"", "\\\n\\\n"}) {
    ASSERT_FALSE(write_file(folder->path() + "/text", text));
    Diagnostics diagnostics;
    Store store;
    std::vector<InputFile> inputs;
    const htp_node module = parse_tree(
        std::make_shared<const SourceFile>("p.py", "import htp\nx = htp.text(\"text\")\n"), diagnostics, store);
    ASSERT_TRUE(module);
    UnparseOptions as_stages_are;
    as_stages_are.trivia = true;
    const std::string written =
        unparse(*store.abi(), take_texts(module, folder->path(), store, inputs, diagnostics), as_stages_are);
    Store again;
    const htp_node read = parse_tree(std::make_shared<const SourceFile>("q.py", written), diagnostics, again);
    ASSERT_TRUE(read && diagnostics.empty()) << written;
    const htp_node assignment = again.items(again.slot(read, HTP_FIELD(Module, body)))[1];
    const htp_node value = again.slot(assignment, HTP_FIELD(Assign, value));
    ASSERT_EQ(again.kind(value), HTP_Constant) << written;
    EXPECT_EQ(again.text(again.constant_at(again.slot(value, HTP_FIELD(Constant, value))).text), text) << written;
    EXPECT_EQ(inputs.size(), 1u);
  }
}

} // namespace
} // namespace htp

#include "tests/trust/support.h"

#include <unistd.h>

namespace htp {
namespace {

TEST(Statement, IsReadAsItWasWritten) {
  const test::OnDisk plugin = test::fold();
  test::sign(plugin);
  const auto text = read_file(plugin.path(signature_name));
  const auto read = read_signature(*text);
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(read->id, "acme.fold");
  EXPECT_EQ(read->version, "1.0");
  EXPECT_EQ(read->publisher, "acme");
  EXPECT_EQ(read->key, test::first_public);
  ASSERT_EQ(read->files.size(), 2u); // what does not run is not of it
  EXPECT_EQ(read->files[0].path, "htp-plugin.yaml");
  EXPECT_EQ(read->files[1].path, "python/acme/__init__.py");
  EXPECT_EQ(difference(*read, plugin.manifest(), ""), "");
}

TEST(Statement, AnyOtherTextIsRefused) {
  const test::OnDisk plugin = test::fold();
  test::sign(plugin);
  const std::string text = *read_file(plugin.path(signature_name));
  for (size_t i = 0; i < text.size(); ++i) {
    std::string other = text;
    other[i] = static_cast<char>(other[i] ^ 1);
    EXPECT_FALSE(read_signature(other)) << i;
    other = text;
    other.erase(i, 1);
    EXPECT_FALSE(read_signature(other)) << i;
    EXPECT_FALSE(read_signature(text.substr(0, i))) << i;
  }
  EXPECT_FALSE(read_signature(text + "\n"));
}

// What its own key signed, but is not of the form.
TEST(Statement, FormIsAskedOfWhatIsSigned) {
  const auto told = [](const std::string &lines) {
    const std::string text = lines + "signature " + test::key().sign(lines) + "\n";
    const auto read = read_signature(text);
    return read ? "" : read.error();
  };
  const std::string head =
      "htp signature 1\nplugin a.b 1.0\npublisher a\nkey " + std::string(test::first_public) + "\n";
  const std::string file = "file " + std::string(64, 'a') + " ";
  EXPECT_EQ(told(head + file + "htp-plugin.yaml\n"), "");
  EXPECT_EQ(told(head), "it has no files");
  EXPECT_EQ(told(head + file + "b\n" + file + "a\n"), "line 6 is no file, or not in order");
  EXPECT_EQ(told(head + file + "a\n" + file + "a\n"), "line 6 is no file, or not in order");
  for (const char *path : {"../a", "/a", "a//b", "a\x1b[2J"})
    EXPECT_EQ(told(head + file + path + "\n"), "line 5 is no file, or not in order") << path;
}

TEST(Statement, ChangesAreFound) {
  const test::OnDisk plugin = test::fold();
  const Manifest manifest = plugin.manifest();
  const Statement s{"acme.fold", "1.0", "", "", "", signed_files(manifest)};
  const auto told = [&] { return difference(s, plugin.manifest(), ""); };
  plugin.write("README.md", "more\n");
  plugin.write("python/acme/__pycache__/x.pyc", "compiled");
  EXPECT_EQ(told(), "");
  plugin.write("python/acme/__init__.py", "x = 2\n");
  EXPECT_EQ(told(), "`python/acme/__init__.py` was changed");
  plugin.write("python/acme/__init__.py", "x = 1\n");
  for (const std::string added : {"python/sitecustomize.py", "python/acme/x.pyc", "side/libside.so.1"}) {
    plugin.write(added, "");
    EXPECT_EQ(told(), "`" + added + "` was added");
    EXPECT_FALSE(remove_tree(plugin.path(added)));
  }
  ASSERT_EQ(::symlink("/usr/lib/python3", plugin.path("python/more").c_str()), 0);
  EXPECT_EQ(told(), "`python/more` was added");
  EXPECT_FALSE(remove_tree(plugin.path("python")));
  EXPECT_EQ(told(), "`python/acme/__init__.py` is not there");
}

} // namespace
} // namespace htp

// Law 1, second half, over the whole standard library and its test suite. Without trivia our text is `ast.unparse`'s.
// Split by HTP_SHARD ("0/2") so that two run side by side.
#include "host/ast/compare.h"
#include "host/ast/unparse.h"
#include "host/parse/parse.h"
#include "tests/unparse/reference_stream.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace htp {
namespace {

SourceRef read_source(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return std::make_shared<const SourceFile>(path, text.str());
}

std::string shard_arguments() {
  const char *variable = std::getenv("HTP_SHARD");
  std::string shard = variable ? variable : "0/1";
  shard[shard.find('/')] = ' ';
  return shard;
}

std::string difference(const std::string &ours, const std::string &theirs) {
  size_t at = 0;
  while (at < std::min(ours.size(), theirs.size()) && ours[at] == theirs[at]) ++at;
  const size_t from = at < 120 ? 0 : at - 120;
  return "ours:   …" + ours.substr(from, 240) + "…\ntheirs: …" + theirs.substr(from, 240) + "…";
}

TEST(UnparseCorpus, EqualsCPython) {
  ReferenceStream stream(std::string(HTP_PYTHON) + " -I " HTP_SOURCE_DIR "/tests/unparse/reference.py " +
                         shard_arguments() + " " HTP_SOURCE_DIR "/tests/unparse/hard.py /usr/lib/python3.11");
  for (Reference text, comments; stream.next(text) && stream.next(comments);) {
    Store store;
    Diagnostics diagnostics;
    const htp_node root = parse_tree(read_source(text.path), diagnostics, store);
    ASSERT_NE(root, 0u) << text.path;
    UnparseFailure failure;
    std::vector<LineSpan> spans;
    const std::string ours = unparse(*store.abi(), root, {.spans = &spans, .failure = &failure});
    EXPECT_EQ(failure.reason, nullptr) << text.path << ": " << failure.reason;
    EXPECT_EQ(text.kind, "text") << text.path << text.data;
    EXPECT_TRUE(ours == text.data) << text.path << "\n" << difference(ours, text.data);
  }
}

} // namespace
} // namespace htp

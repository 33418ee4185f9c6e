// Law 1, first half: over the whole standard library and its test suite, our tree is CPython's, to the last column.
// A slice of it with HTP_SLICE.
#include "host/ast/dump.h"
#include "host/ast/walk.h"
#include "host/parse/parse.h"
#include "tests/support/slices.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>

namespace htp {
namespace {

constexpr const char *Library = "/usr/lib/python3.11";

SourceRef read_source(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return std::make_shared<const SourceFile>(path, text.str());
}

struct Reference {
  std::string kind, path, data;
};

// The answers of /usr/bin/python3, one a call; nothing at the end.
class ReferenceStream {
public:
  explicit ReferenceStream(const std::string &command) : pipe_(popen(command.c_str(), "r"), pclose) {}

  bool next(Reference &answer) {
    char kind[16], path[4096];
    size_t size = 0;
    if (!pipe_ || fscanf(pipe_.get(), "%15s %4095s %zu", kind, path, &size) != 3 || fgetc(pipe_.get()) != '\n')
      return false;
    answer.kind = kind;
    answer.path = path;
    answer.data.resize(size);
    return fread(answer.data.data(), 1, size, pipe_.get()) == size;
  }

private:
  std::unique_ptr<FILE, int (*)(FILE *)> pipe_;
};

// The surroundings of the first byte that differs.
std::string first_difference(const std::string &ours, const std::string &theirs) {
  size_t at = 0;
  while (at < std::min(ours.size(), theirs.size()) && ours[at] == theirs[at]) ++at;
  const size_t from = at < 120 ? 0 : at - 120;
  return "ours:   …" + ours.substr(from, 240) + "…\ntheirs: …" + theirs.substr(from, 240) + "…";
}

// Definitions begin, for CPython, after their decorators.
bool defined(uint16_t kind) { return kind == HTP_FunctionDef || kind == HTP_AsyncFunctionDef || kind == HTP_ClassDef; }

// The walk meets every node once and never goes back, but for definitions, which begin after their decorators, and
// within f-strings, whose insides CPython 3.11 places elsewhere.
void expect_walk_in_order(const Store &store, htp_node root, const std::string &path) {
  size_t count = 0, inside_until = 0;
  std::pair<uint32_t, uint32_t> last{0, 0};
  htp_walk w;
  htp_walk_begin(&w, store.abi(), root);
  while (const htp_node n = htp_walk_next(&w)) {
    ++count;
    const htp_record &r = store.at(n);
    if (count <= inside_until || r.line == 0 || defined(r.kind)) continue;
    if (r.kind == HTP_JoinedStr) inside_until = count + preorder(*store.abi(), n).size() - 1;
    const std::pair here{r.line, r.col};
    ASSERT_LE(last, here) << path << ":" << r.line << ":" << r.col << " " << kind_info(r.kind).name;
    last = here;
  }
  htp_walk_end(&w);
  EXPECT_EQ(count, preorder(*store.abi(), root).size()) << path;
}

TEST(Corpus, TreesEqualThoseOfCPython) {
  const auto [first, step] = test::slice();
  ReferenceStream stream(std::string(HTP_PYTHON) + " -I '" HTP_SOURCE_DIR "/tests/parse/reference.py' " +
                         std::to_string(first) + " " + std::to_string(step) + " " + Library);
  int trees = 0, refused = 0;
  for (Reference theirs; stream.next(theirs);) {
    Store store;
    Diagnostics diagnostics;
    const htp_node root = parse_tree(read_source(theirs.path), diagnostics, store);
    if (theirs.kind == "tree") {
      ASSERT_NE(root, 0u) << theirs.path << ": " << (diagnostics.empty() ? "" : diagnostics.list()[0].message);
      const std::string ours = dump(*store.abi(), root, {.attributes = true});
      ASSERT_TRUE(ours == theirs.data) << theirs.path << "\n" << first_difference(ours, theirs.data);
      expect_walk_in_order(store, root, theirs.path);
      ++trees;
      continue;
    }
    ASSERT_EQ(root, 0u) << theirs.path << " is refused by CPython";
    ASSERT_EQ(diagnostics.errors(), 1u) << theirs.path;
    const Diagnostic &d = diagnostics.list()[0];
    EXPECT_FALSE(d.hints.empty());
    // CPython gives no line for what is wrong with the bytes themselves.
    if (theirs.data != "0") {
      EXPECT_EQ(std::to_string(d.span.line), theirs.data) << theirs.path << ": " << d.message;
    }
    ++refused;
  }
  // Debian 12's libpython3.11-stdlib and libpython3.11-testsuite.
  EXPECT_GT(trees, 600 / step);
  if (std::filesystem::exists(std::string(Library) + "/test/test_grammar.py")) {
    EXPECT_GT(trees, 1500 / step);
    EXPECT_TRUE(refused > 0 || step > 1);
  }
}

} // namespace
} // namespace htp

// Law 1, second half, over the whole standard library, its test suite and hard.py. Without trivia our text is
// `ast.unparse`'s. With trivia it reads back as the same tree, holds every comment that `tokenize` finds exactly once,
// and printing what was read back changes nothing. A slice of it with HTP_SLICE.
#include "host/ast/compare.h"
#include "host/ast/unparse.h"
#include "host/ast/walk.h"
#include "host/parse/parse.h"
#include "host/parse/read_back.h"
#include "host/parse/trivia.h"
#include "host/parse/trivia_scan.h"
#include "tests/support/slices.h"
#include "tests/unparse/reference_stream.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <utility>

namespace htp {
namespace {

SourceRef read_source(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return std::make_shared<const SourceFile>(path, text.str());
}

std::string difference(const std::string &ours, const std::string &theirs) {
  size_t at = 0;
  while (at < std::min(ours.size(), theirs.size()) && ours[at] == theirs[at]) ++at;
  const size_t from = at < 120 ? 0 : at - 120;
  return "ours:   …" + ours.substr(from, 240) + "…\ntheirs: …" + theirs.substr(from, 240) + "…";
}

struct Parsed {
  Store store;
  Diagnostics diagnostics;
  htp_node root = 0;

  Parsed(const SourceRef &source, bool trivia) {
    root = parse_tree(source, diagnostics, store);
    if (root != 0 && trivia) attach_trivia(store, root, *store.file(store.at(root).file));
  }
  std::string why() const { return diagnostics.empty() ? "" : diagnostics.list()[0].message; }
};

// Whether each span is the place at which the text's own tree has the node; what stands in f-strings has none of its
// own. Answers what is wrong.
std::string misplaced(const Store &ours, htp_node root, const std::vector<LineSpan> &spans, const Store &theirs,
                      htp_node their_root) {
  std::vector<LineSpan> span_of(ours.abi()->record_count);
  for (const LineSpan &s : spans)
    if (std::exchange(span_of[s.node], s).node != 0) return "a node has two spans";
  std::vector<std::pair<htp_node, htp_node>> open{{root, their_root}};
  while (!open.empty()) {
    const auto [a, b] = open.back();
    open.pop_back();
    const htp_record &r = theirs.at(b);
    if (r.line != 0) {
      const LineSpan &s = span_of[a];
      if (s.line != r.line || s.col != r.col || s.end_line != r.end_line || s.end_col != r.end_col)
        return std::string(kind_info(r.kind).name) + ": " + std::to_string(s.line) + ":" + std::to_string(s.col) + "-" +
               std::to_string(s.end_line) + ":" + std::to_string(s.end_col) + " is " + std::to_string(r.line) + ":" +
               std::to_string(r.col) + "-" + std::to_string(r.end_line) + ":" + std::to_string(r.end_col);
    }
    if (r.kind == HTP_JoinedStr) continue;
    const Slots ours_slots = ours.slots(a), their_slots = theirs.slots(b);
    for (size_t f = 0; f < ours_slots.size(); ++f) {
      const uint8_t type = kind_fields(r.kind)[f].type;
      if (ours_slots[f] == 0) continue;
      if (type == HTP_FIELD_NODE || type == HTP_FIELD_OPT) open.emplace_back(ours_slots[f], their_slots[f]);
      if (type != HTP_FIELD_LIST && type != HTP_FIELD_LISTN) continue;
      for (size_t k = 0; k < ours.items(ours_slots[f]).size(); ++k)
        if (ours.items(ours_slots[f])[k] != 0)
          open.emplace_back(ours.items(ours_slots[f])[k], theirs.items(their_slots[f])[k]);
    }
  }
  return {};
}

std::vector<std::string> comments_of(const std::string &text) {
  std::vector<std::string> found;
  for (const TriviaToken &t : scan_trivia(text))
    if (t.kind <= TriviaKind::inner_comment) found.push_back(text.substr(t.offset, t.size));
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<std::string> sorted_lines(const std::string &text) {
  std::vector<std::string> found;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) found.push_back(line);
  std::sort(found.begin(), found.end());
  return found;
}

// The text that gave `again` reads back as the tree, at the spans that were told.
void check_same(const Parsed &parsed, const Parsed &again, const std::vector<LineSpan> &spans,
                const std::string &path) {
  ASSERT_NE(again.root, 0u) << path << ": " << again.why();
  const Difference d = first_difference(*parsed.store.abi(), parsed.root, *again.store.abi(), again.root);
  ASSERT_FALSE(d) << path << ": " << unparse(*parsed.store.abi(), d.a) << "\nreads back as "
                  << unparse(*again.store.abi(), d.b);
  ASSERT_EQ(misplaced(parsed.store, parsed.root, spans, again.store, again.root), "") << path;
}

// The first node of two equal trees of the store that stands elsewhere, has another context or other comments.
std::string unlike(const Store &store, htp_node a, htp_node b) {
  const htp_record &x = store.at(a), &y = store.at(b);
  const std::string name = kind_info(x.kind).name;
  if (x.line != y.line || x.col != y.col || x.end_line != y.end_line || x.end_col != y.end_col) return name + " stands";
  if (x.kind != y.kind || (x.file != 0) != (y.file != 0) || x.origin != y.origin) return name + " is made of";
  if ((x.note != 0) != (y.note != 0)) return name + " is noted";
  for (size_t f = 0; f < store.slots(a).size(); ++f) {
    const uint8_t type = kind_fields(x.kind)[f].type;
    const uint32_t s = store.slots(a)[f], t = store.slots(b)[f];
    const bool list = type == HTP_FIELD_LIST || type == HTP_FIELD_LISTN;
    if (!list && type > HTP_FIELD_OPT && type != HTP_FIELD_STRS && type != HTP_FIELD_OPS && s != t) return name;
    const Slots ours = list ? store.items(s) : type <= HTP_FIELD_OPT ? Slots(&s, 1) : Slots();
    const Slots theirs = list ? store.items(t) : type <= HTP_FIELD_OPT ? Slots(&t, 1) : Slots();
    if (ours.size() != theirs.size()) return name + " has";
    for (size_t k = 0; k < ours.size(); ++k) {
      if (!ours[k] != !theirs[k]) return name + " has";
      if (const std::string below = ours[k] ? unlike(store, ours[k], theirs[k]) : ""; !below.empty()) return below;
    }
  }
  return {};
}

// A tree that is taken to read back is what its text is read as. Of files and of each function by itself, whose number
// is the answer.
size_t check_read_back(Parsed &parsed, const std::string &path) {
  Store &store = parsed.store;
  std::vector<htp_node> modules{parsed.root}, open{parsed.root};
  while (!open.empty()) {
    const htp_node n = open.back();
    open.pop_back();
    for_each_child(*store.abi(), n, [&](htp_node child) { open.push_back(child); });
    if (store.kind(n) == HTP_FunctionDef) modules.push_back(store.node(HTP_Module, {store.list({n}), 0}));
  }
  size_t certain = 0;
  for (const htp_node module : modules) {
    std::vector<LineSpan> spans;
    const std::string text = unparse(*store.abi(), module, {.trivia = true, .spans = &spans});
    const auto source = std::make_shared<const SourceFile>(path, text);
    const htp_node back = read_back(source, module, spans, store);
    if (!back) continue;
    ++certain;
    const htp_node read = parse_tree(source, parsed.diagnostics, store);
    EXPECT_NE(read, 0u) << path << ": " << parsed.why() << "\n" << text;
    if (!read) continue;
    attach_trivia(store, read, *source);
    EXPECT_TRUE(same_tree(*store.abi(), back, read)) << path << "\n" << text;
    EXPECT_EQ(unlike(store, back, read), "") << path << "\n" << text;
    EXPECT_EQ(unparse(*store.abi(), back, {.trivia = true}), unparse(*store.abi(), read, {.trivia = true})) << path;
  }
  return certain;
}

void check_without_trivia(const Parsed &parsed, const Reference &theirs) {
  UnparseFailure failure;
  std::vector<LineSpan> spans;
  const std::string ours = unparse(*parsed.store.abi(), parsed.root, {.spans = &spans, .failure = &failure});
  ASSERT_EQ(failure.reason, nullptr) << theirs.path << ": " << failure.reason;
  ASSERT_EQ(theirs.kind, "text") << theirs.path << ": " << theirs.data;
  ASSERT_TRUE(ours == theirs.data) << theirs.path << "\n" << difference(ours, theirs.data);
  check_same(parsed, Parsed(std::make_shared<const SourceFile>(theirs.path, ours), false), spans, theirs.path);
}

void check_with_trivia(const Parsed &parsed, const Reference &comments) {
  UnparseFailure failure;
  std::vector<LineSpan> spans;
  const std::string ours =
      unparse(*parsed.store.abi(), parsed.root, {.trivia = true, .spans = &spans, .failure = &failure});
  ASSERT_EQ(failure.reason, nullptr) << comments.path << ": " << failure.reason;
  const Parsed again(std::make_shared<const SourceFile>(comments.path, ours), true);
  ASSERT_NO_FATAL_FAILURE(check_same(parsed, again, spans, comments.path));
  if (comments.data != "?") {
    ASSERT_EQ(comments_of(ours), sorted_lines(comments.data)) << comments.path;
  }
  const std::string second = unparse(*again.store.abi(), again.root, {.trivia = true});
  ASSERT_TRUE(second == ours) << comments.path << " is not stable\n" << difference(second, ours);
}

TEST(UnparseCorpus, HoldsForEveryFile) {
  const auto [first, step] = test::slice();
  ReferenceStream stream(std::string(HTP_PYTHON) + " -I '" HTP_SOURCE_DIR "/tests/unparse/reference.py' " +
                         std::to_string(first) + " " + std::to_string(step) +
                         " '" HTP_SOURCE_DIR "/tests/unparse' /usr/lib/python3.11");
  int files = 0, kept = 0;
  size_t certain = 0;
  for (Reference text, comments; stream.next(text) && stream.next(comments); ++files) {
    Parsed parsed(read_source(text.path), true);
    ASSERT_NE(parsed.root, 0u) << text.path << ": " << parsed.why();
    check_without_trivia(parsed, text);
    check_with_trivia(parsed, comments);
    kept += comments.data != "?";
    certain += check_read_back(parsed, text.path);
  }
  EXPECT_GT(certain, static_cast<size_t>(10 * files)); // functions
  EXPECT_GT(files, 600 / step);
  EXPECT_GT(kept, files - 10);
}

} // namespace
} // namespace htp

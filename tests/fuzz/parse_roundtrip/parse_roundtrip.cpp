// Any bytes: a program or a diagnostic. A program's tree, printed with and without its trivia, reads back as the same
// tree; every comment is kept once, and printing again changes nothing.
#include "host/ast/compare.h"
#include "host/ast/unparse.h"
#include "host/parse/parse.h"
#include "host/parse/trivia.h"
#include "host/parse/trivia_scan.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

// CPython keeps what it has for life.
extern "C" const char *__asan_default_options() { return "detect_leaks=0"; }

namespace htp {
namespace {

struct Parsed {
  Store store;
  Diagnostics diagnostics;
  htp_node root;

  explicit Parsed(std::string text) {
    root = parse_tree(std::make_shared<const SourceFile>("fuzz.py", std::move(text)), diagnostics, store);
    if (root != 0) attach_trivia(store, root, source());
  }
  const SourceFile &source() const { return *store.file(store.at(root).file); }
};

void require(bool holds, const char *what, const std::string &a, const std::string &b = {}) {
  if (holds) return;
  std::fprintf(stderr, "%s\n----\n%s\n----\n%s\n", what, a.c_str(), b.c_str());
  std::abort();
}

std::vector<std::string> comments_of(const std::string &text) {
  std::vector<std::string> found;
  for (const TriviaToken &t : scan_trivia(text))
    if (t.kind <= TriviaKind::inner_comment) found.push_back(text.substr(t.offset, t.size));
  std::sort(found.begin(), found.end());
  return found;
}

void check(const Parsed &parsed, bool trivia) {
  UnparseFailure failure;
  const std::string text = unparse(*parsed.store.abi(), parsed.root, {.trivia = trivia, .failure = &failure});
  if (failure.reason) return;
  const Parsed again(text);
  const std::string &source = parsed.source().text;
  require(again.root != 0, "the text does not parse", source, text);
  require(!first_difference(*parsed.store.abi(), parsed.root, *again.store.abi(), again.root), "another tree", source,
          text);
  if (!trivia) return;
  require(comments_of(source) == comments_of(text), "comments differ", source, text);
  const std::string second = unparse(*again.store.abi(), again.root, {.trivia = true});
  require(second == text, "printing again changes the text", text, second);
}

} // namespace
} // namespace htp

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const htp::Parsed parsed(std::string(reinterpret_cast<const char *>(data), size));
  htp::require((parsed.root == 0) == (parsed.diagnostics.errors() != 0), "neither a tree nor a diagnostic", "");
  if (parsed.root == 0) return 0;
  htp::check(parsed, false);
  htp::check(parsed, true);
  return 0;
}

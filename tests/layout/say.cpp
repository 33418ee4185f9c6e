// What the library says, for tests in Python: each line of the input is words between tabs, each answer one line, a
// layout, something else, or `no: ` and the reason.
#include "htp_cpp/layout/convert.h"

#include <iostream>
#include <sstream>

namespace {
using namespace htp::layout;

struct Question {
  std::vector<std::string> words;

  Result<Layout> layout(size_t k) const { return read(words.at(k)); }
  // A tuple of ints.
  std::vector<int64_t> numbers(size_t k) const {
    const auto literal = read_literal(words.at(k));
    std::vector<int64_t> result;
    if (literal)
      for (const Literal &item : literal->items) result.push_back(item.value);
    return result;
  }
  std::vector<size_t> order(size_t k) const {
    const auto found = numbers(k);
    return {found.begin(), found.end()};
  }
};

Result<std::string> text(const Result<Layout> &l) {
  return l ? Result<std::string>(write(*l)) : Result<std::string>(l.no());
}

Result<std::string> answer(const Question &q) {
  const std::string &what = q.words.at(0);
  const auto a = q.layout(1);
  if (!a || what == "read") return text(a);
  if (what == "compose" || what == "product") {
    const auto b = q.layout(2);
    if (!b) return b.no();
    return text(what == "compose" ? compose(*a, *b) : product(*a, *b));
  }
  if (what == "permute") return text(permute(*a, q.numbers(2), q.order(3)));
  if (what == "slice") return text(slice(*a, q.numbers(2), q.numbers(3), q.numbers(4), q.numbers(5)));
  if (what == "cute") return write_cute(*a, q.numbers(2));
  if (what == "strided") return write_strided(*a, q.numbers(2));
  if (what == "linear") return write_linear(*a, q.numbers(2), {"register", "lane", "warp"});
  if (what == "shard") return write_shard(*a, q.numbers(2), {{"x", q.numbers(3).at(0)}, {"y", q.numbers(3).at(1)}});
  if (what == "invert") {
    const auto inverse = invert(*a, {"x", "m"});
    if (!inverse) return inverse.no();
    return write(inverse->layout) + "\t" + std::to_string(inverse->space[0].second) + "\t" +
           std::to_string(inverse->space[1].second);
  }
  if (what == "relayout") {
    const auto b = q.layout(2);
    if (!b) return b.no();
    const auto steps = relayout(*a, *b, q.numbers(3), 4);
    if (!steps) return steps.no();
    std::string result;
    for (const Step &s : *steps) result += (result.empty() ? "" : "; ") + text_of(s);
    return result;
  }
  return No{"there is no question `" + what + "`"};
}

} // namespace

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    Question q;
    std::istringstream in(line);
    for (std::string word; std::getline(in, word, '\t');) q.words.push_back(word);
    const auto said = answer(q);
    std::cout << (said ? *said : "no: " + said.reason()) << '\n';
  }
}

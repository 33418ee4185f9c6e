// A fuzzer without libFuzzer, for builds whose compiler has none: NAME INPUT RUNS CORPUS… gives the target each file of
// its corpus, and RUNS seeded changes of each. INPUT is the file in which the input lies that is being run: where one
// ends the process, it is left there.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

namespace {

using Random = std::mt19937;

size_t below(Random &random, size_t bound) { return bound ? random() % bound : 0; }

void run(const std::string &input, const char *kept) {
  std::ofstream(kept, std::ios::binary) << input;
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t *>(input.data()), input.size());
}

// One to four changes: of a byte, of a range that goes or comes twice, or of one that another input has instead.
std::string changed(std::string text, const std::string &other, Random &random) {
  for (size_t left = 1 + below(random, 4); left > 0; --left) {
    const size_t at = below(random, text.size()), size = std::min(text.size() - at, 1 + below(random, 16));
    switch (below(random, 5)) {
    case 0: text.insert(at, 1, char(random())); break;
    case 1: text.erase(at, size); break;
    case 2: text.insert(at, text.substr(at, size)); break;
    case 3: text.replace(at, size, other.substr(below(random, other.size()), size)); break;
    default:
      if (!text.empty()) text[at] = char(text[at] ^ (1 << below(random, 8)));
    }
  }
  return text;
}

} // namespace

int main(int count, char **arguments) {
  if (count < 4) return std::fprintf(stderr, "usage: %s INPUT RUNS CORPUS…\n", arguments[0]), 2;
  const int runs = std::stoi(arguments[2]);
  std::vector<std::string> corpus;
  for (int i = 3; i < count; ++i) {
    std::ifstream in(arguments[i], std::ios::binary);
    corpus.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
    run(corpus.back(), arguments[1]);
  }
  Random random(1);
  for (const std::string &text : corpus)
    for (int i = 0; i < runs; ++i) run(changed(text, corpus[below(random, corpus.size())], random), arguments[1]);
  std::printf("%zu inputs, %zu changed\n", corpus.size(), corpus.size() * size_t(runs));
  std::remove(arguments[1]);
}

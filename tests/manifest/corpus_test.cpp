// The fuzzer's kept corpus, in every build.
#include "tests/fuzz/manifest/probe.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace htp {
namespace {

TEST(Corpus, EveryFileIsReadOrRefused) {
  size_t met = 0;
  for (const auto &entry : std::filesystem::directory_iterator(HTP_SOURCE_DIR "/tests/fuzz/corpus/manifest")) {
    SCOPED_TRACE(entry.path().string());
    std::ifstream file(entry.path(), std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    test::probe(text.str());
    ++met;
  }
  EXPECT_GE(met, 20u);
}

} // namespace
} // namespace htp

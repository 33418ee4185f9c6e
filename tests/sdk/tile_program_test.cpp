// Tile programs as the library reads them: of the tile language, after types were inferred.
#include "htp_cpp/tile_program.h"
#include "tests/support/dialect_host.h"

#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

namespace {

using namespace htp::sdk;
using htp::test::DialectHost;
using Kind = TileStatement::Kind;

// The program after tile.infer.
DialectHost typed(const std::string &program, const std::string &entry) {
  DialectHost host({"dialect-tile", "dialect-wsp", "dialect-csp"}, program, entry, {{"levels.core", "4"}});
  for (const char *pass : {"tile.inline", "tile.canonicalize", "tile.infer"})
    EXPECT_TRUE(host.pass(pass)) << host.said();
  return host;
}

// What is read, or at what it was refused.
std::string read(const DialectHost &host, const std::function<void(const TileProgram &)> &f) {
  std::string refused;
  host.look([&](const htp_host *h, htp_ctx *x, uint32_t root) {
    const Context c(h, x);
    const auto program =
        read_tile_program(c, root, [&](Node, const std::string &what) { refused += "no " + what + "\n"; });
    EXPECT_EQ(program.has_value(), refused.empty());
    if (program) f(*program);
  });
  return refused;
}
std::string kernel(const std::string &parameters, const std::string &body) {
  return "import htp\nfrom htp import In, InOut, Out, bool_, f32, i32\n"
         "from htp_tile import Tensor, exp, full, index, kernel, matmul, reduce_max, reduce_sum, tiles, zeros\n"
         "M = htp.dim('M')\nN = htp.dim('N')\nK = htp.dim('K')\nSIDE = 4\n\n@kernel\ndef k(" +
         parameters + ") -> None:\n" + body;
}

std::string text(const std::vector<IntExpr> &ints) {
  std::string result;
  for (const IntExpr &e : ints) result += (result.empty() ? "" : ", ") + e.text();
  return "[" + result + "]";
}
// One line a statement: its position, and what it is.
void describe(const TileStatement &s, std::string &out, const std::string &indent = "") {
  out += std::to_string(s.position) + indent + " ";
  if (s.is(Kind::loop)) {
    out += "for " + s.loop.name + (s.loop.blocks ? " blocks " : " ") + text({s.loop.start, s.loop.stop, s.loop.step});
  } else if (s.is(Kind::branch)) {
    out += "if " + s.test.left.text() + " op " + s.test.right.text();
  } else if (s.is(Kind::integer)) {
    out += s.name + " = " + s.value.text();
  } else {
    out += std::string(s.intrinsic->name);
    if (s.result) out += (s.binds ? " binds " : " writes ") + s.result->name + text(s.result->extents);
    if (s.tensor) {
      out += (s.stores ? " stores " : " loads ") + s.tensor->name;
      for (const TileIndex &i : s.index)
        out += text({i.start, i.count}) + (i.step == 1 ? "" : "*" + std::to_string(i.step));
    }
    for (const TileOperand &o : s.operands)
      if (o.tile)
        out += " " + o.tile->name;
      else if (o.number)
        out += " number";
  }
  out += "\n";
  for (const TileStatement &b : s.body) describe(b, out, indent + "  ");
  for (const TileStatement &b : s.otherwise) describe(b, out, indent + " |");
}
std::string described(const DialectHost &host) {
  std::string out;
  const std::string refused = read(host, [&](const TileProgram &p) {
    for (const TileStatement &s : p.body) describe(s, out);
  });
  return refused + out;
}

TEST(TilePrograms, AreReadOnce) {
  const std::string softmax = htp::test::read_text(htp::test::source_path("examples/softmax/softmax.py"));
  EXPECT_EQ(described(typed(softmax, "softmax")), "0 for i blocks [0, M, 8]\n"
                                                  "1   tile.load binds row[len(i), N] loads x[i.start, len(i)][0, N]\n"
                                                  "2   tile.reduce_max binds reduce_max[len(i), 1] row number\n"
                                                  "3   tile.sub binds sub[len(i), N] row reduce_max\n"
                                                  "4   tile.exp binds e[len(i), N] sub\n"
                                                  "5   tile.reduce_sum binds reduce_sum[len(i), 1] e number\n"
                                                  "6   tile.div binds div[len(i), N] e reduce_sum\n"
                                                  "7   tile.store stores y[i.start, len(i)][0, N] div\n");
}

TEST(TilePrograms, HaveIndicesAsInts) {
  const std::string body = "    for i in tiles(M - 2, 8):\n"
                           "        for j in tiles(i, SIDE):\n"
                           "            y[j + 1, :] = x[j * 2 + 1, :N]\n"
                           "    for p in range(M - 1, -1, -1):\n"
                           "        q = M - 1 - p\n"
                           "        if q < 3:\n"
                           "            y[q, 1:9:2] = x[p, 2:6]\n"
                           "        else:\n"
                           "            y[min(q, p), 0] = 1.0\n";
  const DialectHost host = typed(kernel("x: In[Tensor[f32, 2 * M, N]], y: InOut[Tensor[f32, M, N]]", body), "k");
  EXPECT_EQ(described(host), "0 for i blocks [0, M - 2, 8]\n"
                             "1   for j blocks [i.start, i.start + len(i), 4]\n"
                             "2     tile.load binds x_tile[len(j), N] loads x[2 * j.start + 1, len(j)]*2[0, N]\n"
                             "3     tile.store stores y[j.start + 1, len(j)][0, N] x_tile\n"
                             "4 for p [M - 1, -1, -1]\n"
                             "5   q = M - p - 1\n"
                             "6   if q op 3\n"
                             "7     tile.load binds x_tile_1[1, 4] loads x[p, 1][2, 4]\n"
                             "8     tile.store stores y[q, 1][1, 4]*2 x_tile_1\n"
                             "9   | tile.store stores y[min(q, p), 1][0, 1] number\n");
  read(host, [](const TileProgram &p) {
    EXPECT_THAT(p.dims, testing::ElementsAre("M", "N"));
    EXPECT_EQ(p.range_of("len(i)"), (IntRange{1, 8}));
    EXPECT_EQ(p.range_of("len(j)"), (IntRange{1, 4}));
    EXPECT_EQ(p.range_of("i.start"), (IntRange{0, std::nullopt}));
    EXPECT_EQ(p.range_of("p"), (IntRange{0, std::nullopt}));
    EXPECT_EQ(p.range_of("M"), (IntRange{0, std::nullopt}));
    EXPECT_EQ(p.tensors[0].direction, "In");
  });
}

TEST(TilePrograms, KnowHowLongTilesLive) {
  const std::string gemm = htp::test::read_text(htp::test::source_path("examples/gemm/gemm.py"));
  std::map<std::string, std::pair<size_t, size_t>> live;
  const auto note = [&](const TileProgram &p) {
    for (const TileValue &v : p.values) live[v.name] = {v.begin, v.end};
  };
  const DialectHost host = typed(gemm, "gemm");
  EXPECT_EQ(read(host, note), "");
  using Range = std::pair<size_t, size_t>;
  // 0 for i, 1 for j, 2 acc, 3 for k, 4 a_tile, 5 b_tile, 6 matmul, 7 store
  EXPECT_EQ(live["acc"], (Range{2, 7}));
  EXPECT_EQ(live["a_tile"], (Range{4, 6}));
  EXPECT_EQ(live["b_tile"], (Range{5, 6}));
  // What is bound before a loop is needed until that has ended, wherever it is used within.
  const std::string body = "    for i in tiles(M, 8):\n"
                           "        first = x[i, :]\n"
                           "        for p in range(3):\n"
                           "            for q in range(2):\n"
                           "                second = first + 1.0\n"
                           "                y[i, :] = second\n"
                           "            y[i, :] = 2.0\n"
                           "        y[i, :] = 3.0\n";
  EXPECT_EQ(read(typed(kernel("x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]]", body), "k"), note), "");
  EXPECT_EQ(live["first"], (Range{1, 6}));
  EXPECT_EQ(live["second"], (Range{4, 5}));
}

TEST(TilePrograms, SayWhatLeavesItsBlock) {
  const std::string body = "    for i in tiles(M, 8):\n"
                           "        if SIDE < M:\n"
                           "            v = x[i, :] + 1.0\n"
                           "        else:\n"
                           "            v = x[i, :] * 2.0\n"
                           "        w = v + 1.0\n"
                           "        for p in range(2):\n"
                           "            w = w + v\n"
                           "        y[i, :] = w\n";
  std::map<std::string, bool> escapes;
  const DialectHost host = typed(kernel("x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]", body), "k");
  EXPECT_EQ(read(host,
                 [&](const TileProgram &p) {
                   for (const TileValue &v : p.values) escapes[v.name] = v.escapes;
                 }),
            "");
  EXPECT_TRUE(escapes.at("v"));
  EXPECT_FALSE(escapes.at("w"));
}

TEST(TilePrograms, DecideByInts) {
  const std::string body = "    for i in tiles(M, 8):\n"
                           "        if SIDE and not (M < N or len(i) == 3):\n"
                           "            y[i, :] = x[i, :]\n";
  const DialectHost host = typed(kernel("x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]]", body), "k");
  EXPECT_EQ(read(host,
                 [](const TileProgram &p) {
                   const TileTest &all = p.body[0].body[0].test;
                   ASSERT_EQ(all.kind, TileTest::Kind::all);
                   EXPECT_EQ(all.of[0].kind, TileTest::Kind::compare);
                   EXPECT_EQ(all.of[0].left, IntExpr(4));
                   EXPECT_EQ(all.of[0].op, HTP_NotEq);
                   ASSERT_EQ(all.of[1].kind, TileTest::Kind::negation);
                   const TileTest &any = all.of[1].of[0];
                   ASSERT_EQ(any.kind, TileTest::Kind::any);
                   EXPECT_EQ(any.of[0].left.text() + " < " + any.of[0].right.text(), "M < N");
                   EXPECT_EQ(any.of[1].left.text(), "len(i)");
                 }),
            "");
}

TEST(TilePrograms, AreRefusedByWhatTheyAreNot) {
  const DialectHost host = typed(kernel("x: In[Tensor[f32, M]], y: Out[Tensor[f32, M]]",
                                        "    n = 0\n    while n < M:\n        y[n] = x[n]\n        n += 1\n"),
                                 "k");
  EXPECT_EQ(described(host), "no a `while`\n");
  host.look([](const htp_host *h, htp_ctx *x, uint32_t root) {
    std::string refused;
    const Context c(h, x);
    EXPECT_FALSE(read_tile_program(c, root, [&](Node, const std::string &what) { refused = what; }, {}));
    EXPECT_EQ(refused, "a `while`");
  });
}

// Processes are functions within the entry, and their channels neither tiles nor ints; what has no form is left as it
// is.
TEST(TilePrograms, MayHaveProcesses) {
  const std::string program =
      "import htp\nfrom htp import In, Out, f32\nfrom htp_csp import channels, pipeline, process\n"
      "from htp_tile import Tensor\nN = 40\n\n@pipeline\n"
      "def p(x: In[Tensor[f32, N, 8]], y: Out[Tensor[f32, 2, 8]]) -> None:\n"
      "    lanes = channels(2, f32, 1, 8, capacity=2)\n"
      "    @process(grid=2)\n"
      "    def send(k: int) -> None:\n"
      "        for m in range(2):\n"
      "            if k == 1:\n"
      "                lanes[k].put(x[16 * k + 8 * m, :])\n"
      "    @process\n"
      "    def take() -> None:\n"
      "        for i in range(2):\n"
      "            y[i, :] = lanes[1].get() + x[i, :]\n";
  DialectHost host({"dialect-tile", "dialect-wsp", "dialect-csp"}, program, "p", {{"levels.core", "4"}});
  for (const char *pass : {"csp.lower", "tile.canonicalize", "tile.infer"}) ASSERT_TRUE(host.pass(pass)) << host.said();
  host.look([](const htp_host *h, htp_ctx *x, uint32_t root) {
    const Context c(h, x);
    const auto all = read_open_program(c, root, [](Node, const std::string &what) { ADD_FAILURE() << what; });
    ASSERT_TRUE(all);
    std::string told;
    all->each([&](const TileStatement &s) {
      if (s.is(Kind::function)) told += s.name + "(" + (s.parameters.empty() ? "" : s.parameters[0]) + ") ";
      if (s.is(Kind::call) && !s.name.empty()) told += s.name + " = " + s.intrinsic->name + " ";
      if (s.tensor)
        told += std::string(s.stores ? "stores " : "loads ") + text({s.index[0].start, s.index[0].count}) + " ";
      if (s.is(Kind::branch)) told += "if " + s.test.left.text() + " ";
    });
    EXPECT_EQ(told, "lanes = csp.channels send(k) if k lane = csp.lane loads [16 * k + 8 * m, 1] take() "
                    "lane_1 = csp.lane loads [i, 1] stores [i, 1] ");
  });
}

// What a load takes of a tensor has the extents that types were inferred with; and nothing but what the reader has no
// form for is refused, in any example that is a kernel.
TEST(TilePrograms, AgreeWithTheTypesOfEachExample) {
  static const std::regex marked(R"(\n@kernel\ndef (\w+))");
  size_t readable = 0, loads = 0;
  for (const auto &folder : std::filesystem::directory_iterator(htp::test::source_path("examples"))) {
    const std::string name = folder.path().filename().string(), path = "examples/" + name + "/" + name + ".py";
    if (!std::filesystem::exists(htp::test::source_path(path))) continue;
    const std::string program = htp::test::read_text(htp::test::source_path(path));
    if (program.find("@pipeline") != std::string::npos || program.find("@workload") != std::string::npos ||
        program.find("choice(") != std::string::npos || program.find("external") != std::string::npos)
      continue;
    std::string entry;
    for (std::sregex_iterator found(program.begin(), program.end(), marked), end; found != end; ++found)
      entry = (*found)[1];
    DialectHost host({"dialect-tile", "dialect-wsp", "dialect-csp"}, program, entry, {{"levels.core", "4"}});
    if (!host.check() || !host.pass("tile.inline") || !host.pass("tile.canonicalize") || !host.pass("tile.infer"))
      continue;
    const std::string refused = read(host, [&](const TileProgram &p) {
      ++readable;
      p.each([&](const TileStatement &s) {
        if (!s.is(Kind::call) || !s.tensor || s.stores || !s.result) return;
        std::vector<IntExpr> counts;
        bool known = true;
        for (const TileIndex &i : s.index) counts.push_back(i.count), known &= !i.indices;
        if (!known) return;
        ++loads;
        EXPECT_EQ(text(counts), text(s.result->extents)) << name << ": " << s.result->name;
      });
    });
    EXPECT_THAT(refused, testing::AnyOf("", "no a `while`\n", testing::StartsWith("no a value of the type"))) << name;
  }
  EXPECT_GE(readable, 40u);
  EXPECT_GE(loads, 150u);
}

} // namespace

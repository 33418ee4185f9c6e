// What the backend says of a package and of a run, and of what no stage of refused/ brings about.
#include "cpu_host.h"
#include "tensors.h"

#include <gtest/gtest.h>
#include <htp/htp.h>

#include <array>
#include <cstdlib>
#include <sys/stat.h>

#if defined(__SANITIZE_ADDRESS__)
// Memory that is not there is one of the cases.
extern "C" const char *__asan_default_options();
const char *__asan_default_options() { return "allocator_may_return_null=1"; }
#endif

namespace htp::test {
namespace {

constexpr std::string_view head = R"(import htp
from htp import In, Out, f32, f8, i32
import htp_cpu as cpu
import htp_tile as tile
from htp_tile import Tensor, Tile
N = htp.dim("N")
K = htp.dim("K")
)";

std::string kernel(const std::string &body,
                   const std::string &parameters = "x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]") {
  return std::string(head) + "def k(" + parameters + ") -> None:\n" + body;
}

// A pipeline: its body declares channels and processes.
std::string pipeline(const std::string &body) {
  std::string program = kernel(body);
  program.insert(head.size(), "@csp.pipeline\n");
  return program.insert(program.find("import htp_cpu"), "import htp_csp as csp\n");
}

// What cpu.loops says of a body over tiles.
std::string loops(const std::string &body) {
  CpuHost host(kernel(body));
  EXPECT_FALSE(host.pass("cpu.loops"));
  return host.said();
}
// What the verifier of the last stage says of a body over elements; the emitter refuses the same.
std::string ready(const std::string &body, const std::string &constants = "") {
  std::string program = kernel(body);
  program.insert(head.size(), constants);
  CpuHost host(program), same(program);
  EXPECT_FALSE(host.holds("Codegen.Ready(target=cpu)"));
  EXPECT_FALSE(same.emit());
  return host.said();
}

TEST(Diagnostics, NoHandler) {
  const std::string program = kernel("    for i in tile.tiles(N, 8):\n"
                                     "        t: Tile[f32, i] = tile.load(x, i)\n");
  CpuHost host(program, "k", {"tile.intrinsics", "cpu.intrinsics", "cpu"});
  EXPECT_FALSE(host.pass("cpu.select"));
  EXPECT_EQ(host.said(),
            "cpu.no-handler: `tile.load` has no handler for cpu\n"
            "  hint: write it without this intrinsic: `htp-host ops show tile.load` says which targets have it\n");
}

TEST(Diagnostics, NoEntry) {
  for (const char *pass : {"cpu.select", "cpu.loops"}) {
    CpuHost host(kernel("    pass\n"), "other");
    EXPECT_FALSE(host.pass(pass));
    EXPECT_EQ(host.said(), "cpu.no-entry: the program has no function `other` to lower\n"
                           "  hint: `--entry` names a function of the program\n");
  }
  CpuHost host(kernel("    pass\n"), "other");
  EXPECT_FALSE(host.emit());
}

TEST(Diagnostics, UnsupportedDtype) {
  CpuHost host(kernel("    pass\n", "x: In[Tensor[f8, N]]"));
  EXPECT_FALSE(host.pass("cpu.loops"));
  EXPECT_EQ(host.said(), "cpu.unsupported-dtype: the CPU backend has no `f8`\n"
                         "  hint: cast the data to a dtype it has before it reaches the kernel\n");
  EXPECT_EQ(loops("    t: Tile[f8, N] = cpu.zeros(f8, N)\n"),
            "cpu.unsupported-dtype: the CPU backend has no `f8`\n"
            "  hint: cast the data to a dtype it has before it reaches the kernel\n");
}

// One step along each dimension, and parts on devices: each is in the memory of one. What has no such steps,
// refused/layouts.py has.
TEST(Diagnostics, ParameterLayout) {
  for (const char *layout : {"((512, 1, \"m\"),)", "((8, 1, \"x\"), (64, 1, \"m\"))", "((8, 1, \"m\"), (64, 8, \"m\"))",
                             "((8, 128, \"m\"), (64, 1, \"m\"))"}) {
    CpuHost host(kernel("    pass\n", std::string("x: In[Tensor[f32, 8, 64, htp.layout(") + layout + ")]]"));
    EXPECT_TRUE(host.pass("cpu.select")) << host.said();
  }
}

// A pass that keeps `Tile.Typed`, and makes what it does not hold of; the verifier refuses such a stage before.
TEST(Diagnostics, Untyped) {
  const auto untyped = [](const std::string &what) {
    return "cpu.untyped: `" + what +
           "` is not a statement that `Tile.Typed` holds of\n  hint: verify each pass: `--verify-each`\n";
  };
  const std::string tile = "    t: Tile[f32, N] = cpu.load(x, tile.whole)\n",
                    rows = "    r: Tile[f32, N, 4] = cpu.zeros(f32, N, 4)\n";
  EXPECT_EQ(loops("    t = cpu.load(x, tile.whole)\n"), untyped("t = cpu.load(x, tile.whole)"));
  for (const auto &[before, type, call] :
       std::initializer_list<std::array<std::string, 3>>{{"", "Tile[f32, N]", "cpu.load(x, tile.whole, 0)"},
                                                         {"", "Tile[f32, N]", "cpu.load(z, tile.whole)"},
                                                         {"", "Tile[f32, 1]", "cpu.reduce_sum(x, axis=0)"},
                                                         {tile, "Tile[f32, 1]", "cpu.reduce_sum(t, axis=1)"},
                                                         {tile, "Tile[i32, N]", "cpu.iota(i32, N, axis=1)"},
                                                         {tile, "Tile[f32, N]", "cpu.sort(t, axis=1)"},
                                                         {tile, "Tile[f32, N]", "cpu.gather(t, x, axis=0)"},
                                                         {tile, "Tile[f32, N]", "cpu.transpose(t)"},
                                                         {rows, "Tile[f32, N, N]", "cpu.transpose(r, (0, 0))"},
                                                         {rows, "Tile[f32, N, 8]", "cpu.reshape(r, N, 8)"},
                                                         {rows, "Tile[f32, N, 4, 2]", "cpu.reshape(r, N, 4, 2)"},
                                                         {"", "Tile[f32, N, 8]", "cpu.reshape(x, N, 8)"},
                                                         {tile + rows, "Tile[f32, N, N]", "cpu.matmul(r, t)"}})
    EXPECT_EQ(loops(before + "    made: " + type + " = " + call + "\n"), untyped(call));
  EXPECT_EQ(loops("    cpu.store(z, x, tile.whole)\n"), untyped("cpu.store(z, x, tile.whole)"));
  EXPECT_EQ(loops("    for n in range(N):\n        t: Tile[f32, N] = cpu.load(x, slice(n))\n"), untyped("slice(n)"));
}

// No program that the tile language accepts has these.
TEST(Diagnostics, UntypedBuffer) {
  EXPECT_EQ(loops("    h: Tile[f32, 8] = cpu.buffer(f32, 8)\n"),
            "cpu.untyped-buffer: the buffer `h` has no type with a dtype and extents\n"
            "  hint: annotate it: `h: Tensor[f32, 8, N] = …`, or `Tile[f32, 8, N]` of `cpu.alloc`\n");
}

TEST(Diagnostics, NotSelected) {
  CpuHost host(kernel("    for i in tile.tiles(N, 8):\n"
                      "        t: Tile[f32, i] = tile.load(x, i)\n"));
  EXPECT_FALSE(host.holds("Cpu.Selected"));
  EXPECT_EQ(host.said(), "cpu.not-selected: `Cpu.Selected` does not hold: `tile.load` is not in the target set\n"
                         "  hint: call an intrinsic of `htp_cpu`, or begin from a stage before `cpu.select`\n");
  CpuHost call(kernel("    print(x)\n"));
  EXPECT_FALSE(call.holds("Cpu.Selected"));
  EXPECT_EQ(call.said(), "cpu.not-selected: `Cpu.Selected` does not hold: `print` is not in the target set\n"
                         "  hint: call an intrinsic of `htp_cpu`, or begin from a stage before `cpu.select`\n");
}

// What a stage of tests/backend-cpu/refused does not show: constants that are none, defined by each other or twice.
TEST(Diagnostics, NoConstants) {
  for (const auto &[name, constants] :
       {std::pair{"A", "A = B\nB = A\n"}, std::pair{"TWICE", "TWICE = 8\nTWICE = TWICE * 2\n"}})
    EXPECT_EQ(
        ready("    cpu.put(y, " + std::string(name) + ", 0)\n", constants),
        "cpu.unknown-name: `" + std::string(name) +
            "` is not known here\n  hint: assign it before, in a block around; or make it a constant of the module\n");
}

// ── the binding ─────────────────────────────────────────────────────────────────────────────────────────────────────

class Refused : public testing::Test {
protected:
  Refused() : folder_(*TemporaryFolder::make()), cache_(folder_.path() + "/cache") {
    CpuHost host(source_text("tests/backend-cpu/loops/softmax.loops.py"));
    EXPECT_TRUE(host.emit()) << host.said();
    package_ = write_package(host, folder_.path() + "/package");
  }
  ~Refused() override { unsetenv("CC"); }

  // What `validate` says after a change of a file.
  std::string changed(const std::string &file, const std::string &from, const std::string &to) {
    const std::string before = *read_file(package_ + "/" + file);
    std::string text = before;
    text.replace(text.find(from), from.size(), to);
    write_file(package_ + "/" + file, text);
    Bound bound(package_, cache_);
    EXPECT_FALSE(bound.validate());
    write_file(package_ + "/" + file, before);
    return bound.said();
  }
  // A C compiler of our own: a shell script.
  void compiler(const std::string &script) {
    const std::string path = folder_.path() + "/mycc";
    write_file(path, "#!/bin/sh\ncase \"$*\" in *--version*) echo mycc 1; exit 0;; *-dM*) exit 0;; esac\n" + script);
    chmod(path.c_str(), 0755);
    setenv("CC", path.c_str(), 1);
  }
  std::string built() {
    Bound bound(package_, cache_);
    bound.context().settings.environment = {"CC"};
    if (bound.build()) bound.load();
    return bound.said();
  }
  // What a run says of these arguments.
  std::string run(const std::vector<htp_argument> &arguments, const std::string &entry = "k") {
    Bound bound(package_, cache_);
    EXPECT_TRUE(bound.build() && bound.load()) << bound.said();
    EXPECT_FALSE(bound.run(entry, arguments));
    return bound.said();
  }

  TemporaryFolder folder_;
  Cache cache_;
  std::string package_;
  unsigned count_ = 0;
  Array<float> x{{3, 5}}, y{{3, 5}};
};

TEST_F(Refused, ChangedPackage) {
  const std::string tail = "\n  hint: compile the package again\n";
  const std::string signature = "codegen/cpu/signature.json", recipe = "build/recipe.json";
  EXPECT_EQ(changed(signature, "{", "["), "cpu.no-json: `codegen/cpu/signature.json` is not a JSON object" + tail);
  EXPECT_EQ(changed(signature, "signature/1", "signature/9"),
            "cpu.other-version: `codegen/cpu/signature.json`: `schema` is `htp.cpu.signature/9`, and this binding "
            "reads `htp.cpu.signature/1`" +
                tail);
  EXPECT_EQ(changed(signature, "cpu/1\"", "npu/1\""),
            "cpu.other-version: `codegen/cpu/signature.json`: `contract` is `npu/1`, and this binding reads `cpu/1`" +
                tail);
  EXPECT_EQ(changed(signature, "\"call\"", "\"tall\""),
            "cpu.bad-field: `codegen/cpu/signature.json`: `call` is not a string" + tail);
  EXPECT_EQ(changed(signature, "[\"M\", \"N\"]},", "[\"M\", \"Q\"]},"),
            "cpu.bad-extent: `codegen/cpu/signature.json`: `Q` cannot be in an extent" + tail);
  EXPECT_EQ(changed(signature, "[\"M\", \"N\"]},", R"(["M", ["^", "N", 2]]},)"),
            "cpu.bad-extent: `codegen/cpu/signature.json`: `^` cannot be in an extent" + tail);
  EXPECT_EQ(changed(recipe, "codegen/cpu/kernel.c", "codegen/cpu/../../x.c"),
            "cpu.not-allowed: `build/recipe.json`: `codegen/cpu/../../x.c` is not a source that a recipe may have" +
                tail);
  EXPECT_EQ(changed(recipe, "kernel.so", "../kernel.so"),
            "cpu.not-allowed: `build/recipe.json`: `../kernel.so` is not a file name that a recipe may have" + tail);
  EXPECT_EQ(changed(recipe, "\"libraries\": []", "\"libraries\": [\"dl\"]"),
            "cpu.not-allowed: `build/recipe.json`: `dl` is not a library that a recipe may have" + tail);
  EXPECT_EQ(changed(recipe, "-fPIC", "-wrapper"),
            "cpu.not-allowed: `build/recipe.json`: `-wrapper` is not a flag that a recipe may have" + tail);
  EXPECT_EQ(changed(recipe, "-fPIC", "-fplugin=x.so"),
            "cpu.not-allowed: `build/recipe.json`: `-fplugin=x.so` is not a flag that a recipe may have" + tail);
  remove_tree(package_ + "/codegen/cpu/htp_cpu.h");
  Bound bound(package_, cache_);
  EXPECT_FALSE(bound.validate());
  EXPECT_NE(bound.said().find("cpu.unreadable: `codegen/cpu/htp_cpu.h` of the package cannot be read"),
            std::string::npos)
      << bound.said();
}

TEST_F(Refused, NoCompiler) {
  setenv("CC", "/nowhere/cc", 1);
  EXPECT_EQ(built(), "cpu.no-compiler: no C compiler was found\n"
                     "  note: `CC` names `/nowhere/cc`, which cannot be started\n"
                     "  hint: install one (`apt-get install gcc`), or name one in `CC` and let it through in the "
                     "profile's `environment`\n");
}

TEST_F(Refused, CompilerFailed) {
  compiler("cat > /dev/null; echo 'kernel.c:3: no' >&2; exit 4\n");
  EXPECT_EQ(built(), "cpu.compiler-failed: `" + folder_.path() + "/mycc` refused the emitted C (exit status 4)\n" +
                         "  note: kernel.c:3: no\n\n"
                         "  hint: the sources lie in `codegen/cpu` of the package\n");
}

TEST_F(Refused, NotLoadable) {
  compiler("cat > /dev/null; while [ $# -gt 1 ]; do [ \"$1\" = -o ] && echo garbage > \"$2\"; shift; done\n");
  const std::string text = built();
  EXPECT_EQ(text.find("cpu.not-loadable: the built kernel cannot be loaded: "), 0u) << text;
  EXPECT_NE(text.find("  hint: build again with `HTP_CACHE=off`\n"), std::string::npos) << text;
}

// What the host has checked is not what the signature says: the package was not written by this compiler.
TEST_F(Refused, AnotherSignature) {
  const std::string tail = "\n  hint: compile the package again\n";
  const auto differs = [&](const std::string &name) {
    return "cpu.other-parameter: the signature and the manifest of the package have different parameters `" + name +
           "`" + tail;
  };
  Array<float> flat({15});
  EXPECT_EQ(run({flat.as("x"), y.as("y")}), differs("x"));
  EXPECT_EQ(run({x.as("x")}), differs("y"));
  EXPECT_EQ(run({x.as("x"), y.as("y")}, "other"),
            "cpu.missing-entry: the signature of the package has no entry `other`" + tail);
}

// What depends on the arguments' extents, and was not proved: N is 4, K is 0, and the array behind `y` is watched.
TEST_F(Refused, WhenItRuns) {
  const auto runs = [&](const std::string &body) {
    CpuHost host(kernel(body, "x: In[Tensor[f32, N]], z: In[Tensor[f32, K]], y: Out[Tensor[f32, N]]"));
    EXPECT_TRUE(host.emit()) << host.said();
    Bound bound(write_package(host, folder_.path() + "/" + std::to_string(++count_)), cache_);
    EXPECT_TRUE(bound.build() && bound.load()) << bound.said();
    Array<float> in({4}, 1), none({0}), all({8}, 7);
    Array<float> out({4});
    out.tensor.data = all.data.data() + 2;
    EXPECT_FALSE(bound.run("k", {in.as("x"), none.as("z"), out.as("y")}));
    for (const size_t k : {0, 1, 6, 7}) EXPECT_EQ(all.data[k], 7) << body;
    return bound.said();
  };
  const auto outside = [](const std::string &what) {
    return "cpu.outside: `k` uses an index outside its tensor\n  note: " + what +
           "\n  hint: run the program under plain Python: it stops where this happens\n";
  };
  const auto divisor = [](const std::string &what) {
    return "cpu.zero-divisor: `k` divides an int by 0\n  note: " + what +
           "\n  hint: run the program under plain Python: it stops where this happens\n";
  };
  const auto overflow = [](const std::string &what) {
    return "cpu.int-overflow: `k` computes an int that does not fit in 64 bits\n  note: " + what +
           " does not fit in 64 bits\n  hint: keep ints small: take `%` before a product grows, or compute with "
           "elements of an integer dtype, which wrap\n";
  };
  const auto step = [](const std::string &what) {
    return "cpu.no-step: `k` has a loop whose step is not positive\n  note: the step is " + what +
           "\n  hint: loops of the CPU run upward\n";
  };
  EXPECT_EQ(runs("    for n in range(N + 1):\n        cpu.put(y, 1.0, n)\n"),
            outside("index 4 is outside dimension 0 of `y`, which has 4"));
  EXPECT_EQ(runs("    for n in htp.parallel(range(N)):\n        cpu.put(y, 1.0, n - 1)\n"),
            outside("index -1 is outside dimension 0 of `y`, which has 4"));
  EXPECT_EQ(runs("    for n in range(N):\n        v: f32 = cpu.get(x, 2 * n)\n        cpu.put(y, v, n)\n"),
            outside("index 4 is outside dimension 0 of `x`, which has 4"));
  EXPECT_EQ(runs("    for n in range(0, N, K):\n        cpu.put(y, 1.0, n)\n"), step("0"));
  EXPECT_EQ(runs("    for n in htp.parallel(range(0, N, K - 1)):\n        cpu.put(y, 1.0, n)\n"), step("-1"));
  EXPECT_EQ(runs("    for n in range(N // K):\n        cpu.put(y, 1.0, 0)\n"), divisor("4 // 0"));
  EXPECT_EQ(runs("    for n in range(N):\n        if N % K == 0:\n            cpu.put(y, 1.0, n)\n"), divisor("4 % 0"));
  // What leaves 64 bits: of what the sizes bound, only products do. 4 * 2**62 is 0 where it wraps.
  EXPECT_EQ(runs("    for n in range(N * 4611686018427387904):\n        cpu.put(y, 1.0, 0)\n"),
            overflow("4 * 4611686018427387904"));
  EXPECT_EQ(runs("    for n in range(N):\n        cpu.put(y, 1.0, N * 4611686018427387904 + n)\n"),
            overflow("4 * 4611686018427387904"));
  EXPECT_EQ(runs("    cpu.put(y, 1.0, 0 - (K - 4) * N * -4611686018427387904)\n"),
            overflow("-16 * (-4611686018427387904)"));
  EXPECT_EQ(runs("    if 4611686018427387904 * N > 0:\n        cpu.put(y, 1.0, 0)\n"),
            overflow("4611686018427387904 * 4"));
  EXPECT_EQ(runs("    s = N\n    while s > 0:\n        s = s * N\n        if s > 4611686018427387904:\n"
                 "            break\n"),
            overflow("4611686018427387904 * 4"));
  // A bound is what it was when the loop began.
  EXPECT_EQ(runs("    s = N + 1\n    for n in range(s):\n        s = 0\n        cpu.put(y, 1.0, n)\n"),
            outside("index 4 is outside dimension 0 of `y`, which has 4"));
}

// An unsigned element of 2**63 and more is no int of 64 bits: it must not be taken for a negative one.
TEST_F(Refused, AnElementThatIsTooLarge) {
  CpuHost host(
      kernel("    v: htp.u64 = cpu.get(x, 0)\n    n = cpu.position(v)\n    if n < N:\n        cpu.put(y, 1.0, 0)\n",
             "x: In[Tensor[htp.u64, N]], y: Out[Tensor[f32, N]]"));
  ASSERT_TRUE(host.emit()) << host.said();
  Bound bound(write_package(host, folder_.path() + "/" + std::to_string(++count_)), cache_);
  ASSERT_TRUE(bound.build() && bound.load()) << bound.said();
  Array<uint64_t> in({1}, 0);
  Array<float> out({1});
  EXPECT_TRUE(bound.run("k", {in.as("x"), out.as("y")})) << bound.said();
  EXPECT_EQ(out.data[0], 1);
  in.data[0] = ~uint64_t{0};
  out.data[0] = 0;
  EXPECT_FALSE(bound.run("k", {in.as("x"), out.as("y")}));
  EXPECT_EQ(bound.said().find("cpu.int-overflow: `k` computes an int that does not fit in 64 bits\n"), 0u);
  EXPECT_EQ(out.data[0], 0);
}

// Two processes that each get before they put, as no pipeline does that was shown to end.
TEST_F(Refused, Stuck) {
  const std::string program = pipeline(
      "    a: csp.Channel[f32, 1] = cpu.channel(f32, 1, capacity=1)\n"
      "    b: csp.Channel[f32, 1] = cpu.channel(f32, 1, capacity=1)\n"
      "    @csp.process\n    def one() -> None:\n        cpu.drop(a)\n"
      "        for n in range(N):\n            cpu.put(y, 1.0, n)\n"
      "        into: Tensor[f32, 1] = cpu.claim(b, 1)\n        cpu.put(into, 1.0, 0)\n        cpu.publish(b)\n"
      "    @csp.process\n    def other() -> None:\n        cpu.drop(b)\n"
      "        back: Tensor[f32, 1] = cpu.claim(a, 1)\n        cpu.put(back, 1.0, 0)\n        cpu.publish(a)\n");
  CpuHost host(program);
  ASSERT_TRUE(host.emit()) << host.said();
  Bound bound(write_package(host, folder_.path() + "/" + std::to_string(++count_)), cache_);
  ASSERT_TRUE(bound.build() && bound.load()) << bound.said();
  Array<float> in({4}, 1), out({4});
  EXPECT_FALSE(bound.run("k", {in.as("x"), out.as("y")}));
  EXPECT_EQ(bound.said(), "cpu.stuck: `k` got stuck: its processes all wait for each other\n"
                          "  hint: let one of them put before it gets\n");
}

// A process that puts more than the other gets, as in a stage that was edited.
TEST_F(Refused, LeftOver) {
  const std::string program =
      pipeline("    a: csp.Channel[f32, 1] = cpu.channel(f32, 1, capacity=8)\n"
               "    @csp.process\n    def one() -> None:\n"
               "        for n in range(N):\n            into: Tensor[f32, 1] = cpu.claim(a, 1)\n"
               "            cpu.put(into, 1.0, 0)\n            cpu.publish(a)\n"
               "    @csp.process\n    def other() -> None:\n        cpu.drop(a)\n"
               "        for n in range(N):\n            cpu.put(y, 1.0, n)\n");
  CpuHost host(program);
  ASSERT_TRUE(host.emit()) << host.said();
  Bound bound(write_package(host, folder_.path() + "/" + std::to_string(++count_)), cache_);
  ASSERT_TRUE(bound.build() && bound.load()) << bound.said();
  Array<float> one({1}, 1), out({1}), in({4}, 1), outs({4});
  EXPECT_TRUE(bound.run("k", {one.as("x"), out.as("y")})) << bound.said();
  EXPECT_FALSE(bound.run("k", {in.as("x"), outs.as("y")}));
  EXPECT_EQ(bound.said(), "cpu.left-over: `k` came to its end with items left in a channel\n"
                          "  hint: run the program under plain Python: it says what is left in which channel\n");
}

// What the verifier says of a pipeline whose two processes pass rows of `size` on.
std::string slots(const std::string &one, const std::string &other, const std::string &channels = "") {
  const std::string program =
      pipeline((channels.empty() ? "    rows: csp.Channel[f32, 4] = cpu.channel(f32, 4, capacity=1)\n" : channels) +
               "    @csp.process\n    def one() -> None:\n" + one + "    @csp.process" +
               (other.starts_with("(") ? "" : "\n    def other() -> None:\n") + other);
  CpuHost host(program);
  return host.holds("Codegen.Ready(target=cpu)") ? "" : host.said().substr(0, host.said().find('\n'));
}

TEST_F(Refused, SlotsOutOfOrder) {
  const std::string claim = "        s: Tensor[f32, 4] = cpu.claim(rows, 4)\n", publish = "        cpu.publish(rows)\n";
  const std::string front = "        t: Tensor[f32, 4] = cpu.front(rows, 4)\n", release = "        cpu.release(rows)\n";
  const auto in = [](const std::string &statements) { // one level deeper
    std::string out;
    for (size_t at = 0; at < statements.size();) {
      const size_t end = statements.find('\n', at) + 1;
      out += "    " + statements.substr(at, end - at);
      at = end;
    }
    return out;
  };
  const std::string loop = "        for n in range(N):\n", branch = "        if N > 3:\n",
                    otherwise = "        else:\n";
  // What is right: in a loop, held over a loop, in both ways of a branch, known extents said otherwise.
  EXPECT_EQ(slots(loop + in(claim + publish), loop + in(front + release)), "");
  EXPECT_EQ(slots(claim + loop + "            cpu.put(s, 1.0, 0)\n" + publish, front + release), "");
  EXPECT_EQ(slots(branch + in(claim + publish) + otherwise + in(claim + publish), front + release), "");
  EXPECT_EQ(slots(claim + branch + in(publish) + otherwise + in(publish), front + release), "");
  EXPECT_EQ(slots("        s: Tensor[f32, 4] = cpu.claim(rows, 2 + 2)\n" + publish, front + release), "");
  // Extents.
  const std::string extents = "cpu.slot-extents: `s` and the channel `rows` have different extents";
  EXPECT_EQ(slots("        s: Tensor[f32, 5] = cpu.claim(rows, 5)\n" + publish, front + release), extents);
  EXPECT_EQ(slots("        s: Tensor[f32, N] = cpu.claim(rows, N)\n" + publish, front + release), extents);
  EXPECT_EQ(slots("        s: Tensor[f32, 2, 2] = cpu.claim(rows, 2, 2)\n" + publish, front + release), extents);
  // Held and given back.
  const std::string kept = "cpu.slot-kept: a slot of `rows` is not given back on every path";
  EXPECT_EQ(slots(claim, front + release), kept);
  EXPECT_EQ(slots(loop + in(claim) + publish, front + release), kept);
  EXPECT_EQ(slots(claim + loop + in(publish), front + release), kept);
  EXPECT_EQ(slots(claim + branch + in(publish), front + release), kept);
  EXPECT_EQ(slots(claim + publish, front + "        while N > 3:\n            cpu.release(rows)\n            break\n"),
            kept);
  EXPECT_EQ(slots(claim + claim.substr(0, 8) + "u" + claim.substr(9) + publish, front + release),
            "cpu.slot-held: a slot of `rows` is held already");
  EXPECT_EQ(slots(publish + claim + publish, front + release), "cpu.slot-not-held: no slot of `rows` is held here");
  EXPECT_EQ(slots(claim + publish + "        cpu.put(s, 1.0, 0)\n", front + release),
            "cpu.slot-not-held: no slot of `s` is held here");
  EXPECT_EQ(slots(claim + publish, front + release + "        v: f32 = cpu.get(t, 0)\n"),
            "cpu.slot-not-held: no slot of `t` is held here");
  // Who writes and who reads.
  EXPECT_EQ(slots(claim + publish, claim + publish), "cpu.several-writers: `rows` has more than one writer");
  EXPECT_EQ(slots(claim + publish, "        pass\n"),
            "cpu.channel-ends: `rows` has writers: 1, readers: 0; 1 and 1 are needed");
  EXPECT_EQ(slots(front + release, "        pass\n"),
            "cpu.channel-ends: `rows` has writers: 0, readers: 1; 1 and 1 are needed");
  const std::string two = "    rows: csp.Channel[f32, 4] = cpu.channel(f32, 4, capacity=1, readers=2)\n";
  const std::string grid = "(grid=(2,))\n    def other(p: int) -> None:\n";
  EXPECT_EQ(slots(claim + publish, grid + front + release, two), "");
  EXPECT_EQ(slots(claim + publish, front + release, two),
            "cpu.channel-ends: `rows` has writers: 1, readers: 1; 1 and 2 are needed");
  EXPECT_EQ(slots(claim + publish, grid + front + release),
            "cpu.channel-ends: `rows` has writers: 1, readers: 2; 1 and 1 are needed");
  EXPECT_EQ(slots("        pass\n", grid + claim + publish), "cpu.several-writers: `rows` has more than one writer");
}

TEST_F(Refused, ChannelsOfAnArray) {
  const std::string array = "    all: csp.Channel[f32, 4] = cpu.channels((2,), f32, 4, capacity=1)\n";
  const auto writes = [](const std::string &lane) {
    return "        for n in range(2):\n            rows: csp.Channel[f32, 4] = cpu.lane(all, " + lane +
           ")\n            s: Tensor[f32, 4] = cpu.claim(rows, 4)\n            cpu.publish(rows)\n";
  };
  const auto reads = [](const std::string &before, const std::string &lane) {
    return "(grid=(2,))\n    def other(p: int) -> None:\n" + before +
           "        mine: csp.Channel[f32, 4] = cpu.lane(all, " + lane +
           ")\n        t: Tensor[f32, 4] = cpu.front(mine, 4)\n        cpu.release(mine)\n";
  };
  EXPECT_EQ(slots(writes("n"), reads("", "p"), array), "");
  EXPECT_EQ(slots(writes("1 - n"), reads("        q = (p + 1) % 2\n", "q"), array), "");
  EXPECT_EQ(slots(writes("n"), reads("", "p - 1"), array),
            "cpu.no-such-channel: `-1` is no index of `all`, which has 2 channels");
  EXPECT_EQ(slots(writes("n + 1"), reads("", "p"), array),
            "cpu.no-such-channel: `2` is no index of `all`, which has 2 channels");
  EXPECT_EQ(slots(writes("N"), reads("", "p"), array),
            "cpu.no-such-channel: `N` is no index of `all`, which has 2 channels");
  EXPECT_EQ(slots(writes("n"), reads("", "p // 2"), array),
            "cpu.channel-ends: `all` has writers: 1, readers: 2; 1 and 1 are needed");
  EXPECT_EQ(slots(writes("0 * n"), reads("", "p"), array),
            "cpu.channel-ends: `all` has writers: 0, readers: 1; 1 and 1 are needed");
  // Too much to go through.
  const std::string far = "    all: csp.Channel[f32, 4] = cpu.channels((4000000,), f32, 4, capacity=1)\n";
  std::string long_loop = writes("n");
  long_loop.replace(long_loop.find("range(2)"), 8, "range(4000000)");
  EXPECT_EQ(slots(long_loop, reads("", "p"), far),
            "cpu.slots-unknown: the processes of this program take too many steps to be checked");
}

// A grid of any number of dimensions is none of it.
TEST_F(Refused, NotAGridOfSixDimensions) {
  const std::string program =
      pipeline("    @csp.process(grid=(1, 2, 1, 1, 1, 2))\n"
               "    def one(a: int, b: int, c: int, d: int, e: int, f: int) -> None:\n"
               "        v: f32 = cpu.get(x, 2 * b + f)\n        cpu.put(y, v, a + 2 * b + f)\n");
  CpuHost host(program);
  ASSERT_TRUE(host.emit()) << host.said();
  Bound bound(write_package(host, folder_.path() + "/" + std::to_string(++count_)), cache_);
  ASSERT_TRUE(bound.build() && bound.load()) << bound.said();
  Array<float> in({4}, 1), out({4});
  ASSERT_TRUE(bound.run("k", {in.as("x"), out.as("y")})) << bound.said();
  EXPECT_EQ(out.data, in.data);
}

TEST_F(Refused, OutOfMemory) {
  // An extent that no memory holds; the arrays have no elements, so nothing of them is touched.
  Array<float> a({0, 1}), b({0, 1});
  const int64_t huge[] = {1, int64_t{1} << 55};
  a.tensor.shape = b.tensor.shape = const_cast<int64_t *>(huge);
  b.tensor.byte_offset = uint64_t{1} << 60; // apart
  EXPECT_EQ(run({a.as("x"), b.as("y")}), "cpu.out-of-memory: `k` could not allocate its scratch memory\n"
                                         "  note: 144115188075855872 bytes are asked for\n"
                                         "  hint: use smaller tiles, or smaller arrays\n");
}

// What is asked for in all is more than 64 bits hold; the arrays have no elements.
TEST_F(Refused, OutOfMoreMemoryThanCanBeCounted) {
  CpuHost host(
      kernel("    h: Tile[f32, N, K] = cpu.alloc(f32, N, K)\n    for n in range(N):\n        for m in range(K):\n"
             "            cpu.put(h, 1.0, n, m)\n    for n in range(N):\n        for m in range(K):\n"
             "            v: f32 = cpu.get(h, n, m)\n            cpu.put(y, v, n, 0)\n",
             "x: In[Tensor[f32, K, 0]], y: Out[Tensor[f32, N, 0]]"));
  ASSERT_TRUE(host.emit()) << host.said();
  Bound bound(write_package(host, folder_.path() + "/" + std::to_string(++count_)), cache_);
  ASSERT_TRUE(bound.build() && bound.load()) << bound.said();
  // 2**32 * 2**30 elements of 4 bytes are 0 bytes, where that wraps around.
  Array<float> in({int64_t{1} << 30, 0}), out({int64_t{1} << 32, 0});
  out.tensor.byte_offset = uint64_t{1} << 60; // apart
  EXPECT_FALSE(bound.run("k", {in.as("x"), out.as("y")}));
  EXPECT_EQ(bound.said(), "cpu.out-of-memory: `k` could not allocate its scratch memory\n"
                          "  note: more bytes than an int counts are asked for\n"
                          "  hint: use smaller tiles, or smaller arrays\n");
}

} // namespace
} // namespace htp::test

// One thing changed in a package that is right, and what is said of it.
#include "simulated.h"

#include "tests/backend-cpu/tensors.h"

#include <gtest/gtest.h>

#include <cmath>

namespace htp::test {
namespace {

struct Change {
  const char *package, *file, *from, *to;
  const char *said; // the beginning of a diagnostic, with its code
};

constexpr const char *add = "kernels/aiv/add.cpp", *softmax = "kernels/aiv/softmax.cpp",
                     *matmul = "kernels/aic/matmul.cpp", *graph = "orchestration/graph.cpp",
                     *submit = "orchestration/submit.cpp", *registry = "registry.json";

bool run(Simulated &s, const std::string &package) {
  if (package == "matmul") {
    Array<uint16_t> a({130, 140}, 0x3c00), b({140, 150}, 0x3c00);
    Array<float> c({130, 150}, NAN);
    a.tensor.dtype.code = b.tensor.dtype.code = kDLFloat;
    return s.run({a.as("a"), b.as("b"), c.as("c")});
  }
  if (package == "vector_add") {
    Array<float> x({5000}, 1), y({5000}, 2), z({5000}, NAN);
    return s.run({x.as("x"), y.as("y"), z.as("z")});
  }
  if (package == "softmax") {
    Array<float> x({70, 100}, 1), y({70, 100}, NAN);
    return s.run({x.as("x"), y.as("y")});
  }
  Array<float> x({100}, 1), y({100}, NAN);
  return s.run({x.as("x"), y.as("y")});
}

class Faults : public testing::TestWithParam<Change> {};

TEST_P(Faults, AreReported) {
  const Change &c = GetParam();
  Simulated s(c.package);
  if (c.file == graph) s.option("contract", "pto-runtime/2026-03");
  s.change(c.file, c.from, c.to);
  EXPECT_FALSE(run(s, c.package));
  std::string said = s.said(); // without the sizes that the verifier chose
  if (const size_t at = said.find("  note: verified with "); at != std::string::npos)
    said.erase(at, said.find('\n', at) + 1 - at);
  EXPECT_EQ(said.substr(0, std::string(c.said).size()), c.said) << s.said();
}

const Change changes[] = {
    // flags
    {"vector_add", add, "    wait_flag(PIPE_MTE2, PIPE_V, slot);\n", "",
     "a2a3sim.hazard: kernel `add`, `kernels/aiv/add.cpp:32`: TADD reads bytes of UB that TLOAD at "
     "`kernels/aiv/add.cpp:28` writes, and may run before that is over\n  hint: set a flag on PIPE_MTE2 behind it, and "
     "wait for it on PIPE_V\n"},
    {"vector_add", add, "    set_flag(PIPE_MTE2, PIPE_V, slot);\n", "",
     "a2a3sim.flag-unset: kernel `add`, `kernels/aiv/add.cpp:30`: `wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0)` waits "
     "forever: "
     "nothing has set the flag"},
    {"vector_add", add, "    wait_flag(PIPE_MTE3, PIPE_V, slot);\n", "",
     "a2a3sim.flag-again: kernel `add`, `kernels/aiv/add.cpp:37`: `set_flag(PIPE_MTE3, PIPE_V, EVENT_ID0)` sets a flag "
     "that "
     "is set"},
    {"vector_add", add, "    wait_flag(PIPE_MTE3, PIPE_V, id);\n", "",
     "a2a3sim.flag-left: kernel `add`, `kernels/aiv/add.cpp:38`: `set_flag(PIPE_MTE3, PIPE_V, EVENT_ID0)` is never "
     "waited "
     "for"},
    {"vector_add", add,
     "    wait_flag(PIPE_V, PIPE_MTE3, slot);\n    TSTORE(to_z, c);\n    set_flag(PIPE_MTE3, PIPE_V, slot);\n",
     "    TSTORE(to_z, c);\n    wait_flag(PIPE_V, PIPE_MTE3, slot);\n    set_flag(PIPE_MTE3, PIPE_V, slot);\n",
     "a2a3sim.hazard: kernel `add`, `kernels/aiv/add.cpp:36`: TSTORE reads bytes of UB that TADD at"},
    {"vector_add", add, "    set_flag(PIPE_V, PIPE_MTE2, slot);\n", "    set_flag(PIPE_V, PIPE_MTE2, 9);\n",
     "a2a3sim.event-id: kernel `add`, `kernels/aiv/add.cpp:34`: `set_flag` has the event id 9"},
    {"vector_add", add, "set_flag(PIPE_MTE3, PIPE_S, EVENT_ID7);\n  wait_flag(PIPE_MTE3, PIPE_S, EVENT_ID7);\n", "",
     "a2a3sim.undrained: kernel `add`, `kernels/aiv/add.cpp:37`: the kernel ends without waiting for this TSTORE"},
    {"vector_add", add, "set_flag(PIPE_MTE3, PIPE_S, EVENT_ID7)", "set_flag(PIPE_MTE3, PIPE_M, EVENT_ID7)",
     "a2a3sim.core-pipe: kernel `add`, `kernels/aiv/add.cpp:45`: `set_flag` names PIPE_M, which this core has not"},
    {"softmax", softmax,
     "set_flag(PIPE_MTE3, PIPE_MTE2, EVENT_ID0);\n    wait_flag(PIPE_MTE3, PIPE_MTE2, EVENT_ID0);\n", "",
     "a2a3sim.hazard: kernel `softmax`, `kernels/aiv/softmax.cpp:25`: TLOAD writes bytes of UB that TROWEXPANDDIV at "
     "`kernels/aiv/softmax.cpp:36`"},
    {"softmax", softmax, "    pipe_barrier(PIPE_V);\n    TEXP", "    TEXP",
     "a2a3sim.pipe-hazard: kernel `softmax`, `kernels/aiv/softmax.cpp:31`: TEXP reads bytes of UB that TROWEXPANDSUB "
     "at "
     "`kernels/aiv/softmax.cpp:30` writes, and may run while that still runs\n  hint: put `pipe_barrier(PIPE_V)` "
     "between them"},
    {"matmul", matmul, "        wait_flag(PIPE_M, PIPE_MTE1, slot);\n", "", "a2a3sim.flag-again: "},
    {"matmul", matmul, "        wait_flag(PIPE_MTE1, PIPE_M, slot);\n",
     "        wait_flag(PIPE_MTE1, PIPE_FIX, slot);\n", "a2a3sim.flag-unset: "},
    {"matmul", matmul, "TASSIGN(right, slot * bytes)", "TASSIGN(right, 0)",
     "a2a3sim.pipe-hazard: kernel `matmul`, `kernels/aic/matmul.cpp:48`: TMOV writes bytes of L0B that TMOV at "
     "`kernels/aic/matmul.cpp:48` writes, "},
    // memory
    {"vector_add", add, "TASSIGN(c, 4 * bytes", "TASSIGN(c, 3 * bytes", "a2a3sim.hazard: "},
    {"vector_add", add, "TASSIGN(b, 2 * bytes", "TASSIGN(b, bytes / 2",
     "a2a3sim.pipe-hazard: kernel `add`, `kernels/aiv/add.cpp:29`: TLOAD writes bytes of UB that TLOAD at "
     "`kernels/aiv/add.cpp:28` writes"},
    {"vector_add", add, "TASSIGN(c, 4 * bytes", "TASSIGN(c, 4 * bytes + 16",
     "a2a3sim.tile-offset: kernel `add`, `kernels/aiv/add.cpp:33`: TADD: the offset 32784 of a Vec tile is no multiple "
     "of "
     "32"},
    {"vector_add", add, "TASSIGN(c, 4 * bytes", "TASSIGN(c, 24 * bytes",
     "a2a3sim.tile-end: kernel `add`, `kernels/aiv/add.cpp:33`: TADD: a Vec tile of 8192 bytes at offset 196608 leaves "
     "its memory of 196608 bytes"},
    {"vector_add", add, "    TASSIGN(c, 4 * bytes + slot * bytes);\n", "",
     "a2a3sim.tile-unassigned: kernel `add`, `kernels/aiv/add.cpp:32`: TADD: a Vec tile has no memory"},
    {"vector_add", add, "    TLOAD(b, from_y);\n", "",
     "a2a3sim.uninitialised-tile: kernel `add`, `kernels/aiv/add.cpp:32`: TADD reads bytes of UB that nothing has "
     "written "
     "(a tile at offset 16384, byte 0 of it)"},
    {"vector_add", add, "TSTORE(to_z, c);", "if (at == 0) TSTORE(to_z, c);",
     "a2a3sim.output: of the output `z` 11808 of 20000 bytes were never written"},
    {"vector_add", registry, "\"direction\": \"out\", \"dtype\": \"f32\", \"dims\": [\"N\"]",
     "\"direction\": \"inout\", \"dtype\": \"f32\", \"dims\": [9000], \"steps\": [2]",
     "a2a3sim.gaps: between the elements of the output `z` "},
    {"vector_add", registry, "\"direction\": \"out\", \"dtype\": \"f32\", \"dims\": [\"N\"]",
     "\"direction\": \"out\", \"dtype\": \"f32\", \"dims\": [\"N\"], \"steps\": [2]",
     "a2a3sim.registry-kind: `entry.parameters[2].steps` of `registry.json` is no list of a number for each "
     "dimension\n"},
    {"vector_add", add, "n - at < piece ? n - at : piece", "piece",
     "a2a3sim.outside-tensors: kernel `add`, `kernels/aiv/add.cpp:28`: TLOAD reads global memory outside of every "
     "tensor"},
    {"softmax", softmax, "most(count), sum(count)", "most(rows), sum(count)",
     "a2a3sim.operand-extents: kernel `softmax`, `kernels/aiv/softmax.cpp:28`: TROWMAX: the result is "},
    {"softmax", softmax, "TASSIGN(most, 3 * bytes)", "TASSIGN(most, 0)",
     "a2a3sim.operands-overlap: kernel `softmax`, `kernels/aiv/softmax.cpp:28`: TROWMAX: operands 0 and 1 share "
     "memory"},
    {"softmax", softmax, "TASSIGN(tmp, 2 * bytes)", "TASSIGN(tmp, bytes)",
     "a2a3sim.operands-overlap: kernel `softmax`, `kernels/aiv/softmax.cpp:34`: TROWSUM: operands 2 and 1 share "
     "memory"},
    // legality
    {"vector_add", add, "TADD(c, a, b)", "TEXP(c, a); pipe_barrier(PIPE_V); TAND(c, c, b)",
     "a2a3sim.instruction-dtype: kernel `add`, `kernels/aiv/add.cpp:33`: TAND: `f32` is none of its dtypes, i8 u8 i16 "
     "u16 "
     "i32 u32\n"},
    {"vector_add", add, "TADD(c, a, b)", "TADD(c, a)",
     "a2a3sim.operand-count: kernel `add`, `kernels/aiv/add.cpp:33`: TADD does not take 2 operands\n  hint: give it "
     "its "
     "operands, wrr: "},
    {"matmul", matmul, "TMOV(left, wide);", "TMOV(left, right);",
     "a2a3sim.path: kernel `matmul`, `kernels/aic/matmul.cpp:47`: TMOV: there is no way from Right to Left"},
    {"matmul", matmul, "left(rows, depth)", "left(rows, size)",
     "a2a3sim.uninitialised-tile: kernel `matmul`, `kernels/aic/matmul.cpp:47`: TMOV reads bytes of L1 that nothing "
     "has "
     "written"},
    // the graph
    {"diamond", submit, "half = n / 32 * 16", "half = n / 2 + 1",
     "a2a3sim.shared-line: kernel `multiply`, `kernels/aiv/multiply.cpp:22`: TSTORE writes into a line of 64 bytes of "
     "y that TSTORE at `kernels/aiv/multiply.cpp:22` writes into as well: task 4 (`multiply`) and task 3 (`multiply`) "
     "may run at once on two cores"},
    {"diamond", graph, "  runtime->add_successor(a, c);\n", "", "a2a3sim."},
    {"diamond", graph, "runtime->add_successor(a, b)", "runtime->add_successor(a, b), runtime->add_successor(b, a)",
     "a2a3sim.task-cycle: tasks wait for each other: 5 of 5 can never begin"},
    {"diamond", graph, "uint64_t to_h[] = {x, h, n, 1}", "uint64_t to_h[] = {x, x, n, 1}", "a2a3sim."},
    {"diamond", graph, "add_task(to_h, 4, 0, CoreType::AIV)", "add_task(to_h, 4, 0, CoreType::AIC)",
     "a2a3sim.task-core: a task runs `shift` on a cube core, and it is a kernel of the other kind"},
    {"diamond", graph, "add_task(to_h, 4, 0, CoreType::AIV)", "add_task(to_h, 4, 5, CoreType::AIV)",
     "a2a3sim.no-kernel: a task calls kernel 5, which there is not"},
    {"diamond", graph, "reinterpret_cast<void *>(args[0]), bytes)", "reinterpret_cast<void *>(args[0]), bytes + 4)",
     "a2a3sim.copy-outside: the orchestration copies 32772 bytes outside of the arguments"},
    {"diamond", graph, "if (count != 3) return -1;", "if (count != 3 || args[2] == 100) return -1;",
     "a2a3sim.refused: the orchestration `build_graph` returned -1"},
    {"diamond", graph, "if (count != 3) return -1;", "if (count != 4) return -1;",
     "a2a3sim.task-zero: `orchestration/graph.cpp:0`: the orchestration returns -1 where tasks have number 0"},
    {"vector_add", submit, "expected_arg_count = 4", "expected_arg_count = 5",
     "a2a3sim.expected-arguments: `orchestration/submit.cpp:0`: the orchestration expects 5 arguments, and is given 4"},
    {"diamond", graph, "to_q[] = {h, q, n, 2}", "to_q[] = {h, p, n, 2}",
     "a2a3sim.unordered: kernel `shift`, `kernels/aiv/shift.cpp:20`: TSTORE writes bytes of device memory that TSTORE "
     "at `kernels/aiv/shift.cpp:20` writes, and nothing orders task 2 (`shift`) and task 1 (`shift`)"},
    // what is not seen by looking
    {"vector_add", add, "TADD(c, a, b);", "static int runs = 0; TADDS(c, a, static_cast<float>(runs++));",
     "a2a3sim.differs: `z` has other values when tasks and pipes run in another order\n  hint: report this"},
    {"vector_add", add, "TADD(c, a, b);",
     "TADD(c, a, b); for (;;) { set_flag(PIPE_V, PIPE_S, 5); wait_flag(PIPE_V, PIPE_S, 5); }",
     "a2a3sim.many-steps: `kernels/aiv/add.cpp:33`: after 8388608 steps this has not ended"},
    // the package
    {"vector_add", add, "TADD(c, a, b)", "TFOO(c, a, b)",
     "a2a3sim.unverified: `kernels/aiv/add.cpp:33` is not verified\n  note: `TFOO` is not known\n  hint: write it "
     "plainly: `for`, `if`, declarations, calls\na2a3sim.compiler-failed: `g++` refused `kernels/aiv/add.cpp` with "
     "status 1"},
    {"vector_add", add, "kernel_entry(", "kernel_start(",
     "a2a3sim.unverified: `kernels/aiv/add.cpp:0` is not verified\n  note: `kernel_entry` is not defined\n  hint: "
     "write "
     "it plainly: `for`, `if`, declarations, calls\na2a3sim.no-symbol: `kernels/aiv/add.cpp` defines no "
     "`kernel_entry`"},
    {"vector_add", registry, "{\"func_id\": 0}",
     "{\"func_id\": 0, \"for\": [{\"part\": \"n\", \"stop\": 2, \"step\": 1}]}",
     "a2a3sim.task-loops: `orchestration/graph.cpp` makes tasks in other loops than `registry.json` says"},
    {"diamond", registry, "\"kernels/aiv/multiply.cpp\"}",
     "\"kernels/aiv/multiply.cpp\", \"args\": [{\"name\": \"p\"}, {\"name\": \"q\"}, {\"name\": \"y\"}, "
     "{\"name\": \"n\"}]}], \"buffers\": [{\"name\": \"p\", \"dtype\": \"f32\", \"dims\": [\"N\", 2]}], \"more\": [0",
     "a2a3sim.buffer-bytes: `orchestration/graph.cpp` allocates 32768 bytes for `p`; `registry.json` says 65536"},
    {"vector_add", registry, "htp.pto.registry/1", "htp.pto.registry/2",
     "a2a3sim.registry-schema: the schema of `registry.json` is `htp.pto.registry/2`, not `htp.pto.registry/1`"},
    {"vector_add", registry, "simpler/2026-08", "simpler/2027-08",
     "a2a3sim.no-contract: the package is not made for contract `simpler/2026-08`"},
};
INSTANTIATE_TEST_SUITE_P(A2A3Sim, Faults, testing::ValuesIn(changes));

// A kernel's line beside the line of a stage's program that it cites.
struct Citation {
  const char *cites, *says; // what the kernel's line ends in gets the citation of this one
  const char *said;         // nothing: it is so
};
constexpr Citation citations[] = {
    {"at += piece) {", "for at in range(0, n, 2048):", nullptr},
    {"at += piece) {",
     "for at in range(0, n, 1024):", "a2a3sim.line-number: the step of `at` is 2048, and should be 1024"},
    {"at += piece) {", "for at in range(n - n, n // 2 * 2 + n % 2, 2048):", nullptr},
    {"at += piece) {",
     "for at in range(64, n, 2048):", "a2a3sim.line-number: the start of `at` is 0, and should be 64"},
    {"at += piece) {", "for slot, at in pto.turns(range(0, n, 2048)):",
     "a2a3sim.line-turns: its buffers do not come in turn: 0, 1, 0, 1"},
    {"at += piece) {", "for i in range(0, n, 2048):", "a2a3sim.line-loop: it is another loop"},
    {": piece;", "count = min(2048, n - at)", nullptr},
    {": piece;", "count = min(2047, n - at)", "a2a3sim.line-number: the value of `count` is 2048, and should be 2047"},
    {"c(count);", "c = pto.tile(f32, 1, 2048, valid=(1, count), at=16384 + slot * 8192)",
     "a2a3sim.line-number: the address of `c` is 0, and should be 16384"},
    {"c(count);", "c = pto.tile(f32, 1, 2048, valid=(1, count - 1), at=slot * 8192)",
     "a2a3sim.line-valid: of `a` 1 x 2048 are valid, and should be 1 x 2047"},
    {"4 * bytes + slot * bytes);", "c = pto.tile(f32, 1, 2048, valid=(1, count), at=32768 + slot * 8192)", nullptr},
    {"4 * bytes + slot * bytes);", "c = pto.tile(f32, 1, 2048, valid=(1, count), at=32768 + slot * 4096)",
     "a2a3sim.line-number: the address of `c` is 40960, and should be 36864"},
    {"TADD(c, a, b);", "pto.tadds(c, a, 2.0)", "a2a3sim.line-operands: it is given other numbers"},
    {"TADD(c, a, b);", "pto.tadd(c, a, b)", nullptr},
};

TEST(A2A3Sim, LinesAreWhatTheyCite) {
  for (const Citation &one : citations) {
    Simulated s("vector_add");
    s.change(registry, "1000000", "8000"); // which it is verified with
    s.files["manifest.json"] = R"({"stages": [{"path": "ir/stages/00-source/program.py"}]})";
    s.files["ir/stages/00-source/program.py"] = "    " + std::string(one.says) + "\n";
    std::string &text = s.files["codegen/a2a3/kernels/aiv/add.cpp"];
    const size_t at = text.rfind(one.cites) + std::string(one.cites).size();
    text.insert(at, " // program.py:1");
    const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<ptrdiff_t>(at), '\n');
    const bool good = s.validate();
    EXPECT_EQ(good, !one.said) << one.says << "\n" << s.said();
    if (!one.said || good) continue;
    const std::string said = s.said(), wanted = one.said, code = wanted.substr(0, wanted.find(": ") + 2);
    EXPECT_EQ(said.substr(0, code.size()), code) << line;
    EXPECT_NE(said.find("` is not what `ir/stages/00-source/program.py:1` says: " + wanted.substr(code.size()) + "\n"),
              std::string::npos)
        << said;
  }
}

TEST(A2A3Sim, PartsOfTensorsAreWhatTheyCite) {
  for (const auto &[index, code] : {std::pair{"slice(at, at + count)", ""},
                                    {"slice(at, at + count - 1)", "a2a3sim.line-slice: "},
                                    {"slice(0, count)", "a2a3sim.line-first: "},
                                    {"pto.whole", "a2a3sim.line-slice: "}}) {
    Simulated s("vector_add");
    s.change(registry, "1000000", "8000"); // which it is verified with
    s.files["manifest.json"] = R"({"stages": [{"path": "ir/stages/00-source/program.py"}]})";
    s.files["ir/stages/00-source/program.py"] = "pto.tload(a, x, " + std::string(index) + ")\n";
    s.change("kernels/aiv/add.cpp", "    Global from_x(x + at, Shape<1, 1, 1, 1, DYNAMIC>(count)), ",
             "    auto from_x = Global(x + at, Shape<1, 1, 1, 1, DYNAMIC>(count)); // program.py:1\n    Global ");
    EXPECT_EQ(s.validate(), !*code) << index << "\n" << s.said();
    EXPECT_EQ(s.said().find(code), 0u) << s.said();
  }
}

// The graph's failures: memory, a task, arguments.
TEST(A2A3Sim, OrchestrationsTellFailures) {
  for (const auto &[from, to, said] : {std::tuple{"if (count != 3) return -1;", "", "it is given too few arguments"},
                                       {"!q || !y", "!q", "the runtime has no memory"},
                                       {"b < 0 || c < 0", "b < 0", "the runtime takes no task"}}) {
    Simulated s("diamond");
    s.option("contract", "pto-runtime/2026-03");
    s.change(graph, from, to);
    EXPECT_FALSE(s.validate());
    EXPECT_NE(s.said().find(std::string("the orchestration returns 0 where ") + said), std::string::npos) << s.said();
  }
}

TEST(A2A3Sim, ScalarsAreWhatTheRegistrySays) {
  Simulated s("vector_add");
  s.change(registry, "\"name\": \"z\", \"direction\": \"out\"", "\"name\": \"z\", \"direction\": \"inout\"");
  s.change(registry, "\"kernels/aiv/add.cpp\"}",
           "\"kernels/aiv/add.cpp\", \"args\": [{\"name\": \"x\"}, {\"name\": \"y\"}, {\"name\": \"z\"}, {\"name\": "
           "\"N\", \"kind\": \"scalar\"}]}");
  EXPECT_TRUE(s.validate()) << s.said();
  s.change(submit, "args.scalar(0)", "args.scalar(0) - 1");
  EXPECT_FALSE(s.validate());
  EXPECT_EQ(s.said().rfind("a2a3sim.given-scalar: `orchestration/submit.cpp` gives kernel 0 ", 0), 0u) << s.said();
}

TEST(A2A3Sim, TensorsBeyondTheSimulatorsMemory) {
  Simulated s("vector_add");
  s.change(registry, "\"most\": 1000000", "\"most\": 4294967295");
  Array<float> x({5}); // none of whose elements is read
  x.tensor.shape[0] = UINT32_MAX;
  EXPECT_FALSE(s.run({x.as("x"), x.as("y"), x.as("z")}));
  EXPECT_EQ(s.said().rfind("a2a3sim.many-bytes: the tensors take 51539607540 bytes, and the simulator holds ", 0), 0u)
      << s.said();
}

// The verifier does not read this text; its indices are checked with those of the call.
TEST(A2A3Sim, ElementsThatAreIndicesExist) {
  Simulated s("vector_add");
  s.change(registry, "\"kernels/aiv/add.cpp\"}",
           "\"kernels/aiv/add.cpp\", \"args\": [{\"name\": \"x\"}, {\"name\": \"y\"}, {\"name\": \"z\"}, {\"name\": "
           "\"N\"}]}");
  s.change(add, "  int slot = 0;",
           "  __asm__(\"\");\n  const int64_t p = HTP_VALUE(x, n);\n  HTP_INSIDE(x, 0, p, p + 1, n);\n  int slot = 0;");
  s.files["codegen/a2a3/kernels/htp_kernel.h"] += "#define HTP_VALUE(tensor, at) static_cast<int64_t>((tensor)[at])\n";
  Array<float> x({5}, 1), y({5}, 1), z({5}, 0);
  EXPECT_FALSE(s.run({x.as("x"), y.as("y"), z.as("z")}));
  EXPECT_NE(s.said().find("\na2a3sim.outside-element: element 5 of `x` is read, which has 5\n"), std::string::npos)
      << s.said();
}

// What a device loads is built from the package's files, in a folder.
TEST(A2A3Sim, FilesThatCannotBeLaidOut) {
  Simulated s("vector_add");
  s.option("device", "true").files["build/build.sh"] = "";
  s.files["codegen/a2a3/a"] = s.files["codegen/a2a3/a/b"] = "";
  s.files["manifest.json"] =
      R"({"outputs": [{"path": "codegen/a2a3/a"}, {"path": "codegen/a2a3/a/b"}, {"path": "build/build.sh"}]})";
  EXPECT_FALSE(s.build());
  EXPECT_EQ(s.said().rfind("a2a3sim.unwritable: `codegen/a2a3/a/b` cannot be written in `", 0), 0u) << s.said();
  Simulated without("vector_add");
  EXPECT_FALSE(without.option("device", "true").build());
  EXPECT_EQ(without.said().rfind("a2a3sim.missing-file: the package has no `build/build.sh`", 0), 0u) << without.said();
}

TEST(A2A3Sim, WithoutACompiler) {
  ASSERT_EQ(setenv("CXX", "/nowhere/c++", 1), 0);
  Simulated s("vector_add");
  EXPECT_FALSE(s.build());
  ASSERT_EQ(unsetenv("CXX"), 0);
  EXPECT_EQ(s.said(), "a2a3sim.no-compiler: there is no C++ compiler to build the package's kernels with\n"
                      "  note: `CXX` names `/nowhere/c++`, which cannot be started\n"
                      "  hint: install one (`apt-get install g++`), or name one in `CXX`\n");
}

TEST(A2A3Sim, SizesAreHeldAgainstLimits) {
  Simulated s("vector_add");
  Array<float> x({5}), z({5}), none({0}), matrix({5, 1});
  const auto says = [&](const std::vector<htp_argument> &arguments, const std::string &what) {
    s.diagnostics = {};
    EXPECT_FALSE(s.run(arguments));
    EXPECT_EQ(s.said().substr(0, what.size()), what);
  };
  says({none.as("x"), none.as("y"), none.as("z")},
       "a2a3sim.size-range: `N` is 0, and the package is compiled for 1 to 1000000");
  z.tensor.shape[0] = int64_t{1} << 32;
  says({x.as("x"), x.as("y"), z.as("z")},
       "a2a3sim.argument-size: dimension 0 of `z` is 4294967296, and a task takes at most 4294967295");
  const std::string tail = "a2a3sim.parameter-differs: the manifest has another `y` than `registry.json`";
  for (const auto &y : {matrix.as("y"), x.as("w")}) {
    s.diagnostics = {};
    EXPECT_FALSE(s.run({x.as("x"), y, z.as("z")}));
    EXPECT_NE(s.said().find(tail), std::string::npos) << s.said();
  }
}

} // namespace
} // namespace htp::test

// One thing changed in a package that is right, and the row that it is refused with.
#include "simulated.h"

#include "tests/backend-cpu/tensors.h"

#include <gtest/gtest.h>

namespace htp::test::refusals {
namespace {

struct Row {
  const char *code, *package, *file, *from, *to;
};
constexpr const char *all = "kernels/aiv/all.cpp", *add = "kernels/aiv/add.cpp", *matmul = "kernels/aic/matmul.cpp",
                     *graph = "orchestration/graph.cpp", *submit = "orchestration/submit.cpp",
                     *registry = "registry.json", *here = "/* what is tested */";

const Row rows[] = {
    {"a2a3sim.flag-early", "instructions", all, here,
     "set_flag(PIPE_V, PIPE_MTE2, EVENT_ID1); wait_flag(PIPE_V, PIPE_MTE2, EVENT_ID1); set_flag(PIPE_V, PIPE_MTE2, "
     "EVENT_ID1);"},
    {"a2a3sim.flag-pipes", "instructions", all, here, "set_flag(PIPE_V, PIPE_V, EVENT_ID0);"},
    {"a2a3sim.no-pipe", "instructions", all, here, "pipe_barrier(77);"},
    {"a2a3sim.index", "instructions", all, here, "HTP_INSIDE(x, 0, 20, 21, 16);"},
    {"a2a3sim.element", "instructions", all, here, "a.GetValue(5000);"},
    {"a2a3sim.element-end", "instructions", all, here, "Rows e(vr, vc); TASSIGN(e, 196544); e.GetValue(1000);"},
    {"a2a3sim.operand-kind", "instructions", all, here, "TADD(d, a, 1.0f);"},
    {"a2a3sim.tile-core", "instructions", all, here,
     "Tile<TileType::Mat, T, R, C, BLayout::RowMajor, DYNAMIC, DYNAMIC> m(vr, vc); TASSIGN(m, 0); TADD(d, a, m);"},
    {"a2a3sim.tile-valid", "instructions", all, here, "Rows e(0, vc); TASSIGN(e, 40960); TADD(d, a, e);"},
    {"a2a3sim.operand-dtype", "instructions", all, here, "TCMP(d, a, b, CmpMode::LT);"},
    {"a2a3sim.dtypes-differ", "instructions", all, here, "TADD(d, a, whole);"},
    {"a2a3sim.dtype-sizes", "instructions", all, here, "TFILLPAD(padded, small);"},
    {"a2a3sim.index-bits", "instructions", all, here,
     "Tile<TileType::Vec, uint8_t, R, C, BLayout::RowMajor, DYNAMIC, DYNAMIC> e(vr, vc); TASSIGN(e, 40960); "
     "TSCATTER(d, a, e);"},
    {"a2a3sim.conversion", "instructions", all, here,
     "Tile<TileType::Vec, uint8_t, R, C, BLayout::RowMajor, DYNAMIC, DYNAMIC> e(vr, vc); TASSIGN(e, 40960); TCVT(e, a, "
     "RoundMode::CAST_NONE);"},
    {"a2a3sim.operand-layout", "instructions", all, here, "TADD(d, a, column);"},
    {"a2a3sim.extents-differ", "instructions", all, here, "Rows e(vr, 60); TASSIGN(e, 40960); TADD(d, a, e);"},
    {"a2a3sim.work-bytes", "instructions", all, here,
     "Tile<TileType::Vec, half, R, C, BLayout::RowMajor, DYNAMIC, DYNAMIC> e(vr, vc); TASSIGN(e, 40960); TGATHER(e, "
     "small, whole, counts);"},
    {"a2a3sim.row-bytes", "instructions", all, here,
     "Tile<TileType::Vec, uint32_t, R, 8, BLayout::RowMajor, DYNAMIC, DYNAMIC> e(vr, 8); TASSIGN(e, 40960); "
     "TGATHERB(d, a, e);"},
    {"a2a3sim.transfer-dtypes", "instructions", all, here,
     "TLOAD(small, Global(x, Extents(vr, vc), Stride<1, 1, 1, DYNAMIC, 1>(C)));"},
    {"a2a3sim.transfer-extents", "instructions", all, here,
     "TLOAD(t, Global(x, Extents(vr, 60), Stride<1, 1, 1, DYNAMIC, 1>(C)));"},
    {"a2a3sim.global-extent", "instructions", all, here,
     "TLOAD(t, Global(x, Extents(0, vc), Stride<1, 1, 1, DYNAMIC, 1>(C)));"},
    {"a2a3sim.table", "instructions", all, here,
     "Tile<TileType::Vec, int32_t, 1, 16, BLayout::RowMajor, 1, DYNAMIC> e(16); TASSIGN(e, 40960); MGATHER(d, "
     "Global(x, Extents(vr, 8), Stride<1, 1, 1, DYNAMIC, 1>(C)), e);"},
    {"a2a3sim.comparison", "instructions", all, here, "TCMP(mask, whole, whole, CmpMode::LT);"},
    {"a2a3sim.mode", "instructions", all, here, "TTRI<Rows, 2>(d, 3);"},
    {"a2a3sim.sort-columns", "instructions", all, here,
     "Tile<TileType::Vec, T, R, 2 * C, BLayout::RowMajor, DYNAMIC, DYNAMIC> pairs(vr, 2 * vc); Tile<TileType::Vec, "
     "uint32_t, R, C, BLayout::RowMajor, DYNAMIC, DYNAMIC> e(vr, vc); TASSIGN(pairs, 40960); TASSIGN(e, 65536); "
     "TSORT32(pairs, a, e);"},
    {"a2a3sim.merge-blocks", "instructions", all, here,
     "Tile<TileType::Vec, T, 1, C, BLayout::RowMajor, 1, DYNAMIC> e(vc); TASSIGN(e, 40960); TMRGSORT(e, row, 64);"},
    {"a2a3sim.part-operands", "instructions", all, here, "Rows e(9, 40); TASSIGN(e, 40960); TPARTADD(d, e, e);"},
    {"a2a3sim.sign-columns", "instructions", all, here,
     "using Wide = Tile<TileType::Vec, T, R, 128, BLayout::RowMajor, DYNAMIC, DYNAMIC>; Wide w(vr, 100), v(vr, 100); "
     "TASSIGN(w, 40960); TASSIGN(v, 49152); TREMS(w, v, 2.0f, row);"},
    {"a2a3sim.in-place", "instructions", all, here, "TFILLPAD_INPLACE(padded, a);"},
    {"a2a3sim.no-pad", "instructions", all, here, "TFILLPAD(d, a);"},
    {"a2a3sim.tile-size", "instructions", all, here, "Tile<TileType::Vec, T, 0, C, BLayout::RowMajor, 0, C> e;"},
    {"a2a3sim.tile-lines", "instructions", all, here, "Tile<TileType::Vec, T, R, 61, BLayout::RowMajor, R, 61> e;"},
    {"a2a3sim.template-tile", "instructions", all, here,
     "TCI<Tile<TileType::Vec, int32_t, 1, 128, BLayout::RowMajor, 1, 128>, int32_t>(counts, 5);"},
    {"a2a3sim.undeclared", "instructions", all, here, "TADD(d, a, nobody);"},
    {"a2a3sim.assigned", "instructions", all, here, "nobody = 3;"},
    {"a2a3sim.list-element", "instructions", all, here, "int64_t l[2] = {1, 2}; int64_t q = l[5];"},
    {"a2a3sim.lone-else", "instructions", all, here, "else { number = 1; }"},
    {"a2a3sim.unterminated", "instructions", all, "using namespace pto;", "using namespace pto; \""},
    {"a2a3sim.kernel-argument", "instructions", all, "*z = HTP_TENSOR(T, 2)", "*z = HTP_TENSOR(T, 77)"},
    {"a2a3sim.operand-space", "matmul", matmul, "TMATMUL(sum, left, right)", "TMATMUL(sum, right, right)"},
    {"a2a3sim.transfer-layout", "matmul", matmul, "BLayout::ColMajor, DYNAMIC, DYNAMIC, SLayout::RowMajor, 512>",
     "BLayout::RowMajor, DYNAMIC, DYNAMIC, SLayout::ColMajor, 512>"},
    {"a2a3sim.acc-layout", "matmul", matmul,
     "using Floats = GlobalTensor<float, Shape<1, 1, 1, DYNAMIC, DYNAMIC>, Stride<1, 1, 1, DYNAMIC, 1>>",
     "using Floats = GlobalTensor<float, Shape<1, 1, 1, DYNAMIC, DYNAMIC>, Stride<1, 1, 1, DYNAMIC, 1>, Layout::DN>"},
    {"a2a3sim.turned-matrices", "matmul", matmul, "Halves from_a(a + i * k + p, Extents(rows, depth), Pitch(k)),",
     "using Two = GlobalTensor<half, Shape<1, 1, 2, DYNAMIC, DYNAMIC>, Stride<1, 1, 1, DYNAMIC, 1>>; Two from_a(a + i "
     "* k + p, Shape<1, 1, 2, DYNAMIC, DYNAMIC>(rows / 2, depth), Pitch(k)); Halves"},
    {"a2a3sim.part-end", "matmul", matmul, "TMOV(left, wide);", "TEXTRACT(left, wide, 120, 0);"},
    {"a2a3sim.product-dtypes", "matmul", matmul, "TileAcc<float, size", "TileAcc<int32_t, size"},
    {"a2a3sim.product-extents", "matmul", matmul, "right(depth, columns);", "right(depth, rows);"},
    {"a2a3sim.product-rows", "matmul", matmul, "TMATMUL(sum, left, right)", "TGEMV(sum, left, right)"},
    {"a2a3sim.product-tiles", "matmul", matmul, "TileRight<half, size, size, DYNAMIC, DYNAMIC>",
     "TileRight<half, size, 64, DYNAMIC, DYNAMIC>"},
    {"a2a3sim.uninitialised", "vector_add", add, "from_y(y + at", "from_y(z + at"},
    {"a2a3sim.many-tasks", "vector_add", submit, "rt_submit_aiv_task(0, task);",
     "for (int64_t k = 0; k < 200000; ++k) rt_submit_aiv_task(0, task);"},
    {"a2a3sim.argument-limits", "vector_add", submit, "task.add_output(args.tensor(2).ref());",
     "for (int64_t k = 0; k < 40; ++k) task.add_output(args.tensor(2).ref());"},
    {"a2a3sim.entry-argument", "vector_add", submit, "args.tensor(2)", "args.tensor(3)"},
    {"a2a3sim.task-direction", "vector_add", submit, "task.add_output(args", "task.add_input(args"},
    {"a2a3sim.extent-count", "diamond", submit, "row(extents, 1, DataType", "row(extents, 2, DataType"},
    {"a2a3sim.task-tensor", "diamond", submit, "product.add_scalar(size[0]);", "product.add_scalar(n);"},
    {"a2a3sim.task-arguments", "diamond", graph, "const int a = runtime->add_task(to_h, 4, 0",
     "uint64_t many[] = {x, h, n, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}; const int a = runtime->add_task(many, 17, "
     "0"},
    {"a2a3sim.task-argument", "diamond", graph, "runtime->add_task(to_h, 4, 0", "runtime->add_task(to_h, 5, 0"},
    {"a2a3sim.edge", "diamond", graph, "runtime->add_successor(a, b);", "runtime->add_successor(a, 77);"},
    {"a2a3sim.tensor-pair", "diamond", graph, "reinterpret_cast<void *>(args[1]), reinterpret_cast<void *>(y), bytes)",
     "reinterpret_cast<void *>(x), reinterpret_cast<void *>(y), bytes)"},
    {"a2a3sim.copied-back", "diamond", graph, "reinterpret_cast<void *>(args[1]), reinterpret_cast<void *>(y), bytes)",
     "reinterpret_cast<void *>(args[1]), reinterpret_cast<void *>(x), bytes)"},
    {"a2a3sim.few-arguments", "diamond", graph, "if (count != 3) return -1;", ""},
    {"a2a3sim.no-memory", "diamond", graph, "!q || !y", "!q"},
    {"a2a3sim.no-task", "diamond", graph, "b < 0 || c < 0", "b < 0"},
    {"a2a3sim.many-instructions", "vector_add", add, "    TADD(c, a, b);",
     "    TADD(c, a, b); __asm__(\"\"); for (;;) { set_flag(PIPE_V, PIPE_S, EVENT_ID5); wait_flag(PIPE_V, PIPE_S, "
     "EVENT_ID5); }"},
    {"a2a3sim.automatic-scope", "diamond", submit, "  PTO2_SCOPE() {",
     "  PTO2_SCOPE(PTO2ScopeMode::MANUAL) PTO2_SCOPE() {"},
    {"a2a3sim.tensor-last", "vector_add", submit,
     "task.add_output(args.tensor(2).ref());\n  task.add_scalar(args.scalar(0));",
     "task.add_scalar(args.scalar(0));\n  task.add_output(args.tensor(2).ref());"},
    {"a2a3sim.pair-limit", "diamond", graph, "  uint64_t to_h[] =",
     "  for (int64_t k = 0; k < 65; ++k) runtime->record_tensor_pair(reinterpret_cast<void *>(args[1]), "
     "reinterpret_cast<void *>(y), bytes);\n  uint64_t to_h[] ="},
    {"a2a3sim.division", "diamond", graph, "extern \"C\" int build_graph(",
     "static int64_t htp_mod(int64_t a, int64_t b) { return a % b; }\nextern \"C\" int build_graph("},
    {"a2a3sim.returns", "diamond", graph, "return -2;", "return -2;\n  if (x != 4294967296) return 7;"},
    {"a2a3sim.task-limits", "diamond", graph, "  uint64_t to_h[] =",
     "  __asm__(\"\");\n  uint64_t many[17] = {};\n  runtime->add_task(many, 17, 0, CoreType::AIV);\n  uint64_t to_h[] "
     "="},
    {"a2a3sim.not-loadable", "vector_add", add, "using namespace pto;",
     "using namespace pto; extern \"C\" int nobody(int); int called = nobody(1);"},
    {"a2a3sim.registry-json", "vector_add", registry, "\"schema\": ", "schema: "},
    {"a2a3sim.registry-lacks", "vector_add", registry, "\"parameters\": [", "\"parametres\": ["},
    {"a2a3sim.registry-kind", "vector_add", registry, "\"kernels\": [{\"func_id\": 0",
     "\"kernels\": [{\"func_id\": \"0\""},
    {"a2a3sim.registry-value", "vector_add", registry, "\"core_type\": \"aiv\"", "\"core_type\": \"aix\""},
    {"a2a3sim.registry-extent", "vector_add", registry, "\"dtype\": \"f32\", \"dims\": [\"N\"]}\n    ]",
     "\"dtype\": \"f32\", \"dims\": [\"M\"]}\n    ]"},
    {"a2a3sim.registry-rank", "vector_add", registry, "\"dtype\": \"f32\", \"dims\": [\"N\"]}\n    ]",
     "\"dtype\": \"f32\", \"dims\": [\"N\", 1, 1, 1, 1, 1]}\n    ]"},
    {"a2a3sim.missing-file", "vector_add", registry, "kernels/aiv/add.cpp", "kernels/aiv/other.cpp"},
    {"a2a3sim.no-orchestration", "vector_add", registry,
     "{\"host_build_graph\": \"orchestration/submit.cpp\", \"tensormap_and_ringbuffer\": \"orchestration/submit.cpp\"}",
     "{}"},
    {"a2a3sim.task-iterations", "vector_add", registry, "\"tasks\": [{\"func_id\": 0}]",
     "\"tasks\": [{\"func_id\": 0}, {\"func_id\": 0}]"},
    {"a2a3sim.task-count", "vector_add", registry, "\"tasks\": [{\"func_id\": 0}]", "\"tasks\": [{\"func_id\": 1}]"},
    {"a2a3sim.given-count", "vector_add", registry, "\"kernels/aiv/add.cpp\"}",
     "\"kernels/aiv/add.cpp\", \"args\": [{\"name\": \"x\"}]}"},
    {"a2a3sim.given-direction", "vector_add", registry, "\"kernels/aiv/add.cpp\"}",
     "\"kernels/aiv/add.cpp\", \"args\": [{\"name\": \"x\", \"direction\": \"out\"}, {\"name\": \"y\"}, {\"name\": "
     "\"z\"}, {\"name\": \"n\"}]}"},
    {"a2a3sim.given-tensor", "vector_add", registry, "\"kernels/aiv/add.cpp\"}",
     "\"kernels/aiv/add.cpp\", \"args\": [{\"name\": \"y\", \"kind\": \"tensor\"}, {\"name\": \"x\"}, {\"name\": "
     "\"z\"}, {\"name\": \"n\"}]}"},
    {"a2a3sim.argument-name", "vector_add", registry, "\"kernels/aiv/add.cpp\"}",
     "\"kernels/aiv/add.cpp\", \"memory\": [], \"args\": [{\"name\": \"x\"}, {\"name\": \"y\"}, {\"name\": \"z\"}, "
     "{\"name\": \"m\"}]}"},
    {"a2a3sim.tile-unregistered", "vector_add", registry, "\"kernels/aiv/add.cpp\"}",
     "\"kernels/aiv/add.cpp\", \"memory\": []}"},
    {"a2a3sim.set-lines", "vector_add", registry, "\"kernels/aiv/add.cpp\"}",
     "\"kernels/aiv/add.cpp\", \"events\": [{\"source\": \"MTE2\", \"destination\": \"V\", \"id\": 0, \"set\": [1]}]}"},
    {"a2a3sim.wait-lines", "vector_add", registry, "\"kernels/aiv/add.cpp\"}",
     "\"kernels/aiv/add.cpp\", \"events\": [{\"source\": \"MTE2\", \"destination\": \"V\", \"id\": 0, \"wait\": "
     "[1]}]}"},
};

bool run(Simulated &s, const std::string &package) {
  if (package == "instructions") {
    Array<float> x({16, 64}, 1), y({16, 64}, 1), z({1, 16, 64}, 0);
    return s.run({x.as("x"), y.as("y"), z.as("z")});
  }
  if (package == "vector_add") {
    Array<float> x({100}, 1), y({100}, 1), z({100}, 0);
    return s.run({x.as("x"), y.as("y"), z.as("z")});
  }
  Array<float> x({100}, 1), y({100}, 0);
  return s.run({x.as("x"), y.as("y")});
}

class Refusals : public testing::TestWithParam<Row> {};

TEST_P(Refusals, AreRows) {
  const Row &row = GetParam();
  Simulated s(row.package);
  if (row.file == graph) s.option("contract", "pto-runtime/2026-03");
  s.change(row.file, row.from, row.to);
  // What the verifier does not read the simulator finds.
  EXPECT_FALSE(s.validate() && run(s, row.package)) << row.to;
  const std::string wanted = "\n" + std::string(row.code) + ": ";
  EXPECT_NE(("\n" + s.said()).find(wanted), std::string::npos) << row.to << "\n" << s.said();
}
INSTANTIATE_TEST_SUITE_P(A2A3Sim, Refusals, testing::ValuesIn(rows));

} // namespace
} // namespace htp::test::refusals

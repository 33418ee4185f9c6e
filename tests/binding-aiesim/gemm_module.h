// A whole-array matrix product as a module of MLIR-AIE, in the dataflow that published designs have: rows of A go to
// the cores of a row, columns of B to those of a column, and each column joins its blocks of C.
#pragma once

#include <string>

namespace htp::aiesim::test {

struct Gemm {
  std::string device = "npu2";
  long columns = 8;
  long M = 0, N = 0, K = 0; // multiples of 4 m, columns * n, k
  long m = 64, n = 64, k = 64;
  long r = 4, s = 8, t = 8; // the shape of one product
  bool tiled = false;       // A and B lie in the host's memory block by block
  long rows_at_once = 1, columns_at_once = 1;
  std::string element = "bf16", sum = "f32";
  std::string out{}; // what a core makes of its sums at the end; the sums themselves if nothing is said
};

inline std::string gemm_module(const Gemm &g) {
  std::string text = "module {\n  aie.device(" + g.device + ") {\n";
  const auto n = [](long v) { return std::to_string(v); };
  const auto line = [&](const std::string &l) { text += "    " + l + "\n"; };
  for (long c = 0; c < g.columns; ++c) {
    line("%shim_" + n(c) + " = aie.tile(" + n(c) + ", 0)");
    line("%mem_" + n(c) + " = aie.tile(" + n(c) + ", 1)");
    for (long r = 0; r < 4; ++r) line("%core_" + n(c) + "_" + n(r) + " = aie.tile(" + n(c) + ", " + n(r + 2) + ")");
  }
  const std::string a = "memref<" + n(g.m / g.r) + "x" + n(g.k / g.s) + "x" + n(g.r * g.s) + "x" + g.element + ">",
                    b = "memref<" + n(g.k / g.s) + "x" + n(g.n / g.t) + "x" + n(g.s * g.t) + "x" + g.element + ">",
                    c_part = "memref<" + n(g.m / g.r) + "x" + n(g.n / g.t) + "x" + n(g.r * g.t) + "x" + g.sum + ">",
                    out = g.out.empty() ? g.sum : g.out,
                    o_part = "memref<" + n(g.m / g.r) + "x" + n(g.n / g.t) + "x" + n(g.r * g.t) + "x" + out + ">",
                    c_whole = "memref<" + n(4 * g.m * g.n) + "x" + out + ">";
  const auto fifo = [&](const std::string &name, const std::string &from, const std::string &to, long depth,
                        const std::string &type) {
    line("aie.objectfifo @" + name + "(%" + from + ", {" + to + "}, " + n(depth) + " : i32) : !aie.objectfifo<" + type +
         ">");
  };
  const auto spread = [&](long r) { return r * g.columns / 4; };
  for (long r = 0; r < 4; ++r) {
    std::string cores;
    for (long c = 0; c < g.columns; ++c) cores += (c ? ", %core_" : "%core_") + n(c) + "_" + n(r);
    fifo("a" + n(r), "shim_" + n(spread(r)), "%mem_" + n(spread(r)), 2, a);
    fifo("a" + n(r) + "_row", "mem_" + n(spread(r)), cores, 2, a);
    line("aie.objectfifo.link [@a" + n(r) + "] -> [@a" + n(r) + "_row] ([] [])");
  }
  for (long c = 0; c < g.columns; ++c) {
    std::string cores, parts, offsets;
    for (long r = 0; r < 4; ++r) cores += (r ? ", %core_" : "%core_") + n(c) + "_" + n(r);
    fifo("b" + n(c), "shim_" + n(c), "%mem_" + n(c), 2, b);
    fifo("b" + n(c) + "_column", "mem_" + n(c), cores, 2, b);
    line("aie.objectfifo.link [@b" + n(c) + "] -> [@b" + n(c) + "_column] ([] [])");
    for (long r = 0; r < 4; ++r) {
      fifo("c" + n(c) + "_" + n(r), "core_" + n(c) + "_" + n(r), "%mem_" + n(c), 1, o_part);
      parts += (r ? ", @c" : "@c") + n(c) + "_" + n(r);
      offsets += (r ? ", " : "") + n(r * g.m * g.n);
    }
    fifo("c" + n(c), "mem_" + n(c), "%shim_" + n(c), 1, c_whole);
    line("aie.objectfifo.link [" + parts + "] -> [@c" + n(c) + "] ([" + offsets + "] [])");
  }
  const long rounds_m = g.M / (4 * g.m), rounds_n = g.N / (g.columns * g.n), steps = g.K / g.k;
  const std::string va = "vector<" + n(g.r * g.s) + "x" + g.element + ">",
                    vb = "vector<" + n(g.s * g.t) + "x" + g.element + ">",
                    vc = "vector<" + n(g.r * g.t) + "x" + g.sum + ">",
                    ma = "vector<" + n(g.r) + "x" + n(g.s) + "x" + g.element + ">",
                    mb = "vector<" + n(g.s) + "x" + n(g.t) + "x" + g.element + ">",
                    mc = "vector<" + n(g.r) + "x" + n(g.t) + "x" + g.sum + ">";
  for (long c = 0; c < g.columns; ++c)
    for (long r = 0; r < 4; ++r) {
      const std::string at = n(c) + "_" + n(r), sums = g.out.empty() ? "%c" : "%sums_" + at;
      if (!g.out.empty())
        line("%sums_" + at + " = aie.buffer(%core_" + at + ") {sym_name = \"sums_" + at + "\"} : " + c_part);
      line("%run_" + at + " = aie.core(%core_" + at + ") {");
      const auto op = [&](const std::string &l) { line("  " + l); };
      for (const long v :
           {0L, 1L, 2L, 3L, 4L, steps, g.m / g.r, g.n / g.t, g.k / g.s, g.rows_at_once, g.columns_at_once})
        if (text.rfind("%i" + n(v) + " =") == text.npos || text.rfind("%i" + n(v) + " =") < text.rfind("aie.core"))
          op("%i" + n(v) + " = arith.constant " + n(v) + " : index");
      op("%forever = arith.constant 9223372036854775807 : index");
      op("%zero = arith.constant dense<0> : " + vc);
      const auto acquire = [&](const std::string &value, const std::string &name, const char *end,
                               const std::string &type) {
        op("%h" + value + " = aie.objectfifo.acquire @" + name + " (" + end + ", 1) : !aie.objectfifosubview<" + type +
           ">");
        op("%" + value + " = aie.objectfifo.subview.access %h" + value + "[0] : !aie.objectfifosubview<" + type +
           "> -> " + type);
      };
      op("scf.for %call = %i0 to %forever step %i1 {");
      if (g.out.empty()) acquire("c", "c" + at, "Produce", c_part);
      op("scf.for %i = %i0 to %i" + n(g.m / g.r) + " step %i1 {");
      op("scf.for %j = %i0 to %i" + n(g.n / g.t) + " step %i1 {");
      op("vector.store %zero, " + sums + "[%i, %j, %i0] : " + c_part + ", " + vc);
      op("}");
      op("}");
      op("scf.for %step = %i0 to %i" + n(steps) + " step %i1 {");
      acquire("a", "a" + n(r) + "_row", "Consume", a);
      acquire("b", "b" + n(c) + "_column", "Consume", b);
      op("scf.for %i = %i0 to %i" + n(g.m / g.r) + " step %i" + n(g.rows_at_once) + " {");
      op("scf.for %j = %i0 to %i" + n(g.n / g.t) + " step %i" + n(g.columns_at_once) + " {");
      std::string arguments, types, yields;
      for (long x = 0; x < g.rows_at_once; ++x) op("%x" + n(x) + " = arith.addi %i, %i" + n(x) + " : index");
      for (long y = 0; y < g.columns_at_once; ++y) op("%y" + n(y) + " = arith.addi %j, %i" + n(y) + " : index");
      for (long x = 0; x < g.rows_at_once; ++x)
        for (long y = 0; y < g.columns_at_once; ++y) {
          const std::string xy = n(x) + n(y);
          op("%f" + xy + " = vector.load " + sums + "[%x" + n(x) + ", %y" + n(y) + ", %i0] : " + c_part + ", " + vc);
          op("%m" + xy + " = vector.shape_cast %f" + xy + " : " + vc + " to " + mc);
          arguments += (arguments.empty() ? "%s" : ", %s") + xy + " = %m" + xy;
          types += (types.empty() ? "" : ", ") + mc;
          yields += (yields.empty() ? "%t" : ", %t") + xy;
        }
      op("%sums:" + n(g.rows_at_once * g.columns_at_once) + " = scf.for %l = %i0 to %i" + n(g.k / g.s) +
         " step %i1 iter_args(" + arguments + ") -> (" + types + ") {");
      for (long x = 0; x < g.rows_at_once; ++x) {
        op("%la" + n(x) + " = vector.load %a[%x" + n(x) + ", %l, %i0] : " + a + ", " + va);
        op("%a" + n(x) + " = vector.shape_cast %la" + n(x) + " : " + va + " to " + ma);
      }
      for (long y = 0; y < g.columns_at_once; ++y) {
        op("%lb" + n(y) + " = vector.load %b[%l, %y" + n(y) + ", %i0] : " + b + ", " + vb);
        op("%b" + n(y) + " = vector.shape_cast %lb" + n(y) + " : " + vb + " to " + mb);
      }
      for (long x = 0; x < g.rows_at_once; ++x)
        for (long y = 0; y < g.columns_at_once; ++y)
          op("%t" + n(x) + n(y) + " = vector.contract {kind = #vector.kind<add>} %a" + n(x) + ", %b" + n(y) + ", %s" +
             n(x) + n(y) + " : " + ma + ", " + mb + " into " + mc);
      op("scf.yield " + yields + " : " + types);
      op("}");
      for (long x = 0; x < g.rows_at_once; ++x)
        for (long y = 0; y < g.columns_at_once; ++y) {
          const std::string xy = n(x) + n(y);
          op("%o" + xy + " = vector.shape_cast %sums#" + n(x * g.columns_at_once + y) + " : " + mc + " to " + vc);
          op("vector.store %o" + xy + ", " + sums + "[%x" + n(x) + ", %y" + n(y) + ", %i0] : " + c_part + ", " + vc);
        }
      op("}");
      op("}");
      op("aie.objectfifo.release @a" + n(r) + "_row (Consume, 1)");
      op("aie.objectfifo.release @b" + n(c) + "_column (Consume, 1)");
      op("}");
      if (!g.out.empty()) {
        acquire("o", "c" + at, "Produce", o_part);
        const std::string vo = "vector<" + n(g.r * g.t) + "x" + out + ">";
        op("scf.for %i = %i0 to %i" + n(g.m / g.r) + " step %i1 {");
        op("scf.for %j = %i0 to %i" + n(g.n / g.t) + " step %i1 {");
        op("%wide = vector.load %sums_" + at + "[%i, %j, %i0] : " + c_part + ", " + vc);
        op("%narrow = arith.trunci %wide : " + vc + " to " + vo);
        op("vector.store %narrow, %o[%i, %j, %i0] : " + o_part + ", " + vo);
        op("}");
        op("}");
      }
      op("aie.objectfifo.release @c" + at + " (Produce, 1)");
      op("}");
      op("aie.end");
      line("}");
    }
  const auto argument = [&](const char *name, long count, const std::string &element) {
    return std::string("%") + name + ": memref<" + n(count) + "x" + element + ">";
  };
  line("aiex.runtime_sequence @gemm(" + argument("A", g.M * g.K, g.element) + ", " +
       argument("B", g.K * g.N, g.element) + ", " + argument("C", g.M * g.N, out) + ") {");
  const auto transfer = [&](const char *array, long count, const std::string &element, long offset, long s0, long s1,
                            long s2, long s3, long t0, long t1, long t2, const std::string &to, long id, bool token) {
    line(std::string("  aiex.npu.dma_memcpy_nd (%") + array + "[0, 0, 0, " + n(offset) + "][" + n(s0) + ", " + n(s1) +
         ", " + n(s2) + ", " + n(s3) + "][" + n(t0) + ", " + n(t1) + ", " + n(t2) + ", 1]) {metadata = @" + to +
         ", id = " + n(id) + " : i64" + (token ? ", issue_token = true" : "") + "} : memref<" + n(count) + "x" +
         element + ">");
  };
  const auto wait = [&] {
    for (long c = 0; c < g.columns; ++c) line("  aiex.npu.dma_wait {symbol = @c" + n(c) + "}");
  };
  for (long i = 0; i < rounds_m; ++i) {
    for (long c = 0; c < g.columns; ++c)
      transfer("C", g.M * g.N, out, i * 4 * g.m * g.N + c * g.n, 1, rounds_n, 4 * g.m, g.n, 0, g.columns * g.n, g.N,
               "c" + n(c), 4 + i % 2, true);
    for (long r = 0; r < 4; ++r)
      transfer("A", g.M * g.K, g.element, (i * 4 + r) * g.m * g.K, rounds_n, steps, g.m, g.k, 0,
               g.tiled ? g.m * g.k : g.k, g.tiled ? g.k : g.K, "a" + n(r), i % 2, false);
    for (long c = 0; c < g.columns; ++c)
      transfer("B", g.K * g.N, g.element, c * g.n * (g.tiled ? g.K : 1), rounds_n, steps, g.k, g.n,
               g.columns * g.n * (g.tiled ? g.K : 1), g.k * (g.tiled ? g.n : g.N), g.tiled ? g.n : g.N, "b" + n(c),
               2 + i % 2, false);
    if (i > 0) wait();
  }
  wait();
  return text + "    }\n  }\n}\n";
}

} // namespace htp::aiesim::test

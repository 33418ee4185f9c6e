// Designs whose deadlocks are known from how they were drawn: what runs a module and what predicts it say the same of
// each.
#include "machine/machine.h"
#include "model/model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

using namespace htp::aiesim;

namespace {

struct Act {
  std::string fifo;
  bool acquires, produces;
};
struct Drawn {
  std::string text{};
  std::vector<std::vector<Act>> cores{}; // of each what it repeats
  bool sticks = false;
  std::string what{};
};

constexpr const char *part = "memref<16xi32>";

// A part of a fifo taken, or given.
void pass(std::vector<Act> &acts, const std::string &fifo, bool produces) {
  acts.push_back({fifo, true, produces}), acts.push_back({fifo, false, produces});
}

class Drawing {
public:
  explicit Drawing(uint64_t seed) : random_(seed) {}

  int64_t number(int64_t low, int64_t high) { return std::uniform_int_distribution<int64_t>(low, high)(random_); }

  // X, then Y is filled; Y is emptied first. It sticks where X has no room for all that goes before Y.
  Drawn crossing() {
    const int64_t before = number(1, 6), after = number(1, 3), depth = number(1, 4);
    const bool near = number(0, 1) == 1;
    tile("a", 1, 2), near ? tile("b", 1, 3) : tile("b", number(2, 3), number(3, 5));
    fifo("in", "shim", "a", 2), fifo("x", "a", "b", depth), fifo("y", "a", "b", 2 + after), fifo("out", "b", "shim", 2);
    std::vector<Act> a, b;
    a.push_back({"in", true, false});
    for (int64_t k = 0; k < before; ++k) pass(a, "x", true);
    for (int64_t k = 0; k < after; ++k) pass(a, "y", true);
    a.push_back({"in", false, false});
    for (int64_t k = 0; k < after; ++k) pass(b, "y", false);
    for (int64_t k = 0; k < before; ++k) pass(b, "x", false);
    pass(b, "out", true);
    Drawn d{.cores = {a, b}, .sticks = before > depth * (near ? 1 : 2)};
    d.what = std::to_string(before) + " before, depth " + std::to_string(depth) + (near ? ", near" : ", far");
    return finished(d, {"a", "b"});
  }
  // A ring of cores. It sticks where everybody takes before it gives.
  Drawn ring() {
    const int64_t n = number(2, 5);
    const bool gives_first = number(0, 1) == 1;
    std::vector<int64_t> places(16);
    for (int64_t k = 0; k < 16; ++k) places[static_cast<size_t>(k)] = k;
    std::shuffle(places.begin(), places.end(), random_);
    std::vector<std::string> names;
    for (int64_t k = 0; k < n; ++k) {
      names.push_back("c" + std::to_string(k));
      tile(names.back(), places[static_cast<size_t>(k)] % 4, 2 + places[static_cast<size_t>(k)] / 4);
    }
    fifo("in", "shim", "c0", 1), fifo("out", "c0", "shim", 1);
    Drawn d{.sticks = !gives_first};
    for (int64_t k = 0; k < n; ++k) {
      const std::string to = "r" + std::to_string(k), from = "r" + std::to_string((k + n - 1) % n);
      fifo(to, names[static_cast<size_t>(k)], names[static_cast<size_t>((k + 1) % n)], number(1, 3));
      std::vector<Act> acts;
      if (k == 0) pass(acts, "in", false);
      pass(acts, k == 0 && gives_first ? to : from, k == 0 && gives_first);
      pass(acts, k == 0 && gives_first ? from : to, !(k == 0 && gives_first));
      if (k == 0) pass(acts, "out", true);
      d.cores.push_back(acts);
    }
    d.what = "a ring of " + std::to_string(n);
    return finished(d, names);
  }

private:
  void line(const std::string &text) { device_ += "    " + text + "\n"; }
  void tile(const std::string &name, int64_t column, int64_t row) {
    line("%" + name + " = aie.tile(" + std::to_string(column) + ", " + std::to_string(row) + ")");
  }
  void fifo(const std::string &name, const std::string &from, const std::string &to, int64_t depth) {
    fifos_ += "    aie.objectfifo @" + name + "(%" + from + ", {%" + to + "}, [" + std::to_string(depth) + ", " +
              std::to_string(depth) + "]) : !aie.objectfifo<" + part + ">\n";
  }
  Drawn finished(Drawn d, const std::vector<std::string> &names) {
    tile("shim", 0, 0);
    device_ += fifos_;
    for (size_t k = 0; k < names.size(); ++k) {
      line("%run_" + names[k] + " = aie.core(%" + names[k] + ") {");
      line("  %c0 = arith.constant 0 : index");
      line("  %c1 = arith.constant 1 : index");
      line("  %forever = arith.constant 9223372036854775807 : index");
      line("  scf.for %call = %c0 to %forever step %c1 {");
      int value = 0;
      for (const Act &act : d.cores[k]) {
        const std::string end = " @" + act.fifo + (act.produces ? " (Produce, 1)" : " (Consume, 1)");
        line("    " + (act.acquires ? "%v" + std::to_string(value++) + " = aie.objectfifo.acquire" + end +
                                          " : !aie.objectfifosubview<" + part + ">"
                                    : "aie.objectfifo.release" + end));
      }
      line("  }");
      line("  aie.end");
      line("}");
    }
    line("aiex.runtime_sequence @drawn(%x: memref<48xi32>, %y: memref<48xi32>) {");
    line("  aiex.npu.dma_memcpy_nd (%y[0, 0, 0, 0][1, 1, 1, 48][0, 0, 0, 1]) {metadata = @out, id = 0 : i64, "
         "issue_token = true} : "
         "memref<48xi32>");
    line("  aiex.npu.dma_memcpy_nd (%x[0, 0, 0, 0][1, 1, 1, 48][0, 0, 0, 1]) {metadata = @in, id = 1 : i64} : "
         "memref<48xi32>");
    line("  aiex.npu.dma_wait {symbol = @out}");
    line("}");
    d.text = "module {\n  aie.device(npu1_4col) {\n" + device_ + "  }\n}\n";
    return d;
  }

  std::mt19937_64 random_;
  std::string device_, fifos_;
};

// A core, as a compiler would have made it of its body: it calls the runtime, and never returns.
std::vector<std::vector<std::pair<int, bool>>> bodies; // port, whether it acquires
template <size_t K> void core() {
  for (;;)
    for (const auto &[port, acquires] : bodies[K]) acquires ? void(hooks.acquire(port, 1)) : hooks.release(port, 1);
}
constexpr void (*entries[])() = {core<0>, core<1>, core<2>, core<3>, core<4>};

bool sticks_when_run(const Module &m, const Drawn &d, uint64_t order) {
  bodies.clear();
  for (size_t k = 0; k < d.cores.size(); ++k) {
    bodies.emplace_back();
    for (const Act &act : d.cores[k]) {
      const auto &ports = m.cores[k].ports;
      const auto port = std::find_if(ports.begin(), ports.end(), [&](const Port &p) {
        return m.fifos[p.fifo].name == act.fifo && p.produces == act.produces;
      });
      bodies.back().emplace_back(static_cast<int>(port - ports.begin()), act.acquires);
    }
  }
  std::vector<uint8_t> x(192), y(192);
  try {
    run(m, {entries, entries + d.cores.size()}, {x.data(), y.data()}, order);
    return false;
  } catch (const Wrong &wrong) {
    EXPECT_TRUE(wrong.why.is(diag::deadlock)) << wrong.what();
    return true;
  }
}

bool sticks_when_predicted(const Module &m) {
  try {
    predict(m, {});
    return false;
  } catch (const Wrong &wrong) {
    EXPECT_TRUE(wrong.why.is(diag::deadlock)) << wrong.what();
    return true;
  }
}

TEST(Deadlocks, AreAllTold) {
  int stuck = 0;
  constexpr int designs = 200;
  for (uint64_t seed = 0; seed < designs; ++seed) {
    Drawing drawing(seed);
    const Drawn d = seed % 2 ? drawing.ring() : drawing.crossing();
    const Module m = read_module(d.text);
    check_legal(m);
    stuck += d.sticks;
    EXPECT_EQ(sticks_when_predicted(m), d.sticks) << "seed " << seed << ": " << d.what;
    for (uint64_t order = 0; order < 3; ++order)
      EXPECT_EQ(sticks_when_run(m, d, order), d.sticks) << "seed " << seed << ", order " << order << ": " << d.what;
  }
  EXPECT_GT(stuck, designs / 4);
  EXPECT_LT(stuck, designs * 3 / 4);
}

} // namespace

// What an instruction touches: on which pipe, and which bytes it reads and writes.
#include "analyses/program.h"

#include <algorithm>

namespace htp::a2a3 {

const Transfer *transfer_of(std::string_view instruction) {
  static constexpr Transfer transfers[] = {
#define TRANSFER(instruction, writes, tiles, indexed) {instruction, writes, tiles, indexed},
#include "analyses/operands.def"
  };
  const auto it =
      std::find_if(std::begin(transfers), std::end(transfers), [&](auto &t) { return t.instruction == instruction; });
  return it == std::end(transfers) ? nullptr : it;
}

size_t work_of(std::string_view instruction) {
  struct Work {
    std::string_view instruction;
    size_t operand;
  };
  static constexpr Work works[] = {
#define WORK(instruction, operand) {instruction, operand},
#include "analyses/operands.def"
  };
  const auto it =
      std::find_if(std::begin(works), std::end(works), [&](auto &w) { return w.instruction == instruction; });
  return it == std::end(works) ? SIZE_MAX : it->operand;
}

Pipe Statement::pipe() const {
  if (instruction == "tload" || instruction == "tprefetch") return Pipe::mte2;
  if (instruction == "tstore" || instruction == "tstore_fp") return tile->space->name == "acc" ? Pipe::fix : Pipe::mte3;
  if (instruction == "tci") return Pipe::s;
  if (!tile->space->cube) return Pipe::v;
  if (tile->space->name == "acc") return Pipe::m;
  return tile->space->name == "mat" || tile->space->name == "scaling" ? Pipe::fix : Pipe::mte1;
}

std::vector<Touch> touches(const Statement &s, const Turns &turns) {
  std::vector<Touch> found;
  const Pipe pipe = s.pipe();
  const auto bytes = [&](const Tile &t, bool writes) {
    const auto turn = turns.find(t.turn);
    const int64_t first = t.offset + (turn == turns.end() ? 0 : turn->second * t.apart);
    found.push_back({nullptr, t.space, first, first + t.bytes(), writes, pipe});
  };
  if (s.tensor) {
    const bool loads = !transfer_of(s.instruction)->writes;
    // An input that nothing writes needs no order.
    if (s.tensor->direction != "in") found.push_back({s.tensor, nullptr, 0, 0, !loads, pipe, loads ? nullptr : &s});
    bytes(*s.tile, loads);
    for (const Operand &o : s.operands) bytes(*o.tile, false);
    return found;
  }
  bytes(*s.tile, true);
  const size_t work = work_of(s.instruction);
  for (size_t k = 0; k < s.operands.size(); ++k)
    if (s.operands[k].tile) bytes(*s.operands[k].tile, k + 1 == work);
  return found;
}

} // namespace htp::a2a3

#include "core.h"

#include <cstring>

namespace htp::a2a3sim {

namespace {

constexpr uint64_t most_instructions = 1u << 23;

std::string place(Where where) {
  return "`" + std::string(where.file ? where.file : "?") + ":" + std::to_string(where.line) + "`";
}
std::string pipe_text(int pipe) { return "PIPE_" + std::string(name_of(static_cast<Pipe>(pipe))); }
std::string flag_text(int from, int to, int id) {
  return pipe_text(from) + ", " + pipe_text(to) + ", EVENT_ID" + std::to_string(id);
}

} // namespace

Core::Core(World &world, bool vector, uint64_t seed, bool computes)
    : world_(world), vector_(vector), computes_(computes), seed_(seed), random_(seed) {
  for (size_t k = 0; k < 7; ++k)
    spaces_.emplace_back(memory_of(static_cast<Space>(k)), capacity_of(static_cast<Space>(k)));
  interface_ = {this,
                [](void *c, Op op, const Operand *o, uint32_t n, uint32_t options, Where w) {
                  static_cast<Core *>(c)->issue(op, o, n, options, w);
                },
                [](void *c, int from, int to, int id, Where w) { static_cast<Core *>(c)->set_flag(from, to, id, w); },
                [](void *c, int from, int to, int id, Where w) { static_cast<Core *>(c)->wait_flag(from, to, id, w); },
                [](void *c, int pipe, Where w) { static_cast<Core *>(c)->barrier(pipe, w); },
                [](void *c, const Operand &t, uint64_t k, int write, void *bytes, Where w) {
                  static_cast<Core *>(c)->element(t, k, write, bytes, w);
                },
                [](void *c, const char *tensor, int dimension, int64_t start, int64_t stop, int64_t size, Where w) {
                  static_cast<Core *>(c)->outside(tensor, dimension, start, stop, size, w);
                }};
}

void Core::begin(uint32_t task, std::string kernel) {
  for (Memory &m : spaces_) m.forget();
  task_ = task;
  kernel_ = std::move(kernel);
  known_ = {}, count_ = {}, free_ = {};
  flags_.clear(), stores_.clear(), record_ = {};
  now_ = 0;
  issued_ = 0;
}

void Core::fail(Refusal why, Where where) const {
  throw Fault{std::move(why), where, "kernel `" + kernel_ + "`, " + place(where)};
}

void Core::end() {
  run_until([&] { return std::all_of(queues_.begin(), queues_.end(), [](const auto &q) { return q.empty(); }); });
  for (const auto &[key, f] : flags_)
    if (f.set) fail(Refusal(diag::flag_left, flag_text(key[0], key[1], key[2])), f.where);
  for (const auto &[pipe, store] : stores_)
    if (known_[htp_sim::PIPE_S_][pipe] < store.number)
      fail(Refusal(diag::undrained, name_of(store.op))
               .with("end it by `set_flag(" + flag_text(pipe, htp_sim::PIPE_S_, 7) +
                     ")` and the `wait_flag` of the same"),
           store.where);
  now_ = std::max(now_, *std::max_element(free_.begin(), free_.end()));
}

void Core::check_pipe(int pipe, const char *what, Where where) const {
  const bool known = pipe >= 0 && pipe < htp_sim::pipe_count;
  const bool has =
      known && (vector_ ? pipe != htp_sim::PIPE_M_ && pipe != htp_sim::PIPE_MTE1_ && pipe != htp_sim::PIPE_FIX_
                        : pipe != htp_sim::PIPE_V_);
  if (!has)
    fail(
        (known ? Refusal(diag::core_pipe, what, pipe_text(pipe)) : Refusal(diag::no_pipe, what, pipe))
            .with(vector_ ? "a vector core has S, V, MTE2 and MTE3" : "a cube core has S, M, MTE1, MTE2, MTE3 and FIX"),
        where);
}

Core::Flag &Core::flag(int from, int to, int id, const char *what, Where where) {
  check_pipe(from, what, where), check_pipe(to, what, where);
  if (from == to || from == htp_sim::PIPE_ALL_ || to == htp_sim::PIPE_ALL_)
    fail(Refusal(diag::flag_pipes, what, flag_text(from, to, id)), where);
  if (id < 0 || id > 7) fail(Refusal(diag::event_id, what, id), where);
  if (++issued_ > most_instructions) fail(Refusal(diag::many_instructions, most_instructions), where);
  return flags_[{from, to, id}];
}

void Core::set_flag(int from, int to, int id, Where where) {
  Flag &f = flag(from, to, id, "set_flag", where);
  if (f.set)
    fail(Refusal(diag::flag_again, flag_text(from, to, id))
             .with("wait for it in between; it was set at " + place(f.where)),
         where);
  now_ += cost::scalar_issue;
  Known known = known_[static_cast<size_t>(from)];
  for (size_t p = 0; p < known.size(); ++p)
    if (p != htp_sim::PIPE_S_ || from == htp_sim::PIPE_S_) known[p] = std::max(known[p], known_[htp_sim::PIPE_S_][p]);
  if (to != htp_sim::PIPE_S_ && known[static_cast<size_t>(to)] < f.waited)
    fail(Refusal(diag::flag_early, flag_text(from, to, id))
             .with("take another event id, or let " + pipe_text(from) + " wait for " + pipe_text(to) + " first"),
         where);
  known[static_cast<size_t>(from)] = count_[static_cast<size_t>(from)];
  f.set = 1, f.known = known, f.where = where;
  f.time = from == htp_sim::PIPE_S_ ? now_ : std::max(free_[static_cast<size_t>(from)], now_);
  if (from == htp_sim::PIPE_S_)
    ++f.raised;
  else
    push(static_cast<Pipe>(from), {Item::set, {}, &f});
}

void Core::wait_flag(int from, int to, int id, Where where) {
  Flag &f = flag(from, to, id, "wait_flag", where);
  if (!f.set)
    fail(Refusal(diag::flag_unset, flag_text(from, to, id))
             .with("set it on " + pipe_text(from) + " behind what is waited for"),
         where);
  now_ += cost::scalar_issue;
  const auto pipe = static_cast<size_t>(to);
  for (size_t p = 0; p < f.known.size(); ++p) known_[pipe][p] = std::max(known_[pipe][p], f.known[p]);
  f.waited = ++count_[pipe];
  record_.signals.push_back({from, to, id, f.where.line, where.line, f.time,
                             std::max(f.time, to == htp_sim::PIPE_S_ ? now_ : std::max(now_, free_[pipe]))});
  f.set = 0;
  if (to == htp_sim::PIPE_S_) {
    run_until([&] { return f.raised > 0; });
    --f.raised;
    now_ = std::max(now_, f.time);
  } else {
    free_[pipe] = std::max(free_[pipe], f.time);
    push(static_cast<Pipe>(to), {Item::wait, {}, &f});
  }
}

void Core::barrier(int pipe, Where where) {
  check_pipe(pipe, "pipe_barrier", where);
  now_ += cost::scalar_issue;
  if (pipe != htp_sim::PIPE_ALL_) {
    known_[static_cast<size_t>(pipe)][static_cast<size_t>(pipe)] = count_[static_cast<size_t>(pipe)];
    return;
  }
  for (size_t p = 0; p < count_.size(); ++p) known_[htp_sim::PIPE_S_][p] = count_[p];
  for (auto &known : known_) known[htp_sim::PIPE_S_] = count_[htp_sim::PIPE_S_];
  run_until([&] { return std::all_of(queues_.begin(), queues_.end(), [](const auto &q) { return q.empty(); }); });
  now_ = std::max(now_, *std::max_element(free_.begin(), free_.end()));
}

// ── what touches what ───────────────────────────────────────────────────────────────────────────────────────────────

// Is `earlier` known to be over when `now` runs? A pipe begins its operations in order, so what it reads is read before
// a later operation of its own writes; only the cube's accumulator is written in order as well.
bool Core::over(const Access &earlier, const Access &now) const {
  if (earlier.task != now.task) return world_.before(earlier.task, now.task);
  if (earlier.pipe == now.pipe &&
      (!earlier.write || now.pipe == htp_sim::PIPE_M_ || now.pipe == htp_sim::PIPE_S_ || earlier.number == now.number))
    return true;
  return known_[now.pipe][earlier.pipe] >= earlier.number;
}

void Core::hazard(const Memory &memory, const Access &earlier, const Access &now) const {
  const auto does = [](const Access &a) { return a.write ? "writes" : "reads"; };
  const std::string there = place(earlier.where);
  if (earlier.task != now.task) {
    const std::string task = world_.task_name(now.task), other = world_.task_name(earlier.task);
    if (!(earlier.bytes & now.bytes))
      fail(Refusal(diag::shared_line, name_of(now.op), memory.name, name_of(earlier.op), there, task, other),
           now.where);
    fail(Refusal(diag::unordered, name_of(now.op), does(now), memory.name, name_of(earlier.op), there, does(earlier),
                 task, other),
         now.where);
  }
  if (earlier.pipe == now.pipe)
    fail(Refusal(diag::pipe_hazard, name_of(now.op), does(now), memory.name, name_of(earlier.op), there, does(earlier))
             .with("put `pipe_barrier(" + pipe_text(now.pipe) + ")` between them"),
         now.where);
  fail(Refusal(diag::hazard, name_of(now.op), does(now), memory.name, name_of(earlier.op), there, does(earlier))
           .with("set a flag on " + pipe_text(earlier.pipe) + " behind it, and wait for it on " + pipe_text(now.pipe)),
       now.where);
}

void Core::touch(Memory &memory, uint64_t begin, uint64_t bytes, const Access &access, const Operand &operand) {
  for (uint64_t at = begin, end = begin + bytes; at < end;) {
    const uint64_t first = at % line_bytes, n = std::min(line_bytes - first, end - at);
    Access now = access;
    now.bytes = (n == line_bytes ? ~uint64_t{0} : (uint64_t{1} << n) - 1) << first;
    Line &line = memory.lines[at / line_bytes];
    for (const Access &earlier : line.accesses) {
      if (!(earlier.write || now.write)) continue;
      const bool shared = earlier.write && now.write && earlier.task != now.task;
      if (((earlier.bytes & now.bytes) || shared) && !over(earlier, now)) hazard(memory, earlier, now);
    }
    if (!now.write && (line.written & now.bytes) != now.bytes)
      fail(operand.kind == Kind::tile
               ? Refusal(diag::uninitialised_tile, name_of(now.op), memory.name, operand.offset, at - operand.offset)
               : Refusal(diag::uninitialised, name_of(now.op), memory.name),
           now.where);
    std::erase_if(line.accesses, [&](const Access &earlier) {
      if (earlier.bytes & ~now.bytes) return false;
      return now.write ? over(earlier, now)
                       : !earlier.write && (earlier.task == now.task ? earlier.pipe == now.pipe : over(earlier, now));
    });
    if (now.write) line.written |= now.bytes;
    line.accesses.push_back(now);
    at += n;
  }
}

void Core::touch_global(const uint8_t *address, uint64_t bytes, const Access &access, const Operand &operand) {
  uint64_t offset = 0;
  Memory *memory = world_.find(address, bytes, offset);
  if (!memory)
    fail(Refusal(diag::outside_tensors, name_of(access.op), access.write ? "writes" : "reads"), access.where);
  world_.touched(task_, *memory, offset, offset + bytes, access.write, access.where);
  touch(*memory, offset, bytes, access, operand);
}

void Core::look(const uint8_t *address, uint64_t bytes, Where where) {
  touch_global(address, bytes, {task_, ++count_[htp_sim::PIPE_S_], htp_sim::PIPE_S_, false, Op::TLOAD, where, 0},
               Operand{});
  now_ += cost::scalar_issue;
}

void Core::touch_operand(const Operand &operand, char role, const Extent &extent, Access access) {
  access.write = role == 'w' || role == 't';
  if (operand.kind == Kind::tile) {
    Memory &memory = space(operand.space);
    runs_of_tile(operand, extent, [&](uint64_t begin, uint64_t bytes) {
      touch(memory, begin, bytes, access, operand);
      if (role == 't') // what a temporary holds afterwards is nobody's
        for (uint64_t at = begin; at < begin + bytes; ++at)
          memory.lines[at / line_bytes].written &= ~(uint64_t{1} << at % line_bytes);
    });
    return;
  }
  runs_of_global(operand, extent.rows, extent.columns,
                 [&](const uint8_t *address, uint64_t bytes) { touch_global(address, bytes, access, operand); });
  if (access.write && access.op != Op::MSCATTER) stores_[access.pipe] = access; // which waits for its own
}

void Core::issue(Op op, const Operand *operands, uint32_t count, uint32_t options, Where where) {
  if (++issued_ > most_instructions) fail(Refusal(diag::many_instructions, most_instructions), where);
  std::string roles;
  if (!roles_of(op, operands, count, roles))
    fail(Refusal(diag::operand_count, name_of(op), count)
             .with("give it its operands, " + std::string(instruction(op).roles) +
                   ": w is written, r read, u both, t to work with, n a number"),
         where);
  const Verdict verdict = judge(op, operands, count, roles, vector_);
  if (verdict.wrong) fail(verdict.wrong, where);
  const Pipe pipe = verdict.pipe;
  for (size_t p = 0; p < htp_sim::pipe_count; ++p) // what the scalar pipe has seen happen
    if (p != htp_sim::PIPE_S_) known_[pipe][p] = std::max(known_[pipe][p], known_[htp_sim::PIPE_S_][p]);
  Access access{task_, ++count_[pipe], pipe, false, op, where, 0};
  // What is read first: an instruction may write where it reads.
  for (const bool writes : {false, true})
    for (uint32_t k = 0; k < count; ++k) {
      const char role = roles[k];
      if (operands[k].kind != Kind::tile && operands[k].kind != Kind::global) continue;
      const Extent extent = extent_of(op, operands, count, k);
      if (!writes && (role == 'r' || role == 'u')) touch_operand(operands[k], 'r', extent, access);
      if (writes && (role == 'w' || role == 'u' || role == 't')) {
        if (options & htp_sim::adds) touch_operand(operands[k], 'r', extent, access);
        touch_operand(operands[k], role == 't' ? 't' : 'w', extent, access);
      }
    }
  now_ += cost::scalar_issue;
  const double begin = std::max(free_[pipe], now_), cycles = cycles_of(op, pipe, operands, count);
  free_[pipe] = begin + cycles;
  if (pipe == htp_sim::PIPE_S_) now_ = free_[pipe];
  for (uint32_t k = 0; k < count; ++k)
    if (const Operand &o = operands[k]; o.kind == Kind::tile)
      record_.uses.push_back({o.space, o.offset,
                              static_cast<uint64_t>(o.rows) * static_cast<uint64_t>(o.columns) * bytes_of(o.type),
                              roles[k] != 'r', record_.events.size()});
  record_.events.push_back({pipe, op, begin, cycles, where.line});
  for (uint32_t k = 0; k < count; ++k)
    for (uint32_t t = 0; t < count && operands[k].kind == Kind::global; ++t)
      if (const Operand &tile = operands[t]; tile.kind == Kind::tile) {
        record_.moved +=
            static_cast<double>(tile.valid_rows) * tile.valid_columns * static_cast<double>(bytes_of(operands[k].type));
        break;
      }
  if (!computes_) return;
  auto run = [this, op, options, own = std::vector<Operand>(operands, operands + count)] {
    execute(op, own, options, [this](const Operand &o) {
      return o.kind == Kind::tile ? space(o.space).data + o.offset : static_cast<uint8_t *>(o.address);
    });
  };
  if (pipe == htp_sim::PIPE_S_)
    run();
  else
    push(pipe, {Item::compute, std::move(run), nullptr});
}

void Core::outside(const char *tensor, int dimension, int64_t start, int64_t stop, int64_t size, Where where) const {
  fail(Refusal(diag::index, std::to_string(start) + ":" + std::to_string(stop), dimension, tensor, size), where);
}

void Core::element(const Operand &tile, uint64_t index, bool write, void *bytes, Where where) {
  const uint64_t size = bytes_of(tile.type);
  if (!vector_ || tile.space != Space::vec || !tile.assigned ||
      index >= static_cast<uint64_t>(tile.rows) * static_cast<uint64_t>(tile.columns))
    fail(Refusal(diag::element), where);
  Memory &memory = space(tile.space);
  const uint64_t at = tile.offset + index * size;
  if (at + size > memory.size) fail(Refusal(diag::element_end, at + size, memory.size), where);
  touch(memory, at, size, {task_, ++count_[htp_sim::PIPE_S_], htp_sim::PIPE_S_, write, Op::TMOV, where, 0}, tile);
  now_ += cost::scalar_issue;
  if (write)
    std::memcpy(memory.data + at, bytes, size);
  else
    std::memcpy(bytes, memory.data + at, size);
}

// ── the queues ──────────────────────────────────────────────────────────────────────────────────────────────────────

// Seed 0 runs everything as soon as it may, seed 1 as late as it may, others in between.
void Core::push(Pipe pipe, Item item) {
  queues_[pipe].push_back(std::move(item));
  if (seed_ == 0) {
    for (bool moved = true; moved;) {
      moved = false;
      for (uint8_t p = 0; p < htp_sim::pipe_count; ++p)
        while (step(static_cast<Pipe>(p))) moved = true;
    }
  } else if (seed_ > 1) {
    for (uint64_t n = random_() % 4; n > 0; --n) step(static_cast<Pipe>(random_() % htp_sim::pipe_count));
  }
}

bool Core::step(Pipe pipe) {
  auto &queue = queues_[pipe];
  if (queue.empty()) return false;
  Item &item = queue.front();
  if (item.kind == Item::wait) {
    if (!item.flag->raised) return false;
    --item.flag->raised;
  } else if (item.kind == Item::set) {
    ++item.flag->raised;
  } else {
    item.run();
  }
  queue.pop_front();
  return true;
}

// A wait is issued only behind its set (`wait_flag` refuses it else), so that the pipe of what was issued first can
// always go on.
void Core::run_until(const std::function<bool()> &done) {
  while (!done()) {
    const auto first = static_cast<uint8_t>(random_() % htp_sim::pipe_count);
    bool moved = false;
    for (uint8_t k = 0; k < htp_sim::pipe_count && !moved; ++k)
      moved = step(static_cast<Pipe>((first + k) % htp_sim::pipe_count));
  }
}

} // namespace htp::a2a3sim

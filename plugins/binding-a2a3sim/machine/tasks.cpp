#include "tasks.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <set>

namespace htp::a2a3sim {

namespace {

constexpr uint64_t most_memory = uint64_t{8} << 30;
constexpr size_t most_tasks = 131072;

} // namespace

// A fault leaves an orchestration by an exception, through code that the same compiler made.
Tasks::Tasks(const std::map<int, Kernel> &kernels) : kernels_(kernels) {
  orchestra_ = {
      this,
      [](void *w, size_t bytes, const char *what) { return static_cast<Tasks *>(w)->allocate(bytes, what); },
      [](void *, void *) {}, // what is freed may still be used by tasks; all goes at the end
      [](void *w, void *device, void *host, size_t bytes, int to) {
        return static_cast<Tasks *>(w)->copy(device, host, bytes, to != 0);
      },
      [](void *w, void *host, void *device, size_t bytes) { static_cast<Tasks *>(w)->pair(host, device, bytes); },
      [](void *w, int id, int vector, const uint64_t *args, int n, const void *descriptors, size_t size, int tensors,
         const char *file, int line) {
        return static_cast<Tasks *>(w)->submit(id, vector != 0, args, n, descriptors, size, tensors, {file, line});
      },
      [](void *w, int from, int to) { return static_cast<Tasks *>(w)->edge(from, to); },
      [](void *w, int task, const htp_sim::TaskTensor *t, int n, int derives) {
        static_cast<Tasks *>(w)->depend(task, t, n, derives != 0);
      },
      [](void *w, htp_sim::Misuse what) {
        const auto &row = what == htp_sim::Misuse::task_limits       ? diag::task_limits
                          : what == htp_sim::Misuse::pair_limit      ? diag::pair_limit
                          : what == htp_sim::Misuse::tensor_last     ? diag::tensor_last
                          : what == htp_sim::Misuse::automatic_scope ? diag::automatic_scope
                                                                     : diag::argument_limits;
        static_cast<Tasks *>(w)->fail(Refusal(row));
      }};
}

void Tasks::fail(Refusal why) const { throw Fault{std::move(why)}; }

// ── memory ──────────────────────────────────────────────────────────────────────────────────────────────────────────

void Tasks::host(std::string name, void *data, const Spread &spread, bool meant) {
  hosts_.push_back({std::move(name), static_cast<uint8_t *>(data), spread, meant});
}

void Tasks::hold(uint64_t bytes) const {
  if (allocated_ + bytes > most_memory) fail(Refusal(diag::many_bytes, allocated_ + bytes, most_memory));
}

Memory &Tasks::tensor(std::string name, const Spread &spread, const void *data) {
  hold(spread.bytes);
  allocated_ += spread.bytes;
  auto memory = std::make_unique<Memory>(std::move(name), spread.bytes);
  memory->spread = spread;
  if (data)
    spread.runs([&](uint64_t begin, uint64_t bytes) {
      std::memcpy(memory->data + begin, static_cast<const uint8_t *>(data) + begin, bytes);
      memory->written(begin, begin + bytes);
    });
  Memory &result = *memory;
  memories_[reinterpret_cast<uintptr_t>(result.data)] = std::move(memory);
  return result;
}

void *Tasks::allocate(size_t bytes, const char *what) {
  if (what) return tensor(what, {bytes}, nullptr).data;
  other_.emplace_back(new uint8_t[bytes + line_bytes]);
  const auto address = reinterpret_cast<uintptr_t>(other_.back().get());
  return other_.back().get() + (line_bytes - address % line_bytes) % line_bytes;
}

Memory *Tasks::find(const void *address, uint64_t bytes, uint64_t &offset) {
  const auto at = reinterpret_cast<uintptr_t>(address);
  auto next = memories_.upper_bound(at);
  if (next == memories_.begin()) return nullptr;
  Memory &memory = *std::prev(next)->second;
  offset = at - reinterpret_cast<uintptr_t>(memory.data);
  return offset <= memory.size && bytes <= memory.size - offset ? &memory : nullptr;
}

const Tasks::Host *Tasks::host_of(const void *data, uint64_t bytes) const {
  const auto *at = static_cast<const uint8_t *>(data);
  for (const Host &h : hosts_)
    if (at >= h.data && at <= h.data + h.spread.bytes && bytes <= static_cast<uint64_t>(h.data + h.spread.bytes - at))
      return &h;
  return nullptr;
}

int Tasks::copy(void *device, void *host, size_t bytes, bool to_device) {
  uint64_t offset = 0;
  Memory *memory = find(device, bytes, offset);
  const Host *h = host_of(host, bytes);
  if (!memory || !h) fail(Refusal(diag::copy_outside, bytes, h ? "its memory" : "the arguments"));
  if (to_device) {
    if (h->meant) {
      std::memcpy(memory->data + offset, host, bytes);
      const auto first = static_cast<uint64_t>(static_cast<uint8_t *>(host) - h->data);
      h->spread.runs([&](uint64_t begin, uint64_t length) {
        const uint64_t from = std::max(begin, first), to = std::min(begin + length, first + bytes);
        if (from < to) memory->written(offset + from - first, offset + to - first);
      });
    }
    memory->name = h->name;
    host_of_device_[memory] = h->name;
  } else {
    std::memcpy(host, memory->data + offset, bytes);
  }
  return 0;
}

void Tasks::pair(void *host, void *device, size_t bytes) {
  uint64_t offset = 0;
  Memory *memory = find(device, bytes, offset);
  const Host *h = host_of(host, bytes);
  if (!memory || !h || offset != 0) fail(Refusal(diag::tensor_pair));
  if (host_of_device_.contains(memory) && host_of_device_[memory] != h->name)
    fail(Refusal(diag::copied_back, host_of_device_[memory], h->name));
  memory->name = h->name;
  if (h->data == host && h->spread.bytes == memory->size) memory->spread = h->spread;
  pairs_.push_back({static_cast<uint8_t *>(host), memory, bytes});
}

void Tasks::hold_output(const std::string &name, const Memory &memory) {
  if (const uint64_t missing = memory.unwritten()) throw Fault{Refusal(diag::output, name, missing, memory.size)};
  if (const uint64_t stray = memory.stray()) throw Fault{Refusal(diag::gaps, name, stray)};
}

void Tasks::finish() {
  for (const Pair &p : pairs_) {
    hold_output(p.device->name, *p.device);
    std::memcpy(p.host, p.device->data, p.bytes);
  }
}

// ── tasks ───────────────────────────────────────────────────────────────────────────────────────────────────────────

std::string Tasks::task_name(uint32_t task) const {
  return "task " + std::to_string(task) + " (`" + kernels_.at(tasks_[task].kernel).name + "`)";
}

int Tasks::submit(int func_id, bool vector, const uint64_t *args, int count, const void *descriptors, size_t size,
                  int tensors, Where) {
  const auto kernel = kernels_.find(func_id);
  if (kernel == kernels_.end()) fail(Refusal(diag::no_kernel, func_id));
  if (kernel->second.vector != vector) fail(Refusal(diag::task_core, kernel->second.name, vector ? "vector" : "cube"));
  if (tasks_.size() == most_tasks) fail(Refusal(diag::many_tasks, most_tasks));
  Task task{func_id, std::vector<int64_t>(50, 0), nullptr, {}, {}, {}, {}, count, 0,
            {}}; // the last two: contexts of the runtime
  for (int k = 0; k < count; ++k) task.values[static_cast<size_t>(k)] = static_cast<int64_t>(args[k]);
  if (tensors > 0) {
    task.descriptors.reset(new uint8_t[size * static_cast<size_t>(tensors)]);
    std::memcpy(task.descriptors.get(), descriptors, size * static_cast<size_t>(tensors));
    for (int k = 0; k < tensors; ++k)
      task.values[static_cast<size_t>(k)] =
          reinterpret_cast<int64_t>(task.descriptors.get() + size * static_cast<size_t>(k));
  }
  tasks_.push_back(std::move(task));
  return static_cast<int>(tasks_.size() - 1);
}

namespace {

// Whether two arguments have a byte in common, as far as a runtime tells: of parts of one buffer along the same rows,
// whether they meet in each dimension.
bool meet(const htp_sim::TaskTensor &a, const htp_sim::TaskTensor &b) {
  if (a.begin >= b.end || b.begin >= a.end) return false;
  if (a.dimensions == 0 || a.dimensions != b.dimensions || a.buffer != b.buffer ||
      !std::equal(a.strides, a.strides + a.dimensions, b.strides))
    return true;
  for (uint32_t d = 0; d < a.dimensions; ++d)
    if (a.from[d] >= b.from[d] + b.extents[d] || b.from[d] >= a.from[d] + a.extents[d]) return false;
  return true;
}

// Whether all of an argument, which has a byte in common with another one, is of that.
bool covers(const htp_sim::TaskTensor &a, const htp_sim::TaskTensor &b) {
  if (b.begin < a.begin || b.end > a.end) return false;
  if (a.dimensions == 0) return true;
  if (a.dimensions != b.dimensions || a.buffer != b.buffer ||
      !std::equal(a.strides, a.strides + a.dimensions, b.strides))
    return false;
  for (uint32_t d = 0; d < a.dimensions; ++d)
    if (b.from[d] < a.from[d] || b.from[d] + b.extents[d] > a.from[d] + a.extents[d]) return false;
  return true;
}

// Whether bytes that lie together are all of a part.
bool inside(const htp_sim::TaskTensor &t, uint64_t begin, uint64_t end) {
  if (begin < t.begin || end > t.end) return false;
  uint64_t first = begin - t.buffer, last = end - 1 - t.buffer;
  for (uint32_t d = 0; d < t.dimensions; ++d) {
    const uint64_t a = first / t.strides[d], b = last / t.strides[d];
    if (a < t.from[d] || b >= t.from[d] + t.extents[d]) return false;
    first %= t.strides[d], last %= t.strides[d];
    if (a == b) continue;
    // From one row to another: those between them are whole.
    for (uint32_t k = d + 1; k < t.dimensions; ++k)
      if (t.from[k] != 0 || t.extents[k] * t.strides[k] != t.strides[k - 1]) return false;
    return true;
  }
  return true;
}

} // namespace

int Tasks::edge(int from, int to) {
  const auto n = static_cast<int>(tasks_.size());
  if (from < 0 || to < 0 || from >= n || to >= n || from == to) fail(Refusal(diag::edge, from, to, n));
  tasks_[static_cast<size_t>(to)].after.push_back(static_cast<uint32_t>(from));
  return 0;
}

void Tasks::depend(int task, const htp_sim::TaskTensor *tensors, int count, bool derives) {
  tasks_[static_cast<size_t>(task)].declared.assign(tensors, tensors + count);
  if (!derives) return;
  for (int k = 0; k < count; ++k) {
    const uint64_t address = tensors[k].begin;
    if (!tensors[k].reads) continue;
    for (auto &[bits, of_width] : writes_) { // none is longer than 2**bits
      const uint64_t longest = bits < 64 ? uint64_t{1} << bits : UINT64_MAX;
      for (auto w = of_width.lower_bound(address - std::min(address, longest));
           w != of_width.end() && w->first < tensors[k].end;) {
        const bool met = meet(w->second.tensor, tensors[k]);
        if (met) edge(static_cast<int>(w->second.task), task);
        // Who comes later need not wait for what this one waits for and writes over.
        const bool over = met && tensors[k].writes && w->second.tensor.reads && covers(tensors[k], w->second.tensor);
        w = over ? of_width.erase(w) : std::next(w);
      }
    }
  }
  for (int k = 0; k < count; ++k)
    if (tensors[k].writes)
      writes_[static_cast<int>(std::bit_width(tensors[k].end - tensors[k].begin))].emplace(
          tensors[k].begin, Write{tensors[k], static_cast<uint32_t>(task)});
}

uint64_t Tasks::tasks_of(int func_id) const {
  return static_cast<uint64_t>(
      std::count_if(tasks_.begin(), tasks_.end(), [&](const Task &t) { return t.kernel == func_id; }));
}

// A task reads and writes what it declares. What it wrote itself it may read.
void Tasks::touched(uint32_t task, const Memory &memory, uint64_t begin, uint64_t end, bool write, Where where) {
  Task &t = tasks_[task];
  if (t.declared.empty()) return;
  const auto base = reinterpret_cast<uint64_t>(memory.data);
  bool right = false, known = false;
  for (const htp_sim::TaskTensor &one : t.declared)
    if (inside(one, base + begin, base + end)) known = true, right = right || (write ? one.writes : one.reads);
  if (write && right && std::find(t.wrote.begin(), t.wrote.end(), &memory) == t.wrote.end()) t.wrote.push_back(&memory);
  if (right || (!write && known && std::find(t.wrote.begin(), t.wrote.end(), &memory) != t.wrote.end())) return;
  const std::string at = line_text(where.file, where.line);
  const char *does = write ? "writes" : "reads";
  throw Fault{known ? Refusal(diag::task_direction, task_name(task), does, memory.name, at)
                    : Refusal(diag::task_tensor, task_name(task), does, memory.name, at),
              where};
}

bool Tasks::before(uint32_t task, uint32_t other) const {
  const auto &all = tasks_[other].ancestors;
  return !all.empty() && (all[task / 64] >> (task % 64) & 1);
}

// Ancestors, in an order in which all that a task waits for comes before it.
void Tasks::order_tasks() {
  const size_t n = tasks_.size(), values = (n + 63) / 64;
  std::vector<std::vector<uint32_t>> next(n);
  std::vector<size_t> waits(n, 0);
  std::vector<uint32_t> ready;
  for (uint32_t t = 0; t < n; ++t) {
    auto &after = tasks_[t].after;
    std::sort(after.begin(), after.end());
    after.erase(std::unique(after.begin(), after.end()), after.end());
    waits[t] = after.size();
    for (const uint32_t f : after) next[f].push_back(t);
    tasks_[t].ancestors.assign(after.empty() ? 0 : values, 0);
    if (waits[t] == 0) ready.push_back(t);
  }
  for (size_t at = 0; at < ready.size(); ++at) {
    const Task &done = tasks_[ready[at]];
    for (const uint32_t t : next[ready[at]]) {
      for (size_t w = 0; w < done.ancestors.size(); ++w) tasks_[t].ancestors[w] |= done.ancestors[w];
      tasks_[t].ancestors[ready[at] / 64] |= uint64_t{1} << ready[at] % 64;
      if (--waits[t] == 0) ready.push_back(t);
    }
  }
  if (ready.size() < n) fail(Refusal(diag::task_cycle, n - ready.size(), n));
}

void Tasks::run(uint64_t order, Timeline *timeline, bool computes) {
  order_tasks();
  std::mt19937_64 random(order);
  Core vector(*this, true, order, computes), cube(*this, false, order, computes);
  std::vector<size_t> waits(tasks_.size());
  std::vector<std::vector<uint32_t>> next(tasks_.size());
  std::set<uint32_t> ready;
  for (uint32_t t = 0; t < tasks_.size(); ++t) {
    waits[t] = tasks_[t].after.size();
    for (const uint32_t f : tasks_[t].after) next[f].push_back(t);
    if (waits[t] == 0) ready.insert(t);
  }
  while (!ready.empty()) {
    const auto pick = order == 0   ? ready.begin()
                      : order == 1 ? std::prev(ready.end())
                                   : std::next(ready.begin(), static_cast<std::ptrdiff_t>(random() % ready.size()));
    const uint32_t t = *pick;
    ready.erase(pick);
    Task &task = tasks_[t];
    const Kernel &kernel = kernels_.at(task.kernel);
    Core &core = kernel.vector ? vector : cube;
    core.begin(t, kernel.name);
    kernel.run(core, task.values);
    core.end();
    task.cycles = core.cycles();
    if (timeline) task.record = core.record();
    for (const uint32_t n : next[t])
      if (--waits[n] == 0) ready.insert(n);
  }
  if (timeline) draw(*timeline);
}

void Tasks::schedule(const Timeline &measured, Timeline &timeline) {
  order_tasks();
  std::map<int, std::map<uint32_t, double>> cycles; // by kernel, then in the order of submission
  for (const Timeline::Task &t : measured.tasks) cycles[t.func_id][t.number] = t.cycles;
  for (Task &t : tasks_)
    if (auto &of = cycles[t.kernel]; !of.empty()) t.cycles = of.begin()->second, of.erase(of.begin());
  draw(timeline);
}

// Of the tasks that nothing is waited for by any more, the one that can begin first does, on the core of its kind that
// is free first; of several the one that was submitted first.
void Tasks::draw(Timeline &line) const {
  std::vector<double> end(tasks_.size(), 0), ready(tasks_.size(), 0), cube(cube_cores, 0), vector(vector_cores, 0);
  std::vector<size_t> waits(tasks_.size(), 0);
  std::vector<std::vector<uint32_t>> next(tasks_.size());
  std::set<std::pair<double, uint32_t>> open[2]; // what may run, by when; of cube and of vector cores
  const auto is_vector = [&](uint32_t t) { return kernels_.at(tasks_[t].kernel).vector; };
  for (uint32_t t = 0; t < tasks_.size(); ++t) {
    for (const uint32_t f : tasks_[t].after) next[f].push_back(t), ++waits[t];
    if (!waits[t]) open[is_vector(t)].emplace(0, t);
  }
  while (!open[0].empty() || !open[1].empty()) {
    uint32_t t = 0;
    double begin = HUGE_VAL;
    for (const bool kind : {false, true}) {
      if (open[kind].empty()) continue;
      const auto &cores = kind ? vector : cube;
      const double free = *std::min_element(cores.begin(), cores.end());
      // All that is ready by then: the first of them.
      auto it = open[kind].begin();
      const double from = std::max(free, it->first);
      uint32_t first = it->second;
      for (; it != open[kind].end() && it->first <= from; ++it) first = std::min(first, it->second);
      if (from < begin || (from == begin && first < t)) begin = from, t = first;
    }
    const Task &task = tasks_[t];
    const Kernel &kernel = kernels_.at(task.kernel);
    open[kernel.vector].erase({ready[t], t});
    auto &cores = kernel.vector ? vector : cube;
    const auto core = std::min_element(cores.begin(), cores.end());
    begin += cost::task_start;
    end[t] = *core = begin + task.cycles;
    line.cycles = std::max(line.cycles, end[t]);
    for (const uint32_t n : next[t]) {
      ready[n] = std::max(ready[n], end[t]);
      if (--waits[n] == 0) open[is_vector(n)].emplace(ready[n], n);
    }
    const std::string track = (kernel.vector ? "AIV " : "AIC ") + std::to_string(core - cores.begin());
    line.slices.push_back({"task " + std::to_string(t) + ": " + kernel.name, track, begin, task.cycles});
    line.tasks.push_back({t, task.kernel, kernel.name, track, begin, task.cycles, task.after});
    line.moved += task.record.moved;
    line.records.try_emplace(task.kernel, t, task.record);
    for (const Event &e : task.record.events) {
      line.slices.push_back({name_of(e.op), track + " " + name_of(e.pipe), begin + e.begin, e.cycles});
      line.busy[track][e.pipe] += e.cycles;
    }
  }
  line.held = static_cast<double>(allocated_);
  double most = 0;
  for (const auto &[track, pipes] : line.busy)
    for (const auto &[pipe, cycles] : pipes)
      if (cycles > most) most = cycles, line.core = track, line.pipe = pipe;
  line.share = most / std::max(line.cycles, 1.0);
}

std::string Timeline::bound() const {
  return core + " " + name_of(pipe) + ", busy " + std::to_string(static_cast<int>(100 * share + 0.5)) +
         " % of the time";
}

} // namespace htp::a2a3sim

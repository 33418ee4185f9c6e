// The backend's emitter: a module of MLIR-AIE, what is where in it, and what builds and runs it.
#include "analyses/blocks.h"
#include "size.h"

#include <algorithm>
#include <set>

namespace htp::aie {

namespace {

// What 2408 does by default with buffers has no bank for one that is larger than a bank.
constexpr Version versions[] = {
    {"2408", "aiex", true, true, false, true, true, "insts.txt",
     "aiecc.py --no-compile-host --no-xchesscc --no-xbridge --aie-generate-xclbin --aie-generate-npu "
     "--basic-alloc-scheme"},
    {"v1.0", "aiex", false, false, false, false, false, "insts.bin",
     "aiecc.py --no-compile-host --no-xchesscc --no-xbridge --aie-generate-xclbin --aie-generate-npu-insts"},
    {"2608", "aie", false, false, true, true, false, "insts.bin", "aiecc --get-xclbin --get-npu-insts"}};

class Module {
public:
  Module(const Context &context, const Program &program, const SymbolNames &names, const Device &device,
         const Version &version, const Plan &plan, Locations locations = {})
      : c(context), p(program), symbols_(names), device_(device), v_(version), plan_(plan),
        locations_(std::move(locations)) {
    for (const Core &core : p.cores) {
      made(core.body);
      const auto bytes = [&](ProductForm products) {
        Locations none;
        Functions apart(c, p, none);
        return size_of(c, p, core, apart, !v_.new_devices, products).bytes;
      };
      const int64_t in_place = bytes(ProductForm::in_place);
      if (in_place > program_bytes && bytes(ProductForm::called) < in_place) calls_.insert(&core);
    }
  }

  std::string text() {
    write();
    locations_.write(writer_);
    return writer_.text();
  }
  // Whether each core has program memory for what it runs, by an estimate.
  Result check_size() {
    for (const Core &one : p.cores) {
      const Size size = size_of(c, p, one, functions_, !v_.new_devices, products(one));
      if (size.bytes <= program_bytes) continue;
      Node where = one.node;
      if (const Node inside = size.loop ? users(size.loop->body) : users(one.body)) where = inside;
      const std::string &name = one.name.empty() ? p.name : one.name;
      auto report = c.report(size.bytes <= 4 * program_bytes ? diag::program_memory : diag::program_full, where, name,
                             size.bytes, program_bytes);
      if (size.loop)
        report.note("a loop is unrolled " + std::to_string(size.times) + " times, for the depths of its FIFOs are " +
                    join(size.streams, ", ",
                         [&](const Stream *s) { return std::to_string(s->depth) + " (`" + s->name + "`)"; }));
      else
        report.hint(written_out(one)
                        ? "a loop is unrolled where an `if`, or an index of channels, differs between iterations: do "
                          "those that "
                          "differ outside of it, as the first before `for m in range(1, M)`"
                        : "divide the computation between two processes of a pipeline, with a channel between");
    }
    return c.result();
  }

private:
  ProductForm products(const Core &core) const {
    return calls_.contains(&core) ? ProductForm::called : ProductForm::in_place;
  }
  // Whether a loop's iterations stand one behind the other: most operations have origins that others have too.
  static constexpr int most_alike = 4;
  bool written_out(const Core &core) const {
    std::map<Node, int> times; // by the statement of the user's
    int calls = 0, repeated = 0;
    const auto count = [&](const auto &self, const std::vector<Statement> &body) -> void {
      for (const Statement &s : body) {
        if (s.kind == Statement::Kind::call) {
          ++calls;
          Node from = s.node;
          while (const Node before = c.record(from).origin) from = before;
          repeated += ++times[from] > most_alike;
        }
        self(self, s.body);
      }
    };
    count(count, core.body);
    return 2 * repeated > calls;
  }
  // The first statement that comes from a line of the user's.
  Node users(const std::vector<Statement> &body) const {
    for (const Statement &s : body) {
      for (Node from = s.node; from && (from = c.record(from).origin);)
        if (c.record(from).line) return s.node;
      if (const Node inside = users(s.body)) return inside;
    }
    return HTP_NONE;
  }
  void made(const std::vector<Statement> &body) {
    for (const Statement &s : body) {
      if (s.kind == Statement::Kind::buffer) made_[s.tile] = s.node;
      made(s.body);
    }
  }
  void write() {
    w_.comment(p.name, ": made from the last stage, whose statements are cited.");
    w_.from(p.node);
    auto module = w_.block("}", "module {");
    auto device = w_.block("}", "aie.device(", v_.new_devices ? device_.since_2608 : device_.before_2608, ") {");
    if (p.alike) {
      for (int64_t column = 0; column < p.columns; ++column) tiles(column);
      for (int64_t column = 0; column < p.columns; ++column)
        for (const Stream &s : p.streams) p.passing(s, column, [&](int64_t k) { fifo(s, k, column); });
      externals();
      for (int64_t column = 0; column < p.columns; ++column)
        for (int64_t row = 0; row < p.rows; ++row) run(p.cores.front(), column, row);
    } else {
      std::set<int64_t> shims;
      for (const Stream &s : p.streams)
        if (s.tensor) shims.insert(s.column);
      for (const int64_t column : shims) w_.line("%shim_", column, " = aie.tile(", column, ", 0)");
      std::set<int64_t> memories;
      for (const Stream &s : p.streams)
        if (!s.link.empty() && p.leads(s)) memories.insert(s.column);
      for (const int64_t column : memories) w_.line("%memory_", column, " = aie.tile(", column, ", 1)");
      for (const Core &one : p.cores)
        w_.line(core(one.column, one.row - 2), " = aie.tile(", one.column, ", ", one.row, ")");
      for (const Stream &s : p.streams)
        if (s.link.empty())
          between(s);
        else if (p.leads(s))
          together(s);
      externals();
      for (const Core &one : p.cores) {
        w_.comment(one.name);
        run(one, one.column, one.row - 2);
      }
    }
    functions_.write(writer_);
    w_.from(p.node);
    sequence();
  }
  void run(const Core &one, int64_t column, int64_t row) {
    const auto registers = in_registers(one);
    for (const Tile &t : one.tiles)
      if (!t.stream && !registers.contains(&t)) {
        if (const auto at = made_.find(&t); at != made_.end()) w_.from(at->second);
        const std::string name = buffer_of(t, column, row);
        w_.line("%", name, " = aie.buffer(", core(column, row), ") {sym_name = ", quoted(name),
                "} : ", memref(t.extents, *t.dtype));
      }
    w_.from(one.node);
    const External *linked = v_.new_devices ? nullptr : external_of(p, one.body);
    const std::string end = linked ? "} {link_with = " + quoted(object_of(p, *linked)) + "}" : "}";
    auto body = w_.block(end, "%run_", column, "_", row, " = aie.core(", core(column, row), ") {");
    write_core(w_, functions_, c, p, one, column, row, products(one), v_.short_loops);
    w_.line("aie.end");
  }
  // What is compiled apart; from 2608 on each says itself of what it is, and before each core does.
  void externals() {
    for (const External &e : p.externals) {
      w_.from(e.node);
      std::string types;
      for (const External::Argument &a : e.arguments)
        types += (types.empty() ? "" : ", ") + (a.number ? std::string(a.dtype->text) : memref(a.extents, *a.dtype));
      for (size_t k = 0; k < e.sizes.size(); ++k) types += ", i32";
      w_.line("func.func private @", e.name, "(", types, ")",
              v_.new_devices ? " attributes {link_with = " + quoted(object_of(p, e)) + "}" : std::string());
    }
  }
  static std::string core(int64_t column, int64_t row) {
    return "%core_" + std::to_string(column) + "_" + std::to_string(row);
  }

  void tiles(int64_t column) {
    w_.line("%shim_", column, " = aie.tile(", column, ", 0)");
    for (const Stream &s : p.streams)
      if (p.through_memory(s)) {
        w_.line("%memory_", column, " = aie.tile(", column, ", 1)");
        break;
      }
    for (int64_t row = 0; row < p.rows; ++row) w_.line(core(column, row), " = aie.tile(", column, ", ", row + 2, ")");
  }

  void one(const std::string &name, const std::string &from, const std::string &to, const Stream &s,
           const std::vector<int64_t> &extents, const std::string &depth, const std::string &order = {}) {
    w_.from(s.node);
    w_.line("aie.objectfifo @", name, "(", from, order, ", {", to, "}, ", depth, ") : !aie.objectfifo<",
            memref(extents, *s.dtype), ">");
  }
  static std::string list_of(const std::vector<int64_t> &depths) {
    return "[" + join(depths, ", ", [](int64_t n) { return std::to_string(n); }) + "]";
  }
  // One depth for all ends. MLIR-AIE makes of a number what a core acquires at a time, and one block more; a list is
  // taken as it is.
  std::string alike(const Stream &s, int64_t depth, int64_t consumers) const {
    const auto holds = [&](const auto &self, const std::vector<Statement> &body) -> bool {
      return std::any_of(body.begin(), body.end(), [&](const Statement &one) {
        return (one.kind == Statement::Kind::acquire && one.stream == &s && one.held > 0) || self(self, one.body);
      });
    };
    if (depth < 3 &&
        std::none_of(p.cores.begin(), p.cores.end(), [&](const Core &one) { return holds(holds, one.body); }))
      return std::to_string(depth) + " : i32";
    return list_of(std::vector<int64_t>(static_cast<size_t>(1 + consumers), depth));
  }
  // Between a memory tile and cores: the depth of each end.
  std::string depths(const Stream &s, int64_t cores) const {
    const int64_t ahead = p.ahead(s);
    if (ahead == s.depth) return alike(s, ahead, s.feeds ? cores : 1);
    std::vector<int64_t> ends(static_cast<size_t>(cores), s.depth);
    ends.insert(s.feeds ? ends.begin() : ends.end(), ahead);
    return list_of(ends);
  }
  // A stream of cores that have names.
  void between(const Stream &s) {
    const auto tile_of = [&](const std::string &name) {
      const Core &at = *p.core_named(name);
      return core(at.column, at.row - 2);
    };
    const std::string shim = "%shim_" + std::to_string(s.column);
    const std::string to = join(s.consumers, ", ", tile_of);
    one(s.name, s.producer.empty() ? shim : tile_of(s.producer), to.empty() ? shim : to, s, s.block,
        alike(s, s.depth, to.empty() ? 1 : static_cast<int64_t>(s.consumers.size())));
  }
  // A link of streams of such cores: between the shims and a memory tile, and between that and the cores.
  void together(const Stream &first) {
    const auto tile_of = [&](const std::string &name) {
      const Core &at = *p.core_named(name);
      return core(at.column, at.row - 2);
    };
    const std::vector<const Stream *> all = p.linked(first);
    const bool at_core = p.linked_at_core(first);
    const std::string memory = "%memory_" + std::to_string(first.column);
    int64_t elements = 0;
    std::string names, offsets;
    for (const Stream *s : all) {
      names += (s == &first ? "@" : ", @") + s->name;
      offsets += (s == &first ? "" : ", ") + std::to_string(elements);
      elements += count(s->block);
    }
    if (all.size() == 1) offsets.clear();
    const auto to_shim = [&](const Stream &s, const std::string &name, const std::vector<int64_t> &extents) {
      const std::string shim = "%shim_" + std::to_string(s.column);
      one(name, s.feeds ? shim : memory, s.feeds ? memory : shim, s, extents, alike(s, s.depth, 1),
          s.feeds ? std::string() : order_of(s, v_.plain_links ? std::ssize(all) : 1));
    };
    const auto to_cores = [&](const Stream &s, const std::string &name, const std::vector<int64_t> &extents) {
      const std::string at = s.feeds ? join(s.consumers, ", ", tile_of) : tile_of(s.producer);
      one(name, s.feeds ? memory : at, s.feeds ? at : memory, s, extents,
          alike(s, s.depth, s.feeds ? static_cast<int64_t>(s.consumers.size()) : 1),
          s.feeds ? order_of(s, 1) : std::string());
    };
    if (at_core)
      to_cores(first, first.link, {elements});
    else
      to_shim(first, first.link, {elements});
    for (const Stream *s : all) at_core ? to_shim(*s, s->name, s->block) : to_cores(*s, s->name, s->block);
    const bool distributes = first.feeds != at_core;
    const std::string split = v_.plain_links ? "()" : distributes ? "([] [" + offsets + "])" : "([" + offsets + "] [])";
    w_.line("aie.objectfifo.link [", distributes ? "@" + first.link : names, "] -> [",
            distributes ? names : "@" + first.link, "] ", split);
  }
  // Of one transfer of a stream, which begins or ends at the shim of a column.
  void fifo(const Stream &s, int64_t transfer, int64_t column) {
    const std::string at = std::to_string(column), shim = "%shim_" + at, memory = "%memory_" + at,
                      whole = whole_of(p, s, transfer);
    std::string all;
    for (int64_t k = 0; k < (s.by_row ? p.columns : p.rows); ++k)
      all += (k ? ", " : "") + (s.by_row ? core(k, transfer) : core(column, k));
    if (!p.through_memory(s)) {
      one(whole, s.feeds ? shim : core(column, 0), s.feeds ? all : shim, s, s.block,
          alike(s, s.depth,
                !s.feeds   ? 1
                : s.by_row ? p.columns
                           : p.rows));
      return;
    }
    const int64_t branches = p.branches(s);
    one(whole, s.feeds ? shim : memory, s.feeds ? memory : shim, s, {branches * count(s.block)},
        std::to_string(p.ahead(s)) + " : i32", s.feeds ? std::string() : order_of(s, v_.plain_links ? branches : 1));
    std::string ends, offsets;
    for (int64_t row = 0; row < branches; ++row) {
      const std::string name = branch_of(p, s, transfer, row), here = s.each ? core(column, row) : all;
      one(name, s.feeds ? memory : here, s.feeds ? here : memory, s, s.block,
          depths(s, s.each     ? 1
                    : s.by_row ? p.columns
                               : p.rows),
          s.feeds ? order_of(s, 1) : std::string());
      ends += (row ? ", @" : "@") + name;
      offsets += (row ? ", " : "") + std::to_string(row * count(s.block));
    }
    if (branches == 1) offsets.clear();
    const std::string split = v_.plain_links ? "()" : s.feeds ? "([] [" + offsets + "])" : "([" + offsets + "] [])";
    w_.line("aie.objectfifo.link [", s.feeds ? "@" + whole : ends, "] -> [", s.feeds ? ends : "@" + whole, "] ", split);
  }
  // How a memory tile goes through blocks that are tiled at the cores, and in rows at the shim. Since blocks have
  // descriptors of their own in what they are joined to, it is written for one of them; before, for all.
  std::string order_of(const Stream &s, int64_t parts) const {
    if (!s.reordered()) return {};
    const size_t d = s.block.size();
    const int64_t r = s.block[d - 2], n = s.block[d - 3], k = s.block[d - 1];
    const int64_t m = parts * count(s.block) / (n * r * k);
    using Walk = std::vector<std::pair<int64_t, int64_t>>;
    const Walk rows{{m, r * n * k}, {n, k}, {r, n * k}, {k, 1}}, blocks{{m, n * r * k}, {r, k}, {n, r * k}, {k, 1}};
    return std::string(v_.plain_links ? " toStream [" : " dimensionsToStream [") +
           join(s.feeds ? rows : blocks, ", ",
                [](const auto &x) {
                  return "<size = " + std::to_string(x.first) + ", stride = " + std::to_string(x.second) + ">";
                }) +
           "]";
  }

  // Transfers of one turn begin while those before it run; what is collected is waited for a turn later, and whatever
  // fed it is over then too.
  void sequence() {
    auto body = w_.block("}", v_.sequence, ".runtime_sequence @", symbols_.of(p.name), "(",
                         join(p.handed(), ", ",
                              [&](const Parameter *q) {
                                return "%" + symbols_.of(q->name) + ": " + memref({plan_.elements(*q)}, *q->dtype);
                              }),
                         ") {");
    for (int64_t turn = 0; turn < plan_.turns; ++turn) {
      for (const bool feeds : {false, true})
        for (int64_t column = 0; column < p.columns; ++column)
          for (size_t k = 0; k < p.streams.size(); ++k)
            if (const Stream &s = p.streams[k]; s.feeds == feeds && (turn == 0 || !s.once))
              p.passing(s, column, [&](int64_t of) { transfer(s, k, of, column, turn); });
      if (turn > 0) wait(turn - 1);
    }
    wait(plan_.turns - 1);
  }
  void transfer(const Stream &s, size_t k, int64_t of, int64_t column, int64_t turn) {
    const Transfer &t = plan_.of[k][static_cast<size_t>(s.once ? 0 : turn)];
    const auto numbers = [](const std::array<int64_t, 4> &a) {
      return join(a, ", ", [](int64_t n) { return std::to_string(n); });
    };
    w_.from(s.node);
    w_.line("aiex.npu.dma_memcpy_nd (", v_.counted_transfers ? "0, 0, " : "", "%", symbols_.of(s.tensor->name),
            "[0, 0, 0, ", t.offset + of * t.apart, "][", numbers(t.sizes), "][", numbers(t.strides), "]) {metadata = @",
            whole_of(p, s, of), ", id = ", number_of(k, column) * 2 + turn % 2, " : i64",
            s.feeds ? "" : ", issue_token = true", "} : ", memref({plan_.elements(*s.tensor)}, *s.dtype));
  }
  // Its number among the streams of the column's shim.
  int64_t number_of(size_t stream, int64_t column) const {
    int64_t number = 0;
    for (size_t k = 0; k < stream; ++k) p.passing(p.streams[k], column, [&](int64_t) { ++number; });
    return number;
  }
  void wait(int64_t turn) {
    for (int64_t column = 0; column < p.columns; ++column)
      for (const Stream &s : p.streams)
        if (!s.feeds && (turn + 1 == plan_.turns || !s.once))
          p.passing(s, column, [&](int64_t of) {
            w_.from(s.node);
            w_.line("aiex.npu.dma_wait {symbol = @", whole_of(p, s, of), "}");
          });
  }

  const Context &c;
  const Program &p;
  SymbolNames symbols_;
  const Device &device_;
  const Version &v_;
  const Plan &plan_;
  std::map<const Tile *, Node> made_; // by a statement
  std::set<const Core *> calls_;      // that have their products in functions
  Writer writer_;
  Locations locations_;
  Lines w_{writer_, locations_};
  Functions functions_{c, p, locations_};
};

} // namespace

const Version *version_named(std::string_view name) {
  for (const Version &v : versions)
    if (v.name == name) return &v;
  return nullptr;
}

namespace {

// The program of a last stage and what it is emitted for; nothing after a report.
struct Target {
  Program program;
  SymbolNames names;
  const Version *version = nullptr;
  const Device *device = nullptr;
};
std::optional<Target> target_of(const Context &c, Node root, std::string_view version) {
  Target t;
  if (!read_program(c, root, t.program, refusing(c))) return std::nullopt;
  t.names = SymbolNames(t.program);
  t.version = version_named(version);
  if (!t.version) {
    c.report(diag::unknown_version, HTP_NONE, version);
    return std::nullopt;
  }
  t.device = device_named(t.program.device);
  if (!t.device || (t.version->plain_links && t.device->name == "npu2")) {
    auto d = c.report(diag::unknown_device, t.program.node, t.program.device + (t.device ? "` in MLIR-AIE `2408" : ""));
    if (t.device) d.hint("set `device` of `aie.spread` to npu1, or `mlir_aie` of `aie` to v1.0 or 2608");
    return std::nullopt;
  }
  if (const Exceeded found = exceeded(t.program)) {
    report(c, found, t.program.node);
    return std::nullopt;
  }
  for (const Core &core : t.program.cores)
    if (const External *first = external_of(t.program, core.body); first && !t.version->new_devices)
      for (const External &other : t.program.externals)
        if (calls(core.body, other) && other.source != first->source) {
          c.report(diag::two_objects, other.node, core.name.empty() ? t.program.name : core.name, first->name,
                   other.name, version);
          return std::nullopt;
        }
  return t;
}
} // namespace

Result module_table(const Context &c, Node root, const Sink &sink) {
  const auto target = target_of(c, root, "v1.0");
  if (!target) return HTP_FAILED;
  const Program &program = target->program;
  Refused why;
  const auto plan = plan_transfers(program, why); // it is there: nothing is exceeded
  sink.string(program.node, Module(c, program, target->names, *target->device, *target->version, *plan).text());
  return c.result();
}

Result emit(const Context &c, Node root) {
  const auto target = target_of(c, root, c.option("mlir_aie"));
  if (!target) return HTP_FAILED;
  const Program &program = target->program;
  const Version *version = target->version;
  report_products(c, program, *version);
  Refused why;
  const auto plan = plan_transfers(program, why); // it is there: nothing is exceeded
  Module module(c, program, target->names, *target->device, *version, *plan, Locations(c, root));
  const std::string text = module.text();
  if (module.check_size() != HTP_OK) return HTP_FAILED;
  c.artifact("aie.mlir", "source", text);
  c.artifact("mapping.json", "mapping", mapping_text(program, *version, *plan));
  c.artifact("fifos.json", "mapping", fifos_text(program));
  c.artifact("host.cpp", "host", host_text(program, *version, *plan));
  std::set<std::string> sources;
  for (const External &e : program.externals)
    if (sources.insert(source_of(program, e)).second) c.artifact(source_of(program, e), "source", e.source);
  c.artifact("build/build.sh", "recipe", recipe_text(program, *version));
  return c.result();
}

} // namespace htp::aie

// The verbs: a package's libraries opened, and its entry run in several orders.
#include "indices.h"

#include "tensor.h"

#include <cstring>
#include <dlfcn.h>

namespace htp::a2a3sim {

namespace {

class Library {
public:
  explicit Library(const std::string &path) : handle_(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {}
  Library(Library &&other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Library &operator=(Library &&) = delete;
  ~Library() {
    if (handle_) dlclose(handle_);
  }
  explicit operator bool() const { return handle_; }
  template <class F> bool find(const std::string &name, F *&function) const {
    function = reinterpret_cast<F *>(handle_ ? dlsym(handle_, name.c_str()) : nullptr);
    return function;
  }

private:
  void *handle_;
};

struct ChipTaskArgs { // as the simulator's pto_orchestration_api.h has it
  const ChipTensor *tensors;
  const uint64_t *scalars;
  int32_t tensor_total, scalar_total;
};
struct OrchestrationConfig {
  int expected_arg_count;
};

using Bind = void(const htp_sim::Machine *, const htp_sim::Orchestra *);

struct Loaded {
  Package package;
  std::string built;
  std::unique_ptr<Indices> indices;
  Checkouts checkouts; // where the real runtime is used: nothing else of this then
  std::vector<Library> libraries;
  std::map<int, Kernel> kernels;
  Bind *bind = nullptr;
  int (*build_graph)(void *runtime, uint64_t *args, int count) = nullptr;
  void (*submit)(const ChipTaskArgs &) = nullptr;
  OrchestrationConfig (*config)(const ChipTaskArgs &) = nullptr;
};

// The bytes of class Runtime in the simulator's runtime.h: pointers to functions that it sets itself, and two counts.
// An orchestration gets memory for it by a function of its own library.
constexpr const char *make_runtime = "htp_make_runtime", *drop_runtime = "htp_drop_runtime";

// One run: outputs are left in `outputs`, by parameter.
class Once {
public:
  Once(const Context &context, const Loaded &loaded, const Arguments &arguments)
      : c(context), l_(loaded), a_(arguments), tasks_(loaded.kernels) {}

  Result run(uint64_t order, Timeline *timeline, std::vector<std::vector<uint8_t>> &outputs) {
    outputs.clear();
    uint64_t bytes = 0;
    for (const Arguments::Tensor &t : a_.tensors) bytes += t.spread.bytes;
    tasks_.hold(bytes); // before anything is copied
    for (const Arguments::Tensor &t : a_.tensors)
      t.spread.runs([&, &own = outputs.emplace_back(t.spread.bytes)](uint64_t begin, uint64_t length) {
        std::memcpy(own.data() + begin, static_cast<uint8_t *>(t.data) + begin, length);
      });
    if (l_.build_graph ? !graph(outputs) : !submit()) return HTP_FAILED;
    tasks_.run(order, timeline);
    tasks_.finish();
    for (size_t k = 0; k < staged_.size(); ++k) {
      if (!writes(k)) continue;
      Tasks::hold_output(l_.package.parameters[k].name, *staged_[k]);
      if (!outputs[k].empty()) std::memcpy(outputs[k].data(), staged_[k]->data, outputs[k].size());
    }
    return HTP_OK;
  }

private:
  bool writes(size_t k) const { return l_.package.parameters[k].direction != "in"; }

  // pto-runtime/2026-03: the orchestration copies for itself.
  bool graph(std::vector<std::vector<uint8_t>> &host) {
    std::vector<uint64_t> values;
    for (size_t k = 0; k < host.size(); ++k) {
      tasks_.host(l_.package.parameters[k].name, host[k].data(), a_.tensors[k].spread,
                  l_.package.parameters[k].direction != "out");
      values.push_back(reinterpret_cast<uint64_t>(host[k].data()));
    }
    values.insert(values.end(), a_.dims.begin(), a_.dims.end());
    void *(*make)() = nullptr;
    void (*drop)(void *) = nullptr;
    if (!l_.libraries[0].find(make_runtime, make) || !l_.libraries[0].find(drop_runtime, drop))
      return c.report(diag::no_symbol, HTP_NONE, l_.package.sources[0].path, make_runtime), false;
    l_.bind(nullptr, &tasks_.orchestra());
    const std::unique_ptr<void, void (*)(void *)> runtime(make(), drop);
    const int status = l_.build_graph(runtime.get(), values.data(), static_cast<int>(values.size()));
    l_.bind(nullptr, nullptr);
    if (status != 0) c.report(diag::refused, HTP_NONE, l_.package.sources[0].symbol, status);
    return status == 0;
  }

  // simpler/2026-08: the runtime stages the arguments.
  bool submit() {
    std::vector<ChipTensor> tensors;
    for (size_t k = 0; k < a_.tensors.size(); ++k) {
      const Parameter &p = l_.package.parameters[k];
      Memory &memory = tasks_.tensor(p.name, a_.tensors[k].spread, p.direction == "out" ? nullptr : a_.tensors[k].data);
      staged_.push_back(&memory);
      tensors.push_back(make_tensor_external(memory.data, a_.tensors[k].shape.data(),
                                             static_cast<uint32_t>(a_.tensors[k].shape.size()),
                                             static_cast<DataType>(dtype_row(p.dtype)->data_type)));
    }
    const ChipTaskArgs args{tensors.data(), a_.dims.data(), static_cast<int32_t>(tensors.size()),
                            static_cast<int32_t>(a_.dims.size())};
    l_.bind(nullptr, &tasks_.orchestra());
    if (l_.config && l_.config(args).expected_arg_count > args.tensor_total + args.scalar_total)
      throw Fault{
          Refusal(diag::expected_arguments, l_.config(args).expected_arg_count, args.tensor_total + args.scalar_total)};
    l_.submit(args);
    l_.bind(nullptr, nullptr);
    return true;
  }

  const Context &c;
  const Loaded &l_;
  const Arguments &a_;
  Tasks tasks_;
  std::vector<Memory *> staged_;
};

bool for_device(const Context &c) { return c.option("device") == "true"; }

void tell(const Timeline &line, const htp_trace_sink &sink) {
  const auto microseconds = [](double cycles) { return cycles / cost::clock; };
  sink.event(sink.to, str("bound by " + line.bound()), str("a2a3sim"), 0, microseconds(line.cycles));
  for (const Timeline::Slice &s : line.slices)
    sink.event(sink.to, str(s.name), str(s.track), microseconds(s.begin), microseconds(s.cycles));
}

} // namespace

Result Simulated::validate(const Context &c) {
  const auto package = read_package(c);
  return package && verify(c, *package) ? HTP_OK : HTP_FAILED;
}

Result Simulated::build(const Context &c, htp_str &built) {
  return for_device(c) ? build_for_device(c, &built) : a2a3sim::build(c, &built);
}

Result Simulated::load(const Context &c, std::string_view built, void *&loaded) {
  if (for_device(c)) {
    c.report(diag::no_device, HTP_NONE);
    return HTP_FAILED;
  }
  auto package = read_package(c);
  if (!package) return HTP_FAILED;
  auto result = std::make_unique<Loaded>();
  result->built = std::string(built);
  result->indices = std::make_unique<Indices>(c);
  if (find_checkouts(c, result->checkouts) != HTP_OK) return HTP_FAILED;
  if (result->checkouts) {
    result->package = std::move(*package);
    loaded = result.release();
    return HTP_OK;
  }
  for (size_t k = 0; k < package->sources.size(); ++k) {
    const Source &s = package->sources[k];
    const Library &library = result->libraries.emplace_back(std::string(built) + "/" + library_name(k));
    if (!library) {
      const char *why = dlerror();
      c.report(diag::not_loadable, HTP_NONE, s.path).note(why ? why : "");
      return HTP_FAILED;
    }
    Bind *bind = nullptr;
    bool good = library.find("htp_sim_bind", bind);
    if (!s.orchestration) {
      void (*entry)(int64_t *) = nullptr;
      good = good && library.find(s.symbol, entry);
      result->kernels[s.func_id] = {s.name, s.vector, [bind, entry](Core &core, std::vector<int64_t> &values) {
                                      bind(&core.interface(), nullptr);
                                      entry(values.data());
                                      bind(nullptr, nullptr);
                                    }};
    } else {
      result->bind = bind;
      if (package->contract == "pto-runtime/2026-03") {
        good = good && library.find(s.symbol, result->build_graph);
      } else {
        good = good && library.find(s.symbol, result->submit);
        library.find(package->config, result->config);
      }
    }
    if (good) continue;
    c.report(diag::no_symbol, HTP_NONE, s.path, s.symbol);
    return HTP_FAILED;
  }
  result->package = std::move(*package);
  loaded = result.release();
  return HTP_OK;
}

Result Simulated::run(const Context &c, void *loaded, std::string_view, const htp_argument *arguments, uint32_t count,
                      const htp_trace_sink *sink) {
  const Loaded &l = *static_cast<const Loaded *>(loaded);
  const auto given = read_arguments(c, l.package, {arguments, count});
  if (!given || !l.indices->hold(c, l.package, *given)) return HTP_FAILED;
  if (l.checkouts) return run_on_runtime(c, l.package, l.built, l.checkouts, *given);
  try {
    std::vector<std::vector<uint8_t>> first, outputs;
    Timeline timeline;
    const auto orders = static_cast<uint64_t>(std::max<int64_t>(1, c.option_int("orders")));
    for (uint64_t order = 0; order < orders; ++order) {
      if (Once(c, l, *given).run(order, order == 0 && sink ? &timeline : nullptr, outputs) != HTP_OK) return HTP_FAILED;
      if (order == 0) first = outputs;
      for (size_t k = 0; k < outputs.size(); ++k)
        if (outputs[k] != first[k]) {
          c.report(diag::differs, HTP_NONE, l.package.parameters[k].name);
          return HTP_FAILED;
        }
      if (c.cancelled()) return HTP_FAILED;
    }
    for (size_t k = 0; k < first.size(); ++k)
      if (l.package.parameters[k].direction != "in") given->tensors[k].put(first[k].data());
    if (sink) tell(timeline, *sink);
    return HTP_OK;
  } catch (const Fault &fault) {
    fault.report(c);
    return HTP_FAILED;
  }
}

void Simulated::unload(void *loaded) { delete static_cast<Loaded *>(loaded); }

} // namespace htp::a2a3sim

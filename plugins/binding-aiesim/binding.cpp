// The verbs: the cores' library opened, and the module run in several orders.
#include "binding.h"

#include <cstring>
#include <dlfcn.h>

namespace htp::aiesim {

namespace {

struct Loaded {
  Package package;
  void *library = nullptr;
  std::vector<void (*)()> entries;
  Loaded() = default;
  Loaded(const Loaded &) = delete;
  Loaded &operator=(const Loaded &) = delete;
  ~Loaded() {
    if (library) dlclose(library);
  }
};

// Between an array and the room that the device sees, line by line.
void copy(const Parameter &p, uint8_t *room, uint8_t *array, bool in) {
  const size_t rank = p.extents.size(), element = p.dtype->bytes;
  const int64_t line = rank ? p.extents[rank - 1] : 1;
  int64_t lines = 1;
  for (size_t d = 0; d + 1 < rank; ++d) lines *= p.extents[d];
  for (int64_t l = 0; l < lines; ++l) {
    int64_t rest = l, at = 0, step = rank ? p.padded[rank - 1] : 1;
    for (size_t d = rank ? rank - 1 : 0; d-- > 0;) {
      at += rest % p.extents[d] * step;
      rest /= p.extents[d];
      step *= p.padded[d];
    }
    uint8_t *there = room + static_cast<size_t>(at) * element, *here = array + static_cast<size_t>(l * line) * element;
    std::memcpy(in ? there : here, in ? here : there, static_cast<size_t>(line) * element);
  }
}

} // namespace

void tell(const Context &c, const Wrong &wrong) {
  switch (wrong.kind) {
  case Wrong::Kind::module: c.report(diag::bad_module, HTP_NONE, wrong.line, wrong.what()); break;
  case Wrong::Kind::illegal: c.report(diag::illegal, HTP_NONE, wrong.line, wrong.what()); break;
  case Wrong::Kind::deadlock:
    c.report(diag::deadlock, HTP_NONE, std::string(wrong.what()).substr(std::strlen("nothing can go on: ")));
    break;
  case Wrong::Kind::core: c.report(diag::fault_in_core, HTP_NONE, wrong.what()); break;
  case Wrong::Kind::sequence: c.report(diag::sequence, HTP_NONE, wrong.line, wrong.what()); break;
  case Wrong::Kind::left_over: c.report(diag::left_over, HTP_NONE, wrong.what()); break;
  }
}

Result Simulated::validate(const Context &c) { return read_package(c) ? HTP_OK : HTP_FAILED; }

Result Simulated::build(const Context &c, htp_str &built) { return aiesim::build(c, &built); }

Result Simulated::load(const Context &c, std::string_view built, void *&loaded) {
  auto package = read_package(c);
  if (!package) return HTP_FAILED;
  for (const Link &link : package->module.links)
    if (link.races) {
      c.report(diag::untrusted_links, HTP_NONE, link.line);
      return HTP_FAILED;
    }
  auto result = std::make_unique<Loaded>();
  result->package = std::move(*package);
  result->library = dlopen((std::string(built) + "/cores.so").c_str(), RTLD_NOW | RTLD_LOCAL);
  const auto refuse = [&](const std::string &what) {
    c.report(diag::not_loadable, HTP_NONE, what);
    return HTP_FAILED;
  };
  if (!result->library) {
    const char *why = dlerror();
    return refuse(why ? why : "unknown");
  }
  const auto bind = reinterpret_cast<void (*)(const Hooks *)>(dlsym(result->library, "htp_bind"));
  if (!bind) return refuse("it lacks `htp_bind`");
  bind(&hooks);
  for (const Core &core : result->package.module.cores) {
    const auto entry = reinterpret_cast<void (*)()>(dlsym(result->library, core.symbol.c_str()));
    if (!entry) return refuse("it lacks `" + core.symbol + "`");
    result->entries.push_back(entry);
  }
  loaded = result.release();
  return HTP_OK;
}

Result Simulated::run(const Context &c, void *loaded, std::string_view entry, const htp_argument *arguments,
                      uint32_t count, const htp_trace_sink *) {
  const Loaded &l = *static_cast<const Loaded *>(loaded);
  const std::vector<Parameter> &parameters = l.package.parameters;
  if (entry != l.package.entry) {
    c.report(diag::unknown_entry, HTP_NONE, entry).hint("it has `" + l.package.entry + "`");
    return HTP_FAILED;
  }
  const auto checked = check_arguments(c, l.package, arguments, count);
  if (!checked) return HTP_FAILED;
  try {
    std::vector<std::vector<uint8_t>> first;
    const auto schedules = static_cast<uint64_t>(std::max<int64_t>(1, c.option_int("schedules")));
    const auto seed = static_cast<uint64_t>(c.option_int("seed"));
    for (uint64_t k = 0; k < schedules; ++k) {
      std::vector<std::vector<uint8_t>> rooms;
      std::vector<uint8_t *> pointers;
      for (size_t a = 0; a < parameters.size(); ++a) {
        const Parameter &p = parameters[a];
        rooms.emplace_back(static_cast<size_t>(l.package.module.arguments[a].second.bytes()),
                           p.direction == "out" ? 0xFF : 0);
        if (p.direction != "out") copy(p, rooms.back().data(), static_cast<uint8_t *>((*checked)[a]), true);
      }
      for (auto &room : rooms) pointers.push_back(room.data());
      aiesim::run(l.package.module, l.entries, pointers, seed + k);
      if (c.cancelled()) return HTP_FAILED;
      if (k == 0) first = rooms;
      for (size_t a = 0; a < rooms.size(); ++a)
        if (rooms[a] != first[a]) {
          c.report(diag::differs, HTP_NONE, parameters[a].name);
          return HTP_FAILED;
        }
    }
    for (size_t a = 0; a < parameters.size(); ++a)
      if (parameters[a].direction != "in")
        copy(parameters[a], first[a].data(), static_cast<uint8_t *>((*checked)[a]), false);
    return HTP_OK;
  } catch (const Wrong &wrong) {
    tell(c, wrong);
    return HTP_FAILED;
  }
}

void Simulated::unload(void *loaded) { delete static_cast<Loaded *>(loaded); }

} // namespace htp::aiesim

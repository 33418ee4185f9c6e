// The verbs: the cores' library opened, and the module run in several orders.
#include "binding/binding.h"
#include "machine/apart.h"

#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <new>

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

// Between an array and the buffer that the device sees, line by line; a line is of one piece of the last dimension.
void copy(const Parameter &p, uint8_t *buffer, uint8_t *array, bool in) {
  const size_t rank = p.extents.size(), element = p.dtype->bytes;
  const auto piece = [&](const std::vector<int64_t> &of, size_t d) { return of[d] / p.pieces[d]; };
  for (int64_t k = 0; p.places && k < layout::product_of(p.extents); ++k) {
    int64_t rest = k, rows = 0, step = 1;
    for (size_t d = rank; d-- > 0; step *= p.padded[d]) {
      const int64_t index = rest % p.extents[d];
      rows += (index / piece(p.extents, d) * piece(p.padded, d) + index % piece(p.extents, d)) * step;
      rest /= p.extents[d];
    }
    const int64_t place = p.places->at(k);
    uint8_t *there = buffer + static_cast<size_t>(p.as_it_lies ? place : rows) * element,
            *here = array + static_cast<size_t>(place) * element;
    std::memcpy(in ? there : here, in ? here : there, element);
  }
  if (p.places) return;
  const int64_t line = rank ? piece(p.extents, rank - 1) : 1;
  int64_t lines = rank ? p.pieces[rank - 1] : 1;
  for (size_t d = 0; d + 1 < rank; ++d) lines *= p.extents[d];
  for (int64_t l = 0; l < lines; ++l) {
    int64_t rest = l, at = 0, step = 1;
    for (size_t d = rank; d-- > 0;) {
      const bool last = d + 1 == rank;
      const int64_t many = last ? p.pieces[d] : p.extents[d], index = rest % many * (last ? line : 1);
      at += (index / piece(p.extents, d) * piece(p.padded, d) + index % piece(p.extents, d)) * step;
      rest /= many;
      step *= p.padded[d];
    }
    uint8_t *there = buffer + static_cast<size_t>(at) * element,
            *here = array + static_cast<size_t>(l * line) * element;
    std::memcpy(in ? there : here, in ? here : there, static_cast<size_t>(line) * element);
  }
}

// What the padding holds, in all of the buffer.
void fill(const Parameter &p, uint8_t *buffer, size_t bytes) {
  if (p.fill == "zeros") return;
  const bool least = p.fill == "least", real = p.dtype->code == kDLFloat || p.dtype->code == kDLBfloat;
  const size_t element = p.dtype->bytes;
  uint32_t bits = uint32_t{1} << (8 * element - 1); // the sign
  if (real)
    bits = (least ? 0xFF800000U : 0x7F800000U) >> (element == 2 ? 16 : 0);
  else if (!least)
    --bits;
  for (size_t at = 0; at < bytes; at += element) std::memcpy(buffer + at, &bits, element);
}

// What of an array belongs to a place in what is packed, from loop `depth` on.
void pack(const Place &place, const Parameter &p, size_t element, uint8_t *there, const uint8_t *array,
          std::vector<int64_t> &index, size_t depth = 0) {
  if (depth == place.along.size()) {
    int64_t from = 0;
    for (size_t d = 0; d < index.size(); ++d) {
      if (index[d] >= p.extents[d]) return;
      from = from * p.extents[d] + index[d];
    }
    if (p.places) from = p.places->at(from);
    std::memcpy(there, array + static_cast<size_t>(from) * p.dtype->bytes, p.dtype->bytes);
    return;
  }
  const Place::Along &a = place.along[depth];
  for (int64_t k = 0; k < a.size; ++k) {
    pack(place, p, element, there + static_cast<size_t>(k * a.stride) * element, array, index, depth + 1);
    if (a.dimension >= 0) index[static_cast<size_t>(a.dimension)] += a.step;
  }
  if (a.dimension >= 0) index[static_cast<size_t>(a.dimension)] -= a.size * a.step;
}

struct Orders {
  uint64_t count, seed;
};
constexpr int64_t alike = -1, stopped = -2;

std::vector<uint8_t *> pointers_to(std::vector<std::vector<uint8_t>> &buffers) {
  std::vector<uint8_t *> pointers;
  for (auto &buffer : buffers) pointers.push_back(buffer.data());
  return pointers;
}

// What the first order leaves in the buffers goes to `results`. The number of a buffer that another order leaves other
// values in, or `alike`, or `stopped` when nobody wants to know. Throws Wrong.
int64_t run_orders(const Context &c, const Loaded &l, const std::vector<void *> &given, const Orders &orders,
                   const std::vector<uint8_t *> &results, Watch *watch, const std::vector<Calls> *calls = nullptr) {
  const std::vector<Parameter> &parameters = l.package.parameters;
  for (uint64_t k = 0; k < orders.count; ++k) {
    std::vector<std::vector<uint8_t>> buffers;
    const auto buffer = [&](uint8_t with) {
      const auto bytes = static_cast<size_t>(l.package.module.arguments[buffers.size()].second.bytes());
      return buffers.emplace_back(bytes, with).data();
    };
    for (const size_t a : l.package.handed) {
      const Parameter &p = parameters[a];
      uint8_t *there = buffer(p.direction == "out" ? 0xFF : 0);
      if (p.direction == "out") continue;
      fill(p, there, buffers.back().size());
      copy(p, there, static_cast<uint8_t *>(given[a]), true);
    }
    for (const Packed &packed : l.package.packed) {
      uint8_t *there = buffer(0);
      for (const Place &place : packed.places) {
        const Parameter &p = parameters[place.parameter];
        std::vector<int64_t> index(p.extents.size());
        pack(place, p, packed.dtype->bytes, there + static_cast<size_t>(place.at) * packed.dtype->bytes,
             static_cast<const uint8_t *>(given[place.parameter]), index);
      }
    }
    aiesim::run(l.package.module, l.entries, pointers_to(buffers), orders.seed + k, watch, k == 0 ? calls : nullptr);
    if (!watch && c.cancelled()) return stopped;
    for (size_t a = 0; a < buffers.size(); ++a)
      if (k == 0)
        std::memcpy(results[a], buffers[a].data(), buffers[a].size());
      else if (std::memcmp(results[a], buffers[a].data(), buffers[a].size()) != 0)
        return static_cast<int64_t>(a);
  }
  return alike;
}

// The same in a child process, whose end is reported.
struct Board {
  Watch watch;
  sdk::DiagKind wrong{}; // the row, which parent and child have at one address; none where nothing is wrong
  size_t line = 0, node = 0;
  int64_t differs = alike;
  char text[2000] = {};
};
int64_t run_apart(const Context &c, const Loaded &l, const std::vector<void *> &given, const Orders &orders,
                  std::vector<std::vector<uint8_t>> &results, const Compared &compared) {
  size_t bytes = sizeof(Board);
  for (const auto &buffer : results) bytes += buffer.size();
  const Shared shared(bytes);
  auto *board = new (shared.data()) Board;
  const int64_t seconds = std::max<int64_t>(1, c.option_int("seconds"));
  const Ending ending = apart(
      board->watch, seconds,
      [&] {
        std::vector<uint8_t *> pointers;
        uint8_t *at = shared.data() + sizeof(Board);
        for (const auto &buffer : results) pointers.push_back(at), at += buffer.size();
        try {
          board->differs = run_orders(c, l, given, orders, pointers, &board->watch, compared.calls());
        } catch (const Wrong &wrong) {
          board->wrong = wrong.why.kind, board->line = wrong.line, board->node = wrong.node;
          std::snprintf(board->text, sizeof board->text, "%s", wrong.what());
        }
      },
      [&] { return c.cancelled(); });
  const int32_t number = board->watch.external;
  const std::vector<External> &externals = l.package.module.externals;
  const External &called = externals[number < 0 ? 0 : static_cast<size_t>(number)];
  const std::string source = called.object.substr(0, called.object.size() - 2) + ".cc";
  switch (ending.how) {
  case Ending::How::cancelled: return stopped;
  case Ending::How::stuck: c.report(diag::endless, HTP_NONE, called.name, source, seconds); return stopped;
  case Ending::How::signalled:
    c.report(diag::crashed, HTP_NONE, called.name, source, strsignal(ending.signal));
    return stopped;
  case Ending::How::finished: break;
  }
  if (board->wrong.code) {
    sdk::Refusal why;
    why.kind = board->wrong, why.message = board->text;
    Wrong wrong(why, board->line);
    wrong.node = board->node;
    throw wrong;
  }
  const uint8_t *at = shared.data() + sizeof(Board);
  for (auto &buffer : results) std::memcpy(buffer.data(), at, buffer.size()), at += buffer.size();
  return board->differs;
}

} // namespace

// A binding's nodes are numbers in the last stage, counted from 1.
Node user_node(const std::optional<Cited> &place) { return place ? static_cast<Node>(place->node + 1) : HTP_NONE; }

void report(const Context &c, const Wrong &wrong, const std::string &text) {
  const Node at = wrong.node ? static_cast<Node>(wrong.node) : user_node(cited_at(text, wrong.line));
  wrong.why.report(c, at, wrong.line ? "line " + std::to_string(wrong.line) + " of `aie.mlir`" : "");
}

Result Simulated::validate(const Context &c) { return read_package(c) ? HTP_OK : HTP_FAILED; }

Result Simulated::build(const Context &c, htp_str &built) { return aiesim::build(c, &built); }

Result Simulated::load(const Context &c, std::string_view built, void *&loaded) {
  auto package = read_package(c);
  if (!package) return HTP_FAILED;
  for (const Link &link : package->module.links)
    if (link.races) {
      c.report(diag::untrusted_links, user_node(cited_at(package->text, link.line)), link.line);
      return HTP_FAILED;
    }
  auto result = std::make_unique<Loaded>();
  result->package = std::move(*package);
  result->library = dlopen((std::string(built) + "/cores.so").c_str(), RTLD_NOW | RTLD_LOCAL);
  const auto lacks = [&](const std::string &symbol) {
    c.report(diag::no_symbol, HTP_NONE, symbol);
    return HTP_FAILED;
  };
  if (!result->library) {
    const char *why = dlerror();
    c.report(diag::not_loadable, HTP_NONE).note(why ? why : "");
    return HTP_FAILED;
  }
  const auto bind = reinterpret_cast<void (*)(const Hooks *)>(dlsym(result->library, "htp_bind"));
  if (!bind) return lacks("htp_bind");
  bind(&hooks);
  for (const Core &core : result->package.module.cores) {
    const auto entry = reinterpret_cast<void (*)()>(dlsym(result->library, core.symbol.c_str()));
    if (!entry) return lacks(core.symbol);
    result->entries.push_back(entry);
  }
  loaded = result.release();
  return HTP_OK;
}

Result Simulated::run(const Context &c, void *loaded, std::string_view, const htp_argument *arguments, uint32_t count,
                      const htp_trace_sink *trace) {
  if (trace) {
    c.report(diag::no_trace, HTP_NONE);
    return HTP_FAILED;
  }
  const int64_t schedules = c.option_int("schedules");
  if (schedules < 1) {
    c.report(diag::schedules, HTP_NONE, schedules);
    return HTP_FAILED;
  }
  const Loaded &l = *static_cast<const Loaded *>(loaded);
  const std::vector<Parameter> &parameters = l.package.parameters;
  const auto given = addresses_of(c, l.package, {arguments, count});
  if (!given) return HTP_FAILED;
  try {
    const Orders orders{static_cast<uint64_t>(schedules), static_cast<uint64_t>(c.option_int("seed"))};
    std::vector<std::vector<uint8_t>> results;
    for (const auto &argument : l.package.module.arguments)
      results.emplace_back(static_cast<size_t>(argument.second.bytes()));
    const Compared compared(l.package, c.option_int("compared"));
    const int64_t differs = l.package.module.externals.empty()
                                ? run_orders(c, l, *given, orders, pointers_to(results), nullptr)
                                : run_apart(c, l, *given, orders, results, compared);
    if (differs == stopped || !compared.agree(c)) return HTP_FAILED;
    if (differs >= 0) {
      c.report(diag::differs, HTP_NONE, l.package.module.arguments[static_cast<size_t>(differs)].first);
      return HTP_FAILED;
    }
    for (size_t k = 0; k < l.package.handed.size(); ++k)
      if (const size_t a = l.package.handed[k]; parameters[a].direction != "in")
        copy(parameters[a], results[k].data(), static_cast<uint8_t *>((*given)[a]), false);
    return HTP_OK;
  } catch (const Wrong &wrong) {
    report(c, wrong, l.package.text);
    return HTP_FAILED;
  }
}

void Simulated::unload(void *loaded) { delete static_cast<Loaded *>(loaded); }

} // namespace htp::aiesim

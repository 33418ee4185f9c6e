// Beside the module: what the host hands over, and each stream.
#include "emit.h"

#include "htp_cpp/layout/convert.h"

#include <algorithm>

namespace htp::aie {

namespace {
std::string list(const std::vector<int64_t> &v) {
  return "[" + join(v, ", ", [](int64_t n) { return std::to_string(n); }) + "]";
}

// Where a stream begins and ends: at a tensor, or at cores.
std::string ends_text(const Program &p, const Stream &s) {
  const std::string tensor = s.tensor ? "\"tensor\": " + quoted(s.tensor->name) + ", " : "";
  const std::string direction = s.tensor ? std::string("\"direction\": ") + (s.feeds ? "\"in\"" : "\"out\"") : "";
  if (p.alike) return tensor + direction + ", \"share\": " + (s.each ? "\"each\"" : s.by_row ? "\"rows\"" : "\"all\"");
  const std::string cores = (s.producer.empty() ? "" : "\"producer\": " + quoted(s.producer)) +
                            std::string(s.producer.empty() || s.consumers.empty() ? "" : ", ") +
                            (s.consumers.empty() ? "" : "\"consumers\": [" + join(s.consumers, ", ", quoted) + "]");
  if (!s.tensor) return cores + ", \"shares_memory\": " + (p.beside(s) ? "true" : "false");
  return tensor + direction + ", \"column\": " + std::to_string(s.column) + ", " + cores;
}
} // namespace

// What the host hands over, and which tile does what.
std::string mapping_text(const Program &p, const Version &v, const Plan &plan) {
  Writer w;
  {
    auto file = w.block("}", "{");
    w.line("\"schema\": \"htp.aie.mapping/1\",");
    w.line("\"entry\": ", quoted(p.name), ",");
    w.line("\"device\": ", quoted(p.device), ",");
    w.line("\"mlir_aie\": ", quoted(v.name), ",");
    w.line("\"columns\": ", p.columns, ",");
    w.line("\"rows\": ", p.rows, ",");
    if (!p.alike) {
      auto cores = w.block("],", "\"cores\": [");
      for (const Core &one : p.cores)
        w.line("{\"process\": ", quoted(one.name), ", \"column\": ", one.column, ", \"row\": ", one.row, "}",
               &one == &p.cores.back() ? "" : ",");
    }
    const std::vector<const Parameter *> handed = p.handed();
    const auto is_handed = [&](const Parameter &q) {
      return std::find(handed.begin(), handed.end(), &q) != handed.end();
    };
    std::vector<const Parameter *> given, packed;
    for (const Parameter &q : p.parameters) (q.packed.empty() ? given : packed).push_back(&q);
    if (!p.externals.empty()) {
      auto functions = w.block("],", "\"functions\": [");
      for (const External &e : p.externals)
        w.line("{\"name\": ", quoted(e.name), ", \"source\": ", quoted(source_of(p, e)),
               ", \"parameters\": ", e.parameters, ", \"arguments\": [",
               join(e.arguments, ", ",
                    [](const External::Argument &a) {
                      return "{\"dtype\": " + quoted(a.dtype->name) + ", \"number\": " + (a.number ? "true" : "false") +
                             ", \"result\": " + std::to_string(a.result) + ", \"python\": " + quoted(a.spelled) + "}";
                    }),
               "]}", &e == &p.externals.back() ? "" : ",");
    }
    {
      auto parameters = w.block(packed.empty() ? "]" : "],", "\"parameters\": [");
      for (const Parameter *q : given)
        w.line("{\"name\": ", quoted(q->name), ", \"direction\": ", quoted(q->direction),
               ", \"dtype\": ", quoted(q->dtype->name),
               ", \"extents\": ", list(q->scalar ? std::vector<int64_t>() : q->extents),
               q->counts ? ", \"counts\": true" : "",
               is_handed(*q) ? ", \"padded\": " + list(q->padded) : std::string(),
               q->lies ? ", \"layout\": " + quoted(layout::write(*q->lies)) : std::string(),
               plan.follows.contains(q) ? ", \"as_it_lies\": true" : "",
               q->pieces.empty() ? std::string() : ", \"pieces\": " + list(q->pieces),
               q->fill == Fill::zeros ? std::string() : ", \"fill\": " + quoted(fill_named(q->fill)), "}",
               q == given.back() ? "" : ",");
    }
    if (!packed.empty()) {
      auto tensors = w.block("]", "\"packed\": [");
      for (const Parameter *q : packed) {
        auto tensor =
            w.block(q == packed.back() ? "]}" : "]},", "{\"name\": ", quoted(q->name),
                    ", \"dtype\": ", quoted(q->dtype->name), ", \"extents\": ", list(q->extents), ", \"places\": [");
        for (const PackedTensor &slice : q->packed)
          w.line("{\"tensor\": ", quoted(slice.tensor), ", \"at\": ", slice.at, ", \"along\": [",
                 join(slice.along, ", ",
                      [](const Along &a) {
                        return list({a.size, a.dimension, a.step, a.stride});
                      }),
                 "]}", &slice == &q->packed.back() ? "" : ",");
      }
    }
  }
  return w.text();
}

std::string fifos_text(const Program &p) {
  Writer w;
  {
    auto file = w.block("}", "{");
    w.line("\"schema\": \"htp.aie.fifos/1\",");
    auto fifos = w.block("]", "\"fifos\": [");
    for (const Stream &s : p.streams)
      w.line("{\"stream\": ", quoted(s.name), ", ", ends_text(p, s), ", \"part\": ", list(s.block),
             ", \"bytes\": ", s.block_bytes(), ", \"depth\": ", s.depth,
             ", \"through_memory_tile\": ", p.through_memory(s) ? "true" : "false", "}",
             &s == &p.streams.back() ? "" : ",");
  }
  return w.text();
}

} // namespace htp::aie

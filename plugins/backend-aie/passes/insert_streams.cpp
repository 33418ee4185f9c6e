// aie.insert_streams: what cores load, store, put and get comes and goes by streams.
#include "passes.h"

#include "passes/on_cores.h"
#include "passes/streams.h"

#include "htp_cpp/edit.h"

namespace htp::aie {

Result insert_streams(const Context &c, Node root, Node &out) {
  out = root;
  const Node function = c.entry_function(root);
  const Names names(c, root);
  const auto on = function ? on_device(c, names, function) : std::nullopt;
  if (!on || !loads_tensors(c, names, *on)) return HTP_OK;
  cores::Cores all;
  all.columns = on->columns, all.rows = on->rows;
  if (!cores::read(c, root, function, {.choices = on->choices}, all)) return HTP_FAILED;
  const Node made =
      all.alike ? cores::with_shared_streams(c, function, *on, all) : cores::with_streams(c, function, *on, all);
  out = without_languages(c, with_statement(c, root, function, made));
  return c.result();
}

} // namespace htp::aie

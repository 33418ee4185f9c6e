// rules.cpp — the types of channels, `Channel[f32, 8, N]`, and of what they carry.
#include "csp.h"

#include "htp_cpp/edit.h"
#include "htp_cpp/types.h"
#include "htp_cpp/writer.h"

namespace htp::csp {

namespace {

// The module through which a call reaches its intrinsic: `csp` of `csp.channel(…)`.
std::string module_of(const Context &c, Node call) {
  const std::string path = c.dotted(c.get<ast::Call>(call).func());
  const size_t dot = path.rfind('.');
  return dot == std::string::npos ? std::string() : path.substr(0, dot + 1);
}

Node subscript(const Context &c, const std::string &form, std::vector<uint32_t> arguments, Node origin) {
  if (arguments.size() == 1)
    return c.make(make::Subscript{.value = c.path(form, origin), .slice = arguments[0], .ctx = HTP_LOAD}, origin);
  return c.make(make::Subscript{.value = c.path(form, origin),
                                .slice = c.make(make::Tuple{.elts = std::move(arguments), .ctx = HTP_LOAD}, origin),
                                .ctx = HTP_LOAD},
                origin);
}

Node none(const Context &c, Node origin) { return c.make(make::Constant{.value = {}}, origin); }

// channel(f32, 8, N): Channel[f32, 8, N]; event(): Channel[None]
Node channel(const Context &c, Nodes arguments, Node call) {
  std::vector<uint32_t> items;
  if (!arguments.empty()) items.push_back(copy_of(c, arguments[0], call));
  for (const Node extent : arguments.empty() ? arguments : arguments.subspan(1))
    items.push_back(copy_of(c, extent, call));
  if (items.empty()) items.push_back(none(c, call));
  return subscript(c, module_of(c, call) + "Channel", items, call);
}

} // namespace

Node type_of_call(const Context &c, const htp_intrinsic &row, Node call, Nodes types) {
  const std::string_view rule = row.rule;
  const Nodes arguments = c.get<ast::Call>(call).args();
  if (rule == "channel") {
    const bool array = std::string_view(row.name) == "csp.channels";
    const Node one = channel(c, array ? arguments.subspan(1) : arguments, call);
    return array ? subscript(c, module_of(c, call) + "Channels", {one}, call) : one;
  }
  // The first argument is a channel, or an array of them.
  auto of = types.empty() ? ast::Subscript{} : c.as<ast::Subscript>(types[0]);
  const std::string form = of              ? last_component(c.dotted(of.value()))
                           : types.empty() ? std::string()
                                           : last_component(c.dotted(types[0]));
  if (rule == "lane") {
    if (form != "Channels") return c.report(diag::no_channel, arguments[0], c.show(arguments[0])), HTP_NONE;
    return copy_of(c, of.slice(), call);
  }
  if (form != "Channel") return c.report(diag::no_channel, arguments[0], c.show(arguments[0])), HTP_NONE;
  if (rule == "close" || rule == "more") return none(c, call); // an int has no type
  if (c.is(of.slice(), HTP_Constant)) return none(c, call);    // Channel[None]
  if (rule == "drop") return none(c, call);
  auto tuple = c.as<ast::Tuple>(of.slice());
  const Node alone[] = {of.slice()};
  const Nodes items = tuple ? tuple.elts() : Nodes(alone);
  const bool put = rule == "put";
  Type item;
  item.form = "Tile";
  item.dtype = last_component(c.dotted(items[0]));
  for (const Node extent : arguments.subspan(put ? 2 : 1)) {
    item.extents.push_back(read_extent(c, extent).value_or(Extent::of(0)));
  }
  if (!put) return write_type(c, item, call);
  const auto given = types.size() > 1 && types[1] ? read_type(c, types[1]) : std::nullopt;
  const Node value = arguments[1];
  if (!given || given->form != "Tile") return c.report(diag::no_item, value, c.show(value)), HTP_NONE;
  if (given->dtype != item.dtype)
    return c.report(diag::item_dtype, value, c.show(arguments[0]), item.dtype, given->dtype)
               .hint("cast it: `cast(" + c.show(value) + ", " + item.dtype + ")`"),
           HTP_NONE;
  if (given->extents != item.extents) {
    const auto shape = [](const Type &type) {
      return join(type.extents, ", ", [](const Extent &e) { return e.text(); });
    };
    return c.report(diag::item_shape, value, c.show(arguments[0]), shape(item), shape(*given)), HTP_NONE;
  }
  return none(c, call);
}

} // namespace htp::csp

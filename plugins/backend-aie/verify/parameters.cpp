// The parameters of an entry, all of whose sizes are known.
#include "analyses/program.h"

#include "htp_cpp/layout/annotation.h"

#include <set>

namespace htp::aie {

bool read_parameters(const Context &c, Node root, Node function, std::deque<Parameter> &parameters,
                     const Refuse &refuse) {
  const sdk::Constants constants(c, root);
  const Names names(c, root);
  for (const Node n : c.get<ast::arguments>(c.get<ast::FunctionDef>(function).args()).args()) {
    auto a = c.get<ast::arg>(n);
    const auto type = a.annotation() ? read_type(c, a.annotation()) : std::nullopt;
    Parameter p;
    p.name = std::string(a.arg());
    p.node = n;
    if (type && type->form.empty() && type->extents.empty()) {
      p.direction = "in", p.scalar = true;
      p.dtype = dtype_named(type->dtype);
      if (!p.dtype || p.dtype->name == "bool_") {
        const char *wider = type->dtype == "f16" || type->dtype == "f64" ? "f32" : "i32";
        refuse(n, Refusal(diag::scalar_dtype, p.name, type->dtype).with("declare it `" + p.name + ": " + wider + "`"));
        return false;
      }
      p.extents = p.padded = {1};
      parameters.push_back(std::move(p));
      continue;
    }
    if (!type || type->form != "Tensor") {
      refuse(n, Refusal(diag::parameter, p.name));
      return false;
    }
    if (type->space) {
      refuse(type->space, Refusal(diag::placement, p.name, c.show(type->space)));
      return false;
    }
    const std::string direction = direction_of(c, a.annotation());
    p.direction = direction == "Out" ? "out" : direction == "InOut" ? "inout" : "in";
    p.dtype = dtype_named(type->dtype);
    if (!p.dtype || p.dtype->name == "bool_") {
      refuse(n, Refusal(diag::tensor_dtype, p.name, type->dtype));
      return false;
    }
    for (const Extent &e : type->extents) {
      const auto number = e.name.empty() ? std::optional<int64_t>(e.size) : constants.integer(c.parse(e.name, n));
      if (!number) {
        refuse(n, Refusal(diag::unknown_size, e.name).with(sizes_hint(c, root, e.name)));
        return false;
      }
      p.extents.push_back(*number);
      if (p.extents.back() < 1 || p.extents.back() > (int64_t{1} << 31)) {
        const bool named = !e.name.empty() && e.name.find_first_of(" +-*/(") == std::string::npos;
        Refusal why(diag::extent, p.extents.size() - 1, p.name, p.extents.back());
        refuse(n, named ? std::move(why).with("give it a size in this range: `--set " + e.name + "=1024`") : why);
        return false;
      }
    }
    if (count(p.extents) > most_counted) {
      refuse(n, Refusal(diag::many_elements, p.name, tuple(p.extents)));
      return false;
    }
    p.padded = p.extents;
    auto lies =
        type->layout
            ? std::optional(read_layout_by_facet(c, names, type->layout, [&](Node e) { return constants.integer(e); }))
            : std::nullopt;
    // Of what is spread over devices, one holds all of it, however large each one's slice would be.
    const bool whole = lies && *lies && !layout::units_of(**lies).empty() && layout::is_row_major(**lies);
    if (lies && !whole) {
      const layout::Result<layout::Layout> &read = *lies;
      const auto places = read ? layout::Places::of(*read, p.extents) : layout::Result<layout::Places>(read.no());
      const auto steps = read ? layout::array_steps(*read, p.extents) : layout::Result<std::vector<int64_t>>(read.no());
      if (!places || (!steps && p.extents.size() < 2)) {
        refuse(type->layout, Refusal(diag::parameter_layout, p.name, c.show(type->layout),
                                     places ? steps.reason() : places.reason()));
        return false;
      }
      if (!layout::is_row_major(*read)) p.lies = *read;
    }
    parameters.push_back(std::move(p));
  }
  return true;
}

std::string sizes_hint(const Context &c, Node root, const std::string &extent) {
  const sdk::Constants constants(c, root);
  std::set<std::string, std::less<>> names;
  c.each(c.parse(extent, root), [&](Node n) {
    if (c.is(n, HTP_Name) && !constants.integer(n)) names.emplace(c.name_of(n));
  });
  std::string sets;
  for (const std::string &name : names) sets += (sets.empty() ? "--set " : " --set ") + name + "=1024";
  return names.size() == 1 ? "give it one: `" + sets + "`" : "give each a size: `" + sets + "`";
}

} // namespace htp::aie

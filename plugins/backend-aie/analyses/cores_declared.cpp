#include "analyses/cores_declared.h"

#include "analyses/host_made.h"

namespace htp::aie::cores {

Declared::Declared(const Context &context, Node root, Cores &all, Refuse refuse)
    : c(context), names_(context, root), constants_(context, root), root_(root), all_(all), refuse_(std::move(refuse)) {
  for (size_t t = 0; t < all_.parameters.size(); ++t) tensors_[all_.parameters[t].name] = t;
}

std::optional<size_t> Declared::tensor(std::string_view name) const {
  const auto it = tensors_.find(name);
  return it == tensors_.end() ? std::nullopt : std::optional(it->second);
}
std::optional<size_t> Declared::channel(std::string_view name) const {
  const auto it = arrays_.find(name);
  return it == arrays_.end() ? std::nullopt : std::optional(it->second.first);
}
std::optional<size_t> Declared::channel(std::string_view array, int64_t number) const {
  const auto it = arrays_.find(array);
  if (it == arrays_.end() || number < 0 || number >= it->second.second) return std::nullopt;
  return it->second.first + static_cast<size_t>(number);
}

bool Declared::read(const TileStatement &s, bool behind) {
  const std::string_view by = s.intrinsic ? s.intrinsic->name : "";
  if (by == "aie.channel" || by == "aie.channels") return channels(s, by == "aie.channels", behind);
  if (by == "aie.pad") return padded(s);
  if (by == "aie.pack" || by == "aie.counts") return host_made(s);
  return no(s.node, Refusal(diag::statement, c.show(s.node)));
}

// `gain_shift = aie.pack(f32, (128,), …)`
bool Declared::host_made(const TileStatement &s) {
  const auto named = [&](std::string_view name) {
    const auto found = tensor(name);
    return found ? &all_.parameters[*found] : nullptr;
  };
  auto made = read_host_made(c, names_, s.node, named, refuse_);
  if (!made) return false;
  tensors_[made->name] = all_.parameters.size();
  all_.host_made[all_.parameters.size()] = {c.show(c.get<ast::Call>(s.call).args()[0]), s.node};
  all_.parameters.push_back(std::move(*made));
  return true;
}

// `x_padded = aie.pad(x, (40, 64), fill='least')`
bool Declared::padded(const TileStatement &s) {
  const auto of = tensor(c.name_of(s.operands.empty() ? HTP_NONE : s.operands[0].node));
  if (!of) return no(s.node, Refusal(diag::statement, c.show(s.node)));
  Parameter &q = all_.parameters[*of];
  if (!read_padding(c, s.node, q, refuse_)) return false;
  q.view = s.name, q.view_node = s.node;
  tensors_[s.name] = *of;
  return true;
}

// `rows: csp.Channel[f32, 8, N] = aie.channel(f32, 8, N, capacity=2)`
bool Declared::channels(const TileStatement &s, bool several, bool behind) {
  auto k = c.get<ast::Call>(s.call);
  Channel made;
  made.node = s.node;
  int64_t channels = 1;
  size_t at = 0;
  if (several && (k.args().empty() || !c.integer(k.args()[at++], &channels) || channels > most_positions))
    return no(s.node, Refusal(diag::statement, c.show(s.node)));
  if (k.args().size() <= at) return no(s.node, Refusal(diag::statement, c.show(s.node)));
  made.dtype = k.args()[at++];
  for (const Node e : k.args().subspan(at)) {
    const auto number = constants_.integer(e);
    if (!number) {
      const std::string shown = c.show(e);
      return no(e, Refusal(diag::unknown_size, shown).with(sizes_hint(c, root_, shown)));
    }
    made.extents.push_back(*number);
  }
  if (count(made.extents) > most_counted) return no(s.node, Refusal(diag::many_elements, s.name, tuple(made.extents)));
  for (const Node n : k.keywords()) {
    auto keyword = c.get<ast::keyword>(n);
    const auto number = constants_.integer(keyword.value());
    if (!number) return no(n, Refusal(diag::statement, c.show(n)));
    (keyword.arg() == "capacity" ? made.capacity : made.readers) = *number;
  }
  arrays_[s.name] = {all_.channels.size(), channels};
  made.changed = several || behind;
  for (int64_t n = 0; n < channels; ++n) {
    made.name = several ? s.name + "_" + std::to_string(n) : s.name;
    all_.channels.push_back(made);
  }
  return true;
}

} // namespace htp::aie::cores

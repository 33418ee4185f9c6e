// plugins/backend-aie/analyses/host_made.h — tensors that the host makes of others before it starts, and how tensors
// are padded, as a stage says it.
#pragma once

#include "analyses/program.h"

#include "htp_cpp/names.h"

namespace htp::aie {

// `gain_shift = aie.pack(f32, (192,), (gain, 0, ((96, 0, 1, 1),)), …)` or `places = aie.counts(i32, (1, 64))`; nothing
// after `refuse`. `tensor` finds those that there are by their names.
std::optional<Parameter> read_host_made(const Context &c, const Names &names, Node statement,
                                        const std::function<const Parameter *(std::string_view name)> &tensor,
                                        const Refuse &refuse);
// The call of it, of a dtype as the program spells it.
std::string host_made_text(const Parameter &made, std::string_view dtype);

// `x_padded = aie.pad(x, (40, 64), pieces=(1, 2), fill='least')`: what the tensor is padded to; false after `refuse`.
bool read_padding(const Context &c, Node statement, Parameter &tensor, const Refuse &refuse);
std::string padding_text(const Parameter &tensor);

// `(8, 64)`
bool read_extents(const Context &c, Node n, std::vector<int64_t> &out, const Refuse &refuse);
// What padding holds, `'least'`; false after `refuse`.
bool read_fill(const Context &c, Node n, Fill &fill, const Refuse &refuse);

} // namespace htp::aie

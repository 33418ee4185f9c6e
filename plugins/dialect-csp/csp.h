// csp.h — the units of dialect-csp.
#pragma once

#include "program.h"

namespace htp::csp {

// Right after parsing: the declarations of a pipeline, its network, and what its schedule makes of it.
Result check(const Context &c, Node root);
Result is_pipeline(const Context &c, std::string_view term, Node root);
Result is_scheduled(const Context &c, std::string_view term, Node root);
Result is_flat(const Context &c, std::string_view term, Node root);
Result place(const Context &c, Node root, Node &out);
Result is_placed(const Context &c, std::string_view term, Node root);
// The module without processes that are given tensors; itself when there are none, 0 after a report.
Node placed(const Context &c, Node root);
Result flatten(const Context &c, Node root, Node &out);
Result has_tasks(const Context &c, std::string_view term, Node root);
Result outline(const Context &c, Node root, Node &out);
// The module whose entry is a pipeline where it was a workload with pipelines as tasks; itself where it was not, 0
// after a report.
Node outlined(const Context &c, Node root);
Result apply(const Context &c, Node root, Node &out);
Result lower(const Context &c, Node root, Node &out);
Result deadlock(const Context &c, Node root, const Sink &sink);
// The typing rules of csp's intrinsics.
Node type_of_call(const Context &c, const htp_intrinsic &row, Node call, Nodes types);

} // namespace htp::csp

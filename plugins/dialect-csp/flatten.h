// flatten.h — pipelines that a pipeline calls are merged into it.
#pragma once

#include "program.h"

namespace htp::csp {

// Whether a function is a pipeline, by its decorator.
bool is_pipeline_function(const Context &c, const Names &names, Node function);
// The call of a pipeline of the module that a statement is; 0 when it is none.
Node pipeline_call(const Context &c, const Names &names, Node root, Node statement);
// The module without calls of pipelines in `function`; itself when it has none, 0 after a report.
// `from`: which statement of the function each process that was called came from.
Node flattened(const Context &c, Node root, Node function, std::map<Node, Node> *from = nullptr);

} // namespace htp::csp

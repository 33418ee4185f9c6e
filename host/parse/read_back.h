// host/parse/read_back.h — the tree of a text that was printed, without reading the text.
#pragma once

#include "host/ast/store.h"
#include "host/ast/unparse.h"

#include <vector>

namespace htp {

// What `parse_tree` and `attach_trivia` give of `text`, which `unparse` with trivia made of `printed`, with the nodes
// at `spans`: the nodes of `printed` once more, where they stand in the text. 0 where it is not certain that the text
// reads back as that tree: then it has to be read. Made for the trees that passes make of programs; of a node, a name
// or a literal that is none of those it is not certain.
htp_node read_back(const SourceRef &text, htp_node printed, const std::vector<LineSpan> &spans, Store &store);

} // namespace htp

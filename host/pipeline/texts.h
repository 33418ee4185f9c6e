// host/pipeline/texts.h — files of text that a program names.
#pragma once

#include "host/pipeline/program.h"

namespace htp {

// Replaces `htp.text("scaled.cc")` by what stands in that file beside the program, as a string.
htp_node take_texts(htp_node module, const std::string &folder, Store &store, std::vector<InputFile> &inputs,
                    Diagnostics &diagnostics);

} // namespace htp

// host/base/working_folder.h — the folder that relative paths are from, whatever foreign code does.
#pragma once

namespace htp {

// From here on relative paths are from the folder that this process works in now. False when it is not there any more.
bool keep_working_folder();

// Goes back to it after foreign code has run; true when that had left it. Without one that is kept, as in a process of
// someone else's, nothing is done.
bool return_to_working_folder();

} // namespace htp

// host/base/beneath.h — opens a file that must lie beneath a folder, whatever links stand on the way.
#pragma once

#include "host/base/fd.h"

#include <string>

namespace htp {

enum class Links {
  inside, // links are followed while they stay beneath the folder
  none    // no part of the path may be a link
};

// For reading. On failure invalid, with errno: EXDEV or ELOOP when the path leads out or through a link that is not
// allowed.
Fd open_beneath(const std::string &folder, const std::string &path, Links links);

} // namespace htp

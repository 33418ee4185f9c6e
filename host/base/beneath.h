// host/base/beneath.h — opens a file that must lie beneath a folder, whatever links stand on the way.
#pragma once

#include "host/base/expected.h"
#include "host/base/fd.h"
#include "host/base/fs.h"

#include <string>

namespace htp {

enum class Links {
  inside, // links are followed while they stay beneath the folder
  none    // no part of the path may be a link
};

// For reading. On failure invalid, with errno: EXDEV or ELOOP when the path leads out or through a link that is not
// allowed.
Fd open_beneath(const std::string &folder, const std::string &path, Links links);
// The bytes of such a file; its links are followed inside the folder.
Expected<std::string, IoError> read_beneath(const std::string &folder, const std::string &path);

} // namespace htp

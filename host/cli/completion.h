// host/cli/completion.h — what completes htp-host's commands in a shell, made of the same table as --help.
#pragma once

#include <string>
#include <string_view>

namespace htp {

// A script of `shell`: "bash", "zsh" or "fish". It offers commands, options and the values of options that have a few.
std::string completion(std::string_view shell);

} // namespace htp

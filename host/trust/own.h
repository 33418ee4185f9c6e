// host/trust/own.h — HTP's own build of its plugins: what each consists of, and which names are HTP's. The build writes
// it beside libhtp (scripts/cmake/HtpOwn.cmake); there is no key. Who can write it could change libhtp as well.
#pragma once

#include "host/trust/statement.h"

#include <map>
#include <set>
#include <string>

namespace htp {

struct OwnBuild {
  std::map<std::string, Statement, std::less<>> plugins; // by id
  std::set<std::string, std::less<>> names;              // words, in lower case, that names of theirs begin with
};

// PREFIX/lib/htp/own-plugins, by where this program or library lies; empty when there is none.
const std::string &own_build_path();
// What its text says, as far as it is of its form.
OwnBuild read_own_build(std::string_view text);

} // namespace htp

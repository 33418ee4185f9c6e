// host/resolve/along.h — which other units of the chosen plugins come along: those whose static requirements are met by
// what is in, and that conflict with nothing in it.
#pragma once

#include "host/resolve/model.h"
#include "host/resolve/search.h"

namespace htp {

struct Along {
  std::set<UnitKey> units;     // those that come along
  std::vector<Term> installed; // static capabilities of all units, ground, by text
  struct Left {
    UnitKey unit;
    PassedOver::Why why;
    std::string detail;
    const Requirement *requirement = nullptr; // that is not met, of requires_unmet
  };
  std::vector<Left> left; // those that do not
};

Along come_along(const Model &model, const Chosen &chosen);

} // namespace htp

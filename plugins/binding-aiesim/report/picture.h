// plugins/binding-aiesim/report/picture.h — the array drawn.
#pragma once

#include "model/model.h"

namespace htp::aiesim {

// An SVG of tiles and fifos with how busy they are.
std::string array_svg(const Module &m, const Prediction &p, const std::string &title);

} // namespace htp::aiesim

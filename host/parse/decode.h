// host/parse/decode.h — a program's bytes as the text its tree speaks of.
#pragma once

#include "host/base/source.h"
#include "host/diag/diagnostic.h"
#include "host/parse/interpreter.h"

namespace htp {

// The program as UTF-8 without a byte order mark and with `\n` as newlines: `source` itself when it is that already.
// Another encoding named as PEP 263 has it is decoded, and the comment then names utf-8. Reports and returns nothing
// when the bytes are not such a text.
SourceRef decode_source(const SourceRef &source, Interpreter &python, Diagnostics &diagnostics);

// Whether a program is such a text already and names no encoding.
bool is_plain(std::string_view text);

// The 0-based byte column of the 1-based character `offset` in a UTF-8 line, clamped to the line.
uint32_t byte_column(std::string_view line, long offset);

} // namespace htp

// memory.h — what a name can stand for while a stage is read: a value, a buffer or tensor, a function.
#pragma once

#include "terms.h"

#include "htp_cpp/plugin.h"

#include <map>
#include <string>
#include <vector>

namespace htp::validator {

// A buffer or a tensor: what a name can stand for beside a value.
struct Memory {
  std::string name;
  Type type;
  std::vector<Term> origins; // of each dimension: what index its first element has
  std::string space;         // with an address: two of one space may lie on each other
  Term address = 0;
  std::string layout;
  int64_t bytes = 0;
  char stream = 0;          // 'f'eed, 'c'ollect, 'q'ueue; else none
  int tensor = -1;          // that is fed or collected
  int view = -1;            // the one that this one is a part of
  std::vector<Term> offset; // where in that
  int padded = -1;          // the tensor that this one is with padding
  Term pieces = 0;          // in which it was padded
  Term begun = 0;           // what it held then
};

struct Value {
  Term term = 0;
  int memory = -1;
  sdk::Node function = HTP_NONE;
  bool operator==(const Value &) const = default;
};
inline Value value(Term x) { return {x, -1, HTP_NONE}; }

using Environment = std::map<std::string, Value, std::less<>>;

// Where the reading is: a branch and a process go on from a copy.
struct State {
  Environment names;
  std::vector<Term> holds;                 // by memory
  std::map<std::vector<int>, Term> counts; // of streams: how many blocks have come to the core
};

} // namespace htp::validator

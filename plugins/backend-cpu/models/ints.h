// plugins/backend-cpu/models/ints.h — what the ints of a program can be at given sizes: the models ask it how often
// loops go round and which element is meant.
#pragma once

#include "emit/program.h"

#include <map>
#include <optional>
#include <string>

namespace htp::cpu {

struct Range {
  double low = 0, high = 0;
  bool known = true;
};
inline Range point(double value) { return {value, value}; }

using Environment = std::map<std::string, Range, std::less<>>;

constexpr double guess = 64; // a dimension whose size is not said, as `htp-host run` has it; an int that data decides

class Ints {
public:
  Ints(const Context &context, const ready::Constants &constants) : c(context), constants_(constants) {}

  Range range(Node expression, const Environment &at) const;
  // Whether a condition holds; nothing where it may be either.
  std::optional<bool> holds(Node test, const Environment &at) const;

  // Binds the int that a statement names.
  void note(const ready::Statement &s, Environment &at) const;
  // Before the body of a loop that data ends: what it counts can be anything.
  static void forget(const ready::Statement &s, Environment &at);

  double trips(const ready::Statement &loop, const Environment &at) const;
  // The loop's variable in iteration k, which is counted from 0.
  Range iteration(const ready::Statement &loop, const Environment &at, double k) const;
  // The loop's variable in all of its iterations.
  Range iterations(const ready::Statement &loop, const Environment &at) const;

protected:
  const Context &c;
  const ready::Constants &constants_;

private:
  double step(const ready::Statement &loop, const Environment &at) const;
};

} // namespace htp::cpu

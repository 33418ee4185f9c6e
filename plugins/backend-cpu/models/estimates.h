// plugins/backend-cpu/models/estimates.h — what the models take the ints of a program for at given sizes: how often
// loops go round and which element is meant. Doubles, which saturate, and a guess where nothing is known: what proves
// and what compiles asks int expressions (htp_cpp/ints.h).
#pragma once

#include "emit/program.h"

#include <map>
#include <optional>
#include <string>

namespace htp::cpu {

struct Estimate {
  double low = 0, high = 0;
  bool known = true;
};
inline Estimate point(double value) { return {value, value}; }

using Environment = std::map<std::string, Estimate, std::less<>>;

constexpr double guess = 64; // a dimension whose size is not given, as `htp-host run` has it; an int that data decides

class Estimates {
public:
  Estimates(const Context &context, const ready::Constants &constants) : c(context), constants_(constants) {}

  Estimate range(Node expression, const Environment &at) const;
  // Whether a condition holds; nothing where it may be either.
  std::optional<bool> holds(Node test, const Environment &at) const;

  // Binds the int that a statement names.
  void note(const ready::Statement &s, Environment &at) const;
  // Before the body of a loop that data ends: what it counts can be anything.
  static void forget(const ready::Statement &s, Environment &at);

  double trips(const ready::Statement &loop, const Environment &at) const;
  // The loop's variable in iteration k, which is counted from 0.
  Estimate iteration(const ready::Statement &loop, const Environment &at, double k) const;
  // The loop's variable in all of its iterations.
  Estimate iterations(const ready::Statement &loop, const Environment &at) const;

protected:
  const Context &c;
  const ready::Constants &constants_;

private:
  double step(const ready::Statement &loop, const Environment &at) const;
};

} // namespace htp::cpu

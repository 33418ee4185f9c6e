// host/pipeline/validate.h — translation validation: asks whoever provides `Translation.Validator` whether two stages
// compute the same (decision 0019). Knows nothing of what a pass does, or of what programs mean.
#pragma once

#include "host/pipeline/phases.h"

#include <memory>

namespace htp {

// What is said of a pass' use: that the stages before and after it compute the same at all sizes and all data, under
// these assumptions; or why that was not shown.
struct Validated {
  bool proved = false;
  std::string by{};                       // the analysis
  std::vector<std::string> assumptions{}; // sorted
  std::string reason{};                   // where it is not proved
  Span at{};                              // of the stage before or after, as far as that is known
  double seconds = 0;
};

// A package's validators, loaded and kept for its stages.
class Validation {
public:
  // By `request`'s profile and plugin path; the program is `stage`, the folder of the package's first stage. Null after
  // a report, also where no plugin is a validator.
  static std::unique_ptr<Validation> open(CompileRequest request, const std::string &stage, Cache &cache,
                                          Diagnostics &diagnostics);
  ~Validation();
  // Of two stages' texts, with their names for locations.
  Validated of(const std::string &before, const std::string &before_name, const std::string &after,
               const std::string &after_name);

private:
  struct State;
  explicit Validation(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

} // namespace htp

// host/bind/signature.h — an entry's typed signature, as the package's manifest spells it, and a call's arguments
// against it. Knows dtypes and extents, and no type by its name: what is subscripted by a dtype and extents lies in
// memory.
#pragma once

#include "host/ast/store.h"
#include "host/package/manifest.h"

#include <htp/binding.h>
#include <htp_cpp/ints.h>
#include <htp_cpp/layout/annotation.h>

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace htp {

class Signature {
public:
  // Reads the types. `store` outlives the signature.
  Signature(const PackageManifest::Entry &entry, Store &store);

  const std::string &name() const { return entry_.name; }
  struct Parameter;
  const std::vector<Parameter> &parameters() const { return parameters_; }
  // The arguments in the order of the parameters; nothing after a report. `location` is where a parameter stands in the
  // user's program, and is asked for what does not fit.
  std::optional<std::vector<htp_argument>> arguments(std::span<const htp_argument> given,
                                                     const std::function<Span(const std::string &parameter)> &location,
                                                     Diagnostics &diagnostics) const;

  struct Dtype {
    const char *name;
    uint8_t code, bits; // DLPack's
  };
  struct Extent {
    htp_node node;
    sdk::MaybeInt sum; // of what is no product of dims, quotient by one …
    std::string name;  // of one that is a dim
  };
  struct Parameter {
    std::string name, type;
    bool written = false;
    bool reads = true;            // false: what it holds before the call does not count
    bool scalar = false;          // handed over by value
    const Dtype *dtype = nullptr; // null: a type that is the binding's to know
    std::vector<Extent> extents;
    std::vector<int64_t> steps = {};            // in elements along each dimension; none: of a row-major array
    std::vector<sdk::RunTimeStep> by_call = {}; // the same where a call says some of them
    int64_t storage = 0;     // of what no steps describe: the elements of the storage, which is what is given
    std::string layout = {}; // that it lies so, as the manifest says
  };

private:
  const PackageManifest::Entry &entry_;
  const Store &store_;
  std::vector<Parameter> parameters_;
  std::string names_; // as hints have them
};

} // namespace htp

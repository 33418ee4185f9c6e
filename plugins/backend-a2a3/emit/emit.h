// plugins/backend-a2a3/emit/emit.h — the texts of a package.
#pragma once

#include "analyses/program.h"

#include "htp_cpp/ints.h"
#include "htp_cpp/writer.h"

namespace htp::a2a3 {

// Ints of the program in C++, and where they come from.
class Ints {
public:
  Ints(const Context &context, Node root) : c(context), constants_(context, root) {}
  std::string text(Node n) const { return text(n, 0); }
  std::optional<sdk::Number> number(Node n) const { return constants_.number(n); }
  const sdk::Constants &constants() const { return constants_; }
  // With constants as their numbers; nothing where it is no sum of products.
  MaybeInt sum(Node n) const { return read_int(c, n, sdk::with_constants(constants_)); }
  // `["+", "N", 2]`, of sizes and of the program's ints.
  std::string json(Node n) const;
  // As Python, with constants for their names.
  std::string python(Node n) const;
  // Whether it is made of these names, and is no number.
  bool only_names(Node n, const std::vector<std::string> &names) const;

private:
  std::string text(Node n, int outer) const;
  const Context &c;
  sdk::Constants constants_;
};

// What a call's sizes and ints are held to, by expressions as the registry writes them.
struct Limit {
  int64_t least, most = INT64_MAX;
};
using Limits = std::map<std::string, Limit>;
Limits limits_of(const Context &c, const Ints &ints, const Program &p);

struct Placed {
  std::string buffer;
  std::string_view space;
  int64_t offset, bytes;
  size_t first, last; // lines of the kernel
};
struct Event {
  Pipe source, destination;
  int64_t id;
  std::vector<size_t> set, wait; // lines of the kernel
};
struct Index { // that only a call knows, of a dimension of a tensor
  size_t line; // of the kernel
  std::string tensor;
  size_t dimension;
  std::set<std::string> from; // the inputs and ints that it is made of
};
struct KernelText {
  std::string text;
  std::vector<Placed> memory;
  std::vector<Event> events;
  std::vector<Index> indices;
};
KernelText kernel_text(const Context &c, const Ints &ints, const Program &p, const Kernel &k);

// Of the contract pto-runtime/2026-03, for its two runtimes, and of simpler/2026-08.
std::string host_graph_text(const Ints &ints, const Program &p);
std::string ring_text(const Context &c, const Ints &ints, const Program &p);
std::string tasks_text(const Ints &ints, const Program &p);

// What a kernel is given: of the tensors those that it uses, and how.
struct Argument {
  const Tensor *tensor = nullptr;
  std::string_view direction;
};
std::vector<Argument> arguments_of(const Program &p, const Kernel &k);
// Whether what a kernel's tasks do with a tensor concerns those of another group: they are given it both ways then, so
// that a runtime which keeps few edges of a task orders them one behind the other.
bool crosses(const Program &p, const Kernel &k, const Tensor &t);
// Behind the tensors: the sizes, and where its parts begin and how large they are.
std::vector<std::string> scalars_of(const Program &p, const Kernel &k);
// The loops that a kernel's tasks are made in, outermost first.
std::vector<PartOf> loops_of(const Program &p, const Kernel &k);
// The kernels before a kernel that it must wait for.
std::vector<size_t> before(const Program &p, size_t kernel);
// Of each dimension of a parameter, where the part of it begins that a kernel's task touches, and how much of it that
// is, as texts; nothing where it is all, or where nobody waits for a task that writes it.
struct Part {
  std::string from, extent;
};
std::vector<Part> parts_of(const Context &c, const Ints &ints, const Program &p, const Kernel &k, const Tensor &t);
// Where a kernel's text lies in the package.
std::string source_of(const Kernel &k);

std::string quoted(std::string_view text);

} // namespace htp::a2a3

// plugins/backend-a2a3/order/flags.h — the flags and barriers of a kernel, apart from its statements.
#pragma once

#include "order/order.h"

namespace htp::a2a3 {

constexpr int64_t events = 8; // between two pipes

struct Flag {
  Pipe source, destination;
  size_t set, wait; // behind this statement, before that one
  size_t later;     // waited for so many iterations later
  bool turned;      // two of them, in turn
  int64_t event = 0;
  // Of one that is waited for later: set before the outermost loop around, and waited for behind it; else around its
  // own loop.
  bool hoisted = false, dropped = false;
};

// The order of the statements of one body: of the kernel, of a loop, or of a way of a branch.
struct Body {
  const Statement *loop = nullptr; // the innermost around it; null: none
  std::vector<const Statement *> steps;
  std::vector<std::vector<size_t>> inner; // the bodies of the k-th statement
  std::vector<Flag> flags;
  std::vector<std::set<Pipe>> barriers; // before the k-th statement
  std::vector<bool> all;                // all pipes wait for all
  size_t depth = 0;
};

class Order {
public:
  // Of a kernel without flags.
  explicit Order(const Kernel &kernel);
  // Of a kernel with flags; nothing where they do not stand as `kernel` has them.
  static std::optional<Order> of(const Kernel &kernel);
  Order(const Order &) = delete;
  Order(Order &&) = default;

  std::vector<Body> bodies; // those of inner loops first, the kernel's last

  // Gives all flags their events.
  void number();
  bool hoists() const;
  Kernel kernel() const;
  // Steps of a body by themselves, with the order that stands among them: what is not in order here is not in order in
  // the kernel, which gives them no more than that everything before them has ended.
  Kernel part(size_t body, size_t from, size_t to) const;

private:
  using Kind = Statement::Kind;
  using Pair = std::pair<Pipe, Pipe>;
  class Reader;

  size_t body(const Statement *loop, const std::vector<Statement> &statements, size_t depth);
  static bool take(Flag &f, std::map<Pair, int64_t> &taken);
  std::optional<std::map<Pair, int64_t>> share(size_t n);
  std::vector<Statement> with_flags(size_t n, const std::vector<Statement> &statements) const;
  // The k-th step with the order in it; around it what goes around it where it is `outermost`.
  void with_flags(const Body &b, size_t k, bool outermost, std::vector<Statement> &out) const;
  void around_loop(Kind kind, size_t n, bool outermost, Node node, std::vector<Statement> &out) const;
  void hoisted_in(Kind kind, size_t n, Node node, std::vector<Statement> &out) const;

  Node node_ = HTP_NONE;
  bool cube_ = false;
  std::vector<Statement> statements_; // without flags and barriers
};

// The module with the statements of kernels as they are in `program`.
Node with_kernels(const Context &c, Node root, const Program &program);

} // namespace htp::a2a3

// reader/interpret.h — runs functions of a unit on numbers. What is not C++ itself (instructions, tasks) is up to who
// runs it.
#pragma once

#include "syntax.h"

#include "memory.h"

#include <functional>
#include <string_view>

namespace htp::a2a3sim {

struct Value;

// A thing that the texts call methods of: a task's arguments, a runtime.
class Object {
public:
  virtual ~Object() = default;
  // Nothing when it has no such member.
  virtual bool member(const std::string &name, Value &result) = 0;
  virtual bool call(const std::string &name, std::vector<Value> &arguments, int line, Value &result) = 0;
};

struct Value {
  enum class Kind { none, integer, real, type, pointer, operand, five, list, object, closure, text } kind = Kind::none;
  int64_t integer = 0; // pointer: its address
  double real = 0;
  Type type = Type::none;                         // type, pointer: of the elements
  uint8_t open = 0;                               // type of a five: a bit for each that is given later
  std::shared_ptr<Operand> operand = {};          // a tile or a slice of global memory
  std::shared_ptr<std::vector<Value>> items = {}; // list; five: its five numbers
  std::shared_ptr<Object> object = {};            // object
  const Expr *lambda = nullptr;                   // closure
  std::string_view text = {};                     // type: what it is of; text: itself; of the unit's own text
  std::string_view field = {};                    // of a designated part of a list; of the unit's own text

  static Value of(int64_t n) {
    Value v;
    v.kind = Kind::integer, v.integer = n, v.real = static_cast<double>(n);
    return v;
  }
  static Value of_real(double r) {
    Value v;
    v.kind = Kind::real, v.real = r;
    v.integer = r >= -9e18 && r <= 9e18 ? static_cast<int64_t>(r) : 0;
    return v;
  }
  static Value of(std::shared_ptr<Object> o) {
    Value v;
    v.kind = Kind::object, v.object = std::move(o);
    return v;
  }
};

// What a text says that cannot be run.
struct NotRun {
  int line;
  std::string what;
};

class Interpreter {
public:
  Interpreter(const Unit &unit, const std::string &path) : path_(path), u_(unit) {}
  virtual ~Interpreter() = default;

  bool has(const std::string &function) const { return u_.function_at.contains(function); }
  // Calls a function with what its parameters are.
  Value call(const std::string &function, std::vector<Value> arguments, int line = 0);

protected:
  // How many expressions and rounds it takes before it is held to be endless.
  uint64_t most_steps_ = 1u << 23; // on sizes as small as the verifier's, and a row of a fixed length

  // False when it knows no such name, function or type.
  virtual bool named(const std::string &name, Value &result) = 0;
  virtual bool called(const std::string &name, const std::vector<Value> &templates, std::vector<Value> &arguments,
                      int line, Value &result) = 0;
  virtual bool constructed(std::string_view type, std::vector<Value> &arguments, int line, Value &result) = 0;

  // What a loop's first statements have made, before its first round; and what a declaration has.
  virtual void begins(const Statement &loop) = 0;
  virtual void declared(const Statement &declaration, const Value &value) = 0;
  virtual void calling(const Expr &call) = 0; // before it is
  // A scope of tasks begins, with what its mode is, if it says one; and ends.
  virtual void scope_begins(const std::vector<Value> &, int) {}
  virtual void scope_ends() {}

  Value type_of(const Expr &e);
  Value evaluate(const Expr &e);
  Value *find(const std::string &name);
  size_t depth() const { return depth_; } // of calls
  [[noreturn]] void wrong(int line, Refusal why) const;

  const std::string &path_;

private:
  using Scope = std::vector<std::pair<std::string_view, Value>>; // by names of the unit's own text
  enum class Then { go_on, give };

  Then run(const std::vector<Statement> &body);
  Then run(const Statement &s);
  void declare(const Statement &s);
  Value construct(const Value &type, std::vector<Value> arguments, int line);
  Value *place(const Expr &e);
  Value binary(std::string_view operation, const Value &a, const Value &b, int line) const;
  bool truth(const Expr &e);
  [[noreturn]] void endless(int line) const;
  [[noreturn]] void fail(int line, const std::string &what) const { throw NotRun{line, what}; }

  const Unit &u_;
  Scope scope_;
  size_t base_ = 0; // where the running function's names begin
  Value given_;
  size_t depth_ = 0;
  uint64_t steps_ = 0;
};

} // namespace htp::a2a3sim

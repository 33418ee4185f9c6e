// plugins/backend-cpu/emit/printer.h — what prints a function of the last stage: statements one by one (kernel.cpp),
// index expressions (kernel_indices.cpp), loops, also on vectors (kernel_loops.cpp), and processes
// (kernel_processes.cpp).
#pragma once

#include "kernel.h"
#include "live.h"

namespace htp::cpu::ready {

// A C identifier as close to the Python name as can be.
std::string identifier(std::string_view name);

// How a block is printed: one element at a time, or several vectors of a loop's elements.
struct Mode {
  const VectorPlan *plan = nullptr;
  std::string_view variable; // of the loop on vectors
  unsigned copies = 1;
  unsigned lanes() const { return plan ? plan->lanes : 1; }
};

class Printer {
public:
  Printer(const Context &context, const Constants &constants, Node root, const Program &program, Header &header);
  Kernel run();

private:
  // ── names and expressions ─────────────────────────────────────────────────────────────────────────────────────────

  const std::string &name(std::string_view python);
  std::string scalar_name(const Scalar *s, const Mode &m, unsigned copy);
  std::string numbered(const std::string &key, const std::string &base, unsigned copy);

  // An index expression. Levels: 0 anything, 1 a term, 2 a factor.
  std::string index(Node n, const Mode &m, unsigned copy, int level = 0);
  std::string index(Node n, int level = 0) { return index(n, Mode{}, 0, level); }

  std::string condition(Node n);

  // The element's offset in the memory, row-major.
  std::string element(const Statement &s, const Mode &m, unsigned copy);
  std::string in_rows(const Statement &s, const Mode &m, unsigned copy);
  std::string place(const Statement &s, const Mode &m, unsigned copy);

  // The last arguments of what is checked: which of the checks it is, and where the kernel keeps what it will return.
  std::string status(const std::string &what, Node at, Node statement, const Memory *memory = nullptr,
                     int64_t dimension = -1);
  size_t number_of(Node n);

  // What must hold before the element is touched; empty when it was proved.
  std::string inside(const Statement &s, const Mode &m, unsigned copy);
  bool varies(const Value &v, const Mode &m) const;

  // An operand in a dtype; `wide`: it must be a vector.
  std::string operand(const Value &v, const DType *dtype, const Mode &m, unsigned copy, bool wide);

  // ── one scalar statement ──────────────────────────────────────────────────────────────────────────────────────────

  std::string rounded(std::string text, const DType *dtype, unsigned lanes);
  std::string cast(const Value &v, const DType *from, const DType *to, std::string_view rounding, const Mode &m,
                   unsigned copy, unsigned lanes);
  std::string converted(std::string text, const DType *from, const DType *to, unsigned lanes);
  std::string compute(const Statement &s, const Mode &m, unsigned copy);
  // The loads of a word's bytes in its block, where all four lie one after the other; none where they do not.
  std::vector<const Statement *> bytes_of(const Statement &word, const std::vector<Statement> &block, const Mode &m);
  std::string get(const Statement &s, const Mode &m, unsigned copy, unsigned lanes);
  std::string read(const Statement &s, const Mode &m, unsigned copy, unsigned lanes);

  // An integer as an int; what is too large for one lies outside of everything.
  std::string position(const Statement &s, const Mode &m);
  void order(const Statement &s);
  void put(const Statement &s, const Mode &m, unsigned copy);
  void scalar(const Statement &s, const Mode &m);

  // ── blocks and loops ──────────────────────────────────────────────────────────────────────────────────────────────

  // A line that cites where it comes from, when that is not where the line before came from.
  void line(Node from, const std::string &text) { w_.line(text, cite(from)); }
  std::string cite(Node from);
  void block(const std::vector<Statement> &body, const Mode &m, size_t from = 0);
  void branch(const Statement &s, const Mode &m);
  void repeat(const Statement &s, const Mode &m);

  // Out of the innermost `while`, with what its body has allocated given back.
  void leave(Node from);

  // A buffer: in the frame when it is small, else allocated, and then the rest of the block stands inside. True in that
  // case.
  bool allocate(const Statement &s, const std::vector<Statement> &body, size_t rest);

  // What may be read before it is written holds poison.
  std::string scratch_bytes(const Memory &m);
  void poison(const Statement &s, std::string bytes = "");
  std::string range(const Statement &s, const std::string &start, const std::string &condition_,
                    const std::string &step);

  // A bound as Python has it, evaluated once: with a name of its own where the body may change what it is made of, or
  // where a division would be checked each time.
  std::string once(Node bound, const std::string &stem, int level);
  void loop(const Statement &s, const Mode &m);
  // Two loops that do nothing but copy what goes along the rows of one memory along the columns of another: as a call.
  bool transposes(const Statement &s);
  void counted(const Statement &s, const Mode &m, const std::string &start, const std::string &stop,
               const std::string &step);

  // Where the last of the overlapping iterations begins to read each tensor: on its way while this one computes. An
  // address beyond the tensor is harmless.
  void ahead(const Statement &loop, const std::string &step);

  // One loop on vectors: the main one with several in flight, one with the rest of them, and the last elements: again
  // as a vector where that may be, else one by one.
  void vectors(const Statement &s, const VectorPlan &plan);
  void elements(const Statement &s, const std::string &start, const std::string &stop);

  // The most that a bound is, where it is a name for the least of some ints of which one is known.
  std::optional<int64_t> most(Node bound) const;
  Value identity(const Reduction &r) const;
  void open_reductions(const VectorPlan &plan, unsigned copies);
  void close_reductions(const VectorPlan &plan, unsigned copies);
  // Maxima and minima of floats: the name of what is NaN where one of them was, and the statement.
  std::string unordered(const Reduction &r, const Mode &m);
  void extreme(const Statement &s, const Reduction &r, const Mode &m);
  std::string beside(const Reduction &r, unsigned lanes, const std::string &a, const std::string &b);
  // Whether what is reduced can be told lane by lane which of a vector are new.
  static bool each_once(const VectorPlan &plan);
  // The body on a vector of which only the last lanes are new to what is reduced.
  void last_of_reductions(const Statement &s, const VectorPlan &plan, unsigned copies, const std::string &rest);
  std::string combined(const std::string &operation, const DType *d, unsigned lanes, const std::string &a,
                       const std::string &b);

  // ── functions ─────────────────────────────────────────────────────────────────────────────────────────────────────

  void function(const Kernel &k);

  // ── processes ─────────────────────────────────────────────────────────────────────────────────────────────────────

  bool is_pipeline() const;

  // `rows`, or `&across[i * 5 + j]`
  std::string channel_of(const Statement &s);
  void slot(const Statement &s);

  // What all processes share: the parameters, the sizes and the channels.
  struct Shared {
    std::string type, name; // "const float *", "x"
  };
  std::vector<Shared> shared();

  // static void row_read(void *context, int64_t instance) { … }
  std::string process(const Statement &s, const std::string &type, const std::vector<Shared> &around);
  void pipeline(const Kernel &k);
  // The number of who waits there, as an argument more.
  std::string site(const Statement &s, const std::string &waits);

  // ── calls ─────────────────────────────────────────────────────────────────────────────────────────────────────────

  // Of a parameter: "const float *", "float *", "float ".
  static std::string type_of(const Memory &m);
  const Memory &memory(const std::string &parameter) const;
  void caller(const Kernel &k);

  const Context &c;
  const Constants &constants_;
  const Node root_;
  const Program &p;
  const Unproved unproved_;
  std::vector<Statement> body_; // without what nothing reads
  Header &h;
  Writer w_;
  NameTable names_;
  std::map<std::string, std::string> c_names_;
  Live live_;
  std::map<std::string, std::vector<const Statement *>, std::less<>> integers_; // by name
  std::set<const Scalar *> used_;                        // by something else than as a byte of a word
  std::map<const Statement *, const Statement *> words_; // that are loaded at once, and the load of their first bytes
  std::set<const Statement *> in_words_;                 // loads of bytes
  Poisons poisons_;
  int64_t frame_ = 0;
  std::optional<std::vector<std::string>> allocated_; // in the innermost loop around, where that is a `while`
  uint32_t cited_ = 0;
  std::vector<Check> checks_;
  std::map<std::tuple<std::string, Node, int64_t>, size_t> check_numbers_; // what, where, dimension
  std::map<Node, size_t> numbers_;                                         // of the last stage's nodes
  Node statement_ = HTP_NONE;                                              // at hand
  bool in_parallel_ = false, parallel_ = false, fails_ = false, fails_any_ = false;
  const Statement *process_ = nullptr; // at hand
  std::vector<ProcessRow> process_rows_;
  std::vector<Site> sites_;
  std::map<std::pair<Node, std::string>, size_t> site_numbers_;
  std::map<const Channel *, std::vector<const Statement *>> readers_;
};

} // namespace htp::cpu::ready

// reader.h — the reader of one stage. Its rooms are files, each of a topic; they share where the reading is.
#pragma once

#include "elements.h"
#include "flags.h"
#include "memory.h"
#include "read.h"
#include "transfers.h"
#include "values.h"

#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace htp::validator {

// Statements are read in the order in which they run; what has no meaning here throws NotShown.
class Reader : private Values {
  using Context = sdk::Context;
  using Node = sdk::Node;
  using Nodes = sdk::Nodes;

public:
  Reader(const Context &context, Terms &terms, Streams streams, bool &moves)
      : Values(terms), c(context), concrete_(streams == Streams::transfers), moves_(moves), known_(terms),
        bounds_(terms, known_) {}
  Reading run(Nodes body, std::string_view entry);

private:
  // Arguments of a call, as they are written.
  struct Given {
    std::vector<Node> positional;
    std::map<std::string, Node, std::less<>> named;
  };

  // ── the program: read.cpp ──
  // What a program binds beside its functions: names without a meaning stay out.
  void module(Nodes body);
  // A type's text, as a term.
  Term annotation(Node n);
  // Of In[Tensor[f32, M, N]] and of Tile[f32, M, N].
  Type type_of_annotation(Term a);

  // ── expressions: expressions.cpp ──
  // The value of an expression: of a buffer or tensor, what it holds. Throws where it has none.
  Term term(Node n);
  // What an expression stands for.
  Value evaluate(Node n);
  // "htp_tile.exp" for a path that leads to what was imported; empty for others.
  std::string symbol_of(Node n);
  static std::string builtin(std::string_view name);
  Term literal(const htp_const &k, Node n);
  bool is_float_literal(Node n) const;
  Term binary(htp_op op, Term a, Term b, Node n);
  Term compare(htp_op op, Term a, Term b, Node n);

  // ── tensors and buffers: memory.cpp ──
  static bool same_bits(const std::string &one, const std::string &other);
  int make_memory(std::string name, Type type, Term holds);
  // A buffer whose extents are ints, dims or blocks: an index into a block is from where that begins.
  Value allocated(const std::string &dtype, Nodes extents, Node n);
  int memory_of(Node n);
  // What a buffer or tensor holds, as a value.
  Term contents(int memory, Node n);
  // An index of each dimension, as a slice: where it begins, how many, how far apart. Tiles of ints stay.
  std::vector<Term> indices(Node slice, int memory);
  std::vector<Term> indices(Nodes nodes, int memory);
  // From one index up to another, some apart.
  Term sliced(Term from, Term to, Term step, Node n);
  std::vector<Term> scalar_index(Nodes positional);
  Term load_from(int memory, const std::vector<Term> &index, Term outside, Node n);
  // A part of a buffer or tensor, which begins at an offset.
  int part_of(int memory, std::vector<Term> extents, std::vector<Term> offset);
  // Of an index into a part, or of all of it, where that is in the whole.
  std::vector<Term> shifted(const Memory &part, const std::vector<Term> &index);
  // Notes the first index that is not shown to be within its tensor.
  void stays(const std::vector<Term> &index, const Type &of, Node n);
  // In the places of an index; `how` is the function whose value the contents are then.
  void store(int memory, Term value, const std::vector<Term> &index, Node n, const char *how = "update");
  // A buffer gets a value, all of it.
  void write(int memory, Term value, Node n);
  // The same where extents of 1 come and go.
  void copy(int memory, Term value, Node n);
  // All that changes contents comes here.
  void set(int memory, Term holds);
  // What may lie where this was written holds nothing of use any more.
  void clobber(int memory);
  // Whether two of a space are shown not to lie on each other.
  bool apart(const Memory &a, const Memory &b);
  // Of a sum of turns, each 0 or 1.
  std::optional<std::pair<int64_t, int64_t>> range(Term x) const;
  // Whether an int is at most another, by what decides the branch too.
  bool bounded(Term x, Term most);
  // What is made of dims alone the machine refuses where it is larger: the sizes are listed.
  bool assume_bounded(Term x, Term most);
  bool of_dims(Term x) const;
  // A tile at an address, as the machine has them.
  void place(Memory &m, Term address, Node n);
  // ── padding: padding.cpp ──
  // A tensor with padding: one of its own, until the device ends.
  Value padded(const Given &g, Node n);
  // What padding holds.
  Term filling(const std::string &dtype, Node fill);
  // Of a tensor that is padded in pieces how many there are in each dimension, or none.
  Term pieces_of(Term given, const std::vector<Term> &extents, const std::vector<Term> &to, Node n);
  Term with_padding(Term x, const Type &of, const std::vector<Term> &to, Term fill, Term pieces);
  Term without_padding(Term x, const Type &padded, const Type &of, Term pieces);
  void end_device();

  // ── calls: calls.cpp ──
  Given given(Node n);
  // No other keywords than these.
  void no_more(const Given &g, std::initializer_list<std::string_view> known, Node n) const;
  // Arguments by their parameters.
  std::vector<Term> arguments(std::string_view parameters, const Given &g, Node n);
  std::string dtype_of(Node n);
  // Whoever is called: a function of Python, of the program, of a channel, an intrinsic.
  Value call(Node n);
  // A call of one of the program's functions: its body, in its place.
  Value own(Node function, const Given &g, Node n);

  // ── intrinsics: intrinsics.cpp ──
  // `htp_<of>.<name>(…)`.
  Value intrinsic(const std::string &of, const std::string &name, const Given &g, Node n);
  // A function of values, a load or a store of them.
  std::optional<Value> of_values(const std::string &of, const std::string &name, const Given &g, Node n);
  // A scalar, or one element of a tensor or buffer.
  std::optional<Value> of_elements(const std::string &name, const Given &g, Node n);
  // What counts along an axis: of a block from its start on.
  Term counting(const std::string &dtype, Nodes extents, Node axis, Node n);
  // One of the results of a function that is compiled apart: what its body makes.
  Term apart_call(const Given &g, size_t first, Node n);
  // A tensor that the host makes of others, or that counts.
  Value packed(const Given &g, Node n);
  Value counts(const Given &g, Node n);
  // A buffer or tile, with its place, or a tensor with padding.
  std::optional<Value> of_memories(const std::string &of, const std::string &name, const Given &g, Node n);

  // ── instructions: instructions.cpp ──
  // An instruction of a target.
  std::optional<Value> of_machine(const std::string &of, const std::string &name, const Given &g, Node n);
  // One of meanings.def.
  Value instruction(const Instruction &i, const Given &g, Node n);

  // ── pipes: pipes.cpp ──
  // A kernel whose pipes are ordered by flags: that it computes what its instructions do one after the other is shown.
  void kernel(Nodes body, const std::string &kind, Node n);
  // What one of its instructions touches, and on which pipe.
  void touches(const std::string &name, const Given &g, Node n);
  // A flag, a barrier, a drain.
  std::optional<Value> orders(const std::string &name, const Given &g, Node n);

  // ── statements: statements.cpp ──
  // Statements, in order.
  void block(Nodes body);
  void statement(Node n);
  void assign(Node target, Node from, Node annotation_node);
  void bind(std::string_view name, Value v);
  void check_annotation(Node n, const Value &v);
  // Both ways; what they leave otherwise is a choice.
  void branch(Node n);
  // What is not negative where a condition holds.
  void learn(Term condition);

  // ── loops: loops.cpp ──
  // Its header and what an iteration changes become a loop of the terms; one iteration is no loop.
  void loop(Node n);
  // Over each core of the array.
  void cores(Node n);
  // A loop of that header, whose iteration is read by `body`.
  void repeat(Node n, Loop header, bool independent, bool turns, const std::function<void(Term)> &body,
              bool counting = true);
  bool elements_independent(uint32_t number, const std::vector<size_t> &memories);
  // One iteration, with its variable bound.
  void iterate(Node n, const sdk::ast::For &f, Term variable, const Loop &header, bool blocks, bool turns);
  // The names that statements bind.
  void bound(Nodes body, std::set<std::string> &names);

  // ── processes: processes.cpp ──
  // A process has a past of its own: what it puts into channels and gets of them, in order. Processes whose pasts are
  // equal, of equal channels, make equal networks (Kahn), which get stuck in the same states.
  void process(Node n);
  // A tensor that a process is given, or the part that is its place's.
  Value sharded(Node part, Term grid, const std::function<Term(size_t)> &at);
  // What processes have stored is in the tensors.
  void merge_processes();
  // The array that a program is for has so many cores at least. What else a device says is for passes.
  void device(Node e);
  // Each core has a position of its own in the array, or none yet.
  void positions(const Given &g, Node n);

  // ── channels: channels.cpp ──
  // A new one.
  Value channel(const char *what, const Given &g);
  std::optional<Value> channels(const std::string &of, const std::string &name, const Given &g, Node n);
  // `keys.put(x)`, `keys.get()`. An item's extents are the channel's: of a dimension that goes by blocks, those of the
  // loop around that goes through the same blocks.
  Value method(Term channel, const std::string &name, const Given &g, Node n);
  // A channel, an array of them, or one of these.
  Term channel_of(Node n);
  std::string dtype_of_channel(Term channel) const;
  void put(Term to, Term x, Node n);
  Term get(Term from, const Type &type, Node n);
  // The past of the process goes on by this.
  void happens(const char *what, std::vector<Term> args, Node n);

  // ── streams: streams.cpp ──
  // Streams are made, and their blocks held.
  std::optional<Value> streams(const std::string &name, const Given &g, Node n);
  // Where they are what they transfer: the next block that comes to a core is of the tensor, at a place that follows of
  // how many have come; one that leaves is stored there.
  Value transfer(const std::string &name, const Given &g, Node n);
  Place place_of(int stream, Term count, Term core, Node n);
  // Whether a core that is named is at its end, or each of the array's.
  bool is_end(int stream, Term core, Node n);
  void all_moved(const std::map<std::vector<int>, Term> &before, Node n);
  void end_streams();
  Term counted(int stream, Node n);
  Term arrived(int stream, Term core, Node n);
  void leaves(int stream, Term core, int block, Node n);
  std::optional<int64_t> taken(Nodes body, int stream);
  std::optional<int64_t> times_of(Node iter);

  const Context &c;
  const bool concrete_; // streams are what they transfer
  bool &moves_;         // there are streams or channels
  Facts known_;
  Elements bounds_;
  std::string beyond_; // the first index that is not shown to be within its tensor
  State *s = nullptr;
  Environment globals_;
  std::vector<Memory> memories_;
  std::set<int> scalars_;
  std::set<std::string> assumptions_;
  std::optional<Value> returned_;
  std::vector<Term> facts_;                  // ints that are not negative here
  std::string core_;                         // whose instructions these are
  std::vector<FlagEvent> *events_ = nullptr; // of a kernel with flags
  std::set<int> again_;                      // tensors that are not shown to be stored to once at an index
  std::map<std::string, std::string> apart_; // functions that are compiled apart: how they are declared
  int sites_ = 0;
  uint32_t loop_ = 0, branch_ = 0, calls_ = 0;
  // Of processes:
  int trace_ = -1; // the past of the one that is read
  uint32_t processes_ = 0, channels_ = 0;
  std::set<int> reads_;                                        // what is read
  std::map<uint32_t, std::set<int>> read_;                     // by process
  std::map<int, std::pair<std::set<uint32_t>, Term>> changed_; // tensors: by which processes, and what they hold then
  std::map<int, std::vector<int>> held_;                       // streams of which blocks are held, the first one first
  std::map<int, Transfer> transfers_;
  struct Collected {
    int to = -1;
    std::vector<bool> taken; // elements of it that come of a stream
  };
  std::map<int, Collected> collected_;                    // by tensor
  std::map<int, std::vector<std::string>> taken_;         // by whom all blocks of a stream were
  std::map<std::pair<std::string, bool>, int64_t> links_; // how many blocks each stream of it has
  std::string process_;                                   // who is named
  std::map<int, std::vector<Term>> sent_;                 // of blocks to fill that are held, which they are
  std::map<Term, std::vector<std::pair<Term, Term>>>
      declared_; // channels: extents of items, and of what these are blocks
  Term device_ = 0;
  std::vector<Term> streams_;
  std::string reading_ends_;
  std::vector<Term> blocks_; // of the loops around, innermost last
  std::set<std::pair<int64_t, int64_t>> cores_;
  std::vector<std::pair<std::string, Term>> observed_;
  uint32_t outer_loop_ = 0, outer_branch_ = 0; // around the function that is read
};

} // namespace htp::validator

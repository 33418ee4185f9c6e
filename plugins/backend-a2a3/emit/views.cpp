// a2a3.views: what a report draws of an ordered program: of each kernel the memories with what lies in them and when,
// and the queues of instructions with the flags between them; and how the kernels wait for each other.
#include "emit/emit.h"

#include "htp_cpp/plugin.h"

namespace htp::a2a3 {

namespace {

std::string core_of(const Kernel &k) { return k.cube ? "cube core" : "vector core"; }

std::string listed(const std::vector<std::string> &items) {
  return join(items, ", ", [](const std::string &item) { return item; });
}

// The memories of a kernel's core, those that hold nothing left out.
std::string memory_view(const Kernel &k, const KernelText &text) {
  std::vector<std::string> of;
  for (const Space &space : spaces) {
    std::vector<std::string> buffers;
    for (const Placed &m : text.memory)
      if (m.space == space.name)
        buffers.push_back("{\"name\": " + quoted(m.buffer) + ", \"offset\": " + std::to_string(m.offset) +
                          ", \"bytes\": " + std::to_string(m.bytes) + ", \"first\": " + std::to_string(m.first) +
                          ", \"last\": " + std::to_string(m.last) + "}");
    if (!buffers.empty())
      of.push_back("{\"name\": " + quoted(space.name) + ", \"label\": " + quoted(space.text) +
                   ", \"capacity\": " + std::to_string(space.bytes) + ", \"buffers\": [" + listed(buffers) + "]}");
  }
  return "{\"kind\": \"memory\", \"title\": " + quoted(k.name) + ", \"on\": " + quoted(core_of(k)) +
         ", \"file\": " + quoted(source_of(k)) + ", \"spaces\": [" + listed(of) + "]}";
}

// A kernel's statements in their order, each in its queue; loops as how deep one stands.
class Queues {
public:
  explicit Queues(const Context &context) : c(context) {}

  std::string view(const Kernel &k) {
    steps(k.body, 0);
    std::vector<std::string> used;
    for (size_t p = 0; p < pipe_count; ++p)
      if (used_[p]) used.push_back(quoted(pipe_names[p]));
    return "{\"kind\": \"queues\", \"title\": " + quoted(k.name) + ", \"on\": " + quoted(core_of(k)) +
           ", \"queues\": [" + listed(used) + "], \"steps\": [" + listed(steps_) + "]}";
  }

private:
  void step(const char *what, Pipe queue, const Statement &s, size_t depth, const std::string &more) {
    used_[static_cast<size_t>(queue)] = true;
    steps_.push_back(std::string("{\"what\": \"") + what + "\", \"queue\": " + quoted(name_of(queue)) + ", \"line\": " +
                     std::to_string(c.record(s.node).line) + ", \"depth\": " + std::to_string(depth) + more + "}");
  }
  void flag(const char *what, Pipe queue, Pipe other, const char *whose, const Statement &s, size_t depth) {
    used_[static_cast<size_t>(other)] = true;
    step(what, queue, s, depth,
         std::string(", \"") + whose + "\": " + quoted(name_of(other)) + ", \"flag\": " + std::to_string(s.event) +
             (s.turn.empty() ? "" : ", \"by\": " + quoted(s.turn)));
  }
  void steps(const std::vector<Statement> &body, size_t depth) {
    for (const Statement &s : body) {
      switch (s.kind) {
      case Statement::Kind::instruction:
        step("run", s.pipe(), s, depth,
             ", \"name\": " + quoted(s.instruction) + (s.tile ? ", \"on\": " + quoted(s.tile->name) : ""));
        break;
      case Statement::Kind::set: flag("set", s.source, s.destination, "to", s, depth); break;
      case Statement::Kind::wait: flag("wait", s.destination, s.source, "from", s, depth); break;
      case Statement::Kind::barrier: step("barrier", s.source, s, depth, s.all ? ", \"all\": true" : ""); break;
      case Statement::Kind::loop:
      case Statement::Kind::branch:
        steps(s.body, depth + 1);
        steps(s.otherwise, depth + 1);
        break;
      case Statement::Kind::integer:
      case Statement::Kind::tile:
      case Statement::Kind::drain: break;
      }
    }
  }

  const Context &c;
  std::vector<std::string> steps_;
  bool used_[pipe_count] = {};
};

std::string tasks_view(const Program &p) {
  std::vector<std::string> of;
  for (size_t n = 0; n < p.kernels.size(); ++n) {
    std::vector<std::string> after, reads, writes;
    for (const size_t k : before(p, n)) after.push_back(quoted(p.kernels[k].name));
    for (const Argument &a : arguments_of(p, p.kernels[n])) {
      if (a.direction != "out") reads.push_back(quoted(a.tensor->name));
      if (a.direction != "in") writes.push_back(quoted(a.tensor->name));
    }
    of.push_back("{\"name\": " + quoted(p.kernels[n].name) + ", \"on\": " + quoted(core_of(p.kernels[n])) +
                 ", \"after\": [" + listed(after) + "], \"reads\": [" + listed(reads) + "], \"writes\": [" +
                 listed(writes) + "]}");
  }
  return "{\"kind\": \"tasks\", \"title\": " + quoted(p.name) + ", \"tasks\": [" + listed(of) + "]}";
}

} // namespace

Result views(const Context &c, Node root, const Sink &sink) {
  Program program;
  if (!read_program(c, root, Stage::ordered, program)) return HTP_FAILED;
  const Ints ints(c, root);
  std::vector<std::string> all{tasks_view(program)};
  for (const Kernel &k : program.kernels) {
    all.push_back(memory_view(k, kernel_text(c, ints, program, k)));
    all.push_back(Queues(c).view(k));
  }
  sink.string(c.entry_function(root), "{\"schema\": \"htp.views/1\", \"views\": [" + listed(all) + "]}");
  return c.result();
}

} // namespace htp::a2a3

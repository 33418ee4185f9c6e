// The backend's emitter: kernel.c, htp_cpu.h, signature.json and the build recipe.
#include "cpu.h"
#include "kernel.h"

#include "verify/slots.h"

namespace htp::cpu {

namespace {

using namespace ready;

std::string quoted(std::string_view text) {
  std::string r = "\"";
  for (const char ch : text) {
    if (ch == '"' || ch == '\\') r += '\\';
    r += ch;
  }
  return r + "\"";
}

// An extent: a number, a dim's name, or `["+", "M", 2]`.
std::string extent_text(const Context &c, const Constants &constants, Node d) {
  Value v;
  if (constants.number(d, v)) return std::to_string(v.i);
  const auto list = [&](std::string_view op, Node left, Node right) {
    return "[" + quoted(op) + ", " + (left ? extent_text(c, constants, left) : "0") + ", " +
           extent_text(c, constants, right) + "]";
  };
  if (auto u = c.as<ast::UnaryOp>(d)) return list(u.op() == HTP_USub ? "-" : "+", HTP_NONE, u.operand());
  auto b = c.as<ast::BinOp>(d);
  if (!b) return quoted(c.show(d));
  const char *op = b.op() == HTP_Add        ? "+"
                   : b.op() == HTP_Sub      ? "-"
                   : b.op() == HTP_Mult     ? "*"
                   : b.op() == HTP_FloorDiv ? "//"
                                            : "%";
  return list(op, b.left(), b.right());
}

std::string numbers(const auto &all) {
  return "[" + join(all, ", ", [](auto n) { return std::to_string(n); }) + "]";
}

// Who puts into each channel, and who gets from it: of processes that may wait for each other.
void write_ends(const std::vector<ChannelEnds> &ends, Writer &w) {
  auto all = w.block("],", "\"ends\": [");
  for (size_t n = 0; n < ends.size(); ++n)
    w.line("{\"channel\": ", quoted(ends[n].channel->name), ", \"lane\": ", std::to_string(ends[n].lane),
           ", \"writers\": ", numbers(ends[n].writers), ", \"readers\": ", numbers(ends[n].readers), "}",
           n + 1 < ends.size() ? "," : "");
}

// What a traced call tells of: instances by their number, and where they wait.
void write_tracing(const Kernel &k, Writer &w) {
  w.line("\"traced\": ", quoted(k.traced), ",");
  {
    auto processes = w.block("],", "\"processes\": [");
    for (size_t n = 0; n < k.processes.size(); ++n)
      w.line("{\"name\": ", quoted(k.processes[n].name), ", \"grid\": ", numbers(k.processes[n].grid),
             ", \"place\": ", std::to_string(k.processes[n].node), "}", n + 1 < k.processes.size() ? "," : "");
  }
  auto sites = w.block(k.why.empty() ? "]" : "],", "\"sites\": [");
  for (size_t n = 0; n < k.sites.size(); ++n)
    w.line("{\"waits\": ", quoted(k.sites[n].waits), ", \"channel\": ", quoted(k.sites[n].channel),
           ", \"array\": ", numbers(k.sites[n].array), ", \"place\": ", std::to_string(k.sites[n].node), "}",
           n + 1 < k.sites.size() ? "," : "");
}

// What a caller must know: schema "htp.cpu.signature/1".
std::string signature_text(const Context &c, const Constants &constants, const Program &p, const Kernel &k) {
  Writer w;
  {
    auto file = w.block("}", "{");
    w.line("\"schema\": \"htp.cpu.signature/1\",");
    w.line("\"contract\": \"cpu/1\",");
    w.line("\"sources\": [\"kernel.c\", \"htp_cpu.h\"],");
    auto entries = w.block("]", "\"entries\": [");
    auto entry = w.block("}", "{");
    w.line("\"name\": ", quoted(p.name), ",");
    w.line("\"symbol\": ", quoted(k.symbol), ",");
    w.line("\"call\": ", quoted(k.call), ",");
    w.line("\"dims\": [", join(p.dims, ", ", quoted), "],");
    std::optional<Writer::Block> parameters;
    parameters.emplace(w.block(k.why.empty() && k.traced.empty() ? "]" : "],", "\"parameters\": ["));
    for (size_t n = 0; n < p.parameters.size(); ++n) {
      const Memory &m = p.memories[n];
      const std::string dims =
          m.scalar ? std::string() : join(m.extents, ", ", [&](Node d) { return extent_text(c, constants, d); });
      const std::string steps =
          m.steps.empty() ? std::string()
                          : ", \"steps\": [" + join(m.steps, ", ", [](int64_t s) { return std::to_string(s); }) + "]";
      const std::string by_call =
          m.by_call.empty()
              ? std::string()
              : ", \"steps\": [" + join(m.by_call, ", ", [&](Node d) { return extent_text(c, constants, d); }) + "]";
      const std::string storage = m.storage ? ", \"storage\": " + std::to_string(m.storage) : "";
      const std::string_view direction = m.scalar                        ? "value"
                                         : m.direction == Direction::in  ? "in"
                                         : m.direction == Direction::out ? "out"
                                                                         : "inout";
      w.line("{\"name\": ", quoted(m.name), ", \"direction\": ", quoted(direction),
             ", \"dtype\": ", quoted(m.dtype->name), ", \"dims\": [", dims, "]", steps, by_call, storage, "}",
             n + 1 < p.parameters.size() ? "," : "");
    }
    if (!k.traced.empty()) {
      parameters.reset();
      if (!p.proved) write_ends(channel_ends(c, p, constants), w);
      write_tracing(k, w);
    }
    if (!k.why.empty()) {
      parameters.reset();
      w.line("\"why\": ", quoted(k.why), ",");
      auto checks = w.block("]", "\"checks\": [");
      for (size_t n = 0; n < k.checks.size(); ++n) {
        const Check &check = k.checks[n];
        w.line("{\"what\": ", quoted(check.what), ", \"place\": ", std::to_string(check.node),
               ", \"statement\": ", std::to_string(check.statement),
               check.tensor.empty()
                   ? ""
                   : ", \"tensor\": " + quoted(check.tensor) + ", \"dimension\": " + std::to_string(check.dimension),
               "}", n + 1 < k.checks.size() ? "," : "");
      }
    }
  }
  return w.text();
}

// How it is built: schema "htp.cpu.recipe/1". `optional` flags are left out where the compiler has not what they need.
std::string recipe_text(const Kernel &k, bool libm) {
  Writer w;
  {
    auto file = w.block("}", "{");
    w.line("\"schema\": \"htp.cpu.recipe/1\",");
    w.line("\"compilers\": [\"cc\", \"gcc\", \"clang\"],");
    w.line("\"flags\": [\"-std=c11\", \"-O2\", \"-fPIC\", \"-shared\", \"-march=native\", \"-ffp-contract=off\", "
           "\"-fno-math-errno\"",
           k.threads ? ", \"-pthread\"" : "", "],");
    w.line("\"optional\": [\"-mprefer-vector-width=512\"", k.parallel ? ", \"-fopenmp\"" : "", "],");
    w.line("\"libraries\": [", libm ? "\"m\"" : "", "],");
    w.line("\"sources\": [\"codegen/cpu/kernel.c\", \"codegen/cpu/htp_cpu.h\"],");
    w.line("\"compile\": [\"codegen/cpu/kernel.c\"],");
    w.line("\"output\": \"kernel.so\"");
  }
  return w.text();
}

// Of the widest vectors that the profile has.
unsigned vector_bytes(const Context &c) {
  const std::string bytes(c.hardware("vector.bytes"));
  return bytes.empty() ? widest_vector : static_cast<unsigned>(std::strtoul(bytes.c_str(), nullptr, 10));
}

} // namespace

Result emit(const Context &c, Node root) {
  const Names names(c, root);
  const Constants constants(c, names, root);
  const Node function = c.entry_function(root);
  if (!function) {
    c.report(diag::no_entry, HTP_NONE, c.entry());
    return c.result();
  }
  Program program;
  if (!read_program(c, names, constants, function, program)) return c.result();
  Header header(vector_bytes(c));
  const Kernel kernel = print_kernel(c, constants, root, program, header);
  c.artifact("kernel.c", "source", kernel.text);
  c.artifact("htp_cpu.h", "header", header.text());
  c.artifact("signature.json", "signature", signature_text(c, constants, program, kernel));
  c.artifact("build/recipe.json", "recipe", recipe_text(kernel, header.uses_libm()));
  return c.result();
}

} // namespace htp::cpu

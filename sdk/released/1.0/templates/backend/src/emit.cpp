// The emitter: C for people, and beside it what the binding must know.
#include "my_plugin.h"

namespace htp_my_plugin {
namespace {

struct Word {
  std::string_view name, text;
};
constexpr Word words[] = {
#define WORD(name, text) {#name, text},
#include "words.def"
};

bool is_number(const std::string &operand) { return operand.find_first_of("0123456789") == 0 || operand[0] == '-'; }

// Python's names in C, whose keywords are others; a number is of the vectors' type.
std::string in_c(const std::string &operand) { return is_number(operand) ? "(float)" + operand : "v_" + operand; }

std::string compute(const Operation &o) {
  if (o.word == "load") return in_c(o.operands[0]) + "[at]";
  std::string result;
  for (const Word &word : words)
    if (word.name == o.word)
      for (size_t k = 0; k < word.text.size(); ++k) {
        const bool alone =
            (k == 0 || !isalpha(word.text[k - 1])) && (k + 1 == word.text.size() || !isalpha(word.text[k + 1]));
        const char letter = word.text[k];
        result += alone && letter == 'a'   ? in_c(o.operands[0])
                  : alone && letter == 'b' ? in_c(o.operands[1])
                                           : std::string(1, letter);
      }
  return result;
}

// A block's elements do not know of each other, so the loop over blocks is a loop over elements.
std::string text_of(const Context &c, const Kernel &kernel) {
  const auto cited = [&](Node n) { return " // program.py:" + std::to_string(c.record(n).line) + "\n"; };
  std::string text =
      "#include <math.h>\n#include <stdint.h>\n\nvoid kernel(void *const *vectors, const int64_t *dims) {\n";
  for (size_t k = 0; k < kernel.vectors.size(); ++k) {
    const Vector &v = kernel.vectors[k];
    text += std::string("  ") + (v.direction == "In" ? "const " : "") + "float *" + in_c(v.name) + " = vectors[" +
            std::to_string(k) + "];\n";
  }
  for (size_t k = 0; k < kernel.dims.size(); ++k)
    text += "  const int64_t " + in_c(kernel.dims[k]) + " = dims[" + std::to_string(k) + "];\n";
  for (const Loop &loop : kernel.loops) {
    const std::string length = is_number(loop.length) ? loop.length : in_c(loop.length);
    text += "  for (int64_t at = 0; at < " + length + "; ++at) {" + cited(loop.statement);
    for (const Operation &o : loop.body)
      if (o.word == "store")
        text += "    " + in_c(o.operands[0]) + "[at] = " + in_c(o.operands[1]) + ";" + cited(o.statement);
      else
        text += std::string("    ") + (o.first ? "float " : "") + in_c(o.target) + " = " + compute(o) + ";" +
                cited(o.statement);
    text += "  }\n";
  }
  return text + "}\n";
}

// One line each: the entry, the dimensions, the vectors.
std::string signature_of(const Kernel &kernel) {
  std::string text = "entry " + kernel.name + "\n";
  for (const std::string &dim : kernel.dims) text += "dim " + dim + "\n";
  for (const Vector &v : kernel.vectors) text += "vector " + v.direction + " " + v.name + " " + v.length + "\n";
  return text;
}

} // namespace

Result emit(const Context &c, Node root) {
  const auto kernel =
      read_kernel(c, root, [&](Node where, const std::string &what) { c.report(diag::no_form, where, what); });
  if (!kernel) return HTP_FAILED;
  c.artifact("kernel.c", "source", text_of(c, *kernel));
  c.artifact("signature.txt", "signature", signature_of(*kernel));
  return c.result();
}

} // namespace htp_my_plugin

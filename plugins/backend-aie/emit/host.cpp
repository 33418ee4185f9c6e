// What runs a package on a machine with an NPU: a host program against XRT, and the commands that build both.
#include "emit.h"

#include <algorithm>

namespace htp::aie {

namespace {
// aiecc wrote a word in hexadecimal a line up to 2408, and writes the words' bytes since.
void instructions(Writer &w, const Version &v) {
  w.line("// The words of a sequence; none of what is not a file of them.");
  auto read = w.block("}", "std::vector<std::uint32_t> instructions_in(const char *path) {");
  w.line("std::ifstream file(path, std::ios::binary);");
  w.line("std::vector<std::uint32_t> words;");
  if (v.text_instructions) {
    w.line("for (std::uint32_t word; file >> std::hex >> word;) words.push_back(word);");
    w.line("if (!file.eof()) words.clear();");
  } else {
    w.line("const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};");
    w.line("if (bytes.size() % sizeof(std::uint32_t)) return words;");
    w.line("words.resize(bytes.size() / sizeof(std::uint32_t));");
    w.line("if (!bytes.empty()) std::memcpy(words.data(), bytes.data(), bytes.size());");
  }
  w.line("return words;");
}
// Where tensors go in what the host packs of them.
void packing(Writer &w, const std::vector<const Parameter *> &given, const std::vector<const Parameter *> &packed,
             bool lies) {
  w.line("struct Along {");
  w.line("  std::size_t size;");
  w.line("  int dimension; // -1: none");
  w.line("  std::size_t step, stride;");
  w.line("};");
  w.line("struct Place {");
  w.line("  std::size_t tensor, at; // in elements of what is packed");
  w.line("  std::vector<Along> along;");
  w.line("  void copy(char *buffer, std::size_t element, const char *array) const {");
  w.line("    const Tensor &t = tensors[tensor];");
  w.line("    std::vector<std::size_t> index(t.extents.size());");
  w.line("    copy(buffer + at * element, element, array, t, index, 0);");
  w.line("  }");
  w.line("  void copy(char *there, std::size_t element, const char *array, const Tensor &t, std::vector<std::size_t> "
         "&index, "
         "std::size_t depth) const {");
  w.line("    if (depth == along.size()) {");
  w.line("      std::size_t from = 0;");
  w.line("      for (std::size_t d = 0; d < index.size(); ++d) {");
  w.line("        if (index[d] >= t.extents[d]) return;");
  w.line("        from = from * t.extents[d] + index[d];");
  w.line("      }");
  w.line("      std::memcpy(there, array + ", lies ? "t.place(from)" : "from", " * t.element, t.element);");
  w.line("      return;");
  w.line("    }");
  w.line("    const Along &a = along[depth];");
  w.line("    for (std::size_t k = 0; k < a.size; ++k, there += a.stride * element) {");
  w.line("      copy(there, element, array, t, index, depth + 1);");
  w.line("      if (a.dimension >= 0) index[static_cast<std::size_t>(a.dimension)] += a.step;");
  w.line("    }");
  w.line("    if (a.dimension >= 0) index[static_cast<std::size_t>(a.dimension)] -= a.size * a.step;");
  w.line("  }");
  w.line("};");
  for (const Parameter *q : packed) {
    w.line("const Place places_of_", q->name, "[] = {");
    for (const PackedTensor &slice : q->packed) {
      const auto tensor =
          std::find_if(given.begin(), given.end(), [&](const Parameter *g) { return g->name == slice.tensor; });
      w.line("    {", tensor - given.begin(), ", ", slice.at, ", {",
             join(slice.along, ", ",
                  [](const Along &a) {
                    return "{" + std::to_string(a.size) + ", " + std::to_string(a.dimension) + ", " +
                           std::to_string(a.step) + ", " + std::to_string(a.stride) + "}";
                  }),
             "}},");
    }
    w.line("};");
  }
}
// A layout's digits of the index, fastest first: how many values one has, and its step, or one for each of its bits.
std::string digits_of(const Parameter &q) {
  if (!q.lies) return "{}";
  return "{" +
         join(layout::Places::of(*q.lies, q.extents)->digits(), ", ",
              [](const layout::Places::Digit &d) {
                return "{" + std::to_string(d.extent) + ", " +
                       join(d.steps, ", ", [](int64_t step) { return std::to_string(step); }) + "}";
              }) +
         "}";
}
// Where the elements of a tensor lie, one by one.
void places(Writer &w, bool cut) {
  w.line("  std::size_t place(std::size_t index) const {");
  w.line("    if (digits.empty()) return index;");
  w.line("    std::size_t at = 0;");
  w.line("    for (const std::vector<std::size_t> &d : digits) {");
  w.line("      std::size_t value = index % d[0], both = d.size() == 2 ? value * d[1] : 0;");
  w.line("      for (std::size_t k = 1; d.size() > 2 && k < d.size(); ++k, value >>= 1)");
  w.line("        if (value & 1) both ^= d[k];");
  w.line("      at += both, index /= d[0];");
  w.line("    }");
  w.line("    return at;");
  w.line("  }");
  w.line("  std::size_t in_rows(std::size_t index) const {");
  w.line("    std::size_t at = 0, step = 1;");
  w.line("    for (std::size_t d = extents.size(); d-- > 0; step *= padded[d], index /= extents[d]) {");
  if (cut)
    w.line("      const std::size_t k = index % extents[d], has = extents[d] / pieces[d], of = padded[d] / pieces[d];");
  w.line("      at += ", cut ? "(k / has * of + k % has)" : "index % extents[d]", " * step;");
  w.line("    }");
  w.line("    return at;");
  w.line("  }");
}
// Of what a tensor is filled up with.
uint32_t bits_of(const Parameter &q) {
  if (q.fill == Fill::zeros) return 0;
  const bool least = q.fill == Fill::least;
  if (q.dtype->real) return (least ? 0xFF800000U : 0x7F800000U) >> (q.dtype->bytes == 2 ? 16 : 0);
  const uint32_t sign = 1U << (8 * q.dtype->bytes - 1);
  return least ? sign : sign - 1;
}
} // namespace

std::string host_text(const Program &p, const Version &v, const Plan &plan) {
  const bool fills =
      std::any_of(p.parameters.begin(), p.parameters.end(), [](const Parameter &q) { return q.fill != Fill::zeros; });
  Writer w;
  const bool lies =
      std::any_of(p.parameters.begin(), p.parameters.end(), [](const Parameter &q) { return q.lies.has_value(); });
  w.line("// ", p.name, " on an NPU, through XRT: NAME.bin in the working folder holds each tensor, ",
         lies ? "as its type says that it lies." : "row after row.");
  w.line("//   host final.xclbin ", v.instructions);
  for (const char *header : {"cstdint", "cstring", "fstream", "iostream", "iterator", "stdexcept", "string", "vector"})
    w.line("#include <", header, ">");
  w.blank();
  for (const char *header : {"xrt/xrt_bo.h", "xrt/xrt_device.h", "xrt/xrt_kernel.h"})
    w.line("#include \"", header, "\"");
  w.blank();
  w.line("namespace {");
  w.line("struct Tensor {");
  w.line("  const char *name;");
  w.line("  bool read, written;");
  w.line("  std::size_t element;");
  const bool cut =
      std::any_of(p.parameters.begin(), p.parameters.end(), [](const Parameter &q) { return !q.pieces.empty(); });
  w.line("  std::vector<std::size_t> extents, padded", cut ? ", pieces" : "", "; // the device sees the padded ones",
         cut ? ", each dimension padded piece by piece" : "");
  const bool packs =
      std::any_of(p.parameters.begin(), p.parameters.end(), [](const Parameter &q) { return !q.packed.empty(); });
  const bool counts =
      std::any_of(p.parameters.begin(), p.parameters.end(), [](const Parameter &q) { return q.counts; });
  if (packs) w.line("  bool handed; // else only what is packed of it is");
  if (counts) w.line("  bool counts; // 0, 1, 2 and so on: it is of no file");
  if (fills) w.line("  std::uint32_t fill; // the bits of what the padding holds");
  if (lies) {
    w.line("  std::vector<std::vector<std::size_t>> digits; // of where elements lie; none: in rows");
    w.line("  std::size_t stored; // the elements from the first to the last");
    w.line("  bool as_it_lies; // so the device sees it; else in rows");
  }
  w.line("  std::size_t count(const std::vector<std::size_t> &of) const {");
  w.line("    std::size_t n = 1;");
  w.line("    for (const std::size_t e : of) n *= e;");
  w.line("    return n;");
  w.line("  }");
  if (lies) places(w, cut);
  w.line("  // Between a tensor and its buffer: lines of the last dimension.");
  w.line("  void copy(char *buffer, char *tensor, bool in) const {");
  if (lies) {
    w.line("    for (std::size_t k = 0; !digits.empty() && k < count(extents); ++k) {");
    w.line("      char *there = buffer + (as_it_lies ? place(k) : in_rows(k)) * element, *here = tensor + place(k) * "
           "element;");
    w.line("      std::memcpy(in ? there : here, in ? here : there, element);");
    w.line("    }");
    w.line("    if (!digits.empty()) return;");
  }
  if (cut) {
    w.line(
        "    const auto piece = [&](const std::vector<std::size_t> &of, std::size_t d) { return of[d] / pieces[d]; };");
    w.line(
        "    const std::size_t rank = extents.size(), line = piece(extents, rank - 1), lines = count(extents) / line;");
  } else {
    w.line("    const std::size_t line = extents.back(), lines = count(extents) / line;");
  }
  w.line("    for (std::size_t l = 0; l < lines; ++l) {");
  if (cut) {
    w.line("      std::size_t rest = l, at = 0, step = 1;");
    w.line("      for (std::size_t d = rank; d-- > 0; step *= padded[d]) {");
    w.line("        const bool last = d + 1 == rank;");
    w.line("        const std::size_t many = last ? pieces[d] : extents[d], index = rest % many * (last ? line : 1);");
    w.line("        at += (index / piece(extents, d) * piece(padded, d) + index % piece(extents, d)) * step, rest /= "
           "many;");
    w.line("      }");
  } else {
    w.line("      std::size_t rest = l, at = 0, step = padded.back();");
    w.line(
        "      for (std::size_t d = extents.size() - 1; d-- > 0;) at += rest % extents[d] * step, rest /= extents[d], "
        "step *= padded[d];");
  }
  w.line("      char *there = buffer + at * element, *here = tensor + l * line * element;");
  w.line("      std::memcpy(in ? there : here, in ? here : there, line * element);");
  w.line("    }");
  w.line("  }");
  w.line("};");
  std::vector<const Parameter *> given, packed;
  for (const Parameter &q : p.parameters) (q.packed.empty() ? given : packed).push_back(&q);
  const std::vector<const Parameter *> handed = p.handed();
  w.line("const Tensor tensors[] = {");
  for (const Parameter *parameter : given) {
    const Parameter &q = *parameter;
    const auto list = [](const std::vector<int64_t> &extents) {
      return join(extents, ", ", [](int64_t n) { return std::to_string(n); });
    };
    w.line("    {", quoted(q.name), ", ", q.direction == "out" ? "false" : "true", ", ",
           q.direction == "in" ? "false" : "true", ", ", q.dtype->bytes, ", {", q.scalar ? "" : list(q.extents), "}, {",
           list(q.padded), "}",
           cut ? ", {" + list(q.pieces.empty() ? std::vector<int64_t>(q.extents.size(), 1) : q.pieces) + "}" : "",
           packed.empty()                                                ? ""
           : std::find(handed.begin(), handed.end(), &q) == handed.end() ? ", false"
                                                                         : ", true",
           !counts    ? ""
           : q.counts ? ", true"
                      : ", false",
           fills ? ", " + std::to_string(bits_of(q)) + "u" : "",
           !lies ? ""
                 : ", " + digits_of(q) + ", " +
                       std::to_string(q.lies ? layout::Places::of(*q.lies, q.extents)->span() : count(q.extents)) +
                       (plan.follows.contains(&q) ? ", true" : ", false"),
           "},");
  }
  w.line("};");
  if (!packed.empty()) packing(w, given, packed, lies);
  instructions(w, v);
  w.line("} // namespace");
  w.blank();
  {
    auto main = w.block("}", "int main(int count, char **arguments) {");
    const std::string elements = lies ? "t.stored" : "t.count(t.extents)";
    w.line("if (count != 3) return std::cerr << \"host final.xclbin ", v.instructions, "\\n\", 2;");
    w.line("const std::vector<std::uint32_t> instructions = instructions_in(arguments[2]);");
    w.line("if (instructions.empty()) return std::cerr << arguments[2] << \" holds no instructions as MLIR-AIE ",
           v.name, " writes them\\n\", 1;");
    w.line("xrt::device device(0);");
    w.line("xrt::xclbin binary{std::string(arguments[1])};");
    w.line("device.register_xclbin(binary);");
    w.line("xrt::hw_context context(device, binary.get_uuid());");
    w.line("xrt::kernel kernel(context, \"MLIR_AIE\");");
    w.line("xrt::bo code(device, instructions.size() * 4, XCL_BO_FLAGS_CACHEABLE, kernel.group_id(1));");
    w.line("std::memcpy(code.map<void *>(), instructions.data(), instructions.size() * 4);");
    w.line("code.sync(XCL_BO_SYNC_BO_TO_DEVICE);");
    w.line("std::vector<xrt::bo> buffers;");
    w.line("int number = 3;");
    w.line("const auto buffer = [&](std::size_t bytes) {");
    w.line("  buffers.emplace_back(device, bytes, XRT_BO_FLAGS_HOST_ONLY, kernel.group_id(number++));");
    w.line("  std::memset(buffers.back().map<void *>(), 0, bytes);");
    w.line("  return buffers.back().map<char *>();");
    w.line("};");
    if (!packed.empty()) w.line("std::vector<std::vector<char>> arrays;");
    {
      auto each = w.block("}", "for (const Tensor &t : tensors) {");
      w.line("std::vector<char> bytes;");
      {
        if (counts) {
          auto made = w.block("}", "if (t.counts) {");
          w.line("bytes.resize(t.count(t.extents) * t.element);");
          w.line("for (std::size_t k = 0; k < t.count(t.extents); ++k) // the lower bytes come first");
          w.line("  std::memcpy(bytes.data() + k * t.element, &k, t.element);");
        }
        auto read = w.block("}", counts ? "if (t.read && !t.counts) {" : "if (t.read) {");
        w.line("std::ifstream file(std::string(t.name) + \".bin\", std::ios::binary);");
        w.line("bytes.assign(std::istreambuf_iterator<char>(file), {});");
        w.line("if (bytes.size() != ", elements,
               " * t.element) return std::cerr << t.name << \".bin has another "
               "size\\n\", 1;");
      }
      if (!packed.empty()) {
        w.line("arrays.push_back(bytes);");
        w.line("if (!t.handed) continue;");
      }
      w.line("char *there = buffer(", lies ? "(t.as_it_lies ? t.stored : t.count(t.padded))" : "t.count(t.padded)",
             " * t.element);");
      if (fills)
        w.line(
            "for (std::size_t k = 0; t.fill && k < t.count(t.padded); ++k) std::memcpy(there + k * t.element, &t.fill, "
            "t.element);");
      w.line("if (t.read) t.copy(there, bytes.data(), true);");
    }
    for (const Parameter *q : packed) {
      w.line("char *", q->name, " = buffer(", count(q->extents) * q->dtype->bytes, ");");
      w.line("for (const Place &place : places_of_", q->name, ") place.copy(", q->name, ", ", q->dtype->bytes,
             ", arrays[place.tensor].data());");
    }
    w.line("for (xrt::bo &buffer : buffers) buffer.sync(XCL_BO_SYNC_BO_TO_DEVICE);");
    std::string buffers;
    for (size_t k = 0; k < handed.size(); ++k) buffers += ", buffers[" + std::to_string(k) + "]";
    w.line("kernel(3, code, instructions.size()", buffers, ").wait();");
    {
      w.line("std::size_t k = 0;");
      auto each = w.block("}", "for (const Tensor &t : tensors) {");
      if (!packed.empty()) w.line("if (!t.handed) continue;");
      w.line("const std::size_t at = k++;");
      w.line("if (!t.written) continue;");
      w.line("buffers[at].sync(XCL_BO_SYNC_BO_FROM_DEVICE);");
      w.line("std::vector<char> bytes(", elements, " * t.element);");
      w.line("t.copy(buffers[at].map<char *>(), bytes.data(), false);");
      w.line("std::ofstream(std::string(t.name) + \".bin\", std::ios::binary).write(bytes.data(), "
             "static_cast<std::streamsize>(bytes.size()));");
    }
  }
  return w.text();
}

std::string recipe_text(const Program &p, const Version &v) {
  Writer w;
  w.line("#!/bin/sh");
  w.line("# Builds final.xclbin, ", v.instructions, " and the host program: MLIR-AIE ", v.name,
         " on the PATH, Peano in PEANO_INSTALL_DIR, and XRT are needed.");
  w.line("set -e");
  w.line("cd \"$(dirname \"$0\")\"");
  w.line("module=$(cd ../codegen/aie && pwd)");
  if (!p.externals.empty()) {
    w.line(v.text_instructions
               ? "# The headers of aie_api are not part of MLIR-AIE 2408: AIE_API_INCLUDE is the folder that has them."
               : "# The headers of aie_api lie beside MLIR-AIE's tools; AIE_API_INCLUDE is another folder of them.");
    w.line("include=${AIE_API_INCLUDE:-$(dirname \"$(command -v aie-opt)\")/../include}");
  }
  std::set<std::string> sources;
  for (const External &e : p.externals)
    if (sources.insert(source_of(p, e)).second) {
      w.line("\"$PEANO_INSTALL_DIR/bin/clang++\" --target=", p.device == "npu2" ? "aie2p" : "aie2",
             // Of aie_api since 2608, one header asks for another that only Vitis has.
             "-none-unknown-elf -std=c++20 -O2 -DNDEBUG", v.new_devices ? " -D__AIE_API_AIE_ADF_HPP__" : "",
             " -I \"$include\" \\");
      w.line("  -c \"$module/", source_of(p, e), "\" -o ", object_of(p, e));
    }
  w.line(v.compiler, " \\");
  w.line("  --peano \"$PEANO_INSTALL_DIR\" --xclbin-name=final.xclbin --npu-insts-name=", v.instructions,
         " \"$module/aie.mlir\"");
  w.line("${CXX:-c++} -std=c++20 -O2 \"$module/host.cpp\" -o ", p.name, " -lxrt_coreutil");
  return w.text();
}

} // namespace htp::aie

// The cores of a module to a shared library in the content cache: MLIR lowers them, clang compiles what comes of it.
#include "binding/binding.h"

#include <charconv>
#include <map>

namespace htp::aiesim {

namespace {

constexpr const char *optimiser = "mlir-opt-19", *translator = "mlir-translate-19", *compiler = "clang-19";
constexpr const char *passes[] = {"--generate-runtime-verification",
                                  "--arith-emulate-unsupported-floats=source-types=bf16 target-type=f32",
                                  "--convert-vector-to-scf",
                                  "--arith-expand=include-bf16=true",
                                  "--convert-scf-to-cf",
                                  "--expand-strided-metadata",
                                  "--lower-affine",
                                  "--convert-vector-to-llvm",
                                  "--finalize-memref-to-llvm",
                                  "--convert-func-to-llvm=use-bare-ptr-memref-call-conv=1",
                                  "--convert-arith-to-llvm",
                                  "--convert-cf-to-llvm",
                                  "--convert-index-to-llvm",
                                  "--reconcile-unrealized-casts"};

bool run_tool(const Context &c, const std::vector<std::string> &argv, const std::string &folder, std::string_view input,
              std::string &out, const std::string &module = {}) {
  std::vector<htp_str> arguments;
  for (const std::string &a : argv) arguments.push_back(str(a));
  htp_tool_result result{};
  if (c.host()->run_tool(c.ctx(), arguments.data(), static_cast<uint32_t>(arguments.size()), str(folder), str(input),
                         &result) != HTP_OK)
    return false;
  if (result.exit_status != 0) {
    const std::string errors(view(result.err).substr(0, 2000));
    c.report(diag::tool_failed, user_node(cited_in(module, errors)), argv[0], result.exit_status).note(errors);
    return false;
  }
  out = std::string(view(result.out));
  return true;
}

bool find_tools(const Context &c, std::string &identity) {
  for (const char *tool : {optimiser, translator, compiler}) {
    const htp_str argv[] = {str("/bin/sh"), str("-c"), str("command -v -- \"$1\" && \"$1\" --version"), str("sh"),
                            str(tool)};
    htp_tool_result found{};
    if (c.host()->run_tool(c.ctx(), argv, 5, {}, {}, &found) != HTP_OK || found.exit_status != 0) {
      c.report(diag::no_tool, HTP_NONE, tool);
      return false;
    }
    identity += std::string(view(found.out));
  }
  return true;
}

// Around what others compiled, which the linker lets cores call instead: its tiles are lent to it.
std::string around_text(const External &e, size_t number) {
  std::string taken, given, lend, back;
  const auto add = [](std::string &to, const std::string &one) { to += (to.empty() ? "" : ", ") + one; };
  for (size_t k = 0; k < e.arguments.size(); ++k) {
    const External::Argument &a = e.arguments[k];
    const std::string n = std::to_string(k);
    if (!a.tile) {
      add(taken, (a.number == "f32" ? "float n" : "int n") + n), add(given, "n" + n);
      lend += "  h->number(" + n + ", n" + n + ");\n";
      continue;
    }
    add(taken, "void *t" + n), add(given, "l" + n);
    lend += "  void *l" + n + " = h->lend(" + n + ", t" + n + ", " + std::to_string(a.tile->bytes()) + ");\n";
    back += "  h->back(" + n + ", t" + n + ", " + (a.result >= 0 ? "1" : "0") + ");\n";
  }
  return "void __real_" + e.name + "(" + taken + ");\nvoid __wrap_" + e.name + "(" + taken + ") {\n" + lend +
         "  h->call(" + std::to_string(number) + ");\n  __real_" + e.name + "(" + given + ");\n" + back +
         "  h->call(-1);\n}\n";
}

// What the cores call, handed on to whoever runs them.
std::string runtime_text(const Module &module) {
  std::string text = R"(struct hooks {
  int (*acquire)(int, int);
  void (*release)(int, int);
  void *(*view)(int, int);
  void (*fault)(const char *, long);
  void (*call)(int);
  void *(*lend)(int, void *, long);
  void (*number)(int, double);
  void (*back)(int, void *, int);
  void (*turn)(void);
};
static const struct hooks *h;
__attribute__((visibility("default"))) void htp_bind(const struct hooks *given) { h = given; }
int htp_acquire(int port, int count) { return h->acquire(port, count); }
void htp_release(int port, int count) { h->release(port, count); }
void htp_turn(void) { h->turn(); }
void htp_within(long at, long count, long extent, long line) {
  if (at < 0 || at + count > extent) h->fault(0, line);
}
static const char *message;
int puts(const char *text) { return (message = text) != 0; }
// What compilers call to round to bf16, which not every library of theirs has.
__bf16 __truncsfbf2(float x) {
  union { float f; unsigned bits; } from = {x};
  union { unsigned short bits; __bf16 b; } to;
  to.bits = (unsigned short)((from.bits + 0x7fffu + (from.bits >> 16 & 1)) >> 16);
  if ((from.bits & 0x7fffffffu) > 0x7f800000u) to.bits = (unsigned short)(from.bits >> 16 | 0x40);
  return to.b;
}
__attribute__((noreturn)) void abort(void) {
  h->fault(message, 0);
  __builtin_unreachable();
}
)";
  for (size_t k = 0; k < module.views.size(); ++k)
    text += "void *htp_view_" + std::to_string(k) + "(int port, int index) { return h->view(port, index); }\n";
  for (size_t k = 0; k < module.externals.size(); ++k)
    if (!module.externals[k].object.empty()) text += around_text(module.externals[k], k);
  return text;
}

// What others compiled is compiled for this machine, from the text that the package has beside the module.
bool read_sources(const Context &c, const Module &module, std::map<std::string, std::string> &sources) {
  for (const External &e : module.externals) {
    if (e.object.empty() || sources.contains(e.object)) continue;
    const std::string path = "codegen/aie/" + e.object.substr(0, e.object.size() - 2) + ".cc";
    htp_str text{};
    if (c.host()->read_file(c.ctx(), str(path), &text) != HTP_OK) return false;
    sources[e.object] = std::string(view(text));
  }
  return true;
}
std::string file_of(const std::string &object) { return object.substr(0, object.size() - 2) + ".cc"; }
// The user's line that declares the first function of an object.
Node declared(const Package &package, const std::string &object) {
  for (const External &e : package.module.externals)
    if (e.object == object) return user_node(cited_at(package.text, e.line));
  return HTP_NONE;
}
// Of a function what its Python signature says of it in C++, each an assertion whose text tells what is not so.
constexpr std::string_view asserted = "htp signature: ";
std::string assertions(const External &e) {
  std::string text = R"(
#line 1 "signature"
namespace htp_signature {
template <class T> struct plain { using type = T; };
template <class T> struct plain<const T> { using type = T; };
template <class A, class B> constexpr bool same = false;
template <class A> constexpr bool same<A, A> = true;
template <class T> constexpr bool whole = T(3) / T(2) == T(1) && sizeof(T) == 4;
template <class T> struct pointee { static constexpr bool is = false; using type = void; static constexpr bool fixed = false; };
template <class T> struct pointee<T *> { static constexpr bool is = true; using type = typename plain<T>::type; static constexpr bool fixed = !same<T, type>; };
template <class T> struct pointee<T *__restrict> : pointee<T *> {};
template <class... A> struct list {};
template <int n, class T> struct at;
template <int n, class A, class... B> struct at<n, list<A, B...>> : at<n - 1, list<B...>> {};
template <class A, class... B> struct at<0, list<A, B...>> { using type = A; };
template <class R, class... A> list<A...> of(R (*)(A...));
template <class R, class... A> constexpr int count(R (*)(A...)) { return sizeof...(A); }
template <class T, class E, bool written> constexpr bool tile() {
  using P = pointee<T>;
  using V = typename P::type;
  if constexpr (!P::is) return false;
  else if constexpr (written && P::fixed) return false;
  else if constexpr (same<V, void> || __is_class(V)) return true;
  else if constexpr (same<E, unsigned short>) return sizeof(V) == 2 && !same<V, short>;
  else if constexpr (same<E, signed char>) return same<V, E> || same<V, char>;
  else return same<V, E> || !(__is_arithmetic(V) || __is_pointer(V) || __is_enum(V));
}
}
)";
  const auto say = [&](const std::string &good, const std::string &what) {
    text += "static_assert(" + good + ", \"" + std::string(asserted) + e.name + "|" + what + "\");\n";
  };
  const std::string count = std::to_string(e.arguments.size());
  say("htp_signature::count(" + e.name + ") == " + count, "");
  text += "#define HTP_AT(f, n) typename htp_signature::at<n, decltype(htp_signature::of(f))>::type\n";
  for (size_t k = 0; k < e.arguments.size(); ++k) {
    const External::Argument &a = e.arguments[k];
    const std::string number = std::to_string(k), at = "HTP_AT(" + e.name + ", " + number + ")";
    if (!a.tile) {
      const bool real = a.number == "f32";
      say(real ? "htp_signature::same<" + at + ", float>" : "htp_signature::whole<" + at + ">",
          number + "|" + (real ? "float" : "int32_t"));
      continue;
    }
    const std::string_view dtype = a.tile->dtype->name;
    const std::string element = dtype == "i32"   ? "int"
                                : dtype == "i16" ? "short"
                                : dtype == "i8"  ? "signed char"
                                : dtype == "f32" ? "float"
                                                 : "unsigned short";
    const std::string written = a.result >= 0 ? "true" : "false",
                      shown = dtype == "f32"    ? "float"
                              : dtype == "bf16" ? "bfloat16"
                                                : std::string(dtype == "i32"   ? "int32_t"
                                                              : dtype == "i16" ? "int16_t"
                                                                               : "int8_t");
    say("htp_signature::tile<" + at + ", " + element + ", " + written + ">()",
        number + "|" + (a.result >= 0 ? "" : "const ") + shown + " *");
  }
  return text;
}
// Whether functions are of the types that Python says, as far as C++ can tell; what it cannot see is the linker's.
bool check_signatures(const Context &c, const Package &package, const std::string &object, const std::string &source,
                      const std::string &folder) {
  for (const External &e : package.module.externals) {
    if (e.object != object || !e.parameters) continue;
    const std::string text = source + assertions(e);
    std::vector<htp_str> arguments;
    for (const char *a :
         {compiler, "-x", "c++", "-std=c++20", "-fno-exceptions", "-fno-caret-diagnostics", "-fsyntax-only", "-"})
      arguments.push_back(str(a));
    htp_tool_result result{};
    if (c.host()->run_tool(c.ctx(), arguments.data(), static_cast<uint32_t>(arguments.size()), str(folder), str(text),
                           &result) != HTP_OK)
      return false;
    const std::string errors(view(result.err)), mark = std::string(asserted) + e.name + "|";
    const size_t at = result.exit_status == 0 ? errors.npos : errors.find(mark);
    if (at == errors.npos) continue;
    const size_t begin = at + mark.size();
    const std::string failed = errors.substr(begin, errors.find_first_of("\"\n", begin) - begin);
    const Node where = user_node(cited_at(package.text, e.line));
    size_t argument = 0;
    if (std::from_chars(failed.data(), failed.data() + failed.size(), argument).ec != std::errc()) {
      c.report(diag::argument_count, where, e.name, file_of(object), e.arguments.size())
          .note(std::to_string(e.parameters) + " parameters, results that update none, and dimensions");
      return false;
    }
    const std::string &python = e.arguments[argument].python;
    c.report(diag::argument_type, where, argument + 1, e.name, file_of(object), failed.substr(failed.find('|') + 1))
        .note(python.empty() ? "it is a dimension" : "its Python signature says `" + python + "`");
    return false;
  }
  return true;
}
bool compile_sources(const Context &c, const Package &package, const std::map<std::string, std::string> &sources,
                     const std::string &folder) {
  for (const auto &[object, source] : sources) {
    const std::string text = "#line 1 \"" + file_of(object) + "\"\n" + source;
    const std::vector<std::string> argv{
        compiler,          "-x", "c++", "-std=c++20", "-O1", "-fPIC", "-ffp-contract=off",
        "-fno-exceptions", "-c", "-",   "-o",         object};
    std::vector<htp_str> arguments;
    for (const std::string &a : argv) arguments.push_back(str(a));
    htp_tool_result result{};
    if (c.host()->run_tool(c.ctx(), arguments.data(), static_cast<uint32_t>(arguments.size()), str(folder), str(text),
                           &result) != HTP_OK)
      return false;
    if (result.exit_status == 0) {
      if (!check_signatures(c, package, object, text, folder)) return false;
      continue;
    }
    const std::string errors(view(result.err).substr(0, 2000));
    auto report = c.report(diag::external, declared(package, object), file_of(object), compiler);
    report.note(errors);
    if (errors.find("file not found") == errors.npos) report.hint("mend what it says; nothing of it is a core's own");
    return false;
  }
  return true;
}
// Links what the cores are made of; a function that no object brings is reported by its declaration.
bool link_all(const Context &c, const Package &package, const std::vector<std::string> &argv, const std::string &folder,
              std::string_view runtime) {
  std::vector<htp_str> arguments;
  for (const std::string &a : argv) arguments.push_back(str(a));
  htp_tool_result result{};
  if (c.host()->run_tool(c.ctx(), arguments.data(), static_cast<uint32_t>(arguments.size()), str(folder), str(runtime),
                         &result) != HTP_OK)
    return false;
  if (result.exit_status == 0) return true;
  const std::string errors(view(result.err).substr(0, 2000));
  for (const External &e : package.module.externals)
    if (errors.find("undefined reference to `" + e.name + "'") != errors.npos ||
        errors.find("undefined reference to `__real_" + e.name + "'") != errors.npos) {
      c.report(diag::no_function, user_node(cited_at(package.text, e.line)), file_of(e.object), e.name);
      return false;
    }
  c.report(diag::tool_failed, HTP_NONE, argv[0], result.exit_status).note(errors);
  return false;
}

} // namespace

Result build(const Context &c, htp_str *built) {
  const auto package = read_package(c);
  std::string identity;
  if (!package || ask_peer(c, *package) != HTP_OK || !find_tools(c, identity)) return HTP_FAILED;
  std::map<std::string, std::string> sources;
  if (!read_sources(c, package->module, sources)) return HTP_FAILED;
  const std::string cores = cores_text(package->module), runtime = runtime_text(package->module);
  std::string inputs = "htp.aiesim.build/3\n" + identity + cores + runtime;
  for (const auto &[object, text] : sources) inputs += object + "\n" + text + "\n";
  for (const char *pass : passes) inputs += std::string(pass) + "\n";
  const std::string key(view(c.host()->sha256(c.ctx(), str(inputs))));
  int fresh = 0;
  if (c.host()->cache_folder(c.ctx(), str(key), built, &fresh) != HTP_OK) return HTP_FAILED;
  if (!fresh) return HTP_OK;
  const std::string folder(view(*built));
  std::vector<std::string> lower{optimiser, "-"};
  lower.insert(lower.end(), std::begin(passes), std::end(passes));
  std::string lowered, ir, none;
  if (!run_tool(c, lower, folder, cores, lowered, package->text) ||
      !run_tool(c, {translator, "--mlir-to-llvmir", "-"}, folder, lowered, ir) ||
      !run_tool(c,
                {compiler, "-O1", "-fPIC", "-ffp-contract=off", "-Wno-override-module", "-c", "-x", "ir", "-", "-o",
                 "cores.o"},
                folder, ir, none) ||
      !compile_sources(c, *package, sources, folder))
    return HTP_FAILED;
  std::vector<std::string> link{compiler, "-O1", "-fPIC", "-shared", "-fno-builtin", "-Wl,-Bsymbolic",
                                "-x",     "c",   "-",     "-x",      "none",         "cores.o"};
  for (const auto &[object, text] : sources) link.push_back(object);
  for (const External &e : package->module.externals)
    if (!e.object.empty()) link.push_back("-Wl,--wrap=" + e.name);
  for (const char *last : {"-Wl,--no-undefined", "-lm", "-o", "cores.so"}) link.emplace_back(last);
  if (!link_all(c, *package, link, folder, runtime)) return HTP_FAILED;
  return c.host()->cache_keep(c.ctx(), str(key));
}

} // namespace htp::aiesim

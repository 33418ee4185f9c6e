// acme-loops: a backend for a machine of its own that is given loops over elements. The CPU's passes make them, of
// calls of the set `cpu.intrinsics`; the backend's contract is what they bring.
#include "htp_cpp/plugin.h"
#include "htp_cpp/edit.h"
#include "htp_cpp/names.h"

namespace {

using namespace htp::sdk;

constexpr htp_handler handler_rows[] = {
    {"tile.add", "acme-loops"},  {"tile.cast", "acme-loops"}, {"tile.div", "acme-loops"},   {"tile.exp", "acme-loops"},
    {"tile.load", "acme-loops"}, {"tile.mul", "acme-loops"},  {"tile.store", "acme-loops"}, {"tile.sub", "acme-loops"}};

// `tile.exp(x)` is `cpu.exp(x)`: the words that `cpu.loops` knows.
std::vector<uint32_t> rewrite_call(const Context &c, const htp_handler &row, const htp_handler_call &call) {
  auto made = c.read<ast::Call>(call.call);
  made.func = c.path("cpu." + std::string(row.intrinsic).substr(5), made.func);
  return {with_value(c, call.statement, c.with(call.call, made))};
}

constexpr DiagKind form{"acme-loops.form", HTP_ERROR, "this machine has no `{}`"};

// One line a statement: `loop p range(N)`, `mul scaled x_tile 0.5`, `put y scaled p`.
class Listing {
public:
  Listing(const Context &context, const Names &names) : c(context), names_(names) {}
  void block(Nodes statements) {
    for (const Node s : statements) statement(s);
  }
  const std::string &text() const { return text_; }

private:
  void statement(Node s) {
    if (auto loop = c.as<ast::For>(s)) {
      line("loop " + c.show(loop.target()) + " " + c.show(loop.iter()));
      depth_ += 2;
      block(loop.body());
      depth_ -= 2;
    } else if (auto a = c.as<ast::AnnAssign>(s)) {
      assign(c.show(a.target()), a.value());
    } else if (auto b = c.as<ast::Assign>(s)) {
      assign(c.show(b.targets()[0]), b.value());
    } else if (auto e = c.as<ast::Expr>(s); e && c.is(e.value(), HTP_Call)) {
      assign("", e.value());
    } else {
      c.report(form, s, c.show(s)).hint("write the kernel without it");
    }
  }
  void assign(const std::string &name, Node value) {
    const std::string called = names_.called(value);
    if (called.rfind("htp_cpu.", 0) != 0) return line("int " + name + " " + c.show(value));
    std::string text = called.substr(8) + (name.empty() ? "" : " " + name);
    for (const Node n : c.get<ast::Call>(value).args()) text += " " + c.show(n);
    line(text);
  }
  void line(const std::string &text) { text_ += std::string(depth_, ' ') + text + "\n"; }

  const Context &c;
  const Names &names_;
  std::string text_;
  size_t depth_ = 0;
};

Result emit(const Context &c, Node root) {
  const Names names(c, root);
  Listing listing(c, names);
  listing.block(c.get<ast::FunctionDef>(c.entry_function(root)).body());
  if (!c.errors()) c.artifact("loops.txt", "source", listing.text());
  return c.result();
}

constexpr const char *target_set[] = {"cpu.add", "cpu.cast",  "cpu.div", "cpu.exp", "cpu.load",
                                      "cpu.mul", "cpu.store", "cpu.sub", nullptr};
constexpr htp_diag_info diagnostics[] = {
    {form.code, form.severity, form.summary, "The machine runs loops over ranges, and what is computed of elements."}};
constexpr htp_unit units[] = {handlers_unit<handler_rows, rewrite_call>("acme-loops.handlers"),
                              backend_unit<target_set, emit>("acme-loops")};

} // namespace

HTP_PLUGIN("acme.loops", "0.1.0", units, diagnostics)

// mlir.passes: out of Python, through mlir-opt, and back.
#include "export/export.h"
#include "import/import.h"
#include "lower/lowered.h"

#include "htp_cpp/edit.h"
#include "htp_cpp/suggest.h"

#include <algorithm>
#include <charconv>

namespace htp::mlir {

namespace {

// What is the same in leaving and entering.
struct Claim {
  bool whole = false;
  Form form = Form::scf;
};
std::optional<Claim> claim_of(const Context &c) {
  const std::string_view claim = c.option("claim"), form = c.option("form");
  if (claim != "entry" && claim != "loops")
    c.report(diag::bad_option, HTP_NONE, "claim", claim, "`entry` or `loops`");
  else if (form != "scf" && form != "affine" && form != "linalg")
    c.report(diag::bad_option, HTP_NONE, "form", form, "`scf`, `affine` or `linalg`");
  else
    return Claim{claim == "entry", form == "affine" ? Form::affine : form == "linalg" ? Form::linalg : Form::scf};
  return std::nullopt;
}

std::string pipeline_of(const Context &c) { return "--pass-pipeline=" + std::string(c.option("pipeline")); }

// What mlir-opt says of a pipeline, in its first line without what it calls the place.
std::string first_message(std::string_view output) {
  output = output.substr(0, output.find('\n'));
  for (const std::string_view before : {"error: ", "<Pass-Options-Parser>: "})
    if (const size_t at = output.rfind(before); at != std::string_view::npos) output.remove_prefix(at + before.size());
  return std::string(output);
}

// The passes of mlir-opt, as its help lists them: indented, with two dashes.
std::vector<std::string> passes_of(std::string_view help) {
  std::vector<std::string> result;
  for (size_t at = 0; at < help.size();) {
    const size_t end = std::min(help.find('\n', at), help.size());
    const std::string_view line = help.substr(at, end - at);
    at = end + 1;
    if (line.starts_with("      --")) result.emplace_back(line.substr(8, line.find_first_of(" =", 8) - 8));
  }
  return result;
}

// Whether mlir-opt is here and takes the pipeline: it runs it over nothing.
bool pipeline_is_good(const Context &c, Result &why) {
  htp_tool_result ended{};
  why = HTP_FAILED;
  const htp_str ask[] = {str("/bin/sh"), str("-c"), str("command -v mlir-opt-19")};
  if (c.host()->run_tool(c.ctx(), ask, 3, {}, {}, &ended) != HTP_OK) return false; // the host reported why
  if (ended.exit_status != 0) {
    c.report(diag::no_tool, HTP_NONE);
    why = c.result();
    return false;
  }
  const std::string pipeline = pipeline_of(c);
  const htp_str command[] = {str("mlir-opt-19"), str(pipeline), str("-")};
  if (c.host()->run_tool(c.ctx(), command, 3, {}, str("module {}\n"), &ended) != HTP_OK) return false;
  if (ended.exit_status == 0) return true;
  std::string output(view(ended.err));
  output.erase(std::min(output.find_last_not_of(" \n") + 1, output.size()));
  if (ended.exit_status != 1) { // what mlir-opt itself ends with when it refuses
    const bool starts = ended.exit_status != 126 && ended.exit_status != 127;
    auto report = starts ? c.report(diag::tool_failed, HTP_NONE, ended.exit_status) : c.report(diag::no_tool, HTP_NONE);
    if (!output.empty()) report.note(output);
    why = HTP_FAILED;
    return false;
  }
  const std::string message = first_message(output);
  auto report = c.report(diag::bad_pipeline, HTP_NONE, message);
  const size_t unknown = message.find("' does not refer to a registered pass");
  if (message.starts_with("'") && unknown != std::string::npos) {
    const htp_str help[] = {str("mlir-opt-19"), str("--help")};
    if (c.host()->run_tool(c.ctx(), help, 2, {}, {}, &ended) != HTP_OK) return false;
    const std::string pass_name = message.substr(1, unknown - 1);
    const std::vector<std::string> all = passes_of(view(ended.out));
    std::string near = nearest(pass_name, all);
    for (const std::string &pass : all) // `loop-fusion` of affine's
      if (near.empty() && !pass_name.empty() && pass.find(pass_name) != std::string::npos) near = pass;
    if (!near.empty()) report.hint("did you mean `" + near + "`?");
  }
  report.note(output);
  why = c.result();
  return false;
}

// What mlir-opt says where a pass fails on a program. `transform` hands it on in the place of a text, behind a mark:
// `enter` knows the statements.
struct FailedPass {
  static constexpr std::string_view mark = "// a pass failed: ";
  std::string pass, why;
  size_t statement = SIZE_MAX; // the number that the place is of
};
// Of mlir-opt's own messages: `error: loc("2:p"): …`, and later `IR Dump After LoopCoalescing Failed (affine-…)`.
std::optional<FailedPass> failed_pass(std::string_view output) {
  constexpr std::string_view dump = "IR Dump After ", error = "error: ", place = "loc(\"";
  const size_t at = output.find(dump), open = output.find(" Failed (", at), close = output.find(')', open);
  const size_t message = output.find(error);
  if (close == std::string_view::npos || message > at) return std::nullopt;
  FailedPass found;
  found.pass = output.substr(open + 9, close - open - 9);
  std::string_view line = output.substr(message + error.size());
  line = line.substr(0, line.find('\n'));
  if (line.starts_with(place)) {
    std::from_chars(line.data() + place.size(), line.data() + line.size(), found.statement);
    if (const size_t end = line.find("\"): "); end != std::string_view::npos) line.remove_prefix(end + 4);
  }
  found.why = line;
  return found;
}
// What some take, that MLIR does not check before it begins.
constexpr std::pair<std::string_view, std::string_view> conditions[] = {
    {"affine-loop-coalescing",
     "it takes loops whose ranges are numbers and sizes of tensors: blocks that divide the extent evenly, as of "
     "`tiles(64, 4)`, or `for m in range(M)`; or take it out of `pipeline`"},
};

const Operation *function_named(const Operation &module, std::string_view name) {
  for (const Region &r : module.regions)
    for (const Operation &op : r.operations)
      if (const auto at = op.attributes.find("sym_name"); op.name == "func.func" && at != op.attributes.end())
        if (string_of(at->second) == std::string(name)) return &op;
  return nullptr;
}

Refusal refusal_of(const BadText &bad) {
  switch (bad.fault) {
  case BadText::Fault::blocks: return Refusal(diag::blocks, bad.what);
  case BadText::Fault::repeated: return Refusal(diag::repeated, bad.what);
  case BadText::Fault::syntax: break;
  }
  return Refusal(diag::bad_text, bad.what, bad.found);
}
std::string printed_line(size_t line) { return "line " + std::to_string(line) + " of what mlir-opt printed"; }

// A scalar's first binding says its type. Where the one that did is gone, the next one does.
Node with_types(const Program &p, Node function) {
  const Context &c = p.context();
  NameSet typed;
  return rewrite(
      c, function, [](Node n) { return n; },
      [&](Node s, std::vector<uint32_t> &out) {
        if (const auto known = c.as<ast::AnnAssign>(s)) typed.emplace(c.name_of(known.target()));
        const auto a = c.as<ast::Assign>(s);
        if (!a || a.targets().size() != 1) return false;
        const std::string name(c.name_of(a.targets()[0]));
        const Symbol *symbol = p.symbol(name);
        if (!symbol || symbol->sort != Symbol::Sort::scalar || !typed.insert(name).second) return false;
        const Node type = c.path(p.spell("htp", symbol->dtype), s);
        out.push_back(with_comments_of(c, s, c.assign(name, type, a.value(), s)));
        return true;
      });
}

} // namespace

bool Passes::claims(const Context &c, Node statement) {
  const auto function = c.as<ast::FunctionDef>(statement);
  return function && function.name() == c.entry();
}

Result Passes::leave(const Context &c, Node region, htp_str &text) {
  const auto claim = claim_of(c);
  if (!claim) return c.result();
  if (Result why = HTP_OK; !pipeline_is_good(c, why)) return why;
  const Program program(c, region);
  std::vector<NoOperation> left;
  try {
    const std::vector<Part> parts = parts_of(program, !claim->whole, claim->form, &left);
    for (const NoOperation &r : left) c.report(diag::left, r.where, r.why.kind.code).note(r.why.message);
    std::string all;
    for (const Part &part : parts) all += text_of(program, part);
    text = str(c.text(c.intern(all))); // the host keeps it
  } catch (const NoOperation &r) {
    r.why.report(c, r.where);
  }
  return c.result();
}

Result Passes::transform(const Context &c, std::string_view text, htp_str &result) {
  const std::string pipeline = pipeline_of(c);
  htp_tool_result ended{};
  // The generic form has one grammar for all operations; a location is what leads each back to its statement.
  const htp_str command[] = {str("mlir-opt-19"),
                             str("--allow-unregistered-dialect"),
                             str("--mlir-print-op-generic"),
                             str("--mlir-print-debuginfo"),
                             str("--mlir-print-local-scope"),
                             str("--mlir-print-ir-after-failure"), // names the pass
                             str(pipeline),
                             str("-")};
  if (c.host()->run_tool(c.ctx(), command, std::size(command), {}, str(text), &ended) != HTP_OK) return HTP_FAILED;
  result = ended.out;
  if (ended.exit_status == 0) return c.result();
  if (ended.exit_status == 1 && failed_pass(view(ended.err)))
    result = str(c.text(c.intern(std::string(FailedPass::mark) + std::string(view(ended.err)))));
  else
    c.report(diag::tool_failed, HTP_NONE, ended.exit_status).note(std::string(view(ended.err)));
  return c.result();
}

std::vector<uint32_t> Passes::enter(const Context &c, Node region, std::string_view text) {
  const auto claim = claim_of(c);
  if (!claim) return {};
  const Program program(c, region);
  if (const auto failed = text.starts_with(FailedPass::mark) ? failed_pass(text) : std::nullopt) {
    const Node at = program.statement(failed->statement);
    auto report = c.report(diag::pass_failed, at ? at : region, failed->pass, failed->why);
    const auto row = std::find_if(std::begin(conditions), std::end(conditions),
                                  [&](const auto &known) { return known.first == failed->pass; });
    report.hint(row != std::end(conditions) ? std::string(row->second)
                                            : "take `" + failed->pass + "` out of `pipeline`");
    return {};
  }
  std::set<size_t> lost;
  std::vector<uint32_t> result;
  try {
    const std::vector<Part> parts = parts_of(program, !claim->whole, claim->form, nullptr);
    const Operation module = read_text(text);
    std::map<Node, std::vector<uint32_t>> instead;
    for (const Part &part : parts) {
      const Operation *function = function_named(module, part.name);
      if (!function) throw NoReturn{1, Refusal(diag::other_function, part.name, "a body", "nothing")};
      auto statements = statements_of(program, part, lowered(*function), lost);
      if (claim->whole) {
        const Nodes all = c.get<ast::FunctionDef>(region).body();
        const size_t kept = all.size() - part.statements.size(); // a docstring
        statements.insert(statements.begin(), all.begin(), all.begin() + static_cast<std::ptrdiff_t>(kept));
        if (statements.empty()) statements.push_back(c.make(make::Pass{}, region));
        auto f = c.read<ast::FunctionDef>(region);
        f.body = std::move(statements);
        result = {c.with(region, f)};
      } else {
        instead.emplace(part.statements[0], std::move(statements));
      }
    }
    if (!claim->whole)
      result = {rewrite(
          c, region, [](Node n) { return n; },
          [&](Node s, std::vector<uint32_t> &out) {
            const auto at = instead.find(s);
            if (at == instead.end()) return false;
            out.insert(out.end(), at->second.begin(), at->second.end());
            return true;
          })};
  } catch (const NoOperation &r) {
    r.why.report(c, r.where);
    return {};
  } catch (const BadText &bad) {
    refusal_of(bad).report(c, region, printed_line(bad.line));
    return {};
  } catch (const NoReturn &bad) {
    bad.why.report(c, region, bad.line ? printed_line(bad.line) : "");
    return {};
  }
  for (const size_t number : lost) {
    const auto loop = c.get<ast::For>(program.statement(number));
    c.report(diag::form_lost, program.statement(number), c.name_of(loop.target()), c.show(loop.iter()));
  }
  if (result.size() == 1) result[0] = with_types(program, result[0]);
  // What is the same is the very same.
  if (result.size() == 1 && c.show(result[0]) == c.show(region)) return {region};
  return result;
}

} // namespace htp::mlir

// mlir.passes: out of Python, through mlir-opt, and back.
#include "export.h"
#include "import.h"

#include "htp_cpp/edit.h"

#include <algorithm>

namespace htp::mlir {

namespace {

// What is the same in leaving and entering.
struct Claim {
  bool whole = false, good = true;
};
Claim claim_of(const Context &c) {
  const std::string_view claim = c.option("claim");
  if (claim != "entry" && claim != "loops") {
    c.report(diag::bad_option, HTP_NONE, claim);
    return {false, false};
  }
  return {claim == "entry", true};
}

const Operation *function_named(const Operation &module, std::string_view name) {
  for (const Region &r : module.regions)
    for (const Operation &op : r.operations)
      if (const auto at = op.attributes.find("sym_name"); op.name == "func.func" && at != op.attributes.end())
        if (string_of(at->second) == std::string(name)) return &op;
  return nullptr;
}

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
  const Claim claim = claim_of(c);
  if (!claim.good) return c.result();
  const Program program(c, region);
  std::vector<Refusal> left;
  try {
    const std::vector<Part> parts = parts_of(program, !claim.whole, &left);
    for (const Refusal &r : left) c.report(diag::left, r.where, r.what);
    std::string all;
    for (const Part &part : parts) all += text_of(program, part);
    text = str(c.text(c.intern(all))); // the host keeps it
  } catch (const Refusal &r) {
    c.report(diag::no_form, r.where, r.what);
  }
  return c.result();
}

Result Passes::transform(const Context &c, std::string_view text, htp_str &result) {
  const std::string pipeline = "--pass-pipeline=" + std::string(c.option("pipeline"));
  htp_tool_result ended{};
  const htp_str ask[] = {str("/bin/sh"), str("-c"), str("command -v mlir-opt-19")};
  if (c.host()->run_tool(c.ctx(), ask, 3, {}, {}, &ended) != HTP_OK) return HTP_FAILED; // the host said why
  if (ended.exit_status != 0) {
    c.report(diag::no_tool, HTP_NONE);
    return c.result();
  }
  // The generic form has one grammar for all operations; a location is what leads each back to its statement.
  const htp_str command[] = {str("mlir-opt-19"),
                             str("--allow-unregistered-dialect"),
                             str("--mlir-print-op-generic"),
                             str("--mlir-print-debuginfo"),
                             str("--mlir-print-local-scope"),
                             str(pipeline),
                             str("-")};
  if (c.host()->run_tool(c.ctx(), command, std::size(command), {}, str(text), &ended) != HTP_OK) return HTP_FAILED;
  result = ended.out;
  if (ended.exit_status != 0)
    c.report(diag::tool_failed, HTP_NONE, ended.exit_status).note(std::string(view(ended.err)));
  return c.result();
}

std::vector<uint32_t> Passes::enter(const Context &c, Node region, std::string_view text) {
  const Claim claim = claim_of(c);
  if (!claim.good) return {};
  const Program program(c, region);
  std::set<size_t> lost;
  std::vector<uint32_t> result;
  try {
    const std::vector<Part> parts = parts_of(program, !claim.whole, nullptr);
    const Operation module = read_text(text);
    std::map<Node, std::vector<uint32_t>> instead;
    for (const Part &part : parts) {
      const Operation *function = function_named(module, part.name);
      if (!function) throw NoReturn{1, "the function `" + part.name + "` is gone"};
      auto statements = statements_of(program, part, *function, lost);
      if (claim.whole) {
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
    if (!claim.whole)
      result = {rewrite(
          c, region, [](Node n) { return n; },
          [&](Node s, std::vector<uint32_t> &out) {
            const auto at = instead.find(s);
            if (at == instead.end()) return false;
            out.insert(out.end(), at->second.begin(), at->second.end());
            return true;
          })};
  } catch (const Refusal &r) {
    c.report(diag::no_form, r.where, r.what);
    return {};
  } catch (const BadText &bad) {
    c.report(diag::bad_text, region, bad.what).note("line " + std::to_string(bad.line) + " of what mlir-opt printed");
    return {};
  } catch (const NoReturn &bad) {
    auto report = std::string(bad.what);
    if (bad.line)
      c.report(diag::no_return, region, report).note("line " + std::to_string(bad.line) + " of what mlir-opt printed");
    else
      c.report(diag::no_return, region, report);
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

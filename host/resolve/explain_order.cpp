#include "host/resolve/explain.h"
#include "host/resolve/words.h"

#include <fmt/format.h>

namespace htp {
namespace {

std::string wanted_by(const std::string &pass) { return pass.empty() ? "the contract" : "`" + pass + "`"; }

void report_unreachable(const PlanFailure &failure, const Request &request, Diagnostics &diagnostics) {
  Diagnostic &d = diagnostics.report(diag::resolve_unreachable, request.target.span,
                                     failure.chain.empty() ? "" : failure.chain.front().wanted);
  for (const PlanFailure::Missing &missing : failure.chain) {
    std::string text =
        fmt::format("{} {} `{}`, ", wanted_by(missing.by), missing.by.empty() ? "wants" : "requires", missing.wanted);
    text += missing.providers.empty()
                ? "which does not hold of the source, and which no pass brings"
                : fmt::format("which {} would bring, but cannot run", list_text(quoted(missing.providers), "or"));
    missing.span ? d.label(missing.span, std::move(text)) : d.note(std::move(text));
  }
  for (const PlanFailure::Missing &missing : failure.chain)
    if (missing.providers.empty())
      d.hint(fmt::format("a pass that brings `{}` would help; one may be in a plugin that does not take part",
                         missing.wanted));
}

void report_invalidated(const PlanFailure &failure, const Request &request, Diagnostics &diagnostics) {
  Diagnostic &d =
      diagnostics.report(diag::resolve_invalidated, request.target.span,
                         failure.goals.empty() ? "the pipeline's states" : list_text(quoted(failure.goals), "and"));
  for (const PlanFailure::Threat &threat : failure.threats) {
    std::vector<std::string> users;
    for (const std::string &user : threat.wanted_by) users.push_back(wanted_by(user));
    std::string text = fmt::format("`{}` invalidates `{}`, which {} {}", threat.pass, threat.state,
                                   list_text(users, "and"), users.size() > 1 ? "want" : "wants");
    text += threat.providers.empty() ? "; no pass brings it again"
                                     : fmt::format("; only {} brings it", list_text(quoted(threat.providers), "or"));
    threat.span ? d.label(threat.span, std::move(text)) : d.note(std::move(text));
  }
  d.hint("any one of these lines changed gives an order");
}

} // namespace

void report(const PlanFailure &failure, const Request &request, Diagnostics &diagnostics) {
  switch (failure.kind) {
  case PlanFailure::Kind::unreachable: return report_unreachable(failure, request, diagnostics);
  case PlanFailure::Kind::invalidated: return report_invalidated(failure, request, diagnostics);
  case PlanFailure::Kind::unknown_pass: {
    Diagnostic &d = diagnostics.report(diag::resolve_unknown_pass, failure.span, failure.subject);
    for (const std::string &suggestion : failure.suggestions) d.hint(fmt::format("did you mean `{}`?", suggestion));
    if (failure.suggestions.empty()) d.hint("only passes of plugins that take part can be named");
    return;
  }
  case PlanFailure::Kind::budget:
    diagnostics.report(diag::resolve_no_order_found, request.target.span, failure.subject)
        .hint("a `pipeline` in the profile that names the passes leaves less to search");
    return;
  }
}

} // namespace htp

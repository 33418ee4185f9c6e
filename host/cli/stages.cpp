#include "host/base/fs.h"
#include "host/base/interrupt.h"
#include "host/cli/command.h"
#include "host/cli/whole_package.h"
#include "host/pipeline/remake.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace htp {

namespace {

using Lines = std::vector<std::string_view>;

Lines lines_of(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

// A unified diff with three lines of context, by the longest common subsequence.
std::string unified_diff(const Lines &a, const Lines &b, const std::string &name_a, const std::string &name_b) {
  const size_t n = a.size(), m = b.size();
  std::vector<std::vector<uint32_t>> common(n + 1, std::vector<uint32_t>(m + 1, 0));
  for (size_t i = n; i-- > 0;)
    for (size_t j = m; j-- > 0;)
      common[i][j] = a[i] == b[j] ? common[i + 1][j + 1] + 1 : std::max(common[i + 1][j], common[i][j + 1]);
  struct Edit {
    char sign;
    std::string_view line;
    size_t at_a, at_b;
  };
  std::vector<Edit> edits;
  for (size_t i = 0, j = 0; i < n || j < m;) {
    if (i < n && j < m && a[i] == b[j])
      edits.push_back({' ', a[i], i, j}), ++i, ++j;
    else if (i < n && (j == m || common[i + 1][j] >= common[i][j + 1]))
      edits.push_back({'-', a[i], i, j}), ++i;
    else
      edits.push_back({'+', b[j], i, j}), ++j;
  }
  std::string text = "--- " + name_a + "\n+++ " + name_b + "\n";
  constexpr size_t context = 3;
  for (size_t k = 0; k < edits.size();) {
    if (edits[k].sign == ' ') {
      ++k;
      continue;
    }
    const size_t begin = k > context ? k - context : 0;
    size_t end = k, last = k;
    for (; end < edits.size() && end <= last + 2 * context; ++end)
      if (edits[end].sign != ' ') last = end;
    end = std::min(last + context + 1, edits.size());
    size_t count_a = 0, count_b = 0;
    for (size_t e = begin; e < end; ++e) count_a += edits[e].sign != '+', count_b += edits[e].sign != '-';
    text += fmt::format("@@ -{},{} +{},{} @@\n", edits[begin].at_a + 1, count_a, edits[begin].at_b + 1, count_b);
    for (size_t e = begin; e < end; ++e) text += edits[e].sign + std::string(edits[e].line) + "\n";
    k = end;
  }
  return text;
}

} // namespace

int stages_command(const Arguments &arguments) {
  Diagnostics diagnostics;
  auto package = read_package(arguments.package, diagnostics);
  if (!package) return finish(arguments, diagnostics);
  std::vector<std::string> names = arguments.diff;
  if (names.empty() && !arguments.name.empty()) names = {arguments.name};
  if (names.empty() ||
      !std::all_of(names.begin(), names.end(), [&](const auto &n) { return find_kept(*package, n); })) {
    CompileRequest request = arguments.request;
    request.progress = progress_line(arguments);
    Cache cache = Cache::from_environment();
    package = with_all_stages(std::move(*package), request, cache, diagnostics);
    if (!package && interrupted) return finish_cancelled(arguments);
    if (!package) return finish(arguments, diagnostics);
  }
  std::vector<const PackageManifest::Stage *> wanted;
  for (const std::string &name : names) {
    const auto *stage = find_stage(*package, name);
    if (stage) {
      wanted.push_back(stage);
      continue;
    }
    report_unknown_stage(*package, name, diagnostics);
  }
  if (diagnostics.errors()) return finish(arguments, diagnostics);
  if (!arguments.diff.empty()) {
    const std::string text = unified_diff(lines_of(*package->file(wanted[0]->path)),
                                          lines_of(*package->file(wanted[1]->path)), wanted[0]->path, wanted[1]->path);
    return finish(arguments, diagnostics, text, nlohmann::ordered_json{{"diff", text}});
  }
  if (wanted.empty())
    for (const auto &stage : package->manifest.stages) wanted.push_back(&stage);
  std::string text;
  auto stages = nlohmann::ordered_json::array();
  for (const auto *stage : wanted) {
    const std::string &program = *package->file(stage->path);
    if (wanted.size() > 1)
      text += (text.empty() ? "" : "\n") + ("# ── " + stage->id + " after " + stage->pass + " ──\n");
    text += program;
    stages.push_back({{"id", stage->id}, {"pass", stage->pass}, {"path", stage->path}, {"program", program}});
  }
  return finish(arguments, diagnostics, text, nlohmann::ordered_json{{"stages", stages}});
}

} // namespace htp

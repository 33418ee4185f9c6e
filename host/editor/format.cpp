#include "host/editor/format.h"

#include "host/ast/compare.h"
#include "host/base/fs.h"
#include "host/base/process.h"
#include "host/parse/parse.h"

#include <algorithm>
#include <sstream>
#include <vector>

namespace htp::editor {

namespace {

constexpr std::chrono::milliseconds longest_run{60000};

std::string last_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

std::vector<std::string> lines_of(const std::string &text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(std::move(line));
  return lines;
}

} // namespace

std::optional<std::string> formatted(const std::string &path, const std::string &text, Diagnostics &diagnostics) {
  const auto source = std::make_shared<SourceFile>(path, text);
  Store before, after;
  const htp_node tree = parse_tree(source, diagnostics, before);
  if (!tree) return std::nullopt;
  ProcessRequest request;
  request.argv = {"black", "--quiet", "--stdin-filename", path, "-"};
  request.input = text;
  request.timeout = longest_run;
  const auto done = run_process(request);
  if (!done || done->exit_status == 127) {
    diagnostics.report(diag::fmt_no_black, {}, done ? "it is not on PATH" : done.error());
    return std::nullopt;
  }
  if (done->exit_status != 0) {
    const Span whole{source, 0, 0, 0, 0};
    diagnostics.report(diag::fmt_failed, whole, path, done->timed_out ? "it took too long" : last_line(done->err));
    return std::nullopt;
  }
  // A file that its settings leave out comes back as nothing.
  if (done->out.empty() && !text.empty()) return text;
  Diagnostics wrong;
  const htp_node again = parse_tree(std::make_shared<SourceFile>(path, done->out), wrong, after);
  if (!again || first_difference(*before.abi(), tree, *after.abi(), again)) {
    diagnostics.report(diag::fmt_other_program, Span{source, 0, 0, 0, 0}, path);
    return std::nullopt;
  }
  return done->out;
}

std::string difference(const std::string &path, const std::string &before, const std::string &after) {
  if (before == after) return "";
  const std::vector<std::string> a = lines_of(before), b = lines_of(after);
  // What both begin and end with is left out, but for three lines: a formatter changes little.
  size_t first = 0, same = 0;
  while (first < std::min(a.size(), b.size()) && a[first] == b[first]) ++first;
  while (same < std::min(a.size(), b.size()) - first && a[a.size() - 1 - same] == b[b.size() - 1 - same]) ++same;
  // The longest common subsequence of what is left, when that is small enough to look for.
  constexpr size_t most = 4000;
  const size_t n = a.size() - same - first, m = b.size() - same - first;
  std::vector<std::string> body; // with its sign
  if (n > most || m > most) {
    for (size_t k = 0; k < n; ++k) body.push_back("-" + a[first + k]);
    for (size_t k = 0; k < m; ++k) body.push_back("+" + b[first + k]);
  } else {
    std::vector<std::vector<uint16_t>> length(n + 1, std::vector<uint16_t>(m + 1));
    for (size_t i = n; i-- > 0;)
      for (size_t j = m; j-- > 0;)
        length[i][j] = a[first + i] == b[first + j] ? static_cast<uint16_t>(length[i + 1][j + 1] + 1)
                                                    : std::max(length[i + 1][j], length[i][j + 1]);
    for (size_t i = 0, j = 0; i < n || j < m;) {
      if (i < n && j < m && a[first + i] == b[first + j])
        body.push_back(" " + a[first + i]), ++i, ++j;
      else if (i < n && (j == m || length[i + 1][j] >= length[i][j + 1]))
        body.push_back("-" + a[first + i++]);
      else
        body.push_back("+" + b[first + j++]);
    }
  }
  constexpr size_t around = 3;
  for (size_t k = 0; k < around && first > 0; ++k) body.insert(body.begin(), " " + a[--first]);
  for (size_t k = 0; k < around && same > 0; ++k) body.push_back(" " + a[a.size() - same--]);
  // Hunks: changes with three lines around them.
  std::string text = "--- " + path + "\n+++ " + path + ", formatted\n";
  size_t from = first + 1, to = first + 1; // lines of either text
  for (size_t k = 0; k < body.size();) {
    size_t begin = k;
    while (begin < body.size() && body[begin][0] == ' ') ++begin;
    if (begin == body.size()) break;
    begin = std::max(k, begin < around ? 0 : begin - around);
    from += begin - k, to += begin - k;
    size_t end = begin, quiet = 0;
    while (end < body.size() && quiet <= 2 * around) quiet = body[end++][0] == ' ' ? quiet + 1 : 0;
    end -= quiet > around ? quiet - around : 0;
    size_t minus = 0, plus = 0;
    std::string hunk;
    for (size_t j = begin; j < end; ++j) {
      minus += body[j][0] != '+', plus += body[j][0] != '-';
      hunk += body[j] + "\n";
    }
    text += "@@ -" + std::to_string(minus ? from : from - 1) + "," + std::to_string(minus) + " +" +
            std::to_string(plus ? to : to - 1) + "," + std::to_string(plus) + " @@\n" + hunk;
    from += minus, to += plus;
    k = end;
  }
  return text;
}

} // namespace htp::editor

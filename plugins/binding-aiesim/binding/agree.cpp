// Functions in C++ against their Python bodies, on what cores gave them.
#include "binding/binding.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace htp::aiesim {

namespace {
constexpr size_t most_bytes = size_t{64} << 20; // of the calls of a function
std::string source_of(const External &e) { return e.object.substr(0, e.object.size() - 2) + ".cc"; }
} // namespace

Compared::Compared(const Package &package, int64_t calls) : package_(package) {
  if (calls < 1) return;
  size_t bytes = 0;
  for (const External &e : package.module.externals) {
    Calls one;
    for (const External::Argument &a : e.arguments) {
      const size_t held = a.tile ? static_cast<size_t>(a.tile->bytes()) : sizeof(double);
      one.bytes += a.result >= 0 ? 2 * held : held;
    }
    one.limit = e.object.empty() || !e.parameters ? 0 : std::min(static_cast<size_t>(calls), most_bytes / one.bytes);
    bytes += sizeof(uint64_t) + one.limit * one.bytes;
    calls_.push_back(one);
  }
  if (bytes == calls_.size() * sizeof(uint64_t)) return;
  shared_ = std::make_unique<Shared>(bytes);
  auto *counts = reinterpret_cast<uint64_t *>(shared_->data());
  uint8_t *at = shared_->data() + calls_.size() * sizeof(uint64_t);
  for (Calls &one : calls_) one.count = counts++, one.at = at, at += one.limit * one.bytes;
}

bool Compared::agree(const Context &c) const {
  if (!shared_) return true;
  nlohmann::ordered_json functions = nlohmann::ordered_json::array();
  std::string data;
  std::vector<const External *> compared;
  std::string file;
  for (size_t k = 0; k < calls_.size(); ++k) {
    const External &e = package_.module.externals[k];
    if (!calls_[k].limit || !*calls_[k].count) continue;
    nlohmann::ordered_json arguments = nlohmann::ordered_json::array();
    for (const External::Argument &one : e.arguments)
      arguments.push_back({{"number", !one.tile},
                           {"dtype", one.tile ? std::string(one.tile->dtype->name) : one.number},
                           {"extents", one.tile ? one.tile->extents : std::vector<int64_t>{}},
                           {"result", one.result}});
    functions.push_back(
        {{"name", e.name}, {"calls", *calls_[k].count}, {"parameters", e.parameters}, {"arguments", arguments}});
    data.append(reinterpret_cast<const char *>(calls_[k].at), *calls_[k].count * calls_[k].bytes);
    compared.push_back(&e);
    if (const auto cited = cited_at(package_.text, e.line)) file = cited->file;
  }
  htp_str program{};
  if (compared.empty() || file.empty()) return true;
  if (c.host()->read_file(c.ctx(), str(file), &program) != HTP_OK) return false;
  const nlohmann::ordered_json head{{"program", view(program)}, {"path", file}, {"functions", functions}};
  const std::string input = head.dump() + "\n" + data;
  // By a shell, so that a Python that is not there is reported as what it is.
  const htp_str argv[] = {str("/bin/sh"), str("-c"), str("exec /usr/bin/python3 -B -m htp_aiesim.agree")};
  htp_tool_result ran{};
  if (c.host()->run_tool(c.ctx(), argv, 3, {}, str(input), &ran) != HTP_OK) return false;
  const auto answer = nlohmann::json::parse(view(ran.out), nullptr, false);
  if (ran.exit_status != 0 || !answer.is_object() || answer.contains("failed")) {
    const External &e = *compared[answer.is_object() ? answer.value("function", size_t{0}) : 0];
    const std::string errors(view(ran.err));
    const bool failed = answer.is_object() && answer.contains("failed");
    auto report =
        failed ? c.report(diag::not_compared, user_node(cited_at(package_.text, e.line)), e.name)
               : c.report(diag::python_ended, user_node(cited_at(package_.text, e.line)), e.name, ran.exit_status);
    if (const std::string why = failed ? answer["failed"].get<std::string>() : errors; !why.empty())
      report.note(why.substr(0, 2000));
    return false;
  }
  if (!answer.contains("function")) return true;
  const External &e = *compared.at(answer["function"].get<size_t>());
  const auto text = [&](const char *key) { return answer.value(key, std::string()); };
  auto report = c.report(diag::meaning, user_node(cited_at(package_.text, e.line)), e.name, source_of(e), text("there"),
                         text("place"), text("here"));
  report.note("in call " + std::to_string(answer.value("call", 0)) + " of this run" +
              (text("bound").empty()
                   ? ", where whole numbers agree exactly"
                   : "; they may differ by " + text("bound") + " of the larger of it and the mean of all"));
  return false;
}

} // namespace htp::aiesim

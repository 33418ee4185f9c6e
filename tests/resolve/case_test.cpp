// Each file of cases/ is a universe, a request and the text that it gives: the plan, or the diagnostics. With
// HTP_UPDATE=1 the expected text is written anew (read it before it is committed). Sections begin with `=== `:
//   === manifest acme.yaml [folder=N] [fixed] [rejected=why, to the end of the line]
//   === profile        as a user writes it; its `plugins`, `target` (`none`: no backend) and `pipeline` are the request
//   === program        its imports are needs, each `# needs TERM` adds one of its line
//   === absent         states that do not hold of the source, one a line
//   === holds          states that hold of it, one a line: then passes are planned
//   === expect
#include "host/diag/render.h"
#include "host/resolve/explain.h"
#include "host/resolve/no_order.h"
#include "tests/support/json_schema.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

namespace htp {
namespace {

namespace fs = std::filesystem;

struct Section {
  std::string head, text;
};

std::vector<Section> read_sections(const fs::path &path) {
  std::ifstream in(path);
  std::vector<Section> sections;
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("=== "))
      sections.push_back({line.substr(4), ""});
    else if (!sections.empty())
      sections.back().text += line + "\n";
  return sections;
}

std::vector<std::string> lines_of(const std::string &text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);)
    if (!line.empty()) lines.push_back(line);
  return lines;
}

class Case {
public:
  explicit Case(const std::vector<Section> &sections) {
    universe_.sdk = &sdk_manifest();
    universe_.fixed = [this](const Candidate &candidate) { return fixed_.contains(candidate.manifest); };
    for (const Section &section : sections) {
      if (section.head.starts_with("manifest ")) add_manifest(section);
      if (section.head == "profile") read_request(section.text);
      if (section.head == "program") read_needs(section.text);
      if (section.head == "absent")
        for (const std::string &line : lines_of(section.text)) request_.absent.insert(line);
      if (section.head == "holds") {
        planned_ = true;
        for (const std::string &line : lines_of(section.text))
          if (auto term = parse_term(line, {}, diagnostics_)) start_.push_back(*term);
      }
    }
  }

  std::string run() {
    if (diagnostics_.errors()) return render_text(diagnostics_, {});
    auto const resolution = resolve(universe_, request_);
    if (!resolution) return told(resolution.error());
    if (!planned_) return explain(*resolution, nullptr);
    PlanRequest plan = plan_request(*resolution, start_);
    auto const order = plan_passes(plan);
    if (order) return explain(*resolution, &*order);
    return told(no_order(plan, order.error(), *resolution));
  }

private:
  std::string told(const Refusal &refusal) {
    report(refusal, request_, diagnostics_);
    std::string const schema = test::read_text(HTP_SOURCE_DIR "/manifests/schema/answers/plan.schema.json");
    std::string const json =
        R"({"schema": "htp.plan/1", "exit_code": 1, "diagnostics": [], )" + explain_json(refusal).substr(1);
    EXPECT_THAT(test::schema_errors(schema, json), testing::IsEmpty());
    return render_text(diagnostics_, {});
  }

  std::string explain(const Resolution &resolution, const PassPlan *plan) const {
    std::string const schema = test::read_text(HTP_SOURCE_DIR "/manifests/schema/answers/plan.schema.json");
    std::vector<PassedOver> const passed = passed_over(universe_, request_);
    EXPECT_THAT(test::schema_errors(schema, explain_json(resolution, passed, request_, plan)), testing::IsEmpty());
    return explain_text(resolution, passed, request_, plan);
  }

  void add_manifest(const Section &section) {
    std::istringstream head(section.head);
    std::string word, path;
    head >> word >> path;
    Candidate candidate;
    bool fixed = false;
    while (head >> word) {
      if (word.starts_with("folder=")) candidate.folder = static_cast<uint32_t>(std::stoul(word.substr(7)));
      fixed |= word == "fixed";
      if (word.starts_with("rejected=")) {
        std::string rest;
        std::getline(head, rest);
        candidate.rejected = word.substr(9) + rest;
      }
    }
    auto manifest = read_manifest(std::make_shared<SourceFile>(path, section.text), diagnostics_);
    if (!manifest) return;
    manifests_.push_back(std::move(*manifest));
    candidate.manifest = &manifests_.back();
    if (fixed) fixed_.insert(candidate.manifest);
    universe_.plugins.push_back(candidate);
  }

  void read_request(const std::string &text) {
    auto profile = read_profile(std::make_shared<SourceFile>("profile.yaml", text), diagnostics_);
    if (!profile) return;
    if (profile->target != "none") request_.target = profile->target;
    request_.wishes = profile->plugins;
    request_.pipeline = profile->pipeline;
  }

  void read_needs(const std::string &text) {
    auto const file = std::make_shared<SourceFile>("program.py", text);
    uint32_t number = 0;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
      ++number;
      Span const span{file, number, 0, number, static_cast<uint32_t>(line.size())};
      size_t const needs = line.find("# needs ");
      std::string code = needs == std::string::npos ? line : line.substr(0, line.find_last_not_of(' ', needs - 1) + 1);
      if (line.starts_with("import ")) add_need("Python.Module(name=" + code.substr(7) + ")", span, code);
      if (needs != std::string::npos) add_need(line.substr(needs + 8), span, code);
    }
  }
  void add_need(const std::string &text, const Span &span, const std::string &code) {
    if (auto requirement = parse_requirement(text, span, diagnostics_))
      request_.needs.push_back({*requirement, span, "`" + code + "`"});
  }

  std::deque<Manifest> manifests_;
  std::set<const Manifest *> fixed_;
  Universe universe_;
  Request request_;
  std::vector<Term> start_;
  bool planned_ = false;
  Diagnostics diagnostics_;
};

std::vector<fs::path> cases() {
  std::vector<fs::path> paths;
  for (const auto &entry : fs::directory_iterator(HTP_SOURCE_DIR "/tests/resolve/cases"))
    if (entry.path().extension() == ".txt") paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

class ResolveCase : public testing::TestWithParam<fs::path> {};

TEST_P(ResolveCase, GivesTheText) {
  std::vector<Section> const sections = read_sections(GetParam());
  ASSERT_FALSE(sections.empty());
  ASSERT_EQ(sections.back().head, "expect");
  std::string const text = Case(sections).run();
  if (std::getenv("HTP_UPDATE")) {
    std::ifstream in(GetParam());
    std::string all((std::istreambuf_iterator<char>(in)), {});
    std::ofstream(GetParam()) << all.substr(0, all.rfind("=== expect\n") + 11) << text;
    return;
  }
  EXPECT_EQ(text, sections.back().text);
}

INSTANTIATE_TEST_SUITE_P(Cases, ResolveCase, testing::ValuesIn(cases()), [](const auto &each) {
  std::string name = each.param.stem().string();
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

} // namespace
} // namespace htp

// The schemas and the page made from the table of fields, and every manifest of the tree against them.
#include "host/manifest/reference.h"

#include "host/diag/render.h"
#include "host/manifest/manifest.h"
#include "host/manifest/scalar.h"
#include "tests/support/json_schema.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>

namespace htp {
namespace {

namespace fs = std::filesystem;

nlohmann::json json_of(const YamlNode &node) {
  switch (node.form) {
  case YamlNode::Form::list: {
    nlohmann::json list = nlohmann::json::array();
    for (const YamlNode &item : node.items) list.push_back(json_of(item));
    return list;
  }
  case YamlNode::Form::map: {
    nlohmann::json map = nlohmann::json::object();
    for (const YamlEntry &entry : node.entries) map[entry.key] = json_of(entry.value);
    return map;
  }
  case YamlNode::Form::scalar: break;
  default: return nullptr;
  }
  switch (scalar_type(node)) {
  case ScalarType::integer: return *integer_of(node);
  case ScalarType::number: return std::stod(node.text);
  case ScalarType::boolean: return node.text == "true";
  default: return node.text;
  }
}

std::string as_json(const std::string &yaml) {
  Diagnostics diagnostics;
  const auto node = read_yaml(std::make_shared<SourceFile>("m.yaml", yaml), diagnostics);
  return node ? json_of(*node).dump() : "null";
}

TEST(Reference, IsUpToDate) {
  const std::string root = HTP_SOURCE_DIR;
  const std::pair<const char *, std::string> generated[] = {
      {"/manifests/schema/plugin.schema.json", manifest_schema()},
      {"/manifests/schema/profile.schema.json", profile_schema()},
      {"/manifests/schema/lock.schema.json", lock_schema()},
      {"/manifests/schema/trust.schema.json", policy_schema()},
      {"/manifests/schema/changes.schema.json", change_policy_schema()},
      {"/docs/reference/manifest.md", manifest_markdown()}};
  for (const auto &[path, text] : generated)
    EXPECT_TRUE(test::is_up_to_date(root + path, text))
        << path << " is not what the table says; run scripts/generate-docs";
}

TEST(Schema, RefusesWhatTheReaderRefuses) {
  const std::string head = "htp_manifest: 1\nplugin:\n  id: a.b\n  version: \"1\"\n";
  const char *bad[] = {
      "htp_manifest: 2\nplugin:\n  id: a.b\n  version: \"1\"\n", "plugin:\n  id: a.b\n  version: \"1\"\n",
      "htp_manifest: 1\nplugin:\n  id: A\n  version: \"1\"\n", "htp_manifest: 1\nplugin:\n  id: a.b\n  version: 1.10\n",
      "htp_manifest: 1\nplugin:\n  id: a.b\n  version: \"1\"\n  library: ../x.so\n"};
  for (const char *text : bad)
    EXPECT_THAT(test::schema_errors(manifest_schema(), as_json(text)), testing::Not(testing::IsEmpty())) << text;
  const char *rests[] = {"unitz:\n  - kind: pass\n",
                         "units:\n  - kind: pas\n    name: x\n",
                         "units:\n  - kind: pass\n    name: x\n    members:\n      - a\n",
                         "units:\n  - kind: handlers\n    name: x\n",
                         "declares:\n  - name: tile\n    is: state\n",
                         "declares:\n  - name: Tile\n    is: stat\n"};
  for (const char *rest : rests) {
    EXPECT_THAT(test::schema_errors(manifest_schema(), as_json(head + rest)), testing::Not(testing::IsEmpty())) << rest;
    Diagnostics diagnostics;
    EXPECT_FALSE(read_manifest(std::make_shared<SourceFile>("m.yaml", head + rest), diagnostics));
  }
  EXPECT_THAT(test::schema_errors(manifest_schema(), as_json(head)), testing::IsEmpty());
  EXPECT_THAT(
      test::schema_errors(
          profile_schema(),
          as_json("htp_profile: 1\ntarget: cpu\noptions:\n  cpu.loops:\n    width: 8\nhardware:\n  a:\n    - b: 1\n")),
      testing::IsEmpty());
  EXPECT_THAT(test::schema_errors(profile_schema(), as_json("htp_profile: 1\ntarget: cpu\noptions:\n  cpu.loops: 8\n")),
              testing::Not(testing::IsEmpty()));
  EXPECT_THAT(test::schema_errors(profile_schema(), as_json("htp_profile: 1\n")), testing::Not(testing::IsEmpty()));
}

// Every plugin's manifest, as it is built, and every profile of the tree.
TEST(Tree, ItsManifestsAreReadAndFitTheSchemas) {
  const fs::path root = HTP_SOURCE_DIR;
  size_t met = 0;
  for (const char *folder :
       {HTP_BINARY_DIR "/plugins", "manifests", "examples", "tests/foreign", "tests/manifest/samples"}) {
    if (!fs::is_directory(root / folder)) continue;
    for (const auto &entry :
         fs::recursive_directory_iterator(root / folder, fs::directory_options::follow_directory_symlink)) {
      if (!entry.is_regular_file() || entry.path().extension() != ".yaml") continue;
      const std::string text = test::read_text(entry.path().string());
      const bool manifest = text.find("\nhtp_manifest:") != std::string::npos || text.starts_with("htp_manifest:");
      const bool profile = text.find("\nhtp_profile:") != std::string::npos || text.starts_with("htp_profile:");
      if (!manifest && !profile) continue;
      SCOPED_TRACE(entry.path().string());
      ++met;
      Diagnostics diagnostics;
      const auto source = std::make_shared<SourceFile>(entry.path().string(), text);
      const bool read =
          manifest ? read_manifest(source, diagnostics).has_value() : read_profile(source, diagnostics).has_value();
      EXPECT_TRUE(read) << render_text(diagnostics, {});
      EXPECT_THAT(test::schema_errors(manifest ? manifest_schema() : profile_schema(), as_json(text)),
                  testing::IsEmpty());
    }
  }
  EXPECT_GT(met, 0u);
}

// The plugins of the tree agree on every term; so does a stranger's with them.
TEST(Tree, ItsPluginsUseTermsAsTheyAreDeclared) {
  const fs::path root = HTP_SOURCE_DIR;
  std::vector<Manifest> manifests;
  const auto add = [&](const fs::path &folder) {
    for (const auto &entry : fs::directory_iterator(folder)) {
      const fs::path path = entry.path() / "htp-plugin.yaml";
      if (!fs::exists(path)) continue;
      Diagnostics diagnostics;
      auto manifest =
          read_manifest(std::make_shared<SourceFile>(path.string(), test::read_text(path.string())), diagnostics);
      ASSERT_TRUE(manifest) << render_text(diagnostics, {});
      manifests.push_back(std::move(*manifest));
    }
  };
  const auto said = [&] {
    std::vector<const Manifest *> pointers;
    for (const Manifest &manifest : manifests) pointers.push_back(&manifest);
    Diagnostics diagnostics;
    check_terms(pointers, diagnostics);
    return render_text(diagnostics, {});
  };
  if (fs::is_directory(HTP_BINARY_DIR "/plugins")) add(HTP_BINARY_DIR "/plugins");
  if (manifests.empty()) GTEST_SKIP() << "the host stands without plugins";
  EXPECT_EQ(said(), "");
  if (fs::is_directory(root / "tests/foreign")) add(root / "tests/foreign");
  EXPECT_EQ(said(), "");
}

} // namespace
} // namespace htp

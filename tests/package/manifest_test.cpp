#include "tests/package/sample.h"

#include "host/base/hash.h"

#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

namespace htp {
namespace {

using Json = nlohmann::ordered_json;

std::string sample() {
  PackageDraft d = draft();
  for (const PackageFile &file : {d.files[1], d.files[2], d.files[0]}) // sorted
    d.manifest.outputs.push_back({file.path, file.role, sha256(file.bytes), file.bytes.size()});
  d.manifest.stages[0].sha256 = sha256(d.files[0].bytes);
  return to_json(d.manifest);
}

std::string refusal(const std::string &json) {
  Diagnostics diagnostics;
  if (package_manifest_from_json(json, "manifest.json", diagnostics)) return "accepted";
  return diagnostics.list().empty() ? "no reason" : diagnostics.list().front().message;
}

TEST(PackageManifest, ReadsWhatItWrites) {
  const std::string json = sample();
  Diagnostics diagnostics;
  const auto manifest = package_manifest_from_json(json, "manifest.json", diagnostics);
  EXPECT_EQ(text(diagnostics), "");
  ASSERT_TRUE(manifest);
  EXPECT_EQ(to_json(*manifest), json);
  EXPECT_EQ(manifest->identity.seed, 7u);
  EXPECT_EQ(manifest->identity.set.at("TILE"), "32");
  EXPECT_EQ(manifest->plugins[0].python->module, "htp_tile");
  EXPECT_EQ(manifest->plugins[1].library_sha256, "");
  EXPECT_FALSE(manifest->plugins[1].python);
}

// One edit of the sample and what is said of it. The schema must refuse it as well, but where it cannot say it.
struct Edit {
  const char *pointer;
  Json value;
  std::string said;
  bool schema_sees_it = true;
};

const std::vector<Edit> edits = {
    {"/htp", 1, "`/htp`: it is not a string"},
    {"/identity/seed", -1, "`/identity/seed`: it is not a non-negative integer"},
    {"/identity/entry", "../gemm", "`/identity/entry`: it is not among the entries", false},
    {"/identity/target", "gpu", "`/identity/target`: it is not the backend of the target", false},
    {"/identity/set", Json::array(), "`/identity/set`: it is not an object"},
    {"/identity/set/TILE", 32, "`/identity/set/TILE`: it is not a string"},
    {"/plugins", Json::object(), "`/plugins`: it is not an array"},
    {"/plugins/0", "x", "`/plugins/0`: it is not an object"},
    {"/plugins/0/colour", "red", "`/plugins/0/colour`: there is no such key"},
    {"/colour", "red", "`/colour`: there is no such key"},
    {"/plan", Json::object(), "`/plan`: it has no `pipeline`"},
    {"/inputs/0/sha256", "aa", "`/inputs/0/sha256`: it is not a SHA-256 in 64 lower-case hex digits"},
    {"/plugins/0/library_sha256", "A", "`/plugins/0/library_sha256`: it is not a SHA-256 in 64 lower-case hex digits"},
    {"/plugins/0/python/sha256", "", "`/plugins/0/python/sha256`: it is not a SHA-256 in 64 lower-case hex digits"},
    {"/outputs/0/path", "/etc/passwd", "`/outputs/0/path`: it leads out of the package"},
    {"/outputs/0/path", "logs/x", "`/outputs/0/path`: it is outside what a manifest lists"},
    {"/outputs/0/path", "zzz", "`/outputs/1/path`: the paths are not sorted, or one stands twice", false},
    {"/outputs/1/path", "codegen/cpu/kernel.c", "`/outputs/1/path`: the paths are not sorted, or one stands twice",
     false},
    {"/stages/0/path", "x", "`/stages/0/path`: it is not among the outputs", false},
    {"/stages/0/sha256", std::string(64, '0'), "`/stages/0/sha256`: it is not that of the output", false},
    {"/entries/0/parameters/1/direction", "sideways",
     "`/entries/0/parameters/1/direction`: it is none of `in`, `out`, `inout`, `value`"},
};

TEST(PackageManifest, NamesWhatIsWrong) {
  for (const Edit &edit : edits) {
    Json json = Json::parse(sample());
    json[Json::json_pointer(edit.pointer)] = edit.value;
    EXPECT_EQ(refusal(json.dump()), "`manifest.json` is damaged: " + edit.said);
  }
  EXPECT_EQ(refusal("{"), "`manifest.json` is damaged: parse error at line 1, column 2: syntax error while parsing "
                          "object key - unexpected end of "
                          "input; expected string literal");
  EXPECT_EQ(refusal("{\"schema\": 1e999}"), "`manifest.json` is damaged: number overflow parsing '1e999'");
  EXPECT_EQ(refusal("[]"), "`manifest.json` is damaged: it has no `schema`");
  EXPECT_EQ(refusal("{\"schema\": 1}"), "`manifest.json` is damaged: it has no `schema`");
  EXPECT_EQ(refusal("{\"schema\": \"htp.package/1\", \"schema\": \"htp.package/1\"}"),
            "`manifest.json` is damaged: the key `schema` stands twice in one object");
}

// Without any one key the manifest is refused.
TEST(PackageManifest, NeedsEachKey) {
  const Json whole = Json::parse(sample());
  for (const auto &[key, value] : whole.items()) {
    Json json = whole;
    json.erase(key);
    EXPECT_EQ(refusal(json.dump()), "`manifest.json` is damaged: it has no `" + key + "`");
  }
}

// The published schema and the reader say the same.
TEST(PackageManifest, AgreesWithItsSchema) {
  const Json schema_json = Json::parse(*read_file(HTP_SOURCE_DIR "/manifests/schema/package.schema.json"));
  valijson::Schema schema;
  const nlohmann::json plain_schema = schema_json;
  valijson::SchemaParser().populateSchema(valijson::adapters::NlohmannJsonAdapter(plain_schema), schema);
  const auto valid = [&](const nlohmann::json &json) {
    return valijson::Validator(valijson::Validator::kStrongTypes)
        .validate(schema, valijson::adapters::NlohmannJsonAdapter(json), nullptr);
  };
  EXPECT_TRUE(valid(nlohmann::json::parse(sample())));
  for (const Edit &edit : edits) {
    nlohmann::json json = nlohmann::json::parse(sample());
    json[nlohmann::json::json_pointer(edit.pointer)] = edit.value;
    EXPECT_EQ(valid(json), !edit.schema_sees_it) << edit.pointer << " = " << edit.value;
  }
  const nlohmann::json whole = nlohmann::json::parse(sample());
  for (const auto &[key, value] : whole.items()) {
    nlohmann::json json = whole;
    json.erase(key);
    EXPECT_FALSE(valid(json)) << key;
  }
}

} // namespace
} // namespace htp

#include "host/base/hash.h"
#include "host/trust/may.h"
#include "tests/trust/support.h"

namespace htp {
namespace {

std::string told(const Judgement &judgement) {
  return std::string(standing_name(judgement.standing)) + (judgement.why ? " " + judgement.why->code : "");
}

std::string judged(const Trust &trust, const test::OnDisk &plugin, bool named = false) {
  const Manifest manifest = plugin.manifest();
  const Judgement judgement = trust.judge(manifest, named);
  Diagnostics said;
  const bool holds = Trust::holds(judgement, manifest, "", said);
  return told(judgement) + (holds ? "" : " changed");
}

TEST(Trust, PatternsAreOfWholeWords) {
  EXPECT_TRUE(matches("acme.*", "acme.fold"));
  EXPECT_TRUE(matches("acme.fold", "acme.fold"));
  EXPECT_FALSE(matches("acme.*", "acme"));
  EXPECT_FALSE(matches("acme.*", "acme-evil.fold"));
  EXPECT_FALSE(matches("acme.fold", "acme.folding"));
}

TEST(Trust, WithoutASignatureNamingDecides) {
  const Trust none = test::trusting("");
  const test::OnDisk plugin = test::fold();
  EXPECT_EQ(judged(none, plugin), "refused trust.unsigned");
  EXPECT_EQ(judged(none, plugin, true), "named");
  const std::string digest = sha256(file_lines(signed_files(plugin.manifest())));
  const Trust kept = test::trusting("plugins:\n  - id: acme.fold\n    digest: \"" + digest + "\"\n");
  EXPECT_EQ(judged(kept, plugin), "as it is");
  plugin.write("python/acme/__init__.py", "x = 2\n");
  EXPECT_EQ(judged(kept, plugin), "refused trust.unsigned");
}

TEST(Trust, SignaturesAreOfWhomAPolicyNames) {
  const test::OnDisk plugin = test::fold();
  test::sign(plugin);
  EXPECT_EQ(judged(test::trusting(""), plugin), "refused trust.unknown-key");
  EXPECT_EQ(judged(test::trusting(""), plugin, true), "named trust.unknown-key");
  EXPECT_EQ(judged(test::trusting(test::acme()), plugin), "signed");
  EXPECT_EQ(judged(test::trusting(test::acme("acme.other")), plugin, true), "refused trust.not-provided");
  const std::string revoked = std::string("revoked:\n  - key: \"") + test::first_public + "\"\n";
  EXPECT_EQ(judged(test::trusting(test::acme() + revoked), plugin, true), "refused trust.revoked-key");
  EXPECT_EQ(judged(test::trusting(revoked), plugin, true), "refused trust.revoked-key");
  plugin.write("python/acme/__init__.py", "x = 2\n");
  EXPECT_EQ(judged(test::trusting(test::acme()), plugin), "signed changed");
  EXPECT_EQ(judged(test::trusting(""), plugin, true), "named trust.unknown-key changed");
}

TEST(Trust, ASignatureOfAnotherPluginIsNone) {
  const test::OnDisk plugin = test::fold(), other = test::fold("acme.other");
  test::sign(other);
  plugin.write(std::string(signature_name), *read_file(other.path(signature_name)));
  EXPECT_EQ(judged(test::trusting(test::acme()), plugin, true), "refused trust.changed changed");
}

TEST(Trust, OwnIdsAndNamesAreNobodyElses) {
  OwnBuild own;
  own.names = {"tile"};
  const Trust trust = test::trusting(test::acme() + "owned:\n  - ids: corp.*\n    names:\n      - Corp\n", own);
  EXPECT_EQ(judged(trust, test::fold("htp.fold"), true), "refused trust.owned-id");
  EXPECT_EQ(judged(trust, test::fold("corp.fold"), true), "refused trust.owned-id");
  const auto declares = [&](const std::string &name) {
    return judged(trust, test::fold("evil.tile", "declares:\n  - name: " + name + "\n    is: static\n"), true);
  };
  for (const char *name : {"Tile.Typed", "TILE.Typed", "Dialect.Tile", "Backend.Tile", "Corp.Fast"})
    EXPECT_EQ(declares(name), "refused trust.owned-name") << name;
  EXPECT_EQ(declares("Evil.Typed"), "named");
  EXPECT_EQ(declares("Tiles.Typed"), "named");
  const std::string unit = "units:\n  - kind: intrinsics\n    name: ";
  EXPECT_EQ(judged(trust, test::fold("evil.x", unit + "tile.more\n    members:\n      - evil.add\n"), true),
            "refused trust.owned-name");
  EXPECT_EQ(judged(trust, test::fold("evil.x", unit + "evil.more\n    members:\n      - tile.add\n"), true),
            "refused trust.owned-name");
  // Who provides another's names all the same is no better for being signed.
  const test::OnDisk fold = test::fold("acme.fold", "declares:\n  - name: Tile.Typed\n    is: static\n");
  test::sign(fold);
  EXPECT_EQ(judged(trust, fold), "refused trust.owned-name");
}

TEST(Trust, OwnPluginsAreThoseThatWereBuilt) {
  const test::OnDisk plugin = test::fold("htp.fold");
  const std::string list =
      "htp own 1\n\nplugin htp.fold 1.0\nname fold\n" + file_lines(signed_files(plugin.manifest())) + "\n";
  const OwnBuild own = read_own_build(list);
  EXPECT_TRUE(own.names.contains("fold"));
  const Trust trust = test::trusting("", own);
  EXPECT_EQ(judged(trust, plugin), "own");
  plugin.write("python/acme/__init__.py", "x = 2\n");
  EXPECT_EQ(judged(trust, plugin, true), "own changed");
  plugin.write("htp-plugin.yaml", "htp_manifest: 1\nplugin:\n  id: htp.fold\n  version: \"9.9\"\n");
  EXPECT_EQ(judged(trust, plugin, true), "refused trust.owned-id");
}

TEST(Trust, OwnBuildReadsAnything) {
  for (const char *text : {"", "plugin", "plugin \nfile\nfile x\n", "file a b\nname", "name \nplugin a\nfile ../x\n"})
    EXPECT_TRUE(read_own_build(text).plugins.size() <= 1) << text;
}

TEST(Trust, TheFileIsWrittenAsItIsRead) {
  const std::string text = "# Written by `htp-host plugins trust`.\nhtp_trust: 1\n" + test::acme() +
                           "revoked:\n  - key: \"" + std::string(64, 'b') +
                           "\"\n    publisher: corp\nowned:\n  - ids: corp.*\n    names:\n      - Corp\nplugins:\n"
                           "  - id: x.y\n    digest: \"" +
                           std::string(64, 'c') + "\"\n";
  Diagnostics diagnostics;
  const auto policy = read_policy(std::make_shared<SourceFile>("trust.yaml", text), diagnostics);
  ASSERT_TRUE(policy);
  EXPECT_EQ(policy_text(*policy), text);
  for (const char *bad : {"publishers:\n  - name: a\n    key: \"12\"\n    provides:\n      - a.*\n",
                          "owned:\n  - ids: '*'\n", "plugins:\n  - id: a\n", "publisherz:\n  - name: a\n"}) {
    Diagnostics said;
    EXPECT_FALSE(read_policy(std::make_shared<SourceFile>("t.yaml", std::string("htp_trust: 1\n") + bad), said)) << bad;
  }
}

TEST(May, IsWhatTheManifestSays) {
  const test::OnDisk plugin =
      test::fold("acme.fold", "units:\n  - kind: pass\n    name: acme.fold\n    code: acme:run\n");
  const auto may = what_it_may(plugin.manifest());
  ASSERT_EQ(may.size(), 2u);
  EXPECT_EQ(may[1].what, "rewrites programs");
  EXPECT_EQ(may[1].units, std::vector<std::string>{"acme.fold"});
}

} // namespace
} // namespace htp

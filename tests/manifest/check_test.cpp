#include "tests/manifest/support.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

namespace htp {
namespace {

// What is said of manifests taken together; "" when all is well. Each is given as id and what follows the head.
std::string told(const std::vector<std::pair<std::string, std::string>> &plugins, bool reversed = false) {
  std::vector<std::unique_ptr<Manifest>> manifests;
  std::vector<const Manifest *> pointers;
  Diagnostics diagnostics;
  for (const auto &[id, rest] : plugins) {
    auto m = read_manifest(
        test::source("htp_manifest: 1\nplugin:\n  id: " + id + "\n  version: \"1\"\n" + rest, id + ".yaml"),
        diagnostics);
    if (!m) return "unreadable\n" + test::told(diagnostics);
    manifests.push_back(std::make_unique<Manifest>(std::move(*m)));
    pointers.push_back(manifests.back().get());
  }
  if (reversed) std::reverse(pointers.begin(), pointers.end());
  check_terms(pointers, diagnostics);
  return test::told(diagnostics);
}

constexpr const char *tile = R"(declares:
  - name: Tile.Typed
    is: state
    parameters:
      - name: order
        type: enum(row, column)
      - name: depth
        type: int
  - name: Dialect.Tile
    is: static
  - name: Tile.Release
    is: static
    parameters:
      - name: since
        type: version
      - name: stable
        type: bool
units:
  - kind: dialect
    name: tile
    provides:
      - Dialect.Tile
  - kind: verifier
    name: tile.typed
    verifies:
      - Tile.Typed
  - kind: intrinsics
    name: tile.intrinsics
    members:
      - tile.add
  - kind: backend
    name: cpu
    target_set:
      - tile.intrinsics
    contract:
      - Codegen.Ready(target=cpu)
)";

std::string with_tile(const std::string &units) {
  return told({{"htp.dialect-tile", tile}, {"acme.x", "units:\n" + units}});
}
std::string pass(const std::string &terms) { return with_tile("  - kind: pass\n    name: x.p\n" + terms); }

TEST(CheckTerms, AcceptsWhatIsRight) {
  EXPECT_EQ(told({{"htp.dialect-tile", tile}}), "");
  EXPECT_EQ(
      pass("    requires:\n      - Tile.Typed(order={row, column}, depth=$D)\n      - Dialect.Tile@>=1\n      - "
           "Tile.Release(since=\"1.2\", stable=true)\n"
           "    provides:\n      - Tile.Typed(order=row, depth=$D)\n    invalidates:\n      - Tile.Typed(depth=$D)\n"),
      "");
}

TEST(CheckTerms, NamesAreDeclared) {
  EXPECT_EQ(pass("    requires:\n      - Tile.Typd(depth=1)\n      - Cuda.Graph\n"),
            "9:9 manifest.undeclared: the capability `Tile.Typd` is not declared by any plugin found\n  hint: did you "
            "mean `Tile.Typed`?\n"
            "10:9 manifest.undeclared: the capability `Cuda.Graph` is not declared by any plugin found\n");
}

TEST(CheckTerms, WhatIsOptionalMayBelongToPluginsThatAreNotInstalled) {
  EXPECT_EQ(pass("    requires:\n      - Cuda.Graph | Dialect.Tile\n    wants:\n      - Cuda.Graph\n    conflicts:\n   "
                 "   - Cuda.Graph\n"),
            "");
  // While another alternative is known, what looks like it may be another plugin's; within one that is here it is not.
  EXPECT_EQ(pass("    requires:\n      - Dialect.Tyle | Dialect.Tile\n"), "");
  EXPECT_EQ(pass("    requires:\n      - Tile.Typd(depth=1) | Dialect.Tile\n"),
            "9:9 manifest.undeclared: the capability `Tile.Typd` is not declared by any plugin found\n  hint: did you "
            "mean `Tile.Typed`?\n");
  EXPECT_EQ(pass("    wants:\n      - Dialect.Tyle\n"),
            "9:9 manifest.undeclared: the capability `Dialect.Tyle` is not declared by any plugin found\n  hint: did "
            "you mean `Dialect.Tile`?\n");
}

TEST(CheckTerms, ParametersExistAndAreOfTheirTypes) {
  EXPECT_EQ(
      pass("    requires:\n      - Tile.Typed(ordr=row, depth=deep)\n      - Tile.Typed(order={row, colum})\n      - "
           "Tile.Release(since=\"one\", stable=\"true\")\n"
           "      - Intrinsic.Handler(op=1, backend=cpo)\n      - Codegen.Ready(goal=cpu)\n"),
      "9:20 manifest.unknown-parameter: `Tile.Typed` has no parameter `ordr`\n  6:11 declared here\n  hint: did you "
      "mean `order`?\n"
      "9:36 manifest.bad-argument: the parameter `depth` of `Tile.Typed` is `deep`, expected an integer\n  6:11 "
      "declared here\n"
      "10:32 manifest.bad-argument: the parameter `order` of `Tile.Typed` is `colum`, expected one of `row`, "
      "`column`\n  6:11 declared here\n  hint: did you mean `column`?\n"
      "11:29 manifest.bad-argument: the parameter `since` of `Tile.Release` is `one`, expected a quoted version\n "
      " 15:11 declared here\n"
      "11:42 manifest.bad-argument: the parameter `stable` of `Tile.Release` is `\"true\"`, expected `true` or "
      "`false`\n  15:11 declared here\n"
      "12:30 manifest.bad-argument: the parameter `op` of `Intrinsic.Handler` is `1`, expected a string\n  note: "
      "`Intrinsic.Handler` is declared by the SDK\n"
      "12:41 manifest.bad-argument: the parameter `backend` of `Intrinsic.Handler` is `cpo`, expected the name of "
      "a unit of kind `backend`\n  note: `Intrinsic.Handler` is declared by the SDK\n  hint: did you mean `cpu`?\n"
      "13:23 manifest.unknown-parameter: `Codegen.Ready` has no parameter `goal`\n  note: `Codegen.Ready` is declared "
      "by the SDK\n  hint: it has `target`\n");
}

TEST(CheckTerms, WhatIsProvidedGivesEveryParameter) {
  EXPECT_EQ(pass("    provides:\n      - Tile.Typed(order=row)\n"),
            "9:9 manifest.missing-parameter: `Tile.Typed` is provided without its parameter `depth`\n  6:11 declared "
            "here\n  hint: `depth` is an integer\n");
}

TEST(CheckTerms, OnlyStatesAreInvalidatedAndVerified) {
  EXPECT_EQ(pass("    invalidates:\n      - Dialect.Tile\n"),
            "9:9 manifest.not-state: `Dialect.Tile` is static, so it cannot be invalidated\n  13:11 declared here\n");
  EXPECT_EQ(with_tile("  - kind: verifier\n    name: x.v\n    verifies:\n      - Dialect.Tile\n"),
            "9:9 manifest.not-state: `Dialect.Tile` is static, so it cannot be verified\n  13:11 declared here\n");
}

TEST(CheckTerms, AStateHasAVerifier) {
  EXPECT_EQ(told({{"acme.x", "declares:\n  - name: Acme.Flat\n    is: state\n"}}),
            "6:11 manifest.no-verifier: the state `Acme.Flat` has no verifier\n  hint: add a unit of kind `verifier` "
            "with `- Acme.Flat` under `verifies:`\n");
}

TEST(CheckTerms, NamesCarryTheirOwnersPrefix) {
  EXPECT_EQ(
      told({{"acme.spatial-grid",
             "declares:\n  - name: SpatialGrid.A\n    is: static\n  - name: Acme.B\n    is: static\n  "
             "- name: Dialect.Grid\n    is: static\n  - name: Tile.C\n    is: static\n"
             "  - name: Dialect.Tile\n    is: static\n  - name: Layout.Grid\n    is: static\n"}}),
      "12:11 manifest.foreign-prefix: `Tile.C` does not carry a prefix of the plugin `acme.spatial-grid`\n  hint: the "
      "plugin's words are `acme`, `spatial`, `grid`\n"
      "14:11 manifest.foreign-prefix: `Dialect.Tile` does not carry a prefix of the plugin `acme.spatial-grid`\n  "
      "hint: the plugin's words are `acme`, `spatial`, `grid`\n"
      "16:11 manifest.foreign-prefix: `Layout.Grid` does not carry a prefix of the plugin `acme.spatial-grid`\n  hint: "
      "the plugin's words are `acme`, `spatial`, `grid`\n");
}

TEST(CheckTerms, VariablesAreBound) {
  EXPECT_EQ(pass("    requires:\n      - Tile.Typed(depth=$Depth)\n    provides:\n      - Tile.Typed(order=row, "
                 "depth=$Dept)\n    invalidates:\n      - Tile.Typed(depth=$X)\n"),
            "11:37 manifest.unbound-variable: the variable `$Dept` of `Tile.Typed` is not bound\n  hint: did you mean "
            "`$Depth`?\n"
            "13:26 manifest.unbound-variable: the variable `$X` of `Tile.Typed` is not bound\n  hint: use it in a term "
            "under `requires:` too\n");
  EXPECT_EQ(pass("    provides:\n      - Codegen.Ready(target=$T)\n"), "") << "the goal binds it";
  EXPECT_EQ(with_tile("  - kind: verifier\n    name: x.v\n    verifies:\n      - Codegen.Ready(target=$T)\n"),
            "9:30 manifest.unbound-variable: the variable `$T` of `Codegen.Ready` is not bound\n  hint: use it in a "
            "term under `requires:` too\n");
}

TEST(CheckTerms, UnitsNameWhatThereIs) {
  EXPECT_EQ(
      with_tile(
          "  - kind: pipeline\n    name: x.pipe\n    passes:\n      - tile.infr\n  - kind: pass\n    name: "
          "tile.infer\n  - kind: handlers\n    name: x.h\n    backend: cpuu\n    members:\n      - tile.ad\n"
          "  - kind: backend\n    name: x.b\n    target_set:\n      - x.set\n    contract:\n      - Dialect.Tile\n"),
      "9:9 manifest.unknown-unit: no plugin that was found has the pass `tile.infr`\n  hint: did you mean "
      "`tile.infer`?\n"
      "14:14 manifest.unknown-unit: no plugin that was found has the backend `cpuu`\n  hint: did you mean `cpu`?\n"
      "16:9 manifest.unknown-unit: no plugin that was found has the intrinsic `tile.ad`\n  hint: did you mean "
      "`tile.add`?\n"
      "20:9 manifest.unknown-unit: no plugin that was found has the intrinsic set `x.set`\n");
}

TEST(CheckTerms, AVariableIsAnyBackend) {
  const auto handlers = [](const std::string &backend, const std::string &asks) {
    return with_tile("  - kind: handlers\n    name: x.h\n    backend: " + backend + "\n" + asks +
                     "    members:\n      - tile.add\n");
  };
  EXPECT_EQ(handlers("$B", ""), "");
  EXPECT_EQ(handlers("$B", "    requires:\n      - Intrinsic.Handler(op=tile.add, backend=$B)\n"), "");
  EXPECT_EQ(
      handlers("$B", "    provides:\n      - Intrinsic.Handler(op=tile.add, backend=$C)\n"),
      "10:48 manifest.unbound-variable: the variable `$C` of `Intrinsic.Handler` is not bound\n  hint: use it in a "
      "term under `requires:` too\n");
}

TEST(CheckTerms, NamesAreUniqueOverPluginsInAnyOrder) {
  const std::string twice = "declares:\n  - name: Dialect.Tile\n    is: static\nunits:\n  - kind: pass\n    name: "
                            "tile\n  - kind: intrinsics\n    name: y\n    members:\n      - tile.add\n";
  const std::string expected = "6:11 manifest.declared-twice: the capability `Dialect.Tile` is declared by two "
                               "plugins\n  13:11 `htp.dialect-tile` declares it here\n"
                               "10:11 manifest.declared-twice: the unit `tile` is declared by two plugins\n  24:11 "
                               "`htp.dialect-tile` declares it here\n"
                               "14:9 manifest.declared-twice: the intrinsic `tile.add` is declared by two plugins\n  "
                               "34:9 `htp.dialect-tile` declares it here\n";
  EXPECT_EQ(told({{"htp.dialect-tile", tile}, {"other.tile", twice}}), expected);
  EXPECT_EQ(told({{"htp.dialect-tile", tile}, {"other.tile", twice}}, true), expected);
  EXPECT_EQ(told({{"htp.dialect-tile", tile}, {"htp.dialect-tile", tile}}), "")
      << "two versions of one plugin may be found";
}

TEST(CheckTerms, ShowsBothPlacesInTheText) {
  Diagnostics diagnostics;
  const auto m = read_manifest(
      test::source("htp_manifest: 1\nplugin:\n  id: acme.x\n  version: \"1\"\ndeclares:\n  - name: Acme.A\n    is: "
                   "static\n    parameters:\n      - name: kind\n        type: enum(a, b)\n"
                   "units:\n  - kind: dialect\n    name: x\n    provides:\n      - Acme.A(kind=c)\n"),
      diagnostics);
  ASSERT_TRUE(m);
  check_terms({&*m}, diagnostics);
  EXPECT_EQ(render_text(diagnostics, {}),
            R"(error[manifest.bad-argument]: the parameter `kind` of `Acme.A` is `c`, expected one of `a`, `b`
  --> m.yaml:15:21
   |
 6 |   - name: Acme.A
   |           ------ declared here
...
15 |       - Acme.A(kind=c)
   |                     ^
   |
   = hint: use a value of the type that the declaration gives the parameter

1 error
)");
}

} // namespace
} // namespace htp

#include "tests/manifest/support.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace htp {
namespace {

using test::told_of_manifest;
using test::with_head;

constexpr const char *whole = R"(htp_manifest: 1
plugin:
  id: acme.spatial
  version: "1.2.0"
  library: libacme_spatial.so
  doc: a spatial dialect
python:
  module: htp_spatial
  path: python
declares:
  - name: Dialect.Spatial
    is: static
  - name: Spatial.Placed
    is: state
    initial: true
    doc: every tile has a place
    parameters:
      - name: target
        type: ref(backend)
        doc: where
      - name: order
        type: enum(row, column)
units:
  - kind: dialect
    name: spatial
    provides:
      - Dialect.Spatial
  - kind: intrinsics
    name: spatial.intrinsics
    members:
      - spatial.move
      - spatial.fold
  - kind: handlers
    name: spatial.handlers
    backend: cpu
    members:
      - spatial.move
    provides:
      - Intrinsic.Handler(op="spatial.fold", backend=cpu)
  - kind: analysis
    name: spatial.cost
    values: float
    revision: 3
  - kind: pass
    name: spatial.place
    requires:
      - Dialect.Spatial @>=1 | Tile.Typed
      - Backend.Cpu
    wants:
      - Analysis.Table(id=spatial.cost)
    provides:
      - Spatial.Placed(target=$T, order=row)
    invalidates:
      - Tile.Typed
    conflicts:
      - Wsp.Tiled
      - acme.other @<2
    options:
      - name: width
        type: int
        default: 8
      - name: label
        type: string
        default: "8"
      - name: ratio
        type: number
        default: 0.5
      - name: eager
        type: bool
        default: true
  - kind: backend
    name: grid
    target_set:
      - spatial.intrinsics
    contract:
      - Codegen.Ready(target=grid)
    hardware:
      levels:
        - name: core
          count: 4
        - name: lane
          count: 16
      clock: 1.5
  - kind: binding
    name: grid.binding
    contract_id: grid/1
  - kind: verifier
    name: spatial.placed
    verifies:
      - Spatial.Placed
conflicts:
  - acme.flat
)";

TEST(Manifest, ReadsAllOfIt) {
  Diagnostics diagnostics;
  const auto m = read_manifest(test::source(whole), diagnostics);
  ASSERT_TRUE(m) << render_text(diagnostics, {});
  EXPECT_TRUE(m->id == "acme.spatial");
  EXPECT_EQ(m->version.text(), "1.2.0");
  EXPECT_EQ(m->library.value, "libacme_spatial.so");
  EXPECT_EQ(m->library.span.line, 5u);
  EXPECT_EQ(m->doc, "a spatial dialect");
  EXPECT_EQ(m->python_module.value, "htp_spatial");
  EXPECT_EQ(m->python_path.value, "python");
  ASSERT_EQ(m->declares.size(), 2u);
  EXPECT_FALSE(m->declares[0].state);
  EXPECT_TRUE(m->declares[1].state && m->declares[1].initial);
  ASSERT_EQ(m->declares[1].parameters.size(), 2u);
  EXPECT_EQ(m->declares[1].parameters[0].type, ParameterDecl::Type::reference);
  EXPECT_EQ(m->declares[1].parameters[0].reference, UnitKind::backend);
  EXPECT_THAT(m->declares[1].parameters[1].values, testing::ElementsAre("row", "column"));
  ASSERT_EQ(m->units.size(), 8u);
  const Unit &pass = m->units[4];
  EXPECT_EQ(pass.kind, UnitKind::pass);
  EXPECT_EQ(pass.span.line, 44u);
  ASSERT_EQ(pass.requires_.size(), 2u);
  EXPECT_EQ(pass.requires_[0].text(), "Dialect.Spatial@>=1 | Tile.Typed");
  EXPECT_EQ(pass.wants[0].text(), "Analysis.Table(id=spatial.cost)");
  EXPECT_EQ(pass.provides[0].text(), "Spatial.Placed(order=row, target=$T)");
  EXPECT_EQ(pass.invalidates[0].text(), "Tile.Typed");
  EXPECT_EQ(pass.conflicts[0].text(), "Wsp.Tiled");
  ASSERT_EQ(pass.plugin_conflicts.size(), 1u);
  EXPECT_EQ(pass.plugin_conflicts[0].id, "acme.other");
  EXPECT_EQ(pass.plugin_conflicts[0].range.text(), "<2");
  ASSERT_EQ(pass.options.size(), 4u);
  EXPECT_EQ(pass.options[0].type, OptionDecl::Type::integer);
  EXPECT_EQ(pass.options[1].default_value, "8");
  EXPECT_EQ(pass.options[2].type, OptionDecl::Type::number);
  EXPECT_EQ(pass.options[3].default_value, "true");
  const Unit &backend = m->units[5];
  EXPECT_EQ(backend.hardware.at("levels.1.name").value, "lane");
  EXPECT_EQ(backend.hardware.at("clock").value, "1.5");
  EXPECT_EQ(backend.hardware.size(), 5u);
  EXPECT_EQ(backend.contract[0].text(), "Codegen.Ready(target=grid)");
  EXPECT_EQ(m->units[3].values.value, "float");
  EXPECT_EQ(m->units[3].revision, 3u);
  ASSERT_EQ(m->conflicts.size(), 1u);
  EXPECT_EQ(m->conflicts[0].id, "acme.flat");
}

TEST(Manifest, AddsWhatUnitsProvideOfThemselves) {
  Diagnostics diagnostics;
  const auto m = read_manifest(test::source(whole), diagnostics);
  ASSERT_TRUE(m);
  std::string provided;
  for (const Unit &unit : m->units)
    for (const Term &term : unit.provides)
      provided += fmt::format("{}: {} @{}\n", unit.name.value, term.text(), term.span.line);
  EXPECT_EQ(provided, "spatial: Dialect.Spatial @27\n"
                      "spatial: Python.Module(name=htp_spatial) @8\n"
                      "spatial.intrinsics: Intrinsic.Set(name=spatial.intrinsics) @29\n"
                      "spatial.handlers: Intrinsic.Handler(backend=cpu, op=spatial.fold) @39\n"
                      "spatial.handlers: Intrinsic.Handler(backend=cpu, op=spatial.move) @37\n"
                      "spatial.cost: Analysis.Table(id=spatial.cost) @41\n"
                      "spatial.place: Spatial.Placed(order=row, target=$T) @52\n"
                      "grid.binding: Binding.For(contract=\"grid/1\") @86\n");
}

TEST(Manifest, KindsHaveTheirInterfaces) {
  EXPECT_EQ(unit_kind_name(UnitKind::dialect), "dialect");
  EXPECT_EQ(unit_interface_id(UnitKind::dialect), "htp.dialect/1");
  EXPECT_EQ(unit_interface_id(UnitKind::layout), "htp.layout/1");
  EXPECT_EQ(unit_interface_id(UnitKind::verifier), "htp.verifier/1");
}

TEST(Manifest, RefusesUnknownKeys) {
  EXPECT_EQ(told_of_manifest(with_head("unitz:\n  - kind: pass\n")),
            "6:1 manifest.unknown-key: unknown key `unitz` in the manifest\n  hint: did you mean `units`?\n");
  EXPECT_EQ(
      told_of_manifest(with_head(
          "units:\n  - kind: pass\n    name: a\n    verifies:\n      - A\n    provids:\n      - A\n    zebra: 1\n")),
      "9:5 manifest.unknown-key: unknown key `verifies` in a unit of kind `pass`\n  hint: `verifies` belongs to units "
      "of kind `verifier`\n"
      "11:5 manifest.unknown-key: unknown key `provids` in a unit of kind `pass`\n  hint: did you mean `provides`?\n"
      "13:5 manifest.unknown-key: unknown key `zebra` in a unit of kind `pass`\n"
      "  hint: the keys of a unit of kind `pass` are `kind`, `name`, `doc`, `code`, `requires`, `wants`, `provides`, "
      "`conflicts`, `invalidates`, `idempotent`, `takes`, `options`\n");
}

TEST(Manifest, NamesTheKeysThatAreMissing) {
  EXPECT_EQ(told_of_manifest("plugin:\n  doc: x\n"),
            "1:1 manifest.missing-key: the manifest lacks the key `htp_manifest`\n  hint: add `htp_manifest: 1`: the "
            "format of this file\n"
            "2:3 manifest.missing-key: the plugin lacks the key `id`\n  hint: add `id: …`: the plugin's id: lower-case "
            "words, the owner first\n"
            "2:3 manifest.missing-key: the plugin lacks the key `version`\n"
            "  hint: add `version: \"0.1.0\"`: its version, which is that of the capabilities it declares\n");
  EXPECT_EQ(
      told_of_manifest(with_head("units:\n  - name: x\n  - kind: handlers\n    name: y\n")),
      "7:5 manifest.missing-key: a unit lacks the key `kind`\n"
      "  hint: add `kind: dialect`: what the unit is; the plugin's `.so` brings the interface of that kind under "
      "the unit's name, or `code` does\n"
      "8:5 manifest.missing-key: a unit of kind `handlers` lacks the key `members`\n"
      "  hint: add `members: …`: the intrinsics that the unit brings (`intrinsics`) or rewrites (`handlers`), so "
      "that needs resolve before anything is loaded\n"
      "8:5 manifest.missing-key: a unit of kind `handlers` lacks the key `backend`\n"
      "  hint: add `backend: …`: the backend into whose target set the calls are rewritten; a variable, `$B`, for "
      "whichever backend has what the unit requires of `$B`\n");
}

TEST(Manifest, TypesScalarsStrictly) {
  const auto of_version = [](const std::string &spelled) {
    return told_of_manifest("htp_manifest: 1\nplugin:\n  id: a.b\n  version: " + spelled + "\n");
  };
  EXPECT_EQ(of_version("1.10"), "4:12 manifest.wrong-type: `version` should be a quoted version, but this is the "
                                "number `1.10`\n  hint: quote it: `\"1.10\"`\n");
  EXPECT_EQ(of_version("0.1.0"), "4:12 manifest.wrong-type: `version` should be a quoted version, but this is the "
                                 "string `0.1.0`\n  hint: quote it: `\"0.1.0\"`\n");
  EXPECT_EQ(of_version("\"v1\""),
            "4:12 manifest.bad-value: `version` is `v1`, expected integers joined by dots, as `\"1.2.0\"`\n");
  EXPECT_EQ(of_version("\n    - \"1\""),
            "5:5 manifest.wrong-type: `version` should be a quoted version, but this is a list\n");
  EXPECT_EQ(of_version(""), "4:3 manifest.wrong-type: `version` should be a quoted version, but this is nothing\n  "
                            "hint: give it a value, or leave the line out\n");

  const auto of_doc = [](const std::string &spelled) {
    return told_of_manifest("htp_manifest: 1\nplugin:\n  id: a.b\n  version: \"1\"\n  doc: " + spelled + "\n");
  };
  for (const char *text :
       {"yes", "on", "No", "y", "1.2.3", "2026-08", "cpu/1", "\"10\"", "'true'", "1a", "e5", "0x", "+"})
    EXPECT_EQ(of_doc(text), "") << text;
  EXPECT_EQ(of_doc("true"), "5:8 manifest.wrong-type: `doc` should be a string, but this is the boolean `true`\n  "
                            "hint: quote it: `\"true\"`\n");
  EXPECT_EQ(of_doc("-12"), "5:8 manifest.wrong-type: `doc` should be a string, but this is the integer `-12`\n  hint: "
                           "quote it: `\"-12\"`\n");
  EXPECT_EQ(
      of_doc("1e3"),
      "5:8 manifest.wrong-type: `doc` should be a string, but this is the number `1e3`\n  hint: quote it: `\"1e3\"`\n");
  EXPECT_EQ(of_doc("~"), "5:3 manifest.wrong-type: `doc` should be a string, but this is nothing\n  hint: give it a "
                         "value, or leave the line out\n");

  const auto of_int = [](const std::string &spelled) {
    return told_of_manifest(with_head(
        "units:\n  - kind: pass\n    name: p\n    options:\n      - name: w\n        type: int\n        default: " +
        spelled + "\n"));
  };
  EXPECT_EQ(of_int("10"), "");
  EXPECT_EQ(of_int("-9223372036854775808"), "");
  for (const char *unclear : {"010", "0x10", "0o7", "0b1", "1_000", "+1", "-0", ".5", "5.", ".inf", "-.Inf", ".nan",
                              "1:30", "True", "FALSE", "9223372036854775808"})
    EXPECT_EQ(of_int(unclear),
              fmt::format("12:18 manifest.wrong-type: `default` should be one string, number or boolean, but this is "
                          "`{}`, which readers of YAML take for different things\n"
                          "  hint: write the number in decimal digits, or quote it: `\"{}\"`\n",
                          unclear, unclear));
  EXPECT_EQ(of_int("1.5"), "12:18 manifest.wrong-type: `default` should be an integer, but this is the number `1.5`\n");
  EXPECT_EQ(of_int("\"10\""),
            "12:18 manifest.wrong-type: `default` should be an integer, but this is the string `10`\n");
}

TEST(Manifest, PathsHaveOneSpelling) {
  for (const auto &[written, plain] : std::map<std::string, std::string>{
           {"python", "python"}, {"./python//", "python"}, {"a/./b/.", "a/b"}, {"./", "."}, {".", "."}}) {
    Diagnostics diagnostics;
    const auto manifest = read_manifest(
        std::make_shared<SourceFile>("htp-plugin.yaml", "htp_manifest: 1\nplugin:\n  id: acme\n  version: \"1\"\n"
                                                        "python:\n  module: acme\n  path: " +
                                                            written + "\n"),
        diagnostics);
    ASSERT_TRUE(manifest);
    EXPECT_EQ(manifest->python_path.value, plain) << written;
  }
}

TEST(Manifest, ChecksValues) {
  EXPECT_EQ(
      told_of_manifest("htp_manifest: 1\nplugin:\n  id: Acme\n  version: \"1\"\n  library: /lib/x.so\npython:\n  "
                       "module: a b\n  path: a/../../b\n"),
      "3:7 manifest.bad-value: `id` is `Acme`, expected lower-case words joined by dots or dashes, as "
      "`acme.spatial`\n"
      "5:12 manifest.bad-path: `library` is `/lib/x.so`, expected a relative path within the folder of this file\n"
      "7:11 manifest.bad-value: `module` is `a b`, expected words of letters, digits and `_`, joined by "
      "dots or dashes, as `tile.infer`\n"
      "8:9 manifest.bad-path: `path` is `a/../../b`, expected a relative path within the folder of this file\n");
  EXPECT_EQ(told_of_manifest(with_head(
                "declares:\n  - name: tile.Typed\n    is: stat\n    parameters:\n      - name: a\n        type: "
                "ref(backends)\n      - name: b\n        type: enum(x, x)\n      - name: c\n        type: integer\n")),
            "7:11 manifest.bad-value: `name` is `tile.Typed`, expected capitalised words joined "
            "by dots, as `Tile.Typed`\n"
            "8:9 manifest.unknown-value: `is` is `stat`, expected `static` or `state`\n  hint: did you mean `state`?\n"
            "11:15 manifest.unknown-value: the kind of `type` is `backends`, expected `dialect`, `intrinsics`, "
            "`handlers`, `layout`, `analysis`, `pass`, `pipeline`, `island`, `backend`, `binding` or `verifier`\n  "
            "hint: did you mean `backend`?\n"
            "13:15 manifest.duplicate-item: the value `x` stands twice\n"
            "15:15 manifest.unknown-value: `type` is `integer`, expected `int`, `bool`, `version`, `string`, "
            "`enum(a, b)` or `ref(kind)`\n");
  EXPECT_EQ(told_of_manifest(with_head("declares:\n  - name: A.B\n    is: static\n    initial: true\n")),
            "7:11 manifest.not-state: `A.B` is static, so it cannot be initial\n");
  EXPECT_EQ(
      told_of_manifest(with_head("units:\n  - kind: backend\n    name: b\n    target_set:\n      - s\n    contract:\n  "
                                 "    - A\n    hardware:\n      a.b: 1\n")),
      "14:7 manifest.dotted-key: the key `a.b` is empty or has a dot\n");
}

TEST(Manifest, ChecksTextsThatNameSomethingElse) {
  EXPECT_EQ(told_of_manifest("htp_manifest: 1\nplugin:\n  id: acme.x\n  version: \"1\"\n  library: x.so\npython:\n  "
                             "module: acme_x\n  path: \"\"\nconflicts:\n  - acme.other>=1\n"),
            "8:9 manifest.empty-value: `path` is empty\n"
            "10:5 manifest.missing-at: the range of versions in `acme.other>=1` does not follow an `@`\n  hint: write "
            "`acme.other@>=1`\n");
  EXPECT_EQ(
      told_of_manifest(with_head(
          "python:\n  module: acme_x\n  path: .\nunits:\n  - kind: pass\n    name: acme.fold\n    code: other:fold\n")),
      "12:11 manifest.foreign-module: `code` names the module `other`, which is not within `acme_x`\n  7:11 named "
      "here\n");
}

TEST(Manifest, ReadsTermsOnTheirLines) {
  EXPECT_EQ(
      told_of_manifest(with_head("units:\n  - kind: pass\n    name: p\n    requires: Tile.Typed\n    provides:\n      "
                                 "- A(x={a, b})\n      - A(x=*)\n      - A@>=1\n      - A | B\n      - k: v\n")),
      "9:15 manifest.wrong-type: `requires` should be a list, but this is the string `Tile.Typed`\n  hint: write each "
      "item on a line of its own: `- Tile.Typed`\n"
      "11:9 manifest.inexact-term: `provides` takes exact terms, and this one has a set of values\n"
      "12:9 manifest.inexact-term: `provides` takes exact terms, and this one has `*`\n"
      "13:9 manifest.inexact-term: `provides` takes exact terms, and this one has a range of versions\n"
      "14:11 manifest.alternatives: `|` joins the alternatives of a requirement, and this is none\n"
      "15:9 manifest.wrong-type: an item of `provides` should be a string, but this is a map\n");
  EXPECT_EQ(told_of_manifest(with_head("conflicts:\n  - Acme\n  - acme.other@1\n")),
            "7:5 manifest.bad-value: a plugin is `Acme`, expected lower-case words joined by dots or dashes, as "
            "`acme.spatial`\n"
            "8:16 manifest.bad-term: expected `<`, `<=`, `==`, `>=` or `>`, found `1`\n  hint: a "
            "range reads `@>=1.2,<2`\n");
}

TEST(Manifest, RefusesWhatStandsTwice) {
  EXPECT_EQ(told_of_manifest(with_head(
                "declares:\n  - name: Acme.A\n    is: static\n  - name: Acme.A\n    is: static\nunits:\n  - kind: "
                "intrinsics\n    name: i\n    members:\n      - a.b\n      - a.b\n  - kind: pass\n    name: i\n")),
            "9:11 manifest.duplicate-item: the capability `Acme.A` stands twice\n  7:11 it stands here first\n"
            "16:9 manifest.duplicate-item: the item `a.b` stands twice\n  15:9 it stands here first\n"
            "18:11 manifest.duplicate-item: the unit `i` stands twice\n  13:11 it stands here first\n");
}

TEST(Manifest, KnowsItsFormatAndItsKind) {
  EXPECT_EQ(told_of_manifest("htp_manifest: 2\nplugin:\n  news: 1\n"),
            "1:15 manifest.other-format: `htp_manifest` is 2, and this host reads format 1\n");
  EXPECT_EQ(
      told_of_manifest("htp_manifest: \"1\"\n"),
      "1:15 manifest.wrong-type: `htp_manifest` should be an integer in decimal digits, but this is the string `1`\n");
  EXPECT_EQ(told_of_manifest("htp_profile: 1\ntarget: cpu\n"),
            "1:1 manifest.other-kind: the manifest begins with `htp_manifest`, and this file with `htp_profile`\n  "
            "hint: this is a profile; give it as `--plugins FILE`\n");
  EXPECT_EQ(told_of_manifest("- a\n"), "1:1 manifest.wrong-type: the manifest should be a map, but this is a list\n");
  EXPECT_EQ(told_of_manifest("just words\n"),
            "1:1 manifest.wrong-type: the manifest should be a map, but this is the string `just words`\n");
}

TEST(Manifest, TheSdkDeclaresTheMetaCapabilities) {
  std::string list;
  for (const CapabilityDecl &capability : sdk_manifest().declares) {
    list += capability.name.value + (capability.state ? " state(" : " static(");
    for (const ParameterDecl &p : capability.parameters) list += p.name.value + " ";
    list += ")\n";
  }
  EXPECT_EQ(list,
            "Intrinsic.Handler static(op backend )\nIntrinsic.Set static(name )\nLayout.Facet static(kind "
            ")\nPackage.Contract static(id )\n"
            "Codegen.Ready state(target )\nPython.Module static(name )\nBinding.For static(contract "
            ")\nCost.Model static(target )\nSimulation.Model static(target )\nReport.Views static(target )\nTask.Graph "
            "static()\nDeadlock.Graph static()\nTranslation.Validator static()\nAnalysis.Table static(id )\n");
  EXPECT_EQ(sdk_manifest().declares[0].parameters[1].reference, UnitKind::backend);
}

} // namespace
} // namespace htp

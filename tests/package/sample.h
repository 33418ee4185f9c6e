// sample.h — packages for the tests.
#pragma once

#include "host/base/fs.h"
#include "host/package/reader.h"
#include "host/package/writer.h"

#include <gtest/gtest.h>

#include <string>

namespace htp {

// A package whose files' bytes tell `generation`.
inline PackageDraft draft(const std::string &generation = "1") {
  PackageDraft d;
  PackageManifest &m = d.manifest;
  const std::string digest(64, 'a');
  m.htp = "0.1.0";
  m.identity = {"gemm", "gemm", "cpu", 7, {{"TILE", "32"}}};
  m.inputs = {{"gemm.py", "program", digest}};
  m.plugins = {{"htp.dialect-tile", "0.1.0", digest, digest, PackageManifest::Python{"htp_tile", digest}},
               {"acme.pipelines", "1.0", digest, "", std::nullopt}};
  m.dialects = {"tile"};
  m.intrinsics = {"tile.exp", "tile.load"};
  m.capabilities = {"Codegen.Ready(target=cpu)", "Tile.Typed"};
  m.plan.pipeline = "cpu.default";
  m.plan.resolution = {{"cpu", "backend", "htp.backend-cpu", "the profile's target"}};
  m.plan.passes = {{"cpu.loops", "htp.backend-cpu", "0.1.0", {{"width", "8"}}, "provides `Codegen.Ready(target=cpu)`"}};
  m.target = {"cpu", "cpu/1", {{"width", "8"}}, {{"vector.f32.lanes", "8"}}};
  m.stages = {{"00", "source", "ir/stages/00-source/program.py", ""}};
  m.entries = {{"gemm", {{"a", "in", "Tensor[f32, M, K]"}, {"n", "value", "int"}}, "None"}};
  d.files = {{"ir/stages/00-source/program.py", "stage", "import htp  # " + generation + "\n"},
             {"codegen/cpu/kernel.c", "source", "/* " + generation + " */\n"},
             {"ir/pass_trace.jsonl", "trace", ""}};
  d.logs = {{"timing.json", "", "{}\n"}};
  return d;
}

// "code: message", with notes and hints beneath; `folder` spelled OUT.
inline std::string text(const Diagnostics &diagnostics, const std::string &folder = "") {
  std::string result;
  for (const Diagnostic &d : diagnostics.list()) {
    result += d.code + ": " + d.message + "\n";
    for (const std::string &note : d.notes) result += "  note: " + note + "\n";
    for (const std::string &hint : d.hints) result += "  hint: " + hint + "\n";
  }
  for (size_t at; !folder.empty() && (at = result.find(folder)) != std::string::npos;)
    result.replace(at, folder.size(), "OUT");
  return result;
}

// A folder for one test, and OUT in it.
class PackageTest : public testing::Test {
protected:
  const std::string &folder() const { return folder_->path(); }
  std::string out() const { return folder() + "/out put"; } // a blank: paths have them
  std::string at(const std::string &path) const { return out() + "/" + path; }

  std::optional<Published> publish(PackageDraft d) {
    diagnostics_ = {};
    return write_package(std::move(d), out(), diagnostics_);
  }
  std::optional<Package> read() {
    diagnostics_ = {};
    return read_package(out(), diagnostics_);
  }
  std::string said() const { return text(diagnostics_, out()); }
  std::vector<std::string> names() const { // in the folder that holds OUT
    std::vector<std::string> result;
    const auto entries = list_folder(folder());
    for (const FolderEntry &entry : *entries) result.push_back(entry.name);
    return result;
  }

private:
  Expected<TemporaryFolder, IoError> folder_ = TemporaryFolder::make();
  Diagnostics diagnostics_;
};

} // namespace htp

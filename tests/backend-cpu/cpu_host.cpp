#include "cpu_host.h"

#include "host/ast/unparse.h"
#include "host/load/discover.h"
#include "host/pipeline/program.h"
#include "host/pipeline/run.h"

#include <gtest/gtest.h>
#include <htp/htp.h>

#include <cstdlib>
#include <stdexcept>

namespace htp::test {

namespace {

struct Found {
  std::vector<Manifest> manifests;
  std::vector<LoadedPlugin> loaded;
};

const Found &found() {
  static const Found all = [] {
    Found f;
    Diagnostics diagnostics;
    const std::string folder = HTP_BINARY_DIR "/plugins/";
    f.manifests = discover({folder + "dialect-tile", folder + "backend-cpu"}, diagnostics);
    std::vector<const Manifest *> wanted;
    for (const Manifest &m : f.manifests) wanted.push_back(&m);
    LoadOptions options;
    options.from = LoadOptions::From::path;
    f.loaded = load_plugins(wanted, options, diagnostics);
    if (f.loaded.size() != 2) throw std::runtime_error("the plugins cannot be loaded: " + CpuHost::said(diagnostics));
    return f;
  }();
  return all;
}

ContextSettings settings(const std::string &entry) {
  ContextSettings s;
  s.target = "cpu";
  s.entry = entry;
  for (const Manifest &m : found().manifests)
    for (const Unit &u : m.units) {
      for (const OptionDecl &o : u.options) s.options[u.name.value][o.name.value] = o.default_value;
      for (const auto &[path, value] : u.hardware) s.hardware[path] = value.value;
    }
  return s;
}

const void *interface_of(UnitKind kind, const std::string &name, const Unit **unit) {
  for (const LoadedPlugin &p : found().loaded)
    for (const Unit &u : p.manifest().units)
      if (u.kind == kind && u.name.value == name) {
        *unit = &u;
        return p.interface(kind, name);
      }
  throw std::runtime_error("there is no unit " + name);
}

} // namespace

const std::vector<LoadedPlugin> &plugins() { return found().loaded; }

CpuHost::CpuHost(const std::string &program, const std::string &entry, const std::vector<std::string> &units)
    : registry(found().loaded, units), ctx(store, diagnostics, cache, settings(entry)) {
  ctx.registry = &registry;
  ctx.emitting = true;
  root = parse_program(std::make_shared<SourceFile>("program.py", program), diagnostics, store);
  if (!root) throw std::runtime_error("the program does not parse: " + said());
}

bool CpuHost::pass(const std::string &name) {
  const Unit *unit = nullptr;
  const auto *interface = static_cast<const htp_pass *>(interface_of(UnitKind::pass, name, &unit));
  ctx.enter(*unit, root);
  htp_node out = root;
  if (interface->run(&host_table(), &ctx, root, &out) != HTP_OK) return false;
  root = out;
  return true;
}

bool CpuHost::holds(const std::string &term) { return htp::holds(ctx, term, root, diagnostics); }

bool CpuHost::emit() {
  const Unit *unit = nullptr;
  const auto *interface = static_cast<const htp_backend *>(interface_of(UnitKind::backend, "cpu", &unit));
  ctx.enter(*unit, root);
  return interface->emit(&host_table(), &ctx, root) == HTP_OK;
}

std::string CpuHost::text() const {
  UnparseOptions options;
  options.trivia = true;
  return unparse(*store.abi(), root, options);
}

std::string CpuHost::said(const Diagnostics &list) {
  std::string text;
  for (const Diagnostic &d : list.list()) {
    text += d.code + ": " + d.message + "\n";
    for (const std::string &note : d.notes) text += "  note: " + note + "\n";
    for (const std::string &hint : d.hints) text += "  hint: " + hint + "\n";
  }
  return text;
}

const std::string &CpuHost::file(const std::string &path) const {
  for (const PackageFile &f : ctx.artifacts)
    if (f.path == path) return f.bytes;
  throw std::runtime_error("nothing was handed over as " + path);
}

std::string write_package(const CpuHost &host, const std::string &folder) {
  make_folders(folder + "/build");
  make_folders(folder + "/codegen/cpu");
  for (const PackageFile &f : host.ctx.artifacts)
    write_file(folder + (f.path.starts_with("build/") ? "/" : "/codegen/cpu/") + f.path, f.bytes);
  return folder;
}

// ── the binding ─────────────────────────────────────────────────────────────────────────────────────────────────────

namespace {
const htp_binding &binding() {
  const Unit *unit = nullptr;
  return *static_cast<const htp_binding *>(interface_of(UnitKind::binding, "cpu.binding", &unit));
}
htp_str borrowed(const std::string &s) { return {s.data(), s.size()}; }
} // namespace

Bound::Bound(const std::string &package, Cache &cache)
    : binding_(binding()), ctx_(store_, diagnostics, cache, settings("")) {
  ctx_.settings.read_folder = package;
}
Bound::~Bound() {
  if (loaded_) binding_.unload(loaded_);
}

template <class F> bool Bound::verb(F &&f) {
  const size_t errors = diagnostics.errors();
  const htp_status status = f();
  if ((status == HTP_OK) != (diagnostics.errors() == errors))
    throw std::runtime_error("status and diagnostics disagree");
  return status == HTP_OK;
}

bool Bound::validate() {
  return verb([&] { return binding_.validate(&host_table(), &ctx_); });
}
bool Bound::build() {
  return verb([&] {
    htp_str built{};
    const htp_status status = binding_.build(&host_table(), &ctx_, &built);
    if (status == HTP_OK) folder.assign(built.data, built.size);
    return status;
  });
}
bool Bound::load() {
  return verb([&] { return binding_.load(&host_table(), &ctx_, borrowed(folder), &loaded_); });
}
bool Bound::run(const std::string &entry, const std::vector<htp_argument> &arguments, const htp_trace_sink *sink) {
  const auto count = static_cast<uint32_t>(arguments.size());
  return verb([&] {
    return sink ? binding_.trace(&host_table(), &ctx_, loaded_, borrowed(entry), arguments.data(), count, sink)
                : binding_.run(&host_table(), &ctx_, loaded_, borrowed(entry), arguments.data(), count);
  });
}

// ── kept files ──────────────────────────────────────────────────────────────────────────────────────────────────────

std::string source_text(const std::string &relative) {
  auto text = read_file(std::string(HTP_SOURCE_DIR) + "/" + relative);
  if (!text) throw std::runtime_error(text.error().path + ": " + text.error().reason);
  return *text;
}

void expect_golden(const std::string &relative, const std::string &text) {
  const std::string path = std::string(HTP_SOURCE_DIR) + "/" + relative;
  if (std::getenv("HTP_UPDATE")) {
    write_file(path, text);
    return;
  }
  EXPECT_EQ(text, source_text(relative)) << relative << " differs; HTP_UPDATE=1 writes it anew";
}

} // namespace htp::test

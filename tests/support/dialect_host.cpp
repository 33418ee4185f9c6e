#include "tests/support/dialect_host.h"

#include "host/ast/unparse.h"
#include "host/load/discover.h"
#include "host/load/plugin.h"
#include "host/pipeline/context.h"
#include "host/pipeline/program.h"
#include "host/pipeline/run.h"

#include <htp/htp.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace htp::test {
namespace fs = std::filesystem;

namespace {

// Libraries are loaded once for the process: every test uses the same ones.
struct Loaded {
  std::vector<Manifest> manifests;
  std::vector<LoadedPlugin> plugins;
};

const Loaded &load(const std::vector<std::string> &names) {
  static std::map<std::vector<std::string>, std::unique_ptr<Loaded>> kept;
  auto &loaded = kept[names];
  if (loaded) return *loaded;
  loaded = std::make_unique<Loaded>();
  Diagnostics diagnostics;
  std::vector<std::string> folders;
  for (const std::string &name : names) folders.push_back(std::string(HTP_BINARY_DIR) + "/plugins/" + name);
  loaded->manifests = discover(folders, diagnostics);
  std::vector<const Manifest *> manifests;
  for (const Manifest &m : loaded->manifests) manifests.push_back(&m);
  LoadOptions options;
  options.from = LoadOptions::From::path;
  loaded->plugins = load_plugins(manifests, options, diagnostics);
  for (const Diagnostic &d : diagnostics.list()) throw std::runtime_error(d.code + ": " + d.message);
  if (loaded->plugins.size() != names.size()) throw std::runtime_error("not all plugins were loaded");
  return *loaded;
}

std::string place(const Span &span) {
  return span && span.line ? std::to_string(span.line) + ":" + std::to_string(span.col + 1) : "-";
}

const char *word_of(Severity severity) {
  return severity == Severity::error ? "error" : severity == Severity::warning ? "warning" : "note";
}

} // namespace

struct DialectHost::State {
  State(const Loaded &loaded, std::map<std::string, std::string> hardware, const std::string &entry)
      : registry(loaded.plugins, {}), cache(Cache::off()),
        ctx(store, diagnostics, cache, settings(loaded, std::move(hardware), entry)) {
    ctx.registry = &registry;
  }

  static ContextSettings settings(const Loaded &loaded, std::map<std::string, std::string> hardware,
                                  const std::string &entry) {
    ContextSettings s;
    s.target = "test";
    s.entry = entry;
    s.hardware = std::move(hardware);
    for (const Manifest &m : loaded.manifests)
      for (const Unit &u : m.units)
        for (const OptionDecl &o : u.options) s.options[u.name.value][o.name.value] = o.default_value;
    return s;
  }

  Store store;
  Diagnostics diagnostics, why;
  Registry registry;
  Cache cache;
  htp_ctx ctx;
  htp_node root = HTP_NONE, before = HTP_NONE;
};

DialectHost::DialectHost(const std::vector<std::string> &plugins, const std::string &program, const std::string &entry,
                         std::map<std::string, std::string> hardware)
    : state_(std::make_unique<State>(load(plugins), std::move(hardware), entry)) {
  const auto source = std::make_shared<SourceFile>("program.py", program);
  state_->root = parse_program(source, state_->diagnostics, state_->store);
  if (!state_->root) throw std::runtime_error("the program does not parse: " + said());
}

DialectHost::DialectHost(DialectHost &&) noexcept = default;
DialectHost::~DialectHost() = default;

bool DialectHost::check() { return check_dialects(state_->ctx, state_->root); }

bool DialectHost::pass(const std::string &name) {
  State &s = *state_;
  const UnitRef *ref = s.registry.find(UnitKind::pass, name);
  if (!ref) throw std::runtime_error("there is no pass " + name);
  s.ctx.enter(*ref->unit, s.root);
  htp_node out = s.root;
  const size_t errors = s.diagnostics.errors();
  const htp_status status = static_cast<const htp_pass *>(ref->interface)->run(&host_table(), &s.ctx, s.root, &out);
  if ((status == HTP_OK) != (s.diagnostics.errors() == errors))
    throw std::runtime_error(name + ": status and diagnostics disagree");
  if (status != HTP_OK) return false;
  s.before = s.root;
  s.root = out;
  return true;
}

bool DialectHost::holds(const std::string &term) {
  return htp::holds(state_->ctx, term, state_->root, state_->diagnostics);
}

void DialectHost::look(const std::function<void(const htp_host *, htp_ctx *, uint32_t)> &f) const {
  f(&host_table(), &state_->ctx, state_->root);
}

bool DialectHost::unchanged() const { return state_->root == state_->before; }

std::string DialectHost::text() const {
  UnparseOptions options;
  options.trivia = true;
  return unparse(*state_->store.abi(), state_->root, options);
}

std::string DialectHost::said() const {
  std::string result;
  std::vector<const Diagnostic *> list;
  for (const Diagnostic &d : state_->diagnostics.list()) list.push_back(&d);
  std::stable_sort(list.begin(), list.end(), [](const Diagnostic *a, const Diagnostic *b) {
    return std::pair(a->span.line, a->span.col) < std::pair(b->span.line, b->span.col);
  });
  for (const Diagnostic *d : list) {
    result += place(d->span) + " " + word_of(d->severity) + " " + d->code + ": " + d->message + "\n";
    for (const Label &label : d->labels) result += "  " + place(label.span) + " " + label.text + "\n";
    for (const std::string &note : d->notes) result += "  note: " + note + "\n";
    for (const std::string &hint : d->hints) result += "  hint: " + hint + "\n";
  }
  return result;
}

// ── data files ──

std::string source_path(const std::string &relative) { return std::string(HTP_SOURCE_DIR) + "/" + relative; }

std::string read_text(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<std::string> names_in(const std::string &folder, const std::string &ending) {
  std::vector<std::string> names;
  for (const auto &entry : fs::directory_iterator(folder))
    if (const std::string name = entry.path().filename().string(); name.ends_with(ending))
      names.push_back(name.substr(0, name.size() - ending.size()));
  std::sort(names.begin(), names.end());
  return names;
}

namespace {
constexpr std::string_view mark = "# ── ";

// Where a section's text begins and ends; both npos when there is none.
std::pair<size_t, size_t> find_section(const std::string &text, const std::string &title) {
  size_t begin = 0;
  if (!title.empty()) {
    const size_t line = text.find(std::string(mark) + title + " ──\n");
    if (line == std::string::npos) return {line, line};
    begin = text.find('\n', line) + 1;
  }
  const size_t next = text.find(mark, begin);
  return {begin, std::min(next, text.size())};
}
} // namespace

std::string section(const std::string &text, const std::string &title) {
  const auto [begin, end] = find_section(text, title);
  return begin == std::string::npos ? std::string() : text.substr(begin, end - begin);
}

void update_section(const std::string &path, const std::string &title, const std::string &wanted) {
  std::string text = read_text(path);
  const auto [begin, end] = find_section(text, title);
  if (begin == std::string::npos)
    text += std::string(mark) + title + " ──\n" + wanted;
  else
    text.replace(begin, end - begin, wanted);
  std::ofstream(path, std::ios::binary) << text;
}

bool updating() { return std::getenv("HTP_UPDATE") != nullptr; }

} // namespace htp::test

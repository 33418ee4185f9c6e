// plugins new: a project that builds, tests and checks, from a template. A template is a project of its own, called
// my-plugin; making one is copying it under another name.
#include "host/base/fs.h"
#include "host/base/signals.h"
#include "host/base/suggest.h"
#include "host/cli/command.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <map>

namespace htp {

namespace {

constexpr size_t longest_name = 64;
constexpr const char *common = "common"; // the template folder whose files every project gets
constexpr const char *python = "python"; // the templates of plugins that are written in it

bool is_name(std::string_view name) {
  bool begins = true;
  for (const char c : name) {
    const bool letter = c >= 'a' && c <= 'z', digit = c >= '0' && c <= '9';
    if (begins ? !letter : !letter && !digit && c != '-') return false;
    begins = c == '-';
  }
  return !begins;
}

// What is wrong with the name; empty when it can be a plugin's. Two names at least: the owner comes first, and then
// nothing made of the name is a keyword of a language.
std::string fault_of(std::string_view name) {
  if (!is_name(name)) return "a name is lower case, its parts joined by dashes";
  if (name.find('-') == std::string_view::npos) return "its owner comes first, before a dash";
  if (name.starts_with("htp-")) return "the owner `htp` is HTP itself";
  if (name.size() > longest_name) return fmt::format("it has more than {} letters", longest_name);
  return {};
}

std::string hint_for(std::string_view name, std::string_view kind) {
  std::string better;
  for (const char c : name)
    if (c >= 'A' && c <= 'Z')
      better += static_cast<char>(c - 'A' + 'a');
    else
      better += c == '_' || c == '.' || c == ' ' ? '-' : c;
  if (better != name && fault_of(better).empty()) return "did you mean `" + better + "`?";
  return fmt::format("for instance `acme-{}`", kind);
}

// The spellings of a template's name, and those of the new one.
struct Spelling {
  std::string from, to;
};
std::vector<Spelling> spellings(const std::string &name) {
  std::string module = name, capital, id = name;
  bool begins = true;
  for (char &c : module) {
    if (c == '-')
      c = '_';
    else
      capital += begins ? static_cast<char>(c >= 'a' ? c - 'a' + 'A' : c) : c;
    begins = c == '_';
  }
  id[id.find('-')] = '.';
  return {{"my-plugin", name}, {"my_plugin", module}, {"MyPlugin", capital}, {"my.plugin", id}};
}

std::string renamed(std::string_view text, const std::vector<Spelling> &table) {
  std::string result;
  while (!text.empty()) {
    const auto here = [&](const Spelling &s) { return text.starts_with(s.from); };
    const auto found = std::find_if(table.begin(), table.end(), here);
    result += found == table.end() ? std::string(text.substr(0, 1)) : found->to;
    text.remove_prefix(found == table.end() ? 1 : found->from.size());
  }
  return result;
}

// PREFIX of PREFIX/bin/htp-host.
std::string prefix() {
  std::error_code error;
  return std::filesystem::canonical("/proc/self/exe", error).parent_path().parent_path().string();
}

using Files = std::map<std::string, std::string>; // path → text

// Adds a template's files. Of a file that is there already the text is continued: a kind's README by what all have.
std::optional<IoError> add_template(const std::string &folder, const std::vector<Spelling> &table, Files &files) {
  const auto tree = list_tree(folder);
  if (!tree) return tree.error();
  for (const FolderEntry &entry : *tree) {
    if (entry.kind != FolderEntry::Kind::file) continue;
    const auto text = read_file(join_path(folder, entry.name));
    if (!text) return text.error();
    files[renamed(entry.name, table)] += renamed(*text, table);
  }
  return std::nullopt;
}

// Writes all files into a new folder beside `project` and gives it that name in one step: there is a whole project, or
// none.
std::optional<IoError> publish(const Files &files, const std::string &project) {
  std::string fresh = project + ".new-XXXXXX";
  Unfinished unfinished;
  {
    const SignalsHeld held;
    if (!::mkdtemp(fresh.data())) return IoError{project, std::strerror(errno)};
    unfinished = Unfinished(fresh);
  }
  std::optional<IoError> failed;
  for (const auto &[path, text] : files) {
    const std::string file = join_path(fresh, path);
    failed = make_folders(file.substr(0, file.rfind('/')));
    if (!failed) failed = write_file(file, text);
    if (failed) break;
  }
  if (!failed) {
    std::error_code ignored; // mkdtemp makes folders that nobody else may read
    std::filesystem::permissions(fresh, std::filesystem::perms(0755), ignored);
    if (::renameat2(AT_FDCWD, fresh.c_str(), AT_FDCWD, project.c_str(), RENAME_NOREPLACE) == 0) return std::nullopt;
    failed = IoError{project, std::strerror(errno)};
  }
  remove_tree(fresh);
  return failed;
}

bool under_usr() { return prefix() == "/usr"; }

// What comes next, line by line as it can be given to a shell.
std::string to_build() {
  const bool installed = exists(prefix() + "/lib/cmake/htp-sdk") && !under_usr(); // where CMake looks by itself
  return fmt::format("  cmake -B build{}\n"
                     "  cmake --build build\n"
                     "  ctest --test-dir build --output-on-failure\n",
                     installed ? " -DCMAKE_PREFIX_PATH=" + shell_word(prefix()) : "");
}

std::string to_try() {
  const std::string package = prefix() + "/lib/python3/dist-packages";
  const std::string host = under_usr() ? "htp-host" : shell_word(prefix() + "/bin/htp-host");
  const std::string where =
      under_usr() || !exists(package) ? "" : fmt::format("HTP_HOST={} PYTHONPATH={} ", host, shell_word(package));
  return fmt::format("  {0} --plugins profile.yaml compile\n"
                     "  {1}/usr/bin/python3 tests/test_*.py\n"
                     "  {0} plugins check .\n",
                     host, where);
}

} // namespace

int plugins_new_command(const Arguments &arguments) {
  Diagnostics diagnostics;
  const std::string &name = arguments.name, &kind = arguments.kind;
  const bool in_python = arguments.language == "python";
  const std::string all = prefix() + "/share/htp/templates", templates = in_python ? join_path(all, python) : all;
  std::vector<std::string> kinds;
  if (const auto folders = list_folder(templates))
    for (const FolderEntry &folder : *folders)
      if (folder.name != common && folder.name != python) kinds.push_back(folder.name);
  if (kinds.empty()) {
    diagnostics.report(diag::cli_no_templates, {}, templates)
        .hint("install the SDK beside htp-host: the package `htp-sdk`, or `cmake --install BUILD --component sdk`");
    return finish(arguments, diagnostics);
  }
  if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) {
    std::string list;
    for (const std::string &k : kinds) list += (list.empty() ? "" : ", ") + k;
    const auto near = did_you_mean(kind, kinds);
    diagnostics.report(diag::cli_unknown_kind, {}, kind)
        .hint(!near.empty() ? "did you mean `" + std::string(near) + "`?"
              : in_python   ? "in Python there are " + list
                            : "there are " + list);
  }
  if (const std::string fault = fault_of(name); !fault.empty())
    diagnostics.report(diag::cli_bad_name, {}, name, fault).hint(hint_for(name, diagnostics.errors() ? "fold" : kind));
  if (diagnostics.errors()) return finish(arguments, diagnostics);

  const std::string into = arguments.into.empty() ? "." : arguments.into;
  const std::string project = arguments.into.empty() ? name : join_path(into, name);
  const auto unwritable = [&](const IoError &error) {
    diagnostics.report(diag::io_unwritable, {}, error.path, error.reason)
        .hint("`--into DIR` names the folder to make it in");
    return finish(arguments, diagnostics);
  };
  if (exists(project)) {
    diagnostics.report(diag::cli_in_the_way, {}, project).hint("take another name, or another folder: `--into DIR`");
    return finish(arguments, diagnostics);
  }
  Files files;
  const std::vector<Spelling> table = spellings(name);
  for (const std::string &folder : {kind, std::string(common)})
    if (const auto failed = add_template(join_path(templates, folder), table, files)) {
      diagnostics.report(diag::io_unreadable, {}, failed->path, failed->reason).hint("install the SDK again");
      return finish(arguments, diagnostics);
    }
  if (const auto failed = make_folders(into)) return unwritable(*failed);
  if (const auto failed = publish(files, project)) return unwritable(*failed);

  const std::string text = fmt::format("made {}: {} files\n\n  cd {}\n{}\nREADME.md says what is what.\n", project,
                                       files.size(), shell_word(project), in_python ? to_try() : to_build());
  nlohmann::ordered_json paths = nlohmann::ordered_json::array();
  for (const auto &file : files) paths.push_back(file.first);
  return finish(
      arguments, diagnostics, arguments.quiet ? "" : text,
      {{"name", name}, {"kind", kind}, {"language", arguments.language}, {"folder", project}, {"files", paths}});
}

} // namespace htp

#include "host/trust/statement.h"

#include "host/base/beneath.h"
#include "host/base/fs.h"
#include "host/base/hash.h"

#include <fmt/format.h>

#include <algorithm>

namespace htp {

namespace {

constexpr std::string_view first_line = "htp signature 1";
constexpr std::string_view manifest_name = "htp-plugin.yaml";

bool is_library(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1); // npos + 1: all of it
  return name.ends_with(".so") || name.find(".so.") != std::string_view::npos;
}

// "word rest": takes the word off.
std::string_view take_word(std::string_view &rest) {
  const size_t end = std::min(rest.find(' '), rest.size());
  const std::string_view word = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return word;
}

bool is_printable(std::string_view text) {
  return std::ranges::all_of(text, [](unsigned char c) { return c >= ' ' && c != 0x7f; });
}

class SignatureReader {
public:
  explicit SignatureReader(std::string_view text) : text_(text) {}

  Expected<Statement, std::string> read() {
    Statement s;
    if (line() != first_line) return wrong(fmt::format("it does not begin with `{}`", first_line));
    std::string_view rest = line();
    const std::string_view of = take_word(rest);
    if (of == "plugin") {
      s.id = take_word(rest);
      s.version = rest;
      if (s.id.empty() || !Version::parse(s.version)) return wrong("it names no plugin");
    } else if (of == "package" && is_sha256(rest)) {
      s.package = rest;
    } else {
      return wrong("it says neither which plugin nor which package it is of");
    }
    rest = line();
    if (take_word(rest) != "publisher" || rest.empty() || !is_printable(rest)) return wrong("it names no publisher");
    s.publisher = rest;
    rest = line();
    if (take_word(rest) != "key" || !is_sha256(rest)) return wrong("it names no key");
    s.key = rest;
    size_t end = at_;
    for (rest = line(); rest.starts_with("file "); end = at_, rest = line()) {
      auto file = file_of(rest);
      if (!file || (!s.files.empty() && s.files.back().path >= file->path))
        return wrong(fmt::format("line {} is no file, or not in order", line_));
      s.files.push_back(std::move(*file));
    }
    if (s.package.empty() == s.files.empty()) return wrong("it has no files");
    if (take_word(rest) != "signature" || at_ != text_.size()) return wrong("it does not end with its signature");
    if (!is_signature(s.key, text_.substr(0, end), rest)) return wrong("its text was not signed by its key");
    return s;
  }

private:
  static Unexpected<std::string> wrong(std::string why) { return Unexpected{std::move(why)}; }
  // Without its newline; empty where there is none.
  std::string_view line() {
    ++line_;
    const size_t end = text_.find('\n', at_);
    if (end == std::string_view::npos) return {};
    const std::string_view found = text_.substr(at_, end - at_);
    at_ = end + 1;
    return found;
  }

  std::string_view text_;
  size_t at_ = 0, line_ = 0;
};

} // namespace

const std::string *Statement::digest_of(std::string_view path) const {
  const auto at =
      std::ranges::lower_bound(files, path, {}, [](const SignedFile &f) { return std::string_view(f.path); });
  return at != files.end() && at->path == path ? &at->sha256 : nullptr;
}

std::string package_signature(const std::string &package) {
  std::string path = package;
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path + ".sig";
}

std::string file_lines(const std::vector<SignedFile> &files) {
  std::string text;
  for (const SignedFile &file : files) text += fmt::format("file {} {}\n", file.sha256, file.path);
  return text;
}

std::optional<SignedFile> file_of(std::string_view line) {
  if (take_word(line) != "file") return std::nullopt;
  const std::string_view digest = take_word(line);
  if (!is_sha256(digest) || !is_beneath(line) || !is_printable(line)) return std::nullopt;
  return SignedFile{std::string(line), std::string(digest)};
}

std::string signature_text(const Statement &s, const PrivateKey &key) {
  std::string text = fmt::format("{}\n", first_line);
  text += s.package.empty() ? fmt::format("plugin {} {}\n", s.id, s.version) : fmt::format("package {}\n", s.package);
  text += fmt::format("publisher {}\nkey {}\n", s.publisher, key.public_key()) + file_lines(s.files);
  const std::string signature = key.sign(text);
  return text + fmt::format("signature {}\n", signature);
}

Expected<Statement, std::string> read_signature(std::string_view text) { return SignatureReader(text).read(); }

bool may_run(const Manifest &manifest, std::string_view path) {
  if (path == manifest_name || path == manifest.library.value || is_library(path)) return true;
  if (manifest.python_module.value.empty()) return false;
  const std::string &within = manifest.python_path.value;
  if (path == within) return true; // no folder, as it should be: an archive, which Python imports from as well
  if (!(path.ends_with(".py") || path.ends_with(".pyc"))) return false;
  if (path.starts_with("__pycache__/") || path.find("/__pycache__/") != std::string_view::npos) return false;
  return within == "." || path.starts_with(within + "/");
}

namespace {

// What runs of what is there. A link to a folder is among it: what lies behind it is not looked through.
std::vector<std::string> running(const Manifest &manifest, const std::string &folder) {
  std::vector<std::string> paths;
  const auto tree = list_tree(folder);
  if (!tree) return paths;
  for (const FolderEntry &entry : *tree)
    if (may_run(manifest, entry.name) ||
        (entry.kind == FolderEntry::Kind::link && is_folder(join_path(folder, entry.name))))
      paths.push_back(entry.name);
  return paths;
}

} // namespace

std::vector<SignedFile> signed_files(const Manifest &manifest) {
  std::vector<SignedFile> files;
  const std::string folder = manifest.folder.empty() ? "." : manifest.folder;
  for (const std::string &path : running(manifest, folder)) {
    if (path == manifest_name) {
      files.push_back({path, sha256(manifest.source->text)});
    } else if (const auto bytes = read_beneath(folder, path)) {
      files.push_back({path, sha256(*bytes)});
    }
  }
  std::ranges::sort(files, {}, &SignedFile::path);
  return files;
}

std::string difference(const Statement &statement, const Manifest &manifest, const std::string &library_sha256,
                       bool without_library) {
  const std::string folder = manifest.folder.empty() ? "." : manifest.folder;
  for (const SignedFile &file : statement.files) {
    std::string now;
    if (file.path == manifest_name) {
      now = sha256(manifest.source->text);
    } else if (file.path == manifest.library.value && (without_library || !library_sha256.empty())) {
      now = without_library ? file.sha256 : library_sha256;
    } else if (without_library && is_library(file.path)) {
      continue;
    } else if (const auto bytes = read_beneath(folder, file.path)) {
      now = sha256(*bytes);
    } else {
      return fmt::format("`{}` is not there", file.path);
    }
    if (now != file.sha256) return fmt::format("`{}` was changed", file.path);
  }
  if (!statement.digest_of(manifest_name)) return fmt::format("`{}` was added", manifest_name);
  for (const std::string &path : running(manifest, folder))
    if (!statement.digest_of(path)) return fmt::format("`{}` was added", path);
  return "";
}

} // namespace htp

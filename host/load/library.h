// host/load/library.h — one plugin's library: the file checked, then opened.
#pragma once

#include "host/base/fd.h"
#include "host/load/digests.h"
#include "host/load/elf.h"
#include "host/load/mapped.h"
#include "host/load/plugin.h"
#include "host/load/step.h"

#include <sys/stat.h>

#include <optional>

namespace htp {

// What dlopen said, told apart.
void report_open_failure(const Manifest &manifest, const ElfFacts &facts, std::string_view message,
                         Diagnostics &diagnostics);

void report_no_entry(const Manifest &manifest, Diagnostics &diagnostics);

class Library {
public:
  // Opens and checks the file; runs nothing of it. `failed` tells the step on an error.
  static std::optional<Library> check(const Manifest &manifest, const LoadOptions &options, FileDigests &digests,
                                      Diagnostics &diagnostics, LoadStep &failed);
  Library(Library &&) noexcept;
  Library &operator=(Library &&) noexcept;
  ~Library();

  // What was opened by its path before, with other bytes, and is still there, would be taken for it: false, and
  // reported.
  bool is_new(const Manifest &manifest, Diagnostics &diagnostics) const;
  // Opens the bytes that were checked (as far as `From` promises it): its constructors run.
  bool open(const Manifest &manifest, Diagnostics &diagnostics);
  // Whether the library left the process. One that may have left something behind that calls into it is not closed at
  // all, and one with unique symbols stays whatever one does.
  Unloaded close();
  // Once open; null when the dynamic loader does not find it, whatever the file seemed to say.
  const htp_entry *entry() const;

  const std::string &sha256() const { return sha256_; }
  const ElfFacts &facts() const { return facts_; }
  const std::string &path() const { return path_; }      // what to give dlopen
  int descriptor() const { return memory_.get(); }       // of the bytes that `path` leads to; -1: it is a file's path
  std::string_view bytes() const;                        // those that were checked, until it is opened
  const std::string &folder() const { return folder_; }  // of the manifest
  const std::string &file() const { return file_path_; } // absolute

private:
  Library() = default;
  bool unchanged() const;

  std::string plugin_; // its id, once it was opened
  std::string folder_, file_path_, sha256_;
  ElfFacts facts_;
  std::string path_;
  Fd memory_;           // holds the bytes; invalid when opened by path
  Mapped mapped_;       // of it
  std::string read_;    // the bytes, when opened by path
  struct stat file_ {}; // of the file that was checked
  void *handle_ = nullptr;
};

} // namespace htp

// host/load/audit.h — what is wrong or remarkable about libraries before anything of them runs. audit.def is the table
// of it.
#pragma once

#include "host/load/elf.h"
#include "host/load/needed.h"

#include <map>
#include <memory>
#include <span>

namespace htp {

struct AuditRule {
  const DiagInfo &kind; // its severity says what follows
  std::string_view hint;
};

struct AuditFinding {
  const AuditRule *rule;
  std::string library; // as the user knows it: the plugin's, or one that it brings
  std::string detail;
  bool refuses() const { return is_error(rule->kind.severity); }
};

std::span<const AuditRule> audit_rules(); // all of the table, in its order
Diagnostic &report(const AuditFinding &finding, Span span, Diagnostics &diagnostics);

// "`a`, `b`, `c` and 4 others"
std::string some_of(const std::vector<std::string> &names);

// Why a library will not leave the process when it is closed; empty when it will.
std::vector<std::string> why_it_stays(const ElfFacts &facts);

// The names of the known libraries (known.def) that are part of these bytes, linked in.
std::vector<std::string> linked_in(std::string_view bytes);

// One of the plugins that will be in one process.
struct SetMember {
  const Manifest *manifest;
  const ElfFacts *facts;
  std::vector<std::string> linked_in;
};
// Warns of what the plugins of a set do to each other: symbols that two export, variables that they would share, two
// copies of one known library. Both are named.
void audit_set(std::span<const SetMember> members, Diagnostics &diagnostics);

// Looks at one library after another, and keeps what it read of those that they share.
class Auditor {
public:
  Auditor();
  ~Auditor();
  // `folder` is that of the manifest, `library` its value there. In the order of the table.
  std::vector<AuditFinding> audit(const std::string &folder, const std::string &library, const ElfFacts &facts);

private:
  struct Shared;
  const Shared *shared(const std::string &path); // null: it cannot be read
  std::vector<const Shared *> scope(const std::vector<NeededLibrary> &needs);
  std::map<std::string, std::unique_ptr<Shared>> shared_;
};

} // namespace htp

// host/check/subject.h — the plugin that is being checked, and how.
#pragma once

#include "host/check/check.h"

namespace htp {

struct Subject {
  const Manifest &manifest;
  std::vector<const Manifest *> all; // it and the others found
  const CheckOptions &options;

  bool asked(const CheckInfo &check) const;
  bool asked(CheckId check) const { return asked(check_info(check)); }
  bool asked(CheckPhase phase) const;          // whether any check of it is
  bool has_kind(std::string_view kinds) const; // a unit of one of these kinds, blank separated
  bool runs() const;                           // whether anything but the manifests is looked at
};

// The checks of each phase. Those of `manifest` and `terms` run nothing and read the manifests alone.
void check_manifest(const Subject &subject, Findings &findings);
void check_pipelines(const Subject &subject, Findings &findings);

} // namespace htp

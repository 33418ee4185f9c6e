// plugins/backend-aie/analyses/cores_declared.h — what an entry declares before its cores: tensors that are padded or
// that the host makes, and channels.
#pragma once

#include "analyses/cores.h"

#include "htp_cpp/tile_program.h"

namespace htp::aie::cores {

class Declared {
public:
  Declared(const Context &context, Node root, Cores &all, Refuse refuse);

  // A statement that names something else than a tile.
  static bool declares(const TileStatement &s) { return s.is(TileStatement::Kind::call) && !s.name.empty(); }
  // Reads one; false after a report. What stands behind a process moves before it.
  bool read(const TileStatement &s, bool behind);

  std::optional<size_t> tensor(std::string_view name) const;
  // The channel of a name, or of an array of them.
  std::optional<size_t> channel(std::string_view name) const;
  std::optional<size_t> channel(std::string_view array, int64_t number) const;

private:
  bool no(Node where, const Refusal &why) const { return refuse_(where, why), false; }
  bool host_made(const TileStatement &s);
  bool padded(const TileStatement &s);
  bool channels(const TileStatement &s, bool several, bool behind);

  const Context &c;
  Names names_;
  sdk::Constants constants_;
  Node root_;
  Cores &all_;
  Refuse refuse_;
  std::map<std::string, size_t, std::less<>> tensors_;
  std::map<std::string, std::pair<size_t, int64_t>, std::less<>> arrays_; // of channels: the first, and how many
};

} // namespace htp::aie::cores

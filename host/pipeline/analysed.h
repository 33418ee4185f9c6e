// host/pipeline/analysed.h — what an analysis gave: a table node → value that owns what its values point to (R4).
#pragma once

#include "host/base/expected.h"

#include <htp/host.h>

#include <deque>
#include <string>
#include <vector>

namespace htp {

class Analysed {
public:
  void add(htp_node key, const htp_value &value);
  // After the last row: sorts. The reason, when the table is none that `values` (int, float, string, node or list, as
  // in the manifest) allows.
  Expected<const htp_table *, std::string> finish(std::string_view values);
  const htp_table &table() const { return table_; }

private:
  htp_value own(htp_value value);

  std::vector<htp_row> rows_;
  std::deque<std::string> strings_;
  std::deque<std::vector<htp_value>> lists_;
  htp_table table_{};
};

} // namespace htp

#include "htp_cpp/plugin.h"

namespace {
using namespace htp::sdk;
Result run(const Context &c, Node root, Node &out) {
  out = root;
  return c.result();
}
constexpr htp_unit units[] = {pass_unit<run>("consumer.nothing")};
constexpr htp_diag_info rows[] = {{"consumer.none", HTP_NOTE, "nothing", "Nothing."}};
} // namespace

HTP_PLUGIN("consumer", "1.0", units, rows)

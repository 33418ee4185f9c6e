#include "htp/htp.h"

static htp_status run(const htp_host *host, htp_ctx *ctx, htp_node root, htp_node *out) {
  (void)host, (void)ctx;
  *out = root;
  return HTP_OK;
}
static const htp_pass pass = {{sizeof(htp_pass), 1, HTP_LAYOUT_PASS}, run};
static const htp_unit units[] = {{HTP_EXT_PASS, "consumer.nothing", &pass}};
HTP_PLUGIN_NOTE("consumer", "1.0");
const htp_entry htp_plugin_entry = {
    {sizeof(htp_entry), 1, HTP_LAYOUT_ALL}, HTP_ABI_MAJOR, HTP_ABI_MINOR, "consumer", "1.0", units, 1, 0, NULL};

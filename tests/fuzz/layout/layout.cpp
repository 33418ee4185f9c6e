// Any bytes as a request for the layout algebra: it is answered, in JSON, and never ends the caller.
#include <htp/capi.h>
#include <nlohmann/json.hpp>

#include <cstdint>
#include <cstdlib>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *response = nullptr;
  const std::string request(reinterpret_cast<const char *>(data), size);
  const int status = htp_api_layout(request.c_str(), &response);
  const auto said = nlohmann::json::parse(response, nullptr, false);
  if (!said.is_object() || (status != 0) != said.contains("refused") || status > 2) std::abort();
  htp_api_free(response);
  return 0;
}

#include "tests/support/json_schema.h"

#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace htp::test {

std::vector<std::string> schema_errors(const std::string &schema_text, const std::string &instance_text) {
  const nlohmann::json schema_json = nlohmann::json::parse(schema_text),
                       instance = nlohmann::json::parse(instance_text);
  valijson::Schema schema;
  valijson::SchemaParser().populateSchema(valijson::adapters::NlohmannJsonAdapter(schema_json), schema);
  valijson::Validator validator(valijson::Validator::kStrongTypes);
  valijson::ValidationResults results;
  validator.validate(schema, valijson::adapters::NlohmannJsonAdapter(instance), &results);
  std::vector<std::string> errors;
  for (valijson::ValidationResults::Error error; results.popError(error);) {
    std::string place;
    for (const std::string &part : error.context) place += part;
    errors.push_back(place + ": " + error.description);
  }
  return errors;
}

std::string read_text(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

bool is_up_to_date(const std::string &path, const std::string &text) {
  if (const char *update = std::getenv("HTP_UPDATE"); update && *update == '1')
    std::ofstream(path, std::ios::binary) << text;
  return read_text(path) == text;
}

} // namespace htp::test

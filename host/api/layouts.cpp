// htp_api_layout: the SDK's layout algebra for whoever is not C++. A row of the table is an operation; what cannot be
// said has a reason.
#include "host/api/barrier.h"

#include <htp/capi.h>
#include <htp_cpp/layout/convert.h>
#include <nlohmann/json.hpp>

#include <cstring>

namespace {

using namespace htp::layout;
using Json = nlohmann::ordered_json;
using Answer = Result<Json>;
using Ints = std::vector<int64_t>;

// What a request holds: its layouts, read, and the rest by name.
struct Request {
  const Json &json;
  std::vector<Layout> layouts;

  const Layout &one() const { return layouts.at(0); }
  const Layout &other() const { return layouts.at(1); }
  Ints ints(const char *name) const { return json.at(name).get<Ints>(); }
  std::vector<std::string> names(const char *name) const { return json.at(name).get<std::vector<std::string>>(); }
  Space mesh() const {
    Space mesh;
    for (const auto &[axis, count] : json.at("mesh").items()) mesh.emplace_back(axis, count.get<int64_t>());
    std::ranges::sort(mesh);
    return mesh;
  }
};

Answer placed(const Result<Layout> &made) {
  if (!made) return made.no();
  return Json{{"layout", write(*made)}};
}
Answer written(const Result<std::string> &text) {
  if (!text) return text.no();
  return Json{{"notation", *text}};
}

Answer inverted(const Request &r) {
  const auto inverse = invert(r.one(), r.names("axes"));
  if (!inverse) return inverse.no();
  Json space = Json::object();
  for (const auto &[axis, count] : inverse->space) space[axis] = count;
  return Json{{"layout", write(inverse->layout)}, {"space", space}};
}

Answer steps(const Request &r) {
  const auto way = relayout(r.one(), r.other(), r.ints("shape"), r.json.at("bytes").get<int64_t>());
  if (!way) return way.no();
  Json list = Json::array();
  for (const Step &step : *way)
    list.push_back({{"kind", name_of(step.kind)},
                    {"text", text_of(step)},
                    {"bytes", step.bytes},
                    {"before", write(step.before)},
                    {"after", write(step.after)}});
  return Json{{"steps", list}};
}

struct Operation {
  std::string_view name;
  size_t layouts;
  Answer (*answer)(const Request &r);
};
constexpr Operation operations[] = {
    {"compose", 2, [](const Request &r) { return placed(compose(r.one(), r.other())); }},
    {"product", 2, [](const Request &r) { return placed(product(r.one(), r.other())); }},
    {"blocked", 2,
     [](const Request &r) {
       return placed(blocked(r.one(), r.ints("outer_shape"), r.other(), r.ints("inner_shape")));
     }},
    {"invert", 1, inverted},
    {"slice", 1,
     [](const Request &r) {
       return placed(slice(r.one(), r.ints("shape"), r.ints("starts"), r.ints("extents"), r.ints("steps")));
     }},
    {"permute", 1,
     [](const Request &r) {
       return placed(permute(r.one(), r.ints("shape"), r.json.at("order").get<std::vector<size_t>>()));
     }},
    {"relayout", 2, steps},
    {"strided", 1, [](const Request &r) { return written(write_strided(r.one(), r.ints("shape"))); }},
    {"cute", 1, [](const Request &r) { return written(write_cute(r.one(), r.ints("shape"))); }},
    {"linear", 1, [](const Request &r) { return written(write_linear(r.one(), r.ints("shape"), r.names("units"))); }},
    {"shard", 1, [](const Request &r) { return written(write_shard(r.one(), r.ints("shape"), r.mesh())); }},
    {"levels", 1, [](const Request &r) { return written(write_levels(r.one())); }},
};

Answer answer(const Json &json) {
  const std::string name = json.at("operation");
  const auto row = std::ranges::find(operations, name, &Operation::name);
  if (row == std::end(operations)) throw std::invalid_argument("`" + name + "` is no operation on layouts");
  Request request{json, {}};
  for (const std::string text : json.at("layouts")) {
    const auto layout = read(text);
    if (!layout) return layout.no();
    request.layouts.push_back(*layout);
  }
  if (request.layouts.size() != row->layouts)
    throw std::invalid_argument("`" + name + "` is of " + std::to_string(row->layouts) + " layouts");
  return row->answer(request);
}

} // namespace

int htp_api_layout(const char *request, char **response) {
  const auto text = [](const Json &said) { return said.dump(-1, ' ', false, Json::error_handler_t::replace); };
  return htp::guarded(
      response,
      [&] {
        const auto bad = [&](const char *why) {
          *response = strdup(
              text({{"refused", std::string("the request is not of the form that htp/capi.h gives: ") + why}}).c_str());
          return 2;
        };
        if (!request) return bad("there is none");
        try {
          const Answer found = answer(Json::parse(request));
          *response = strdup(text(found ? *found : Json{{"refused", found.reason()}}).c_str());
          return found ? 0 : 1;
        } catch (const Json::exception &e) {
          return bad(e.what());
        } catch (const std::invalid_argument &e) {
          return bad(e.what());
        }
      },
      [&](const char *cause) {
        return text({{"refused", cause}});
      });
}

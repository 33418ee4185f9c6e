// Reading the package. Its JSON is objects, lists, strings and ints, which Python writes alike: the host's parser reads
// it.
#include "binding.h"

namespace htp::opencl {

namespace {

constexpr const char launch_path[] = "codegen/opencl/launch.json";
constexpr int deepest = 64;

class Json {
public:
  explicit Json(const Context &context) : c(context) {
    htp_str bytes{};
    if (c.host()->read_file(c.ctx(), str(launch_path), &bytes) != HTP_OK) return; // the host said why
    root_ = c.parse(view(bytes), HTP_NONE);
  }

  Node root() const { return root_; }
  Node field(Node object, std::string_view key) const {
    if (const auto dict = c.as<ast::Dict>(object))
      for (size_t k = 0; k < dict.keys().size(); ++k)
        if (std::string_view name; c.string(dict.keys()[k], &name) && name == key) return dict.values()[k];
    wrong("`" + std::string(key) + "` is missing");
    return HTP_NONE;
  }
  bool has(Node object, std::string_view key) const {
    const auto dict = c.as<ast::Dict>(object);
    return dict && std::ranges::any_of(dict.keys(), [&](Node n) {
             std::string_view name;
             return c.string(n, &name) && name == key;
           });
  }
  Nodes list(Node n) const {
    if (const auto items = c.as<ast::List>(n)) return items.elts();
    if (n) wrong("`" + c.show(n).substr(0, 40) + "` is no list");
    return {};
  }
  Nodes list(Node object, std::string_view key) const { return list(field(object, key)); }
  std::string text(Node object, std::string_view key) const {
    std::string_view value;
    const Node n = field(object, key);
    if (n && !c.string(n, &value)) wrong("`" + std::string(key) + "` is no text");
    return std::string(value);
  }
  int64_t number(Node object, std::string_view key) const {
    int64_t value = 0;
    const Node n = field(object, key);
    if (n && !c.integer(n, &value)) wrong("`" + std::string(key) + "` is no number");
    return value;
  }
  std::vector<std::string> texts(Node object, std::string_view key) const {
    std::vector<std::string> found;
    for (const Node n : list(object, key)) {
      std::string_view value;
      if (!c.string(n, &value)) wrong("`" + std::string(key) + "` has something that is no text");
      found.emplace_back(value);
    }
    return found;
  }
  Int integer(Node n, int depth = 0) const {
    Int found;
    std::string_view text;
    if (depth > deepest) return wrong("an int is too deep"), found;
    if (c.integer(n, &found.number)) return found;
    if (c.string(n, &text)) return found.name = text, found;
    const Nodes items = list(n);
    if (items.size() < 2 || !c.string(items[0], &text))
      return wrong("`" + c.show(n).substr(0, 40) + "` is no int"), found;
    found.op = text;
    for (const Node one : items.subspan(1)) found.of.push_back(integer(one, depth + 1));
    const bool three = found.op == "count", one = found.op == "not", any = found.op == "and" || found.op == "or";
    if (!any && found.of.size() != (three ? 3u : one ? 1u : 2u)) wrong("`" + found.op + "` has other operands");
    return found;
  }
  std::vector<Int> integers(Node object, std::string_view key) const {
    std::vector<Int> found;
    for (const Node n : list(object, key)) found.push_back(integer(n));
    return found;
  }
  void wrong(const std::string &what) const {
    if (c.errors() == 0) c.report(diag::bad_package, HTP_NONE, launch_path, what);
  }
  bool fine() const { return root_ && c.errors() == 0; }

private:
  const Context &c;
  Node root_ = HTP_NONE;
};

std::vector<Step> steps_of(const Json &json, Nodes all, int depth) {
  std::vector<Step> found;
  if (depth > deepest) return json.wrong("steps are too deep"), found;
  for (const Node n : all) {
    Step s;
    s.what = json.text(n, "do");
    if (s.what == "int") {
      s.name = json.text(n, "name");
      s.value = json.integer(json.field(n, "value"));
    } else if (s.what == "buffer") {
      s.name = json.text(n, "name");
      s.bytes = json.number(n, "bytes");
      s.extents = json.integers(n, "extents");
    } else if (s.what == "loop") {
      s.name = json.text(n, "name");
      s.start = json.integer(json.field(n, "start"));
      s.stop = json.integer(json.field(n, "stop"));
      s.step = json.integer(json.field(n, "step"));
      s.steps = steps_of(json, json.list(n, "steps"), depth + 1);
    } else if (s.what == "branch") {
      s.value = json.integer(json.field(n, "test"));
      s.steps = steps_of(json, json.list(n, "steps"), depth + 1);
      s.otherwise = steps_of(json, json.list(n, "otherwise"), depth + 1);
    } else if (s.what == "launch") {
      s.name = json.text(n, "kernel");
      s.extents = json.integers(n, "groups");
      s.lanes = json.number(n, "lanes");
      s.memories = json.texts(n, "memories");
      s.ints = json.texts(n, "ints");
      s.checked = json.number(n, "checked") != 0;
      if (s.extents.empty() || s.extents.size() > 3 || s.lanes < 1) json.wrong("`" + s.name + "` has no such grid");
    } else {
      json.wrong("`" + s.what + "` is nothing that a host does");
    }
    if (!json.fine()) return found;
    found.push_back(std::move(s));
  }
  return found;
}

} // namespace

std::optional<Package> read_package(const Context &c) {
  const Json json(c);
  if (!json.root()) return std::nullopt;
  Package p;
  if (json.text(json.root(), "contract") != "opencl/1") json.wrong("its contract is another");
  p.entry = json.text(json.root(), "entry");
  p.source = json.text(json.root(), "source");
  p.dims = json.texts(json.root(), "dims");
  for (const Node n : json.list(json.root(), "parameters")) {
    Parameter one{json.text(n, "name"),
                  json.text(n, "direction"),
                  json.number(n, "bytes"),
                  json.integers(n, "extents"),
                  {},
                  false};
    for (const Node step : json.has(n, "steps") ? json.list(n, "steps") : Nodes()) {
      int64_t value = 0;
      if (!c.integer(step, &value)) json.wrong("a step is no number");
      one.steps.push_back(value);
    }
    one.is_int = json.has(n, "int");
    if (!one.steps.empty() && one.steps.size() != one.extents.size())
      json.wrong("`" + one.name + "` has other steps than extents");
    if (one.bytes < 1 || one.bytes > 8)
      json.wrong("`" + one.name + "` has elements of " + std::to_string(one.bytes) + " bytes");
    p.parameters.push_back(std::move(one));
  }
  for (const Node n : json.list(json.root(), "checks"))
    p.checks.push_back(
        {json.text(n, "what"), json.text(n, "memory"), json.number(n, "place"), json.number(n, "dimension")});
  p.steps = steps_of(json, json.list(json.root(), "steps"), 0);
  return json.fine() ? std::optional(std::move(p)) : std::nullopt;
}

} // namespace htp::opencl

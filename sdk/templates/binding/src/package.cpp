// Reading the package. Its JSON is objects, lists, strings and ints, which Python writes alike: the host's parser reads
// it.
#include "my_plugin.h"

namespace htp_my_plugin {
namespace {

class Json {
public:
  Json(const Context &context, const char *path) : c(context), path_(path) {
    htp_str bytes{};
    if (c.host()->read_file(c.ctx(), str(path), &bytes) != HTP_OK) return; // the host said why
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
  Nodes list(Node object, std::string_view key) const {
    const Node n = field(object, key);
    if (const auto items = c.as<ast::List>(n)) return items.elts();
    if (n) wrong("`" + std::string(key) + "` is no list");
    return {};
  }
  // A string, or the digits of an int.
  std::string text(Node n) const {
    std::string_view value;
    int64_t number = 0;
    if (c.string(n, &value)) return std::string(value);
    if (n && c.integer(n, &number)) return std::to_string(number);
    if (n) wrong("`" + c.show(n) + "` is neither text nor a number");
    return {};
  }
  std::vector<std::string> texts(Node object, std::string_view key) const {
    std::vector<std::string> result;
    for (const Node n : list(object, key)) result.push_back(text(n));
    return result;
  }
  void wrong(const std::string &what) const {
    if (c.errors() == 0) c.report(diag::bad_package, HTP_NONE, path_, what).hint("compile the package again");
  }

private:
  const Context &c;
  const char *path_;
  Node root_ = HTP_NONE;
};

} // namespace

std::vector<Entry> read_entries(const Context &c) {
  const Json json(c, "codegen/cpu/signature.json");
  if (!json.root()) return {};
  if (json.text(json.field(json.root(), "contract")) != "cpu/1") json.wrong("its contract is another");
  std::vector<Entry> entries;
  for (const Node e : json.list(json.root(), "entries")) {
    Entry entry{json.text(json.field(e, "name")), json.text(json.field(e, "call")), json.texts(e, "dims"), {}};
    for (const Node p : json.list(e, "parameters"))
      entry.parameters.push_back({json.text(json.field(p, "name")), json.texts(p, "dims")});
    entries.push_back(std::move(entry));
  }
  if (entries.empty()) json.wrong("it has no entries");
  return c.errors() ? std::vector<Entry>{} : entries;
}

Recipe read_recipe(const Context &c) {
  const Json json(c, "build/recipe.json");
  if (!json.root()) return {};
  Recipe recipe;
  for (const std::string &flag : json.texts(json.root(), "flags"))
    if (flag.starts_with("-std=") || flag.starts_with("-ff") || flag.starts_with("-fno-") || flag.starts_with("-m") ||
        flag == "-fopenmp")
      recipe.flags.push_back(flag); // what the C means; how much it is optimised is this binding's business
  for (const std::string &path : json.texts(json.root(), "sources")) {
    htp_str bytes{};
    if (c.host()->read_file(c.ctx(), str(path), &bytes) != HTP_OK) {
      json.wrong("`" + path + "` cannot be read");
      return {};
    }
    recipe.sources.emplace_back(path.substr(path.rfind('/') + 1), view(bytes));
  }
  if (recipe.sources.empty()) json.wrong("it has no sources");
  return c.errors() ? Recipe{} : recipe;
}

} // namespace htp_my_plugin

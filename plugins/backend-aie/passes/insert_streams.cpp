// aie.insert_streams: what cores that do the same load and store of their blocks comes and goes by streams.
#include "passes.h"

#include "passes/on_cores.h"

#include "analyses/host_made.h"
#include "spreading/sharing.h"

#include "htp_cpp/edit.h"

#include "htp_cpp/writer.h"

#include <algorithm>

namespace htp::aie {

namespace {

class Streaming {
public:
  Streaming(const Kernel &kernel, const Spread &spread)
      : c(kernel.c), k_(kernel), program_(spread.program), blocks_(spread.blocks), packs_(spread.packs) {}

  Node said(const std::string &text, Node origin) const { return c.statement(c.parse(text, origin), origin); }
  Node named(const std::string &name, const std::string &text, Node origin) const {
    return c.assign(name, HTP_NONE, c.parse(text, origin), origin);
  }

  Node device() {
    core_ = c.fresh("core");
    std::vector<uint32_t> inside = made_by_host(k_);
    for (const Stream &s : program_.streams) {
      if (!s.tensor->places.empty())
        inside.push_back(named(s.tensor->name, host_made_text(*s.tensor, dtype_of(*s.tensor)), s.node));
      std::string order;
      for (const auto &[size, stride] : s.order)
        order += "(" + std::to_string(size) + ", " + std::to_string(stride) + "), ";
      inside.push_back(named(
          s.name,
          std::string(s.feeds ? "aie.feed(" : "aie.collect(") + s.tensor->name + ", " + tuple(s.tensor->padded) + ", " +
              tuple(s.part) + ", (" + order.substr(0, order.size() - (s.order.size() > 1 ? 2 : 1)) + "), " +
              std::to_string(s.apart) + ", " +
              (s.each     ? "'each'"
               : s.by_row ? "'rows'"
                          : "'all'") +
              ", " + std::to_string(s.depth) +
              (s.feeds && s.tensor->fill != Fill::zeros ? ", fill='" + std::string(fill_named(s.tensor->fill)) + "'"
                                                        : std::string()) +
              ")",
          s.node));
    }
    std::vector<uint32_t> before, after;
    const std::vector<uint32_t> step = block(k_.body, {}, before);
    for (const Stream &s : program_.streams)
      if (s.once && s.tensor->places.empty()) after.push_back(release(s));
    before.insert(before.end(), step.begin(), step.end());
    before.insert(before.end(), after.begin(), after.end());
    inside.push_back(c.make(make::For{.target = c.name(core_, k_.function, HTP_STORE),
                                      .iter = c.parse("aie.cores()", k_.function),
                                      .body = before},
                            k_.function));
    return device_around(c, {.device = program_.device, .columns = program_.columns, .rows = program_.rows},
                         std::move(inside), k_.function);
  }

  // The statements within some loops; what is acquired there is released at their end.
  std::vector<uint32_t> block(const std::vector<Item> &items, const std::vector<int> &path,
                              std::vector<uint32_t> &before) {
    std::vector<uint32_t> out;
    for (const Item &item : items) {
      if (item.loop < 0) {
        statement(item.node, before, out);
        continue;
      }
      std::vector<int> inside = path;
      inside.push_back(item.loop);
      const std::vector<uint32_t> body = block(item.body, inside, before);
      const Loop &l = k_.loop(item.loop);
      const int64_t times = k_.rounds(item.loop, program_.columns, program_.rows);
      if (times == 1) {
        out.insert(out.end(), body.begin(), body.end());
        continue;
      }
      out.push_back(c.make(make::For{.target = c.name(l.name, item.node, HTP_STORE),
                                     .iter = c.parse("range(" + std::to_string(times) + ")", item.node),
                                     .body = body},
                           item.node));
    }
    for (const Stream &s : program_.streams) {
      const bool here = std::any_of(k_.accesses.begin(), k_.accesses.end(),
                                    [&](const Access &x) { return x.stream == s.name && x.path == path; });
      const bool packed = !s.tensor->places.empty();
      const bool direct =
          packed && std::any_of(packs_.begin(), packs_.end(), [&](const Pack &p) {
            return p.stream == s.name && std::any_of(p.turns.begin(), p.turns.end(),
                                                     [&](const Turn &t) { return t.direct && t.path == path; });
          });
      if (packed ? direct : !s.once && here) out.push_back(release(s));
    }
    return out;
  }
  Node release(const Stream &s) const { return said("aie.release(" + s.name + ", " + core_ + ")", s.node); }

  void acquire(const std::string &name, const Access &a, std::vector<uint32_t> &out) {
    out.push_back(named(name, "aie.acquire(" + a.stream + ", " + core_ + ")", a.node));
  }
  std::string_view target_of(const Access &a) const {
    return c.name_of(c.get<ast::Call>(c.get<ast::Expr>(a.node).value()).args()[0]);
  }
  // How the program spells the dtype of what is packed: as one of its tiles does, or as HTP's own.
  std::string dtype_of(const Parameter &room) const {
    for (const auto &[name, b] : k_.buffers)
      if (k_.dtype_of(b) == room.dtype) return c.show(b.dtype);
    return "htp." + std::string(room.dtype->word);
  }
  const Pack *packed(const Access &a) const {
    const auto it = std::find_if(packs_.begin(), packs_.end(), [&](const Pack &p) { return p.stream == a.stream; });
    return a.stores || it == packs_.end() ? nullptr : &*it;
  }
  const Pack *pack_of(std::string_view tile) const {
    for (const Access &a : k_.accesses)
      if (const Pack *pack = packed(a); pack && target_of(a) == tile) return pack;
    return nullptr;
  }
  // Whether a tile of a pack is the part itself.
  bool is_direct(const Pack &pack, std::string_view tile) const {
    return std::any_of(pack.turns.begin(), pack.turns.end(),
                       [&](const Turn &t) { return t.direct && target_of(k_.accesses[t.pieces[0].access]) == tile; });
  }
  Node buffer(const std::string &name, Node origin) const {
    std::string text = "aie.buffer(" + c.show(k_.buffers.at(name).dtype);
    for (const int64_t e : extents_of(k_, blocks_, name)) text += ", " + std::to_string(e);
    return named(name, text + ")", origin);
  }
  void unpack(const Pack &pack, Node at, std::vector<uint32_t> &out) {
    const auto t =
        std::find_if(pack.turns.begin(), pack.turns.end(), [&](const Turn &turn) { return turn.node == at; });
    if (t == pack.turns.end()) return;
    const Access &first = k_.accesses[t->pieces[0].access];
    if (t->direct) {
      acquire(std::string(target_of(first)), first, out);
      return;
    }
    const std::string part = c.fresh(pack.room + "_part");
    acquire(part, first, out);
    for (const Turn::Piece &piece : t->pieces) {
      const Access &a = k_.accesses[piece.access];
      const std::string name(target_of(a));
      if (made_.insert(name).second) out.push_back(buffer(name, a.node));
      out.push_back(said("aie.unpack(" + name + ", " + part + ", " + std::to_string(piece.at) + ")", a.node));
    }
    out.push_back(said("aie.release(" + pack.stream + ", " + core_ + ")", at));
  }
  void statement(Node s, std::vector<uint32_t> &before, std::vector<uint32_t> &step) {
    if (auto a = c.as<ast::Assign>(s)) {
      const std::string name(c.name_of(a.targets()[0]));
      if (!k_.alias_of(name).empty()) return;
      if (const Pack *pack = pack_of(name)) {
        if (!pack->once && !is_direct(*pack, name) && made_.insert(name).second) step.push_back(buffer(name, s));
        return;
      }
      if (!k_.is_part(name)) {
        step.push_back(buffer(name, s));
      } else if (const Access *stored = k_.loaded(name) ? nullptr : k_.store_of(name)) {
        acquire(name, *stored, step);
      }
      return;
    }
    const auto at = std::find_if(k_.accesses.begin(), k_.accesses.end(), [&](const Access &a) { return a.node == s; });
    if (at == k_.accesses.end()) {
      if (!blocks_.products.contains(s)) {
        step.push_back(renamed(s));
        return;
      }
      auto k = c.get<ast::Call>(c.get<ast::Expr>(renamed(s)).value());
      step.push_back(said("aie.mmul(" + join(k.args(), ", ", [&](Node n) { return c.show(n); }) + ")", s));
      return;
    }
    auto k = c.get<ast::Call>(c.get<ast::Expr>(s).value());
    if (at->stores) {
      const std::string given = c.show(k.args()[1]), other = k_.alias_of(given), from = other.empty() ? given : other;
      if (k_.is_part(from) && !k_.loaded(from)) return; // it was computed there
      const std::string part = c.fresh(k_.parameters[at->tensor].name + "_part");
      acquire(part, *at, step);
      step.push_back(
          said("aie." + std::string(k_.buffers.contains(from) ? "copy" : "fill") + "(" + part + ", " + from + ")", s));
      return;
    }
    if (const Pack *pack = packed(*at)) return unpack(*pack, s, pack->once ? before : step);
    const std::string name(c.name_of(k.args()[0]));
    const bool once = std::any_of(program_.streams.begin(), program_.streams.end(),
                                  [&](const Stream &x) { return x.name == at->stream && x.once; });
    std::string &part = parts_[at->stream];
    if (k_.is_part(name)) {
      part = name;
      acquire(name, *at, once ? before : step);
      return;
    }
    if (!k_.alias_of(name).empty()) return;
    if (part.empty()) acquire(part = c.fresh(k_.parameters[at->tensor].name + "_part"), *at, once ? before : step);
    step.push_back(said("aie.copy(" + name + ", " + part + ")", s));
  }
  Node renamed(Node s) const {
    return rewrite(
        c, s,
        [&](Node n) {
          auto name = c.as<ast::Name>(n);
          const std::string other =
              name && name.ctx() == HTP_LOAD ? k_.alias_of(std::string(name.id())) : std::string();
          return other.empty() ? n : c.name(other, n);
        },
        [](Node, std::vector<uint32_t> &) { return false; });
  }

  const Context &c;
  const Kernel &k_;
  const Program &program_;
  const Blocks &blocks_;
  const std::vector<Pack> &packs_;
  std::set<std::string, std::less<>> made_; // tiles of what is packed that have room already
  std::map<std::string, std::string> parts_;
  std::string core_;
};

} // namespace

Result insert_streams(const Context &c, Node root, Node &out) {
  out = root;
  const Node function = c.entry_function(root);
  Kernel kernel(c, root, function);
  const auto on = function ? on_device(c, kernel.names, function) : std::nullopt;
  if (!on || !loads_tensors(c, kernel.names, *on)) return HTP_OK;
  const auto unused = [](std::string_view path) {
    return path == "htp_tile" || path.starts_with("htp_tile.") || path == "htp_csp" || path.starts_with("htp_csp.");
  };
  if (on->named) {
    cores::Cores all;
    if (!cores::read(c, root, function, {.choices = on->choices}, all)) return HTP_FAILED;
    out = drop_unused_imports(c, with_statement(c, root, function, cores::with_streams(c, function, *on, all)), unused);
    return c.result();
  }
  const Device *device = device_named(on->device);
  if (!device || !read_kernel(kernel)) {
    if (!device)
      c.report(diag::unknown_device, on->said, on->device);
    else if (!c.errors())
      kernel.refused->why.report(c, kernel.refused->where);
    return HTP_FAILED;
  }
  Exceeded full;
  const auto shared = share(kernel, *device, {.columns = on->columns, .rows = on->rows, .exactly = true}, full);
  if (!shared) {
    if (!c.errors()) report(c, full, function);
    return HTP_FAILED;
  }
  const Node made = with_body(c, function, Streaming(kernel, *shared).device());
  out = drop_unused_imports(c, with_statement(c, root, function, made), unused);
  return c.result();
}

} // namespace htp::aie

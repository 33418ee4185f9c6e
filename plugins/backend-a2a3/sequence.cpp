#include "sequence.h"

#include "htp_cpp/constants.h"
#include "htp_cpp/edit.h"
#include "htp_cpp/imports.h"
#include "htp_cpp/loops.h"
#include "htp_cpp/types.h"

#include <algorithm>
#include <map>
#include <set>

namespace htp::a2a3 {

namespace {

using Renaming = std::map<std::string, std::string, std::less<>>;

// A put or a get, and the loops around it in its process, the outermost first.
struct Use {
  Node statement = HTP_NONE, call = HTP_NONE;
  size_t process = 0;
  std::vector<Node> loops = {};
};
struct Channel {
  Node statement = HTP_NONE, dtype = HTP_NONE;
  std::vector<Use> puts, gets;
  Node load = HTP_NONE; // the statement that loads what is put, where that is all that is done with it
};

class Sequence {
public:
  Sequence(const Context &context, Node root, Node function)
      : c(context), names_(context, root), constants_(context, root), root_(root), function_(function),
        imports_(context, root, {}) {}

  Node run() {
    auto f = c.read<ast::FunctionDef>(function_);
    std::vector<uint32_t> body;
    for (const Node s : f.body) {
      auto a = c.as<ast::AnnAssign>(s);
      const std::string called = a ? names_.called(a.value()) : std::string();
      if (called == "htp_csp.channel")
        channels_[std::string(c.name_of(a.target()))] = {s, c.get<ast::Call>(a.value()).args()[0], {}, {}, HTP_NONE};
      else if (called == "htp_csp.event")
        events_.insert(std::string(c.name_of(a.target())));
      else if (c.is(s, HTP_FunctionDef))
        processes_.push_back(s);
      else
        body.push_back(s);
    }
    if (processes_.empty()) return root_;
    before_.resize(processes_.size());
    for (size_t p = 0; p < processes_.size(); ++p) {
      if (c.get<ast::FunctionDef>(processes_[p]).args() &&
          !c.get<ast::arguments>(c.get<ast::FunctionDef>(processes_[p]).args()).args().empty())
        return refuse(processes_[p], "a process in many places");
      std::vector<Node> loops;
      if (!read(c.get<ast::FunctionDef>(processes_[p]).body(), p, loops)) return HTP_NONE;
    }
    for (auto &[name, channel] : channels_)
      if (!connect(name, channel, body)) return HTP_NONE;
    for (const size_t p : sorted()) {
      const std::vector<uint32_t> more = block(c.get<ast::FunctionDef>(processes_[p]).body());
      body.insert(body.end(), more.begin(), more.end());
    }
    if (c.errors()) return HTP_NONE;
    f.body = body;
    std::erase_if(f.decorator_list, [&](Node d) {
      auto call = c.as<ast::Call>(d);
      return names_.qualified(call ? call.func() : d) == "htp_csp.pipeline";
    });
    return drop_unused_imports(c, imports_.apply(with_statement(c, root_, function_, c.with(function_, f))),
                               [](std::string_view path) { return path.starts_with("htp_csp"); });
  }

private:
  Node refuse(Node where, const std::string &what) {
    c.report(diag::unsupported_form, where, what);
    return HTP_NONE;
  }

  // ── reading ──

  bool read(Nodes statements, size_t process, std::vector<Node> &loops) {
    for (const Node s : statements) {
      if (auto l = c.as<ast::For>(s)) {
        loops.push_back(s);
        if (!read(l.body(), process, loops)) return false;
        loops.pop_back();
        continue;
      }
      auto a = c.as<ast::AnnAssign>(s);
      auto b = c.as<ast::Assign>(s);
      auto e = c.as<ast::Expr>(s);
      if (!a && !b && !e) {
        bool uses = false;
        c.each(s, [&](Node n) { uses |= names_.called(n).starts_with("htp_csp."); });
        if (uses) return refuse(s, "channels within `" + c.show(s).substr(0, c.show(s).find('\n')) + "`");
        continue;
      }
      const Node value = a ? a.value() : b ? b.value() : e.value();
      const std::string called = names_.called(value);
      if (!called.starts_with("htp_csp.")) continue;
      const std::string name(c.name_of(c.get<ast::Call>(value).args()[0]));
      if (called == "htp_csp.signal" && events_.contains(name)) {
        signalled_[name].push_back(process);
      } else if (called == "htp_csp.meet" && events_.contains(name)) {
        met_[name].push_back(process);
      } else if (const auto it = channels_.find(name);
                 it != channels_.end() && ((called == "htp_csp.put" && e) || (called == "htp_csp.get" && a))) {
        (e ? it->second.puts : it->second.gets).push_back({s, value, process, loops});
        channel_of_[s] = name;
      } else {
        return refuse(s, "`" + c.show(value) + "`");
      }
    }
    return true;
  }

  // ── the order ──

  // Processes behind those that they get from or meet, else as they stand.
  std::vector<size_t> sorted() {
    for (const auto &[name, channel] : channels_) before_[channel.gets[0].process].insert(channel.puts[0].process);
    for (const auto &[name, meeting] : met_)
      for (const size_t m : meeting) before_[m].insert(signalled_[name].begin(), signalled_[name].end());
    std::vector<size_t> order;
    std::set<size_t> done;
    while (order.size() < processes_.size()) {
      const size_t had = order.size();
      for (size_t p = 0; p < processes_.size(); ++p)
        if (!done.contains(p) && std::includes(done.begin(), done.end(), before_[p].begin(), before_[p].end())) {
          order.push_back(p);
          done.insert(p);
          break;
        }
      if (order.size() > had) continue;
      size_t left = 0;
      while (done.contains(left)) ++left;
      refuse(processes_[left], "processes that get from each other");
      break;
    }
    return order;
  }

  // ── channels ──

  // Memory for what is put, at the places that the loops around say; or the load that is put.
  bool connect(const std::string &name, Channel &channel, std::vector<uint32_t> &body) {
    if (channel.puts.size() != 1 || channel.gets.size() != 1)
      return refuse(channel.statement,
                    "a channel that is put into, or got from, at more places of the program than one");
    const Use &put = channel.puts[0], &get = channel.gets[0];
    Renaming &renamed = renamed_[name];
    bool equal = put.loops.size() == get.loops.size();
    for (size_t k = 0; equal && k < put.loops.size(); ++k) {
      auto a = c.get<ast::For>(put.loops[k]), b = c.get<ast::For>(get.loops[k]);
      equal = with_names(range_of(put.loops[k]), renamed) == c.show(range_of(get.loops[k]));
      renamed[std::string(c.name_of(a.target()))] = c.name_of(b.target());
    }
    if (!equal) return refuse(get.statement, "a channel that is got from in other loops than it is put into");
    if (forwards(channel, renamed)) return true;

    std::vector<uint32_t> extents{copy_of(c, channel.dtype, channel.statement)};
    std::string written, read;
    const auto place = [&](const std::string &dim, const std::string &index) {
      extents.push_back(c.parse(dim, channel.statement));
      const Node at = c.parse(index, channel.statement);
      places_[name].push_back({index, with_names(at, renamed)});
    };
    const Nodes operands = c.get<ast::Call>(put.call).args();
    for (const Node l : put.loops) {
      const std::string variable(c.name_of(c.get<ast::For>(l).target()));
      const Nodes a = c.get<ast::Call>(range_of(l)).args();
      if (std::any_of(operands.begin() + 2, operands.end(), [&](Node e) { return is_of(e, variable, put); })) continue;
      if (!is_blocks(l)) {
        if (a.size() != 1) return refuse(l, "a channel in a loop that does not begin at 0");
        place(c.show(a[0]), variable);
      } else {
        const auto size = constants_.integer(a[1]), of = constants_.integer(a[0]);
        if (!size || *size < 1) return refuse(l, "a channel in a loop over blocks whose size is not known");
        const std::string n = std::to_string(*size), whole = whole_of(c.show(a[0]), put);
        place(of          ? std::to_string((*of + *size - 1) / *size)
              : *size > 1 ? "(" + whole + " + " + std::to_string(*size - 1) + ") // " + n
                          : whole,
              variable + ".start // " + n);
      }
    }
    for (const Node e : operands.subspan(2)) {
      const std::string text = c.show(e), whole = whole_of(text, put);
      place(whole, text == whole ? module() + ".whole" : text);
    }
    const Node of = channel.statement;
    const Node type = c.make(make::Subscript{.value = c.path(module() + ".Tensor", of),
                                             .slice = c.make(make::Tuple{.elts = extents, .ctx = HTP_LOAD}, of),
                                             .ctx = HTP_LOAD},
                             of);
    std::vector<uint32_t> sizes;
    for (const Node e : extents) sizes.push_back(copy_of(c, e, of));
    body.push_back(c.assign(name, type, c.call(module() + ".buffer", std::move(sizes), of), of));
    return true;
  }
  std::string module() { return imports_.module("htp_tile", "tile"); }
  Node range_of(Node loop) const { return loop_forms(c, names_, c.get<ast::For>(loop).iter()).range; }
  bool is_blocks(Node loop) const { return names_.called(range_of(loop)) == "htp_tile.tiles"; }
  std::string with_names(Node n, const Renaming &renamed) const {
    return c.show(rewrite(
        c, n,
        [&](Node e) {
          const auto it = c.is(e, HTP_Name) ? renamed.find(c.name_of(e)) : renamed.end();
          return it == renamed.end() ? e : c.name(it->second, e);
        },
        [](Node, std::vector<uint32_t> &) { return false; }));
  }
  // The loop of a put's that a name is the variable of.
  Node loop_of(std::string_view name, const Use &put) const {
    for (const Node l : put.loops)
      if (c.name_of(c.get<ast::For>(l).target()) == name) return l;
    return HTP_NONE;
  }
  // What a block is a block of, through the loops over blocks of blocks.
  std::string whole_of(const std::string &extent, const Use &put) const {
    const Node l = loop_of(extent, put);
    return l && is_blocks(l) ? whole_of(c.show(c.get<ast::Call>(range_of(l)).args()[0]), put) : extent;
  }
  bool is_of(Node extent, const std::string &variable, const Use &put) const {
    for (std::string name(c.name_of(extent)); !name.empty();) {
      if (name == variable) return true;
      const Node l = loop_of(name, put);
      name = l && is_blocks(l) ? std::string(c.name_of(c.get<ast::Call>(range_of(l)).args()[0])) : std::string();
    }
    return false;
  }

  // Whether what is put is a place of an input, which can be loaded where it is got as well.
  bool forwards(Channel &channel, const Renaming &renamed) {
    const Use &put = channel.puts[0];
    const std::string value(c.name_of(c.get<ast::Call>(put.call).args()[1]));
    unsigned bound = 0, used = 0;
    Node load = HTP_NONE;
    c.each(processes_[put.process], [&](Node n) {
      auto a = c.as<ast::AnnAssign>(n);
      if (a && c.name_of(a.target()) == value) load = n;
      auto name = c.as<ast::Name>(n);
      if (name && name.id() == value) ++(name.ctx() == HTP_STORE ? bound : used);
    });
    auto a = c.as<ast::AnnAssign>(load);
    if (value.empty() || bound != 1 || used != 1 || !a || names_.called(a.value()) != "htp_tile.load") return false;
    auto call = c.get<ast::Call>(a.value());
    if (!call.keywords().empty() || !is_input(c.name_of(call.args()[0]))) return false;
    for (const Node i : call.args().subspan(1)) {
      bool known = true;
      c.each(i, [&](Node n) {
        const auto name = c.name_of(n);
        if (c.is(n, HTP_Name) && !loop_of(name, put) && !is_module_level(name)) known = false;
      });
      if (!known) return false;
    }
    const auto extents = [&](Node statement, const Renaming &names) {
      std::string text;
      if (const auto type = read_type(c, c.get<ast::AnnAssign>(statement).annotation()))
        for (const Extent &e : type->extents) {
          const auto it = names.find(e.name);
          text += (it == names.end() ? e.text() : it->second) + ", ";
        }
      return text;
    };
    if (extents(load, renamed) != extents(channel.gets[0].statement, {})) return false;
    channel.load = load;
    dropped_.insert(load);
    return true;
  }
  bool is_input(std::string_view name) const {
    for (const Node n : c.get<ast::arguments>(c.get<ast::FunctionDef>(function_).args()).args())
      if (auto p = c.get<ast::arg>(n); p.arg() == name) {
        auto s = c.as<ast::Subscript>(p.annotation());
        return s && names_.qualified(s.value()) == "htp.In";
      }
    return false;
  }
  bool is_module_level(std::string_view name) const {
    bool local = false;
    c.each(function_, [&](Node n) {
      if (auto v = c.as<ast::Name>(n); v && v.ctx() == HTP_STORE) local |= v.id() == name;
    });
    return !local;
  }

  // ── statements ──

  // What is left of a process, without loops in which nothing is.
  std::vector<uint32_t> block(Nodes statements) {
    std::vector<uint32_t> out;
    for (const Node s : statements) {
      if (auto l = c.as<ast::For>(s)) {
        const std::vector<uint32_t> inner = block(l.body());
        if (!inner.empty()) out.push_back(with_list(c, s, HTP_FIELD(For, body), inner));
        continue;
      }
      auto e = c.as<ast::Expr>(s);
      const std::string called = e ? names_.called(e.value()) : std::string();
      if (dropped_.contains(s) || called == "htp_csp.signal" || called == "htp_csp.meet" ||
          (e && c.is(e.value(), HTP_Constant)) || c.is(s, HTP_Pass))
        continue;
      const auto it = channel_of_.find(s);
      if (it == channel_of_.end())
        out.push_back(s);
      else
        transfer(s, it->second, out);
    }
    return out;
  }
  void transfer(Node s, const std::string &name, std::vector<uint32_t> &out) {
    const Channel &channel = channels_.at(name);
    const bool put = c.is(s, HTP_Expr);
    if (channel.load) {
      if (!put)
        out.push_back(
            with_slot(c, s, HTP_FIELD(AnnAssign, value),
                      c.parse(with_names(c.get<ast::AnnAssign>(channel.load).value(), renamed_.at(name)), s)));
      return;
    }
    std::vector<uint32_t> operands{c.name(name, s)};
    if (put) operands.push_back(copy_of(c, c.get<ast::Call>(channel.puts[0].call).args()[1], s));
    for (const auto &[written, read] : places_.at(name)) operands.push_back(c.parse(put ? written : read, s));
    const Node call = c.call(module() + (put ? ".store" : ".load"), std::move(operands), s);
    out.push_back(put ? c.statement(call, s) : with_slot(c, s, HTP_FIELD(AnnAssign, value), call));
  }

  const Context &c;
  Names names_;
  sdk::Constants constants_;
  Node root_, function_;
  Imports imports_;
  std::vector<Node> processes_;
  std::vector<std::set<size_t>> before_; // processes before each
  std::map<std::string, Channel, std::less<>> channels_;
  std::set<std::string, std::less<>> events_;
  std::map<std::string, std::vector<size_t>, std::less<>> signalled_, met_;
  std::map<Node, std::string> channel_of_;
  std::map<std::string, Renaming, std::less<>> renamed_; // loop variables of the put's, as they are called at the get
  std::map<std::string, std::vector<std::pair<std::string, std::string>>, std::less<>> places_; // at the put, and get
  std::set<Node> dropped_;
};

} // namespace

Node with_processes_in_turn(const Context &c, Node root) { return Sequence(c, root, c.entry_function(root)).run(); }

} // namespace htp::a2a3

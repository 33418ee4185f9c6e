// A stage after aie.spread, read back: everything that a core does fits what it is done with.
#include "analyses/external.h"
#include "analyses/host_made.h"

#include "htp_cpp/tile_program.h"

#include <algorithm>
#include <map>
#include <set>

namespace htp::aie {

namespace {

class ProgramReader {
public:
  ProgramReader(const Context &context, Node root, Program &program, const Refuse &refuse)
      : c(context), names_(context, root), constants_(context, root), root_(root), p(program), refuse_(refuse),
        calls_(context, names_, constants_, root, program, refuse_) {}

  bool run(Node function) {
    p.name = std::string(c.get<ast::FunctionDef>(function).name());
    p.node = function;
    if (!read_parameters(c, root_, function, p.parameters, refuse_)) return false;
    for (Parameter &q : p.parameters) tensors_[q.name] = &q;
    const auto program = read_open_program(
        c, root_, [&](Node where, const std::string &) { no(where, diag::core_statement, c.show(where)); });
    if (!program) return false;
    const TileStatement *device = nullptr;
    for (const TileStatement &s : program->body) {
      if (device || !s.is(Kind::scope)) return no(s.node, diag::beside_device, c.show(s.node));
      device = &s;
    }
    if (!device || !device->call) return no(device ? device->node : function, diag::no_device, p.name);
    if (!occupied(device->call)) return false;
    for (const TileStatement &s : device->body) {
      if (!p.cores.empty() && (p.alike || !s.is(Kind::function))) return no(s.node, diag::behind_cores, c.show(s.node));
      if (s.is(Kind::loop)) {
        auto l = c.get<ast::For>(s.node);
        core_ = std::string(c.name_of(l.target()));
        if (names_.called(l.iter()) != "htp_aie.cores" || core_.empty() || !l.orelse().empty())
          return no(l.iter(), diag::cores_loop, c.show(l.iter()));
        p.cores.emplace_back().node = s.node;
        if (!body(s.body)) return false;
      } else if (s.is(Kind::function)) {
        p.alike = false;
        if (!core(s)) return false;
      } else if (!stream(s)) {
        return false;
      }
    }
    for (const Stream &s : p.streams) {
      for (const std::string &name : s.consumers)
        if (!acquired_.contains({&s, name}))
          return no(s.node, Refusal(diag::unacquired, "`" + name + "`", s.name)
                                .with("write `aie.acquire(" + s.name + ", core)` there, or take `'" + name + "'` out"));
      if (!s.producer.empty() && !acquired_.contains({&s, s.producer}))
        return no(s.node, Refusal(diag::unacquired, "`" + s.producer + "`", s.name)
                              .with("write `aie.acquire(" + s.name + ", core)` there, or another core"));
      if (p.alike != (s.producer.empty() && s.consumers.empty()))
        return no(s.node, p.alike ? diag::core_named : diag::core_unnamed, s.name);
      if (p.alike && !acquired_.contains({&s, ""}))
        return no(s.node, Refusal(diag::unacquired, "the core", s.name)
                              .with("write `aie.acquire(" + s.name + ", core)`, or take the stream out"));
      if (!p.alike && s.reordered() && s.link.empty())
        return no(s.node, Refusal(diag::unlinked_blocks, s.name).with("give it a link: `link='" + s.name + "_rows'`"));
    }
    for (const Stream &s : p.streams)
      if (!s.link.empty() && p.leads(s) && !link_fits(p, s, refuse_)) return false;
    return !p.cores.empty() || no(device->node, diag::no_core);
  }

private:
  using Kind = TileStatement::Kind;

  // What is wrong, and what would do.
  bool no(Node where, const Refusal &why) const {
    refuse_(where, why);
    return false;
  }
  template <class... A> bool no(Node where, const DiagKind &row, const A &...arguments) const {
    return no(where, Refusal(row, arguments...));
  }
  // What a statement or an operand is not.
  bool not_a(Node where, const DiagKind &row) const { return no(where, row, c.show(where)); }
  bool occupied(Node n) {
    auto k = c.as<ast::Call>(n);
    std::string_view name;
    if (!k || names_.called(n) != "htp_aie.device" || k.args().size() != 1 || !c.string(k.args()[0], &name))
      return not_a(n, diag::device_call);
    p.device = std::string(name), p.with = n;
    for (const Node w : k.keywords()) {
      auto keyword = c.get<ast::keyword>(w);
      if (keyword.arg() == "columns") c.integer(keyword.value(), &p.columns);
      if (keyword.arg() == "rows") c.integer(keyword.value(), &p.rows);
    }
    return (p.columns > 0 && p.rows > 0) || not_a(n, diag::device_empty);
  }
  bool numbers(Node n, std::vector<int64_t> &out) { return read_extents(c, n, out, refuse_); }
  // `@aie.core(column, row)` above `def name(core: aie.Core) -> None:`
  bool core(const TileStatement &s) {
    auto f = c.get<ast::FunctionDef>(s.node);
    auto mark = f.decorator_list().size() == 1 ? c.as<ast::Call>(f.decorator_list()[0]) : c.as<ast::Call>(HTP_NONE);
    if (!mark || names_.called(f.decorator_list()[0]) != "htp_aie.core" || s.parameters.size() != 1)
      return no(s.node, diag::not_core, s.name);
    if (p.core_named(s.name)) return no(s.node, diag::defined_twice, s.name);
    Core &made = p.cores.emplace_back();
    made.name = s.name;
    made.node = s.node;
    if (mark.args().size() == 2) {
      if (!c.integer(mark.args()[0], &made.column) || !c.integer(mark.args()[1], &made.row) || made.column < 0 ||
          made.column >= p.columns || made.row < 2 || made.row >= p.rows + 2)
        return no(f.decorator_list()[0], diag::core_outside, made.name, made.column, made.row, p.device, p.columns - 1,
                  p.rows + 1);
      for (const Core &other : p.cores)
        if (&other != &made && other.column == made.column && other.row == made.row)
          return no(f.decorator_list()[0], diag::same_tile, made.name, other.name);
    } else if (!mark.args().empty()) {
      return not_a(f.decorator_list()[0], diag::core_position);
    }
    core_ = s.parameters[0];
    return body(s.body);
  }
  bool body(const std::vector<TileStatement> &statements) {
    tiles_.clear();
    held_.clear();
    if (!block(statements, p.cores.back().body, 0)) return false;
    for (const auto &[stream, held] : held_)
      if (held)
        return no(last_.at(stream), Refusal(diag::unreleased, stream->name)
                                        .with("write `aie.release(" + stream->name + ", core)` behind its last use"));
    return true;
  }

  bool stream(const TileStatement &statement) {
    const Node s = statement.node;
    const std::string_view by = called(statement);
    auto k = c.as<ast::Call>(statement.call);
    if (by == "aie.fifo" && k.args().size() == 5) return fifo(statement);
    if (by == "aie.pack" || by == "aie.counts") return host_made(s);
    if ((by != "aie.feed" && by != "aie.collect") || k.args().size() != 7) return not_a(s, diag::not_stream);
    const Nodes v = k.args();
    Stream made;
    made.node = s;
    made.name = statement.name;
    made.feeds = by == "aie.feed";
    std::vector<int64_t> pieces;
    Fill fill = Fill::zeros;
    for (const Node w : k.keywords()) {
      auto keyword = c.get<ast::keyword>(w);
      if (std::string_view link; keyword.arg() == "link" && c.string(keyword.value(), &link) && !link.empty()) {
        made.link = std::string(link);
        continue;
      }
      if (keyword.arg() == "fill" && made.feeds) {
        if (!read_fill(c, keyword.value(), fill, refuse_)) return false;
        continue;
      }
      if (keyword.arg() == "pieces") {
        if (!numbers(keyword.value(), pieces)) return false;
        continue;
      }
      int64_t *number = keyword.arg() == "start" ? &made.start : keyword.arg() == "column" ? &made.column : nullptr;
      if (!number || !c.integer(keyword.value(), number) || *number < 0 || *number > most_counted)
        return no(w, diag::stream_operand, c.show(w));
    }
    const auto tensor = tensors_.find(c.name_of(v[0]));
    if (tensor == tensors_.end()) return no(v[0], diag::not_tensor, c.show(v[0]));
    made.tensor = tensor->second;
    if (made.tensor->scalar)
      return no(v[0],
                Refusal(diag::stream_scalar, made.tensor->name)
                    .with("pack it: `" + made.tensor->name + "_packed = aie.pack(" +
                          std::string(made.tensor->dtype->name) + ", (1,), (" + made.tensor->name + ", 0, ()))`"));
    if (made.tensor->direction == (made.feeds ? "out" : "in"))
      return no(v[0], made.feeds ? diag::fed_output : diag::collected_input, made.tensor->name);
    made.dtype = made.tensor->dtype;
    std::vector<int64_t> padded;
    if (!numbers(v[1], padded) || !numbers(v[2], made.block)) return false;
    if (padded.size() != made.tensor->extents.size() ||
        (seen_.contains(made.tensor) && (padded != made.tensor->padded || pieces != made.tensor->pieces)))
      return no(v[1], diag::other_padding, made.tensor->name, "extents");
    for (size_t d = 0; d < padded.size(); ++d)
      if (padded[d] < made.tensor->extents[d])
        return no(v[1], diag::short_padding, d, made.tensor->name, made.tensor->extents[d], padded[d]);
    if (!pieces.empty() && pieces.size() != padded.size())
      return no(s, diag::pieces_rank, made.tensor->name, tuple(pieces), padded.size());
    for (size_t d = 0; d < pieces.size(); ++d)
      if (made.tensor->extents[d] % pieces[d] || padded[d] % pieces[d])
        return no(s, diag::uneven_pieces, d, made.tensor->name, made.tensor->extents[d], padded[d], pieces[d]);
    tensor->second->padded = padded;
    tensor->second->pieces = pieces;
    if (made.feeds && fed_.contains(made.tensor) && fill != made.tensor->fill)
      return no(s, diag::other_padding, made.tensor->name, "`fill`");
    if (made.feeds) tensor->second->fill = fill, fed_.insert(made.tensor);
    seen_.insert(made.tensor);
    auto order = c.as<ast::Tuple>(v[3]);
    if (!order || order.elts().empty()) return not_a(v[3], diag::not_order);
    int64_t moved = 1, last = 0;
    for (const Node e : order.elts()) {
      auto pair = c.as<ast::Tuple>(e);
      int64_t size = 0, stride = 0;
      if (!pair || pair.elts().size() != 2 || !c.integer(pair.elts()[0], &size) ||
          !c.integer(pair.elts()[1], &stride) || size < 1 || stride < 0 || size > (int64_t{1} << 32) ||
          stride > (int64_t{1} << 32))
        return not_a(e, diag::order_pair);
      made.order.push_back({size, stride});
      int64_t reach = 0;
      if (__builtin_mul_overflow(moved, size, &moved) || moved > most_counted ||
          __builtin_mul_overflow(size - 1, stride, &reach) || __builtin_add_overflow(last, reach, &last))
        return no(e, diag::order_long);
    }
    std::string_view share;
    auto several = c.as<ast::Tuple>(v[5]);
    if (!depth(v[6], made)) return false;
    if (!c.integer(v[4], &made.apart) || made.apart < 0 || made.apart > most_counted)
      return not_a(v[4], diag::column_distance);
    if ((several ? !made.feeds || several.elts().size() < 2
                 : !c.string(v[5], &share) || ((share == "all" || share == "rows") && !made.feeds)))
      return not_a(v[5], made.feeds ? diag::feed_cores : diag::collect_core);
    const bool one = share != "each" && share != "all" && share != "rows";
    made.each = share == "each";
    made.by_row = share == "rows";
    for (const Node n : several ? several.elts() : Nodes()) {
      if (!c.string(n, &share)) return not_a(n, diag::core_name);
      made.consumers.emplace_back(share);
    }
    if (made.blocked()) { // the order ends with the blocks
      const size_t n = made.order.size(), d = made.block.size();
      bool ends = n >= 4 && d >= 4;
      for (size_t e = 1; ends && e <= 4; ++e) ends = made.order[n - e].first == made.block[d - e];
      if (!ends || made.order[n - 4].second != layout::times(made.block[d - 2], made.order[n - 2].second) ||
          made.order[n - 3].second != layout::times(made.block[d - 1], made.order[n - 1].second))
        return no(v[3], diag::order_blocks, numbers_of(made.block));
    }
    if (one && made.feeds && !several) made.consumers.emplace_back(share);
    if (one && !made.feeds) made.producer = std::string(share);
    const int64_t beside = one ? made.start : made.start + made.apart * (p.transfers(made) - 1);
    const int64_t piece = count(made.block) * (made.each ? p.rows : 1), ends = last + beside;
    if (moved % piece)
      return no(v[3], Refusal(diag::order_size, moved,
                              numbers_of(made.block) +
                                  (made.each ? " for " + std::to_string(p.rows) + " cores of a column" : std::string()))
                          .with("make the product of its sizes a multiple of " + std::to_string(piece)));
    if (ends >= count(padded)) return no(v[3], diag::order_end, ends, made.tensor->name, count(padded) - 1);
    if (one && made.apart) return no(v[4], diag::named_distance, made.name);
    if (one && made.column >= p.columns) return no(s, diag::shim_outside, made.name, made.column, p.columns - 1);
    if (!one && !made.link.empty()) return no(s, diag::shared_link, made.name);
    p.streams.push_back(std::move(made));
    streams_[p.streams.back().name] = &p.streams.back();
    return true;
  }

  // A tensor that the host makes.
  bool host_made(Node s) {
    const auto tensor = [&](std::string_view name) {
      const auto it = tensors_.find(name);
      return it == tensors_.end() ? nullptr : it->second;
    };
    auto made = read_host_made(c, names_, s, tensor, refuse_);
    if (!made) return false;
    p.parameters.push_back(std::move(*made));
    tensors_[p.parameters.back().name] = &p.parameters.back();
    return true;
  }

  // `rows = aie.fifo(f32, (8, 16), 'split', 'merge', 2)`
  bool fifo(const TileStatement &s) {
    const Nodes v = c.get<ast::Call>(s.call).args();
    Stream made;
    made.node = s.node;
    made.name = s.name;
    const std::string dtype = names_.qualified(v[0]);
    made.dtype = dtype_named(dtype.substr(dtype.rfind('.') + 1));
    std::string_view producer, consumer;
    if (!made.dtype) return no(v[0], diag::stream_dtype, dtype, "streams");
    if (!numbers(v[1], made.block)) return false;
    if (!c.string(v[2], &producer) || producer.empty()) return not_a(v[2], diag::core_name);
    if (!depth(v[4], made)) return false;
    made.producer = std::string(producer);
    auto several = c.as<ast::Tuple>(v[3]);
    const Node single[] = {v[3]};
    for (const Node n : several ? several.elts() : Nodes(single)) {
      if (!c.string(n, &consumer) || consumer == producer) return not_a(n, diag::other_core);
      made.consumers.emplace_back(consumer);
    }
    p.streams.push_back(std::move(made));
    streams_[p.streams.back().name] = &p.streams.back();
    return true;
  }
  bool depth(Node n, Stream &made) const {
    return (c.integer(n, &made.depth) && made.depth >= 1 && made.depth <= 16) ||
           no(n, diag::stream_depth, c.show(n), made.name);
  }
  static std::string numbers_of(const std::vector<int64_t> &extents) {
    std::string text;
    for (const int64_t e : extents) text += (text.empty() ? "" : " by ") + std::to_string(e);
    return text;
  }

  // The intrinsic by which an assignment gives its name something.
  std::string_view called(const TileStatement &s) const {
    return c.is(s.node, HTP_Assign) && s.is(Kind::call) && s.intrinsic ? s.intrinsic->name : "";
  }
  bool block(const std::vector<TileStatement> &statements, std::vector<Statement> &out, int depth) {
    for (const TileStatement &s : statements)
      if (!statement(s, out, depth)) return false;
    return statements.empty() || calls_.whole(statements.back().node);
  }
  bool statement(const TileStatement &s, std::vector<Statement> &out, int depth) {
    Statement n{};
    n.node = s.node;
    if (s.is(Kind::loop)) return loop(s, std::move(n), out, depth);
    if (c.is(s.node, HTP_Assign)) return named(s, std::move(n), out, depth);
    const std::string_view by = c.is(s.node, HTP_Expr) && s.intrinsic ? s.intrinsic->name : "";
    if (!by.starts_with("aie.")) return not_a(s.node, diag::core_statement);
    n.name = by.substr(4);
    if (n.name == "release") {
      n.kind = Statement::Kind::release;
      if (!block_of(s, n)) return not_a(s.node, diag::release_stream);
      if (--held_[n.stream] < 0) return no(s.node, diag::unheld, n.stream->name);
      if (!calls_.pass(n)) return false;
      out.push_back(std::move(n));
      return true;
    }
    n.kind = Statement::Kind::call;
    return call(s, std::move(n), out);
  }
  bool loop(const TileStatement &s, Statement n, std::vector<Statement> &out, int depth) {
    n.kind = Statement::Kind::loop;
    const TileLoop &l = s.loop;
    const auto times = l.stop.constant();
    if (l.other || l.blocks || !l.forms.wrappers.empty() || l.start != IntExpr(0) || l.step != IntExpr(1) || !times ||
        *times < 1 || *times > most_counted)
      return not_a(c.get<ast::For>(s.node).iter(), diag::loop_range);
    n.name = l.name, n.times = *times;
    const auto before = held_;
    const auto around = turns_.insert_or_assign(n.name, n.times);
    if (!around.second) return no(s.node, diag::defined_twice, n.name);
    if (!calls_.pass(n) || !block(s.body, n.body, depth + 1)) return false;
    turns_.erase(n.name);
    for (const auto &[stream, held] : held_)
      if (const auto it = before.find(stream); held != (it == before.end() ? 0 : it->second))
        return no(s.node, diag::loop_balance, stream->name);
    out.push_back(std::move(n));
    return true;
  }
  // A buffer, or a block that is acquired.
  bool named(const TileStatement &s, Statement n, std::vector<Statement> &out, int depth) {
    const std::string_view by = called(s);
    Tile t;
    if (by == "aie.buffer" && s.result) {
      n.kind = Statement::Kind::buffer;
      t.name = s.result->name;
      t.dtype = dtype_named(s.result->type.dtype);
      const Node dtype = s.operands[0].node;
      if (!t.dtype) return no(dtype ? dtype : s.node, diag::stream_dtype, names_.qualified(dtype), "tiles");
      for (size_t d = 0; d < s.result->extents.size(); ++d) {
        const auto size = s.result->extents[d].constant();
        if (!size || *size < 1) return not_a(s.rest[d], diag::not_extent);
        t.extents.push_back(*size);
      }
      if (count(t.extents) > most_counted) return no(s.node, diag::many_elements, t.name, tuple(t.extents));
    } else if (by == "aie.acquire" && block_of(s, n)) {
      n.kind = Statement::Kind::acquire;
      t.name = s.name;
      t.dtype = n.stream->dtype;
      t.extents = n.stream->block;
      t.stream = n.stream;
      n.held = held_[n.stream]++;
      last_[n.stream] = s.node;
      const bool first = acquired_.insert({n.stream, p.cores.back().name}).second;
      if (n.held > 0 && p.alike) return no(s.node, diag::held_twice, n.stream->name);
      int64_t &outside = outside_[{n.stream, p.cores.back().name}]; // of all loops
      outside = depth == 0 && outside >= 0 ? outside + 1 : -1;
      for (Stream &of : p.streams)
        if (&of == n.stream) of.once = p.alike ? depth == 0 && (first || of.once) : of.tensor && outside == of.blocks();
    } else {
      return not_a(s.node, by == "aie.acquire" ? diag::acquire_stream : diag::core_statement);
    }
    if (tiles_.contains(t.name)) return no(s.node, diag::defined_twice, t.name);
    p.cores.back().tiles.push_back(std::move(t));
    const Tile &made = p.cores.back().tiles.back();
    n.tile = tiles_[made.name] = &made;
    out.push_back(std::move(n));
    return true;
  }
  bool call(const TileStatement &of, Statement n, std::vector<Statement> &out) {
    const Node s = of.node;
    auto k = c.get<ast::Call>(of.call);
    if (k.args().size() < 2 || n.name == "load" || n.name == "store") return not_a(s, diag::core_statement);
    n.tile = tile_of(k.args()[0]);
    if (!n.tile) return no(k.args()[0], diag::not_target, c.show(k.args()[0]), n.name);
    const size_t first = n.name == "call" ? 2 : 1; // behind the target, and the function
    for (const Node o : k.args().subspan(first)) {
      Operand operand{tile_of(o), 0};
      if (!operand.tile) {
        const auto number = constants_.number(o);
        if (!number) return no(o, diag::not_operand, c.show(o));
        operand.number = number->as_double(), operand.real = number->real;
      }
      n.operands.push_back(operand);
    }
    if (n.name == "call") {
      int64_t result = 0;
      for (const Node w : k.keywords())
        if (c.get<ast::keyword>(w).arg() != "result" || !c.integer(c.get<ast::keyword>(w).value(), &result) ||
            result < 0)
          return not_a(w, diag::result_number);
      return calls_.read(k.args()[1], result, std::move(n), out);
    }
    const auto shown = [&](size_t operand) { return "`" + c.show(k.args()[first + operand]) + "`"; };
    if (const auto found = unfit(n, shown))
      return no(found->operand ? k.args()[first + *found->operand] : s, found->why);
    return fits(n) ? calls_.pass(n) && (out.push_back(std::move(n)), true)
                   : no(s, diag::unequal_tiles, c.show(s), tiles_text(n));
  }
  static std::string tiles_text(const Statement &n) {
    std::string text;
    const auto add = [&](const Tile *t) {
      if (t)
        text += (text.empty() ? "`" : ", `") + t->name + "` is " + std::string(t->dtype->name) + " of " +
                numbers_of(t->extents);
    };
    add(n.tile);
    for (const Operand &o : n.operands) add(o.tile);
    return text;
  }
  bool block_of(const TileStatement &s, Statement &n) const {
    if (s.operands.size() != 2 || s.operands[1].object != core_) return false;
    const auto it = streams_.find(s.operands[0].object);
    if (it == streams_.end()) return false;
    n.stream = it->second;
    n.takes = n.stream->feeds;
    if (p.alike) return true;
    const std::string &core = p.cores.back().name;
    n.takes = std::find(n.stream->consumers.begin(), n.stream->consumers.end(), core) != n.stream->consumers.end();
    return n.takes || n.stream->producer == core;
  }
  const Tile *tile_of(Node n) {
    if (auto k = c.as<ast::Call>(n); k && names_.called(n) == "htp_aie.strip") return strip(k);
    const auto it = tiles_.find(c.name_of(n));
    return it == tiles_.end() ? nullptr : it->second;
  }
  // `aie.strip(acc, 2, row)`
  const Tile *strip(ast::Call k) {
    if (k.args().size() != 3) return nullptr;
    const auto whole = tiles_.find(c.name_of(k.args()[0]));
    const auto times = turns_.find(std::string(c.name_of(k.args()[2])));
    int64_t size = 0;
    if (whole == tiles_.end() || times == turns_.end() || !c.integer(k.args()[1], &size) || size < 1 ||
        whole->second->extents.empty() || layout::times(size, times->second) > whole->second->extents[0])
      return nullptr;
    Tile made = *whole->second;
    made.whole = whole->second;
    made.extents[0] = size;
    made.at = times->first;
    return &p.cores.back().strips.emplace_back(std::move(made));
  }

  const Context &c;
  Names names_;
  sdk::Constants constants_;
  Node root_;
  std::string core_;
  Program &p;
  const Refuse &refuse_;
  ExternalCalls calls_;
  std::set<const Parameter *> seen_, fed_;
  std::set<std::pair<const Stream *, std::string>> acquired_; // by which core
  std::map<std::pair<const Stream *, std::string>, int64_t>
      outside_;                            // how many are acquired outside of loops; -1: in one
  std::map<const Stream *, int64_t> held_; // by the core that is read
  std::map<const Stream *, Node> last_;    // acquired
  std::map<std::string, Parameter *, std::less<>> tensors_;
  std::map<std::string, const Stream *, std::less<>> streams_;
  std::map<std::string, const Tile *, std::less<>> tiles_;
  std::map<std::string, int64_t> turns_; // of the loops around, by their variables
};

} // namespace

bool read_program(const Context &c, Node root, Program &program, const Refuse &refuse) {
  const Node function = c.entry_function(root);
  if (!function) {
    refuse(root, Refusal(diag::no_entry, c.entry()));
    return false;
  }
  return ProgramReader(c, root, program, refuse).run(function);
}

} // namespace htp::aie

#include "spreading/grid_read.h"

#include <algorithm>

namespace htp::aie {

Line line_of(const Kernel &kernel, const Products &found, std::string_view tile) {
  const auto at = kernel.buffers.find(tile);
  const Buffer *b = at == kernel.buffers.end() ? nullptr : &at->second;
  if (!b) return Line::none;
  if (count(b->extents) == 1 && std::all_of(b->loops.begin(), b->loops.end(), [](int l) { return l < 0; }))
    return Line::one;
  const size_t d = b->loops.size();
  if (d > 2 || d == 0) return Line::none;
  const bool flat = d == 1 || (b->loops[0] < 0 && b->extents[0] == 1);
  if (flat && b->loops[d - 1] == found.j) return Line::columns;
  return d == 2 && b->loops[0] == found.i && b->loops[1] < 0 && b->extents[1] == 1 ? Line::rows : Line::none;
}

namespace {

class Reader {
public:
  Reader(const Kernel &kernel, const Device &device, Products &found, Refused &why)
      : c(kernel.c), k_(kernel), device_(device), f_(found), why_(why) {}

  bool run() {
    if (std::any_of(k_.loops.begin(), k_.loops.end(), [](const Loop &l) { return l.bound; })) return false;
    if (!nest() || !beside() || !begun() || !finished()) return false;
    Product &p = f_.product;
    const auto differ = [&](auto tensor) {
      return std::any_of(f_.terms.begin(), f_.terms.end(),
                         [&](const Term &t) { return tensor(t) != tensor(f_.terms[0]); });
    };
    const auto of_a = [](const Term &t) { return std::pair(t.a->tensor, t.a_turned); };
    f_.packs_a = f_.terms[0].a_turned || p.with_a.tensors > 0 || differ(of_a);
    f_.packs_b = f_.terms[0].b_turned || p.with_b.tensors > 0 || f_.terms.size() > 1 ||
                 f_.terms[0].a->tensor == f_.terms[0].b->tensor;
    p.with_a.by_host = f_.packs_a, p.with_b.by_host = f_.packs_b;
    return !p.panel || (!f_.packs_a && !f_.packs_b);
  }

private:
  // The first that is found is why.
  template <class... A> bool no(Node where, const DiagKind &row, const A &...arguments) {
    if (!why_.where) why_ = {where, Refusal(row, arguments...)};
    return false;
  }
  const Buffer *buffer(std::string_view tile) const {
    const auto it = k_.buffers.find(tile);
    return it == k_.buffers.end() ? nullptr : &it->second;
  }
  // The tile that a statement declares, loads or computes.
  const std::string &target_of(const Item &item) const {
    const Operation *operation = k_.operation_of(item);
    const Access *access = k_.access_of(item);
    return operation ? operation->target() : access ? access->tile : item.buffer;
  }
  bool is_store(const Item &item) const { return k_.access_of(item) == f_.c; }
  bool is_product(const Item &item) const {
    const Operation *operation = k_.operation_of(item);
    return operation && operation->name == "matmul";
  }
  bool has_product(const std::vector<Item> &items) const {
    return std::ranges::any_of(items, [&](const Item &i) { return is_product(i); });
  }

  // Loops around, each with one loop at its end; in the innermost of them those that go through blocks of K.
  bool nest() {
    const std::vector<Item> *items = &k_.body;
    std::vector<Item> around;
    for (;;) {
      if (has_product(*items)) return one_step(*items);
      const auto inner = std::find_if(items->begin(), items->end(), [](const Item &i) { return i.loop >= 0; });
      if (inner == items->end()) return false;
      if (has_product(inner->body)) break;
      if (inner + 1 != items->end()) return false;
      around.insert(around.end(), items->begin(), inner);
      nest_.push_back(inner->loop);
      items = &inner->body;
    }
    size_t last = 0;
    for (size_t k = 0; k < items->size(); ++k)
      if ((*items)[k].loop >= 0) last = k;
    f_.before = around;
    for (size_t k = 0; k < items->size(); ++k) {
      const Item &item = (*items)[k];
      if (item.loop >= 0) {
        if (!products(item)) return false;
      } else {
        (k < last ? between_ : f_.behind).push_back(item);
      }
    }
    // What begins the sums comes before all products, the rest behind them.
    std::vector<Item> rest;
    for (const Item &item : between_) (f_.of_sums(target_of(item)) ? f_.before : rest).push_back(item);
    f_.behind.insert(f_.behind.begin(), rest.begin(), rest.end());
    return true;
  }
  bool one_step(const std::vector<Item> &items) {
    for (const Item &item : items)
      if (is_product(item) && possible(*k_.operation_of(item))) return no(item.node, diag::product_unblocked);
    return false;
  }
  // Whether there is a matrix unit for a product.
  const Unit *possible(const Operation &product) const {
    const Buffer *to = buffer(product.target()), *a = buffer(product.operands[1].tile);
    const DType *sums = to ? k_.dtype_of(*to) : nullptr, *of = a ? k_.dtype_of(*a) : nullptr;
    return sums && of ? unit_of(device_.name, of->name, sums->name) : nullptr;
  }

  // The loads of blocks, turned or not, and their products.
  bool products(const Item &loop) {
    std::map<std::string, std::string> turned, reshaped; // without dimensions of 1
    std::vector<const Operation *> multiplied;
    for (const Item &item : loop.body) {
      if (item.loop >= 0) return false;
      if (const Access *a = k_.access_of(item); a && a->stores) return one_step(loop.body);
      const Operation *o = k_.operation_of(item);
      if (!o) continue;
      if (o->name == "copy" || o->name == "transpose")
        (o->name == "copy" ? reshaped : turned)[o->target()] = o->operands[1].tile;
      else if (o->name == "matmul" && o->operands.size() == 3)
        multiplied.push_back(o);
      else
        others_.push_back(item.node);
    }
    if (multiplied.empty()) return false;
    for (const Operation *m : multiplied)
      if (!possible(*m)) return false;
    for (const Operation *m : multiplied)
      if (!term(loop, *m, turned, reshaped)) return false;
    return true;
  }
  bool term(const Item &loop, const Operation &product, const std::map<std::string, std::string> &turned,
            const std::map<std::string, std::string> &reshaped) {
    const Node multiplied = product.node;
    Term t;
    t.multiplied = multiplied, t.loop = loop.node, t.sums = product.target();
    const auto loaded = [&](const Operation::Operand &operand, bool &is_turned) {
      std::string name = operand.tile;
      for (bool found = true; found;) {
        found = false;
        if (const auto it = turned.find(name); it != turned.end() && !is_turned)
          name = it->second, is_turned = found = true;
        if (const auto it = reshaped.find(name); it != reshaped.end()) name = it->second, found = true;
      }
      return name;
    };
    const auto &a_operand = product.operands[1], &b_operand = product.operands[2];
    t.a_tile = loaded(a_operand, t.a_turned), t.b_tile = loaded(b_operand, t.b_turned);
    for (const auto &[operand, tile] : {std::pair(&a_operand, &t.a_tile), std::pair(&b_operand, &t.b_tile)})
      if (!k_.loaded(*tile)) return no(multiplied, diag::product_computed, c.show(operand->node));
    for (const Access &a : k_.accesses) {
      if (!a.stores && a.tile == t.a_tile) t.a = &a;
      if (!a.stores && a.tile == t.b_tile) t.b = &a;
      if (a.stores && f_.c && f_.c != &a) return no(a.node, diag::product_stores, k_.parameters[a.tensor].name);
      if (a.stores) f_.c = &a;
    }
    const Buffer *sums = buffer(t.sums);
    if (f_.of_sums(t.sums)) return no(multiplied, diag::shared_accumulator, t.sums);
    if (!t.a || !t.b || !f_.c || t.a == t.b || !sums || k_.written.contains(t.a_tile) || k_.written.contains(t.b_tile))
      return false;
    return dimensions(loop.loop, t, *sums) && sizes(t, *sums);
  }
  // Which loops are of rows and of columns: a[i, k] b[k, j], each of them behind a dimension of the batch; or
  // b[j, k, :] whose panels are of the columns of a block.
  bool dimensions(int l, const Term &t, const Buffer &sums) {
    std::vector<int> a = t.a->index, b = t.b->index, to = f_.c->index;
    const auto whole = [&] { return no(t.multiplied, diag::product_loops); };
    const bool panels = a.size() == 2 && b.size() == 3 && to.size() == 3 && b[2] < 0 && to[2] < 0;
    const int batch = !panels && to.size() == 3 ? to[0] : -1;
    for (std::vector<int> *index : {&a, &b, &to})
      if (batch >= 0 && index->size() == 3 && index->front() == batch) index->erase(index->begin());
    if (a.size() != 2 || (panels ? t.a_turned || t.b_turned : b.size() != 2 || to.size() != 2)) return whole();
    const int i = a[t.a_turned ? 1 : 0], k = a[t.a_turned ? 0 : 1], j = b[panels || t.b_turned ? 0 : 1];
    if (i < 0 || j < 0 || k != l || b[panels || t.b_turned ? 1 : 0] != l || i == j || to[0] != i || to[1] != j ||
        (panels && k_.loop(j).block != 1))
      return whole();
    if (f_.terms.empty())
      f_.i = i, f_.j = j, f_.batch = batch;
    else if (f_.i != i || f_.j != j || f_.batch != batch || panels || f_.product.panel)
      return no(t.multiplied, diag::unequal_products);
    std::vector<int> around{i, j};
    if (batch >= 0) around.push_back(batch);
    std::vector<int> path = nest_;
    std::sort(around.begin(), around.end()), std::sort(path.begin(), path.end());
    if (around != path) return whole();
    const size_t depth = nest_.size();
    std::vector<int> lies = sums.loops;
    if (batch >= 0 && lies.size() == 3 && lies[0] == batch) lies.erase(lies.begin());
    if (lies != (panels ? std::vector{i, -1} : std::vector{i, j}) || sums.path.size() != depth ||
        t.a->path.size() != depth + 1 || t.b->path.size() != depth + 1 || f_.c->path.size() != depth)
      return whole();
    if (std::any_of(k_.loops.begin(), k_.loops.end(), [](const Loop &loop) { return loop.within >= 0; })) return false;
    return true;
  }
  bool sizes(Term &t, const Buffer &sums) {
    const Parameter &from = k_.parameters[t.a->tensor], &to = k_.parameters[f_.c->tensor];
    const DType *dtype = k_.dtype_of(sums);
    Product p = f_.product;
    p.unit = unit_of(device_.name, from.dtype->name, dtype->name);
    p.panel = f_.c->index.size() == 3 && f_.batch < 0 ? to.extents[2] : 0;
    if (!p.unit || k_.parameters[t.b->tensor].dtype != from.dtype) return false;
    if (p.panel && (p.panel != k_.parameters[t.b->tensor].extents[2] || p.panel % p.unit->columns)) return false;
    p.rows = k_.loop(f_.i).extent;
    p.columns = k_.loop(f_.j).extent * std::max<int64_t>(p.panel, 1);
    const size_t a_depth = t.a->index.size() - (t.a_turned ? 2 : 1);
    p.depth = k_.loop(t.a->index[a_depth]).extent;
    if (f_.batch >= 0) p.batches = k_.loop(f_.batch).extent;
    p.own_rows = k_.loop(f_.i).block, p.own_columns = k_.loop(f_.j).block;
    p.bytes = from.dtype->bytes, p.sum_bytes = dtype->bytes, p.out_bytes = to.dtype->bytes;
    const Product &first = f_.product;
    if (!f_.terms.empty() && (p.unit != first.unit || p.depth != first.depth))
      return no(t.multiplied, diag::unequal_products);
    p.terms = std::ssize(f_.terms) + 1;
    f_.product = p;
    f_.terms.push_back(t);
    return true;
  }

  // What is loaded beside the operands, and computed of that alone, is taken out of the statements around them.
  bool beside() {
    Product &p = f_.product;
    if (!others_.empty()) return no(others_[0], diag::product_beside, c.show(others_[0]));
    const auto operand = [&](const Access &a) {
      return std::any_of(f_.terms.begin(), f_.terms.end(), [&](const Term &t) { return &a == t.a || &a == t.b; });
    };
    for (const Access &a : k_.accesses) {
      if (operand(a) || &a == f_.c) continue;
      const Parameter &tensor = k_.parameters[a.tensor];
      const Line line = line_of(k_, f_, a.tile);
      const DType *dtype = tensor.dtype;
      if (p.panel || line == Line::none || a.path.size() == nest_.size() + 1 || tensor.direction != "in") {
        if (k_.uses(a, f_.i) && k_.uses(a, f_.j)) {
          const std::string &result = k_.parameters[f_.c->tensor].name;
          const std::string begin =
              tensor.name == result ? "begin with `zeros(" + std::string(dtype->name) + ", i, j)`, " : std::string();
          no(a.node, diag::product_residual, tensor.name);
          if (why_.where == a.node && why_.why.hint.empty())
            why_.why.hint = begin + "store the product to a tensor of its own, `sums`, and add `" + tensor.name +
                            "` in a second kernel: `" + result + "[i, :] = sums[i, :] + " + tensor.name + "[i, :]`";
          return false;
        }
        return no(a.node, diag::product_operand, tensor.name);
      }
      if (k_.written.contains(a.tile) || dtype->bytes % p.bytes) return false;
      Product::Packed &with = line == Line::rows ? p.with_a : p.with_b;
      ++with.tensors;
      if (line != Line::one) with.bytes += dtype->bytes;
    }
    for (std::vector<Item> *items : {&f_.before, &f_.behind})
      for (auto item = items->begin(); item != items->end();) {
        const bool declares = !item->buffer.empty();
        const std::string target = target_of(*item);
        const Line line = item->loop >= 0 || is_store(*item) ? Line::none : line_of(k_, f_, target);
        if (line == Line::none) {
          ++item;
          continue;
        }
        const DType *dtype = k_.dtype_of(*buffer(target));
        if (!dtype) return false;
        const Operation *o = k_.operation_of(*item);
        if (declares) {
          if (line == Line::rows) p.with_a.tile_bytes += dtype->bytes;
          if (line == Line::columns) p.with_b.tile_bytes += dtype->bytes;
          if (line == Line::one) p.with_b.single_bytes += dtype->bytes;
        } else if (o) {
          const auto times = k_.written.find(target);
          if (times == k_.written.end() || times->second != 1) return false;
          if (!by_elements(o->name)) return whole_rows(item->node);
          for (const Operation::Operand &operand : o->operands)
            if (const Line of = line_of(k_, f_, operand.tile); buffer(operand.tile) && of != line && of != Line::one)
              return whole_rows(item->node);
        }
        if (o || (declares && !k_.loaded(target))) f_.lines.push_back(*item);
        item = items->erase(item);
      }
    return true;
  }
  bool whole_rows(Node s) { return no(s, diag::product_whole_rows, c.show(s)); }
  static bool by_elements(std::string_view operation) {
    return !operation.starts_with("reduce_") && operation != "transpose" && operation != "matmul" &&
           operation != "call";
  }
  // Before them there is nothing but what the sums begin with.
  bool begun() {
    std::set<std::string> filled;
    for (const Item &item : f_.before) {
      const std::string &target = target_of(item);
      if (!f_.of_sums(target)) return whole_rows(item.node);
      if (!item.buffer.empty()) continue;
      const Operation *o = k_.operation_of(item);
      if (!o || o->name != "fill" || !filled.insert(target).second) return whole_rows(item.node);
    }
    return filled.size() == f_.terms.size();
  }
  // Behind them the elements go their own ways, and are stored.
  bool finished() {
    Product &p = f_.product;
    unwrap();
    const std::vector<int> &lies = buffer_of(f_.terms[0].sums).loops;
    for (const Item &item : f_.behind) {
      if (!item.buffer.empty()) {
        const Buffer &b = buffer_of(item.buffer);
        const DType *dtype = k_.dtype_of(b);
        if (!dtype) return false;
        if (b.loops != lies) continue; // refused where it is written
        if (!instead_of_sums(item.buffer, dtype)) p.scratch_bytes += dtype->bytes;
        continue;
      }
      if (is_store(item)) {
        f_.stored = given();
        if (!k_.buffers.contains(f_.stored)) return false;
        continue;
      }
      const Operation *o = k_.operation_of(item);
      if (!o || !f_.stored.empty()) return false;
      if (!by_elements(o->name)) return whole_rows(item.node);
      for (const Operation::Operand &operand : o->operands)
        if (const Buffer *b = buffer(operand.tile); b && b->loops != lies) {
          const Line line = line_of(k_, f_, operand.tile);
          if (line == Line::none) return whole_rows(item.node);
          if (line != Line::one) ++p.finish.operations; // as many as a vector has of them
        }
      p.finish += effort(*o);
    }
    const bool summed = f_.taken.erase(f_.stored) > 0;
    if (!summed && !f_.of_sums(f_.stored)) p.scratch_bytes -= p.out_bytes; // it is the block
    if (one_chain()) p.scratch_bytes = 0;
    return !f_.stored.empty();
  }
  const Buffer &buffer_of(const std::string &name) const { return k_.buffers.find(name)->second; }
  // Whether all operations go by as many elements at a time as there are sums in a register, so that what one makes the
  // next has in a register (emit/chains.cpp), and everything that is made is read.
  bool one_chain() const {
    std::set<std::string> made, read;
    for (const Item &item : f_.behind) {
      const Operation *o = k_.operation_of(item);
      if (!o) continue;
      int64_t widest = 0;
      for (size_t k = 0; k < o->operands.size(); ++k)
        if (const Buffer *b = buffer(o->operands[k].tile)) {
          const DType *dtype = k_.dtype_of(*b);
          if (!dtype || dtype->name == "bool_") return false;
          widest = std::max(widest, dtype->bytes);
          if (k) read.insert(o->operands[k].tile);
        }
      const std::string &name = o->target();
      if (widest != f_.product.sum_bytes || (!made.insert(name).second && !f_.taken.contains(name))) return false;
    }
    return std::all_of(made.begin(), made.end(), [&](const std::string &name) {
      return name == f_.stored || f_.taken.contains(name) || read.contains(name);
    });
  }
  Effort effort(const Operation &o) const {
    const auto dtype = [&](const Operation::Operand &operand) {
      const Buffer *b = buffer(operand.tile);
      return b ? k_.dtype_of(*b) : nullptr;
    };
    const DType *to = dtype(o.operands[0]), *of = nullptr;
    bool number = false;
    for (size_t k = 1; k < o.operands.size(); ++k)
      if (const DType *d = dtype(o.operands[k]))
        of = of ? of : d;
      else
        number = true;
    return of && to ? effort_of(o.name, *of, *to, number) : Effort();
  }
  // Where what is stored has a dimension of 1 more than what was computed, and is nothing else, that is taken.
  void unwrap() {
    const std::string &to = f_.c->tile;
    if (f_.of_sums(to) || buffer_of(to).loops == buffer_of(f_.terms[0].sums).loops) return;
    for (const Item &item : f_.behind)
      if (const Operation *o = k_.operation_of(item); o && o->name == "copy" && o->target() == to)
        wrapped_ = o->operands[1].tile;
    if (wrapped_.empty()) return;
    std::erase_if(f_.behind, [&](const Item &item) { return !is_store(item) && target_of(item) == to; });
  }
  const std::string &given() const { return wrapped_.empty() ? f_.c->tile : wrapped_; }
  // Whether a value may have the memory of sums: it is of their dtype, and they are not read after it was made.
  bool instead_of_sums(const std::string &name, const DType *dtype) {
    for (const Term &t : f_.terms) {
      if (dtype != k_.dtype_of(buffer_of(t.sums)) || given() == t.sums) continue;
      bool made = false, free = true;
      for (const Item &item : f_.behind) {
        const Operation *o = k_.operation_of(item);
        for (size_t k = 0; made && o && k < o->operands.size(); ++k) {
          const std::string *there = f_.sums_at(o->operands[k].tile);
          free = free && !(there && *there == t.sums);
        }
        made = made || (o && o->target() == name);
      }
      if (!free) continue;
      f_.taken[name] = t.sums;
      return true;
    }
    return false;
  }

  const Context &c;
  const Kernel &k_;
  const Device &device_;
  Products &f_;
  Refused &why_;
  std::vector<int> nest_; // loops around the products
  std::vector<Item> between_;
  std::vector<Node> others_; // in the loops of the products
  std::string wrapped_;
};

} // namespace

bool read_products(const Kernel &kernel, const Device &device, Products &found, Refused &why) {
  return Reader(kernel, device, found, why).run();
}

} // namespace htp::aie

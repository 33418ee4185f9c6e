// Processes, their channels and the slots of these.
#include "reader.h"

namespace htp::cpu::ready {

bool ProgramReader::is_slot_intrinsic(std::string_view intrinsic) {
  return intrinsic == "claim" || intrinsic == "front" || intrinsic == "publish" || intrinsic == "release" ||
         intrinsic == "drop" || intrinsic == "signal" || intrinsic == "meet" || intrinsic == "close";
}

bool ProgramReader::process(Node s, std::vector<Statement> &out) {
  auto f = c.get<ast::FunctionDef>(s);
  Statement made{};
  made.kind = Statement::Kind::process;
  made.node = s;
  made.name = std::string(f.name());
  if (!pipeline_) return no(s, diag::not_pipeline, p.name, made.name);
  const Node mark = f.decorator_list().size() == 1 ? f.decorator_list()[0] : HTP_NONE;
  if (in_process_ || names_.qualified(c.is(mark, HTP_Call) ? c.get<ast::Call>(mark).func() : mark) != "htp_csp.process")
    return no(s, diag::not_process, made.name);
  if (auto call = c.as<ast::Call>(mark))
    for (const Node n : call.keywords())
      if (!numbers(c.get<ast::keyword>(n).value(), made.grid)) return false;
  scopes_.emplace_back();
  for (const Node n : c.get<ast::arguments>(f.args()).args()) {
    made.indices.emplace_back(c.get<ast::arg>(n).arg());
    scopes_.back().integers.insert(made.indices.back());
  }
  if (made.indices.size() != made.grid.size())
    return no(s, diag::grid, made.name, made.grid.size(), made.indices.size());
  in_process_ = true;
  if (!block(f.body(), made.body)) return false;
  in_process_ = false;
  scopes_.pop_back();
  out.push_back(std::move(made));
  return true;
}

bool ProgramReader::numbers(Node n, std::vector<int64_t> &into) {
  auto tuple = c.as<ast::Tuple>(n);
  const Node one[] = {n};
  for (const Node e : tuple ? tuple.elts() : Nodes(one)) {
    Value v;
    if (!constants_.number(e, v) || v.real || !v.digits.empty() || v.i < 1) return no(e, diag::grid_extent, c.show(e));
    into.push_back(v.i);
  }
  return true;
}

bool ProgramReader::channel(Node s, std::string_view name, std::string_view intrinsic, Node call) {
  if (!pipeline_) return no(s, diag::not_pipeline, p.name, name);
  auto k = c.get<ast::Call>(call);
  Nodes a = k.args();
  Channel &made = p.channels.emplace_back();
  made.name = std::string(name);
  made.node = s;
  if (intrinsic == "channels") {
    if (a.empty()) return no(s, diag::arguments, c.show(call));
    if (!numbers(a[0], made.array)) return false;
    a = a.subspan(1);
  }
  if (intrinsic != "event") {
    const std::string dtype = a.empty() ? std::string() : names_.qualified(a[0]);
    made.dtype = dtype.starts_with("htp.") ? dtype_named(std::string_view(dtype).substr(4)) : nullptr;
    if (!made.dtype) return no(s, diag::channel_dtype, name);
    for (const Node extent : a.subspan(1)) {
      Value v;
      if (!integer(extent)) return false;
      if (constants_.number(extent, v) && v.i < 0) return no(extent, diag::extent, c.show(extent), name);
      made.extents.push_back(extent);
    }
  }
  for (const Node n : k.keywords()) {
    auto kw = c.get<ast::keyword>(n);
    Value v;
    if (kw.arg() == "checked") {
      if (!constants_.number(kw.value(), v)) return no(n, diag::channel_number, kw.arg(), c.show(kw.value()));
      made.checked = v.i != 0;
      continue;
    }
    const bool capacity = kw.arg() == "capacity";
    if (!constants_.number(kw.value(), v) || v.real || v.i < (capacity ? 0 : 1))
      return no(n, diag::channel_number, kw.arg(), c.show(kw.value()));
    (capacity ? made.capacity : made.readers) = v.i;
  }
  if (in_process_) return no(s, diag::channel_in_process, name);
  channels_[made.name] = {&made, {}};
  return true;
}

bool ProgramReader::lane(Node s, std::string_view name, Node call) {
  const Nodes a = c.get<ast::Call>(call).args();
  const auto of = a.empty() ? channels_.end() : channels_.find(c.name_of(a[0]));
  if (of == channels_.end()) return no(s, diag::not_channel, c.show(call));
  if (a.size() != of->second.first->array.size() + 1) return no(s, diag::arguments, c.show(call));
  std::vector<Node> index(a.begin() + 1, a.end());
  for (const Node n : index)
    if (!integer(n)) return false;
  channels_[std::string(name)] = {of->second.first, std::move(index)};
  return true;
}

bool ProgramReader::channel_used(Node s, Node call, Statement &st) {
  const Nodes a = c.get<ast::Call>(call).args();
  const auto of = a.empty() ? channels_.end() : channels_.find(c.name_of(a[0]));
  if (!in_process_) return no(s, diag::outside_process, c.show(call));
  if (of == channels_.end() || of->second.second.size() != of->second.first->array.size())
    return no(s, diag::not_channel, c.show(call));
  st.node = s;
  st.channel = of->second.first;
  st.channel_index = of->second.second;
  return true;
}

bool ProgramReader::more(Node s, std::string_view name, Node call, std::vector<Statement> &out) {
  Statement st{};
  st.kind = Statement::Kind::integer;
  if (!channel_used(s, call, st)) return false;
  if (!st.channel->checked) return no(s, diag::channel_unchecked, st.channel->name);
  st.name = std::string(name);
  return bind_integer(s, std::move(st), out);
}

bool ProgramReader::slot(Node s, std::string_view intrinsic, Node call, Memory *memory, std::vector<Statement> &out) {
  Statement st{};
  if (!channel_used(s, call, st)) return false;
  if (intrinsic == "close") {
    if (!st.channel->checked) return no(s, diag::channel_unchecked, st.channel->name);
    st.kind = Statement::Kind::close;
    st.puts = true;
    out.push_back(std::move(st));
    return true;
  }
  const bool whole = intrinsic == "signal" || intrinsic == "meet" || intrinsic == "drop";
  st.kind = intrinsic == "publish" || intrinsic == "release" ? Statement::Kind::done : Statement::Kind::slot;
  st.memory = memory;
  st.puts = intrinsic == "claim" || intrinsic == "publish" || intrinsic == "signal";
  const auto named = [](const DType *dtype) { return dtype ? dtype->name : std::string_view("event"); };
  if (memory && memory->dtype != st.channel->dtype)
    return no(s, diag::dtype_mismatch, memory->name, named(memory->dtype), named(st.channel->dtype));
  if (whole && (intrinsic == "drop") != (st.channel->dtype != nullptr)) return no(s, diag::event, c.show(call));
  out.push_back(st);
  if (!whole) return true;
  st.kind = Statement::Kind::done;
  out.push_back(std::move(st));
  return true;
}

} // namespace htp::cpu::ready

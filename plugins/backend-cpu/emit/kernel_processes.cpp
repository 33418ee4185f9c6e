// Processes: a function for each, what they share, and the crew that runs them; slots of channels.
#include "printer.h"

#include "htp_cpp/grids.h"

#include <algorithm>

namespace htp::cpu::ready {

bool Printer::is_pipeline() const {
  return std::any_of(body_.begin(), body_.end(), [](const Statement &s) { return s.kind == Statement::Kind::process; });
}

std::string Printer::channel_of(const Statement &s) {
  const std::string &of = name(s.channel->name);
  if (s.channel_index.empty()) return of;
  std::string at;
  for (size_t d = 0; d < s.channel_index.size(); ++d)
    at = (d == 0 ? index(s.channel_index[0], 1)
                 : (d > 1 ? "(" + at + ")" : at) + " * " + std::to_string(s.channel->array[d]) + " + " +
                       index(s.channel_index[d]));
  return "&" + of + "[" + at + "]";
}

void Printer::slot(const Statement &s) {
  // Which of the channel's readers this is: they are counted in the order of the program, and of their grids.
  std::string reader = "0";
  if (!s.puts && s.channel_index.empty()) {
    auto &known = readers_[s.channel];
    auto it = known.begin();
    int64_t first = 0;
    for (; it != known.end() && *it != process_; ++it) first += position_count((*it)->grid);
    if (it == known.end()) known.push_back(process_);
    reader = std::to_string(first);
    std::string instance;
    for (size_t d = 0; d < process_->grid.size(); ++d)
      instance = (d == 0 ? "" : "(" + instance + ") * " + std::to_string(process_->grid[d]) + " + ") +
                 name(process_->indices[d]);
    if (!instance.empty()) reader += " + (size_t)(" + instance + ")";
  }
  const std::string of = "(" + channel_of(s) + (s.puts ? "" : ", " + reader);
  if (s.kind == Statement::Kind::integer)
    return line(s.node, (s.declares ? live_.reassigned.contains(s.name) ? "int64_t " : "const int64_t " : "") +
                            name(s.name) + " = " + h.channel("channel_more") + of + site(s, "item") + ");");
  if (s.kind == Statement::Kind::done && s.puts) // only of a rendezvous anybody waits here
    return line(s.node,
                h.channel("channel_publish") + of + (s.channel->capacity == 0 ? site(s, "reader") : ", -1") + ");");
  if (s.kind == Statement::Kind::done) return line(s.node, h.channel("channel_release") + of + ");");
  const std::string call = h.channel(s.puts               ? "channel_claim"
                                     : s.channel->checked ? "channel_next"
                                                          : "channel_front") +
                           of + site(s, s.puts ? "capacity" : "item") + ");";
  if (!s.memory) return line(s.node, call);
  line(s.node, (s.puts ? "" : "const ") + std::string(s.memory->dtype->memory) + " *restrict " + name(s.memory->name) +
                   " = " + call);
  poison(s);
}

std::string Printer::site(const Statement &s, const std::string &waits) {
  const auto [it, fresh] = site_numbers_.try_emplace({s.node, waits}, sites_.size());
  if (fresh) sites_.push_back({waits, s.channel->name, s.channel->array, number_of(s.node)});
  return ", " + std::to_string(it->second);
}

std::vector<Printer::Shared> Printer::shared() {
  std::vector<Shared> all;
  for (const Parameter &parameter : p.parameters) {
    const Memory &m = memory(parameter.name);
    all.push_back({type_of(m), name(m.name)});
  }
  for (const std::string &d : p.dims) all.push_back({"int64_t ", name(d)});
  for (const Channel &channel : p.channels) all.push_back({"htp_channel *", name(channel.name)});
  return all;
}

std::string Printer::process(const Statement &s, const std::string &type, const std::vector<Shared> &around) {
  const std::string symbol = names_.claim(identifier(p.name) + "_" + identifier(s.name));
  process_ = &s;
  frame_ = 0;
  fails_ = false;
  // The body says what of it all is needed.
  Writer kept = std::exchange(w_, Writer());
  for (size_t d = 0; d < s.indices.size(); ++d) name(s.indices[d]);
  block(s.body, Mode{});
  const std::string text = std::exchange(w_, std::move(kept)).text();
  frame_ = 0;
  cited_ = 0;
  const auto used = [&](const std::string &name) {
    for (size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
      const auto continues = [&](size_t k) {
        return k < text.size() && (std::isalnum(static_cast<unsigned char>(text[k])) || text[k] == '_');
      };
      if (!(at > 0 && continues(at - 1)) && !continues(at + name.size())) return true;
    }
    return false;
  };
  auto f = w_.block("}", "static void ", symbol, "(void *context, int64_t instance) {", cite(s.node));
  w_.line(type, " *const shared = context;");
  bool placed = false;
  for (const Shared &one : around)
    if (used(one.name))
      w_.line(one.type, one.type.ends_with("*") && !one.type.starts_with("htp_") ? "restrict const " : "const ",
              one.name, " = shared->", one.name, ";");
  // The last index runs fastest.
  int64_t inner = position_count(s.grid);
  for (size_t d = 0; d < s.indices.size(); ++d) {
    inner /= s.grid[d];
    if (!used(name(s.indices[d]))) continue;
    w_.line("const int64_t ", name(s.indices[d]), " = instance", inner > 1 ? " / " + std::to_string(inner) : "",
            d > 0 ? " % " + std::to_string(s.grid[d]) : "", ";");
    placed = true;
  }
  if (!placed) w_.line("(void)instance;");
  if (fails_) w_.line("htp_failure failed = {0};");
  block(s.body, Mode{});
  if (fails_)
    w_.line("if (failed.why) ", h.guard("fail"), "(&shared->failed, failed.why, failed.site, failed.a, failed.b);");
  return symbol;
}

void Printer::pipeline(const Kernel &k) {
  const std::vector<Shared> around = shared();
  const std::string type = "struct " + names_.claim("shared_" + identifier(p.name));
  {
    auto fields = w_.block("};", type, " {");
    for (const Shared &one : around) w_.line(one.type, one.name, ";");
    w_.line("htp_failure failed;");
  }
  std::vector<std::pair<const Statement *, std::string>> processes;
  int64_t total = 0;
  for (const Statement &s : body_) {
    w_.blank();
    processes.emplace_back(&s, process(s, type, around));
    total += position_count(s.grid);
    process_rows_.push_back({s.name, s.grid, number_of(s.node)});
  }
  w_.blank();
  std::vector<std::string> parameters;
  for (const Shared &one : around)
    if (!one.type.starts_with("htp_"))
      parameters.push_back(one.type + (one.type.ends_with("*") ? "restrict " : "") + one.name);
  const auto same = [](const std::string &text) { return text; };
  auto f = w_.block("}", "int ", k.symbol, "(", join(parameters, ", ", same), ") {", cite(p.function));
  w_.line(h.channel("crew"), " crew = {.lock = PTHREAD_MUTEX_INITIALIZER, .site = -1};");
  std::string opened;
  for (const Channel &channel : p.channels) {
    std::string bytes = channel.dtype ? "(int64_t)sizeof(" + std::string(channel.dtype->memory) + ")" : "1";
    for (const Node extent : channel.extents) bytes = "htp_size(" + index(extent) + ", " + bytes + ")";
    h.scratch();
    w_.line("htp_channel *", name(channel.name), " = ", h.channel("channels_open"), "(&crew, ",
            std::to_string(position_count(channel.array)), ", ", bytes, ", ", std::to_string(channel.capacity), ", ",
            std::to_string(channel.readers), ");");
    opened += (opened.empty() ? "" : " && ") + name(channel.name);
  }
  w_.line(type, " shared = {", join(around, ", ", [](const Shared &one) { return "." + one.name + " = " + one.name; }),
          "};");
  w_.line("htp_process processes[", std::to_string(total), "];");
  w_.line("size_t count = 0;");
  for (const auto &[s, symbol] : processes) {
    const std::string each =
        s->grid.empty() ? "" : "for (int64_t at = 0; at < " + std::to_string(position_count(s->grid)) + "; ++at) ";
    w_.line(each, "processes[count++] = (htp_process){", symbol, ", &shared, ", s->grid.empty() ? "0" : "at", "};");
  }
  w_.line("const int failed = ", opened.empty() ? "" : opened + " ? ", "htp_crew_run(&crew, processes, count)",
          opened.empty() ? "" : " : htp_no_memory", ";");
  for (const Channel &channel : p.channels)
    w_.line("htp_channels_close(", name(channel.name), ", ", std::to_string(position_count(channel.array)), ");");
  w_.line("if (failed) ", h.guard("fail"), "(&shared.failed, failed, (int)crew.site, crew.a, crew.b);");
  fails_any_ = true;
  w_.line("return htp_end(&shared.failed);");
}

} // namespace htp::cpu::ready

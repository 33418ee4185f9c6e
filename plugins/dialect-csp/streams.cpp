#include "streams.h"

#include <algorithm>

namespace htp::csp {

namespace {

using Kind = Use::Kind;

bool writes(const Use &use) { return use.kind == Kind::put || use.kind == Kind::close; }

// The first use of each process that writes a channel, or reads it.
std::map<size_t, const Use *> ends_of(const Stream &stream, bool writers) {
  std::map<size_t, const Use *> found;
  for (const Use &use : stream.uses)
    if (writes(use) == writers) found.try_emplace(use.process, &use);
  return found;
}

class Streams {
public:
  Streams(const Context &context, const Built &built) : c(context), b_(built) {}

  bool run() {
    const size_t errors = c.errors();
    for (const Stream &stream : b_.streams) ends(stream);
    if (c.errors() == errors) endless();
    return c.errors() == errors;
  }

private:
  const std::string &name_of(size_t process) const { return b_.network.processes[process].name; }

  void ends(const Stream &stream) {
    const auto writers = ends_of(stream, true), readers = ends_of(stream, false);
    if (writers.empty() && readers.empty() && !stream.of->array.empty()) return; // the rim of an array
    if (readers.empty()) c.report(diag::never_read, stream.of->call, stream.name);
    if (writers.empty()) c.report(diag::never_written, stream.of->call, stream.name);
    if (writers.size() > 1) {
      const auto one = writers.begin(), other = std::next(one);
      c.report(diag::two_writers, other->second->at, name_of(one->first), name_of(other->first), stream.name)
          .label(one->second->at, "`" + name_of(one->first) + "` puts here");
    }
    if (!readers.empty() && readers.size() != static_cast<size_t>(stream.of->readers)) {
      auto report = c.report(diag::readers, stream.of->call, readers.size(), stream.name, stream.of->readers);
      for (const auto &[process, use] : readers) report.label(use->at, "`" + name_of(process) + "` gets here");
    }
    if (writers.size() == 1) closed(stream, *writers.begin()->second);
  }

  // Whether its writer closes it once, whatever happens, and puts nothing behind that.
  void closed(const Stream &stream, const Use &first) {
    const Use *close = nullptr;
    for (const Use &use : stream.uses) {
      if (!writes(use)) continue;
      if (use.kind == Kind::close && !use.always)
        return void(c.report(diag::close_within, use.at, stream.name, name_of(use.process)));
      if (close)
        return void(
            c.report(diag::behind_close, use.at, name_of(use.process), stream.name).label(close->at, "closed here"));
      if (use.kind == Kind::close) close = &use;
    }
    if (!close) c.report(diag::not_closed, first.at, name_of(first.process), stream.name);
  }

  // Who loops over a channel makes as many rounds as its writer puts items. Where that one loops over what this one
  // puts, the two may give each other items for ever.
  void endless() {
    std::map<size_t, std::vector<std::pair<size_t, const Use *>>> after; // reader → writers, and its loop
    for (const Stream &stream : b_.streams)
      for (const Use &use : stream.uses)
        if (use.kind == Kind::items)
          for (const auto &[writer, put] : ends_of(stream, true)) after[use.process].emplace_back(writer, &use);
    std::map<size_t, int> state; // 1: on the path; 2: done
    std::vector<std::pair<size_t, const Use *>> path;
    for (const auto &[start, all] : after) {
      if (state[start]) continue;
      path = {{start, nullptr}};
      std::vector<size_t> next{0};
      state[start] = 1;
      while (!path.empty()) {
        const size_t process = path.back().first;
        const auto out = after.find(process);
        if (out == after.end() || next.back() == out->second.size()) {
          state[process] = 2;
          path.pop_back(), next.pop_back();
          continue;
        }
        const auto [writer, loop] = out->second[next.back()++];
        if (state[writer] == 2) continue;
        path.emplace_back(writer, loop);
        if (state[writer] == 1) return cycle(path);
        state[writer] = 1;
        next.push_back(0);
      }
    }
  }

  // `path` ends in the process in which the cycle begins.
  void cycle(const std::vector<std::pair<size_t, const Use *>> &path) {
    size_t first = 0;
    while (path[first].first != path.back().first) ++first;
    std::string names;
    for (size_t k = first; k + 1 < path.size(); ++k)
      names += (k == first ? "`" : k + 2 == path.size() ? " and `" : ", `") + name_of(path[k].first) + "`";
    auto report =
        c.report(path.size() - first == 2 ? diag::feeds_itself : diag::endless, path[first + 1].second->at, names);
    for (size_t k = first + 1; k < path.size() && path.size() - first > 2; ++k)
      report.label(path[k].second->at,
                   "`" + name_of(path[k - 1].first) + "` goes on while `" + name_of(path[k].first) + "` does");
  }

  const Context &c;
  const Built &b_;
};

// A channel between two processes. Who reads may wait for who writes, and the other way round unless the reader drains
// it.
struct Line {
  size_t writer, reader;
  bool drained = false;
};

class Lines {
public:
  Lines(std::vector<Line> lines, size_t processes) : lines_(std::move(lines)), from_(processes) {
    for (size_t k = 0; k < lines_.size(); ++k) {
      from_[lines_[k].reader].emplace_back(k, lines_[k].writer);
      if (!lines_[k].drained) from_[lines_[k].writer].emplace_back(k, lines_[k].reader);
    }
  }

  // Whether processes that wait along a line, and on along others, may come back to where it begins.
  bool in_circle(size_t line) const {
    const auto [writer, reader, drained] = lines_[line];
    return leads(writer, reader, line) || (!drained && leads(reader, writer, line));
  }

private:
  bool leads(size_t from, size_t to, size_t without) const {
    std::vector<bool> seen(from_.size());
    std::vector<size_t> todo{from};
    seen[from] = true;
    while (!todo.empty() && !seen[to]) {
      const size_t process = todo.back();
      todo.pop_back();
      for (const auto &[line, other] : from_[process])
        if (line != without && !seen[other]) {
          seen[other] = true;
          todo.push_back(other);
        }
    }
    return seen[to];
  }

  std::vector<Line> lines_;
  std::vector<std::vector<std::pair<size_t, size_t>>> from_; // whom a process may wait for, and along which line
};

} // namespace

bool check_streams(const Context &c, const Built &built) { return Streams(c, built).run(); }

bool streams_end(const Built &built) {
  constexpr size_t most_looks = 50'000'000;
  std::vector<Line> lines; // those of checked channels first
  for (const Stream &stream : built.streams) {
    const auto writers = ends_of(stream, true), readers = ends_of(stream, false);
    for (const auto &[reader, first] : readers) {
      // Its one loop over the channel, and nothing else.
      if (first->kind != Kind::items || !first->always) return false;
      if (std::ranges::count_if(stream.uses, [&](const Use &use) { return use.process == reader && !writes(use); }) > 1)
        return false;
      for (const auto &[writer, put] : writers) lines.push_back({writer, reader, first->drains});
    }
  }
  const size_t checked = lines.size();
  for (const Ends &one : dataflow::ends(built.network))
    for (const size_t writer : one.writers)
      for (const size_t reader : one.readers) lines.push_back({writer, reader});
  if (checked * lines.size() > most_looks) return false;
  const Lines all(std::move(lines), built.network.processes.size());
  for (size_t k = 0; k < checked; ++k)
    if (all.in_circle(k)) return false;
  return true;
}

} // namespace htp::csp

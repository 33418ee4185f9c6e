#include "host/editor/server.h"

#include "host/base/interrupt.h"
#include "host/diag/utf8.h"
#include "host/editor/session.h"
#include "host/log/log.h"

#include <algorithm>
#include <array>
#include <cerrno>

#include <poll.h>
#include <unistd.h>

namespace htp::editor {

namespace {

bool before_initialize(const std::string &method) { return method == "initialize" || method == "exit"; }

void dispatch(Session &session, const std::string &text) {
  Json id;
  bool answers = true;
  const auto refuse = [&](const Refused &why) {
    if (answers) session.send(rpc::refused(id, why));
  };
  try {
    const rpc::Message message = rpc::read(text, id);
    if (message.answer) return; // to what this side asked: nothing depends on it
    answers = !message.notified;
    const Method method = method_named(message.method);
    if (!method) {
      if (message.notified) return; // `$/…` and whatever is new
      throw Refused{rpc::no_method, "there is no method `" + printable(message.method.substr(0, 80)) + "`"};
    }
    if (!session.initialized && !before_initialize(message.method))
      throw Refused{rpc::not_initialized, "`initialize` comes first"};
    if (session.ended && message.method != "exit") throw Refused{rpc::invalid_request, "`shutdown` was asked for"};
    // What is asked is asked of the text as it is.
    if (answers && message.method.starts_with("textDocument/"))
      while (session.look()) {
      }
    auto answer = method(session, message.notified ? Json(nullptr) : id, message.params);
    if (answer && !message.notified) session.send(rpc::answered(id, std::move(*answer)));
  } catch (const Refused &why) {
    refuse(why);
  } catch (const Json::exception &) {
    refuse({rpc::invalid_params, "the parameters are not those of the method"});
  }
}

void read_pending(Session &session, Pending &one, bool &over) {
  std::vector<std::string> lines;
  over = !one.job.take(lines);
  if (!lines.empty()) one.answer = lines.back();
  if (!over) return;
  const Json answer = Json::parse(one.answer, nullptr, false);
  if (answer.is_object() && answer.contains("result")) return session.send(rpc::answered(one.id, answer["result"]));
  const std::string why = answer.is_object() && answer.value("error", Json()).is_string()
                              ? answer["error"].get<std::string>()
                              : "the work ended: " + (one.job.reason().empty() ? "it said nothing" : one.job.reason());
  session.send(rpc::refused(one.id, {rpc::request_failed, why}));
}

} // namespace

std::vector<std::string> methods() {
  return {
#define HTP_METHOD(name, function) name,
#include "host/editor/methods.def"
#undef HTP_METHOD
  };
}

int serve(const CompileRequest &request, int input, const std::function<bool(const std::string &)> &write) {
  Session session;
  session.request = request;
  bool written = true;
  session.send = [&](const Json &message) { written = written && write(rpc::framed(rpc::dumped(message))); };
  rpc::Frames frames;
  bool more = true;
  while (more && written && !interrupted && !session.exit) {
    // What is there is read first, so that a check is of the last text.
    bool waits = true;
    try {
      while (auto text = frames.next()) {
        waits = false;
        dispatch(session, *text);
        if (session.exit) break;
      }
    } catch (const Refused &why) {
      session.send(rpc::refused(nullptr, why));
      if (frames.lost()) break;
      waits = false;
    }
    if (!waits) continue;
    std::vector<pollfd> watched{{input, POLLIN, 0}};
    const bool dirty = std::ranges::any_of(
        session.documents, [&](const auto &one) { return one.second.dirty || (one.second.asks && !session.check); });
    int wait = dirty ? 0 : -1;
    const auto watch = [&](const Job &job) {
      watched.push_back({job.descriptor(), POLLIN, 0});
      wait = wait < 0 ? job.left() : std::min(wait, job.left());
    };
    if (session.check) watch(session.check->job);
    for (const Pending &one : session.pending) watch(one.job);
    const int ready = ::poll(watched.data(), watched.size(), wait);
    if (ready < 0 && errno != EINTR) break;
    if (ready < 0) continue;
    if (watched[0].revents) {
      std::array<char, 1 << 16> bytes;
      const ssize_t n = ::read(input, bytes.data(), bytes.size());
      if (n > 0)
        frames.add({bytes.data(), static_cast<size_t>(n)});
      else if (n == 0 || errno != EINTR)
        more = false;
      continue;
    }
    if (dirty) {
      if (!session.look()) session.ask();
      continue;
    }
    size_t k = 1;
    if (session.check) {
      if (session.check->job.left() == 0) session.check->job.expire();
      if (watched[k++].revents) session.read_check();
    }
    for (size_t p = 0; p < session.pending.size();) {
      Pending &one = session.pending[p];
      if (one.job.left() == 0) one.job.expire();
      bool over = false;
      if (k < watched.size() && watched[k++].revents) read_pending(session, one, over);
      if (over)
        session.pending.erase(session.pending.begin() + static_cast<std::ptrdiff_t>(p));
      else
        ++p;
    }
  }
  if (session.exit) return *session.exit;
  return session.ended ? 0 : 1;
}

} // namespace htp::editor

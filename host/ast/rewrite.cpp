#include "host/ast/rewrite.h"

#include "host/ast/walk.h"

#include <algorithm>

namespace htp {

namespace {

bool holds_nodes(uint8_t type) { return type <= HTP_FIELD_LISTN; }
bool holds_list(uint8_t type) { return type == HTP_FIELD_LIST || type == HTP_FIELD_LISTN; }

class Rewriter {
public:
  Rewriter(Store &store, const RewriteRules &rules) : store_(store), rules_(rules) {}

  htp_node run(htp_node root) {
    if (!enter(root)) return HTP_NONE;
    while (!open_.empty()) {
      Frame &frame = open_.back();
      if (frame.next < frame.end) {
        if (!enter(children_[frame.next++])) return HTP_NONE;
      } else if (!leave()) {
        return HTP_NONE;
      }
    }
    return done_.back().node;
  }

private:
  struct Frame {
    htp_node node;
    size_t next, begin, end; // its children, in children_
  };
  // What stands instead of a child: a node, or of a statement `count` of spliced_.
  struct Done {
    htp_node node;
    bool spliced = false;
    uint32_t first = 0, count = 0;
  };

  bool enter(htp_node n) {
    if (rules_.enter && (n = rules_.enter(n)) == HTP_NONE) return false;
    const size_t begin = children_.size();
    for_each_child(*store_.abi(), n, [&](htp_node child) { children_.push_back(child); });
    open_.push_back({n, begin, begin, children_.size()});
    return true;
  }

  bool leave() {
    const Frame frame = open_.back();
    open_.pop_back();
    const size_t count = frame.end - frame.begin;
    htp_node n =
        rebuild(frame.node, {done_.data() + done_.size() - count, count}, {children_.data() + frame.begin, count});
    children_.resize(frame.begin);
    done_.resize(done_.size() - count);
    if (n == HTP_NONE || (rules_.leave && (n = rules_.leave(n)) == HTP_NONE)) return false;
    Done done{n};
    if (rules_.statement && !open_.empty() && kind_info(store_.kind(n)).group == HTP_GROUP_STMT) {
      std::vector<htp_node> instead;
      if (!rules_.statement(n, instead)) return false;
      done.spliced = instead.size() != 1;
      if (!done.spliced) done.node = instead[0];
      done.first = static_cast<uint32_t>(spliced_.size());
      done.count = static_cast<uint32_t>(instead.size());
      if (done.spliced) spliced_.insert(spliced_.end(), instead.begin(), instead.end());
    }
    done_.push_back(done);
    return true;
  }

  // The node with what stands instead of each child; the node itself when that is each child.
  htp_node rebuild(htp_node n, std::span<const Done> done, std::span<const htp_node> children) {
    const auto same = [](const Done &d, htp_node child) { return !d.spliced && d.node == child; };
    if (std::equal(done.begin(), done.end(), children.begin(), same)) return n;
    const auto fields = kind_fields(store_.kind(n));
    std::vector<uint32_t> slots(store_.slots(n).begin(), store_.slots(n).end()), items;
    size_t at = 0;
    for (unsigned f = 0; f < slots.size(); ++f) {
      if (slots[f] == 0 || !holds_nodes(fields[f].type)) continue;
      if (!holds_list(fields[f].type)) {
        slots[f] = done[at++].node;
        continue;
      }
      items.clear();
      for (const uint32_t item : store_.items(slots[f])) {
        if (item == HTP_NONE) {
          items.push_back(HTP_NONE);
          continue;
        }
        const Done &d = done[at++];
        if (d.spliced)
          items.insert(items.end(), spliced_.begin() + d.first, spliced_.begin() + d.first + d.count);
        else
          items.push_back(d.node);
      }
      const bool list_same = std::ranges::equal(items, store_.items(slots[f]));
      if (!list_same) slots[f] = store_.list(items);
    }
    return store_.with(n, slots);
  }

  Store &store_;
  const RewriteRules &rules_;
  std::vector<Frame> open_;
  std::vector<htp_node> children_, spliced_;
  std::vector<Done> done_;
};

} // namespace

htp_node rewrite(Store &store, htp_node root, const RewriteRules &rules) { return Rewriter(store, rules).run(root); }

} // namespace htp

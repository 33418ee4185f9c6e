#include "host/manifest/yaml.h"

#include "host/manifest/yaml_text.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <sstream>
#include <unordered_map>

namespace htp {

namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

struct Stop {}; // what was found so far was reported; nothing more can be read

// Builds the tree from yaml-cpp's events. Nothing is looked up twice and nothing unfolds: the cost is that of the text.
class TreeBuilder final : public YAML::EventHandler {
public:
  TreeBuilder(const SourceRef &source, size_t skipped, Diagnostics &diagnostics, const YamlLimits &limits)
      : source_(source), offsets_(source), skipped_(skipped), diagnostics_(diagnostics), limits_(limits) {}

  std::optional<YamlNode> root;

  size_t at(const YAML::Mark &mark) const {
    if (mark.is_null()) return 0;
    return skipped_ + static_cast<size_t>(std::max(mark.pos, 0));
  }

  void OnDocumentStart(const YAML::Mark &mark) override {
    if (!root) return;
    diagnostics_.report(diag::manifest_second_document, offsets_.span(at(mark), at(mark) + 1));
    throw Stop();
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark &mark, YAML::anchor_t) override {
    count(mark);
    YamlNode node;
    node.span = null_span(at(mark));
    finish(std::move(node));
  }

  void OnAlias(const YAML::Mark &mark, YAML::anchor_t) override {
    count(mark);
    refuse(offsets_.scalar(at(mark), word_at(at(mark))), "an alias").hint("write the value out");
    finish_refused(at(mark));
  }

  void OnAnchor(const YAML::Mark &mark, const std::string &name) override {
    // The mark is that of the node's properties, which may begin with a tag.
    const size_t begin = std::min(source_->text.find("&" + name, at(mark)), source_->text.size());
    refuse(offsets_.span(begin, begin + 1 + name.size()), "an anchor").hint("write the value out where it is used");
  }

  void OnScalar(const YAML::Mark &mark, const std::string &tag, YAML::anchor_t anchor,
                const std::string &value) override {
    count(mark);
    const size_t begin = at(mark);
    if (check_tag(begin, tag) || anchor != 0) return finish_refused(begin);
    if (tag == "!" && offsets_.unclosed(begin)) { // yaml-cpp lets the end of the file close a quote
      diagnostics_.report(diag::manifest_open_quote, offsets_.span(begin, begin + 1));
      return finish_refused(begin);
    }
    YamlNode node;
    node.form = YamlNode::Form::scalar;
    node.quoted = tag == "!";
    node.text = value;
    node.span = offsets_.scalar(begin, value);
    finish(std::move(node));
  }

  void OnSequenceStart(const YAML::Mark &mark, const std::string &tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override {
    open(mark, YamlNode::Form::list, tag, anchor, style);
  }
  void OnMapStart(const YAML::Mark &mark, const std::string &tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override {
    open(mark, YamlNode::Form::map, tag, anchor, style);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapEnd() override { close(); }

private:
  struct Frame {
    YamlNode node;
    size_t begin = 0;
    bool flow = false, refused = false;
    std::optional<YamlNode> key; // of a map: read, its value not yet
    std::unordered_map<std::string, size_t> seen;
  };

  void count(const YAML::Mark &mark) {
    if (++nodes_ <= limits_.nodes) return;
    diagnostics_.report(diag::manifest_too_many_values, offsets_.span(at(mark), at(mark) + 1), limits_.nodes);
    throw Stop();
  }

  Diagnostic &refuse(const Span &span, std::string_view what) {
    return diagnostics_.report(diag::manifest_not_plain, span, what);
  }

  std::string_view word_at(size_t begin) const {
    const std::string_view rest = std::string_view(source_->text).substr(std::min(begin, source_->text.size()));
    return rest.substr(0, std::min(rest.find_first_of(" \t\r\n,]}"), rest.size()));
  }

  // `?` and `!` are what yaml-cpp says of untagged plain and quoted scalars.
  bool check_tag(size_t begin, const std::string &tag) {
    const bool spelled = begin < source_->text.size() && source_->text[begin] == '!';
    if (tag.empty() || tag == "?" || (tag == "!" && !spelled)) return false;
    refuse(offsets_.scalar(begin, word_at(begin)), "a tag").hint("take it out; quote what is meant as a string");
    return true;
  }

  void open(const YAML::Mark &mark, YamlNode::Form form, const std::string &tag, YAML::anchor_t anchor,
            YAML::EmitterStyle::value style) {
    count(mark);
    const size_t begin = at(mark);
    if (stack_.size() >= limits_.depth) {
      diagnostics_.report(diag::manifest_too_deep, offsets_.span(begin, begin + 1), limits_.depth);
      throw Stop();
    }
    Frame frame;
    frame.node.form = form;
    frame.begin = begin;
    frame.flow = style == YAML::EmitterStyle::Flow;
    frame.refused = check_tag(begin, tag) || anchor != 0;
    stack_.push_back(std::move(frame));
  }

  void close() {
    Frame frame = std::move(stack_.back());
    stack_.pop_back();
    YamlNode &node = frame.node;
    node.span = offsets_.span(frame.begin, frame.begin + 1);
    const YamlNode *last = !node.items.empty()     ? &node.items.back()
                           : !node.entries.empty() ? &node.entries.back().value
                                                   : nullptr;
    if (last) {
      node.span.end_line = last->span.end_line;
      node.span.end_col = last->span.end_col;
    }
    const bool outermost = stack_.empty() || !stack_.back().flow;
    if (frame.flow && outermost) refuse_flow(frame);
    if ((frame.flow && outermost) || frame.refused) {
      const Span span = node.span;
      node = YamlNode();
      node.form = YamlNode::Form::refused;
      node.span = span;
    }
    finish(std::move(node));
  }

  // `[a, b]`, `{k: v}`: with the block form as a fix where the whole of it is plain to see.
  void refuse_flow(Frame &frame) {
    const bool list = frame.node.form == YamlNode::Form::list;
    const std::string_view text = source_->text;
    size_t end = source_->offset(frame.node.span.end_line, frame.node.span.end_col);
    const size_t close = text.find_first_not_of(" \t\r\n,", std::max(end, frame.begin + 1));
    const bool closed = close != std::string_view::npos && text[close] == (list ? ']' : '}');
    if (closed) frame.node.span = offsets_.span(frame.begin, close + 1);
    Diagnostic &d = refuse(frame.node.span, list ? "a flow list" : "a flow map");
    if (frame.node.items.empty() && frame.node.entries.empty()) {
      d.hint("there is nothing in it; leave the key out");
      return;
    }
    d.hint(list ? "write each item on a line of its own, after `- `" : "write each key on a line of its own");
    const Span *key = stack_.empty() || !stack_.back().key ? nullptr : &stack_.back().key->span;
    if (!closed || !key || key->line != frame.node.span.line) return;
    std::string block;
    const auto source_of = [&](const Span &span) {
      const size_t from = source_->offset(span.line, span.col);
      return text.substr(from, source_->offset(span.end_line, span.end_col) - from);
    };
    const std::string indent = "\n" + std::string(key->col + 2, ' ');
    for (const YamlNode &item : frame.node.items) {
      if (item.form != YamlNode::Form::scalar || item.span.line != item.span.end_line) return;
      block.append(indent).append("- ").append(source_of(item.span));
    }
    for (const YamlEntry &entry : frame.node.entries) {
      if (entry.value.form != YamlNode::Form::scalar || entry.value.span.line != entry.value.span.end_line) return;
      block.append(indent).append(source_of(entry.key_span)).append(": ").append(source_of(entry.value.span));
    }
    size_t from = frame.begin;
    while (from > 0 && text[from - 1] == ' ') --from;
    d.fix({"one line each", {{offsets_.span(from, close + 1), std::move(block)}}});
  }

  // Where a value that is not there would stand: on its key, or on the dash of its item.
  Span null_span(size_t begin) const {
    if (!stack_.empty() && stack_.back().key) return stack_.back().key->span;
    const std::string_view text = source_->text;
    if (!stack_.empty() && stack_.back().node.form == YamlNode::Form::list) {
      Span here = offsets_.span(begin, begin + 1);
      for (uint32_t line = here.line; line > 0 && line + 64 > here.line; --line) {
        const std::string_view content = source_->line(line);
        const size_t dash = content.find_last_of('-');
        const size_t next = dash == std::string_view::npos ? dash : content.find_first_not_of(" \t", dash + 1);
        const size_t from = source_->offset(line, 0) + dash;
        const bool empty_item =
            dash != std::string_view::npos && (next == std::string_view::npos || content[next] == '#');
        if (empty_item && (from < begin || begin >= text.size())) return offsets_.span(from, from + 1);
      }
    }
    return offsets_.scalar(begin, word_at(begin));
  }

  void finish_refused(size_t begin) {
    YamlNode node;
    node.form = YamlNode::Form::refused;
    node.span = offsets_.scalar(begin, word_at(begin));
    finish(std::move(node));
  }

  // Hands a finished node to what holds it.
  void finish(YamlNode node) {
    if (stack_.empty()) {
      root = std::move(node);
      return;
    }
    Frame &frame = stack_.back();
    if (frame.node.form == YamlNode::Form::list) {
      frame.node.items.push_back(std::move(node));
      return;
    }
    if (!frame.key) {
      frame.key = std::move(node);
      return;
    }
    YamlNode key = std::move(*frame.key);
    frame.key.reset();
    if (key.form != YamlNode::Form::scalar) {
      if (key.form != YamlNode::Form::refused && !frame.flow)
        refuse(key.span, "a key that is no scalar").hint("write one name as the key");
      return;
    }
    const auto [first, fresh] = frame.seen.emplace(key.text, frame.node.entries.size());
    if (!fresh) {
      diagnostics_.report(diag::manifest_duplicate_key, key.span, key.text)
          .label(frame.node.entries[first->second].key_span, "it stands here first");
      return;
    }
    frame.node.entries.push_back({std::move(key.text), std::move(key.span), std::move(node)});
  }

  const SourceRef &source_;
  Offsets offsets_;
  size_t skipped_; // bytes of a byte order mark
  Diagnostics &diagnostics_;
  const YamlLimits &limits_;
  std::vector<Frame> stack_;
  size_t nodes_ = 0;
};

} // namespace

std::optional<YamlNode> read_yaml(const SourceRef &source, Diagnostics &diagnostics, const YamlLimits &limits) {
  if (!check_text(source, diagnostics, limits)) return std::nullopt;
  const bool marked = source->text.starts_with(byte_order_mark);
  const size_t skipped = marked ? byte_order_mark.size() : 0;
  TreeBuilder builder(source, skipped, diagnostics, limits);
  const Offsets offsets(source);
  try {
    std::istringstream stream(source->text.substr(skipped));
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const Stop &) {
    return std::nullopt;
  } catch (const YAML::Exception &error) {
    const size_t at = builder.at(error.mark);
    const Span span = offsets.span(at, at + 1);
    Diagnostic &d = diagnostics.report(diag::manifest_bad_yaml, span, error.msg);
    const std::string_view line = source->line(span.line);
    if (line.substr(0, line.find_first_not_of(" \t")).find('\t') != std::string_view::npos)
      d.hint("indent with spaces, not with tabs");
    else if (error.msg == YAML::ErrorMsg::MAP_VALUE)
      d.hint("a text with `: ` in it stands in quotes: `doc: \"…\"`");
    return std::nullopt;
  }
  if (!builder.root) {
    diagnostics.report(diag::manifest_empty, Span{source});
    return std::nullopt;
  }
  return std::move(builder.root);
}

} // namespace htp

// host/ast/unparse_text.h — the text under way, which knows its line and column.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

namespace htp {

class TextBuilder {
public:
  struct Mark {
    size_t size, line_start;
    uint32_t line;
  };

  void put(char c) {
    if (size_ == capacity_) grow(1);
    data_[size_++] = c;
  }
  // `text` holds no newline.
  void write(std::string_view text) {
    if (capacity_ - size_ < text.size()) grow(text.size());
    if (!text.empty()) std::memcpy(data_.get() + size_, text.data(), text.size());
    size_ += text.size();
  }
  // Any text.
  void write_lines(std::string_view text) {
    for (size_t at = 0; (at = text.find('\n', at)) != text.npos;) {
      ++line_;
      line_start_ = size_ + ++at;
    }
    write(text);
  }
  void newline() {
    put('\n');
    ++line_;
    line_start_ = size_;
  }
  void blanks(size_t count) {
    if (capacity_ - size_ < count) grow(count);
    if (count != 0) std::memset(data_.get() + size_, ' ', count);
    size_ += count;
  }

  uint32_t line() const { return line_; }
  uint32_t col() const { return static_cast<uint32_t>(size_ - line_start_); }

  Mark mark() const { return {size_, line_start_, line_}; }
  // Takes what was written since the mark off again.
  std::string cut(const Mark &mark) {
    std::string text(data_.get() + mark.size, size_ - mark.size);
    size_ = mark.size;
    line_start_ = mark.line_start;
    line_ = mark.line;
    return text;
  }
  std::string_view text() const { return {data_.get(), size_}; }

private:
  void grow(size_t more) {
    capacity_ = (capacity_ + more) * 2 + 256;
    std::unique_ptr<char[]> grown(new char[capacity_]);
    if (size_ != 0) std::memcpy(grown.get(), data_.get(), size_);
    data_ = std::move(grown);
  }

  std::unique_ptr<char[]> data_;
  size_t size_ = 0, capacity_ = 0, line_start_ = 0;
  uint32_t line_ = 1;
};

} // namespace htp

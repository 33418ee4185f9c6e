// htp_cpp/layout/result.h — a value, or the reason why there is none, in the terms of whoever wrote the layout.
#pragma once

#include <optional>
#include <string>
#include <utility>

namespace htp::layout {

struct No {
  std::string reason; // a sentence without a capital and a full stop: "dimension 0 of 10 is not divisible by 4"
};

template <class T> class [[nodiscard]] Result {
public:
  Result(T value) : value_(std::move(value)) {}
  Result(No no) : reason_(std::move(no.reason)) {}

  explicit operator bool() const { return value_.has_value(); }
  const T &operator*() const & { return *value_; }
  T &operator*() & { return *value_; }
  T operator*() && { return std::move(*value_); } // what a loop runs over outlives the result it came in
  const T *operator->() const { return &*value_; }
  T *operator->() { return &*value_; }
  const std::string &reason() const { return reason_; }
  No no() const { return {reason_}; }

private:
  std::optional<T> value_;
  std::string reason_;
};

} // namespace htp::layout

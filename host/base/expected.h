// host/base/expected.h — a value or the reason there is none.
#pragma once

#include <utility>
#include <variant>

namespace htp {

template <class E> struct Unexpected { E error; };
template <class E> Unexpected(E) -> Unexpected<E>;

// Holds a T or an E. For failures at the rim (files, plugins, tools) and for phases that answer with a conflict; phases
// that can go on after an error take a `Diagnostics&` instead.
template <class T, class E> class Expected {
public:
  Expected(T value) : held_(std::in_place_index<0>, std::move(value)) {}
  Expected(Unexpected<E> unexpected) : held_(std::in_place_index<1>, std::move(unexpected.error)) {}

  explicit operator bool() const { return held_.index() == 0; }
  T &operator*() & { return std::get<0>(held_); }
  const T &operator*() const & { return std::get<0>(held_); }
  T operator*() && { return std::get<0>(std::move(held_)); }
  T *operator->() { return &std::get<0>(held_); }
  const T *operator->() const { return &std::get<0>(held_); }
  E &error() { return std::get<1>(held_); }
  const E &error() const { return std::get<1>(held_); }

private:
  std::variant<T, E> held_;
};

} // namespace htp

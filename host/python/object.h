// host/python/object.h — owned references, and text out of Python. For files that include Python.h.
#pragma once

#include <Python.h>

#include <string>
#include <utility>

namespace htp {

// An owned reference, or none.
class Object {
public:
  Object() = default;
  explicit Object(PyObject *object) : object_(object) {}
  Object(const Object &) = delete;
  Object &operator=(const Object &) = delete;
  Object(Object &&other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Object &operator=(Object &&other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Object() { Py_XDECREF(object_); }
  static Object borrowed(PyObject *object) {
    Py_XINCREF(object);
    return Object(object);
  }

  PyObject *get() const { return object_; }
  PyObject *release() { return std::exchange(object_, nullptr); }
  explicit operator bool() const { return object_ != nullptr; }

private:
  PyObject *object_ = nullptr;
};

// str(object); empty, and no error set, when there is none.
std::string text_of(PyObject *object);

// A str of UTF-8, lone surrogates in it as they are.
PyObject *make_text(std::string_view text);

} // namespace htp

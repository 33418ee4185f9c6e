// host/api/function.cpp — an entry as a callable of the running interpreter: arguments that surely fit are checked here
// and the call is made without the interpreter's lock; what else there is goes to the callable for all cases.
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <structmember.h>

#include "host/api/answer.h"
#include "host/api/barrier.h"

#include <array>
#include <cmath>
#include <cstring>
#include <span>

namespace htp::api {

namespace {

constexpr size_t most = 32; // parameters, and dims; an entry with more takes the other way

struct State {
  Handle handle;
  std::string entry;
  BoundPackage::Direct direct;
};

struct Function {
  PyObject_HEAD vectorcallfunc vectorcall;
  State *state;
  PyObject *all, *fault, *empty, *dtypes, *refusal, *names; // see htp/capi.h
};

Function *of(PyObject *self) { return reinterpret_cast<Function *>(self); }

int traverse(PyObject *self, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(self));
  const Function &f = *of(self);
  for (PyObject *part : {f.all, f.fault, f.empty, f.dtypes, f.refusal, f.names}) Py_VISIT(part);
  return 0;
}

int clear(PyObject *self) {
  Py_CLEAR(of(self)->all);
  Py_CLEAR(of(self)->fault);
  Py_CLEAR(of(self)->empty);
  Py_CLEAR(of(self)->dtypes);
  Py_CLEAR(of(self)->refusal);
  Py_CLEAR(of(self)->names);
  return 0;
}

void dealloc(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  clear(self);
  delete of(self)->state;
  type->tp_free(self);
  Py_DECREF(type);
}

// A refusal is for the caller: where in HTP it was raised tells nobody anything.
void forget_frames(const Function &f) {
  if (!f.refusal || !PyErr_ExceptionMatches(f.refusal)) return;
  PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
  PyErr_Fetch(&type, &value, &trace);
  PyErr_NormalizeException(&type, &value, &trace);
  Py_XDECREF(trace);
  if (value) PyException_SetTraceback(value, Py_None);
  PyErr_Restore(type, value, nullptr);
}

PyObject *the_other_way(const Function &f, PyObject *const *args, size_t nargs, PyObject *names) {
  if (!f.all) return PyErr_Format(PyExc_RuntimeError, "the function is gone"), nullptr;
  PyObject *result = PyObject_Vectorcall(f.all, args, nargs, names);
  if (!result) forget_frames(f);
  return result;
}

// One element, of a number that the dtype holds: as `number_for` in htp/entry.py rounds it.
bool scalar(const Signature::Dtype &dtype, PyObject *given, void *to) {
  if (PyFloat_CheckExact(given)) {
    const double value = PyFloat_AS_DOUBLE(given);
    if (dtype.code != kDLFloat || dtype.bits < 32) return false;
    if (dtype.bits == 64) return std::memcpy(to, &value, 8), true;
    const float narrow = static_cast<float>(value);
    return std::memcpy(to, &narrow, 4), true;
  }
  if (!PyLong_CheckExact(given)) return false;
  int beyond = 0;
  const long long value = PyLong_AsLongLongAndOverflow(given, &beyond);
  if (beyond) return false;
  if (dtype.code == kDLFloat && dtype.bits >= 32 && std::llabs(value) <= (1LL << 53)) {
    const double wide = static_cast<double>(value);
    const float narrow = static_cast<float>(wide);
    return dtype.bits == 64 ? std::memcpy(to, &wide, 8) : std::memcpy(to, &narrow, 4), true;
  }
  if (dtype.code != kDLInt && dtype.code != kDLUInt) return false;
  const unsigned bits = dtype.bits;
  if (dtype.code == kDLInt && bits < 64 && (value < -(1LL << (bits - 1)) || value >= 1LL << (bits - 1))) return false;
  if (dtype.code == kDLUInt && (value < 0 || (bits < 64 && value >= 1LL << bits))) return false;
  return std::memcpy(to, &value, bits / 8), true; // this machine counts from the low byte
}

// Whether a buffer's elements lie in memory as the dtype's do. What NumPy has no dtype for is its bits.
bool holds(const Py_buffer &b, const Signature::Dtype &dtype) {
  const char *format = b.format ? b.format : "B";
  if (*format == '@' || *format == '=' || *format == '<') ++format;
  if (b.itemsize * 8 != dtype.bits || !*format || format[1] || b.suboffsets) return false;
  const char *const of_kind = dtype.code == kDLInt     ? "bhilq"
                              : dtype.code == kDLFloat ? "efd"
                              : dtype.code == kDLBool  ? "?"
                                                       : "BHILQ";
  return std::strchr(of_kind, *format) != nullptr;
}

// What a call borrows.
struct Borrowed {
  std::array<Py_buffer, most> buffers;
  std::array<PyObject *, most> made;
  size_t buffer_count = 0, made_count = 0;
  ~Borrowed() {
    for (size_t k = 0; k < buffer_count; ++k) PyBuffer_Release(&buffers[k]);
    for (size_t k = 0; k < made_count; ++k) Py_DECREF(made[k]);
  }
};

PyObject *made_array(const Function &f, size_t parameter, const int64_t *dims) {
  std::vector<int64_t> shape;
  if (!f.state->direct.arguments.shape(parameter, dims, shape)) return nullptr;
  PyObject *extents = PyTuple_New(static_cast<Py_ssize_t>(shape.size()));
  if (!extents) return nullptr;
  for (size_t d = 0; d < shape.size(); ++d)
    PyTuple_SET_ITEM(extents, static_cast<Py_ssize_t>(d), PyLong_FromLongLong(shape[d]));
  PyObject *const args[] = {extents, PyTuple_GET_ITEM(f.dtypes, static_cast<Py_ssize_t>(parameter))};
  PyObject *array = PyObject_Vectorcall(f.empty, args, 2, nullptr);
  Py_DECREF(extents);
  return array;
}

// The arguments by their parameters, null where none is given: all, or all but outputs, of which those by position are
// then the others in their order. False of any other call.
bool placed(const Function &f, PyObject *const *args, size_t given, PyObject *names, PyObject **at) {
  const auto &parameters = f.state->direct.arguments.parameters();
  const size_t named = names ? static_cast<size_t>(PyTuple_GET_SIZE(names)) : 0, count = parameters.size();
  const bool all = given + named == count;
  if (given + named > count) return false;
  std::fill_n(at, count, nullptr);
  size_t next = 0;
  for (size_t k = 0; k < count && next < given; ++k)
    if (all || parameters[k].reads) at[k] = args[next++];
  if (next < given) return false;
  for (size_t n = 0; n < named; ++n) {
    PyObject *name = PyTuple_GET_ITEM(names, static_cast<Py_ssize_t>(n));
    size_t k = 0; // names are interned, those of calls and ours
    while (k < count && PyTuple_GET_ITEM(f.names, static_cast<Py_ssize_t>(k)) != name) ++k;
    if (k == count || at[k]) return false;
    at[k] = args[given + n];
  }
  for (size_t k = 0; k < count; ++k)
    if (!at[k] && parameters[k].reads) return false;
  return true;
}

// Shape and strides of a buffer, in bytes. Who exports it may leave either out, whatever was asked for (ctypes does):
// then the elements lie one after the other. False of what is no array.
bool laid(const Py_buffer &b, std::span<Py_ssize_t, PyBUF_MAX_NDIM> shape,
          std::span<Py_ssize_t, PyBUF_MAX_NDIM> steps) {
  if (b.ndim < 0 || b.ndim > PyBUF_MAX_NDIM || b.itemsize <= 0 || b.len < 0 || (!b.shape && b.ndim > 1)) return false;
  const auto rank = static_cast<size_t>(b.ndim);
  Py_ssize_t step = b.itemsize;
  for (size_t d = rank; d-- > 0;) {
    shape[d] = b.shape ? b.shape[d] : b.len / b.itemsize;
    steps[d] = b.strides ? b.strides[d] : step;
    if (shape[d] < 0 || __builtin_mul_overflow(step, shape[d], &step)) return false;
  }
  return step == b.len;
}

// Gets at one array; false where it is none, or none that fits.
bool borrow(const State &s, size_t k, PyObject *given, Borrowed &borrowed, int64_t *dims, void *&first, size_t &bytes) {
  Py_buffer &buffer = borrowed.buffers[borrowed.buffer_count];
  // An array of a class may mean more than its memory: a mask, units.
  if (!PyObject_CheckBuffer(given) || PyType_HasFeature(Py_TYPE(given), Py_TPFLAGS_HEAPTYPE)) return false;
  if (PyObject_GetBuffer(given, &buffer, PyBUF_RECORDS_RO) != 0) return PyErr_Clear(), false;
  ++borrowed.buffer_count;
  if (!holds(buffer, *s.direct.arguments.parameters()[k].dtype)) return false;
  std::array<Py_ssize_t, PyBUF_MAX_NDIM> shape, steps;
  if (!laid(buffer, shape, steps)) return false;
  first = buffer.buf;
  bytes = static_cast<size_t>(buffer.len);
  return s.direct.arguments.fits(k, {buffer.buf, buffer.ndim, shape.data(), steps.data(), !buffer.readonly}, dims);
}

PyObject *refuse(const Function &f, int code) {
  std::string text;
  try {
    Diagnostics diagnostics;
    f.state->handle->binding->failed(f.state->entry, code, diagnostics);
    text = response_of(Json::object(), diagnostics);
  } catch (const std::exception &e) {
    return PyErr_SetString(PyExc_RuntimeError, e.what()), nullptr;
  }
  PyObject *none = PyObject_CallFunction(f.fault, "s#", text.data(), static_cast<Py_ssize_t>(text.size()));
  if (none) {
    Py_DECREF(none);
    PyErr_SetString(PyExc_RuntimeError, text.c_str());
  }
  forget_frames(f);
  return nullptr;
}

PyObject *call(PyObject *self, PyObject *const *args, size_t nargsf, PyObject *names) {
  const Function &f = *of(self);
  const State &s = *f.state;
  const DirectCall &arguments = s.direct.arguments;
  const size_t given = static_cast<size_t>(PyVectorcall_NARGS(nargsf)), count = arguments.parameters().size();
  std::array<PyObject *, most> at;
  if (s.handle->closed || !f.names || !placed(f, args, given, names, at.data()))
    return the_other_way(f, args, given, names);
  Borrowed borrowed;
  std::array<int64_t, most> dims, sizes, numbers;
  std::array<void *, most> first;
  std::array<size_t, most> bytes;
  std::fill_n(dims.begin(), std::max<size_t>(arguments.dim_count(), 1), -1);
  for (size_t k = 0; k < count; ++k) {
    const DirectCall::Parameter &p = arguments.parameters()[k];
    if (at[k] && p.scalar && scalar(*p.dtype, at[k], &numbers[k]))
      first[k] = &numbers[k], bytes[k] = 0;
    else if (at[k] && !borrow(s, k, at[k], borrowed, dims.data(), first[k], bytes[k]))
      return the_other_way(f, args, given, names);
  }
  for (size_t k = 0; k < count; ++k) {
    if (at[k]) continue;
    PyObject *array = made_array(f, k, dims.data());
    if (!array && PyErr_Occurred()) return nullptr;
    if (!array) return the_other_way(f, args, given, names);
    borrowed.made[borrowed.made_count++] = array;
    if (!borrow(s, k, array, borrowed, dims.data(), first[k], bytes[k])) return the_other_way(f, args, given, names);
  }
  if (!arguments.apart({first.data(), count}, {bytes.data(), count}) || !arguments.sizes(dims.data(), sizes.data()))
    return the_other_way(f, args, given, names);
  int code = 0;
  const htp_direct &function = s.direct.function;
  Py_BEGIN_ALLOW_THREADS code = function.call(function.self, first.data(), sizes.data());
  Py_END_ALLOW_THREADS if (code) return refuse(f, code);
  if (borrowed.made_count == 0) Py_RETURN_NONE;
  if (borrowed.made_count == 1) return Py_NewRef(borrowed.made[0]);
  PyObject *results = PyTuple_New(static_cast<Py_ssize_t>(borrowed.made_count));
  for (size_t k = 0; results && k < borrowed.made_count; ++k)
    PyTuple_SET_ITEM(results, static_cast<Py_ssize_t>(k), Py_NewRef(borrowed.made[k]));
  return results;
}

PyObject *shown(PyObject *self) { return PyUnicode_FromFormat("<native %s>", of(self)->state->entry.c_str()); }

PyMemberDef members[] = {{"__vectorcalloffset__", T_PYSSIZET, offsetof(Function, vectorcall), READONLY, nullptr}, {}};
PyType_Slot slots[] = {{Py_tp_dealloc, reinterpret_cast<void *>(dealloc)},
                       {Py_tp_traverse, reinterpret_cast<void *>(traverse)},
                       {Py_tp_clear, reinterpret_cast<void *>(clear)},
                       {Py_tp_call, reinterpret_cast<void *>(PyVectorcall_Call)},
                       {Py_tp_repr, reinterpret_cast<void *>(shown)},
                       {Py_tp_members, members},
                       {0, nullptr}};
PyType_Spec spec = {
    "htp.NativeFunction", sizeof(Function), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};

} // namespace

bool append_function(const Handle &handle, const std::string &entry, void *parts, Diagnostics &diagnostics) {
  auto direct = handle->binding->direct(entry, diagnostics);
  if (diagnostics.errors()) return false;
  auto *list = static_cast<PyObject *>(parts);
  if (!direct || direct->arguments.parameters().size() > most || direct->arguments.dim_count() > most ||
      direct->arguments.size_count() > most)
    return true;
  static PyObject *type = PyType_FromSpec(&spec); // one interpreter a process
  if (!type) throw std::runtime_error("the interpreter refuses a type");
  auto state = std::make_unique<State>(State{handle, entry, std::move(*direct)});
  auto *made = PyObject_GC_New(Function, reinterpret_cast<PyTypeObject *>(type));
  if (!made) throw std::bad_alloc();
  made->vectorcall = call;
  made->state = state.release();
  PyObject **const into[] = {&made->all, &made->fault, &made->empty, &made->dtypes, &made->refusal, &made->names};
  for (size_t k = 0; k < std::size(into); ++k) *into[k] = Py_NewRef(PyList_GET_ITEM(list, static_cast<Py_ssize_t>(k)));
  PyObject_GC_Track(made);
  const int failed = PyList_Append(list, reinterpret_cast<PyObject *>(made));
  Py_DECREF(made);
  if (failed) throw std::bad_alloc();
  return true;
}

} // namespace htp::api

// host/python/unit_interpreter.h — where units written in Python run: an interpreter beside the process's own (a
// sub-interpreter of CPython's), so that in a user's Python nothing of theirs is met or touched. It is started when the
// first unit is called, and lives as long as the process. For files that include Python.h.
#pragma once

#include "host/ast/kinds.h"
#include "host/parse/interpreter.h"
#include "host/python/object.h"

#include <htp/host.h>

#include <array>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>

namespace htp {

// CPython's classes of nodes, by our numbers, and the names of their fields.
struct AstClass {
  PyObject *type = nullptr;
  std::array<PyObject *, 8> names{}; // null: a field that this Python's grammar has not
  bool has_location = false;
};
struct UnitTools {
  PyInterpreterState *interpreter = nullptr;
  PyObject *call = nullptr, *context = nullptr, *line = nullptr, *cancelled = nullptr, *ast = nullptr;
  std::array<AstClass, HTP_KIND_LIMIT> classes;
  std::unordered_map<PyTypeObject *, uint16_t> kinds;               // of classes
  std::unordered_map<PyTypeObject *, uint32_t> operators, contexts; // htp_op, htp_expr_ctx
  std::unordered_map<uint32_t, PyObject *> operator_of, context_of; // one instance for all, as CPython has them
  std::array<PyObject *, 4> location_names{};
};

// For its life this thread runs in the units' interpreter, and holds its lock. May be nested, with an InHost between.
class InUnits {
public:
  InUnits();
  ~InUnits();
  InUnits(const InUnits &) = delete;
  InUnits &operator=(const InUnits &) = delete;
  explicit operator bool() const { return state_ != nullptr; }
  static const std::string &reason(); // why it did not start
  static const UnitTools &tools();    // once one is there

private:
  friend class InHost;
  Interpreter process_;
  PyThreadState *outer_ = nullptr, *state_ = nullptr;
};

// Back in the process's own interpreter, for the host's functions, which may parse.
class InHost {
public:
  explicit InHost(const InUnits &units) : units_(units) { PyThreadState_Swap(units.outer_); }
  ~InHost() { PyThreadState_Swap(units_.state_); }
  InHost(const InHost &) = delete;
  InHost &operator=(const InHost &) = delete;

private:
  const InUnits &units_;
};

// For its life, `Cancelled` is raised in what this thread runs when the compile is cancelled.
class CancelWatch {
public:
  CancelWatch(const htp_host &host, htp_ctx *ctx);
  ~CancelWatch();
  CancelWatch(const CancelWatch &) = delete;
  CancelWatch &operator=(const CancelWatch &) = delete;

private:
  void watch(const htp_host &host, htp_ctx *ctx, unsigned long thread);

  std::mutex mutex_;
  std::condition_variable wake_;
  bool done_ = false;
  std::thread watcher_;
};

} // namespace htp

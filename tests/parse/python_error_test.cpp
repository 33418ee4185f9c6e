// What CPython says when it is not the program that is wrong.
#include <Python.h>

#include "host/parse/interpreter.h"
#include "host/parse/python_error.h"

#include <gtest/gtest.h>

namespace htp {
namespace {

Diagnostic reported(PyObject *type, const char *text) {
  Interpreter python;
  PyErr_SetString(type, text);
  Diagnostics diagnostics;
  const auto source = std::make_shared<const SourceFile>("p.py", "x\n");
  report_python_error(source, {source, 1, 0, 1, 1}, diagnostics);
  EXPECT_FALSE(PyErr_Occurred());
  EXPECT_EQ(diagnostics.list().size(), 1u);
  return diagnostics.list()[0];
}

TEST(PythonError, WhatIsNoSyntaxErrorIsTold) {
  const Diagnostic d = reported(PyExc_OverflowError, "line number table is too long");
  EXPECT_EQ(d.code, "parse.refused");
  EXPECT_EQ(d.message, "CPython's parser gave up: line number table is too long");
  EXPECT_FALSE(d.hints.empty());
}

TEST(PythonError, DepthPointsWhereTheCallerSays) {
  const Diagnostic d = reported(PyExc_MemoryError, "");
  EXPECT_EQ(d.code, "parse.too-deep");
  EXPECT_EQ(d.span.line, 1u);
  EXPECT_EQ(reported(PyExc_RecursionError, "x").code, "parse.too-deep");
}

TEST(PythonError, ASyntaxErrorWithoutAPlace) {
  const Diagnostic d = reported(PyExc_SyntaxError, "Odd thing.");
  EXPECT_EQ(d.code, "parse.syntax");
  EXPECT_EQ(d.message, "not Python: odd thing");
  EXPECT_EQ(d.span.line, 0u);
}

} // namespace
} // namespace htp

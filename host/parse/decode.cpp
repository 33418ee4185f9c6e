#include <Python.h>

#include "host/parse/decode.h"

#include <algorithm>
#include <cstring>

namespace htp {

namespace {

constexpr std::string_view ByteOrderMark = "\xEF\xBB\xBF";

// A location of one byte, given the offset in a text.
Span location_at(const SourceRef &source, size_t offset) {
  const std::string_view before = std::string_view(source->text).substr(0, offset);
  const auto line = static_cast<uint32_t>(std::count(before.begin(), before.end(), '\n') + 1);
  const size_t start = before.rfind('\n') == before.npos ? 0 : before.rfind('\n') + 1;
  const auto col = static_cast<uint32_t>(offset - start);
  return {source, line, col, line, col + 1};
}

// The encoding's name in a PEP 263 comment: `^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)`.
std::string_view cookie_in(std::string_view line) {
  const size_t hash = line.find_first_not_of(" \t\f");
  if (hash == line.npos || line[hash] != '#') return {};
  for (size_t at = line.find("coding", hash); at != line.npos; at = line.find("coding", at + 1)) {
    size_t begin = at + 6;
    if (begin >= line.size() || (line[begin] != ':' && line[begin] != '=')) continue;
    begin = line.find_first_not_of(" \t", begin + 1);
    if (begin == line.npos) return {};
    size_t end = begin;
    while (end < line.size() && (isalnum(static_cast<unsigned char>(line[end])) || strchr("-_.", line[end]))) ++end;
    if (end != begin) return line.substr(begin, end - begin);
  }
  return {};
}

// The cookie of a text, on its first line, or on its second when the first holds only blanks and a comment.
std::string_view cookie_of(std::string_view text) {
  for (int number = 0; number < 2; ++number) {
    const size_t end = std::min(text.find_first_of("\r\n"), text.size());
    const std::string_view line = text.substr(0, end);
    if (const std::string_view cookie = cookie_in(line); !cookie.empty()) return cookie;
    const size_t first = line.find_first_not_of(" \t\f");
    if ((first != line.npos && line[first] != '#') || end == text.size()) return {};
    text.remove_prefix(end + (text.substr(end, 2) == "\r\n" ? 2 : 1));
  }
  return {};
}

// CPython's own reading of an encoding's name: only its first 12 characters, `_` as `-`.
bool names_utf8(std::string_view name) {
  std::string plain;
  for (const char c : name.substr(0, 12))
    plain += c == '_' ? '-' : static_cast<char>(tolower(static_cast<unsigned char>(c)));
  return plain == "utf-8" || plain.starts_with("utf-8-");
}

// Length of the longest prefix that is valid UTF-8 (no surrogates, no overlong forms).
size_t valid_utf8(std::string_view text) {
  const auto *s = reinterpret_cast<const unsigned char *>(text.data());
  const size_t n = text.size();
  size_t i = 0;
  const auto tail = [&](size_t at) { return at < n && (s[at] & 0xC0) == 0x80; };
  while (i < n) {
    uint64_t word;
    if (i + 8 <= n && (std::memcpy(&word, s + i, 8), (word & 0x8080808080808080u) == 0)) {
      i += 8;
      continue;
    }
    const unsigned char c = s[i];
    size_t size;
    if (c < 0x80)
      size = 1;
    else if (c >= 0xC2 && c < 0xE0 && tail(i + 1))
      size = 2;
    else if (c >= 0xE0 && c < 0xF0 && tail(i + 1) && tail(i + 2) && !(c == 0xE0 && s[i + 1] < 0xA0) &&
             !(c == 0xED && s[i + 1] >= 0xA0))
      size = 3;
    else if (c >= 0xF0 && c < 0xF5 && tail(i + 1) && tail(i + 2) && tail(i + 3) && !(c == 0xF0 && s[i + 1] < 0x90) &&
             !(c == 0xF4 && s[i + 1] >= 0x90))
      size = 4;
    else
      return i;
    i += size;
  }
  return n;
}

std::string normalize_newlines(std::string_view text) {
  std::string made;
  made.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\r', at), text.size());
    made.append(text, at, end - at);
    if (end == text.size()) break;
    made += '\n';
    at = end + (text.substr(end, 2) == "\r\n" ? 2 : 1);
  }
  return made;
}

// Decodes by Python's codec; reports and returns false when it cannot.
bool decode_by_codec(std::string_view text, const std::string &encoding, const SourceRef &source, std::string &decoded,
                     Diagnostics &diagnostics) {
  PyObject *made = PyUnicode_Decode(text.data(), static_cast<Py_ssize_t>(text.size()), encoding.c_str(), "strict");
  if (made) {
    Py_ssize_t size = 0;
    if (const char *data = PyUnicode_AsUTF8AndSize(made, &size)) decoded.assign(data, static_cast<size_t>(size));
    Py_DECREF(made);
    if (!PyErr_Occurred()) return true;
  }
  PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
  PyErr_Fetch(&type, &value, &trace);
  PyErr_NormalizeException(&type, &value, &trace);
  Py_ssize_t start = 0;
  if (PyErr_GivenExceptionMatches(value, PyExc_UnicodeDecodeError) &&
      PyUnicodeDecodeError_GetStart(value, &start) == 0) {
    const auto offset = static_cast<size_t>(text.data() - source->text.data() + start);
    diagnostics.report(diag::parse_encoding, location_at(source, offset), encoding, "this byte stands for no character")
        .hint("save the file as UTF-8 and drop the encoding comment");
  } else {
    const auto offset = static_cast<size_t>(cookie_of(text).data() - source->text.data());
    Span span = location_at(source, offset);
    span.end_col = span.col + static_cast<uint32_t>(encoding.size());
    diagnostics.report(diag::parse_unknown_encoding, span, encoding)
        .hint("save the file as UTF-8 and drop this comment");
  }
  PyErr_Clear();
  Py_XDECREF(type);
  Py_XDECREF(value);
  Py_XDECREF(trace);
  return false;
}

} // namespace

SourceRef decode_source(const SourceRef &source, Interpreter &python, Diagnostics &diagnostics) {
  std::string_view text = source->text;
  if (const size_t nul = text.find('\0'); nul != text.npos) {
    Diagnostic &d = diagnostics.report(diag::parse_nul_byte, location_at(source, nul));
    d.hint(text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")
               ? "the file is UTF-16: save it as UTF-8"
               : "remove the byte, or save the file as UTF-8 text");
    return nullptr;
  }
  const bool marked = text.starts_with(ByteOrderMark);
  if (marked) text.remove_prefix(ByteOrderMark.size());
  const std::string_view cookie = cookie_of(text);
  std::string made;
  if (cookie.empty() || names_utf8(cookie)) {
    if (const size_t valid = valid_utf8(text); valid != text.size()) {
      diagnostics
          .report(diag::parse_encoding, location_at(source, valid + source->text.size() - text.size()), "utf-8",
                  "this byte stands for no character")
          .hint("save the file as UTF-8, or name its encoding on the first line: `# -*- coding: latin-1 -*-`");
      return nullptr;
    }
  } else {
    const std::string encoding(cookie);
    if (marked) {
      Span span = location_at(source, static_cast<size_t>(cookie.data() - source->text.data()));
      span.end_col = span.col + static_cast<uint32_t>(cookie.size());
      diagnostics.report(diag::parse_encoding, span, encoding, "it begins with a UTF-8 byte order mark")
          .hint("drop this comment: the file is UTF-8");
      return nullptr;
    }
    if (!python.finish()) {
      diagnostics.report(diag::parse_no_interpreter, Span{source}, Interpreter::reason());
      return nullptr;
    }
    if (!decode_by_codec(text, encoding, source, made, diagnostics)) return nullptr;
    if (const std::string_view stale = cookie_of(made); !stale.empty())
      made.replace(static_cast<size_t>(stale.data() - made.data()), stale.size(), "utf-8");
    text = made;
  }
  if (text.find('\r') != text.npos)
    made = normalize_newlines(text);
  else if (text.size() == source->text.size() && text.data() == source->text.data())
    return source;
  else if (text.data() != made.data())
    made = text;
  return std::make_shared<const SourceFile>(source->path, std::move(made));
}

bool is_plain(std::string_view text) {
  return text.find('\0') == text.npos && text.find('\r') == text.npos && !text.starts_with(ByteOrderMark) &&
         cookie_of(text).empty() && valid_utf8(text) == text.size();
}

uint32_t byte_column(std::string_view line, long offset) {
  size_t at = 0;
  for (long left = offset - 1; left > 0 && at < line.size(); --left) {
    ++at;
    while (at < line.size() && (static_cast<unsigned char>(line[at]) & 0xC0) == 0x80) ++at;
  }
  return static_cast<uint32_t>(at);
}

} // namespace htp

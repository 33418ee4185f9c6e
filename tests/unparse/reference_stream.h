// tests/unparse/reference_stream.h — the answers of tests/unparse/reference.py, one after another.
#pragma once

#include <cstdio>
#include <memory>
#include <string>

namespace htp {

struct Reference {
  std::string kind, path, data;
};

class ReferenceStream {
public:
  explicit ReferenceStream(const std::string &command) : pipe_(popen(command.c_str(), "r"), pclose) {}

  bool next(Reference &answer) {
    char kind[16], path[4096];
    size_t size = 0;
    if (!pipe_ || fscanf(pipe_.get(), "%15s %4095s %zu", kind, path, &size) != 3 || fgetc(pipe_.get()) != '\n')
      return false;
    answer.kind = kind;
    answer.path = path;
    answer.data.resize(size);
    return fread(answer.data.data(), 1, size, pipe_.get()) == size;
  }

private:
  std::unique_ptr<FILE, int (*)(FILE *)> pipe_;
};

} // namespace htp

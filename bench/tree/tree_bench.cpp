// What the tree costs, over CPython's standard library without its tests: text → tree, the walk, tree → text. Each
// benchmark goes through all files once an iteration; CPU time. `scripts/bench-tree` sets it beside CPython's own
// `ast`.
#include <Python.h>

#include "host/ast/unparse.h"
#include "host/parse/interpreter.h"
#include "host/parse/parse.h"
#include "host/parse/trivia.h"

#include <htp/walk.h>

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

namespace htp {
namespace {

struct Corpus {
  std::vector<SourceRef> files;
  size_t bytes = 0;
};

// Sorted, so that every run does the same.
Corpus read_corpus(const std::string &folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto &entry : std::filesystem::recursive_directory_iterator(folder)) {
    const std::string path = entry.path().string();
    if (entry.path().extension() == ".py" && path.find("/test/") == path.npos && path.find("/tests/") == path.npos)
      paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  Corpus corpus;
  for (const auto &path : paths) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    corpus.files.push_back(std::make_shared<const SourceFile>(path.string(), text.str()));
    corpus.bytes += corpus.files.back()->text.size();
  }
  return corpus;
}

Corpus &corpus() {
  static Corpus all = read_corpus("/usr/lib/python3.11");
  return all;
}

// Every file's tree in one store, made once.
struct Trees {
  Store store;
  std::vector<htp_node> roots;
};

Trees &trees() {
  static Trees all;
  if (all.roots.empty()) {
    Diagnostics diagnostics;
    for (const SourceRef &file : corpus().files) {
      const htp_node root = parse_tree(file, diagnostics, all.store);
      if (root == 0) continue;
      attach_trivia(all.store, root, *all.store.file(all.store.at(root).file));
      all.roots.push_back(root);
    }
  }
  return all;
}

double seconds() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

// CPU seconds of libpython's own call for a text.
double libpython_call(const SourceRef &file) {
  PyCompilerFlags flags = {PyCF_ONLY_AST | PyCF_SOURCE_IS_UTF8, PY_MINOR_VERSION};
  PyObject *name = PyUnicode_FromString("");
  PyGC_Disable();
  const double begin = seconds();
  PyObject *tree = Py_CompileStringObject(file->text.c_str(), name, Py_file_input, &flags, -1);
  const double spent = seconds() - begin;
  if (!tree) PyErr_Clear();
  Py_XDECREF(tree);
  Py_DECREF(name);
  return spent;
}

// Each file goes through libpython's call alone and then through all of it, side by side, so that the machine's slow
// phases meet both: `own` is all that is not libpython's.
void parse_all(benchmark::State &state, bool trivia, bool text) {
  Interpreter python;
  size_t written = 0;
  double all = 0, libpython = 0;
  for (auto _ : state) {
    double round = 0;
    for (const SourceRef &file : corpus().files) {
      libpython += libpython_call(file);
      const double begin = seconds();
      Store store;
      Diagnostics diagnostics;
      const htp_node root = parse_tree(file, diagnostics, store);
      if (root != 0) {
        if (trivia) attach_trivia(store, root, *store.file(store.at(root).file));
        if (text)
          written += unparse(*store.abi(), root, {.trivia = trivia, .spans = nullptr, .failure = nullptr}).size();
      }
      round += seconds() - begin;
    }
    state.SetIterationTime(round);
    all += round;
  }
  benchmark::DoNotOptimize(written);
  const double megabytes = static_cast<double>(corpus().bytes) * 1e-6 * static_cast<double>(state.iterations());
  state.counters["MB/s"] = megabytes / all;
  state.counters["libpython_MB/s"] = megabytes / libpython;
  state.counters["own_MB/s"] = megabytes / (all - libpython);
}

void BM_TextToTree(benchmark::State &state) { parse_all(state, false, false); }
void BM_TextToTreeWithTrivia(benchmark::State &state) { parse_all(state, true, false); }
void BM_TextToTreeToText(benchmark::State &state) { parse_all(state, false, true); }
void BM_TextToTreeToTextWithTrivia(benchmark::State &state) { parse_all(state, true, true); }

void unparse_all(benchmark::State &state, bool trivia) {
  const Trees &all = trees();
  size_t written = 0;
  for (auto _ : state)
    for (const htp_node root : all.roots)
      written += unparse(*all.store.abi(), root, {.trivia = trivia, .spans = nullptr, .failure = nullptr}).size();
  state.SetBytesProcessed(static_cast<int64_t>(written));
}
void BM_Unparse(benchmark::State &state) { unparse_all(state, false); }
void BM_UnparseWithTrivia(benchmark::State &state) { unparse_all(state, true); }

// Depth-first in the order of the source through the ABI's header, reading kind and span, as a plugin does.
void BM_Walk(benchmark::State &state) {
  const Trees &all = trees();
  const htp_store *store = all.store.abi();
  uint64_t sum = 0, nodes = 0;
  for (auto _ : state) {
    for (const htp_node root : all.roots) {
      htp_walk w;
      htp_walk_begin(&w, store, root);
      for (htp_node n; (n = htp_walk_next(&w)) != HTP_NONE; ++nodes) {
        const htp_record *r = htp_at(store, n);
        sum += r->kind + r->line + r->col + r->end_line + r->end_col;
      }
      htp_walk_end(&w);
    }
  }
  benchmark::DoNotOptimize(sum);
  state.SetItemsProcessed(static_cast<int64_t>(nodes));
  state.counters["bytes/node"] = static_cast<double>(all.store.bytes_used()) / (store->record_count - 1);
}

BENCHMARK(BM_TextToTree)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(BM_TextToTreeWithTrivia)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(BM_TextToTreeToText)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(BM_TextToTreeToTextWithTrivia)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(BM_Unparse)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_UnparseWithTrivia)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_Walk)->Unit(benchmark::kMillisecond);

} // namespace
} // namespace htp

BENCHMARK_MAIN();

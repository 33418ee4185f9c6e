// host/resolve/search.h — chooses: the preferred solution of a model, or the causes that leave none.
#pragma once

#include "host/resolve/model.h"
#include "host/resolve/sat.h"

namespace htp {

struct Chosen {
  std::vector<bool> plugins, instances; // by index in the model
  std::set<uint32_t> granted;           // want lines
};

class Search {
public:
  explicit Search(const Model &model, bool founded = true);

  // The preferred solution, wants granted; nothing when there is none.
  std::optional<Chosen> preferred();
  // Minimal sets of blames that leave no solution, apart from each other; the first is one of the smallest that were
  // met.
  std::vector<std::vector<uint32_t>> conflicts();
  // Some of `blames` that leave no solution; nothing when there is one.
  std::optional<std::vector<uint32_t>> core(const std::vector<uint32_t> &blames);
  // Is there a solution with this instance in it?
  bool possible(uint32_t instance);

private:
  int option_literal(const LineOption &option);
  void encode_line(uint32_t line, int guard);
  void encode();
  Chosen read(const Sat::Model &model) const;
  std::optional<Chosen> least(const std::vector<int> &assumptions, const std::vector<int> &order);
  bool add_loop(const Chosen &chosen, const std::set<int> &enabled);
  std::vector<uint32_t> minimal(std::vector<uint32_t> blames, bool from_last);
  std::vector<int> selectors(const std::vector<uint32_t> &blames) const;

  const Model &model_;
  bool founded_;
  Sat sat_;
  std::vector<int> plugins_, instances_, selectors_;
  std::map<LineOption, int> ranged_;
  std::map<uint32_t, int> guards_; // want line → literal that makes it hold
  std::vector<int> order_;
};

} // namespace htp

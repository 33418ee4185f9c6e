// What holds of cores that were read.
#include "analyses/cores.h"

#include <algorithm>

namespace htp::aie::cores {

void connect(Cores &all) {
  for (Channel &ch : all.channels) ch.puts.clear(), ch.gets.clear();
  for (Process &p : all.processes)
    each(p.body, [&](Item &i) {
      if (i.kind == Item::Kind::put) all.channels[i.channel].puts = p.name;
      if (i.kind == Item::Kind::get || i.kind == Item::Kind::drop)
        if (auto &gets = all.channels[i.channel].gets; std::find(gets.begin(), gets.end(), p.name) == gets.end())
          gets.push_back(p.name);
    });
}

std::map<std::string, int> writers_of(Process &p) {
  std::map<std::string, int> writers;
  each(p.body, [&](const Item &i) {
    if (i.kind == Item::Kind::call || i.kind == Item::Kind::load || i.kind == Item::Kind::get) ++writers[i.tile];
  });
  return writers;
}

void set_padded(Cores &all, size_t tensor) {
  Parameter &q = all.parameters[tensor];
  if (q.view.empty()) q.view = fresh(all, q.name + "_padded");
  q.view_node = HTP_NONE;
  for (Access &a : all.accesses)
    if (a.tensor == tensor) a.changed = true;
}

int64_t shared_by(const Cores &all, Over over) {
  return over == Over::cores     ? all.columns * all.rows
         : over == Over::columns ? all.columns
         : over == Over::rows    ? all.rows
                                 : 1;
}
int64_t padded_extent(const Cores &all, const Loop &l) {
  const int64_t blocks = (l.extent + l.block - 1) / l.block, by = shared_by(all, l.over);
  return (blocks + by - 1) / by * by * l.block;
}
bool ragged(const Cores &all, size_t loop) {
  const Loop *l = &all.loops[loop];
  const int64_t block = l->block;
  while (l->within) l = &all.loops[*l->within];
  return block && (l->extent % block || l->ragged());
}

std::string fresh(Cores &all, const std::string &stem) {
  std::string name = stem;
  for (int n = 1; !all.names.insert(name).second; ++n) name = stem + "_" + std::to_string(n);
  return name;
}

} // namespace htp::aie::cores

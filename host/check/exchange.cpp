// What a plugin exchanges with others: layouts, the files of a package, packages and arguments.
#include "host/ast/walk.h"
#include "host/check/behaviour.h"
#include "host/check/made_up.h"
#include "host/pipeline/tree.h"

#include <htp/htp.h>

#include <algorithm>
#include <set>

namespace htp {

namespace {

// ── layouts ──

// A facet's functions on the bench.
class Facet {
public:
  Facet(Bench &bench, const UnitRef &ref, const Sample &sample)
      : bench_(bench), ref_(ref), facet_(*static_cast<const htp_layout_facet *>(ref.interface)),
        ctx_(sample.made->store(), said_, bench.cache, sample.made->settings()) {
    ctx_.registry = &sample.made->registry();
    ctx_.enter(*ref.unit, sample.made->ran().stages.front().root);
  }

  htp_node canonical(htp_node a) { return ask("canonical", facet_.canonical, a); }
  htp_node to_core(htp_node a) { return ask("to_core", facet_.to_core, a); }
  htp_node from_core(htp_node a) { return ask("from_core", facet_.from_core, a); }
  htp_node join(htp_node a, htp_node b) { return ask("join", facet_.join, a, b); }
  std::string text(htp_node n) { return n ? text_of(ctx_.store, n) : "none"; }
  std::string canonical_text(htp_node n) { return n ? text(canonical(n)) : "none"; }
  htp_node parse(const std::string &source) { return ctx_.host->parse_expr(&ctx_, {source.data(), source.size()}, 0); }

private:
  template <class F, class... N> htp_node ask(const char *function, F f, N... nodes) {
    std::string shown;
    for (const htp_node n : {nodes...}) shown += (shown.empty() ? "" : ", ") + text(n);
    bench_.voice->at(fmt::format("`{}` of layout `{}` on {}", function, ref_.unit->name.value, shown));
    const htp_node result = f(ctx_.host, &ctx_, nodes...);
    return ctx_.store.is_node(result) ? result : HTP_NONE;
  }

  Bench &bench_;
  const UnitRef &ref_;
  const htp_layout_facet &facet_;
  Diagnostics said_;
  htp_ctx ctx_;
};

bool is_constructor(const Store &store, const std::vector<Imported> &imports, htp_node n,
                    std::string_view constructor) {
  if (store.kind(n) != HTP_Call) return false;
  const htp_node function = store.slot(n, HTP_FIELD(Call, func));
  return qualified_name(store, imports, function) == constructor || dotted_name(store, function) == constructor;
}

// Layouts that the programs write, the same with other numbers, and what the facet makes of core layouts at random.
std::vector<htp_node> layouts_of(const Sample &sample, const htp_layout_facet &interface, Facet &facet) {
  Store &store = sample.made->store();
  std::vector<htp_node> result;
  const htp_node root = sample.made->ran().stages.front().root;
  const auto imports = imports_of(store, root);
  for (const htp_node n : preorder(*store.abi(), root))
    if (is_constructor(store, imports, n, interface.constructor)) result.push_back(n);
  Dice dice(1);
  const size_t written = result.size();
  for (size_t i = 0; i < written * 8; ++i)
    if (const htp_node changed = with_other_numbers(store, result[i % written], dice)) result.push_back(changed);
  for (int i = 0; i < 20; ++i) {
    std::string iters;
    static constexpr std::string_view axes[] = {"core", "lane", "m", "row"};
    const uint32_t first = dice.below(4);
    for (uint32_t k = 0, n = 1 + dice.below(3); k < n; ++k)
      iters += fmt::format("({}, {}, '{}'), ", 1u << dice.below(6), dice.below(3) ? 1u : 1u << dice.below(4),
                           axes[(first + k) % 4]);
    const htp_node core = facet.parse("htp.layout((" + iters + "))");
    if (const htp_node seen = core ? facet.from_core(core) : HTP_NONE) result.push_back(seen);
  }
  return result;
}

// ── packages ──

// A package of a sample on disk, and the request that finds the plugin.
struct Packed {
  TemporaryFolder folder;
  CompileRequest request;
  std::string path;
};

std::optional<Packed> pack(const Bench &bench, const Sample &sample) {
  Diagnostics said;
  auto draft = sample.made->emit(said);
  auto folder = TemporaryFolder::make("htp-check");
  if (!draft || !folder) return std::nullopt;
  Packed packed{std::move(*folder), {}, {}};
  packed.path = packed.folder.path() + "/package";
  packed.request.judged = false; // it runs confined
  for (const Manifest *m : bench.subject.all) packed.request.plugin_path.push_back(m->folder);
  if (!write_package(std::move(*draft), packed.path, said)) return std::nullopt;
  return packed;
}

// The binding on the bench, reading what it is given instead of a package's files.
struct Validation {
  htp_status status;
  Diagnostics said;
};
Validation validate(const Bench &bench, const Sample &sample, const Unit &unit, const htp_binding &binding,
                    const std::map<std::string, std::string> &files) {
  Validation result{HTP_OK, {}};
  ContextSettings settings = sample.made->settings();
  settings.read = [&](const std::string &path) -> Expected<std::string, IoError> {
    const auto at = files.find(path);
    if (at != files.end()) return at->second;
    return Unexpected{IoError{path, "the package has no such file"}};
  };
  Store store;
  htp_ctx ctx(store, result.said, bench.cache, settings);
  const Registry none({}, {});
  ctx.registry = &none;
  ctx.enter(unit, HTP_NONE);
  result.status = binding.validate(ctx.host, &ctx);
  return result;
}

} // namespace

void check_layouts(Bench &bench, Findings &findings) {
  std::set<std::string> tried;
  for (const Sample &sample : bench.samples)
    for (const UnitRef *ref : sample.made->registry().of(UnitKind::layout)) {
      if (!bench.own(*ref) || !tried.insert(ref->unit->name.value).second) continue;
      Facet facet(bench, *ref, sample);
      const auto layouts = layouts_of(sample, *static_cast<const htp_layout_facet *>(ref->interface), facet);
      if (layouts.empty()) tried.erase(ref->unit->name.value); // perhaps the next program writes one
      const auto fail = [&](CheckId check, std::string message, std::string expected, std::string found) {
        if (Finding *f = bench.fail(findings, check, ref->unit, &sample, std::move(message))) {
          f->expected = std::move(expected);
          f->found = std::move(found);
        }
      };
      for (const htp_node layout : layouts) {
        const htp_node canonical = facet.canonical(layout);
        if (!canonical) continue; // refused: it is none
        const std::string text = facet.text(canonical);
        if (const std::string again = facet.canonical_text(canonical); again != text) {
          fail(CheckId::layout_canonical, fmt::format("the canonical form of `{}` has another one", text), text, again);
          continue; // which the rest is told by
        }
        if (const htp_node core = facet.to_core(canonical)) {
          const std::string back = facet.canonical_text(facet.from_core(core));
          if (back != text)
            fail(CheckId::layout_round_trip, fmt::format("`{}` comes back from the core form as `{}`", text, back),
                 text, back);
        }
        if (const std::string self = facet.canonical_text(facet.join(layout, layout)); self != text)
          fail(CheckId::layout_join, fmt::format("`{}` joined with itself is `{}`", text, self), text, self);
        for (const htp_node other : layouts) {
          if (!facet.canonical(other)) continue;
          const std::string ab = facet.canonical_text(facet.join(layout, other)),
                            ba = facet.canonical_text(facet.join(other, layout));
          if (ab != ba)
            fail(CheckId::layout_join,
                 fmt::format("`{}` and `{}` join differently the other way round", facet.text(layout),
                             facet.text(other)),
                 ab, ba);
        }
      }
    }
  for (const Unit &unit : bench.subject.manifest.units)
    if (unit.kind == UnitKind::layout && !tried.contains(unit.name.value))
      for (const CheckId id : {CheckId::layout_canonical, CheckId::layout_round_trip, CheckId::layout_join})
        findings.not_asked(id, "no example program writes a layout of it");
}

void check_emitted(Bench &bench, Findings &findings) {
  const auto calls = bench.calls_of(UnitKind::backend);
  if (calls.empty()) return findings.not_asked(CheckId::emit_files, "no example program reaches its backend");
  for (const Call *call : calls) {
    const Answer answer = bench.run(*call);
    if (answer.status != HTP_OK) continue;
    const auto fail = [&](std::string message, std::string expected, std::string found) {
      if (Finding *f = bench.fail(findings, CheckId::emit_files, call->ref->unit, call->sample, std::move(message))) {
        f->expected = std::move(expected);
        f->found = std::move(found);
      }
    };
    if (answer.text.empty()) fail(fmt::format("{} handed over no file", call->what), "a file", "none");
    const std::string program = absolute_path(call->sample->program);
    for (const std::string &folder :
         {program.substr(0, program.rfind('/') + 1), absolute_path(bench.subject.manifest.folder) + "/"})
      if (const size_t at = answer.text.find(folder); at != std::string::npos)
        fail(fmt::format("{} handed over a file that names a folder of this machine", call->what), "no absolute path",
             answer.text.substr(at, answer.text.find('\n', at) - at));
  }
}

void check_binding(Bench &bench, Findings &findings) {
  const Sample *sample = nullptr;
  const UnitRef *ref = nullptr;
  for (const Sample &s : bench.samples)
    for (const Unit &unit : bench.subject.manifest.units) {
      const UnitRef *backend = s.made->registry().find(UnitKind::backend, s.target);
      const auto speaks = [&](const Term &term) {
        return term.name == "Package.Contract" &&
               term.text().find('"' + unit.contract_id.value + '"') != std::string::npos;
      };
      if (unit.kind != UnitKind::binding || ref || !s.made->last() || !backend) continue;
      if (bench.own(*backend) && bench.calls_of(UnitKind::backend).empty()) continue; // its files are not in order
      if (std::none_of(backend->unit->provides.begin(), backend->unit->provides.end(), speaks)) continue;
      ref = s.made->registry().find(UnitKind::binding, unit.name.value);
      if (ref && bench.own(*ref)) sample = &s;
    }
  const auto packed = sample ? pack(bench, *sample) : std::nullopt;
  if (!packed) {
    for (const CheckId id : {CheckId::binding_accepts, CheckId::binding_refuses})
      findings.not_asked(id, "no example program compiles to a package of its contract");
    return;
  }
  const auto &binding = *static_cast<const htp_binding *>(ref->interface);
  const auto fail = [&](CheckId check, std::string message, std::string expected, std::string found) {
    if (Finding *f = bench.fail(findings, check, ref->unit, sample, std::move(message))) {
      f->expected = std::move(expected);
      while (found.ends_with('\n')) found.pop_back();
      f->found = std::move(found);
    }
  };
  std::map<std::string, std::string> files;
  if (const auto tree = list_tree(packed->path))
    for (const FolderEntry &entry : *tree)
      if (auto bytes = read_file(join_path(packed->path, entry.name))) files[entry.name] = std::move(*bytes);
  bench.voice->at(
      fmt::format("`validate` of binding `{}` on the package of {}", ref->unit->name.value, sample->program));
  const Validation good = validate(bench, *sample, *ref->unit, binding, files);
  if (good.status != HTP_OK || good.said.errors())
    return fail(CheckId::binding_accepts, "it refuses the package that the example compiles to", "HTP_OK",
                lines_of(good.said));

  // Nothing there; each file damaged; all of them damaged.
  bool refused = false;
  std::map<std::string, std::string> damaged = files;
  for (auto &[path, bytes] : damaged) bytes = "\x01 not what it was {{{";
  for (const auto &[told, given] :
       {std::pair{"of no files", std::map<std::string, std::string>{}}, {"of damaged files", damaged}}) {
    bench.voice->at(fmt::format("`validate` of binding `{}` on a package {}", ref->unit->name.value, told));
    const Validation bad = validate(bench, *sample, *ref->unit, binding, given);
    refused |= bad.status != HTP_OK;
    if (bad.status != HTP_OK && !bad.said.errors())
      fail(CheckId::binding_refuses, fmt::format("it refuses a package {}, and does not say why", told), "a diagnostic",
           "none");
  }
  if (!refused)
    fail(CheckId::binding_refuses, "it accepts a package without files, and one of damaged files", "HTP_FAILED",
         "HTP_OK");
}

} // namespace htp

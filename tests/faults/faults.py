"""Faults of our own sources, one a component: what is changed, what is built again, and which tests of the short suite must fail. `old` stands once in the
tree, and finds the file."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Fault:
    """One change of a source."""

    name: str
    old: str
    new: str
    targets: str
    """What is built, as ninja calls it; nothing where only Python is changed."""
    tests: str
    """The tests, as ctest's -R takes them: one of them at least must fail."""
    slice: str = "0/4"
    """The commit's slice of what is long, in which they find it."""


HOST = "htp_host htp_shared"

FAULTS = (
    # host/
    Fault("api: the number of layouts is asked backwards", "if (request.layouts.size() != row->layouts)", "if (request.layouts.size() == row->layouts)", "htp_shared", "^layout/algebra$"),
    Fault("ast: trees with more elements are equal", "if (count != htp_list_size(&b_store, t)) return here;", "if (count > htp_list_size(&b_store, t)) return here;", "test_ast", "^ast$"),
    Fault("ast: *args is not written", "if (f->vararg != 0) arg(f->vararg);", "if (f->vararg == 1) arg(f->vararg);", "test_unparse_corpus", "^unparse/corpus$"),
    Fault("base: digits of digests end at e", "(c >= 'a' && c <= 'f')", "(c >= 'a' && c <= 'e')", "test_base test_package", "^(base|package)$"),
    Fault("bind: a manifest that changed is read", "if (!text || sha256(*text) == files.digest) return text;", "if (!text || sha256(*text) != files.digest) return text;", HOST, "^backend-a2a3/law5$"),
    Fault("check: a unit may fail without a word", "answer.status != HTP_CANCELLED && !answer.said.errors() && !answers_no", "answer.status != HTP_CANCELLED && answer.said.errors() && !answers_no", HOST, "^check$", "2/4"),
    Fault("cli: an extent below the least is taken", "if (size < least) return Wrong", "if (size < least - 1) return Wrong", "htp_host", "^cli"),
    Fault("diag: ranges of wide characters end early", "c <= std::prev(at)->last;", "c < std::prev(at)->last;", "test_diag", "^diag$"),
    Fault("load: notes of other kinds are read", "if (segment.p_type != PT_NOTE) continue;", "if (segment.p_type == PT_NOTE) continue;", "test_load", "^load$"),
    Fault("manifest: numbers with a leading zero are numbers", "if (whole == 0 || (whole > 1 && text[at] == '0')) return ScalarType::string;", "if (whole == 0) return ScalarType::string;", "test_manifest", "^manifest$"),
    Fault("package: a stage's digest is not compared", "else if (output->sha256 != x.sha256)", "else if (output->sha256.size() != x.sha256.size())", "test_package", "^package$"),
    Fault("parse: one byte in eight may be anything", "(word & 0x8080808080808080u) == 0", "(word & 0x8080808080808000u) == 0", "test_parse", "^parse$"),
    Fault("pipeline: texts that end in a quote are written between three", "text.find('\\n') == text.npos || text.ends_with('\"') || text.ends_with('\\\\')) return {};", "text.find('\\n') == text.npos || text.ends_with('\\\\')) return {};", "test_pipeline_registry", "^pipeline/registry$"),
    Fault("python: a node's second line is its first", "const std::array<uint32_t, 4> numbers{location.line, location.col, location.end_line, location.end_col};", "const std::array<uint32_t, 4> numbers{location.line, location.col, location.line, location.end_col};", HOST, "^bridge-python/units$"),
    Fault("resolve: passes are counted from 0", 'out += fmt::format("  {}. {}{}\\n", i + 1, pass_name(plan.passes[i]),', 'out += fmt::format("  {}. {}{}\\n", i, pass_name(plan.passes[i]),', "htp_host test_resolve_cases", "^(cli|resolve-cases)"),
    Fault("resolve: a satisfied clause is learned", "if (value(clause[i]) > 0) return;", "if (value(clause[i]) > 1) return;", "test_resolve_sat test_resolve_property", "^resolve-(sat|property)$"),
    # sdk/
    Fault("constants: // truncates", "// Python's: towards minus infinity\n      if (b == 0 || (b == -1 && a == INT64_MIN)) return std::nullopt;\n      const int64_t q = a / b - (a % b != 0 && (a < 0) != (b < 0));", "\n      if (b == 0 || (b == -1 && a == INT64_MIN)) return std::nullopt;\n      const int64_t q = a / b;", "dialect_tile test_dialect_tile", "^(dialect-tile|laws/law8)$"),
    Fault("independence: spread places meet never", "return a.times == b.times && a.shift == b.shift && (a.by == b.by || (a.by - b.by) % a.times != 0);", "return a.times == b.times && a.shift == b.shift;", "dialect_tile dialect_wsp test_dialect_tile test_dialect_wsp", "^(dialect-tile|dialect-wsp|laws/law8)"),
    Fault("dataflow: loops that run once are over", "over = over || (number ? *number <= 0 : never(known & at_least(head.left.back(), 1)));", "over = over || (number ? *number <= 0 : never(known & at_least(head.left.back(), 2)));", "test_sdk_dataflow", "^sdk/dataflow$"),
    Fault("dataflow: a full channel has room in the proof", "if (capacity == 0 ? held.most() > 0 : held.most() >= capacity) return false;", "if (capacity == 0 ? held.most() > 0 : held.most() > capacity) return false;", "test_sdk_dataflow", "^sdk/dataflow$"),
    Fault("dataflow: a slot is free when one reader has released it", "for (const ChannelState::Reader &reader : state.readers) least = std::min(least, reader.released);", "for (const ChannelState::Reader &reader : state.readers) least = reader.released;", "test_sdk_dataflow", "^sdk/dataflow$"),
    Fault("layout: points with common bits are apart", "(at.second & b[at.first]) != 0; });", "(at.second & b[at.first]) < 0; });", "test_layout", "^layout$"),
    Fault("layout: what is left of a term keeps its step", "t = {t.extent / open, {t.steps[0] * open}};", "t = {t.extent / open, {t.steps[0]}};", "test_layout", "^layout$"),
    Fault("layout: bank conflicts of the last lanes are not seen", "for (int64_t start = 0; start < layout.size(); start += lanes) {", "for (int64_t start = 0; start + lanes < layout.size(); start += lanes) {", "test_layout", "^layout$"),
    Fault("semantics: integers are divided downwards", "quotient = abs(a) // abs(b) if b else 0", "quotient = a // b if b else 0", "", "^(python/semantics|laws/law5)$"),
    Fault("semantics: bf16 rounds halves up", "(bits + (np.uint32(0x7FFF) + ((bits >> np.uint32(16)) & np.uint32(1))))", "(bits + np.uint32(0x8000))", "", "^(python/semantics|laws/law5)$"),
    Fault("operations: an index below 0 is taken", "        if place and min(place) < 0:\n            raise IndexError\n        touched(source, place, writes=False)", "        touched(source, place, writes=False)", "", "^python/programs$"),
    Fault("entry: inputs are writable", "        array.flags.writeable = False\n", "        pass\n", "", "^python/(programs|semantics|native|runner)$"),
    Fault("direct: arrays of other steps fit", "if (array.shape[d] != 1 && array.strides[d] != step) return false;", "if (array.shape[d] != 1 && array.strides[d] < step) return false;", HOST, "^python/jit$"),
    Fault("jit: what was rebound is not looked at", "                if space.get(name) is not value:\n                    break", "                if space.get(name) is None:\n                    break", "", "^python/jit$"),
    Fault("sources: a text is believed unread", "    return any(_alike(one, code) for one in _codes(made))", "    return True", "", "^python/jit$"),
    Fault("loops: a parallel loop is not watched", "    return watched(iterable)", "    return iterable", "", "random-races"),
    Fault("asynchronous: a copy is waited for twice", "    if token._waited:\n        raise HtpError(\"this copy has been waited for\")\n", "", "", "^python/asynchronous$"),
    Fault("asynchronous: one copy may be left", "if left := sum(not token._waited for token in tokens):", "if (left := sum(not token._waited for token in tokens)) > 1:", "", "^python/asynchronous$"),
    Fault("dims: a spread block is one longer", "return Block(start, start + (self.extent - 1) * self.step * by + 1 if self.extent else start, self.step * by)", "return Block(start, start + self.extent * self.step * by + 1 if self.extent else start, self.step * by)", "", "^python/programs$"),
    Fault("csp: an item goes before all have it", "if self.puts - len(self._items) < self._least():", "if self.puts - len(self._items) <= self._least():", "", "^python/pipelines$|^laws/law2$"),
    Fault("wsp: a pipeline has a depth of 1", "        if operator.index(depth) < 2:\n            raise HtpError(f\"`pipeline` of loop", "        if operator.index(depth) < 1:\n            raise HtpError(f\"`pipeline` of loop", "", "^dialect-wsp/plain_schedules$|^python/"),
    Fault("pto: a flag is set while it may be waited for", "if running.known[source][destination] < running.waits.get(flag, 0):", "if running.known[source][destination] < 0:", "", "^intrinsics-pto$"),
    Fault("pto: a tile reaches over the end of its memory", "if not 0 <= at <= where.bytes - width:", "if not 0 <= at <= where.bytes:", "", "^intrinsics-pto$|^backend-a2a3"),
    # plugins/
    Fault("tile: an i32 fits in f32", "return bits - (is_unsigned(dtype) ? 0 : 1) <= digits_of(wide);", "return bits / 2 <= digits_of(wide);", "dialect_tile", "^laws/law8$|^dialect-tile$"),
    Fault("tile: dtypes are mixed", "    if (type->dtype != result->dtype) {\n      report_operands(call, first, *result, name, *type);", "    if (type->dtype.empty()) {\n      report_operands(call, first, *result, name, *type);", "dialect_tile test_dialect_tile", "^dialect-tile$|^laws/law8$"),
    Fault("tile: no barrier is idle", "if (!waits) c.report(diag::idle_barrier, barrier);", "if (waits) c.report(diag::idle_barrier, barrier);", "dialect_tile test_dialect_tile", "^dialect-tile$|^laws/law8$"),
    Fault("wsp: an order that changes nothing is taken", "if (!changes) return about(d, c.report(diag::changes_nothing, d.call, d.name())), true;", "if (!changes && wanted.empty()) return about(d, c.report(diag::changes_nothing, d.call, d.name())), true;", "dialect_wsp test_dialect_wsp", "^dialect-wsp$|^laws/law8$"),
    Fault("wsp: loops that depend are reordered", "if (across.empty() || along.empty()) continue;", "if (across.empty() || !along.empty()) continue;", "dialect_wsp test_dialect_wsp", "^dialect-wsp$|^laws/law8$"),
    Fault("csp: ranges have their end", "stride > 0 ? at < bounds[1] : at > bounds[1]; at += stride", "stride > 0 ? at <= bounds[1] : at > bounds[1]; at += stride", "dialect_csp test_dialect_csp", "^dialect-csp$|^laws/law8$"),
    Fault("cpu: the largest begins with the largest", "v.f = lowest ? -__builtin_inf() : __builtin_inf();", "v.f = lowest ? __builtin_inf() : -__builtin_inf();", "backend_cpu", "^laws/law5$|^backend-cpu$"),
    Fault("cpu: what a slot holds beyond what is put is the last item's", "if (s.puts && s.memory) begin(s.memory), claimed_[{s.channel, indices_of(s)}] = s.memory;", "if (s.puts && s.memory) claimed_[{s.channel, indices_of(s)}] = s.memory;", "backend_cpu", "^laws/last_stage$"),
    Fault("cpu: steps of a parameter are those of rows", "if (layout && layout::is_row_major(*layout)) return true;\n  auto steps", "if (layout) return true;\n  auto steps", "backend_cpu", "^backend-cpu/random-layouts$"),
    Fault("tile: a space of other things will do", "    if (!holds(space, kind)) {", "    if (!holds(space, kind) && !has(spaces, space)) {", "dialect_tile test_dialect_tile", "^dialect-tile$"),
    Fault("bind: arrays lie in any way", "if (t.shape[d] != 1 && own[d] != steps[d]) return false;", "if (t.shape[d] < 1 && own[d] != steps[d]) return false;", "htp_host htp_shared test_bind", "^bind$"),
    Fault("cpu: a slot is as large as a process says", "if (s.memory && !fits(s)) return no(diag::slot_extents", "if (!s.memory && !fits(s)) return no(diag::slot_extents", "backend_cpu test_backend_cpu", "^laws/last_stage$|^backend-cpu"),
    Fault("cpu: a rest reaches its divisor", "const IntRange rest = clamped(sdk::hull(sdk::least(y + one, zero), sdk::most(y - one, zero)));", "const IntRange rest = clamped(sdk::hull(zero, zero));", "backend_cpu", "^cli$"),
    Fault("lowering: what is stored to is loaded late", 'if (intrinsic == "load" && !call.args().empty() && k.stored.contains(std::string(c.name_of(call.args()[0]))))\n      return false;', 'if (intrinsic == "load" && call.args().empty())\n      return false;', "backend_cpu test_backend_cpu", "^laws/law2$|^laws/law5$|^backend-cpu"),
    Fault("cpu: what a block before left is a block's own", "if (read_first.contains(name)) return false;", "if (read_first.contains(name) && name.empty()) return false;", "backend_cpu", "^backend-cpu/programs$"),
    Fault("cpu: what bytes without a sign add is added once more", 'cpu(o, "sub", {c.name(total, s), c.name(bias, s)})', 'cpu(o, "add", {c.name(total, s), c.name(bias, s)})', "backend_cpu", "^backend-cpu/programs$"),
    Fault("cpu: rows beyond the last four are left out", "if (!known || *known % at_once != 0) {", "if (known && *known % at_once != 0) {", "backend_cpu", "^backend-cpu/programs$"),
    Fault("cpu: a transposing copy steps along columns", "step(*put.memory, *to_row)", "step(*put.memory, *to_column)", "backend_cpu", "^backend-cpu/programs$"),
    Fault("models: <= is <", "case HTP_LtE: return l.low <= r.low;", "case HTP_LtE: return l.low < r.low;", "backend_cpu", "^(cli|cli-.*|python/tune)$|^backend-cpu"),
    Fault("bind: a dim has any size", "return known == size ||", "return known <= size ||", "htp_host test_bind", "^bind$"),
    Fault("bind: outputs may be inputs", "(!x.written && !y.written)) continue;", "(!x.written || !y.written)) continue;", "htp_host test_bind", "^bind$"),
    Fault("a2a3: steps of a parameter are those of rows", "if (layout && layout::is_row_major(*layout)) return true;\n  std::vector", "if (layout) return true;\n  std::vector", "backend_a2a3", "^backend-a2a3/random-layouts$"),
    Fault("a2a3: a count is one less", "const int64_t more = plus - minus + by - 1;", "const int64_t more = plus - minus + by - 2;", "backend_a2a3", "^backend-a2a3"),
    Fault("a2a3: tiles hold one more than they do", "most = std::min(most, capacity);", "most = std::min(most, capacity + 1);", "backend_a2a3", "^binding-a2a3sim/mutants$"),
    Fault("a2a3: a size of 1 is refused", "ints_.only_names(s.stop, p.dims)) least(ints_.json(s.stop), 1);", "ints_.only_names(s.stop, p.dims)) least(ints_.json(s.stop), 2);", "backend_a2a3", "^binding-a2a3sim/(mutants|registry)$"),
    Fault("a2a3sim: the verifier compares backwards", "case '<': return Value::of(static_cast<int64_t>(x < y));\n      case '>': return Value::of(static_cast<int64_t>(x > y));\n      default: break;\n      }", "case '<': return Value::of(static_cast<int64_t>(x > y));\n      case '>': return Value::of(static_cast<int64_t>(x > y));\n      default: break;\n      }", "binding_a2a3sim", "^binding-a2a3sim|^backend-a2a3"),
    Fault("a2a3sim: masks are whole bytes", "e.columns = (o[1].valid_columns + 7) / 8;", "e.columns = o[1].valid_columns / 8;", "binding_a2a3sim", "^intrinsics-pto|^binding-a2a3sim|^backend-a2a3/law5$"),
    Fault("aie: loops around do not multiply", "if (around && __builtin_mul_overflow(times, around->times, &times)) return INT64_MAX;", "if (around && __builtin_add_overflow(times, around->times, &times)) return INT64_MAX;", "backend_aie", "^backend-aie|^binding-aiesim"),
    Fault("aiesim: what a port does is not read", 'p.produces = line.at("Produce");', 'p.produces = line.at("Consume");', "binding_aiesim", "^binding-aiesim"),
    Fault("mlir: a factor of 1 is a sign", "e.kind == Kind::multiply && is_number(*e.right, -1); }", "e.kind == Kind::multiply && is_number(*e.right, 1); }", "island_mlir", "^island-mlir"),
)

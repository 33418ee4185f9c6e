// The remaining parts of the page, and the page of them.

function message(one) {
  const place = one.place || one.span || {};
  return h("div", { class: `message ${one.severity || "note"}` }, h("b", null, one.code || one.severity || ""), " ", marked(one.message || ""), place.line ? h("span", { class: "dim" }, ` · ${String(place.file || "").split("/").pop()}:${place.line}`) : null, list(one.hints).map((hint) => h("div", { class: "dim small" }, "hint: ", marked(hint))));
}

function overview() {
  const stages = data.stages.filter((stage) => stage.lines), changed = data.passes.filter((pass) => pass.changes).length, seconds = data.passes.reduce((sum, pass) => sum + (pass.seconds || 0), 0);
  const fact = (value, what, more) => h("div", { class: "fact" }, h("b", null, value), h("span", null, what), more);
  const spark = () => {
    const counts = stages.map((stage) => stage.lines.length), most = Math.max(...counts, 1), n = Math.max(1, counts.length);
    return s("svg", { viewBox: `0 0 ${n * 10} 26`, preserveAspectRatio: "none" }, counts.map((count, k) => s("rect", { x: k * 10 + 1, y: 26 - (24 * count) / most, width: 8, height: (24 * count) / most, fill: "var(--accent)", opacity: 0.35 + (0.65 * k) / n, "data-tip": `${stages[k].id} ${stages[k].pass}: ${count} lines` })));
  };
  const emitted = list(data.emitted).reduce((sum, file) => sum + file.bytes, 0), last = stages[stages.length - 1];
  const facts = [fact(`${changed} / ${data.passes.length}`, "passes changed the program"),
    last ? fact(`${stages[0].lines.length} → ${last.lines.length}`, "lines, first stage to last", spark()) : null,
    seconds ? fact(time(seconds), "in passes") : null,
    fact(bytes(emitted), `in ${plural(list(data.emitted).length, "file")} emitted`),
    data.network ? fact(time(data.network.seconds), `predicted${sizesText()}`) : data.cost ? fact(time(data.cost.seconds), `predicted${sizesText()}`) : null,
    verifiedFact(fact),
    data.bench && list(data.bench.timed)[0] ? fact(time(data.bench.timed[0].min), "measured") : null,
    list(data.views).length ? fact(list(data.views).filter((view) => view.kind === "memory").length || list(data.views).length, list(data.views).some((view) => view.kind === "memory") ? "kernels, with their memories" : "drawings of the machine") : null];
  return { id: "overview", title: "Overview", node: h("section", { id: "overview" }, h("div", { class: "facts" }, facts)) };
}

function verifiedFact(fact) {
  const verdicts = data.verified ? data.passes.map((pass) => verdictOf(pass.name)).filter(Boolean) : [];
  if (!verdicts.length) return null;
  const count = (kind) => verdicts.filter((verdict) => verdict[0] === kind).length, bad = count("bad"), left = count("open");
  const target = data.verified.on_target && data.verified.on_target.verdict;
  if (bad || target === "differs") return fact(`${bad || "target"} ✗`, bad ? `of ${plural(verdicts.length, "pass", "passes")} differ` : "differs from the last stage");
  return fact(`${count("proved")} / ${verdicts.length}`, `passes proved, ${count("tested")} tested${left ? `, ${left} not shown` : ""}${target === "agrees" ? ", and the target's run" : ""}`);
}

function emittedSection() {
  const files = list(data.emitted);
  if (!files.length) return null;
  const texts = files.filter((file) => file.lines), body = h("div", { class: "code", style: "max-height:70vh", tabindex: 0 });
  const picker = h("select", { "aria-label": "file", onchange: () => show(+picker.value) }, texts.map((file, k) => h("option", { value: k }, `${file.path}  (${bytes(file.bytes)})`)));
  function show(k, number) {
    picker.value = k;
    const file = texts[k], language = file.path.endsWith(".py") || file.path.endsWith(".sh") ? "python" : "other", most = 3000;
    body.replaceChildren(h("table", null, h("tbody", null, file.lines.slice(0, most).map((n, at) => {
      const cited = file.cites[at];
      return h("tr", { class: `${cited ? "can" : ""} ${number === at + 1 ? "follow" : ""}`, onclick: cited ? () => showStageLine(cited) : null, "data-tip": cited ? `of line ${cited} of the last stage: click to see it` : null }, h("td", { class: "n" }, at + 1), h("td", { class: "c" }, coloured(data.lines[n], language)));
    }))));
    if (file.lines.length > most) body.append(h("p", { class: "dim", style: "padding:8px" }, `${file.lines.length - most} more lines`));
    const follow = body.querySelector(".follow");
    if (follow) body.scrollTop = follow.offsetTop - body.clientHeight / 2;
  }
  const sources = texts.map((file, k) => [k, list(file.cites).filter(Boolean).length]).sort((a, b) => b[1] - a[1]);
  if (texts.length) show(sources[0][0]);
  showEmitted = (file, number) => { const k = texts.indexOf(file); if (k >= 0) show(k, number); };
  const left = files.filter((file) => !file.lines);
  const made = section("emitted", "Emitted", "What the target's own tools take. A line that cites the last stage leads to it, and from there to yours.",
    h("div", { class: "card", style: "padding:0;overflow:hidden" }, h("div", { style: "padding:10px 14px;border-bottom:1px solid var(--line)" }, picker), body),
    left.length ? h("p", { class: "dim small", style: "margin-top:8px" }, "Not shown, being too long or no text: ", left.map((file) => `${file.path} (${bytes(file.bytes)})`).join(", ")) : null);
  made.count = files.length;
  return made;
}

function chosenSection() {
  const units = list(data.package.units);
  if (!units.length) return null;
  const kinds = [...new Set(units.map((unit) => unit.kind))];
  const made = section("chosen", "What was chosen", "Every unit that takes part, and what asked for it.", h("div", { class: "card" }, tabs(kinds.map((kind) => `${kind} ${units.filter((unit) => unit.kind === kind).length}`), (k) => table(["unit", "plugin", "why"], units.filter((unit) => unit.kind === kinds[k]).map((unit) => [h("span", { class: "mono" }, unit.unit), unit.plugin, h("span", null, marked(unit.why))])), Math.max(0, kinds.indexOf("pass")))));
  made.count = units.length;
  return made;
}

function diagnosticsSection() {
  const all = data.passes.flatMap((pass) => list(pass.diagnostics).map((one) => [pass.name, one]));
  const missing = list(data.missing);
  if (!all.length && !missing.length) return null;
  const made = section("diagnostics", "Diagnostics", "", h("div", { class: "card" }, all.length ? all.map(([name, one]) => h("div", null, h("span", { class: "dim small mono" }, name), message(one))) : h("p", { class: "dim" }, "The passes reported nothing."),
    missing.length ? h("div", { style: "margin-top:10px" }, h("h3", { style: "margin-bottom:4px" }, "Not on this page"), missing.map((one) => h("p", { class: "small dim" }, h("code", null, one.what), " ", marked(one.why)))) : null));
  made.count = all.length;
  return made;
}

function aboutSection() {
  const of = data.package, pairs = (object) => Object.entries(object || {}).map(([name, value]) => h("span", { class: "chip" }, `${name} = ${value}`));
  const rows = [["digest", h("code", null, of.digest)], ["contract", of.contract], ["HTP", of.htp], ["dialects", list(of.dialects).join(", ")], ["set", pairs(of.set)], ["options", pairs(of.options)], ["hardware", pairs(of.hardware)], ["holds at the end", list(of.capabilities).map((name) => h("span", { class: "chip" }, name))], ["inputs", list(of.inputs).map((one) => h("div", null, one.path, h("span", { class: "dim small" }, ` ${one.role} `), h("code", null, String(one.sha256).slice(0, 16))))], ["plugins", list(of.plugins).map((one) => h("div", null, `${one.id} ${one.version} `, h("code", null, String(one.sha256 || "").slice(0, 16))))], ["intrinsics", list(of.intrinsics).map((name) => h("span", { class: "chip" }, name))]];
  return section("about", "The package", "", h("div", { class: "card" }, table(["", ""], rows.filter(([, value]) => value && value.length !== 0).map(([name, value]) => [h("span", { class: "dim" }, name), h("div", { class: "chips" }, value)]))));
}

function head() {
  const entry = list(data.package.entries).find((one) => one.name === data.package.entry) || {};
  const parameters = list(entry.parameters).map((p, k) => [k ? ", " : "", h("b", null, p.name), `: ${p.direction && p.direction !== "value" ? `${p.direction} ` : ""}${String(p.type).replace(/htp\.layout\(.*\)/, "…")}`]);
  $("top").append(h("div", { class: "row" }, h("h1", null, data.package.entry), h("span", { class: "badge" }, data.package.target), data.package.name !== data.package.entry ? h("span", { class: "dim" }, `${data.package.name}.py`) : null, h("span", { class: "grow" }),
    h("button", { class: "small keyboard", onclick: () => $("help").showModal() }, "keys"), h("button", { class: "small theme", onclick: nextTheme, "aria-label": "light or dark" }, "◐")),
    parameters.length ? h("p", { class: "signature" }, `${data.package.entry}(`, parameters, ")") : "");
}

applyTheme();
head();
const sections = [overview, passesSection, holdsSection, tasksSection, networkSection, timelineSection, machineSection, layoutsSection, roofSection, emittedSection, chosenSection, diagnosticsSection, aboutSection].map((make) => {
  try { return make(); } catch (error) { // a part that cannot be drawn leaves the others
    return section(make.name, make.name, "", h("div", { class: "card" }, h("p", { class: "message error" }, `This part cannot be drawn: ${error.message}`)));
  }
}).filter(Boolean);
for (const one of sections) {
  $("main").append(one.node);
  $("nav").append(h("a", { href: `#${one.id}` }, one.title, one.count ? h("span", null, one.count) : null));
}
const spy = new IntersectionObserver((entries) => {
  for (const entry of entries) if (entry.isIntersecting) for (const link of $("nav").children) link.classList.toggle("here", link.getAttribute("href") === `#${entry.target.id}`);
}, { rootMargin: "-10% 0px -80% 0px" });
for (const one of sections) spy.observe(one.node);

keys.push(["t", "light or dark", nextTheme], ["?", "this", () => $("help").showModal()]);
$("help").append(h("h2", null, "Keys"), h("div", { class: "keys" }, keys.map(([key, what]) => [h("kbd", null, key), h("span", null, what)])), h("button", { onclick: () => $("help").close() }, "Close"));
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
  const found = keys.find(([key]) => key === event.key);
  if (found) { event.preventDefault(); found[2](); }
});
const asked = /^#pass=(.+)$/.exec(decodeURIComponent(location.hash));
if (asked) showPass(asked[1]);
document.documentElement.dataset.ready = "yes";

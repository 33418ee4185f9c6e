// The passes: what each changed, side by side, and where a line comes from.

// ── the text ──
const words = {
  python: /(#.*$)|("""[\s\S]*?(?:"""|$)|[rbf]?"(?:\\.|[^"\\])*"?|[rbf]?'(?:\\.|[^'\\])*'?)|\b(and|as|assert|break|class|continue|def|del|elif|else|except|False|finally|for|from|global|if|import|in|is|lambda|None|nonlocal|not|or|pass|raise|return|True|try|while|with|yield)\b|\b(0x[\da-fA-F]+|\d[\d_]*(?:\.\d*)?(?:[eE][+-]?\d+)?)\b|([A-Za-z_][\w.]*)(?=\()/g,
  other: /(\/\/.*$|\/\*.*?(?:\*\/|$)|^\s*#\s.*$)|("(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])'?)|\b(auto|bool|break|case|char|class|const|constexpr|continue|default|do|double|else|extern|false|float|for|func|if|inline|int|int\d+_t|uint\d+_t|long|module|namespace|return|short|signed|size_t|sizeof|static|static_cast|struct|switch|template|true|typedef|typename|unsigned|using|void|volatile|while|memref|index|f32|f16|bf16|i32|i8)\b|\b(0x[\da-fA-F]+|\d[\d_]*(?:\.\d*)?(?:[eEfF][+-]?\d*)?)\b|([A-Za-z_][\w.:]*)(?=\()/g,
};
function coloured(text, language = "python", from = 0, to = 0) {
  const parts = [];
  const emit = (piece, kind) => piece && parts.push([piece, kind]);
  if (text.length > 4000) emit(text, "");
  else {
    let at = 0;
    for (const match of text.matchAll(words[language])) {
      emit(text.slice(at, match.index), "");
      emit(match[0], ["", "m", "t", "w", "d", "f"][[1, 2, 3, 4, 5].find((k) => match[k] !== undefined) || 0]);
      at = match.index + match[0].length;
    }
    emit(text.slice(at), "");
  }
  const nodes = [];
  let position = 0;
  for (const [piece, kind] of parts) { // what differs within the line stands out
    const cuts = [0, Math.max(0, Math.min(piece.length, from - position)), Math.max(0, Math.min(piece.length, to - position)), piece.length];
    for (let k = 0; k < 3; ++k) {
      const bit = piece.slice(cuts[k], Math.max(cuts[k], cuts[k + 1]));
      if (!bit) continue;
      const node = kind ? h("span", { class: kind }, bit) : document.createTextNode(bit);
      nodes.push(k === 1 && to > from ? h("i", null, node) : node);
    }
    position += piece.length;
  }
  return nodes;
}

// ── the difference of two texts, as runs ["=", a, b] ["-", a, -1] ["+", -1, b] (Myers) ──
function difference(a, b) {
  let head = 0, tail = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) ++head;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) ++tail;
  const n = a.length - head - tail, m = b.length - head - tail, edits = [];
  const most = 2400, trace = [], v = new Map([[1, 0]]);
  let found = n + m === 0;
  for (let d = 0; d <= Math.min(n + m, most) && !found; ++d) {
    trace.push(new Map(v));
    for (let k = -d; k <= d && !found; k += 2) {
      let x = k === -d || (k !== d && (v.get(k - 1) ?? -1) < (v.get(k + 1) ?? -1)) ? v.get(k + 1) ?? 0 : (v.get(k - 1) ?? 0) + 1;
      let y = x - k;
      while (x < n && y < m && a[head + x] === b[head + y]) ++x, ++y;
      v.set(k, x);
      found = x >= n && y >= m;
    }
  }
  if (!found) { // too different to be compared
    for (let k = 0; k < n; ++k) edits.push(["-", head + k, -1]);
    for (let k = 0; k < m; ++k) edits.push(["+", -1, head + k]);
  } else {
    let x = n, y = m;
    for (let d = trace.length - 1; d >= 0 && (x > 0 || y > 0); --d) {
      const before = trace[d], k = x - y;
      const down = k === -d || (k !== d && (before.get(k - 1) ?? -1) < (before.get(k + 1) ?? -1));
      const px = down ? before.get(k + 1) ?? 0 : before.get(k - 1) ?? 0, py = px - (down ? k + 1 : k - 1);
      while (x > px && y > py && x > 0 && y > 0) edits.push(["=", head + --x, head + --y]);
      if (d === 0) break;
      if (down) edits.push(["+", -1, head + --y]); else edits.push(["-", head + --x, -1]);
    }
    while (x > 0 && y > 0) edits.push(["=", head + --x, head + --y]);
    edits.reverse();
  }
  const all = [];
  for (let k = 0; k < head; ++k) all.push(["=", k, k]);
  all.push(...edits);
  for (let k = tail; k > 0; --k) all.push(["=", a.length - k, b.length - k]);
  return all;
}

// The range in which two lines differ.
function within(a, b) {
  let head = 0, tail = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) ++head;
  while (tail < Math.min(a.length, b.length) - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) ++tail;
  const worth = head + tail > 0.3 * Math.max(a.length, b.length);
  return worth ? [head, a.length - tail, b.length - tail] : [0, 0, 0];
}

// A stage's header says what stands above it: what holds, and the passes that follow.
const isHeader = (text) => text.startsWith("htp.stage(");
const short = (text) => (isHeader(text) ? text.replace(/, holds=.*, entry=/, ", …, entry=") : text);

// Rows of a table with a line of each side: lines that were replaced stand beside those that replace them.
function paired(edits, a, b) {
  const rows = [];
  for (let k = 0; k < edits.length;) {
    if (edits[k][0] === "=") { rows.push({ left: edits[k][1], right: edits[k][2], same: true }); ++k; continue; }
    const gone = [], added = [];
    for (; k < edits.length && edits[k][0] !== "="; ++k) (edits[k][0] === "-" ? gone : added).push(edits[k][0] === "-" ? edits[k][1] : edits[k][2]);
    for (let r = 0; r < Math.max(gone.length, added.length); ++r) {
      const left = gone[r] ?? -1, right = added[r] ?? -1;
      rows.push({ left, right, same: left >= 0 && right >= 0 && isHeader(a[left]) && isHeader(b[right]) });
    }
  }
  return rows;
}

// ── where a line comes from ──
let followed = null; // a line of the user's
function chainOf(stage, line) {
  const steps = [];
  for (let k = stage, at = line; k >= 0 && at > 0; --k) {
    const lines = data.stages[k].lines;
    steps.push({ stage: k, line: at, text: lines ? data.lines[lines[at - 1]] : "" });
    if (k === 0) {
      const source = list(data.stages[0].source)[at - 1];
      if (source) steps.push({ yours: true, line: source, text: "" });
      break;
    }
    at = list(data.stages[k].before)[at - 1] || 0;
  }
  return steps;
}
function chainNode(stage, line) {
  const steps = chainOf(stage, line).reverse();
  const last = data.stages.length - 1;
  const rows = steps.filter((step, k) => step.yours || k === 0 || k === steps.length - 1 || step.text.trim() !== steps[k - 1].text.trim()).map((step) =>
    step.yours
      ? h("div", { class: "yours" }, h("span", { class: "where" }, `your ${data.package.name}.py`), h("span", { class: "mono" }, step.line), h("span", { class: "text" }, ""))
      : h("div", null, h("span", { class: "where", "data-tip": passWhy(data.stages[step.stage].pass) }, `${data.stages[step.stage].id} ${data.stages[step.stage].pass}`), h("span", { class: "mono dim" }, step.line), h("span", { class: "text" }, coloured(step.text.trim()), valueNode(step.stage, step.line))));
  const cites = [];
  if (stage === last)
    for (const file of data.emitted) list(file.cites).forEach((cited, k) => { if (cited === line && cites.length < 12) cites.push([file, k + 1]); });
  const first = steps[0];
  return [h("div", { style: "display:flex;justify-content:space-between" }, h("b", null, first && !first.yours ? "a pass made this line" : "history of this line"), h("span", { class: "dim small" }, first && first.yours ? "all that was made of your line is marked" : "")), rows,
    cites.map(([file, number]) => h("div", null, h("a", { class: "where", href: "#emitted", onclick: () => showEmitted(file, number) }, `emitted ${file.path.split("/").pop()}`), h("span", { class: "mono dim" }, number), h("span", { class: "text" }, coloured(data.lines[file.lines[number - 1]].trim(), "other"))))];
}
function passWhy(name) {
  const pass = data.passes.find((one) => one.name === name);
  return pass ? `${name} ${pass.why}` : "the program as it was given";
}

// ── what a line makes, and what verify said of a pass ──
let valuesShown = true;
const valuesOf = new Map(); // of a stage: a line's
function valueOf(stage, line) {
  const of = data.values && data.values.stages[`${data.stages[stage].id}-${data.stages[stage].pass}`];
  if (!of) return null;
  if (!valuesOf.has(stage)) valuesOf.set(stage, new Map(of.rows.map((row) => [row.line, row])));
  return valuesOf.get(stage).get(line) || null;
}
function valueNode(stage, line) {
  const value = valueOf(stage, line);
  if (!value) return null;
  const times = value.times > 1 ? ` first of ${value.times}` : "", bad = value.not_finite ? ` · not finite in ${value.not_finite}` : "";
  return h("span", { class: `value ${value.not_finite ? "bad" : ""}`, "data-tip": `what this line makes, ${callText()}` }, value.value, h("span", { class: "dim" }, times), bad);
}
function callText() {
  const sizes = Object.entries(data.values.sizes).map(([name, size]) => `${name}=${size}`).join(", ");
  return sizes ? `in one call with ${sizes}` : "in one call";
}
// What kept a stage from running to its end.
function valueFault(stage) {
  const of = data.values && data.values.stages[`${stage.id}-${stage.pass}`];
  return of && of.failed ? `This stage fails under plain Python, ${callText()}: ${of.failed}` : "";
}
// Of a pass: [class, sign, words].
function verdictOf(name) {
  const one = data.verified && data.verified.passes.find((pass) => pass.pass === name);
  if (!one || one.verdict === "changes nothing") return null;
  const proof = one.proof, calls = one.calls ? ` · ${plural(one.calls, "call")} agree with the stage before` : "";
  if (one.verdict === "differs") return ["bad", "✗", `differs: ${one.why || "it computes something else than the stage before"}`];
  if (proof && proof.verdict === "proved") return ["proved", "●", `proved for all sizes and all data, by ${proof.by}${list(proof.assumptions).length ? `, where ${proof.assumptions.join(", ")}` : ""}${calls}`];
  if (one.verdict === "agrees") return ["tested", "◐", `tested${calls}${proof && proof.why ? ` · not proved: ${proof.why}${proof.at ? ` (${proof.at})` : ""}` : ""}`];
  return ["open", "○", `not shown: ${one.why || "nothing was tried"}`];
}

// ── one pass ──
let together = matchMedia("(max-width: 860px)").matches;
function diffNode(before, after, stage, onLine) {
  const a = linesOf(before), b = linesOf(after);
  const edits = before ? difference(list(before.lines), list(after.lines)) : b.map((_, k) => ["=", k, k]);
  const rows = paired(edits, a, b);
  const body = h("tbody");
  const pair = before && !together;
  const context = 4;
  const keep = new Array(rows.length).fill(!before);
  if (before) rows.forEach((row, k) => { if (!row.same) for (let n = k - context; n <= k + context; ++n) if (n >= 0 && n < rows.length) keep[n] = true; });
  const side = (of, line, kind, text, range) => [h("td", { class: `n ${line < 0 ? "none" : kind}` }, line < 0 ? "" : line + 1), h("td", { class: `c ${line < 0 ? "none" : kind}` }, line < 0 ? "" : coloured(text, "python", ...range), line < 0 || !valuesShown ? null : valueNode(of, line + 1))];
  const add = (row, place) => {
    const of = { left: short(a[row.left] ?? ""), right: short(b[row.right] ?? "") };
    const [head, endA, endB] = row.same || row.left < 0 || row.right < 0 ? [0, 0, 0] : within(of.left, of.right);
    const can = row.right >= 0;
    const marked = can && followed && list(after.source)[row.right] === followed;
    const make = (...cells) => h("tr", { class: `${can ? "can" : ""} ${marked ? "follow" : ""}`, onclick: can ? () => onLine(row.right + 1) : null }, cells);
    const made = pair
      ? [make(side(stage - 1, row.left, row.same ? "" : "gone", of.left, [head, endA]), side(stage, row.right, row.same ? "" : "added", of.right, [head, endB]))]
      : row.same ? [make(side(stage, row.right, "", of.right, [0, 0]))]
        : [row.left >= 0 ? h("tr", null, side(stage - 1, row.left, "gone", of.left, [head, endA])) : null, row.right >= 0 ? make(side(stage, row.right, "added", of.right, [head, endB])) : null];
    for (const one of made) if (one) place ? body.insertBefore(one, place) : body.append(one);
  };
  for (let k = 0; k < rows.length;) {
    if (keep[k]) { add(rows[k++]); continue; }
    let end = k;
    while (end < rows.length && !keep[end]) ++end;
    const hidden = rows.slice(k, end);
    if (hidden.length < 4) hidden.forEach((row) => add(row));
    else {
      const fold = h("tr", { class: "fold" }, h("td", { colspan: 4 }, `⋯ ${hidden.length} lines alike`));
      fold.addEventListener("click", () => { hidden.forEach((row) => add(row, fold)); fold.remove(); });
      body.append(fold);
    }
    k = end;
  }
  return h("div", { class: `code ${pair ? "split" : ""}`, tabindex: 0 }, h("table", null, pair ? [h("colgroup", null, h("col", { class: "n" }), h("col"), h("col", { class: "n" }), h("col"))] : null, body));
}

function passesSection() {
  if (!data.stages.length) return null;
  // The source, then each pass with the stage that it was given and the one that it made.
  const entries = [{ name: "source", stage: 0, why: "the program as it was given", changes: true }];
  for (const pass of data.passes) entries.push(Object.assign({}, pass, { stage: typeof pass.stage === "number" ? pass.stage : null }));
  const byPass = new Map(data.stages.map((stage, k) => [stage.pass, k]));
  for (const entry of entries) if (byPass.has(entry.name)) entry.stage = byPass.get(entry.name); // packages may keep fewer stages
  let onlyChanged = true, current = Math.max(0, entries.findIndex((entry, k) => k && entry.changes));
  const column = h("div", { class: "list card", role: "listbox", "aria-label": "Passes" }), panel = h("div", { class: "card detail" });
  const shown = () => entries.map((_, k) => k).filter((k) => !onlyChanged || entries[k].changes);
  const delta = (entry) => {
    const nodes = entry.nodes;
    if (!nodes || !entry.changes) return "";
    const more = nodes.after - nodes.before;
    return more === 0 ? "±0" : more > 0 ? `+${more}` : `−${-more}`;
  };
  const mark = (entry) => {
    const verdict = verdictOf(entry.name);
    return verdict ? h("span", { class: `mark ${verdict[0]}`, "data-tip": verdict[2] }, verdict[1]) : null;
  };
  function draw(jump) {
    column.replaceChildren(...shown().map((k) => {
      const entry = entries[k];
      return h("button", { class: `${k === current ? "on" : ""} ${entry.changes ? "" : "same"}`, role: "option", "aria-selected": k === current, "data-tip": entry.why.replaceAll("`", ""), onclick: () => select(k) },
        h("span", { class: "number" }, entry.changes && entry.stage !== null && data.stages[entry.stage] ? data.stages[entry.stage].id : "·"), h("span", { class: "name" }, entry.name), h("span", { class: "delta" }, delta(entry)), mark(entry));
    }));
    const on = column.querySelector(".on");
    if (on && jump) column.scrollTop = Math.max(0, on.offsetTop - column.clientHeight / 2);
    drawPanel();
  }
  const below = h("div", { class: "chain", hidden: true });
  function drawPanel(line) {
    const entry = entries[current], stage = entry.stage !== null ? data.stages[entry.stage] : null;
    const chips = (title, names, kind) => names && names.length ? h("div", { class: "row small" }, h("span", { class: "dim" }, title), h("span", { class: "chips" }, names.map((name) => h("span", { class: `chip ${kind}` }, name)))) : null;
    const about = h("div", { class: "about" },
      h("div", { class: "row" }, h("h3", { class: "mono grow" }, entry.name),
        h("button", { class: "small", "aria-pressed": together, onclick: () => { together = !together; drawPanel(); } }, together ? "one column" : "side by side"),
        h("button", { class: "small", onclick: () => move(-1), "aria-label": "previous pass" }, "k ↑"), h("button", { class: "small", onclick: () => move(1), "aria-label": "next pass" }, "j ↓")),
      h("p", null, h("b", null, "Why: "), marked(entry.why || "–"), entry.chosen && entry.chosen !== entry.why ? [h("span", { class: "dim" }, " · chosen because "), marked(entry.chosen)] : null),
      chips("needs", entry.requires, ""), chips("brings", entry.provides, "plus"), chips("ends", entry.invalidates, "minus"),
      entry.nodes && entry.changes ? h("p", { class: "dim small" }, `${entry.nodes.kept} of ${entry.nodes.before} nodes kept, ${entry.nodes.after - entry.nodes.kept} new`, list(entry.changed).length ? ` · in ${list(entry.changed).join(", ")}` : "", entry.seconds ? ` · ${time(entry.seconds)}` : "",
        Object.keys(entry.options || {}).length ? ` · ${Object.entries(entry.options).map(([name, value]) => `${name}=${value}`).join(", ")}` : "") : null,
      verdictOf(entry.name) ? h("p", null, mark(entry), ` ${verdictOf(entry.name)[2]}`) : null,
      stage && valueFault(stage) ? h("p", { class: "message error" }, valueFault(stage)) : null,
      !entry.changes ? h("p", { class: "dim" }, "It changed nothing here: what it brings held already.") : null,
      list(entry.diagnostics).map(message));
    let text = null;
    if (stage && stage.lines && entry.changes) {
      const previous = entry.stage > 0 ? data.stages[entry.stage - 1] : null;
      text = diffNode(previous && previous.lines ? previous : null, stage, entry.stage, (at) => {
        followed = list(stage.source)[at - 1] || null;
        const code = panel.querySelector(".code"), top = code.scrollTop;
        drawPanel(at);
        panel.querySelector(".code").scrollTop = top;
      });
      below.replaceChildren(...(line ? [chainNode(entry.stage, line)].flat(3) : [h("span", { class: "dim" }, "Click a line: it shows what that was made of, up to the line that you wrote.")]));
      below.hidden = false;
    } else {
      below.hidden = true;
      if (entry.changes) text = h("p", { class: "dim", style: "padding:16px" }, "The package does not keep this stage, or it is too long for this page: ", h("code", null, "htp-host stages"), " shows it.");
    }
    panel.replaceChildren(...[about, text, below].filter(Boolean));
  }
  function select(k, jump) { current = k; draw(jump); history.replaceState(null, "", `#pass=${encodeURIComponent(entries[k].name)}`); }
  function move(by) {
    const all = shown(), at = all.indexOf(current), next = all[Math.max(0, Math.min(all.length - 1, at + by))];
    if (next !== undefined && next !== current) select(next, true);
  }
  showPass = (name) => {
    const k = entries.findIndex((entry) => entry.name === name);
    if (k < 0) return;
    if (onlyChanged && !entries[k].changes) toggle();
    select(k, true);
    $("passes").scrollIntoView();
  };
  showStageLine = (line) => { // of the last stage
    const k = entries.findLastIndex((entry) => entry.changes);
    if (k < 0) return;
    followed = list(data.stages[entries[k].stage].source)[line - 1] || null;
    current = k;
    draw(true);
    drawPanel(line);
    $("passes").scrollIntoView();
    const mark = panel.querySelector("tr.follow");
    if (mark) mark.scrollIntoView({ block: "center" });
  };
  const button = h("button", { class: "small", onclick: () => toggle() });
  function toggle() { onlyChanged = !onlyChanged; button.textContent = onlyChanged ? "changed only" : "all passes"; button.setAttribute("aria-pressed", onlyChanged); draw(true); }
  onlyChanged = false, toggle();
  keys.push(["j", "the next pass", () => move(1)], ["k", "the pass before", () => move(-1)], ["c", "only passes that changed the program, or all", toggle],
    ["u", "side by side, or one column", () => { together = !together; drawPanel(); }]);
  if (data.values) keys.push(["v", "what lines make, or not", () => { valuesShown = !valuesShown; drawPanel(); }]);
  const changed = entries.filter((entry, k) => k && entry.changes).length;
  const made = section("passes", "Passes", `${changed} of ${plural(data.passes.length, "pass", "passes")} changed the program. Each stage is Python that runs.`, h("div", { class: "two" }, h("div", null, h("div", { class: "row", style: "margin-bottom:8px" }, button, h("span", { class: "dim small keyboard" }, h("kbd", null, "j"), " ", h("kbd", null, "k"))), column), panel));
  made.count = changed;
  return made;
}
let showPass = () => {}, showStageLine = () => {}, showEmitted = () => {};
const keys = [];

// ── what holds when ──
function holdsSection() {
  const passes = data.passes.filter((pass) => pass.holds);
  if (!passes.length) return null;
  const start = list(data.stages[0] && data.stages[0].holds);
  const names = [];
  const first = new Map();
  passes.forEach((pass, k) => { for (const name of [...list(pass.requires), ...pass.holds]) if (!first.has(name)) first.set(name, start.includes(name) ? -1 : k), names.push(name); });
  const state = names.filter((name) => start.includes(name) || passes.some((pass) => pass.holds.includes(name)));
  const given = names.filter((name) => !state.includes(name));
  const owners = [...new Set(state.map((name) => name.split(".")[0]))];
  const step = passes.length > 26 ? 22 : 30, label = Math.min(330, 24 + 7.4 * Math.max(...state.map((name) => name.length))), high = 22, top = 16;
  const width = label + (passes.length + 1) * step + 8, height = top + state.length * high + 8;
  const parts = [];
  const column = (k) => label + (k + 1) * step;
  passes.forEach((pass, k) => parts.push(s("rect", { x: column(k), y: 0, width: step, height, fill: pass.changes ? "var(--accent-soft)" : "transparent", opacity: 0.55, style: "cursor:pointer", "data-tip": `${pass.name}\n${pass.why.replaceAll("`", "")}`, onclick: () => showPass(pass.name) })));
  state.forEach((name, row) => {
    const y = top + row * high, k = owners.indexOf(name.split(".")[0]);
    parts.push(s("text", { x: label - 10, y: y + 15, "text-anchor": "end", class: "mono", "font-size": 11.5 }, name));
    parts.push(s("line", { x1: label, x2: width, y1: y + high - 0.5, y2: y + high - 0.5, stroke: "var(--line)" }));
    let begin = start.includes(name) ? -1 : null;
    for (let p = 0; p <= passes.length; ++p) {
      const on = p < passes.length && passes[p].holds.includes(name);
      if (on && begin === null) begin = p;
      if (!on && begin !== null) {
        const maker = begin < 0 ? "the program has it" : `brought by ${passes[begin].name}`, ended = p < passes.length ? `, ended by ${passes[p].name}` : ", holds to the end";
        parts.push(s("rect", { x: column(begin) + 3, y: y + 5, width: Math.max(step - 6, (p - begin) * step - 6), height: 12, rx: 6, fill: vivid(k), opacity: 0.85, "data-tip": `${name}\n${maker}${ended}` }));
        begin = null;
      }
    }
    passes.forEach((pass, p) => { if (list(pass.requires).includes(name)) parts.push(s("circle", { cx: column(p) + step / 2, cy: y + 11, r: 3.2, fill: "var(--card)", stroke: stroke(k), "stroke-width": 1.6, "data-tip": `${pass.name} needs ${name}`, style: "pointer-events:auto" })); });
  });
  return section("holds", "Capabilities", "What holds of the program behind each pass, which pass needs it (a ring), and which brings or ends it.",
    h("div", { class: "card" }, h("div", { class: "scroll" }, svg(width, height, parts)),
      h("div", { class: "legend" }, owners.map((owner, k) => h("span", null, h("i", { style: `background:${vivid(k)}` }), owner)), h("span", null, h("i", { style: "background:var(--accent-soft)" }), "passes that changed the program, first to last")),
      given.length ? h("p", { class: "dim small", style: "margin-top:8px" }, "Installed, for the passes that need it: ", given.map((name) => [h("code", null, name), " "])) : null));
}

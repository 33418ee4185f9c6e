// The machine: memories over time, queues and flags, arrays of tiles; layouts; the roof.

// ── memory over time ──
function memoryNode(view) {
  return list(view.spaces).map((space) => {
    const buffers = list(space.buffers);
    const used = Math.max(1, ...buffers.map((one) => one.offset + one.bytes)), first = Math.min(...buffers.map((one) => one.first)), last = Math.max(...buffers.map((one) => one.last));
    const names = [...new Set(buffers.map((one) => one.name))];
    const width = Math.max(620, Math.min(980, (last - first) * 9)), left = 78, high = Math.max(90, Math.min(300, buffers.length * 22)), top = 8;
    const x = (line) => left + ((line - first) / Math.max(1, last - first + 1)) * (width - left - 10), y = (offset) => top + (offset / used) * high;
    const parts = [s("rect", { x: left, y: top, width: width - left - 10, height: high, fill: "var(--soft)", rx: 4 })];
    for (const edge of [...new Set([0, ...buffers.map((one) => one.offset)])].sort((a, b) => a - b).filter((at, k, all) => k === 0 || y(at) - y(all[k - 1]) > 11)) parts.push(s("text", { x: left - 6, y: y(edge) + 9, "text-anchor": "end", "font-size": 10, class: "dim mono" }, edge));
    for (const one of buffers) {
      const k = names.indexOf(one.name), box = { x: x(one.first), y: y(one.offset) + 0.5, width: Math.max(3, x(one.last + 1) - x(one.first)), height: Math.max(2, y(one.offset + one.bytes) - y(one.offset) - 1) };
      parts.push(s("rect", { ...box, rx: 3, fill: tint(k), stroke: stroke(k), "data-tip": `${one.name}\n${bytes(one.bytes)} at ${one.offset}\nlines ${one.first} to ${one.last}` }));
      if (box.height > 11 && box.width > one.name.length * 6 + 6) parts.push(s("text", { x: box.x + 5, y: box.y + Math.min(box.height / 2 + 4, 15), "font-size": 10.5, class: "mono", style: "pointer-events:none" }, one.name));
    }
    const ticks = Math.min(8, last - first);
    for (let k = 0; k <= ticks; ++k) { const line = Math.round(first + (k * (last - first)) / Math.max(1, ticks)); parts.push(s("text", { x: x(line), y: top + high + 14, "font-size": 10, class: "dim" }, k ? line : `line ${line}`)); }
    return h("div", { style: "margin-top:12px" }, h("div", { class: "row small" }, h("b", null, space.label || space.name), h("span", { class: "dim" }, `${bytes(used)} of ${bytes(space.capacity)}, ${percent(used, space.capacity)}`)),
      h("div", { class: "bar", style: "max-width:320px;margin:4px 0 8px" }, h("i", { style: `width:${Math.min(100, (100 * used) / space.capacity)}%;background:var(--accent)` })),
      h("div", { class: "scroll" }, svg(width, top + high + 22, parts)));
  });
}

// ── queues of instructions, and the flags between them ──
function queuesNode(view) {
  const queues = list(view.queues), steps = list(view.steps);
  const shown = steps.slice(0, 400), high = 19, left = 50, wide = 168, top = 30;
  const width = left + queues.length * wide + 20, height = top + shown.length * high + 10;
  const x = (queue) => left + queues.indexOf(queue) * wide, y = (k) => top + k * high;
  const parts = queues.map((queue, k) => [s("rect", { x: x(queue) + 4, y: 0, width: wide - 10, height, fill: k % 2 ? "transparent" : "var(--soft)", rx: 6 }), s("text", { x: x(queue) + 14, y: 18, "font-weight": 600, "font-size": 12.5 }, queue)]);
  // A flag that is set goes to the next wait for it; what is waited for before it is set comes of the iteration before.
  const pending = new Map(), loose = [];
  const key = (from, to, flag, by) => `${from} ${to} ${flag} ${by || ""}`;
  const pairs = [];
  shown.forEach((step, k) => {
    if (step.what === "set") pending.set(key(step.queue, step.to, step.flag, step.by), k);
    if (step.what === "wait") {
      const id = key(step.from, step.queue, step.flag, step.by);
      if (pending.has(id)) { pairs.push([pending.get(id), k]); pending.delete(id); } else loose.push([id, k]);
    }
  });
  for (const [a, b] of pairs) {
    const from = x(shown[a].queue) + 12, to = x(shown[b].queue) + 12, ya = y(a) + 9, yb = y(b) + 9;
    parts.push(s("path", { d: `M ${from} ${ya} C ${from - 18} ${(ya + yb) / 2}, ${to - 18} ${(ya + yb) / 2}, ${to} ${yb}`, fill: "none", stroke: stroke(shown[a].flag), "stroke-width": 1.4, opacity: 0.75, "data-tip": `flag ${shown[a].flag}: ${shown[a].queue} → ${shown[b].queue}` }));
  }
  shown.forEach((step, k) => {
    const at = x(step.queue) + 12 + Math.min(4, step.depth) * 7;
    const go = { style: "cursor:pointer", onclick: () => showStageLine(step.line) };
    parts.push(s("text", { x: 6, y: y(k) + 13, "font-size": 10, class: "dim mono" }, step.line));
    if (step.what === "run") {
      parts.push(s("rect", { x: at - 3, y: y(k) + 1, width: wide - 22 - Math.min(4, step.depth) * 7, height: high - 3, rx: 4, fill: tint(queues.indexOf(step.queue)), stroke: stroke(queues.indexOf(step.queue)), "stroke-width": 0.8, "data-tip": `${step.name}${step.on ? " → " + step.on : ""}\nline ${step.line} of the last stage; ${plural(step.depth, "loop")} around it`, ...go }));
      const text = step.name + (step.on ? ` ${step.on}` : "");
      parts.push(s("text", { x: at + 3, y: y(k) + 13, "font-size": 10.5, class: "mono", style: "pointer-events:none" }, text.length > 22 ? text.slice(0, 21) + "…" : text));
    } else if (step.what === "barrier") {
      parts.push(s("rect", { x: x(step.queue) + 8, y: y(k) + 7, width: wide - 18, height: 3, fill: "var(--warm)", "data-tip": `barrier of ${step.all ? "all queues" : step.queue}\nline ${step.line}`, ...go }));
    } else {
      const set = step.what === "set";
      parts.push(s("circle", { cx: x(step.queue) + 12, cy: y(k) + 9, r: 4, fill: set ? stroke(step.flag) : "var(--card)", stroke: stroke(step.flag), "stroke-width": 1.6, "data-tip": `${set ? "sets" : "waits for"} flag ${step.flag}${step.by ? ` + ${step.by}` : ""} ${set ? "for " + step.to : "of " + step.from}\nline ${step.line}`, ...go }));
      parts.push(s("text", { x: x(step.queue) + 22, y: y(k) + 13, "font-size": 10, class: "dim", style: "pointer-events:none" }, set ? `→ ${step.to} ${step.flag}` : `← ${step.from} ${step.flag}`));
    }
  });
  return [h("div", { class: "scroll", style: "max-height:76vh" }, svg(width, height, parts)),
    h("div", { class: "legend" }, h("span", null, "In the order of the program, downwards; each column is a queue that runs by itself. A filled dot sets a flag, a ring waits for one. A click shows the line.")),
    steps.length > shown.length ? h("p", { class: "dim small" }, `${steps.length - shown.length} more steps are left out.`) : null];
}

// ── an array of tiles ──
function arrayNode(view) {
  const columns = Math.max(1, view.columns || 1), rows = Math.max(1, view.rows || 1), wide = 136, high = 74, gapX = 54, gapY = 58, pad = 16;
  const box = (at) => ({ x: pad + at[0] * (wide + gapX), y: pad + (rows - 1 - at[1]) * (high + gapY) });
  const tiles = new Map(list(view.tiles).map((tile) => [String(tile.at), tile]));
  const parts = [arrow()];
  const kinds = { shim: 4, memory: 2, core: 0 };
  for (let column = 0; column < columns; ++column) for (let row = 0; row < rows; ++row) {
    const at = box([column, row]), tile = tiles.get(String([column, row]));
    if (!tile) { parts.push(s("rect", { x: at.x, y: at.y, width: wide, height: high, rx: 10, fill: "none", stroke: "var(--line)", "stroke-dasharray": "3 4" })); parts.push(s("text", { x: at.x + wide / 2, y: at.y + high / 2 + 4, "text-anchor": "middle", "font-size": 11, class: "dim" }, `(${column}, ${row})`)); continue; }
    const used = list(tile.holds).reduce((sum, one) => sum + one.bytes * one.slots, 0), k = kinds[tile.kind] ?? 1;
    parts.push(s("rect", { x: at.x, y: at.y, width: wide, height: high, rx: 10, fill: tint(k), stroke: stroke(k), "data-tip": [`${tile.kind} tile (${column}, ${row})`, ...list(tile.holds).map((one) => `${one.name}: ${one.slots} × ${bytes(one.bytes)}`), tile.capacity ? `${bytes(used)} of ${bytes(tile.capacity)}` : ""].filter(Boolean).join("\n") }));
    const line = (y, text, more) => parts.push(s("text", { x: at.x + 10, y: at.y + y, style: "pointer-events:none", ...more }, text));
    line(20, `${tile.kind} (${column}, ${row})`, { "font-weight": 600, "font-size": 12.5 });
    if (tile.runs) line(37, tile.runs.length > 18 ? tile.runs.slice(0, 17) + "…" : tile.runs, { "font-size": 11, class: "mono" });
    if (tile.capacity) {
      line(53, `${bytes(used)} · ${percent(used, tile.capacity)}`, { "font-size": 11, class: "dim" });
      parts.push(s("rect", { x: at.x + 10, y: at.y + high - 13, width: wide - 20, height: 5, rx: 2.5, fill: "var(--line)" }), s("rect", { x: at.x + 10, y: at.y + high - 13, width: (wide - 20) * Math.min(1, used / tile.capacity), height: 5, rx: 2.5, fill: stroke(k) }));
    }
  }
  const routes = list(view.routes), paths = [];
  routes.forEach((route, k) => {
    const from = box(route.from);
    for (const end of list(route.to)) {
      const to = box(end), aside = ((k % 7) - 3) * 13, up = to.y < from.y, level = to.y === from.y;
      const x1 = from.x + wide / 2 + aside, x2 = to.x + wide / 2 + aside, y1 = level || up ? from.y : from.y + high, y2 = level ? to.y : up ? to.y + high : to.y;
      const middle = level ? y1 - gapY * 0.7 : (y1 + y2) / 2;
      const path = s("path", { d: `M ${x1} ${y1} C ${x1} ${middle}, ${x2} ${middle}, ${x2} ${y2}`, fill: "none", stroke: stroke(k), "stroke-width": 2, opacity: 0.8, "marker-end": "url(#arrow)", "stroke-dasharray": route.shared ? "2 4" : null, "data-tip": `${route.name}: ${route.item}\n${route.depth} × ${bytes(route.bytes)}${route.shared ? "\nmemory that neighbours share" : ""}${route.continues ? `\ngoes on from ${route.continues.join(", ")}` : ""}` });
      paths[k] = (paths[k] || []).concat(path);
      parts.unshift(path); // behind the tiles
    }
  });
  const only = (k) => routes.forEach((_, n) => list(paths[n]).forEach((path) => { path.setAttribute("opacity", k === null ? 0.8 : n === k ? 1 : 0.08); path.setAttribute("stroke-width", n === k ? 4 : 2); }));
  const rowsOf = routes.map((route, k) => h("tr", { onmouseenter: () => only(k), onmouseleave: () => only(null) }, h("td", null, h("i", { style: `display:inline-block;width:10px;height:10px;border-radius:3px;margin-right:6px;background:${stroke(k)}` }), route.name), h("td", { class: "mono" }, `(${route.from.join(", ")}) → ${list(route.to).map((end) => `(${end.join(", ")})`).join(" ")}`), h("td", { class: "mono" }, route.item), h("td", { class: "number" }, `${route.depth} × ${bytes(route.bytes)}`)));
  return [h("div", { class: "scroll" }, svg(pad * 2 + columns * (wide + gapX) - gapX, pad * 2 + rows * (high + gapY) - gapY, parts)),
    h("details", { open: routes.length < 13, style: "margin-top:10px" }, h("summary", { class: "dim small" }, plural(routes.length, "route")), h("div", { class: "scroll" }, h("table", { class: "plain" }, h("thead", null, h("tr", null, ["route", "tiles", "an item", "slots"].map((title, k) => h("th", k === 3 ? { class: "number" } : null, title)))), h("tbody", null, rowsOf))))];
}

function kernelsNode(view) {
  const tasks = list(view.tasks), edges = [];
  for (const task of tasks) for (const before of list(task.after)) {
    const from = tasks.find((one) => one.name === before);
    const shared = from ? list(task.reads).filter((name) => list(from.writes).includes(name)) : [];
    edges.push({ from: before, to: task.name, label: shared.length ? [shared.join(", ")] : [], tip: `${task.name} starts when ${before} has ended` });
  }
  const rank = ranks(tasks.map((one) => one.name), edges), cores = [...new Set(tasks.map((one) => one.on))];
  return [columnsGraph(tasks.map((task) => ({ id: task.name, column: rank.get(task.name), title: task.name, hue: cores.indexOf(task.on), lines: [task.on || "", ...[["reads", task.reads], ["writes", task.writes]].filter(([, names]) => list(names).length).map(([verb, names]) => `${verb} ${names.join(", ")}`)].map((text) => (text.length > 40 ? text.slice(0, 39) + "…" : text)), tip: `reads ${list(task.reads).join(", ") || "nothing"}\nwrites ${list(task.writes).join(", ") || "nothing"}` })), edges),
    h("div", { class: "legend" }, cores.map((core, k) => h("span", null, h("i", { style: `background:${stroke(k)}` }), core)))];
}

const drawings = { memory: ["Memory", memoryNode], queues: ["Queues and flags", queuesNode], array: ["The array", arrayNode], tasks: ["Tasks on cores", kernelsNode] };
function machineSection() {
  const views = list(data.views).filter((view) => drawings[view.kind]);
  if (!views.length) return null;
  const kinds = Object.keys(drawings).filter((kind) => views.some((view) => view.kind === kind));
  const order = ["tasks", "array", "memory", "queues"].filter((kind) => kinds.includes(kind));
  const cards = order.map((kind) => {
    const of = views.filter((view) => view.kind === kind);
    return h("div", { class: "card" }, h("div", { class: "row", style: "margin-bottom:10px" }, h("h3", null, drawings[kind][0]), of.length === 1 ? h("span", { class: "dim small" }, of[0].title, of[0].on ? ` · ${of[0].on}` : "") : null),
      tabs(of.map((view) => `${view.title}${view.on ? ` · ${view.on}` : ""}`), (k) => drawings[kind][1](of[k])));
  });
  const made = section("machine", "The machine", `Where things lie on \`${data.package.target}\` and what waits for what, as the last stage has it.`, cards);
  made.count = views.length;
  return made;
}

// ── layouts ──
function layoutNode(layout) {
  const axes = Object.keys(layout.axes), owners = axes.filter((axis) => axis !== "m"), shown = axes.length ? layout.axes[axes[0]].length : 0;
  const shape = list(layout.shape), columns = Math.max(1, Math.min(shape.length ? shape[shape.length - 1] : 64, 256)), rows = Math.ceil(shown / columns);
  const owner = (k) => owners.map((axis) => layout.axes[axis][k]).join(", "), known = [...new Set(Array.from({ length: shown }, (_, k) => owner(k)))];
  const memory = layout.axes.m, most = memory ? Math.max(1, ...memory) : 1;
  const legend = owners.length ? h("div", { class: "legend" }, known.slice(0, 16).map((name, k) => h("span", null, h("i", { style: `background:${stroke(k)}` }), `${owners.join(", ")} = ${name}`)), known.length > 16 ? h("span", null, `and ${known.length - 16} more`) : null) : h("div", { class: "legend" }, h("span", null, "pale to dark: from the first address to the last"));
  const cell = (width) => Math.max(2, Math.min(26, Math.floor(width / columns)));
  const node = canvas((width) => Math.min(rows, Math.ceil(420 / cell(width))) * cell(width) + 1, (context, width, height) => {
    const size = cell(width), lightness = css("--vivid"), dark = parseFloat(css("--shade")) < 50;
    const fits = Math.floor(height / size);
    context.font = `${Math.min(11, size * 0.48)}px ui-monospace, monospace`, context.textAlign = "center", context.textBaseline = "middle";
    for (let k = 0; k < Math.min(shown, fits * columns); ++k) {
      const x = (k % columns) * size, y = Math.floor(k / columns) * size, at = memory ? memory[k] / most : 0;
      context.fillStyle = owners.length ? `hsl(${hue(known.indexOf(owner(k)))} 52% ${dark ? 22 + 22 * at : 90 - 34 * at}%)` : `hsl(226 60% ${dark ? 18 + 46 * at : 95 - 50 * at}%)`;
      context.fillRect(x, y, size - (size > 4 ? 1 : 0), size - (size > 4 ? 1 : 0));
      if (size >= 20 && memory) context.fillStyle = css("--ink"), context.fillText(memory[k], x + size / 2, y + size / 2);
    }
    return (x, y) => {
      const column = Math.floor(x / size), k = Math.floor(y / size) * columns + column;
      if (column >= columns || k >= shown) return "";
      let index = k;
      const coordinates = [...shape].reverse().map((extent) => { const at = index % extent; index = Math.floor(index / extent); return at; }).reverse();
      return `element (${coordinates.length ? coordinates.join(", ") : k})\n${axes.map((axis) => `${axis === "m" ? "address" : axis} ${layout.axes[axis][k]}`).join(", ")}`;
    };
  });
  const notes = [...list(layout.copies).map((copy) => `${copy.count} copies along ${copy.along.join(", ")}`), ...list(layout.pending).map((one) => `${one.count} partial values, to be combined by ${one.op}`), layout.size > shown ? `the first ${shown} of ${layout.size} elements` : ""].filter(Boolean);
  return h("div", { class: "card" }, h("h3", { class: "mono", style: "font-size:13px;overflow-wrap:anywhere" }, list(layout.of).join(", ")), h("p", { class: "dim small" }, `${shape.join(" × ") || layout.size}, first in ${layout.stage}`), h("p", { class: "small", style: "margin:6px 0 10px" }, h("code", null, layout.text)), h("div", null, node), legend, notes.length ? h("p", { class: "dim small", style: "margin-top:6px" }, notes.join(" · ")) : null);
}
function layoutsSection() {
  const layouts = list(data.layouts);
  if (!layouts.length) return null;
  const made = section("layouts", "Layouts", "Where each element lies: its owner by colour, its address by shade. Rows are the tensor's.", h("div", { class: "grid" }, layouts.map(layoutNode)));
  made.count = layouts.length;
  return made;
}

// ── the roof ──
function roofSection() {
  const bench = data.bench;
  if (!bench) return null;
  const timed = list(bench.timed).filter((one) => one && one.min > 0), roof = bench.roof || {}, moved = bench.bytes ? bench.bytes.read + bench.bytes.written : 0;
  const parts = [];
  if (bench.operations > 0 && moved > 0 && roof.operations_per_second > 0 && roof.read > 0) {
    const intensity = bench.operations / moved, knee = roof.operations_per_second / roof.read;
    const low = Math.min(intensity, knee) / 8, high = Math.max(intensity, knee) * 8, width = 720, tall = 320, left = 74, bottom = 40;
    const rates = timed.map((one) => bench.operations / one.min), top = roof.operations_per_second * 2, least = Math.min(...rates, low * roof.read) / 2;
    const x = (value) => left + ((Math.log(value) - Math.log(low)) / (Math.log(high) - Math.log(low))) * (width - left - 20), y = (value) => 12 + ((Math.log(top) - Math.log(value)) / (Math.log(top) - Math.log(least))) * (tall - bottom - 12);
    const shapes = [];
    for (let e = Math.ceil(Math.log10(least)); 10 ** e <= top; ++e) shapes.push(s("line", { x1: left, x2: width - 20, y1: y(10 ** e), y2: y(10 ** e), stroke: "var(--line)" }), s("text", { x: left - 8, y: y(10 ** e) + 4, "text-anchor": "end", "font-size": 11, class: "dim" }, rate(10 ** e, "")));
    for (let e = Math.ceil(Math.log10(low)); 10 ** e <= high; ++e) shapes.push(s("line", { x1: x(10 ** e), x2: x(10 ** e), y1: 12, y2: tall - bottom, stroke: "var(--line)" }), s("text", { x: x(10 ** e), y: tall - bottom + 16, "text-anchor": "middle", "font-size": 11, class: "dim" }, 10 ** e));
    shapes.push(s("text", { x: width - 20, y: tall - 6, "text-anchor": "end", "font-size": 12, class: "dim" }, "operations a byte"), s("text", { x: left, y: 10, "font-size": 12, class: "dim" }, "operations a second"));
    shapes.push(s("path", { d: `M ${x(low)} ${y(low * roof.read)} L ${x(knee)} ${y(roof.operations_per_second)} L ${x(high)} ${y(roof.operations_per_second)}`, fill: "none", stroke: "var(--accent)", "stroke-width": 2.5, "stroke-linejoin": "round", "data-tip": `what this machine can do: ${rate(roof.operations_per_second, "op/s")}, reads ${rate(roof.read, "B/s")}` }));
    rates.forEach((value, k) => shapes.push(s("line", { x1: x(intensity), x2: x(intensity), y1: y(value), y2: y(Math.min(roof.operations_per_second, intensity * roof.read)), stroke: stroke(k), "stroke-dasharray": "3 4" }), s("circle", { cx: x(intensity), cy: y(value), r: 6, fill: vivid(k), stroke: "var(--card)", "stroke-width": 2, "data-tip": `${timed[k].name}\n${rate(value, "op/s")}, ${time(timed[k].min)}` })));
    parts.push(h("div", { class: "scroll" }, svg(width, tall, shapes)));
  }
  parts.push(table(["", right("fastest"), right("median"), right("operations a second"), right("bytes a second"), right("of the roof"), "bound by"], timed.map((one, k) => [[h("i", { style: `display:inline-block;width:10px;height:10px;border-radius:5px;margin-right:6px;background:${vivid(k)}` }), String(one.name).split("/").pop()], right(time(one.min)), right(time(one.median || one.min)), right(one.operations_per_second ? rate(one.operations_per_second, "op/s") : "–"), right(one.bytes_per_second ? rate(one.bytes_per_second, "B/s") : "–"), right(one.roof ? percent(one.roof.share, 1) : "–"), one.roof ? one.roof.bound : "–"])));
  return section("roof", "Roofline", `Measured${bench.sizes ? " at " + Object.entries(bench.sizes).map(([dim, size]) => `${dim}=${size}`).join(", ") : ""}, against what this machine can do at most.`, h("div", { class: "card" }, parts));
}

// Graphs of tasks, processes and channels, and timelines.

// A curve from the right side of a box to the left of another, or around below where that is behind it.
function curve(from, to) {
  const x1 = from.x + from.width, y1 = from.y + from.height / 2 + (from.out || 0), x2 = to.x, y2 = to.y + to.height / 2 + (to.in || 0);
  const bend = Math.max(22, Math.abs(x2 - x1) / 2);
  return x2 >= x1 - 4 ? `M ${x1} ${y1} C ${x1 + bend} ${y1}, ${x2 - bend} ${y2}, ${x2} ${y2}`
    : `M ${x1} ${y1} C ${x1 + 60} ${y1 + 70}, ${x2 - 60} ${y2 + 70}, ${x2} ${y2}`;
}
const arrow = () => s("defs", null, s("marker", { id: "arrow", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" }, s("path", { d: "M 0 0 L 8 4 L 0 8 z", fill: "var(--dim)" })));

// Boxes in columns, edges between them: [{ id, column, title, lines, tip, hue, bar }], [{ from, to, label, tip, dashed, hot }].
function columnsGraph(nodes, edges) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const columns = [];
  for (const node of nodes) (columns[node.column] ||= []).push(node);
  const gap = Math.min(260, 48 + 6.6 * Math.max(4, ...edges.map((edge) => Math.max(0, ...list(edge.label).map((text) => text.length)))));
  let x = 10, height = 0;
  for (const column of columns) {
    let widest = 0, y = 14;
    for (const node of column || []) {
      node.width = Math.min(360, Math.max(96, 24 + Math.max(...[node.title, ...node.lines].map((text, k) => text.length * (k ? 6.9 : 8.2)))));
      const ends = Math.max(edges.filter((edge) => edge.from === node.id).length, edges.filter((edge) => edge.to === node.id).length);
      node.height = Math.max(28 + node.lines.length * 16 + (node.bar ? 14 : 0), ends < 8 ? 12 + ends * 30 : 0);
      node.x = x, node.y = y;
      y += node.height + 26;
      widest = Math.max(widest, node.width);
    }
    for (const node of column || []) node.width = widest;
    height = Math.max(height, y);
    x += widest + gap;
  }
  for (const column of columns) { // in the middle
    const last = column && column[column.length - 1], by = last ? (height - (last.y + last.height + 14)) / 2 : 0;
    for (const node of column || []) node.y += by;
  }
  const parts = [arrow()];
  const spread = (ends, key) => ends.forEach((edge, k) => (edge[key] = (k - (ends.length - 1) / 2) * (ends.length < 8 ? 30 : 13)));
  for (const node of nodes) {
    spread(edges.filter((edge) => edge.from === node.id).sort((a, b) => byId.get(a.to).y - byId.get(b.to).y), "out");
    spread(edges.filter((edge) => edge.to === node.id).sort((a, b) => byId.get(a.from).y - byId.get(b.from).y), "in");
  }
  let bottom = height;
  for (const edge of edges) {
    const from = byId.get(edge.from), to = byId.get(edge.to);
    const a = { ...from, out: edge.out }, b = { ...to, in: edge.in };
    const back = b.x < a.x + a.width - 4;
    if (back) bottom = Math.max(bottom, Math.max(a.y + a.height / 2, b.y + b.height / 2) + 78);
    parts.push(s("path", { d: curve(a, b), fill: "none", stroke: edge.hot ? "var(--bad)" : "var(--dim)", "stroke-width": edge.hot ? 2.4 : 1.4, "stroke-dasharray": edge.dashed ? "4 4" : null, "marker-end": "url(#arrow)", "data-tip": edge.tip }));
    // What goes along it, by the end where the edges are apart.
    const middle = [(a.x + a.width + b.x) / 2, (a.y + a.height / 2 + edge.out + b.y + b.height / 2 + edge.in) / 2 + (back ? 54 : 0)];
    const labels = list(edge.label);
    labels.forEach((text, k) => parts.push(s("text", { x: middle[0], y: middle[1] + (k - labels.length / 2) * 13 + (labels.length > 1 ? 9 : 2), "text-anchor": "middle", "font-size": 11, class: k ? "dim" : "", "paint-order": "stroke", stroke: "var(--card)", "stroke-width": 4, "stroke-linejoin": "round", "data-tip": edge.tip }, text)));
  }
  for (const node of nodes) {
    parts.push(s("rect", { x: node.x, y: node.y, width: node.width, height: node.height, rx: 9, fill: tint(node.hue), stroke: stroke(node.hue), "stroke-width": node.hot ? 2.4 : 1.2, "data-tip": node.tip }));
    parts.push(s("text", { x: node.x + 11, y: node.y + 19, "font-weight": 600, "font-size": 13, style: "pointer-events:none" }, node.title));
    node.lines.forEach((text, k) => parts.push(s("text", { x: node.x + 11, y: node.y + 36 + k * 16, "font-size": 11, class: "mono", style: "pointer-events:none" }, text)));
    if (node.bar) {
      let at = node.x + 11;
      const wide = node.width - 22, y = node.y + node.height - 13;
      parts.push(s("rect", { x: at, y, width: wide, height: 6, rx: 3, fill: "var(--line)" }));
      for (const [share, colour, what] of node.bar) {
        parts.push(s("rect", { x: at, y, width: Math.max(0, share * wide), height: 6, fill: colour, "data-tip": what }));
        at += share * wide;
      }
    }
  }
  const width = Math.max(...nodes.map((node) => node.x + node.width), 60) + 12;
  return h("div", { class: "scroll" }, svg(Math.ceil(width), Math.ceil(bottom), parts));
}

// Behind how many others each stands; what goes around in a circle counts once.
function ranks(ids, edges) {
  const rank = new Map(ids.map((id) => [id, 0])), seen = new Set();
  const visit = (id, path) => {
    if (path.has(id) || path.size > 400) return;
    path.add(id);
    for (const edge of edges) if (edge.from === id && !path.has(edge.to) && rank.get(edge.to) < rank.get(id) + 1) {
      rank.set(edge.to, rank.get(id) + 1);
      visit(edge.to, path);
    }
    path.delete(id);
    seen.add(id);
  };
  for (const id of ids) if (!edges.some((edge) => edge.to === id && edge.from !== id)) visit(id, new Set());
  for (const id of ids) if (!seen.has(id)) visit(id, new Set());
  return rank;
}

const elementBytes = { bool_: 1, i8: 1, u8: 1, i16: 2, u16: 2, f16: 2, bf16: 2, i32: 4, u32: 4, f32: 4, i64: 8, u64: 8, f64: 8 };
// "f32, M, K" at the sizes that the page was made for; null where one is not known.
function tensorBytes(type) {
  const [dtype, ...extents] = String(type).split(",").map((part) => part.trim());
  let size = elementBytes[dtype];
  for (const extent of extents) size *= /^\d+$/.test(extent) ? +extent : data.sizes[extent] ?? NaN;
  return size > 0 ? size : null;
}
const sizesText = () => (Object.keys(data.sizes).length ? ` at ${Object.entries(data.sizes).map(([dim, size]) => `${dim}=${size}`).join(", ")}` : "");

// ── tasks ──
function tasksSection() {
  const tasks = data.tasks;
  if (!tasks || !list(tasks.tasks).length) return null;
  const types = new Map(list(tasks.tensors).map((one) => [one.name, one]));
  const sized = (name) => { const one = types.get(name), size = one && tensorBytes(one.type); return size ? bytes(size) : ""; };
  const amounts = { same: "block by block", overlapping: "blocks that overlap", around: "its block and around", whole: "all of it" };
  const what = (task) => task.call || list(task.loops).map((loop) => loop.over + (loop.runs ? ` ${loop.runs}` : "")).join(" › ") || task.kind;
  // Levels within tasks are drawn one below the other: a graph in a graph is hard to read.
  const levels = [];
  (function collect(level, title) {
    levels.push([title, level]);
    for (const task of list(level.tasks)) if (list(task.tasks).length) collect(task, `within ${task.id} ${task.name}`);
  })(tasks, tasks.entry || "");
  const drawn = levels.slice(0, 24).map(([title, level]) => {
    const nodes = level.tasks.map((task) => ({
      id: task.id, column: task.after || 0, title: `${task.id}  ${task.name}`, hue: task.after || 0,
      lines: [what(task), ...[["reads", task.reads], ["writes", task.writes]].filter(([, names]) => list(names).length).map(([verb, names]) => `${verb} ${names.join(", ")}`)].map((text) => (text.length > 44 ? text.slice(0, 43) + "…" : text)),
      tip: [...list(task.reads).map((name) => `reads ${name} ${sized(name)}`), ...list(task.writes).map((name) => `writes ${name} ${sized(name)}`), data.tasks.lines && data.tasks.lines[task.id] ? `line ${data.tasks.lines[task.id]} of your program` : ""].filter(Boolean).join("\n"),
    }));
    const known = new Set(nodes.map((node) => node.id));
    const edges = list(level.dependences).filter((edge) => known.has(edge.from) && known.has(edge.to)).map((edge) => ({
      from: edge.from, to: edge.to, label: [edge.of + (sized(edge.of) ? ` · ${sized(edge.of)}` : ""), amounts[edge.needs] || ""], dashed: edge.kind !== "flow",
      tip: `${edge.kind}: ${edge.first} → ${edge.second}${edge.carried ? ", from the iteration before" : ""}`,
    }));
    return [levels.length > 1 ? h("h3", { style: "margin:10px 0" }, title) : null, columnsGraph(nodes, edges)];
  });
  const made = section("tasks", "Tasks", `What each task needs of the others, at stage \`${tasks.stage}\`. Tasks in one column may run at once; dashed: an order without a value. Bytes of whole tensors${sizesText()}.`, h("div", { class: "card" }, drawn));
  made.count = tasks.tasks.length;
  return made;
}

// ── processes and channels ──
const spent = () => [["work", "var(--good)", "works"], ["full", "var(--bad)", "waits for capacity"], ["empty", "var(--warm)", "waits for items"]];
function networkSection() {
  const net = data.network;
  if (!net || !list(net.processes).length) return null;
  const all = net.seconds || 1, names = new Set(net.processes.map((one) => one.name));
  const edges = [];
  for (const channel of net.channels) for (const to of list(channel.to)) if (names.has(channel.from) && names.has(to)) edges.push({
    from: channel.from, to, hot: net.critical && net.critical.channel === channel.name,
    label: [channel.name, `${channel.capacity || "rendezvous"}${channel.capacity ? ` × ${bytes(channel.slot_bytes)}` : ""}`],
    tip: `${channel.name}: ${channel.items} items of ${bytes(channel.slot_bytes)}, ${bytes(channel.items * channel.slot_bytes)} in all\nheld at most ${channel.most} of ${channel.capacity}, ${(+channel.mean).toFixed(2)} on average\nwaits for capacity ${time(channel.full)}, for items ${time(channel.empty)}` });
  const joined = net.processes.filter((one) => edges.some((edge) => edge.from === one.name || edge.to === one.name)), rank = ranks(joined.map((one) => one.name), edges);
  const many = joined.length > 60;
  const nodes = joined.map((one) => ({
    id: one.name, column: rank.get(one.name), title: one.name, hue: rank.get(one.name), hot: net.critical && net.critical.process === one.name,
    lines: [`works ${time(one.busy)} · ${percent(one.busy, all)}`], bar: [[one.busy / all, spent()[0][1], `works ${time(one.busy)}`], [one.full / all, spent()[1][1], `waits for capacity ${time(one.full)}`], [one.empty / all, spent()[2][1], `waits for items ${time(one.empty)}`]],
    tip: `${one.name}: ends at ${time(one.end)}\nin the longest chain: ${percent(one.critical, all)}` }));
  const rows = net.processes.map((one) => [one.name, right(time(one.busy)), right(percent(one.busy, all)), right(time(one.full)), right(time(one.empty)), right(percent(one.critical, all))]);
  const made = section("network", "Processes and channels", `Predicted${sizesText()}: ${time(net.seconds)}, by \`${net.by}\`; channels take ${bytes(net.bytes)}.`,
    h("div", { class: "card" }, many || !nodes.length ? null : columnsGraph(nodes, edges),
      h("div", { class: "legend" }, spent().map(([, colour, what]) => h("span", null, h("i", { style: `background:${colour}` }), what)), h("span", null, "thick: what takes the time, or holds it up")),
      list(net.notes).map((note) => h("p", { class: "dim small", style: "margin-top:6px" }, marked(note)))),
    h("div", { class: "card" }, h("details", { open: many }, h("summary", null, `${plural(net.processes.length, "process", "processes")}, ${plural(net.channels.length, "channel")}`),
      table(["process", right("works"), "", right("waits for capacity"), right("for items"), right("in the longest chain")], rows),
      table(["channel", "from", "to", right("items"), right("capacity"), right("a slot"), right("held at most"), right("on average")], net.channels.map((one) => [one.name, one.from || "–", list(one.to).join(", "), right(one.items), right(one.capacity), right(bytes(one.slot_bytes)), right(one.most), right((+one.mean).toFixed(2))])))));
  made.title = "Processes", made.count = net.processes.length;
  return made;
}

// ── timelines ──
function timelineNode(of, title, about) {
  const lanes = list(of.lanes).filter((lane) => lane.slices.length);
  if (!lanes.length) return null;
  let begin = Infinity, end = 0;
  for (const lane of lanes) for (const slice of lane.slices) begin = Math.min(begin, slice[0]), end = Math.max(end, slice[0] + slice[1]);
  let from = begin, to = end;
  const high = lanes.length > 30 ? 14 : 22, head = 20;
  const kinds = new Map();
  const colourOf = (slice) => {
    if (slice[2] === "full" || slice[3].startsWith("waits for capacity")) return "--bad";
    if (slice[2] === "empty" || slice[3].startsWith("waits for")) return "--warm";
    const name = slice[3] || slice[2];
    if (name === "work" || name === "works") return "--good";
    if (!kinds.has(name)) kinds.set(name, kinds.size);
    return kinds.get(name);
  };
  for (const lane of lanes) for (const slice of lane.slices) slice[4] = colourOf(slice);
  const node = canvas(head + lanes.length * high + 4, (context, width) => {
    const left = Math.min(width * 0.26, 14 + 6.6 * Math.max(...lanes.map((lane) => lane.name.length)));
    const scale = (width - left - 8) / (to - from || 1);
    const ink = css("--ink"), dim = css("--dim"), line = css("--line");
    const named = new Map([["--bad", css("--bad")], ["--warm", css("--warm")], ["--good", css("--good")]]);
    const lightness = css("--vivid");
    context.clearRect(0, 0, width, head + lanes.length * high + 4);
    context.font = "11px system-ui, sans-serif", context.textBaseline = "middle";
    const step = 10 ** Math.floor(Math.log10((to - from) / 5 || 1)) * [1, 2, 5, 10].find((k) => (to - from) / (k * 10 ** Math.floor(Math.log10((to - from) / 5 || 1))) <= 8);
    for (let t = begin + Math.ceil((from - begin) / step) * step; t <= to; t += step) {
      const x = left + (t - from) * scale;
      context.fillStyle = line, context.fillRect(x, head - 4, 1, lanes.length * high + 4);
      context.fillStyle = dim, context.textAlign = "left", context.fillText(time(t - begin), x + 3, 8);
    }
    lanes.forEach((lane, k) => {
      const y = head + k * high;
      context.save();
      context.beginPath(), context.rect(left, y, width - left, high), context.clip();
      for (const slice of lane.slices) {
        const x = left + (slice[0] - from) * scale, wide = Math.max(0.7, slice[1] * scale);
        if (x > width || x + wide < left) continue;
        context.fillStyle = named.get(slice[4]) || `hsl(${hue(slice[4])} 58% ${lightness})`;
        context.globalAlpha = slice[4] === "--warm" || slice[4] === "--bad" ? 0.55 : 0.95;
        context.fillRect(x, y + 2, wide, high - 4);
        context.globalAlpha = 1;
        const label = slice[3] && slice[3] !== "work" ? slice[3] : "";
        if (label && high > 12 && typeof slice[4] === "number" && wide > label.length * 6.4 + 6) context.fillStyle = "#fff", context.textAlign = "left", context.fillText(label, Math.max(x, left) + 4, y + high / 2 + 0.5);
      }
      context.restore();
      context.fillStyle = ink, context.textAlign = "right";
      context.font = `${high > 14 ? 11 : 10}px system-ui, sans-serif`;
      context.fillText(lane.name.length * 6.6 > left ? lane.name.slice(0, Math.floor(left / 6.6) - 2) + "…" : lane.name, left - 8, y + high / 2);
      context.fillStyle = line, context.fillRect(0, y + high - 0.5, width, 0.5);
    });
    return (x, y) => {
      const lane = lanes[Math.floor((y - head) / high)];
      if (!lane || x < left) return lane ? lane.name : "";
      const t = from + (x - left) / scale, near = 2 / scale;
      const found = lane.slices.find((slice) => t >= slice[0] && t <= slice[0] + slice[1]) || lane.slices.find((slice) => Math.abs(t - slice[0]) < near);
      return found ? `${lane.name}: ${found[2] === "full" ? "waits for capacity in " : found[2] === "empty" ? "waits for an item of " : ""}${found[3] || found[2]}\n${time(found[1])} from ${time(found[0] - begin)}` : lane.name;
    };
  });
  const zoom = (by, at = (from + to) / 2) => {
    const wide = Math.min(end - begin, (to - from) * by);
    from = Math.max(begin, Math.min(end - wide, at - (at - from) * by)), to = from + wide;
    node.paint();
  };
  node.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const box = node.getBoundingClientRect();
    zoom(event.deltaY > 0 ? 1.25 : 0.8, from + ((event.clientX - box.left) / box.width) * (to - from));
  }, { passive: false });
  let drag = null;
  node.addEventListener("pointerdown", (event) => { drag = [event.clientX, from, to]; node.setPointerCapture(event.pointerId); });
  node.addEventListener("pointermove", (event) => {
    if (!drag || to - from >= end - begin) return;
    const by = ((drag[0] - event.clientX) / node.clientWidth) * (drag[2] - drag[1]);
    from = Math.max(begin, Math.min(end - (drag[2] - drag[1]), drag[1] + by)), to = from + (drag[2] - drag[1]);
    node.paint();
  });
  node.addEventListener("pointerup", () => (drag = null));
  return h("div", { class: "card" }, h("div", { class: "row", style: "margin-bottom:8px" }, h("h3", null, title), h("span", { class: "dim small grow" }, `${time(end - begin)} · ${about}${of.left_out ? ` · the ${of.left_out} shortest slices are left out` : ""}`),
    h("button", { class: "small", onclick: () => zoom(0.5), "aria-label": "zoom in" }, "+"), h("button", { class: "small", onclick: () => zoom(2), "aria-label": "zoom out" }, "−"), h("button", { class: "small", onclick: () => zoom(1e9) }, "all")), h("div", null, node));
}
function timelineSection() {
  const parts = [
    data.planned ? timelineNode(data.planned, "Planned", `by ${data.network ? data.network.by : "a model"}${sizesText()}`) : null,
    data.traced ? timelineNode(data.traced, "Measured", "a run's own timeline") : null].filter(Boolean);
  if (!parts.length) return null;
  return section("timeline", "Timeline", "Who works when, and waits for whom. Ctrl and the wheel zoom, dragging moves.", parts,
    h("div", { class: "legend" }, spent().map(([, colour, what]) => h("span", null, h("i", { style: `background:${colour}` }), what))));
}

"use strict";
// What every part of the page uses. Text comes into the page by text nodes alone: names of programs are not ours.
const data = JSON.parse(document.getElementById("data").textContent);
const $ = (id) => document.getElementById(id);

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "class") node.setAttribute("class", value);
    else if (name === "style") node.style.cssText = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(4)) if (child !== null && child !== undefined && child !== false) node.append(child);
  return node;
}
const h = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
const s = (tag, attributes, ...children) => fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
const svg = (width, height, ...children) => s("svg", { width, height, viewBox: `0 0 ${width} ${height}` }, children);

// `code` in backticks becomes that.
function marked(text) {
  return String(text).split("`").map((part, k) => (k % 2 ? h("code", null, part) : part));
}

const list = (value) => (Array.isArray(value) ? value : []);
const linesOf = (stage) => list(stage && stage.lines).map((n) => data.lines[n]);
function time(seconds) {
  const size = Math.abs(seconds);
  for (const [unit, one] of [["s", 1], ["ms", 1e-3], ["µs", 1e-6], ["ns", 1e-9]]) if (size >= one) return `${+(seconds / one).toPrecision(3)} ${unit}`;
  return size > 0 ? `${+(seconds * 1e12).toPrecision(3)} ps` : "0";
}
function bytes(count) {
  for (const [unit, one] of [["GiB", 2 ** 30], ["MiB", 2 ** 20], ["KiB", 2 ** 10]]) if (count >= one) return `${+(count / one).toPrecision(3)} ${unit}`;
  return `${count} B`;
}
function rate(value, unit) {
  for (const [name, one] of [["T", 1e12], ["G", 1e9], ["M", 1e6], ["k", 1e3]]) if (value >= one) return `${+(value / one).toPrecision(3)} ${name}${unit}`;
  return `${+value.toPrecision(3)} ${unit}`;
}
const percent = (part, whole) => (whole > 0 ? `${Math.round((100 * part) / whole)} %` : "–");
const plural = (count, one, many) => `${count} ${count === 1 ? one : many || one + "s"}`;
// Colours of things that are told apart: the golden angle keeps neighbours far from each other.
const hue = (k) => Math.round((226 + k * 137.508) % 360);
const tint = (k) => `hsl(${hue(k)} var(--soften) var(--shade))`;
const stroke = (k) => `hsl(${hue(k)} 48% var(--stroke))`;
const vivid = (k) => `hsl(${hue(k)} 58% var(--vivid))`;
const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// ── what floats over the page ──
const tip = $("tip");
function showTip(event, text) {
  tip.textContent = text;
  tip.hidden = !text;
  const box = tip.getBoundingClientRect();
  tip.style.left = `${Math.max(6, Math.min(event.clientX + 14, innerWidth - box.width - 8))}px`;
  tip.style.top = `${event.clientY + 18 + box.height > innerHeight ? event.clientY - box.height - 10 : event.clientY + 18}px`;
}
const hideTip = () => (tip.hidden = true);
document.addEventListener("mousemove", (event) => {
  const of = event.target.closest && event.target.closest("[data-tip]");
  if (of) showTip(event, of.getAttribute("data-tip"));
  else if (!(event.target instanceof HTMLCanvasElement)) hideTip();
});
document.addEventListener("scroll", hideTip, true);

// ── sections ──
function section(id, title, about, ...children) {
  return { id, title, count: null, node: h("section", { id }, h("div", { class: "head" }, h("h2", null, title), about ? h("p", null, marked(about)) : null), children) };
}
// One of several things at a time.
function tabs(names, show, first = 0) {
  const body = h("div");
  const buttons = names.map((name, k) => h("button", { onclick: () => choose(k) }, name));
  function choose(k) {
    buttons.forEach((button, n) => button.setAttribute("aria-pressed", n === k));
    body.replaceChildren(...[show(k)].flat(4).filter((node) => node));
  }
  if (names.length) choose(first);
  const node = names.length > 1 ? h("div", null, h("div", { class: "tabs" }, buttons), body) : body;
  node.choose = choose;
  return node;
}
function table(head, rows) {
  const cell = (tag, value) => {
    const number = value && value.number !== undefined;
    return h(tag, number ? { class: "number" } : null, number ? value.number : value);
  };
  return h("div", { class: "scroll" }, h("table", { class: "plain" }, h("thead", null, h("tr", null, head.map((value) => cell("th", value)))),
    h("tbody", null, rows.map((row) => h("tr", null, row.map((value) => cell("td", value)))))));
}
const right = (value) => ({ number: value });

// ── the theme: the system's, or the one chosen here ──
let theme = "auto";
try { theme = localStorage.getItem("htp-report-theme") || "auto"; } catch (e) { /* a page from a file may have no storage */ }
const redraws = [];
function applyTheme() {
  if (theme === "auto") document.documentElement.removeAttribute("data-theme");
  else document.documentElement.setAttribute("data-theme", theme);
  for (const redraw of redraws) redraw();
}
function nextTheme() {
  const dark = theme === "dark" || (theme === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
  theme = dark ? "light" : "dark";
  try { localStorage.setItem("htp-report-theme", theme); } catch (e) { /* as above */ }
  applyTheme();
}
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", applyTheme);

// A canvas that is drawn when it is seen, and again with another theme or size. `draw(context, width)` gives what a
// pointer at (x, y) is over.
function canvas(height, draw, width) {
  const node = h("canvas");
  let at = null;
  const paint = () => {
    const wide = width || node.parentElement && node.parentElement.clientWidth || 0;
    if (!wide) return;
    const ratio = Math.min(devicePixelRatio || 1, 2);
    const high = typeof height === "function" ? height(wide) : height;
    node.width = wide * ratio, node.height = high * ratio;
    node.style.width = `${wide}px`, node.style.height = `${high}px`;
    const context = node.getContext("2d");
    context.scale(ratio, ratio);
    at = draw(context, wide, high);
  };
  node.paint = paint;
  new IntersectionObserver((entries, observer) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    observer.disconnect();
    paint();
    redraws.push(() => node.isConnected && paint());
    addEventListener("resize", () => node.isConnected && paint());
  }).observe(node);
  node.addEventListener("mousemove", (event) => {
    const box = node.getBoundingClientRect();
    const text = at && at(event.clientX - box.left, event.clientY - box.top);
    if (text) showTip(event, text); else hideTip();
  });
  node.addEventListener("mouseleave", hideTip);
  return node;
}

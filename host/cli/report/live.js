"use strict";
// Follows a compile by its events, and shows the page of the last one that succeeded. Text comes in by text nodes alone.
const $ = (id) => document.getElementById(id);
let shown = 0;
const source = new EventSource("/events");
source.onmessage = (event) => {
  const state = JSON.parse(event.data);
  const done = state.passes.length, planned = Math.max(state.planned, done);
  $("light").className = state.working ? "working" : state.failed ? "bad" : "good";
  $("words").textContent = state.working
    ? done ? `pass ${done} of ${planned}: ${state.passes[done - 1].name}` : "compiling"
    : state.failed ? "it does not compile; the page below is of the last one that did" : `done in ${state.seconds < 1 ? `${Math.round(1000 * state.seconds)} ms` : `${state.seconds.toFixed(1)} s`}`;
  $("progress").hidden = !state.working || !planned;
  $("progress").max = planned || 1;
  $("progress").value = done;
  $("failed").hidden = !state.failed;
  $("failed").textContent = state.failed;
  $("passes").hidden = !state.working || !done;
  $("passes").replaceChildren(...state.passes.map((pass) => {
    const row = document.createElement("li"), time = document.createElement("span");
    if (!pass.changed) row.className = "same";
    time.textContent = `${pass.ms.toFixed(1)} ms`;
    row.append(pass.name, time);
    return row;
  }));
  $("passes").scrollTop = $("passes").scrollHeight;
  if (state.page && state.page !== shown) {
    const hash = shown ? frameHash() : "";
    shown = state.page;
    $("page").src = `/page?${shown}${hash}`;
  }
  $("page").hidden = !shown;
  $("page").classList.toggle("old", Boolean(state.failed) || state.working);
  if (!shown && state.failed) $("words").textContent = "it does not compile";
  document.documentElement.dataset.number = state.number;
};
source.onerror = () => { $("light").className = "bad"; $("words").textContent = "htp-host has ended"; };
// The pass that was looked at stays the one that is.
function frameHash() {
  try { return $("page").contentWindow.location.hash; } catch (error) { return ""; }
}

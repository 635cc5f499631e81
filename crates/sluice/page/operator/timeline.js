/** A developer trace as a timeline: stages, the waves of calls in them, every event, the program. */

import { copy } from "../lib/copy.js";
import { el } from "../lib/dom.js";
import { count, duration } from "../lib/format.js";

/**
 * @typedef {{ stepType?: string, event?: string, status?: string, message?: string, timestampMs?: number, attempt?: number,
 *   tool?: { name?: string, method?: string }, metadata?: Record<string, any> }} Event
 * @typedef {{ name: string, detail?: string, from: number, to: number, state: string, kind: "stage" | "call", wave?: number }} Bar
 */

const STAGES = /** @type {const} */ ([
  ["selectionMs", "Selection"], ["scoutMs", "Probe"], ["clarificationMs", "Gate"], ["planningMs", "Planning"],
  ["executionMs", "Execution"], ["rediscoveryMs", "Rediscovery"], ["synthesisMs", "Synthesis"],
]);

/**
 * @param {any} trace
 * @returns {Node[]}
 */
export function timeline(trace) {
  const events = /** @type {Event[]} */ (trace.timeline ?? []);
  const bars = barsOf(trace, events);
  const code = trace.finalCode ?? trace.initialCode;
  const copying = el("button.quiet", { type: "button", onclick: () => copy(JSON.stringify(trace, null, 2), copying) }, "Copy as JSON");
  return [
    summary(trace),
    bars.length ? chart(bars) : null,
    el("section", null, el("h3", null, "Events"), el("ol.events", null, ...events.map((event) => line(event, events[0]?.timestampMs ?? 0)))),
    code ? el("section", null, el("h3", null, "Program"), el("pre", { tabindex: 0, dir: "ltr" }, el("code", null, String(code)))) : null,
    trace.diagnostics ? el("details.raw", null, el("summary", null, "Diagnostics"), el("pre", { tabindex: 0, dir: "ltr" }, el("code", null, JSON.stringify(trace.diagnostics, null, 2)))) : null,
    el("p", null, copying),
  ].filter((node) => node !== null);
}

/** @param {any} trace */
function summary(trace) {
  const it = trace.summary ?? {};
  const parts = [
    it.toolCalls !== undefined && count(it.toolCalls, "tool call"),
    it.failureCount > 0 && count(it.failureCount, "failure"),
    it.retryCount > 0 && count(it.retryCount, "retry"),
    it.recoveryCount > 0 && count(it.recoveryCount, "recovery step"),
  ].filter(Boolean);
  return el("p.trace-summary", null, parts.join(" · "), " ", trace.requestId ? el("code", null, trace.requestId) : null);
}

/**
 * The stages one after another, and the calls where they were made.
 *
 * @param {any} trace
 * @param {Event[]} events
 * @returns {Bar[]}
 */
export function barsOf(trace, events) {
  const begin = events[0]?.timestampMs ?? 0;
  /** @type {Bar[]} */
  const calls = events
    .filter((event) => event.stepType === "tool-call")
    .map((event) => {
      const to = (event.timestampMs ?? begin) - begin;
      return {
        name: event.tool?.method ?? event.tool?.name ?? "call",
        detail: event.metadata?.args ? JSON.stringify(event.metadata.args) : "",
        from: Math.max(0, to - Number(event.metadata?.durationMs ?? 0)),
        to,
        state: event.status === "error" ? "failed" : "done",
        kind: /** @type {const} */ ("call"),
      };
    });
  calls.sort((one, other) => one.from - other.from || one.to - other.to);
  waves(calls, events);
  const timing = trace.diagnostics?.stageTiming ?? {};
  /** @type {Bar[]} */
  const bars = [];
  let at = 0;
  for (const [key, name] of STAGES) {
    const ms = Number(timing[key]);
    if (!Number.isFinite(ms)) continue;
    const inside = key === "executionMs" ? calls.splice(0) : [];
    // Stages say how long they took, calls when: what lies between two stages belongs to neither.
    const to = Math.max(at + ms, ...inside.map((bar) => bar.to));
    bars.push({ name, from: to - ms, to, state: "done", kind: "stage" }, ...inside);
    at = to;
  }
  return [...bars, ...calls];
}

/**
 * Numbers the waves. A program pauses once for each wave and ends once, so its passes say how many there were, and they
 * part where nothing was under way for longest; without that, calls that overlap are one wave.
 *
 * @param {Bar[]} calls in the order of their beginnings
 * @param {Event[]} events
 */
function waves(calls, events) {
  const runs = events.filter((event) => event.stepType === "execution-attempt" && event.metadata?.passes !== undefined);
  let end = -1;
  const gaps = calls.map((bar) => {
    const gap = bar.from - end;
    end = Math.max(end, bar.to);
    return gap;
  });
  const cuts = runs.length === 1 ? Number(runs[0].metadata?.passes) - 2 : -1;
  const least = cuts > 0 ? gaps.slice(1).sort((one, other) => other - one)[cuts - 1] ?? Infinity : Infinity;
  let wave = 1;
  for (const [at, bar] of calls.entries()) {
    if (at > 0 && (cuts < 0 ? gaps[at] >= 0 : gaps[at] >= least)) wave += 1;
    bar.wave = wave;
  }
}

/** @param {Bar[]} bars */
function chart(bars) {
  const total = Math.max(1, ...bars.map((bar) => bar.to));
  return el(
    "div.scroll",
    { tabindex: 0, role: "group", "aria-label": "Timeline" },
    el("table.gantt", null,
      el("caption", null, `Stages and waves of calls, ${duration(total)} in all`),
      el("thead.off-screen", null, el("tr", null, ...["Stage or call", "When", "Took"].map((name) => el("th", { scope: "col" }, name)))),
      el("tbody", null, ...bars.map((bar) => {
        const mark = el("i", { "aria-hidden": "true" });
        mark.style.setProperty("--from", `${((bar.from / total) * 100).toFixed(2)}%`);
        mark.style.setProperty("--span", `${(((bar.to - bar.from) / total) * 100).toFixed(2)}%`);
        return el("tr", { "data-kind": bar.kind, "data-state": bar.state },
          el("th", { scope: "row" }, bar.wave ? el("span.wave", null, `wave ${bar.wave}`) : null, bar.name, bar.detail ? el("code", { dir: "ltr" }, bar.detail) : null),
          el("td.track", null, mark, el("span.off-screen", null, `after ${duration(bar.from)}`)),
          el("td", { "data-side": "end" }, duration(bar.to - bar.from)));
      }))),
  );
}

/**
 * @param {Event} event
 * @param {number} begin
 */
function line(event, begin) {
  const has = event.metadata && Object.keys(event.metadata).length > 0;
  const head = [
    el("span.when", null, `+${(event.timestampMs ?? begin) - begin} ms`),
    el("span.event", null, event.event ?? event.stepType ?? ""),
    event.tool ? el("span.option-tool", null, [event.tool.name, event.tool.method].filter(Boolean).join(" / ")) : null,
    event.message ? el("span", { dir: "auto" }, event.message) : null,
    el("span.status", { "data-state": event.status === "error" || event.status === "failed" ? "failed" : "done" }, event.status ?? ""),
  ];
  return el("li", null, has
    ? el("details", null, el("summary", null, ...head), el("pre", { tabindex: 0, dir: "ltr" }, el("code", null, JSON.stringify(event.metadata, null, 2).slice(0, 20_000))))
    : el("div.line", null, ...head));
}

/** A time series as lines over time, with its numbers in a table beside it. */

import { el, fill, svg } from "../lib/dom.js";
import { cell, numberIn } from "../lib/format.js";
import { isNumbers, table } from "./table.js";

/**
 * @typedef {import("../chat/turn.js").Evidence} Evidence
 * @typedef {{ name: string, values: (number | null)[] }} Line
 */

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [720, 260, 60, 12, 12, 28];
const LINES_MAX = 4;

/**
 * The chart; `null` where the rows have no time or no number.
 *
 * @param {Evidence} evidence
 * @param {(sourceRefIds: string[]) => Node | null} cite
 * @returns {HTMLElement | null}
 */
export function timeseries(evidence, cite) {
  const columns = evidence.columns ?? [];
  const time = columns.findIndex((_, at) => (evidence.rows ?? []).every((row) => !Number.isNaN(timeOf(row.cells[at]))));
  if (time < 0) return null;
  const rows = [...(evidence.rows ?? [])].sort((one, other) => timeOf(one.cells[time]) - timeOf(other.cells[time]));
  const times = rows.map((row) => timeOf(row.cells[time]));
  const lines = columns
    .map((name, at) => ({ name, at }))
    .filter(({ at }) => at !== time && isNumbers(rows, at))
    .slice(0, LINES_MAX)
    .map(({ name, at }) => ({ name, values: rows.map((row) => numberIn(row.cells[at] ?? "")) }));
  if (lines.length === 0 || rows.length < 2 || times[0] === times[times.length - 1]) return null;

  const chart = plot(times, lines);
  const figure = el("figure.chart", null, chart, lines.length > 1 ? legend(lines) : null);
  const numbers = table(evidence, cite);
  const choices = /** @type {const} */ (["Chart", "Table"]).map((name) =>
    el("button.quiet", { type: "button", "aria-pressed": String(name === "Chart"), onclick: () => show(name) }, name));
  const body = el("div", null, figure);
  const show = (/** @type {string} */ name) => {
    for (const choice of choices) choice.setAttribute("aria-pressed", String(choice.textContent === name));
    fill(body, name === "Chart" ? figure : numbers);
  };
  return el("div", null, el("div.choices", { role: "group", "aria-label": "Show as" }, ...choices), body);
}

/** @param {string | undefined} text */
function timeOf(text) {
  return text && /^\d{4}-\d\d(-\d\d|$)/.test(text) ? Date.parse(text) : NaN;
}

/**
 * @param {number[]} times
 * @param {Line[]} lines
 */
function plot(times, lines) {
  const all = lines.flatMap((line) => line.values.filter((value) => value !== null));
  const ticks = scale(Math.min(...all), Math.max(...all));
  const [low, high] = [ticks[0], ticks[ticks.length - 1]];
  const [begin, end] = [times[0], times[times.length - 1]];
  const x = (/** @type {number} */ at) => LEFT + ((at - begin) / (end - begin)) * (WIDTH - LEFT - RIGHT);
  const y = (/** @type {number} */ value) => HEIGHT - BOTTOM - ((value - low) / (high - low || 1)) * (HEIGHT - TOP - BOTTOM);
  const first = lines[0];
  const said = lines.map(({ name, values }) => `${name} from ${short(values.find((it) => it !== null) ?? 0)} to ${short(values.findLast((it) => it !== null) ?? 0)}`);
  const marks = [begin, begin + (end - begin) / 2, end];
  const cursor = svg("g", { class: "cursor" });
  const node = svg(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": `Line chart: ${said.join("; ")}`, class: "plot" },
    ...ticks.flatMap((tick) => [
      svg("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: y(tick), y2: y(tick), class: tick === 0 ? "zero" : "grid" }),
      svg("text", { x: LEFT - 8, y: y(tick) + 4, "text-anchor": "end" }, short(tick)),
    ]),
    ...marks.map((mark, at) => svg("text", { x: x(mark), y: HEIGHT - 8, "text-anchor": ["start", "middle", "end"][at] }, day(mark, end - begin))),
    lines.length === 1 ? svg("path", { class: "area", d: `${path(times, first, x, y)}L${x(end)} ${y(Math.max(low, Math.min(0, high)))}L${x(begin)} ${y(Math.max(low, Math.min(0, high)))}Z` }) : null,
    ...lines.map((line, at) => svg("path", { class: `line line-${at}`, d: path(times, line, x, y) })),
    cursor,
  );
  const point = (/** @type {PointerEvent} */ event) => {
    const box = node.getBoundingClientRect();
    const at = nearest(times, begin + (((event.clientX - box.left) / box.width) * WIDTH - LEFT) / (WIDTH - LEFT - RIGHT) * (end - begin));
    fill(cursor, ...pointed(times[at], lines.map((line) => line.values[at]), x, y));
  };
  node.addEventListener("pointermove", /** @type {EventListener} */ (point));
  node.addEventListener("pointerleave", () => fill(cursor));
  return node;
}

/**
 * @param {number[]} times
 * @param {Line} line
 * @param {(at: number) => number} x
 * @param {(value: number) => number} y
 */
function path(times, line, x, y) {
  let isDown = false;
  return times
    .map((time, at) => {
      const value = line.values[at];
      if (value === null) {
        isDown = false;
        return "";
      }
      const step = `${isDown ? "L" : "M"}${x(time).toFixed(1)} ${y(value).toFixed(1)}`;
      isDown = true;
      return step;
    })
    .join("");
}

/**
 * The place that the pointer is over: a line, dots, and the values in words.
 *
 * @param {number} time
 * @param {(number | null)[]} values
 * @param {(at: number) => number} x
 * @param {(value: number) => number} y
 */
function pointed(time, values, x, y) {
  const known = values.filter((value) => value !== null);
  const text = `${cell(new Date(time).toISOString())}  ${known.map(short).join(" · ")}`;
  const isRight = x(time) > WIDTH / 2;
  return [
    svg("line", { x1: x(time), x2: x(time), y1: TOP, y2: HEIGHT - BOTTOM }),
    ...known.map((value) => svg("circle", { cx: x(time), cy: y(value), r: 3.5 })),
    svg("text", { x: x(time) + (isRight ? -8 : 8), y: TOP + 10, "text-anchor": isRight ? "end" : "start" }, text),
  ];
}

/** @param {Line[]} lines */
function legend(lines) {
  return el("figcaption.keys", null, ...lines.map((line, at) => el("span", { class: `key key-${at}` }, line.name)));
}

/**
 * Round ticks that enclose a range.
 *
 * @param {number} low
 * @param {number} high
 */
export function scale(low, high) {
  const span = high - low || Math.abs(high) || 1;
  const rough = span / 4;
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * unit).find((it) => it >= rough) ?? unit * 10;
  const ticks = [];
  for (let at = Math.floor(low / step); at <= Math.ceil(high / step); at += 1) ticks.push(Number((at * step).toPrecision(12)));
  return ticks.length > 1 ? ticks : [low - step, low, low + step];
}

const SHORT = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 4 });

/** @param {number} value */
function short(value) {
  return SHORT.format(value);
}

/**
 * @param {number} time
 * @param {number} span
 */
function day(time, span) {
  const style = span > 2 * 86_400_000 ? { month: "short", day: "numeric" } : { hour: "2-digit", minute: "2-digit" };
  return new Date(time).toLocaleString("en", /** @type {Intl.DateTimeFormatOptions} */ ({ ...style, timeZone: "UTC" }));
}

/**
 * @param {number[]} times in order
 * @param {number} time
 */
function nearest(times, time) {
  let best = 0;
  for (let at = 1; at < times.length; at += 1) if (Math.abs(times[at] - time) < Math.abs(times[best] - time)) best = at;
  return best;
}

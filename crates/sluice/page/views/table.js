/** A table that sorts by any column; in a ranking the first column of numbers carries bars. */

import { el, fill } from "../lib/dom.js";
import { cell, count, numberIn } from "../lib/format.js";

/**
 * @typedef {import("../chat/turn.js").Evidence} Evidence
 * @typedef {import("../chat/turn.js").Row} Row
 */

/** Rows that are shown until more are asked for. */
const ROWS_SHOWN = 12;

/**
 * @param {Evidence} evidence
 * @param {(sourceRefIds: string[]) => Node | null} cite
 * @returns {HTMLElement}
 */
export function table(evidence, cite) {
  const columns = evidence.columns ?? [];
  const rows = evidence.rows ?? [];
  const isNumeric = columns.map((_, at) => isNumbers(rows, at));
  const bars = evidence.view === "leaderboard" ? isNumeric.findIndex((numeric, at) => numeric && !/^(rank|#)$/i.test(columns[at])) : -1;
  const most = bars < 0 ? 0 : Math.max(...rows.map((row) => Math.abs(numberIn(row.cells[bars] ?? "") ?? 0)));
  const isCited = rows.some((row) => row.sourceRefIds?.length);
  let [sorted, isDown, isAll] = [-1, true, rows.length <= ROWS_SHOWN + 3];

  const head = el("tr");
  const body = el("tbody");
  const more = el("button.quiet", { type: "button", onclick: () => { isAll = true; draw(); } }, `Show all ${count(rows.length, "row")}`);

  const sort = (/** @type {number} */ at) => {
    [sorted, isDown] = sorted === at ? [at, !isDown] : [at, isNumeric[at]];
    draw();
    /** @type {HTMLElement | null} */ (head.children[at]?.querySelector("button"))?.focus();
  };
  const draw = () => {
    fill(
      head,
      ...columns.map((name, at) =>
        name === "" ? el("td") : el(
          "th",
          { scope: "col", "data-side": isNumeric[at] ? "end" : null, "aria-sort": sorted === at ? (isDown ? "descending" : "ascending") : null },
          el("button", { type: "button", onclick: () => sort(at), title: `Sort by ${name}` }, name, el("span.sort", { "aria-hidden": "true" }, sorted === at ? (isDown ? "↓" : "↑") : "")),
        )),
      isCited ? el("th", { scope: "col" }, "Source") : null,
    );
    const ordered = sorted < 0 ? rows : [...rows].sort((one, other) => compare(one, other, sorted) * (isDown ? -1 : 1));
    fill(body, ...ordered.slice(0, isAll ? rows.length : ROWS_SHOWN).map(line));
    more.hidden = isAll;
  };
  const line = (/** @type {Row} */ row) =>
    el(
      "tr",
      { "data-tone": row.tone ?? null, "data-row": row.key },
      ...columns.map((_, at) => {
        const text = row.cells[at] ?? "";
        const share = at === bars && most > 0 ? Math.abs(numberIn(text) ?? 0) / most : 0;
        const value = el("span", null, cell(text));
        return el(at === 0 ? "th" : "td", { scope: at === 0 ? "row" : null, dir: "auto", "data-side": isNumeric[at] ? "end" : null },
          share > 0 ? bar(share, value) : value);
      }),
      isCited ? el("td.cites", null, cite(row.sourceRefIds ?? [])) : null,
    );
  draw();
  return el(
    "div",
    null,
    el("div.scroll", { tabindex: 0, role: "group", "aria-label": `${evidence.title ?? "Evidence"}, table` }, el("table", null, el("thead", null, head), body)),
    more,
  );
}

/**
 * @param {number} share of the longest, from 0 to 1
 * @param {Node} value
 */
function bar(share, value) {
  const node = el("span.bar", null, value);
  // Set through the object model: the page's policy allows no inline styles in markup.
  node.style.setProperty("--share", share.toFixed(4));
  return node;
}

/**
 * Whether every value of a column is a number.
 *
 * @param {Row[]} rows
 * @param {number} at
 */
export function isNumbers(rows, at) {
  const texts = rows.map((row) => row.cells[at] ?? "").filter((text) => text !== "" && text !== "-");
  return texts.length > 0 && texts.every((text) => numberIn(text) !== null);
}

/**
 * @param {Row} one
 * @param {Row} other
 * @param {number} at
 */
function compare(one, other, at) {
  const [a, b] = [one.cells[at] ?? "", other.cells[at] ?? ""];
  const [x, y] = [numberIn(a), numberIn(b)];
  return x !== null && y !== null ? x - y : a.localeCompare(b, undefined, { numeric: true });
}

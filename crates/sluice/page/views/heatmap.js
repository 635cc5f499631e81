/**
 * A heat map: a real table whose cells carry their number and a colour for it. Colours run from low to high over all
 * cells; where values lie on both sides of zero, they part at zero.
 */

import { el } from "../lib/dom.js";
import { cell, numberIn } from "../lib/format.js";
import { isNumbers } from "./table.js";

/** @typedef {import("../chat/turn.js").Evidence} Evidence */

/**
 * @param {Evidence} evidence
 * @param {(sourceRefIds: string[]) => Node | null} cite
 * @returns {HTMLElement}
 */
export function heatmap(evidence, cite) {
  const columns = evidence.columns ?? [];
  const rows = evidence.rows ?? [];
  const isHot = columns.map((_, at) => at > 0 && isNumbers(rows, at));
  const numbers = rows.flatMap((row) => row.cells.filter((_, at) => isHot[at]).map((text) => numberIn(text) ?? 0));
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  const isCited = rows.some((row) => row.sourceRefIds?.length);
  const heat = (/** @type {string} */ text) => {
    const value = numberIn(text);
    if (value === null || high === low) return null;
    if (low < 0 && high > 0) return { sign: value < 0 ? "minus" : "plus", share: Math.abs(value) / Math.max(-low, high) };
    return { sign: "plus", share: (value - low) / (high - low) };
  };
  const square = (/** @type {string} */ text) => {
    const found = heat(text);
    const node = el("td.heat", { "data-sign": found?.sign ?? null, "data-side": "end" }, cell(text));
    if (found) node.style.setProperty("--heat", `${Math.round(found.share * 100)}%`);
    return node;
  };
  return el(
    "div",
    null,
    el(
      "div.scroll",
      { tabindex: 0, role: "group", "aria-label": `${evidence.title ?? "Evidence"}, heat map` },
      el(
        "table.heatmap",
        null,
        el("thead", null, el("tr", null, ...columns.map((name, at) => (name ? el("th", { scope: "col", "data-side": isHot[at] ? "end" : null }, name) : el("td"))), isCited ? el("th", { scope: "col" }, "Source") : null)),
        el(
          "tbody",
          null,
          ...rows.map((row) =>
            el(
              "tr",
              { "data-row": row.key },
              ...columns.map((_, at) =>
                isHot[at] ? square(row.cells[at] ?? "") : el(at === 0 ? "th" : "td", { scope: at === 0 ? "row" : null, dir: "auto" }, cell(row.cells[at] ?? ""))),
              isCited ? el("td.cites", null, cite(row.sourceRefIds ?? [])) : null,
            )),
        ),
      ),
    ),
    numbers.length ? el("p.legend", { "data-parts": low < 0 && high > 0 }, el("span", null, cell(String(low))), el("i", { "aria-hidden": "true" }), el("span", null, cell(String(high)))) : null,
  );
}

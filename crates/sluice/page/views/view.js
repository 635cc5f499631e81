/** What an answer rests on, as a view: its figures, its table or chart, its data to take along. */

import { copy } from "../lib/copy.js";
import { el, fill } from "../lib/dom.js";
import { cell, count } from "../lib/format.js";
import { safeHref } from "../lib/url.js";
import { csv, download } from "./csv.js";
import { table } from "./table.js";

/** @typedef {import("../chat/turn.js").Evidence} Evidence */

const NAMES = { table: "Table", leaderboard: "Ranking", heatmap: "Heat map", timeseries: "Over time" };

/**
 * @param {Evidence} evidence
 * @param {{ isOpen: boolean, cite: (sourceRefIds: string[]) => Node | null }} how
 * @returns {HTMLElement}
 */
export function view(evidence, { isOpen, cite }) {
  const columns = evidence.columns ?? [];
  const rows = evidence.rows ?? [];
  const name = NAMES[/** @type {keyof typeof NAMES} */ (evidence.view)] ?? evidence.label ?? "Table";
  // The server's own stock title says no more than the heading does.
  const title = evidence.title && evidence.title !== "Evidence table" ? evidence.title : "Evidence";
  const text = () => csv(columns, rows.map((row) => row.cells));
  const copying = el("button.quiet", { type: "button", onclick: () => copy(text(), copying) }, "Copy CSV");
  const data = evidence.dataUrl && safeHref(evidence.dataUrl);
  return el(
    "details.view",
    { open: isOpen, "data-view": evidence.view },
    el("summary", null, el("span.view-title", null, title), el("span.view-kind", null, `${name}, ${count(rows.length, "row")}`)),
    evidence.metrics?.length ? metrics(evidence.metrics) : null,
    rows.length ? body(evidence, cite) : null,
    el(
      "div.view-foot",
      null,
      copying,
      el("button.quiet", { type: "button", onclick: () => download(`${fileName(title)}.csv`, text()) }, "Download CSV"),
      data ? el("a.quiet", { href: data, target: "_blank", rel: "noopener" }, "All data") : null,
    ),
  );
}

/**
 * The rows as the view has them. A drawing is loaded once one is needed; where it cannot be, or not drawn, there is the table.
 *
 * @param {Evidence} evidence
 * @param {(sourceRefIds: string[]) => Node | null} cite
 */
function body(evidence, cite) {
  const drawn = drawing(evidence.view);
  if (!drawn) return table(evidence, cite);
  const place = el("div");
  drawn.then((draw) => draw(evidence, cite)).catch(() => null).then((found) => fill(place, found ?? table(evidence, cite)));
  return place;
}

/**
 * @param {string} name
 * @returns {Promise<(evidence: Evidence, cite: (sourceRefIds: string[]) => Node | null) => HTMLElement | null> | null}
 */
function drawing(name) {
  if (name === "heatmap") return import("./heatmap.js").then((it) => it.heatmap);
  if (name === "timeseries") return import("./timeseries.js").then((it) => it.timeseries);
  return null;
}

/** @param {NonNullable<Evidence["metrics"]>} metrics */
function metrics(metrics) {
  return el(
    "dl.metrics",
    null,
    ...metrics.map(({ label, value, tone }) =>
      el("div", { "data-tone": tone ?? null }, el("dt", null, label), el("dd", null, cell(String(value))))),
  );
}

/** @param {string} title */
function fileName(title) {
  return title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-+|-+$/g, "").slice(0, 60) || "evidence";
}

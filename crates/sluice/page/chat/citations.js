/** Citations: chips in the text, and the passage that each leads to. */

import { el, fill } from "../lib/dom.js";
import { ago, cell, moment } from "../lib/format.js";
import { safeHref } from "../lib/url.js";
import { isNumbers } from "../views/table.js";

/**
 * @typedef {import("./turn.js").Turn} Turn
 * @typedef {import("./turn.js").Source} Source
 */

const VALUES_SHOWN = 8;

/** A value that is no longer than this stays on one line. */
const SHORT_CHARS_MAX = 24;

/**
 * The chips for some ordinals; `null` where none of them is a source.
 *
 * @param {Turn} turn
 * @param {number[]} ordinals
 * @returns {Node | null}
 */
export function chips(turn, ordinals) {
  const known = ordinals.map((ordinal) => turn.sources.get(ordinal)).filter((source) => source !== undefined);
  if (known.length === 0 || known.length < ordinals.length) return null;
  return el("span.chips", null, ...known.map((source) => chip(turn, source)));
}

/**
 * The chips for the sources that a row or a side of a conflict names.
 *
 * @param {Turn} turn
 * @param {string[]} ids
 */
export function chipsOf(turn, ids) {
  const known = [...turn.sources.values()].filter((source) => source.sourceRefId && ids.includes(source.sourceRefId));
  return known.length ? el("span.chips", null, ...known.map((source) => chip(turn, source))) : null;
}

/**
 * @param {Turn} turn
 * @param {Source} source
 */
function chip(turn, source) {
  const button = el(
    "button.chip",
    { type: "button", "aria-label": `Source ${source.ordinal}: ${source.title}`, title: source.title, "aria-haspopup": "dialog", onclick: () => open(turn, source.ordinal) },
    String(source.ordinal),
  );
  return button;
}

/**
 * Opens a source's passage; focus goes back to where it came from when it is closed.
 *
 * @param {Turn} turn
 * @param {number} ordinal
 */
export function open(turn, ordinal) {
  const dialog = /** @type {HTMLDialogElement} */ (el("dialog.sheet", { "aria-labelledby": "source-title", onclose: () => dialog.remove() }));
  const show = (/** @type {number} */ at) => {
    const source = turn.sources.get(at);
    if (!source) return;
    fill(dialog, ...passage(turn, source, show, dialog));
    /** @type {HTMLElement | null} */ (dialog.querySelector("h2"))?.focus();
  };
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  document.body.append(dialog);
  dialog.showModal();
  show(ordinal);
}

/**
 * @param {Turn} turn
 * @param {Source} source
 * @param {(ordinal: number) => void} show
 * @param {HTMLDialogElement} dialog
 * @returns {Node[]}
 */
function passage(turn, source, show, dialog) {
  const href = source.url ? safeHref(source.url) : null;
  const ordinals = [...turn.sources.keys()].sort((one, other) => one - other);
  const at = ordinals.indexOf(source.ordinal);
  const path = Array.isArray(source.path) ? source.path.join(" › ") : source.path;
  const step = (/** @type {string} */ name, /** @type {number} */ to) =>
    el("button.quiet", { type: "button", disabled: to < 0 || to >= ordinals.length, onclick: () => show(ordinals[to]) }, name);
  return [
    el("header.sheet-head", null,
      el("h2", { id: "source-title", tabindex: -1, dir: "auto" }, el("span.chip", { "aria-hidden": "true" }, String(source.ordinal)), source.title),
      el("button.close", { type: "button", "aria-label": "Close", onclick: () => dialog.close() }, "×")),
    path ? el("p.crumbs", { dir: "auto" }, path) : null,
    source.quote ? el("blockquote.passage", { dir: "auto" }, source.quote) : values(turn, source),
    el("dl.facts", null,
      fact("From", source.provider),
      fact("By", source.dataset, "code"),
      fact("Observed", source.observedAt && `${moment(source.observedAt)} (${ago(source.observedAt)})`),
      fact("Published", source.publishedAt && moment(source.publishedAt)),
      fact("Note", source.note)),
    el("footer.sheet-foot", null,
      href
        ? el("a.primary", { href, target: "_blank", rel: "noopener noreferrer nofollow" }, "Open the source")
        : turn.evidence.size ? el("button.primary", { type: "button", onclick: () => toEvidence(turn, source, dialog) }, "Show in the evidence") : null,
      ordinals.length > 1 ? el("span.steps-through", null, step("Previous", at - 1), step("Next", at + 1)) : null),
  ].filter((node) => node !== null);
}

/**
 * What the source said, where it is a tool: the rows and values that rest on it.
 *
 * @param {Turn} turn
 * @param {Source} source
 */
function values(turn, source) {
  for (const evidence of turn.evidence.values()) {
    const row = (evidence.rows ?? []).filter((it) => source.sourceRefId && it.sourceRefIds?.includes(source.sourceRefId));
    if (row.length === 0) continue;
    const columns = evidence.columns ?? [];
    const sides = columns.map((_, at) => (isNumbers(row, at) ? "end" : null));
    const rest = row.length - VALUES_SHOWN;
    if (row.length === 1) {
      return el("dl.facts.passage", null, ...columns.map((name, at) => fact(name, cell(row[0].cells[at] ?? ""))));
    }
    return el("div.passage.scroll", { tabindex: 0, role: "group", "aria-label": "Passage" },
      el("table", null,
        el("thead", null, el("tr", null, ...columns.map((name, at) => el("th", { scope: "col", "data-side": sides[at] }, name)))),
        el("tbody", null, ...row.slice(0, VALUES_SHOWN).map((it) => el("tr", null, ...it.cells.map((text, at) => el("td", { dir: "auto", "data-side": sides[at], "data-short": text.length <= SHORT_CHARS_MAX }, cell(text))))))),
      rest > 0 ? el("p.hint", null, `and ${rest} more rows in the evidence`) : null);
  }
  return null;
}

/**
 * @param {string} name
 * @param {string | undefined} text
 * @param {string} [tag]
 */
function fact(name, text, tag) {
  return text ? el("div", null, el("dt", null, name), el("dd", { dir: "auto" }, tag ? el(tag, null, text) : text)) : null;
}

/**
 * Closes the passage and shows where the evidence has it.
 *
 * @param {Turn} turn
 * @param {Source} source
 * @param {HTMLDialogElement} dialog
 */
function toEvidence(turn, source, dialog) {
  dialog.close();
  const place = document.getElementById(`turn-${turn.questionId}`);
  const view = /** @type {HTMLDetailsElement | null} */ (place?.querySelector("details.view"));
  if (!view) return;
  view.open = true;
  const keys = [...turn.evidence.values()].flatMap((it) => it.rows ?? []).filter((row) => source.sourceRefId && row.sourceRefIds?.includes(source.sourceRefId));
  const row = /** @type {HTMLElement | null} */ (keys.length ? view.querySelector(`[data-row="${CSS.escape(keys[0].key)}"]`) : null);
  const target = row ?? view;
  target.scrollIntoView({ block: "center" });
  target.tabIndex = -1;
  target.focus({ preventScroll: true });
  target.classList.add("found");
  setTimeout(() => target.classList.remove("found"), 2500);
}

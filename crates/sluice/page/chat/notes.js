/** What stands beside an answer: what was assumed, what is missing, what sources disagree on, how sure it is. */

import { el } from "../lib/dom.js";
import { ago, count, moment, usd } from "../lib/format.js";
import { chipsOf } from "./citations.js";

/** @typedef {import("./turn.js").Turn} Turn */

/**
 * @param {Turn} turn
 * @param {{ ask: (question: string) => void }} actions
 * @returns {Node[]}
 */
export function notes(turn, actions) {
  const { miss, gaps, conflicts } = turn;
  return [
    miss ? missed(miss, actions) : null,
    conflicts.length ? disagreements(turn) : null,
    gaps.length
      ? el("div.note.gaps", { role: "group", "aria-label": "What is not known" }, el("h3", null, "Not known"), el("ul", null, ...gaps.map((gap) => el("li", { dir: "auto", "data-severity": gap.severity ?? null }, gap.detail))))
      : null,
  ].filter((node) => node !== null);
}

/**
 * What the answer takes for granted: it stands before the answer, since all of it rests on that.
 *
 * @param {Turn} turn
 * @param {{ change: () => void }} actions
 */
export function assumed(turn, actions) {
  const { assumption } = turn;
  if (!assumption) return null;
  return el("p.note.assumed", null,
    el("span", { dir: "auto" }, "Understood as ", el("strong", null, assumption.label), assumption.reason ? `: ${assumption.reason}` : ""),
    " ",
    turn.isOpen ? null : el("button.link", { type: "button", onclick: actions.change }, "Change"));
}

/**
 * @param {import("./turn.js").Miss} miss
 * @param {{ ask: (question: string) => void }} actions
 */
function missed(miss, actions) {
  const missing = miss.missingCapabilities ?? [];
  const rewrites = miss.suggestedRewrites ?? [];
  return el("div.note.miss", { role: "group", "aria-label": "What is missing" },
    missing.length ? [el("h3", null, "What is missing"), el("ul", null, ...missing.map((text) => el("li", { dir: "auto" }, text)))] : null,
    // Suggestions are advice, not questions: they are put into the box, for the reader to make theirs.
    rewrites.length ? [el("h3", null, "What may help"), el("ul", null, ...rewrites.map((text) => el("li", { dir: "auto" }, text)))] : null,
    miss.originalQuery ? el("button.quiet", { type: "button", onclick: () => actions.ask(miss.originalQuery ?? "") }, "Edit the question") : null);
}

/** @param {Turn} turn */
function disagreements(turn) {
  return el("div.note.conflicts", { role: "group", "aria-label": "Where sources disagree" },
    el("h3", null, "Sources disagree"),
    el("ul", null, ...turn.conflicts.map((conflict) =>
      el("li", { dir: "auto" }, conflict.detail,
        conflict.sides?.length
          ? el("ul.sides", null, ...conflict.sides.map((side) => el("li", null, String(side.value), side.sourceRefId ? [" ", chipsOf(turn, [side.sourceRefId])] : null)))
          : null))));
}

const LEVELS = { high: "High confidence", medium: "Medium confidence", low: "Low confidence" };

/**
 * The last line of an answer: how sure it is, how fresh, what it cost.
 *
 * @param {Turn} turn
 * @returns {Node[]}
 */
export function figures(turn) {
  const { confidence, freshness, usage, citationsDropped, outcomeLabel, outcomeTone } = turn.metadata;
  const level = LEVELS[/** @type {keyof typeof LEVELS} */ (confidence?.level)];
  return [
    outcomeLabel && outcomeTone && outcomeTone !== "positive" ? el("span.figure", { "data-tone": outcomeTone }, outcomeLabel) : null,
    level ? el("details.figure", { "data-level": confidence.level }, el("summary", null, level), el("span", { dir: "auto" }, confidence.reason)) : null,
    freshness?.asOf ? el("details.figure", null, el("summary", null, `As of ${ago(freshness.asOf)}`), el("span", { dir: "auto" }, `${moment(freshness.asOf)}. ${freshness.note ?? ""}`)) : null,
    usage && !turn.clarification ? cost(usage) : null,
    citationsDropped > 0 ? el("span.figure", null, `${count(citationsDropped, "unsupported citation")} left out`) : null,
  ].filter((node) => node !== null);
}

/** @param {any} usage */
function cost(usage) {
  const total = usd(usage.costUsd);
  if (!total) return null;
  return el("details.figure", null, el("summary", null, total === "free" ? "No cost" : `Cost ${total}`),
    el("span", null, `Models ${usd(usage.modelCostUsd ?? 0)}, tools ${usd(usage.toolCostUsd ?? 0)}${usage.toolCalls ? ` for ${count(usage.toolCalls, "call")}` : ""}.`));
}

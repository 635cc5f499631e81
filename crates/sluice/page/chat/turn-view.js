/** One turn on the page: its question, its steps, its answer and what stands beside it. Draws only what has changed. */

import { copy } from "../lib/copy.js";
import { el, fill, svg } from "../lib/dom.js";
import { count } from "../lib/format.js";
import { Markdown } from "../lib/markdown.js";
import { view } from "../views/view.js";
import { Card } from "./card.js";
import { chips, chipsOf, open } from "./citations.js";
import { assumed, figures, notes } from "./notes.js";
import { Steps } from "./steps.js";

/**
 * @typedef {import("./turn.js").Turn} Turn
 * @typedef {import("./turn.js").Option} Option
 * @typedef {{ choose: (turn: Turn, option: Option, text: string) => void, change: (turn: Turn) => void, edit: (text: string) => void,
 *   retry: (turn: Turn) => void, vote: (turn: Turn, type: "up" | "down") => void, trace: (turn: Turn) => void }} Actions
 */

/** More sources than these are folded away. */
const SOURCES_SHOWN = 4;

/** A question that is longer than this is set as text, not as a heading. */
const HEADING_CHARS_MAX = 160;

export class TurnView {
  /**
   * @param {Turn} turn
   * @param {Actions} actions
   */
  constructor(turn, actions) {
    this.turn = turn;
    this.actions = actions;
    this.isLast = true;
    this.steps = new Steps();
    this.card = new Card((option, text) => actions.choose(turn, option, text));
    this.assumed = el("div.notes");
    this.text = el("div.answer");
    this.markdown = new Markdown(this.text, (ordinals) => chips(turn, ordinals));
    this.sources = el("div.sources");
    this.evidence = el("div.evidence");
    this.notes = el("div.notes");
    this.fault = el("div.fault", { hidden: true });
    this.figures = el("div.figures");
    this.foot = el("footer.turn-foot");
    const isLong = turn.question.length > HEADING_CHARS_MAX;
    this.node = el(
      "article.turn",
      { id: `turn-${turn.questionId}`, "aria-label": "Question and answer" },
      turn.isChoice ? el("h2.question.choice", { dir: "auto" }, turn.question) : el("h2.question", { dir: "auto", "data-long": isLong }, turn.question),
      this.steps.node, this.assumed, this.text, this.card.node, this.notes, this.evidence, this.sources, this.fault, this.foot,
    );
    this.sourceCount = -1;
    /** Whether the reader has the sources unfolded, once they have said so. @type {boolean | undefined} */
    this.areSourcesOpen = undefined;
  }

  /** @param {boolean} isLast */
  setLast(isLast) {
    if (this.isLast === isLast) return;
    this.isLast = isLast;
    this.turn.touch("clarification", "meta");
  }

  /** Draws what has changed since the last time. */
  draw() {
    const { turn } = this;
    const changed = new Set(turn.changed);
    turn.changed.clear();
    if (changed.size === 0) return;
    this.node.dataset.state = turn.state;
    this.node.setAttribute("aria-busy", String(turn.isOpen));
    if (changed.has("steps") || changed.has("state")) this.steps.draw(turn);
    if (changed.has("sources") && turn.sources.size !== this.sourceCount) {
      this.sourceCount = turn.sources.size;
      if (/\[\d/.test(turn.text)) this.markdown.forget();
      changed.add("text");
    }
    if (changed.has("text")) this.drawText();
    if (changed.has("clarification") || changed.has("state")) this.card.draw(turn, this.isLast);
    if (changed.has("notes") || changed.has("state")) {
      fill(this.assumed, assumed(turn, { change: () => this.actions.change(turn) }));
      fill(this.notes, ...notes(turn, { ask: this.actions.edit }));
    }
    if (changed.has("sources")) this.drawSources();
    if (changed.has("evidence") || (changed.has("state") && turn.evidence.size)) this.drawEvidence();
    if (changed.has("state") || changed.has("meta")) this.drawFoot();
  }

  drawText() {
    const { turn } = this;
    // The card says the question and its options; the text says the same to clients without cards.
    const isSaid = turn.clarification !== null;
    this.text.hidden = isSaid || turn.text === "";
    this.text.dataset.streaming = String(turn.state === "streaming");
    if (!this.text.hidden) this.markdown.draw(turn.text, !turn.isOpen);
  }

  drawSources() {
    const { turn } = this;
    const sources = [...turn.sources.values()].sort((one, other) => one.ordinal - other.ordinal);
    this.sources.hidden = sources.length === 0;
    if (sources.length === 0) return;
    const names = [...new Set(sources.map((source) => source.provider ?? source.title))];
    const line = names.length > 3 ? `${names.slice(0, 3).join(", ")} and ${names.length - 3} more` : names.join(", ");
    fill(this.sources,
      el("details.source-box", { open: this.areSourcesOpen ?? sources.length <= SOURCES_SHOWN },
        el("summary", { onclick: (/** @type {Event} */ event) => { this.areSourcesOpen = !(/** @type {HTMLDetailsElement} */ (/** @type {Element} */ (event.currentTarget).parentNode).open); } }, el("span.view-title", null, count(sources.length, "source")), el("span.view-kind", { dir: "auto" }, line)),
        el("ol.source-list", null, ...sources.map((source) =>
          el("li", null,
            el("button.source", { type: "button", "aria-haspopup": "dialog", onclick: () => open(turn, source.ordinal) },
              el("span.chip", { "aria-hidden": "true" }, String(source.ordinal)),
              el("span", { dir: "auto" }, source.title, source.quote || source.note ? el("span.source-note", null, source.quote || source.note) : null)))))));
  }

  drawEvidence() {
    const { turn } = this;
    // A table that the answer has already does not stand twice; a chart shows more than a table.
    const hasTable = /^\s*\|.*\|\s*$/m.test(turn.text);
    fill(this.evidence, ...[...turn.evidence.values()].filter((it) => it.rows?.length || it.metrics?.length).map((evidence) =>
      view(evidence, {
        isOpen: !hasTable || evidence.view === "timeseries" || evidence.view === "heatmap",
        cite: (ids) => chipsOf(turn, ids),
      })));
  }

  drawFoot() {
    const { turn, actions } = this;
    this.fault.hidden = turn.state !== "failed" && turn.state !== "stopped";
    if (turn.state === "failed") {
      fill(this.fault, el("p", { role: "alert", dir: "auto" }, turn.error || "This answer could not be finished."), el("button.primary", { type: "button", onclick: () => actions.retry(turn) }, "Try again"));
    } else if (turn.state === "stopped") {
      fill(this.fault, el("p", null, "Stopped."), el("button.quiet", { type: "button", onclick: () => actions.retry(turn) }, "Ask again"));
    }
    if (turn.isOpen || turn.state !== "done") return fill(this.foot);
    const copying = el("button.quiet", { type: "button", onclick: () => copy(withSources(turn), copying) }, "Copy");
    const isAnswer = turn.clarification === null;
    const thumb = (/** @type {"up" | "down"} */ type, /** @type {string} */ label) =>
      el("button.quiet.thumb", { type: "button", "aria-pressed": String(turn.vote === type), "aria-label": label, title: label, onclick: () => actions.vote(turn, type) },
        svg("svg", { viewBox: "0 0 20 20", "aria-hidden": "true", class: type }, svg("path", { d: "M6.5 9v8H3.5V9zm0 0 3-6.5c1.3 0 2.1.9 1.9 2.2L11 7.5h4.6c1 0 1.7.9 1.5 1.9l-1.1 6c-.2.9-.9 1.6-1.8 1.6H6.5" })));
    fill(
      this.foot,
      ...figures(turn),
      el("span.actions", null,
        isAnswer ? copying : null,
        this.isLast ? el("button.quiet", { type: "button", onclick: () => actions.retry(turn) }, "Retry") : null,
        turn.trace ? el("button.quiet", { type: "button", "aria-haspopup": "dialog", onclick: () => actions.trace(turn) }, "Trace") : null,
        isAnswer && turn.messageId ? [thumb("up", "Good answer"), thumb("down", "Bad answer")] : null),
    );
  }
}

/**
 * An answer with its sources written out, as it is copied.
 *
 * @param {Turn} turn
 */
export function withSources(turn) {
  const sources = [...turn.sources.values()].sort((one, other) => one.ordinal - other.ordinal);
  const lines = sources.map((it) => `[${it.ordinal}] ${[it.title, it.observedAt && `observed ${it.observedAt}`, it.url].filter(Boolean).join(", ")}`);
  return [turn.question, turn.text, lines.length ? `Sources\n${lines.join("\n")}` : ""].filter(Boolean).join("\n\n");
}

/** The steps of a run: open while they are taken, one line once they are done. */

import { el, fill } from "../lib/dom.js";
import { count, duration } from "../lib/format.js";

/**
 * @typedef {import("./turn.js").Turn} Turn
 * @typedef {import("./turn.js").Step} Step
 * @typedef {import("./turn.js").Call} Call
 */

const CALLS_SHOWN = 30;

export class Steps {
  constructor() {
    this.line = el("span.steps-line");
    this.list = el("ol.steps-list");
    this.node = /** @type {HTMLDetailsElement} */ (
      el("details.steps", { ontoggle: () => { this.isOurs = this.node.open === this.wanted; } }, el("summary", null, el("span.pulse", { "aria-hidden": "true" }), this.line), this.list)
    );
    /** Whether the list is as we left it; a reader's choice is kept. */
    this.isOurs = true;
    this.wanted = false;
  }

  /** @param {Turn} turn */
  draw(turn) {
    const steps = [...turn.steps.values()];
    const calls = [...turn.calls.values()];
    this.node.hidden = steps.length === 0 && calls.length === 0 && !turn.isOpen;
    this.node.dataset.state = turn.isOpen ? "running" : steps.some((step) => step.state === "failed") ? "failed" : "done";
    this.line.textContent = turn.isOpen ? running(turn, steps) : summary(turn, steps, calls);
    if (this.isOurs) {
      this.wanted = turn.isOpen && steps.length > 0;
      this.node.open = this.wanted;
    }
    const own = steps.findLast((step) => step.stage === "execution")?.id ?? steps[steps.length - 1]?.id;
    fill(this.list, ...steps.map((step) => this.step(step, step.id === own ? calls : [])), ...(steps.length === 0 ? calls.map(call) : []));
  }

  /**
   * @param {Step} step
   * @param {Call[]} calls
   */
  step(step, calls) {
    return el(
      "li.step",
      { "data-state": step.state },
      el("span.step-label", null, step.label),
      step.state === "failed" ? el("span.failed", null, " failed") : null,
      step.ms !== undefined && step.state !== "running" ? el("span.step-ms", null, duration(step.ms)) : null,
      step.detail ? el("span.step-detail", { dir: "auto" }, step.detail) : null,
      calls.length ? el("ul.calls", null, ...calls.slice(0, CALLS_SHOWN).map(call), calls.length > CALLS_SHOWN ? el("li.call", null, `and ${calls.length - CALLS_SHOWN} more`) : null) : null,
    );
  }
}

/** @param {Call} it */
function call(it) {
  const [listing, method] = it.name.split(/\/(?=[^/]*$)/);
  return el(
    "li.call",
    { "data-state": it.state },
    el("span", null, listing),
    method ? el("code", null, method) : null,
    it.input && Object.keys(/** @type {object} */ (it.input)).length ? el("code.args", { dir: "ltr" }, JSON.stringify(it.input).slice(0, 300)) : null,
    it.ms !== undefined ? el("span.step-ms", null, duration(it.ms)) : null,
    it.error ? el("span.failed", { dir: "auto" }, it.error) : null,
  );
}

/**
 * @param {Turn} turn
 * @param {Step[]} steps
 */
function running(turn, steps) {
  if (turn.state === "reconnecting") return "Connection lost. Picking it up again…";
  const step = steps.findLast((it) => it.state === "running") ?? steps[steps.length - 1];
  return step ? `${step.label}…` : "Sent…";
}

/**
 * @param {Turn} turn
 * @param {Step[]} steps
 * @param {Call[]} calls
 */
function summary(turn, steps, calls) {
  const ms = turn.metadata.latencyMs;
  const parts = [count(steps.length, "step"), calls.length ? count(calls.length, "tool call") : "no tool was called"];
  const failed = calls.filter((it) => it.state === "failed").length;
  if (failed) parts.push(`${failed} failed`);
  if (ms !== undefined) parts.push(duration(ms));
  return (turn.state === "stopped" ? "Stopped after " : "") + parts.join(" · ");
}

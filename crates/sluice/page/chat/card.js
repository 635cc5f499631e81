/** The question back: options that a digit or a click chooses, one of them recommended. */

import { el, fill } from "../lib/dom.js";
import { say } from "../lib/say.js";

/**
 * @typedef {import("./turn.js").Clarification} Clarification
 * @typedef {import("./turn.js").Option} Option
 * @typedef {import("./turn.js").Turn} Turn
 */

export class Card {
  /** @param {(option: Option, text: string) => void} choose */
  constructor(choose) {
    this.choose = choose;
    this.node = el("section.card", { hidden: true });
    /** @type {Clarification | null} */
    this.shown = null;
  }

  /**
   * @param {Turn} turn
   * @param {boolean} isLast whether an answer is still awaited
   */
  draw(turn, isLast) {
    const card = turn.clarification;
    this.shown = card;
    this.node.hidden = !card;
    if (!card) return;
    const isPending = isLast && !turn.chosen && !turn.isOpen && (card.state ?? "pending") === "pending";
    this.node.dataset.state = isPending ? "pending" : "answered";
    const heading = `q-${card.clarificationId}`.replace(/[^\w-]/g, "");
    this.node.setAttribute("aria-labelledby", heading);
    fill(
      this.node,
      el("h3", { id: heading, dir: "auto" }, card.question),
      el("ol.options", null, ...card.options.map((option, at) => this.option(option, at, turn, isPending))),
      isPending
        ? el("p.hint", null, "Press ", ...digits(card.options.length),
            card.allowFreeform ? ", or say in your own words what you mean." : " to choose.")
        : null,
    );
  }

  /**
   * @param {Option} option
   * @param {number} at
   * @param {Turn} turn
   * @param {boolean} isPending
   */
  option(option, at, turn, isPending) {
    const isChosen = turn.chosen === option.id;
    return el(
      "li",
      null,
      el(
        "button.option",
        { type: "button", disabled: !isPending, "data-chosen": isChosen, onclick: () => this.pick(at) },
        el("span.digit", { "aria-hidden": "true" }, String(option.number ?? at + 1)),
        el(
          "span.option-body",
          null,
          el("span.option-label", { dir: "auto" }, option.label, option.recommended ? el("span.badge", null, "Recommended") : null, isChosen ? el("span.badge.chosen", null, "Chosen") : null),
          option.description ? el("span.option-text", { dir: "auto" }, option.description) : null,
          option.toolName ? el("span.option-tool", null, option.toolName) : null,
        ),
      ),
    );
  }

  /**
   * Chooses the option at a place, where a choice is awaited. True when there was one.
   *
   * @param {number} at
   */
  pick(at) {
    const option = this.shown?.options[at];
    if (!option || this.node.dataset.state !== "pending" || this.node.hidden) return false;
    if (option.resolutionMode === "freeform") this.askFor(option, at);
    else this.send(option, option.label);
    return true;
  }

  /**
   * Asks for the words that an option still needs.
   *
   * @param {Option} option
   * @param {number} at
   */
  askFor(option, at) {
    const item = this.node.querySelectorAll(".options > li")[at];
    const known = item?.querySelector("input");
    if (!item || known) return known?.focus();
    const id = `follow-${at}`;
    const input = /** @type {HTMLInputElement} */ (el("input", { id, type: "text", required: true, maxlength: 500, dir: "auto", autocomplete: "off", enterkeyhint: "send" }));
    item.append(
      el(
        "form.follow-up",
        {
          onsubmit: (/** @type {Event} */ event) => {
            event.preventDefault();
            if (input.value.trim()) this.send(option, input.value.trim());
          },
          onkeydown: (/** @type {KeyboardEvent} */ event) => {
            if (event.key !== "Escape") return;
            event.stopPropagation();
            item.querySelector("form")?.remove();
            item.querySelector("button")?.focus();
          },
        },
        el("label", { for: id, dir: "auto" }, option.followupPrompt ?? "Which one do you mean?"),
        el("div.follow-up-row", null, input, el("button.primary", { type: "submit" }, "Go on")),
      ),
    );
    input.focus();
    say(option.followupPrompt ?? "Which one do you mean?");
  }

  /**
   * @param {Option} option
   * @param {string} text
   */
  send(option, text) {
    this.node.dataset.state = "answered";
    this.choose(option, text);
  }
}

/**
 * The keys that choose: `1`, `1 or 2`, `1 to 3`.
 *
 * @param {number} count
 */
function digits(count) {
  const key = (/** @type {number} */ digit) => el("kbd", null, String(digit));
  return count < 2 ? [key(1)] : [key(1), count === 2 ? " or " : " to ", key(Math.min(9, count))];
}

/** The box that questions are written in. */

import { byId } from "../lib/dom.js";

/** From so many characters before the limit on, what is left is said. */
const SAID_FROM = 200;

export class Composer {
  /** @param {{ send: (text: string) => boolean, stop: () => void }} actions `send` says whether the text was taken */
  constructor({ send, stop }) {
    this.form = /** @type {HTMLFormElement} */ (byId("composer"));
    this.box = /** @type {HTMLTextAreaElement} */ (byId("question"));
    this.button = /** @type {HTMLButtonElement} */ (byId("send"));
    this.left = byId("left");
    this.isRunning = false;
    this.isReady = false;
    this.isAsked = false;
    this.submit = () => {
      const text = this.box.value.trim();
      this.isAsked = !this.isReady;
      if (text && this.isReady && send(text)) this.set("");
    };
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (this.isRunning) stop();
      else this.submit();
    });
    this.box.addEventListener("keydown", (event) => {
      // While a word is being composed, Enter belongs to the input method.
      if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
      event.preventDefault();
      if (!this.isRunning) this.submit();
    });
    this.box.addEventListener("input", () => this.fit());
  }

  /** Takes questions from now on, and first the one that was asked before the page had its thread. */
  ready() {
    this.isReady = true;
    if (this.isAsked) this.submit();
  }

  /** @param {string} text */
  set(text) {
    this.box.value = text;
    this.fit();
  }

  focus() {
    this.box.focus();
    this.box.setSelectionRange(this.box.value.length, this.box.value.length);
  }

  /** @param {boolean} isRunning */
  setRunning(isRunning) {
    this.isRunning = isRunning;
    this.form.dataset.running = String(isRunning);
    this.button.setAttribute("aria-label", isRunning ? "Stop" : "Ask");
    this.button.title = isRunning ? "Stop (Esc)" : "Ask (Enter)";
    this.fit();
  }

  /** As high as its text, and no higher than a third of the window. */
  fit() {
    const { box } = this;
    box.style.height = "auto";
    box.style.height = `${Math.min(box.scrollHeight, Math.max(120, innerHeight / 3))}px`;
    this.button.disabled = !this.isRunning && box.value.trim() === "";
    const left = box.maxLength - box.value.length;
    this.left.textContent = box.maxLength > 0 && left < SAID_FROM ? `${left} characters left` : "";
  }
}

/** What operators may see is asked for with an API key, kept for this tab alone. */

import { json, Refusal } from "../lib/api.js";
import { el, fill } from "../lib/dom.js";

const NAME = "sluice.key";

/**
 * Asks the server with the key of this tab; where none is let in, asks the reader for one, in this place.
 *
 * @param {string} path
 * @param {HTMLElement} place
 * @returns {Promise<any>}
 */
export async function asked(path, place) {
  for (;;) {
    try {
      return await json(path, { headers: { authorization: `Bearer ${kept()}` }, cache: "no-store" });
    } catch (fault) {
      if (!(fault instanceof Refusal) || fault.status !== 401) throw fault;
      await keyFrom(place);
    }
  }
}

/** The key of this tab. A server on loopback without keys of its own takes any. */
function kept() {
  try {
    return sessionStorage.getItem(NAME) ?? "any";
  } catch {
    return "any";
  }
}

/**
 * @param {HTMLElement} place
 * @returns {Promise<void>}
 */
function keyFrom(place) {
  return new Promise((resolve) => {
    const input = /** @type {HTMLInputElement} */ (el("input", { id: "key", type: "password", required: true, autocomplete: "off" }));
    fill(place, el("form.key", {
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        try {
          sessionStorage.setItem(NAME, input.value);
        } catch {
          // Without storage the key is asked for again.
        }
        fill(place);
        resolve();
      },
    }, el("label", { for: "key" }, "This server asks for an API key"), el("div.follow-up-row", null, input, el("button.primary", { type: "submit" }, "Go on"))));
    input.focus();
  });
}

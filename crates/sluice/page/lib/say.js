/** Says changes of state to screen readers, politely, and never the words of an answer as they arrive. */

import { byId } from "./dom.js";

/** @param {string} text */
export function say(text) {
  const region = byId("said");
  // The same words twice are a change too.
  region.textContent = region.textContent === text ? `${text}\u00a0` : text;
}

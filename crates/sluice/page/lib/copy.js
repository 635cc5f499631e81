/** Copies text, also where the page has no secure context. */

import { say } from "./say.js";

/**
 * @param {string} text
 * @param {HTMLElement} button that says that it is done
 */
export async function copy(text, button) {
  const done = await write(text);
  say(done ? "Copied" : "Could not copy");
  const label = button.textContent;
  if (!done || button.dataset.done) return;
  button.dataset.done = "true";
  button.textContent = "Copied";
  setTimeout(() => {
    button.textContent = label;
    delete button.dataset.done;
  }, 1500);
}

/** @param {string} text */
async function write(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    area.className = "off-screen";
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}

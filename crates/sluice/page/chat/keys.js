/** The keyboard: `/` goes to the box, digits choose an option, Escape stops. Never while something is being typed. */

/** @param {import("./chat.js").Chat} chat */
export function keys(chat) {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.querySelector("dialog[open]")) return;
    const target = /** @type {HTMLElement} */ (event.target);
    const isTyping = target.matches?.("input:not([type=checkbox]), textarea, select, [contenteditable]");
    if (event.key === "Escape" && chat.isRunning) {
      event.preventDefault();
      chat.stop();
    } else if (isTyping) {
      return;
    } else if (event.key === "/") {
      event.preventDefault();
      chat.composer.focus();
    } else if (/^[1-9]$/.test(event.key) && chat.pick(Number(event.key) - 1)) {
      event.preventDefault();
    }
  });
}

/** The trace of a run, in a drawer beside the answer. */

import { el } from "../lib/dom.js";
import { timeline } from "../operator/timeline.js";

/** @param {any} trace */
export function openTrace(trace) {
  const dialog = /** @type {HTMLDialogElement} */ (
    el("dialog.sheet.drawer", { "aria-labelledby": "trace-title", onclose: () => dialog.remove() },
      el("header.sheet-head", null,
        el("h2", { id: "trace-title", tabindex: -1, autofocus: true }, "Trace"),
        el("button.close", { type: "button", "aria-label": "Close", onclick: () => dialog.close() }, "×")),
      ...timeline(trace))
  );
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  document.body.append(dialog);
  dialog.showModal();
}

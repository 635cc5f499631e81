/** On paper nothing can be unfolded: evidence and sources are printed open. */
export function printing() {
  /** @type {HTMLDetailsElement[]} */
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("details.view:not([open]), details.source-box:not([open])")].map((it) => /** @type {HTMLDetailsElement} */ (it));
    for (const details of opened) details.open = true;
  });
  addEventListener("afterprint", () => {
    for (const details of opened) details.open = false;
  });
}

/** The side with the history: beside the thread where there is room, over it where there is not. */

import { byId } from "../lib/dom.js";
import { keep, recall } from "../lib/keep.js";

export function side() {
  const button = byId("menu");
  const nav = byId("side");
  const wide = matchMedia("(min-width: 60rem)");
  const show = (/** @type {boolean} */ isOpen) => {
    document.body.dataset.side = isOpen ? "open" : "closed";
    button.setAttribute("aria-expanded", String(isOpen));
  };
  const close = () => {
    show(false);
    button.focus();
  };
  show(wide.matches && recall("side") !== "closed");
  wide.addEventListener("change", () => show(wide.matches && recall("side") !== "closed"));
  button.addEventListener("click", () => {
    const isOpen = document.body.dataset.side !== "open";
    show(isOpen);
    if (wide.matches) keep("side", isOpen ? "open" : "closed");
    else if (isOpen) /** @type {HTMLElement | null} */ (nav.querySelector("a, button"))?.focus();
  });
  nav.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !wide.matches) {
      event.stopPropagation();
      close();
    }
  });
  nav.addEventListener("click", (event) => {
    const link = /** @type {Element} */ (event.target).closest("a.thread");
    if (link && !wide.matches) show(false);
  });
  byId("main").addEventListener("click", () => {
    if (!wide.matches && document.body.dataset.side === "open") show(false);
  });
}

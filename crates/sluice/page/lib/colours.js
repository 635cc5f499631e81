/** The button for light, dark, or what the system has. */

import { byId } from "./dom.js";
import { keep } from "./keep.js";
import { say } from "./say.js";

const NAMES = { light: "light", dark: "dark", system: "as the system has them" };

export function colours() {
  const root = document.documentElement;
  const button = byId("theme");
  const label = () => {
    const name = NAMES[/** @type {keyof typeof NAMES} */ (root.dataset.theme ?? "system")];
    button.title = `Colours: ${name}`;
    button.setAttribute("aria-label", button.title);
  };
  button.addEventListener("click", () => {
    const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
    // From the system's to the other one, then to the system's by name, then back to the system.
    const order = isDark ? ["system", "light", "dark"] : ["system", "dark", "light"];
    const next = order[(order.indexOf(root.dataset.theme ?? "system") + 1) % order.length];
    if (next === "system") delete root.dataset.theme;
    else root.dataset.theme = next;
    keep("theme", next);
    label();
    say(button.title);
  });
  label();
}

/**
 * The chat on another site: `<sluice-chat></sluice-chat>` after
 * `<script type="module" src="https://chat.example.com/embed.mjs"></script>`.
 *
 * A button opens the chat in a frame of its own, so that neither page can read the other. The server shows it to the
 * origins that it was told of (`serve --embed-origin`) and to nobody else. Attributes: `open` (shown at once),
 * `inline` (fills its place, no button), `theme` (`light` or `dark`), `label` (of the button).
 */

const HOME = new URL("./", import.meta.url);

const STYLE = `
  :host { --sluice-accent: #0d5c63; --sluice-accent-ink: #fff; font: 16px/1.4 system-ui, sans-serif; }
  :host([inline]) { display: block; height: 40rem; }
  button { position: fixed; inset: auto 1rem 1rem auto; z-index: 2147483000; min-height: 2.75rem; padding: 0 1.1rem; border: 0;
    border-radius: 1.4rem; background: var(--sluice-accent); color: var(--sluice-accent-ink); font: inherit; font-weight: 600;
    cursor: pointer; box-shadow: 0 4px 18px rgb(0 0 0 / 25%); }
  button:focus-visible { outline: 3px solid var(--sluice-accent); outline-offset: 3px; }
  iframe { border: 0; background: #fff; color-scheme: light dark; }
  :host(:not([inline])) iframe { position: fixed; inset: auto 1rem 4.5rem auto; z-index: 2147483000; width: min(26rem, calc(100vw - 2rem));
    height: min(42rem, calc(100dvh - 6rem)); border-radius: 1rem; box-shadow: 0 8px 40px rgb(0 0 0 / 30%); }
  :host([inline]) iframe { width: 100%; height: 100%; }
  [hidden] { display: none; }
`;

class SluiceChat extends HTMLElement {
  static observedAttributes = ["open"];

  connectedCallback() {
    if (this.shadowRoot) return;
    const root = this.attachShadow({ mode: "open" });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    root.adoptedStyleSheets = [sheet];
    if (!this.hasAttribute("inline")) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = this.getAttribute("label") ?? "Ask a question";
      button.setAttribute("aria-expanded", "false");
      button.addEventListener("click", () => this.toggleAttribute("open"));
      root.append(button);
      this.addEventListener("keydown", (event) => {
        if (event.key === "Escape") this.removeAttribute("open");
      });
    }
    this.show();
  }

  attributeChangedCallback() {
    this.show();
  }

  /** Shows the frame or hides it; it is loaded when it is first shown. */
  show() {
    const root = this.shadowRoot;
    if (!root) return;
    const isShown = this.hasAttribute("inline") || this.hasAttribute("open");
    let frame = root.querySelector("iframe");
    if (isShown && !frame) {
      const address = new URL("?embed", HOME);
      const theme = this.getAttribute("theme");
      if (theme) address.searchParams.set("theme", theme);
      frame = document.createElement("iframe");
      frame.src = address.href;
      frame.title = this.getAttribute("label") ?? "Ask a question";
      frame.allow = "clipboard-write";
      frame.referrerPolicy = "origin";
      root.prepend(frame);
    }
    if (frame) frame.hidden = !isShown;
    root.querySelector("button")?.setAttribute("aria-expanded", String(isShown));
  }
}

if (!customElements.get("sluice-chat")) customElements.define("sluice-chat", SluiceChat);

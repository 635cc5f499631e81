/** The reader's earlier threads. */

import { chatPath, inWords, json } from "../lib/api.js";
import { byId, el, fill } from "../lib/dom.js";
import { ago } from "../lib/format.js";
import { say } from "../lib/say.js";

/** @typedef {{ id: string, title: string, updatedAt?: string, createdAt?: string }} Chat */

const PAGE = 20;

export class History {
  /** @param {{ open: (id: string) => void, forgotten: (id: string | null) => void }} actions `null` where all of them are */
  constructor({ open, forgotten }) {
    this.open = open;
    this.forgotten = forgotten;
    this.list = byId("threads");
    this.foot = byId("threads-foot");
    /** @type {Chat[]} */
    this.chats = [];
    this.hasMore = false;
    this.current = "";
    this.isCertain = false;
    this.list.addEventListener("keydown", (event) => this.step(event));
  }

  async load() {
    try {
      const page = await json(`api/history?limit=${PAGE}`);
      [this.chats, this.hasMore] = [page.chats ?? [], Boolean(page.hasMore)];
    } catch (fault) {
      this.chats = [];
      this.hasMore = false;
    }
    this.draw();
  }

  async more() {
    const last = this.chats[this.chats.length - 1];
    const page = await json(`api/history?limit=${PAGE}&ending_before=${encodeURIComponent(last.id)}`);
    this.chats.push(...(page.chats ?? []));
    this.hasMore = Boolean(page.hasMore);
    this.draw();
  }

  /** @param {string} id */
  mark(id) {
    this.current = id;
    this.draw();
  }

  draw() {
    fill(this.list, ...this.chats.map((chat) => this.line(chat)));
    fill(
      this.foot,
      this.chats.length === 0 ? el("p.hint", null, "What you ask is kept here, for you alone.") : null,
      this.hasMore ? el("button.quiet", { type: "button", onclick: () => this.more().catch((fault) => say(inWords(fault))) }, "Older") : null,
      this.chats.length > 1
        ? el("button.quiet", { type: "button", onclick: () => this.forgetAll(), "data-certain": this.isCertain }, this.isCertain ? "Really delete all?" : "Delete all")
        : null,
    );
  }

  /** @param {Chat} chat */
  line(chat) {
    return el(
      "li",
      null,
      el("a.thread", { href: `#${chat.id}`, dir: "auto", "aria-current": chat.id === this.current ? "page" : null, title: chat.title }, chat.title || "Untitled",
        el("span.thread-time", null, ago(chat.updatedAt ?? chat.createdAt ?? ""))),
      el("button.close.forget", { type: "button", "aria-label": `Delete ${chat.title || "this thread"}`, title: "Delete", onclick: () => this.forget(chat) }, "×"),
    );
  }

  /** @param {Chat} chat */
  async forget(chat) {
    try {
      await json(`api/chat?id=${encodeURIComponent(chat.id)}`, { method: "DELETE" });
    } catch (fault) {
      return say(inWords(fault));
    }
    this.chats = this.chats.filter((it) => it.id !== chat.id);
    this.draw();
    say("Thread deleted");
    this.forgotten(chat.id);
  }

  async forgetAll() {
    if (!this.isCertain) {
      this.isCertain = true;
      this.draw();
      /** @type {HTMLElement | null} */ (this.foot.querySelector("[data-certain]"))?.focus();
      return;
    }
    this.isCertain = false;
    await json("api/history", { method: "DELETE" }).catch((fault) => say(inWords(fault)));
    await this.load();
    say("All threads deleted");
    this.forgotten(null);
  }

  /**
   * The arrows go from thread to thread.
   *
   * @param {KeyboardEvent} event
   */
  step(event) {
    const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    const links = /** @type {HTMLElement[]} */ ([...this.list.querySelectorAll("a.thread")]);
    const at = links.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    if (by === 0 || at < 0) return;
    event.preventDefault();
    links[Math.max(0, Math.min(links.length - 1, at + by))].focus();
  }
}

/**
 * A thread as it is stored.
 *
 * @param {string} id
 */
export function thread(id) {
  return json(chatPath(id), { cache: "no-store" });
}

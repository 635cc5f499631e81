/** What the server says of this reader: limits, what is left, models, and the proof that it may want. */

import { json, Refusal } from "../lib/api.js";
import { byId, el, fill } from "../lib/dom.js";
import { keep, recall } from "../lib/keep.js";

/** @typedef {{ used: number, max: number, resetsAt?: string }} Count */

const isEmbedded = () => document.documentElement.dataset.embed === "true";

export class Session {
  constructor() {
    this.charsMax = 2000;
    this.isReached = false;
    /** Whether the browser does not keep the session. */
    this.isForgotten = false;
    this.documents = false;
    /** @type {any} */
    this.botCheck = null;
    this.select = /** @type {HTMLSelectElement} */ (byId("models"));
  }

  /** The answer model that was chosen; empty for the server's own choice. */
  get model() {
    return this.select.value;
  }

  async load() {
    try {
      const known = () => json("api/session", { cache: "no-store" });
      let session = await known();
      // Once more in a frame on another site, where a browser may keep no cookie: then each request begins a session.
      if (session.begun && isEmbedded()) session = await known();
      this.isForgotten = session.begun === true && isEmbedded();
      this.isReached = true;
      this.charsMax = session.limits?.messageCharsMax ?? this.charsMax;
      this.botCheck = session.botCheck ?? null;
      this.documents = session.documents === true;
      this.take(session.quota);
      this.offer(session.models ?? []);
    } catch (fault) {
      this.isReached = fault instanceof Refusal && fault.status !== 0;
    }
  }

  /** @param {string[]} models */
  offer(models) {
    byId("models-label").hidden = models.length < 2;
    if (models.length < 2) return;
    fill(this.select, el("option", { value: "" }, "Default model"), ...models.map((model) => el("option", { value: model }, model)));
    this.select.value = models.includes(recall("model") ?? "") ? recall("model") ?? "" : "";
    this.select.onchange = () => keep("model", this.select.value);
  }

  /** @param {{ session?: Count, day?: Count } | null | undefined} quota */
  take(quota) {
    if (!quota) return;
    const left = (/** @type {Count | undefined} */ it) => (it ? Math.max(0, it.max - it.used) : Infinity);
    const [inSession, today] = [left(quota.session), left(quota.day)];
    const least = Math.min(inSession, today);
    byId("quota").textContent = Number.isFinite(least) ? `${least} left${today <= inSession ? " today" : ""}` : "";
  }

  /**
   * Does the work with the proof that the server wants; once more where it turns out to want another.
   *
   * @param {(proof: { proof?: unknown }) => Promise<void>} work
   */
  async proven(work) {
    try {
      await work(await this.proof());
    } catch (fault) {
      if (!(fault instanceof Refusal) || fault.status !== 403 || fault.botCheck?.kind !== "proof_of_work") throw fault;
      this.botCheck = fault.botCheck;
      await work(await this.proof());
    }
  }

  async proof() {
    const check = this.botCheck;
    this.botCheck = null;
    if (check?.kind !== "proof_of_work") return {};
    const { prove } = await import("./proof.js");
    return { proof: { challenge: check.challenge, nonce: await prove(check.challenge, check.bits) } };
  }
}

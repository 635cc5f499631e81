/** A thread: sends what is asked, shows what comes back, picks it up again after a reload. */

import { call, chatPath, inWords, Refusal } from "../lib/api.js";
import { byId, el, fill, oncePerFrame } from "../lib/dom.js";
import { newId } from "../lib/id.js";
import { keep, recall } from "../lib/keep.js";
import { say } from "../lib/say.js";
import { Composer } from "./composer.js";
import { ask, resume } from "./connection.js";
import { EXAMPLES } from "./examples.js";
import { History, thread } from "./history.js";
import { Scroll } from "./scroll.js";
import { Session } from "./session.js";
import { TurnView } from "./turn-view.js";
import { Turn, turnsOf } from "./turn.js";

/**
 * @typedef {import("./turn.js").Option} Option
 * @typedef {{ policy?: "return" | "auto", id?: string, clarification?: { clarificationId: string, optionId: string } }} Sending
 */

/** How long a stopped run may take to say that it has ended. */
const STOP_MS_MAX = 3000;

export class Chat {
  constructor() {
    this.id = "";
    /** @type {TurnView[]} */
    this.views = [];
    /** @type {AbortController | null} */
    this.running = null;
    this.session = new Session();
    this.scroll = new Scroll();
    this.turns = byId("turns");
    this.auto = /** @type {HTMLInputElement} */ (byId("auto"));
    this.withTrace = /** @type {HTMLInputElement} */ (byId("with-trace"));
    this.documents = /** @type {HTMLInputElement} */ (byId("documents"));
    this.composer = new Composer({ send: (text) => this.say(text), stop: () => this.stop() });
    this.history = new History({
      open: (id) => this.open(id),
      forgotten: (id) => { if (id === null || id === this.id) this.begin(); },
    });
    this.draw = oncePerFrame(() => this.scroll.keepAtEnd(this.last?.node, () => this.views.forEach((view) => view.draw())));
    for (const [box, name] of /** @type {const} */ ([[this.auto, "auto"], [this.withTrace, "trace"]])) {
      box.checked = recall(name) === "true";
      box.addEventListener("change", () => keep(name, String(box.checked)));
    }
    this.documents.addEventListener("change", () => this.welcome());
  }

  get isRunning() {
    return this.running !== null;
  }

  /** The newest turn. */
  get last() {
    return this.views[this.views.length - 1];
  }

  async start() {
    this.composer.setRunning(false);
    // First, and alone: its answer says who this reader is from now on.
    await this.session.load();
    this.history.load();
    this.composer.box.maxLength = this.session.charsMax;
    await this.open(location.hash.slice(1));
    this.composer.ready();
    if (this.session.isForgotten) this.banner("Your browser keeps no session of this chat on another site, so no question here can follow another. Use the chat on its own page.");
    if (!this.session.isReached) this.banner("The server cannot be reached. Reload the page to try again.");
  }

  /** Begins a new thread. */
  begin() {
    this.leave();
    this.id = "";
    if (location.hash) history.pushState(null, "", location.pathname + location.search);
    this.show([]);
    this.composer.focus();
  }

  /**
   * Opens a stored thread, and picks up its run where one is under way.
   *
   * @param {string} id
   */
  async open(id) {
    if (id === this.id && this.views.length > 0) return;
    if (!/^[\w-]{1,64}$/.test(id)) return this.begin();
    this.leave();
    this.id = id;
    try {
      const stored = await thread(id);
      if (this.id !== id) return;
      this.show(turnsOf(stored.messages ?? [], stored.votes ?? []));
      document.title = `${stored.title || "Thread"} · Sluice`;
      if (stored.running && this.last) await this.pickUp(this.last.turn);
    } catch (fault) {
      if (this.id !== id) return;
      this.begin();
      this.banner(fault instanceof Refusal && fault.status === 404 ? "That thread is not here any more." : inWords(fault));
    }
  }

  /** Lets go of what is under way; the run itself goes on. */
  leave() {
    this.running?.abort();
    this.running = null;
    this.composer.setRunning(false);
    this.banner("");
  }

  /** @param {Turn[]} turns */
  show(turns) {
    this.views = [];
    fill(this.turns);
    turns.forEach((turn) => this.append(turn));
    this.welcome();
    this.history.mark(this.id);
    this.views.forEach((view) => view.draw());
    if (turns.length) this.scroll.toEnd(this.last?.node);
    else scrollTo({ top: 0, behavior: "instant" });
  }

  welcome() {
    const isEmpty = this.views.length === 0;
    byId("welcome").hidden = !isEmpty;
    byId("thread-title").hidden = isEmpty;
    // What a thread is about is said when it begins.
    byId("documents-label").hidden = !isEmpty || !this.session.documents;
    document.body.dataset.empty = String(isEmpty);
    if (!isEmpty) return;
    const isOfDocuments = this.session.documents && this.documents.checked;
    byId("welcome-tools").hidden = isOfDocuments;
    byId("welcome-documents").hidden = !isOfDocuments;
    document.title = "Sluice";
    const hasSamples = document.querySelector('meta[name="samples"]')?.getAttribute("content") === "true";
    const example = (/** @type {typeof EXAMPLES[number]} */ it) =>
      el("li", null, el("button.example", { type: "button", onclick: () => this.say(it.ask) }, el("span.example-ask", null, it.ask), el("span.example-shows", null, it.shows)));
    fill(byId("examples"), ...(hasSamples && !isOfDocuments ? EXAMPLES.map(example) : []));
  }

  /** @param {Turn} turn */
  append(turn) {
    const view = new TurnView(turn, {
      choose: (of, option, text) => this.choose(of, option, text),
      change: (of) => this.again(of, "return"),
      edit: (text) => {
        this.composer.set(text);
        this.composer.focus();
      },
      retry: (of) => this.again(of),
      vote: (of, type) => this.vote(of, type),
      trace: async (of) => (await import("./trace-drawer.js")).openTrace(of.trace),
    });
    this.views.forEach((other) => other.setLast(false));
    this.views.push(view);
    this.turns.append(view.node);
    return view;
  }

  /**
   * Asks what was written. False where it cannot be sent now.
   *
   * @param {string} text
   */
  say(text) {
    if (this.isRunning) {
      say("An answer is still being written.");
      return false;
    }
    this.send(new Turn(newId(), text), {});
    return true;
  }

  /**
   * @param {Turn} turn the one that asked back
   * @param {Option} option
   * @param {string} text
   */
  choose(turn, option, text) {
    if (this.isRunning || !turn.clarification) return;
    turn.chosen = option.id;
    turn.touch("clarification");
    const answer = new Turn(newId(), text);
    answer.isChoice = true;
    // Words of the reader's own say more than the option that they were asked for by, and are taken as they are.
    const isOption = text === option.label;
    this.send(answer, isOption ? { clarification: { clarificationId: turn.clarification.clarificationId, optionId: option.id } } : {});
  }

  /**
   * Chooses an option of the card that waits, by its place.
   *
   * @param {number} at
   */
  pick(at) {
    return this.last?.card.pick(at) ?? false;
  }

  /**
   * Asks a question again, in its place; what came after it goes.
   *
   * @param {Turn} turn
   * @param {"return" | "auto"} [policy]
   * @returns {void}
   */
  again(turn, policy) {
    if (this.isRunning) return;
    const at = this.views.findIndex((view) => view.turn === turn);
    const before = this.views[at - 1]?.turn;
    // What answers a card is nothing without it: the question before it is asked again.
    if (turn.isChoice && before) return this.again(before, policy);
    for (const view of this.views.splice(at)) view.node.remove();
    this.send(new Turn(turn.questionId, turn.question), { policy });
  }

  /**
   * @param {Turn} turn
   * @param {Sending} sending
   */
  async send(turn, { policy, clarification }) {
    if (!this.id) {
      this.id = newId();
      history.pushState(null, "", `#${this.id}`);
    }
    const isOfDocuments = this.views.length === 0 && this.session.documents && this.documents.checked;
    this.banner("");
    this.append(turn);
    this.welcome();
    this.scroll.toEnd(this.last?.node);
    const asked = policy ?? (this.auto.checked ? "auto" : "return");
    const body = {
      id: this.id,
      message: {
        id: turn.questionId,
        role: "user",
        parts: [{ type: "text", text: turn.question }],
        ...(clarification && { metadata: { clarification } }),
      },
      trigger: "submit-message",
      clarificationPolicy: asked,
      includeDeveloperTrace: this.withTrace.checked,
      ...(clarification && { clarification }),
      ...(isOfDocuments && { documents: true }),
      ...(this.session.model && { selectedChatModel: this.session.model }),
    };
    await this.run(turn, (signal) => this.session.proven((proof) => ask(turn, this.id, { ...body, ...proof }, signal, () => this.draw())));
    this.history.load();
  }

  /** @param {Turn} turn */
  async pickUp(turn) {
    turn.state = "reconnecting";
    turn.touch("state", "steps");
    await this.run(turn, async (signal) => {
      if (!(await resume(turn, this.id, signal, () => this.draw()))) throw new Refusal(204, null);
    });
  }

  /**
   * Runs to the end of a turn, whatever the end.
   *
   * @param {Turn} turn
   * @param {(signal: AbortSignal) => Promise<void>} work
   */
  async run(turn, work) {
    const running = new AbortController();
    this.running = running;
    this.composer.setRunning(true);
    say("Working on it");
    this.draw();
    try {
      await work(running.signal);
    } catch (fault) {
      if (!running.signal.aborted) await this.failed(turn, fault);
    }
    if (this.running !== running) return;
    this.running = null;
    if (turn.isOpen) turn.become("done");
    this.composer.setRunning(false);
    this.session.take(turn.metadata.quota);
    this.draw();
    this.told(turn);
  }

  /**
   * A run that cannot be followed any more may have ended well: the thread knows.
   *
   * @param {Turn} turn
   * @param {unknown} fault
   */
  async failed(turn, fault) {
    if (fault instanceof Refusal && fault.status === 204) {
      const stored = await thread(this.id).catch(() => null);
      const found = turnsOf(stored?.messages ?? [], stored?.votes ?? []).find((it) => it.questionId === turn.questionId);
      if (found?.messageId) {
        const message = stored.messages.find((/** @type {any} */ it) => it.id === found.messageId);
        turn.clear();
        return turn.takeMessage(message);
      }
    }
    turn.error = inWords(fault);
    turn.become("failed");
    turn.touch("state");
  }

  /**
   * Says how a turn ended, and goes where the reader is needed.
   *
   * @param {Turn} turn
   */
  told(turn) {
    if (turn.state === "failed") say(turn.error);
    else if (turn.state === "stopped") say("Stopped");
    else if (turn.clarification) say(`A question back: ${turn.clarification.question}`);
    else if (turn.miss) say("No tool at hand can answer this.");
    else say("The answer is ready");
    const isIdle = this.composer.box.value === "" && [document.body, this.composer.box].includes(/** @type {any} */ (document.activeElement));
    if (!turn.clarification || !isIdle) return;
    requestAnimationFrame(() => requestAnimationFrame(() => {
      /** @type {HTMLElement | null | undefined} */ (this.last?.card.node.querySelector(".option"))?.focus({ preventScroll: true });
    }));
  }

  /** Stops the run; what is there stays. */
  async stop() {
    const { running } = this;
    const turn = this.last?.turn;
    if (!running || !turn) return;
    say("Stopping");
    const give = setTimeout(() => {
      if (this.running !== running) return;
      turn.become("stopped");
      running.abort();
    }, STOP_MS_MAX);
    running.signal.addEventListener("abort", () => clearTimeout(give));
    await call(`${chatPath(this.id)}/stop`, { method: "POST", json: turn.runId ? { runId: turn.runId } : {} }).catch(() => {
      turn.become("stopped");
      running.abort();
    });
  }

  /**
   * @param {Turn} turn
   * @param {"up" | "down"} type
   */
  async vote(turn, type) {
    try {
      await call("api/vote", { method: "PATCH", json: { chatId: this.id, messageId: turn.messageId, type } });
      turn.vote = type;
      turn.touch("meta");
      this.draw();
      say("Thank you");
    } catch (fault) {
      say(inWords(fault));
    }
  }

  /** @param {string} text */
  banner(text) {
    const banner = byId("banner");
    banner.hidden = text === "";
    banner.textContent = text;
  }
}


/**
 * One question and what came of it: a plain value that stream chunks and stored parts are taken into. What is not known
 * is left out, so that a newer server never breaks this page.
 *
 * @typedef {{ id: string, stage: string, label: string, state: "running" | "done" | "failed", detail?: string, ms?: number }} Step
 * @typedef {{ id: string, name: string, state: "running" | "done" | "failed", input?: unknown, error?: string, ms?: number, bytes?: number }} Call
 * @typedef {{ ordinal: number, title: string, sourceRefId?: string, provider?: string, dataset?: string, observedAt?: string,
 *   publishedAt?: string, url?: string, note?: string, quote?: string, path?: string[] | string }} Source
 * @typedef {{ key: string, cells: string[], tone?: string, sourceRefIds?: string[] }} Row
 * @typedef {{ view: string, label?: string, title?: string, metrics?: { label: string, value: string, tone?: string }[],
 *   columns?: string[], rows?: Row[], facts?: { id: string, label: string, value: unknown, path?: string }[],
 *   sources?: { id: string, provider?: string, dataset?: string, observedAt?: string, url?: string, note?: string }[],
 *   assumptions?: string[], knownUnknowns?: string[], dataUrl?: string }} Evidence
 * @typedef {{ id: string, number?: number, label: string, description?: string, recommended?: boolean, toolName?: string,
 *   resolutionMode?: string, followupPrompt?: string }} Option
 * @typedef {{ clarificationId: string, question: string, options: Option[], allowFreeform?: boolean, originalQuery?: string,
 *   expiresAt?: string, state?: string }} Clarification
 * @typedef {{ label: string, reason: string, optionId?: string, originalQuery?: string }} Assumption
 * @typedef {{ code?: string, severity?: string, detail: string }} Gap
 * @typedef {{ kind?: string, detail: string, sides?: { sourceRefId?: string, value: unknown }[] }} Conflict
 * @typedef {{ message: string, missingCapabilities?: string[], suggestedRewrites?: string[], originalQuery?: string }} Miss
 * @typedef {Record<string, any>} Metadata
 * @typedef {"waiting" | "streaming" | "reconnecting" | "done" | "stopped" | "failed"} State
 */

/** The sections of a turn that are drawn each on its own. */
export const SECTIONS = /** @type {const} */ ([
  "state", "steps", "text", "sources", "evidence", "notes", "clarification", "trace", "meta",
]);

export class Turn {
  /**
   * @param {string} questionId
   * @param {string} question
   */
  constructor(questionId, question) {
    this.questionId = questionId;
    this.question = question;
    /** Whether the question answers the clarification before it. */
    this.isChoice = false;
    this.messageId = "";
    this.runId = "";
    /** The number of the last event that was taken; a connection that is picked up again begins after it. */
    this.lastEvent = "";
    /** @type {State} */
    this.state = "waiting";
    /** @type {Map<string, Step>} */
    this.steps = new Map();
    /** @type {Map<string, Call>} */
    this.calls = new Map();
    /** @type {Map<string, string>} */
    this.texts = new Map();
    /** @type {Map<number, Source>} */
    this.sources = new Map();
    /** @type {Map<string, Evidence>} */
    this.evidence = new Map();
    /** @type {Gap[]} */
    this.gaps = [];
    /** @type {Conflict[]} */
    this.conflicts = [];
    /** @type {Clarification | null} */
    this.clarification = null;
    /** The option that was chosen, once one was. */
    this.chosen = "";
    /** @type {Assumption | null} */
    this.assumption = null;
    /** @type {Miss | null} */
    this.miss = null;
    /** @type {any} */
    this.trace = null;
    /** @type {Metadata} */
    this.metadata = {};
    this.error = "";
    this.vote = "";
    /** @type {Set<typeof SECTIONS[number]>} */
    this.changed = new Set(SECTIONS);
  }

  /** The answer's words: a text that begins anew takes the place of the one before. */
  get text() {
    return [...this.texts.values()].pop() ?? "";
  }

  /** Whether more of it may come. */
  get isOpen() {
    return this.state === "waiting" || this.state === "streaming" || this.state === "reconnecting";
  }

  /** @param {State} state */
  become(state) {
    if (this.state === state) return;
    this.state = state;
    if (!this.isOpen) for (const step of this.steps.values()) if (step.state === "running") step.state = "done";
    this.touch("state", "steps", "text", "meta");
  }

  /** @param {...(typeof SECTIONS[number])} sections */
  touch(...sections) {
    for (const section of sections) this.changed.add(section);
  }

  /** Begins anew: the whole of the stream will come again. */
  clear() {
    for (const kept of [this.steps, this.calls, this.texts, this.sources, this.evidence]) kept.clear();
    Object.assign(this, { gaps: [], conflicts: [], clarification: null, assumption: null, miss: null, trace: null, error: "" });
    this.touch(...SECTIONS);
  }

  /**
   * Takes a chunk of the stream.
   *
   * @param {any} chunk
   */
  take(chunk) {
    const type = String(chunk?.type ?? "");
    if (this.state === "waiting" || this.state === "reconnecting") this.become("streaming");
    if (type.startsWith("data-")) return this.takeData(type.slice(5), chunk.id, chunk.data);
    if (type.startsWith("tool-")) return this.takeCall(type, chunk);
    switch (type) {
      case "start":
        // A replay from the start says everything again.
        if (this.messageId && this.messageId === chunk.messageId && this.texts.size + this.steps.size > 0) this.clear();
        this.messageId = chunk.messageId ?? this.messageId;
        return this.takeMetadata(chunk.messageMetadata);
      case "text-start":
        this.texts.set(String(chunk.id), "");
        return;
      case "text-delta":
        this.texts.set(String(chunk.id), (this.texts.get(String(chunk.id)) ?? "") + String(chunk.delta ?? ""));
        return this.touch("text");
      case "source-document":
      case "source-url":
        return this.takeSource(chunk);
      case "message-metadata":
      case "finish":
        this.takeMetadata(chunk.messageMetadata);
        if (type === "finish") this.become(this.metadata.outcome === "aborted" ? "stopped" : this.error ? "failed" : "done");
        return;
      case "error":
        this.error = String(chunk.errorText ?? "Something went wrong.");
        return this.become("failed");
      case "abort":
        return this.become("stopped");
      default:
    }
  }

  /**
   * Takes a message as it is stored.
   *
   * @param {{ id: string, parts?: any[], metadata?: Metadata }} message
   */
  takeMessage(message) {
    this.messageId = message.id;
    for (const [place, part] of (message.parts ?? []).entries()) {
      const type = String(part?.type ?? "");
      if (type === "text") this.texts.set(String(place), String(part.text ?? ""));
      else if (type.startsWith("data-")) this.takeData(type.slice(5), part.id, part.data);
      else if (type.startsWith("source-")) this.takeSource(part);
      else if (type === "dynamic-tool") this.takeCall(String(part.state), part);
    }
    this.takeMetadata(message.metadata);
    const { outcome } = this.metadata;
    this.state = outcome === "aborted" ? "stopped" : outcome === "error" ? "failed" : "done";
    if (outcome === "error" && !this.error) this.error = "This answer could not be finished.";
    this.touch(...SECTIONS);
  }

  /** @param {Metadata | undefined} metadata */
  takeMetadata(metadata) {
    if (!metadata) return;
    this.metadata = { ...this.metadata, ...metadata };
    this.runId = this.metadata.runId ?? this.runId;
    this.assumption ??= this.metadata.assumption ?? null;
    this.touch("meta", "notes");
  }

  /**
   * @param {string} name
   * @param {string} id
   * @param {any} data
   */
  takeData(name, id, data) {
    if (!data) return;
    switch (name) {
      case "step":
        this.steps.set(id, { ...data, id });
        return this.touch("steps");
      case "evidence":
        this.evidence.set(id, data);
        return this.touch("evidence", "sources");
      case "assumption":
        this.assumption = data;
        return this.touch("notes");
      case "gaps":
        this.gaps = data.gaps ?? [];
        return this.touch("notes");
      case "conflicts":
        this.conflicts = data.conflicts ?? [];
        return this.touch("notes");
      case "clarification":
        this.clarification = data;
        return this.touch("clarification", "text");
      case "capability-miss":
        this.miss = data;
        return this.touch("notes", "text");
      case "citations":
        for (const it of data.citations ?? []) this.sources.set(it.ordinal, { ...this.sources.get(it.ordinal), ...it });
        return this.touch("sources", "text");
      case "trace":
        this.trace = data.trace ?? data;
        return this.touch("trace");
      default:
    }
  }

  /** @param {any} part */
  takeSource(part) {
    const own = part.providerMetadata?.app ?? {};
    const ordinal = Number(own.ordinal ?? this.sources.size + 1);
    this.sources.set(ordinal, { ...own, ordinal, title: part.title ?? own.title ?? "Source", url: own.url ?? part.url });
    this.touch("sources", "text");
  }

  /**
   * @param {string} state the chunk's type, or the state of a stored part
   * @param {any} part
   */
  takeCall(state, part) {
    const id = String(part.toolCallId);
    const known = this.calls.get(id) ?? { id, name: String(part.toolName ?? ""), state: /** @type {const} */ ("running") };
    const failed = state.endsWith("output-error");
    const done = state.endsWith("output-available");
    this.calls.set(id, {
      ...known,
      name: part.toolName ?? known.name,
      input: part.input ?? known.input,
      state: failed ? "failed" : done ? "done" : known.state,
      error: part.errorText ?? known.error,
      ms: part.output?.ms ?? known.ms,
      bytes: part.output?.bytes ?? known.bytes,
    });
    this.touch("steps");
  }
}

/**
 * The turns of a stored thread.
 *
 * @param {{ id: string, role: string, parts?: any[], metadata?: Metadata }[]} messages
 * @param {{ messageId: string, type: string }[]} votes
 * @returns {Turn[]}
 */
export function turnsOf(messages, votes) {
  /** @type {Turn[]} */
  const turns = [];
  for (const message of messages) {
    const before = turns[turns.length - 1];
    if (message.role === "user") {
      const text = (message.parts ?? []).map((part) => (part?.type === "text" ? part.text : "")).join("\n").trim();
      const turn = new Turn(message.id, text);
      const option = before?.clarification && optionOf(before.clarification, text, message.metadata?.clarification?.optionId);
      if (before && option) {
        before.chosen = option.id;
        turn.isChoice = true;
      }
      turns.push(turn);
    } else if (before && message.role === "assistant") {
      before.takeMessage(message);
      before.vote = votes.find((vote) => vote.messageId === message.id)?.type ?? "";
    }
  }
  return turns;
}

/**
 * The option that a reply means: by its id, its number or its label.
 *
 * @param {Clarification} clarification
 * @param {string} text
 * @param {string} [id]
 */
export function optionOf(clarification, text, id) {
  const said = text.trim().toLowerCase();
  return clarification.options.find(
    (option, at) => option.id === id || option.label.toLowerCase() === said || String(option.number ?? at + 1) === said,
  );
}

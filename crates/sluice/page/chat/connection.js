/** A run's stream: asked for, read to its end, and picked up again where a connection drops. */

import { call, chatPath, Refusal } from "../lib/api.js";
import { events } from "../lib/sse.js";

const TRIES_MAX = 6;
const WAIT_MS_MAX = 8000;

/**
 * Sends a question and takes what comes back into the turn until the run has ended.
 *
 * @param {import("./turn.js").Turn} turn
 * @param {string} thread
 * @param {Record<string, unknown>} body
 * @param {AbortSignal} signal
 * @param {() => void} changed
 */
export async function ask(turn, thread, body, signal, changed) {
  const response = await call("api/chat", { method: "POST", json: body, signal });
  await follow(turn, thread, response, signal, changed);
}

/**
 * Picks up the run of a thread, where there is one. False where there is none.
 *
 * @param {import("./turn.js").Turn} turn
 * @param {string} thread
 * @param {AbortSignal} signal
 * @param {() => void} changed
 * @returns {Promise<boolean>}
 */
export async function resume(turn, thread, signal, changed) {
  const response = await tail(turn, thread, signal);
  if (response.status === 204) return false;
  await follow(turn, thread, response, signal, changed);
  return true;
}

/**
 * @param {import("./turn.js").Turn} turn
 * @param {string} thread
 * @param {Response} response
 * @param {AbortSignal} signal
 * @param {() => void} changed
 */
async function follow(turn, thread, response, signal, changed) {
  let tries = 0;
  for (let current = response; ; ) {
    const before = turn.lastEvent;
    if (await read(turn, current, signal, changed)) return;
    if (turn.lastEvent !== before) tries = 0;
    // The connection dropped; the run goes on without it.
    for (;;) {
      if (signal.aborted) return;
      if (tries >= TRIES_MAX) throw new Refusal(0, { message: "The connection was lost, and could not be picked up again." });
      turn.become("reconnecting");
      changed();
      await pause(Math.min(WAIT_MS_MAX, 250 * 2 ** tries), signal);
      tries += 1;
      try {
        current = await tail(turn, thread, signal);
        break;
      } catch (fault) {
        if (signal.aborted) return;
        if (fault instanceof Refusal && fault.status >= 400 && fault.status < 500 && fault.status !== 429) throw fault;
      }
    }
    if (current.status === 204) throw new Refusal(204, { message: "The run has ended meanwhile." });
  }
}

/**
 * The stream of the thread's run, from the event after the last one that was taken.
 *
 * @param {import("./turn.js").Turn} turn
 * @param {string} thread
 * @param {AbortSignal} signal
 */
function tail(turn, thread, signal) {
  const after = turn.lastEvent ? `?after=${encodeURIComponent(turn.lastEvent)}` : "";
  return call(`${chatPath(thread)}/stream${after}`, { signal, cache: "no-store" });
}

/**
 * Reads a stream. True when it came to its own end.
 *
 * @param {import("./turn.js").Turn} turn
 * @param {Response} response
 * @param {AbortSignal} signal
 * @param {() => void} changed
 */
async function read(turn, response, signal, changed) {
  if (!response.body) return false;
  try {
    for await (const { id, data } of events(response.body)) {
      if (data === "[DONE]") return true;
      take(turn, data);
      if (id) turn.lastEvent = id;
      changed();
    }
  } catch (fault) {
    if (signal.aborted) return true;
    return !turn.isOpen;
  }
  return !turn.isOpen;
}

/**
 * @param {import("./turn.js").Turn} turn
 * @param {string} data
 */
function take(turn, data) {
  try {
    turn.take(JSON.parse(data));
  } catch (fault) {
    // One chunk that cannot be read is no reason to lose the rest.
    console.warn("a chunk was left out", fault);
  }
}

/**
 * @param {number} ms
 * @param {AbortSignal} signal
 * @returns {Promise<void>}
 */
function pause(ms, signal) {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener("online", done);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    // Back on the net: no need to wait any longer.
    addEventListener("online", done);
    signal.addEventListener("abort", done);
  });
}

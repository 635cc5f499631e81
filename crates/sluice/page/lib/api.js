/** The server's routes, and its refusals as errors that say what to do. */

import { server } from "./url.js";

/** A refusal of the server, or a server that cannot be reached. */
export class Refusal extends Error {
  /**
   * @param {number} status 0 where there was no answer
   * @param {any} body
   */
  constructor(status, body) {
    super(typeof body?.message === "string" ? body.message : typeof body?.error === "string" ? body.error : "");
    this.status = status;
    this.code = String(body?.code ?? "");
    this.cause = body?.cause;
    this.limit = String(body?.limit ?? "");
    this.retryAfterSeconds = Number(body?.retryAfterSeconds) || 0;
    this.botCheck = body?.botCheck ?? null;
  }
}

/**
 * Asks the server; throws a `Refusal` for anything but success.
 *
 * @param {string} path
 * @param {RequestInit & { json?: unknown }} [options]
 * @returns {Promise<Response>}
 */
export async function call(path, { json, ...options } = {}) {
  /** @type {RequestInit} */
  const request = { credentials: "same-origin", ...options };
  if (json !== undefined) {
    request.body = JSON.stringify(json);
    request.headers = { "content-type": "application/json", ...request.headers };
  }
  const response = await fetch(server(path), request).catch((fault) => {
    if (fault?.name === "AbortError") throw fault;
    throw new Refusal(0, { message: "The server cannot be reached." });
  });
  if (response.ok) return response;
  const body = await response.json().catch(() => null);
  const refusal = new Refusal(response.status, body);
  refusal.retryAfterSeconds ||= Number(response.headers.get("retry-after")) || 0;
  throw refusal;
}

/**
 * @param {string} path
 * @param {RequestInit & { json?: unknown }} [options]
 * @returns {Promise<any>}
 */
export async function json(path, options) {
  return (await call(path, options)).json();
}

/** @param {string} id */
export const chatPath = (id) => `api/chat/${encodeURIComponent(id)}`;

/**
 * What went wrong, in words for the person who asked.
 *
 * @param {unknown} fault
 * @returns {string}
 */
export function inWords(fault) {
  if (!(fault instanceof Refusal)) return "Something went wrong on this page. Please try again.";
  if (fault.status === 0) return navigator.onLine ? fault.message : "You are offline. The question was kept: try again once you are back.";
  const wait = fault.retryAfterSeconds > 0 ? ` Try again in ${waiting(fault.retryAfterSeconds)}.` : "";
  if (fault.cause === "run_in_progress") return "The answer before this one is still being written. Stop it, or wait for it.";
  if (fault.status === 429) return `${sentence(fault.message) || "That was a lot of questions at once."}${wait}`;
  if (fault.status === 503) return `${sentence(fault.message) || "The server has too much to do."}${wait}`;
  if (fault.status >= 500) return "The server failed. Nothing was lost: try again.";
  return sentence(fault.message) || `The server refused this (${fault.status}).`;
}

/** @param {number} seconds */
function waiting(seconds) {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  if (seconds < 5400) return `${Math.ceil(seconds / 60)} minutes`;
  return `${Math.ceil(seconds / 3600)} hours`;
}

/** @param {string} text */
function sentence(text) {
  if (!text) return "";
  const whole = text[0].toUpperCase() + text.slice(1);
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
}

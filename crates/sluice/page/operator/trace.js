/** One trace: of a job that was asked for with its trace, of the last answer of a thread of this reader's, or as it was recorded. */

import { chatPath, inWords, json, Refusal } from "../lib/api.js";
import { colours } from "../lib/colours.js";
import { byId, el, fill } from "../lib/dom.js";
import { asked } from "./key.js";
import { timeline } from "./timeline.js";

const place = byId("trace");
const id = decodeURIComponent(location.pathname.split("/").pop() ?? "");

colours();
show();

async function show() {
  try {
    const trace = (await ofJob()) ?? (await ofThread()) ?? (await ofRecording());
    if (!trace) return fill(place, el("p.hint", null, "There is no trace under this id: it is the id of a recording, or of a job or a thread of yours that was asked for with its trace."));
    document.title = `Trace ${id} · Sluice`;
    fill(place, trace.query ? el("h2", { dir: "auto" }, trace.query) : null, ...timeline(trace));
  } catch (fault) {
    fill(place, el("p.fault", { role: "alert" }, inWords(fault)));
  }
}

/** @returns {Promise<any>} */
async function ofJob() {
  const job = await asked(`api/v1/query/jobs/${encodeURIComponent(id)}`, place).catch(whereMissing);
  return job?.result?.developerTrace ?? null;
}

/** @returns {Promise<any>} */
async function ofThread() {
  const thread = await json(chatPath(id), { cache: "no-store" }).catch(whereMissing);
  const parts = (thread?.messages ?? []).flatMap((/** @type {any} */ message) => message.parts ?? []);
  return parts.findLast((/** @type {any} */ part) => part.type === "data-trace")?.data?.trace ?? null;
}

/**
 * A recording, as a developer trace has it: what happened, the calls in it, and how long each stage took.
 *
 * @returns {Promise<any>}
 */
async function ofRecording() {
  const recording = await asked(`api/v1/traces/${encodeURIComponent(id)}`, place).catch(whereMissing);
  if (!recording) return null;
  const { requestId, query, calls, failedCalls } = recording.request;
  /** @type {Record<string, number>} */
  const stageTiming = {};
  const events = recording.events.map((/** @type {any} */ { at, event, told }) => {
    const stage = event === "stage-ended" && STAGE_KEYS[told.stage];
    if (stage) stageTiming[stage] = (stageTiming[stage] ?? 0) + told.duration_ms;
    const isCall = event === "call-ended";
    return {
      event, timestampMs: Date.parse(at), status: isCall && told.outcome?.fault ? "error" : "", metadata: isCall ? { ...told, args: told.arguments, durationMs: told.duration_ms } : told,
      ...(isCall && { stepType: "tool-call", tool: { name: told.tool, method: told.method } }),
    };
  });
  return { requestId, query, timeline: events, summary: { toolCalls: calls, failureCount: failedCalls }, diagnostics: { stageTiming } };
}

/** What a developer trace calls the stages. @type {Record<string, string>} */
const STAGE_KEYS = {
  selection: "selectionMs", probe: "scoutMs", judge: "clarificationMs", planning: "planningMs",
  execution: "executionMs", rediscovery: "rediscoveryMs", synthesis: "synthesisMs",
};

/** @param {unknown} fault */
function whereMissing(fault) {
  if (fault instanceof Refusal && (fault.status === 404 || fault.status === 400)) return null;
  throw fault;
}

/** One trace: of a job that was asked for with its trace, or of the last answer of a thread of this reader's. */

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
    const trace = (await ofJob()) ?? (await ofThread());
    if (!trace) return fill(place, el("p.hint", null, "There is no trace under this id: it is the id of a job or of a thread of yours, asked for with its trace."));
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

/** @param {unknown} fault */
function whereMissing(fault) {
  if (fault instanceof Refusal && (fault.status === 404 || fault.status === 400)) return null;
  throw fault;
}

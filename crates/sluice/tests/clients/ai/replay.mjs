// Replays every transcript through the clients of AI SDK 5.0.0, 5.0.277, 6 and 7, and holds the message that each keeps to the
// one that the server keeps. `node replay.mjs TRANSCRIPTS`, where node_modules of package.json are; a line of JSON a check.

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";

const VERSIONS = ["ai-5-0-0", "ai-5", "ai-6", "ai-7"];
const SAID = { text: "What is the tide level?" };

/** The state of a chat without a page around it. */
class PlainState {
  status = "ready";
  error = undefined;
  messages = [];
  pushMessage = (message) => { this.messages = [...this.messages, message]; };
  popMessage = () => { this.messages = this.messages.slice(0, -1); };
  replaceMessage = (index, message) => { this.messages = this.messages.with(index, structuredClone(message)); };
  snapshot = (value) => structuredClone(value);
}

/** What every version keeps alike: no undefined members, and not who runs a tool, which 5.0.0 forgets. */
function plain(message) {
  const { parts, ...rest } = JSON.parse(JSON.stringify(message));
  const alike = parts.map(({ providerExecuted, ...part }) => part);
  return { ...rest, parts: alike };
}

async function replay(version, stream, resumes) {
  const { AbstractChat, DefaultChatTransport } = await import(version);
  const asked = [];
  const fetch = async (url, options) => {
    asked.push([options?.method ?? "GET", url]);
    return new Response(stream, { headers: { "content-type": "text/event-stream" } });
  };
  const transport = new DefaultChatTransport({ api: "http://localhost/api/chat", fetch });
  class Chat extends AbstractChat {}
  const errors = [];
  const chat = new Chat({ id: "t1", transport, state: new PlainState(), onError: (error) => errors.push(error.message) });
  await (resumes ? chat.resumeStream() : chat.sendMessage(SAID));
  return { message: chat.messages.at(-1), errors, status: chat.status, asked };
}

function wrong(name, seen, due) {
  const isError = name.startsWith("error");
  if (isError !== (seen.errors.length === 1) || seen.errors.length > 1) return `errors: ${seen.errors.join("; ")}`;
  if (seen.status !== (isError ? "error" : "ready")) return `status: ${seen.status}`;
  if (!isDeepStrictEqual(plain(seen.message), plain(due))) {
    return `message: ${JSON.stringify(plain(seen.message))} instead of ${JSON.stringify(plain(due))}`;
  }
  return null;
}

const folder = process.argv[2];
const names = readdirSync(folder).filter((file) => file.endsWith(".sse")).map((file) => file.slice(0, -4)).sort();
let failed = names.length === 0;
for (const version of VERSIONS) {
  for (const name of names) {
    const stream = readFileSync(join(folder, `${name}.sse`), "utf8");
    const due = JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8"));
    let detail;
    try {
      detail = wrong(name, await replay(version, stream, name.startsWith("resume")), due);
    } catch (error) {
      detail = String(error);
    }
    failed ||= detail !== null;
    console.log(JSON.stringify({ check: `${version} ${name}`, ok: detail === null, detail }));
  }
}
process.exit(failed ? 1 : 0);

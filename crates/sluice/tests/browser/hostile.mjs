/**
 * An MCP server over stdio whose every word is hostile to a page, and one method that answers when it is let to: when
 * the file that RELEASE names is there.
 */

import { existsSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const CORPUS = JSON.parse(readFileSync(new URL("corpus.json", import.meta.url), "utf8"));
const text = { type: "string" };

const METHODS = [
  {
    name: "get_tide_notes",
    description: `The notes of the harbour's tide gauges. ${CORPUS[0]}`,
    outputSchema: { type: "object", properties: { notes: { type: "array", items: { type: "object", properties: { gauge: text, note: text } } } }, required: ["notes"] },
  },
  {
    name: "get_lighthouse_report",
    description: "The report of the lighthouse, written when it is asked for.",
    outputSchema: { type: "object", properties: { lighthouse: text, report: text }, required: ["lighthouse", "report"] },
  },
].map((method) => ({ ...method, inputSchema: { type: "object", properties: {} }, annotations: { readOnlyHint: true } }));

createInterface({ input: process.stdin }).on("line", async (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result = await answer(method, params);
  const error = { code: -32601, message: "method not found" };
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...(result ? { result } : { error }) })}\n`);
});

async function answer(method, params) {
  switch (method) {
    case "initialize":
      return { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "harbour", version: "1" } };
    case "ping":
      return {};
    case "tools/list":
      return { tools: METHODS };
    case "tools/call":
      return structured(params.name === "get_tide_notes" ? notes() : await report());
    default:
      return null;
  }
}

const notes = () => ({ notes: CORPUS.map((note, at) => ({ gauge: `Gauge ${at + 1}`, note })) });

async function report() {
  while (!existsSync(process.env.RELEASE)) await new Promise((resolve) => setTimeout(resolve, 20));
  return { lighthouse: "North", report: "The light is lit." };
}

const structured = (value) => ({ content: [{ type: "text", text: JSON.stringify(value) }], structuredContent: value });

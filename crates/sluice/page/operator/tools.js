/** The catalog: every listing with its methods, what they take, what they give, whether a query may call them. */

import { inWords } from "../lib/api.js";
import { colours } from "../lib/colours.js";
import { byId, el, fill } from "../lib/dom.js";
import { count, usd } from "../lib/format.js";
import { say } from "../lib/say.js";
import { asked } from "./key.js";

/**
 * @typedef {{ name: string, description?: string, inputSchema?: any, outputSchema?: any, _meta?: Record<string, any> }} Method
 * @typedef {{ id: string, name: string, description?: string, category?: string, price?: string, mcpTools?: Method[] }} Tool
 */

const place = byId("tools");
const box = /** @type {HTMLInputElement} */ (byId("search"));
let latest = 0;
let timer = 0;

colours();
box.value = new URLSearchParams(location.search).get("q") ?? "";
box.addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(show, 200);
});
byId("search-form").addEventListener("submit", (event) => {
  event.preventDefault();
  show();
});
show();

async function show() {
  latest += 1;
  const asking = latest;
  const words = box.value.trim();
  history.replaceState(null, "", words ? `?q=${encodeURIComponent(words)}` : location.pathname);
  try {
    const reply = await asked(`api/v1/tools/search?limit=50${words ? `&q=${encodeURIComponent(words)}` : ""}`, place);
    if (asking !== latest) return;
    const tools = /** @type {Tool[]} */ (reply.tools ?? []);
    const methods = tools.reduce((sum, tool) => sum + (tool.mcpTools?.length ?? 0), 0);
    const line = tools.length ? `${count(tools.length, "listing")} with ${count(methods, "method")}` : "Nothing fits these words.";
    fill(place, el("p.hint", null, line), ...tools.map((tool) => listing(tool, words !== "")));
    say(line);
  } catch (fault) {
    if (asking === latest) fill(place, el("p.fault", { role: "alert" }, inWords(fault)));
  }
}

/**
 * @param {Tool} tool
 * @param {boolean} isSearch whether its methods come best first
 */
function listing(tool, isSearch) {
  const methods = tool.mcpTools ?? [];
  const price = usd(tool.price ?? "");
  return el("section.listing", { "aria-label": tool.name },
    el("h2", { dir: "auto" }, tool.name),
    el("p.listing-line", null, [tool.category, count(methods.length, "method"), price && `${price} a query`].filter(Boolean).join(" · ")),
    tool.description ? el("p", { dir: "auto" }, ...worded(tool.description)) : null,
    el("p.listing-id", null, el("code", null, tool.id)),
    el("div.methods", null, ...methods.map((it, at) => method(it, isSearch && at === 0))));
}

/**
 * @param {Method} it
 * @param {boolean} isOpen
 */
function method(it, isOpen) {
  const meta = it._meta ?? {};
  const inputs = Object.entries(it.inputSchema?.properties ?? {});
  const required = new Set(it.inputSchema?.required ?? []);
  return el("details.method", { open: isOpen },
    el("summary", null, el("code.method-name", null, it.name),
      meta.queryEligible === false ? el("span.badge.off", null, "not in queries") : null,
      meta.latencyClass ? el("span.badge.plain", null, meta.latencyClass) : null,
      el("span.method-text", { dir: "auto" }, ...worded(it.description ?? ""))),
    inputs.length
      ? el("div.scroll", { tabindex: 0, role: "group", "aria-label": `Arguments of ${it.name}` }, el("table", null,
          el("thead", null, el("tr", null, ...["Argument", "Type", "What it is"].map((name) => el("th", { scope: "col" }, name)))),
          el("tbody", null, ...inputs.map(([name, schema]) => argument(name, schema, required.has(name))))))
      : el("p.hint", null, "Takes no arguments."),
    schema("Input schema", it.inputSchema), schema("Output schema", it.outputSchema));
}

/**
 * A description with its names as code, as its publisher marks them.
 *
 * @param {string} text
 */
function worded(text) {
  return text.split(/`([^`]+)`/).map((part, at) => (at % 2 ? el("code", null, part) : part));
}

/**
 * @param {string} name
 * @param {any} schema
 * @param {boolean} isRequired
 */
function argument(name, schema, isRequired) {
  const type = Array.isArray(schema.enum) ? schema.enum.map(String).join(" | ") : [schema.type].flat().filter(Boolean).join(" | ");
  return el("tr", null,
    el("th", { scope: "row" }, el("code", null, name), isRequired ? el("span.required", null, " required") : null),
    el("td", null, el("code", null, type.slice(0, 200)), schema.default !== undefined ? ` default ${JSON.stringify(schema.default)}` : ""),
    el("td", { dir: "auto" }, ...worded(schema.description ?? "")));
}

/**
 * @param {string} name
 * @param {any} schema
 */
function schema(name, schema) {
  return schema
    ? el("details.raw", null, el("summary", null, name), el("pre", { tabindex: 0, dir: "ltr" }, el("code", null, JSON.stringify(schema, null, 2))))
    : null;
}

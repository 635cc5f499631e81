/** Text stays text, wherever it comes from: the question, what a tool said, a document, a trace. */

import { readFileSync } from "node:fs";
import { ask, closed, must, open, same, scripted } from "./support.mjs";

const CORPUS = JSON.parse(readFileSync(new URL("corpus.json", import.meta.url), "utf8"));

/** What of the page is not of the page: elements and addresses that no text may bring in. */
const foreign = (page) => page.evaluate(() => {
  const found = [];
  for (const it of document.querySelectorAll("body *")) {
    if (["SCRIPT", "IFRAME", "OBJECT", "EMBED", "IMG", "STYLE", "BASE", "MATH", "VIDEO", "AUDIO"].includes(it.tagName)) found.push(it.outerHTML.slice(0, 200));
    for (const { name, value } of it.attributes) if (name.startsWith("on")) found.push(`${it.tagName} ${name}=${value}`);
    if (it instanceof HTMLAnchorElement && !["http:", "https:", "mailto:"].includes(it.protocol)) found.push(it.outerHTML);
  }
  if (window.owned !== undefined) found.push(`owned: ${window.owned}`);
  return found;
});

export const hostility = {
  async "a hostile question stays text"({ browser, harbour }) {
    const page = await open(browser, harbour);
    for (const text of CORPUS.slice(0, 8)) {
      await ask(page, text);
      same(await page.locator(".question").last().textContent(), text.trim(), "question");
    }
    await page.reload();
    await page.locator(".turn").first().waitFor();
    same(await foreign(page), [], "foreign");
  },

  async "what a hostile tool says stays text"({ browser, harbour }) {
    const page = await open(browser, harbour);
    await page.getByRole("switch", { name: "Trace" }).check();
    await ask(page, "What are the notes of the harbour's tide gauges?");
    const turn = page.locator(".turn").last();
    await turn.locator("details").evaluateAll((all) => all.forEach((it) => { it.open = true; }));
    const more = turn.getByRole("button", { name: /^Show all/ });
    if (await more.count()) await more.click();
    const shown = await turn.locator(".evidence").evaluate((it) => it.textContent);
    for (const text of CORPUS) must(shown.includes(text), `not shown as text: ${text}`);
    same(await foreign(page), [], "foreign");
    await turn.getByRole("button", { name: "Trace" }).click();
    same(await foreign(page), [], "foreign in the trace");
  },

  async "a hostile document stays text"({ browser, samples }) {
    const page = await open(browser, samples);
    await scripted(page, [
      { type: "start", messageId: "msg_1" },
      ...CORPUS.map((text, at) => ({
        type: "source-document", sourceId: `c_${at}`, mediaType: "text/html", title: text,
        providerMetadata: { app: { ordinal: at + 1, sourceRefId: text, provider: text, dataset: text, quote: text, note: text, path: [text], url: at % 2 ? text : "javascript:window.owned=20" } },
      })),
      { type: "text-start", id: "1" },
      { type: "text-delta", id: "1", delta: CORPUS.map((text, at) => `${text} [${at + 1}]\n\n- ${text}\n\n> ${text}\n\n| ${text} | b |\n|---|---|\n| ${text} | 1 |\n\n\`\`\`html\n${text}\n\`\`\``).join("\n\n") },
      { type: "text-end", id: "1" },
      { type: "data-evidence", id: "e", data: { view: "table", title: CORPUS[0], columns: CORPUS.slice(0, 2), rows: CORPUS.map((text, at) => ({ key: text, cells: [text, text], sourceRefIds: [CORPUS[at]] })), metrics: [{ label: CORPUS[1], value: CORPUS[2] }], dataUrl: "javascript:window.owned=21" } },
      { type: "data-assumption", id: "a", data: { label: CORPUS[0], reason: CORPUS[1] } },
      { type: "data-gaps", id: "g", data: { gaps: CORPUS.map((detail) => ({ detail })) } },
      { type: "data-conflicts", id: "c", data: { conflicts: CORPUS.map((detail) => ({ detail, sides: [{ value: detail }] })) } },
      { type: "data-step", id: "s", data: { stage: CORPUS[0], label: CORPUS[0], detail: CORPUS[1], state: "done", ms: 1 } },
      { type: "data-trace", id: "t", data: { trace: { requestId: CORPUS[0], finalCode: CORPUS.join("\n"), timeline: CORPUS.map((text) => ({ event: text, status: text, message: text, metadata: { text } })) } } },
      { type: "finish", messageMetadata: { outcome: "answer", outcomeLabel: CORPUS[0], outcomeTone: "caution", confidence: { level: "low", reason: CORPUS[1] } } },
    ]);
    await ask(page, "What does the document say?");
    await page.locator(".turn details").evaluateAll((all) => all.forEach((it) => { it.open = true; }));
    same(await foreign(page), [], "foreign");
    for (let at = 0; at < CORPUS.length; at += 1) {
      await page.locator(".source").nth(at).click();
      same(await page.locator("dialog .passage").textContent(), CORPUS[at], "quote");
      same(await foreign(page), [], "foreign in a passage");
      await closed(page);
    }
    await page.getByRole("button", { name: "Trace", exact: true }).last().click();
    same(await foreign(page), [], "foreign in the trace");
  },

  async "what a hostile document of the library says stays text"({ browser, harbour }) {
    const page = await open(browser, harbour);
    await page.getByRole("switch", { name: "Documents" }).check();
    for (let at = 0; at < CORPUS.length; at += 1) {
      const turn = await ask(page, `What does the keeper of gauge ${at} write of the ledger?`);
      same(await turn.getAttribute("data-state"), "done", "state");
      await turn.locator("details").evaluateAll((all) => all.forEach((it) => { it.open = true; }));
      same(await foreign(page), [], "foreign");
      for (const source of await turn.locator(".source").all()) {
        await source.click();
        await page.locator("dialog .passage").waitFor();
        same(await foreign(page), [], "foreign in a passage");
        await closed(page);
      }
    }
  },

  async "a hostile card stays text"({ browser, samples }) {
    const page = await open(browser, samples);
    const options = CORPUS.slice(0, 5).map((text, at) => ({ id: text, number: at + 1, label: text, description: text, toolName: text, recommended: at === 0, resolutionMode: "freeform", followupPrompt: text }));
    await scripted(page, [
      { type: "start", messageId: "msg_1" },
      { type: "data-clarification", id: "c", data: { clarificationId: CORPUS[1], question: CORPUS[0], options, allowFreeform: true } },
      { type: "finish", messageMetadata: { outcome: "clarification_required" } },
    ]);
    await ask(page, "Which one?");
    await page.locator(".option").first().click();
    await page.locator(".follow-up").waitFor();
    same(await foreign(page), [], "foreign");
  },

  async "long hostile text does not hold the page up"({ browser, samples }) {
    const page = await open(browser, samples);
    // Work that grows with the square of the text would take minutes, and the runner's patience ends before that.
    await page.evaluate(async (address) => {
      const { Markdown } = await import(address);
      const texts = ["*a ".repeat(20_000), "[".repeat(20_000), "`".repeat(20_000), "> ".repeat(5_000), "_a*b".repeat(10_000), "- ".repeat(5_000), "|a".repeat(20_000), "# ".repeat(20_000), "[a](".repeat(10_000), "<http://".repeat(5_000)];
      for (const text of texts) new Markdown(document.createElement("div"), () => null).draw(text, true);
    }, await page.evaluate(() => document.querySelector("link[href$='lib/markdown.js']").href));
  },
};

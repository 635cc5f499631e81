/** The way from a question to its sources: by mouse, by keyboard, on a small screen, in the dark. */

import { readFileSync } from "node:fs";
import { ask, closed, ended, must, open, overflow, pick, same, shot, scripted, stumbles } from "./support.mjs";

const AMBIGUOUS = "What is the price of the World Cup market?";
const RANKED = "Which exchanges saw the largest BTC inflows in the last 24 hours?";
const OVER_TIME = "Show the history of BTC flows on Binance over the last 7 days";

export const chat = {
  async "an example is answered, with steps, chips and evidence"({ browser, samples }) {
    const page = await open(browser, samples);
    must((await page.locator(".example").count()) >= 3, "too few examples");
    await shot(page, "empty");
    await page.locator(".example").first().click();
    await ended(page);
    const turn = page.locator(".turn").last();
    same(await turn.getAttribute("data-state"), "done", "state");
    must((await turn.locator(".step").count()) >= 3, "no steps");
    must((await turn.locator(".call").count()) >= 8, "no calls");
    must(!(await turn.locator("details.steps").evaluate((it) => it.open)), "the steps stay open");
    must((await turn.locator(".answer .chip").count()) >= 1, "no chips");
    must((await turn.locator("details.view").count()) >= 1, "no evidence");
    must((await turn.locator(".turn-foot").innerText()).includes("confidence"), "no confidence");
    await shot(page, "answer");
  },

  async "a question that could mean two things becomes a card, then an answer, a chip and its source"({ browser, samples }) {
    const page = await open(browser, samples);
    await ask(page, AMBIGUOUS);
    const card = page.locator(".card[data-state=pending]");
    await card.waitFor();
    same(await card.locator(".badge").allInnerTexts(), ["Recommended"], "badge");
    await shot(page, "card");
    await card.locator(".option", { hasText: "Recommended" }).click();
    await page.waitForFunction(() => document.querySelectorAll(".turn").length === 2);
    await ended(page);
    const answer = page.locator(".turn").last();
    must((await answer.locator(".answer").innerText()).length > 20, "no answer");
    same(await page.locator(".option[data-chosen]").count(), 1, "chosen options");
    const chip = answer.locator(".answer .chip").first();
    await chip.click();
    const sheet = page.locator("dialog.sheet");
    must((await sheet.locator(".passage, .facts").count()) >= 1, "no passage");
    await shot(page, "passage");
    await closed(page);
    must(await chip.evaluate((it) => it === document.activeElement), "focus does not go back to the chip");
    await chip.click();
    await sheet.getByRole("button", { name: "Show in the evidence" }).click();
    must(await page.evaluate(() => document.activeElement?.closest("details.view")?.open === true), "the evidence is not shown");
  },

  async "the reader is not asked back who would rather not be, and may change their mind"({ browser, samples }) {
    const page = await open(browser, samples);
    await page.getByRole("switch", { name: "Choose for me" }).check();
    await ask(page, AMBIGUOUS);
    const assumed = page.locator(".assumed");
    must((await assumed.innerText()).startsWith("Understood as"), "no assumption");
    const [before, answer] = [await assumed.boundingBox(), await page.locator(".answer").boundingBox()];
    must(before && answer && before.y < answer.y, "the assumption stands after the answer");
    await shot(page, "assumed");
    await assumed.getByRole("button", { name: "Change" }).click();
    await page.locator(".card[data-state=pending]").waitFor();
    same(await page.locator(".turn").count(), 1, "turns");
  },

  async "everything is reached by keyboard"({ browser, samples }) {
    const page = await open(browser, samples);
    await page.locator("body").click({ position: { x: 640, y: 700 } });
    await page.evaluate(() => document.activeElement?.blur());
    await page.keyboard.press("/");
    must(await page.evaluate(() => document.activeElement?.id === "question"), "`/` does not go to the box");
    await page.keyboard.type("one");
    await page.keyboard.press("Shift+Enter");
    await page.keyboard.type("/ two");
    same(await page.inputValue("#question"), "one\n/ two", "the box");
    await page.fill("#question", AMBIGUOUS);
    await page.keyboard.press("Enter");
    await page.locator(".card[data-state=pending]").waitFor();
    await pick(page, "1");
    const chip = page.locator(".turn").last().locator(".answer .chip").first();
    await chip.focus();
    await page.keyboard.press("Enter");
    await page.locator("dialog.sheet").waitFor();
    await closed(page);
  },

  async "while a word is being composed Enter is not ours"({ browser, samples }) {
    const page = await open(browser, samples);
    await page.fill("#question", "にほ");
    await page.locator("#question").dispatchEvent("keydown", { key: "Enter", isComposing: true });
    same(await page.locator(".turn").count(), 0, "turns");
  },

  async "an option that needs words asks for them"({ browser, samples }) {
    const page = await open(browser, samples);
    await ask(page, AMBIGUOUS);
    const option = page.locator(".option:not(:has(.badge))").first();
    await option.click();
    const input = page.locator(".follow-up input");
    await page.waitForFunction(() => document.querySelector(".follow-up input") || document.querySelectorAll(".turn").length === 2);
    if (await input.count()) {
      await shot(page, "follow-up");
      await input.fill("Brazil");
      await page.keyboard.press("Enter");
    }
    await page.waitForFunction(() => document.querySelectorAll(".turn").length === 2);
    await ended(page);
    same(await page.locator(".turn").last().getAttribute("data-state"), "done", "state");
  },

  async "evidence is taken along as CSV"({ browser, samples }) {
    const page = await open(browser, samples);
    await ask(page, RANKED);
    await page.locator("details.view > summary").click();
    await page.getByRole("button", { name: "Copy CSV" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    must(copied.split("\r\n").length >= 9, `too few lines: ${copied}`);
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download CSV" }).click()]);
    same(readFileSync(await download.path(), "utf8").replace(/^\ufeff/, ""), copied, "the file");
    await page.locator("details.view thead button").nth(1).click();
    must((await page.locator("details.view thead th[aria-sort]").count()) === 1, "not sorted");
    await page.getByRole("button", { name: "Copy", exact: true }).click();
    await page.waitForFunction(async () => (await navigator.clipboard.readText()).includes("Sources\n[1]"));
    await shot(page, "ranking");
  },

  async "a series is drawn, and its numbers stand in a table"({ browser, samples }) {
    const page = await open(browser, samples, { dark: true, height: 1100 });
    await ask(page, OVER_TIME);
    await page.locator("svg.plot path.line").first().waitFor();
    await shot(page, "series-dark");
    await page.getByRole("button", { name: "Table" }).click();
    await page.waitForFunction(() => document.querySelectorAll("details.view tbody tr").length >= 10);
  },

  async "a heat map is a table with colours, and conflicts and gaps are said"({ browser, samples }) {
    const page = await open(browser, samples);
    await scripted(page, EVERYTHING);
    await ask(page, "Everything at once");
    await page.locator("table.heatmap td.heat").first().waitFor();
    same(await page.locator("table.heatmap td.heat").count(), 6, "cells");
    const colours = await page.locator("td.heat").evaluateAll((cells) => cells.map((cell) => getComputedStyle(cell).backgroundColor));
    must(new Set(colours).size >= 4, `too few colours: ${colours}`);
    must((await page.locator(".conflicts").innerText()).includes("Two sources"), "no conflict");
    must((await page.locator(".gaps").innerText()).includes("No figure for March"), "no gap");
    same(await page.locator(".answer a").getAttribute("href"), "https://example.org/", "link");
    await page.locator(".answer .chip").first().click();
    must((await page.locator("dialog .passage").innerText()).includes("forty-two"), "no quote");
    same(await page.locator("dialog a.primary").getAttribute("href"), "https://example.org/report", "source");
    await closed(page);
    await shot(page, "heatmap");
    same(await stumbles(page), [], "axe");
  },

  async "documents answer with their passages, and say where they disagree"({ browser, samples }) {
    const page = await open(browser, samples);
    await page.getByRole("switch", { name: "Documents" }).check();
    must((await page.locator("#welcome").innerText()).includes("documents are asked"), "the beginning does not speak of documents");
    same(await page.locator(".example").count(), 0, "examples for tools");
    await shot(page, "documents-empty");
    const turn = await ask(page, "When does a session expire?");
    same(await turn.getAttribute("data-state"), "done", "state");
    must(!(await page.getByRole("switch", { name: "Documents" }).isVisible()), "the switch is there after the beginning");
    must((await turn.locator(".call").count()) >= 2, "no moves");
    must((await turn.locator(".conflicts").innerText()).includes("60 minutes"), "no conflict");
    must((await turn.locator(".conflicts .chip").count()) >= 1, "no chip at the side of a conflict");
    await shot(page, "documents");
    await turn.locator(".answer .chip").first().click();
    must((await page.locator("dialog .passage").innerText()).includes("A session expires"), "no quote");
    same(await page.locator("dialog .primary").count(), 0, "a way to evidence that is not there");
    await shot(page, "documents-passage");
    await closed(page);
    await ask(page, "Can it be renewed?");
    must((await page.locator(".turn").last().locator(".answer").innerText()).includes("renewed"), "no second answer");
    same(await stumbles(page), [], "axe");
    await ask(page, "Who painted the ceiling of the chapel?");
    must((await page.locator(".turn").last().locator(".answer .chip").count()) === 0, "an answer from nowhere");
    await shot(page, "documents-miss");
  },

  async "history opens, continues after a reload, and is deleted"({ browser, samples }) {
    const page = await open(browser, samples);
    await ask(page, RANKED);
    const answer = await page.locator(".answer").innerText();
    await page.reload();
    await page.locator(".turn[data-state=done]").waitFor();
    same(await page.locator(".answer").innerText(), answer, "the answer after a reload");
    must((await page.locator(".answer .chip").count()) >= 1, "no chips after a reload");
    await page.getByRole("button", { name: "New question" }).click();
    same(await page.locator(".turn").count(), 0, "turns of a new thread");
    await page.locator("a.thread").first().click();
    await page.locator(".turn[data-state=done]").waitFor();
    await page.getByRole("button", { name: "Good answer" }).click();
    await page.locator(".thumb[aria-pressed=true]").waitFor();
    await page.locator("a.thread").first().hover();
    await page.locator(".forget").first().click();
    await page.waitForFunction(() => document.querySelectorAll("a.thread, .turn").length === 0);
  },

  async "a retry takes the place of the answer"({ browser, samples }) {
    const page = await open(browser, samples);
    await ask(page, RANKED);
    await page.getByRole("button", { name: "Retry" }).click();
    await page.locator(".turn[aria-busy=true]").waitFor({ state: "detached" });
    await ended(page);
    same(await page.locator(".turn").count(), 1, "turns");
    await page.reload();
    await page.locator(".turn[data-state=done]").waitFor();
    same(await page.locator(".turn").count(), 1, "turns after a reload");
  },

  async "360 pixels are enough, in light and dark"({ browser, samples }) {
    for (const dark of [false, true]) {
      const page = await open(browser, samples, { width: 360, height: 740, dark });
      same(await overflow(page), 0, "overflow of the empty page");
      same(await page.evaluate(() => scrollY), 0, "where the empty page begins");
      await shot(page, `small-empty${dark ? "-dark" : ""}`);
      await ask(page, AMBIGUOUS);
      same(await overflow(page), 0, "overflow of the card");
      await shot(page, `small-card${dark ? "-dark" : ""}`);
      await pick(page, "1");
      await ask(page, RANKED);
      same(await overflow(page), 0, "overflow of an answer");
      await page.locator(".turn").last().locator("details.view > summary").click();
      same(await overflow(page), 0, "overflow of the evidence");
      await shot(page, `small-answer${dark ? "-dark" : ""}`);
      await page.getByRole("button", { name: "History" }).click();
      await shot(page, `small-history${dark ? "-dark" : ""}`);
      await page.keyboard.press("Escape");
      await page.locator("#side").waitFor({ state: "hidden" });
      const small = await page.locator("button:visible, a:visible, summary:visible, input:visible").evaluateAll((all) =>
        all.filter((it) => !it.closest(".answer p, .skip, p, .off-screen") && !it.matches(".skip")).map((it) => ({ it: it.outerHTML.slice(0, 80), box: it.getBoundingClientRect() }))
          .filter(({ box }) => Math.min(box.width, box.height) < 24 && box.width > 0 && !(box.height < 24 && box.width < 29 && box.height < 18)).map(({ it, box }) => `${it} ${Math.round(box.width)}x${Math.round(box.height)}`));
      same(small, [], "targets under 24 pixels");
    }
  },

  async "axe finds nothing, in light and dark"({ browser, samples }) {
    for (const dark of [false, true]) {
      const page = await open(browser, samples, { dark });
      same(await stumbles(page), [], "the empty page");
      await page.getByRole("switch", { name: "Trace" }).check();
      await ask(page, AMBIGUOUS);
      same(await stumbles(page), [], "a card");
      await pick(page, "1");
      await ask(page, RANKED);
      await page.locator(".turn").last().locator("details.view > summary").click();
      await page.locator(".turn").last().locator("details.steps > summary").click();
      same(await stumbles(page), [], "an answer");
      await page.locator(".turn").last().locator(".answer .chip").first().click();
      same(await stumbles(page), [], "a passage");
      await closed(page);
      await page.locator(".turn").last().getByRole("button", { name: "Trace" }).click();
      await page.locator("dialog .gantt").waitFor();
      must((await page.locator("dialog .gantt tr[data-kind=call]").count()) >= 8, "no calls in the trace");
      same(await stumbles(page), [], "a trace");
      await shot(page, `trace${dark ? "-dark" : ""}`);
    }
  },

  async "screen readers hear changes of state, and no words of an answer"({ browser, samples }) {
    const page = await open(browser, samples);
    await page.evaluate(() => {
      window.heard = [];
      new MutationObserver(() => window.heard.push(document.getElementById("said").textContent)).observe(document.getElementById("said"), { childList: true, characterData: true, subtree: true });
    });
    await ask(page, RANKED);
    await page.waitForFunction(() => window.heard.includes("The answer is ready"));
    same(await page.evaluate(() => [...new Set(window.heard)]), ["Working on it", "The answer is ready"], "said");
    same(await page.locator(".turn [aria-live]").count(), 0, "live regions in a turn");
  },

  async "on paper there is the answer and nothing to press"({ browser, samples }) {
    const page = await open(browser, samples);
    await ask(page, RANKED);
    await page.emulateMedia({ media: "print" });
    for (const gone of [".dock", ".top", ".actions"]) must(!(await page.locator(gone).first().isVisible()), `${gone} is printed`);
    must(await page.locator(".answer").isVisible(), "no answer on paper");
  },

  async "right to left and long words fit"({ browser, samples }) {
    const page = await open(browser, samples, { width: 360, height: 740 });
    await scripted(page, [
      { type: "start", messageId: "msg_1" },
      { type: "text-start", id: "1" },
      { type: "text-delta", id: "1", delta: `مرحبا بالعالم\n\n${"Donaudampfschiff".repeat(20)}\n\n| ${"wide ".repeat(40)} | b |\n|---|---|\n| 1 | 2 |` },
      { type: "text-end", id: "1" },
      { type: "finish", messageMetadata: { outcome: "answer" } },
    ]);
    await ask(page, `مرحبا ${"w".repeat(300)}`);
    same(await overflow(page), 0, "overflow");
    same(await page.locator(".answer p").first().evaluate((it) => getComputedStyle(it).direction), "rtl", "direction");
  },
};

const source = { ordinal: 1, sourceRefId: "s1", provider: "Report", dataset: "Chapter 3", quote: "It was forty-two.", url: "https://example.org/report" };

const EVERYTHING = [
  { type: "start", messageId: "msg_1", messageMetadata: { runId: "run_1", threadId: "t" } },
  { type: "a-type-of-the-future", anything: true },
  { type: "source-document", sourceId: "c_1", mediaType: "text/markdown", title: "Report", providerMetadata: { app: source } },
  { type: "text-start", id: "1" },
  { type: "text-delta", id: "1", delta: "It is **forty-two** [1], as [they say](https://example.org/)." },
  { type: "text-end", id: "1" },
  {
    type: "data-evidence", id: "evidence-1",
    data: { view: "heatmap", label: "Heat map", title: "Rates", columns: ["", "A", "B", "C"], rows: [
      { key: "1", cells: ["x", "-3", "0.5", "7"], sourceRefIds: ["s1"] }, { key: "2", cells: ["y", "1", "2", "-1"], sourceRefIds: ["s1"] },
    ] },
  },
  { type: "data-gaps", id: "gaps", data: { gaps: [{ code: "x", severity: "medium", detail: "No figure for March." }] } },
  { type: "data-conflicts", id: "conflicts", data: { conflicts: [{ kind: "number", detail: "Two sources disagree.", sides: [{ sourceRefId: "s1", value: 42 }, { value: 43 }] }] } },
  { type: "finish", messageMetadata: { outcome: "answer", latencyMs: 12, usage: { costUsd: "0.001", modelCostUsd: "0", toolCostUsd: "0.001", toolCalls: 1 }, confidence: { level: "medium", reason: "One gap." } } },
];

/**
 * A page with `useChat` of each major of the AI SDK, in a browser, against the running binary: it sends, clarifies, resumes
 * after a reload and stops. Prints a line of JSON for each check, as `../run.mjs` does. Takes the address of a server with
 * the samples and of one whose lighthouse reports when it is let to.
 */

import { createRequire } from "node:module";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { launch, must, same } from "../support.mjs";

const CLIENTS = process.env.USECHAT_PACKAGES;
const { RELEASE } = process.env;
const HELD = "What is the report of the lighthouse?";
const { build } = createRequire(join(CLIENTS, "package.json"))("esbuild");

const [samples, lighthouse] = process.argv.slice(2);
const browser = await launch();
let isWell = true;
for (const major of [5, 6, 7]) {
  const script = await bundle(major);
  for (const [check, run] of Object.entries({ sends, clarifies, resumes, stops })) {
    const context = await browser.newContext();
    const detail = await run(await opened(context, script, check)).then(() => null, (error) => String(error.stack).slice(0, 1500));
    isWell &&= detail === null;
    console.log(JSON.stringify({ check: `useChat of ${major} ${check}`, ok: detail === null, detail }));
    await context.close();
  }
}
await browser.close();
process.exit(isWell ? 0 : 1);

async function bundle(major) {
  const built = await build({
    entryPoints: [new URL("page.mjs", import.meta.url).pathname],
    bundle: true, write: false, format: "esm", logLevel: "error", nodePaths: [join(CLIENTS, "node_modules")],
    alias: { "@ai-sdk/react": `react-${major}` },
    define: { "process.env.NODE_ENV": '"production"' },
  });
  return built.outputFiles[0].text;
}

/** The page, served from the server's own address, as an application beside it would be. */
async function opened(context, script, check) {
  const page = await context.newPage();
  await context.route("**/application*", (route) => {
    const isScript = new URL(route.request().url()).pathname.endsWith(".js");
    const html = '<!doctype html><title>useChat</title><script type="module" src="/application.js"></script>';
    return route.fulfill({ contentType: isScript ? "text/javascript" : "text/html", body: isScript ? script : html });
  });
  const base = check === "resumes" || check === "stops" ? lighthouse : samples;
  await page.goto(`${base}/application?id=${check}`);
  await page.locator("#page").waitFor();
  return page;
}

async function ask(page, text) {
  await page.fill("#question", text);
  await page.click("#send");
  await page.waitForFunction((text) => [...document.querySelectorAll("article[data-role=user]")].some((it) => it.textContent === text), text);
}

/** Waits until the last question has its answer; nothing may have been refused on the way. */
async function answered(page, count) {
  await page.waitForFunction((count) => {
    const { status } = document.querySelector("#page").dataset;
    const answers = document.querySelectorAll("article[data-role=assistant]");
    return status === "error" || (status === "ready" && answers.length === count);
  }, count);
  same(await page.locator("#page").getAttribute("data-error"), "", "error");
  const last = page.locator("article").last();
  same(await last.getAttribute("data-role"), "assistant", "who speaks last");
  return { text: await last.textContent(), parts: (await last.getAttribute("data-parts")).split(" ") };
}

async function sends(page) {
  await ask(page, "Which exchanges saw the largest BTC inflows in the last 24 hours?");
  const { text, parts } = await answered(page, 1);
  must(text.includes("[1]"), `no citation: ${text}`);
  for (const kind of ["dynamic-tool", "data-step", "source-document", "data-evidence", "data-citations"]) must(parts.includes(kind), `no ${kind}`);
}

async function clarifies(page) {
  await ask(page, "What is the price of the World Cup market?");
  const asked = await answered(page, 1);
  must(asked.parts.includes("data-clarification") && asked.text.includes("1."), asked);
  await ask(page, "1");
  const { text, parts } = await answered(page, 2);
  must(!parts.includes("data-clarification") && text.length > 20, text);
}

async function resumes(page) {
  rmSync(RELEASE, { force: true });
  await ask(page, HELD);
  await called(page);
  await page.reload();
  await called(page);
  writeFileSync(RELEASE, "");
  const { text } = await answered(page, 1);
  must(text.includes("The light is lit"), text);
  same(text.split("The light is lit").length, 2, "times that it is said");
}

async function stops(page) {
  rmSync(RELEASE, { force: true });
  await ask(page, HELD);
  await called(page);
  await page.click("#stop");
  await page.waitForFunction(() => document.querySelector("#page").dataset.status === "ready");
  // The run is over on the server too, and is not come back to.
  const kept = await page.evaluate(async () => {
    for (;;) {
      const thread = await (await fetch("/api/chat/stops")).json();
      if (!thread.running) return thread.messages.at(-1).metadata.outcome;
    }
  });
  same(kept, "aborted", "outcome");
  same(await page.evaluate(async () => (await fetch("/api/chat/stops/stream")).status), 204, "what is left to resume");
}

/** Waits until the question's call is under way: nothing ends it but the file, or a stop. */
function called(page) {
  return page.locator("article[data-role=assistant][data-parts*=dynamic-tool]").waitFor({ state: "attached" });
}

/** A browser that keeps watch: what a page complains of, what breaks its policy, what a screen reader would stumble over. */

import { createRequire } from "node:module";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { createServer, request } from "node:http";
import { join, resolve } from "node:path";

const packages = createRequire(resolve(process.env.NODE_PACKAGES, "package.json"));
const { chromium } = packages("playwright-core");
const AXE = readFileSync(packages.resolve("axe-core/axe.min.js"), "utf8");
const SHOTS = process.env.SCREENSHOTS;

/** Said by the browser whenever a check asks for a refusal. */
const EXPECTED = /the server responded with a status of (401|403|404|429)|net::ERR_|ERR_INCOMPLETE/;

export const launch = (args = []) => chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox", ...args] });

/** Runs checks, each in contexts of its own, and prints a line of JSON for each; then closes the browser. Whether all went well. */
export async function runEach(browser, checks) {
  let isWell = true;
  for (const [check, run] of Object.entries(checks)) {
    try {
      await run();
      console.log(JSON.stringify({ check, ok: true }));
    } catch (error) {
      isWell = false;
      console.log(JSON.stringify({ check, ok: false, detail: String(error.stack).slice(0, 1500) }));
    }
    for (const context of browser.contexts()) await context.close();
  }
  await browser.close();
  return isWell;
}

/** A page of its own, with its own cookies. */
export async function open(browser, url, { width = 1280, height = 860, dark = false } = {}) {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: dark ? "dark" : "light",
    reducedMotion: "reduce",
    acceptDownloads: true,
  });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await context.newPage();
  page.complaints = [];
  page.on("console", (message) => {
    const text = message.text();
    if (["error", "warning"].includes(message.type()) && !EXPECTED.test(text)) page.complaints.push(text);
  });
  page.on("pageerror", (error) => page.complaints.push(String(error.stack)));
  page.on("dialog", (dialog) => {
    page.complaints.push(`a dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  await page.addInitScript(() => {
    window.broken = [];
    document.addEventListener("securitypolicyviolation", (event) => window.broken.push(`${event.violatedDirective} ${event.blockedURI}`));
  });
  await page.goto(url);
  if (await page.locator("#composer").count()) await page.waitForFunction(() => document.body.dataset.empty !== undefined);
  return page;
}

/** Asks, and waits until the turn has ended. */
export async function ask(page, question) {
  const before = await page.locator(".turn").count();
  await page.fill("#question", question);
  await page.keyboard.press("Enter");
  await page.waitForFunction((count) => document.querySelectorAll(".turn").length > count, before);
  await ended(page);
  return page.locator(".turn").last();
}

/** Waits until the last turn has ended, and the next question is taken. */
export async function ended(page) {
  await page.waitForFunction(() => {
    const turn = [...document.querySelectorAll(".turn")].at(-1);
    const isOver = turn && ["done", "failed", "stopped"].includes(turn.dataset.state);
    return isOver && document.querySelector("#composer").dataset.running === "false";
  });
}

/** Chooses an option by its digit, once the card has the keyboard, and waits for the answer. */
export async function pick(page, digit) {
  const before = await page.locator(".turn").count();
  await page.waitForFunction(() => document.activeElement?.closest(".card"));
  await page.keyboard.press(digit);
  await page.waitForFunction((count) => document.querySelectorAll(".turn").length > count, before);
  await ended(page);
}

/** Closes the passage or the trace that is open, and waits until it is gone. */
export async function closed(page) {
  await page.keyboard.press("Escape");
  await page.locator("dialog").waitFor({ state: "detached" });
}

/** What axe finds, in a few words each. */
export async function stumbles(page) {
  // The page's policy lets nobody add a script; evaluation by the debugger is not bound by it.
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() =>
    window.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }));
  return violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map((node) => node.target.join(" ")).join(", ")}`);
}

/** Whether the page runs over its sides. */
export const overflow = (page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

export async function shot(page, name) {
  if (!SHOTS) return;
  if (!existsSync(SHOTS)) mkdirSync(SHOTS, { recursive: true });
  await page.screenshot({ path: join(SHOTS, `${name}.png`) });
}

export function must(condition, otherwise) {
  if (!condition) throw new Error(typeof otherwise === "string" ? otherwise : JSON.stringify(otherwise));
}

export function same(found, wanted, what) {
  must(JSON.stringify(found) === JSON.stringify(wanted), `${what}: ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`);
}

/**
 * A server in front of the server, which holds streams up or cuts them. `plan` says, for each stream that is asked for,
 * how many bytes pass before it is cut, or held for good where it `holds`.
 */
export async function proxy(target, plan) {
  const front = createServer((incoming, outgoing) => {
    const onward = request(new URL(incoming.url, target), { method: incoming.method, headers: { ...incoming.headers, host: new URL(target).host } });
    incoming.pipe(onward);
    onward.on("error", () => outgoing.destroy());
    onward.on("response", (reply) => {
      outgoing.writeHead(reply.statusCode, reply.headers);
      if (!String(reply.headers["content-type"]).startsWith("text/event-stream")) return reply.pipe(outgoing);
      return pass(reply, outgoing, plan.shift() ?? { bytes: Infinity });
    });
  });
  await new Promise((resolve) => front.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${front.address().port}/`, close: () => { front.close(); front.closeAllConnections(); } };
}

async function pass(reply, outgoing, { bytes, holds = false }) {
  let left = bytes;
  for await (const chunk of reply) {
    const piece = chunk.subarray(0, left);
    outgoing.write(piece);
    left -= piece.length;
    if (left <= 0) return holds ? undefined : outgoing.socket.destroy();
  }
  outgoing.end();
}

/** Answers every question of a page with these chunks. */
export async function scripted(page, chunks) {
  const body = chunks.map((chunk, at) => `id: ${at + 1}\ndata: ${JSON.stringify(chunk)}\n\n`).join("") + "data: [DONE]\n\n";
  await page.route("**/api/chat", (route) => route.fulfill({ status: 200, contentType: "text/event-stream", body }));
}

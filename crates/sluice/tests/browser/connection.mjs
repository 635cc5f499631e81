/** Streams that are slow, that break off, that are left and come back to, and runs that are stopped. */

import { writeFileSync } from "node:fs";
import { ask, ended, must, open, proxy, same, shot } from "./support.mjs";

const RANKED = "Which exchanges saw the largest BTC inflows in the last 24 hours?";
const HELD = "What is the report of the lighthouse?";
const RELEASE = process.env.RELEASE;

export const connection = {
  async "a stream that breaks off is picked up where it broke"({ browser, samples }) {
    const whole = await open(browser, samples);
    await ask(whole, RANKED);
    const words = (page) => page.locator(".turn").evaluate((turn) => [turn.querySelector(".answer").textContent, turn.querySelectorAll(".step").length, turn.querySelectorAll(".call").length]);
    const wanted = await words(whole);
    const front = await proxy(samples, [{ bytes: 700 }, { bytes: 2500 }, { bytes: 6000 }]);
    const page = await open(browser, front.url);
    await ask(page, RANKED);
    same(await words(page), wanted, "steps, calls and words");
    front.close();
  },

  async "a stream that comes no further shows its steps, and Escape stops it"({ browser, samples }) {
    const front = await proxy(samples, [{ bytes: 1024, holds: true }]);
    const page = await open(browser, front.url);
    await page.fill("#question", RANKED);
    await page.keyboard.press("Enter");
    await page.locator(".step").first().waitFor();
    must(await page.locator("details.steps").evaluate((it) => it.open), "steps are folded while they are taken");
    await shot(page, "running");
    await page.keyboard.press("Escape");
    await ended(page);
    same(await page.locator(".turn").getAttribute("data-state"), "stopped", "state");
    must(await page.getByRole("button", { name: "Ask again" }).isVisible(), "no way to ask again");
    front.close();
  },

  async "a server that is gone is said, and the question is kept"({ browser, samples }) {
    const page = await open(browser, samples);
    await page.route("**/api/chat", (route) => route.abort());
    await ask(page, RANKED);
    same(await page.locator(".turn").getAttribute("data-state"), "failed", "state");
    must((await page.locator(".fault").innerText()).includes("cannot be reached"), "no words");
    await page.unroute("**/api/chat");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.locator(".turn[data-state=done]").waitFor();
  },

  async "a question asked before the page is ready is asked when it is"({ browser, samples }) {
    const page = await (await browser.newContext()).newPage();
    let letIn = () => {};
    const held = new Promise((resolve) => { letIn = resolve; });
    await page.route("**/api/session", async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(samples);
    await page.fill("#question", RANKED);
    await page.locator("#send").click();
    same(await page.locator(".turn").count(), 0, "turns before the page is ready");
    same(await page.locator("#question").inputValue(), RANKED, "the box");
    letIn();
    await page.locator(".turn[data-state=done]").waitFor();
    same(await page.locator("#question").inputValue(), "", "the box");
  },

  async "a refusal says when to come back"({ browser, samples }) {
    const page = await open(browser, samples);
    const body = JSON.stringify({ code: "rate_limit:chat", message: "the questions of today are used up", retryAfterSeconds: 7200 });
    await page.route("**/api/chat", (route) => route.fulfill({ status: 429, contentType: "application/json", body }));
    await ask(page, RANKED);
    same(await page.locator(".fault p").innerText(), "The questions of today are used up. Try again in 2 hours.", "words");
  },

  async "a run is stopped on the server too"({ browser, harbour }) {
    const page = await open(browser, harbour);
    await page.fill("#question", HELD);
    await page.keyboard.press("Enter");
    await page.locator(".call").first().waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    await ended(page);
    same(await page.locator(".turn").getAttribute("data-state"), "stopped", "state");
    await page.reload();
    await page.locator(".turn[data-state=stopped]").waitFor();
  },

  async "a run goes on while its page is away"({ browser, harbour }) {
    const page = await open(browser, harbour);
    await page.fill("#question", HELD);
    await page.keyboard.press("Enter");
    await page.locator(".call").first().waitFor();
    await page.reload();
    await page.locator(".call").first().waitFor();
    same(await page.locator(".turn").count(), 1, "turns");
    must(await page.getByRole("button", { name: "Stop" }).isVisible(), "no way to stop");
    writeFileSync(RELEASE, "");
    await ended(page);
    must((await page.locator(".answer").innerText()).includes("The light is lit"), "no answer");
  },
};

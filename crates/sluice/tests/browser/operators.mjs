/** The catalog, a trace, and the chat on another site. */

import { createServer } from "node:http";
import { ask, must, open, overflow, same, shot, stumbles } from "./support.mjs";

export const operators = {
  async "the catalog lists, searches and shows schemas"({ browser, samples }) {
    const page = await open(browser, `${samples}tools`);
    await page.locator(".listing").first().waitFor();
    must((await page.locator(".listing").count()) >= 6, "too few listings");
    await page.fill("#search", "weather in a city");
    await page.waitForFunction(() => document.querySelector(".listing h2")?.textContent.includes("Weather"));
    must(await page.locator(".method").first().evaluate((it) => it.open), "the best method is folded");
    same(await stumbles(page), [], "axe");
    await shot(page, "tools");
    const small = await open(browser, `${samples}tools`, { width: 360, dark: true });
    await small.locator(".listing").first().waitFor();
    same(await overflow(small), 0, "overflow");
    same(await stumbles(small), [], "axe in the dark");
  },

  async "a thread's trace has a page of its own"({ browser, samples }) {
    const page = await open(browser, samples);
    await page.getByRole("switch", { name: "Trace" }).check();
    await ask(page, "Compare the current weather in Paris and Berlin");
    const id = await page.evaluate(() => location.hash.slice(1));
    await page.goto(`${samples}traces/${id}`);
    await page.locator(".gantt").waitFor();
    must((await page.locator(".gantt tr[data-kind=call]").count()) >= 2, "no calls");
    must((await page.locator(".events li").count()) >= 5, "no events");
    same(await stumbles(page), [], "axe");
    await shot(page, "trace-page");
    await page.goto(`${samples}traces/00000000-0000-4000-8000-000000000000`);
    await page.getByText("There is no trace under this id").waitFor();
  },

  async "a recording has the same page"({ browser, samples }) {
    const page = await open(browser, `${samples}tools`);
    const id = await page.evaluate(async () => {
      const headers = { authorization: "Bearer any", "content-type": "application/json" };
      await fetch("api/v1/query", { method: "POST", headers, body: JSON.stringify({ query: "Compare the current weather in Paris and Berlin" }) });
      for (;;) {
        const { traces } = await (await fetch("api/v1/traces", { headers, cache: "no-store" })).json();
        if (traces.length) return traces[0].id;
      }
    });
    await page.goto(`${samples}traces/${id}`);
    await page.locator(".gantt").waitFor();
    must((await page.locator(".gantt tr[data-kind=call]").count()) >= 2, "no calls");
    must((await page.locator(".events li").count()) >= 5, "no events");
    same(await stumbles(page), [], "axe");
  },

  async "a site that was not named gets no chat"({ browser, samples }) {
    const host = await site(`<!doctype html><title>Host</title><iframe src="${samples}?embed"></iframe>`);
    const page = await open(browser, host.url);
    const frame = page.frames().find((it) => it !== page.mainFrame());
    must(!frame || (await frame.locator("#composer").count().catch(() => 0)) === 0, "the chat is shown");
    page.complaints.length = 0;
    host.close();
  },

  async "a site that was named has the chat as an element"({ browser, harbour }) {
    const host = await site(`<!doctype html><title>Host</title><script type="module" src="${harbour}embed.mjs"></script><sluice-chat label="Ask us"></sluice-chat>`, Number(process.env.HOST_PORT));
    const page = await open(browser, host.url);
    await page.getByRole("button", { name: "Ask us" }).click();
    const chat = page.frameLocator("sluice-chat iframe");
    await chat.locator("#question").waitFor();
    must(!(await chat.locator("#menu").isVisible()), "the history is shown to another site");
    await chat.locator("#question").fill("What are the notes of the harbour's tide gauges?");
    await chat.locator("#send").click();
    await chat.locator(".turn[data-state=done], .turn[data-state=failed]").waitFor();
    await shot(page, "embedded");
    host.close();
  },
};

async function site(html, port = 0) {
  const server = createServer((incoming, outgoing) => {
    outgoing.writeHead(incoming.url === "/" ? 200 : 204, { "content-type": "text/html" });
    outgoing.end(incoming.url === "/" ? html : undefined);
  });
  await new Promise((resolve) => server.listen(port, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

/**
 * The chat as an element of another site, over HTTPS, in a browser that keeps the cookies of frames apart. Takes the address
 * of a server whose cookie is for HTTPS and of one whose is not, and the ports of the site and of the chat; prints a line of
 * JSON for each check, as `run.mjs` does.
 */

import { createServer } from "node:https";
import { request } from "node:http";
import { certificate } from "./certificate.mjs";
import { launch, must, open, runEach, same, shot } from "./support.mjs";

const [secure, plain, shopPort, chatPort, plainPort] = process.argv.slice(2);
const pem = certificate();
const browser = await launch(["--ignore-certificate-errors", "--test-third-party-cookie-phaseout", "--host-resolver-rules=MAP *.example 127.0.0.1"]);

const checks = {
  async "a session lasts in a frame on another site"() {
    const page = await open(browser, `https://shop.example:${shopPort}/${chatPort}`);
    await page.getByRole("button", { name: "Ask us" }).click();
    const chat = page.frameLocator("sluice-chat iframe");
    await chat.locator("#question").fill("What is the price of the World Cup market?");
    await chat.locator("#send").click();
    // Only the session that was asked back can choose.
    await chat.locator(".card[data-state=pending] .option").first().click();
    await chat.locator(".turn[data-state=done] .answer .chip").first().waitFor();
    must(!(await chat.locator("#banner").isVisible()), "it complains");
    await shot(page, "embedded-https");
    const [cookie] = (await page.context().cookies()).filter((it) => it.name === "sluice_session");
    same([cookie.domain, cookie.sameSite, cookie.secure, cookie.httpOnly, cookie.partitionKey], ["answers.example", "None", true, true, "https://shop.example"], "cookie");
    // The same reader, on the same site, later.
    await page.reload();
    await page.getByRole("button", { name: "Ask us" }).click();
    await chat.locator("#question").waitFor();
    const { chats } = await inside(page, "api/history");
    same(chats.length, 1, "threads");
    // And somebody else's on the chat's own page.
    const own = await page.context().newPage();
    await own.goto(`https://answers.example:${chatPort}/`);
    await own.waitForFunction(() => document.body.dataset.empty !== undefined);
    same(await own.locator("a.thread").count(), 0, "threads of the chat's own page");
  },

  async "where no session lasts, that is said"() {
    const page = await open(browser, `https://shop.example:${shopPort}/${plainPort}`);
    await page.getByRole("button", { name: "Ask us" }).click();
    const banner = page.frameLocator("sluice-chat iframe").locator("#banner");
    await banner.waitFor();
    must((await banner.innerText()).includes("keeps no session"), await banner.innerText());
    await shot(page, "embedded-forgotten");
  },
};

const host = await listen(shopPort, (incoming, outgoing) => {
  const port = incoming.url.slice(1);
  outgoing.writeHead(/^\d+$/.test(port) ? 200 : 204, { "content-type": "text/html" });
  outgoing.end(/^\d+$/.test(port) ? `<!doctype html><title>Shop</title><script type="module" src="https://answers.example:${port}/embed.mjs"></script><sluice-chat label="Ask us"></sluice-chat>` : undefined);
});
const fronts = await Promise.all([[chatPort, secure], [plainPort, plain]].map(([port, target]) => listen(port, forward(target))));

const isWell = await runEach(browser, checks);
for (const server of [host, ...fronts]) server.closeAllConnections();
process.exit(isWell ? 0 : 1);

/** What the frame's own page reads. */
async function inside(page, path) {
  const frame = page.frames().find((it) => it !== page.mainFrame());
  return frame.evaluate(async (path) => (await fetch(path, { cache: "no-store" })).json(), path);
}

async function listen(port, answer) {
  const server = createServer(pem, answer);
  await new Promise((resolve) => server.listen(Number(port), "127.0.0.1", resolve));
  return server;
}

/** What ends TLS in front of a server. */
function forward(target) {
  return (incoming, outgoing) => {
    const onward = request(new URL(incoming.url, target), { method: incoming.method, headers: incoming.headers });
    incoming.pipe(onward);
    onward.on("error", () => outgoing.destroy());
    onward.on("response", (reply) => {
      outgoing.writeHead(reply.statusCode, reply.headers);
      reply.pipe(outgoing);
    });
  };
}

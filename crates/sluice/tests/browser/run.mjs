/**
 * Runs every check of the pages in a browser and prints a line of JSON for each, `{check, ok, detail}`; the exit code is
 * 1 when one failed. Takes the address of a server with the samples and of one with the hostile listing; a third
 * argument names the checks to run.
 */

import { chat } from "./chat.mjs";
import { connection } from "./connection.mjs";
import { hostility } from "./hostility.mjs";
import { markdown } from "./markdown.mjs";
import { operators } from "./operators.mjs";
import { launch, runEach } from "./support.mjs";

const [samples, harbour, only = ""] = process.argv.slice(2);
const browser = await launch();
const wanted = Object.entries({ ...chat, ...connection, ...markdown, ...hostility, ...operators }).filter(([check]) => check.includes(only));
const checks = wanted.map(([check, run]) => [check, async () => {
  await run({ browser, samples: `${samples}/`, harbour: `${harbour}/` });
  await watched();
}]);
process.exit((await runEach(browser, Object.fromEntries(checks))) ? 0 : 1);

/** Nothing that ran complained, or broke the policy. */
async function watched() {
  for (const page of browser.contexts().flatMap((context) => context.pages())) {
    const broken = await page.evaluate(() => window.broken ?? []);
    const complaints = [...(page.complaints ?? []), ...broken];
    if (complaints.length) throw new Error(complaints.join("\n"));
  }
}

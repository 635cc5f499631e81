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
import { launch } from "./support.mjs";

const [samples, harbour, only = ""] = process.argv.slice(2);
const browser = await launch();
let isWell = true;
for (const [check, run] of Object.entries({ ...chat, ...connection, ...markdown, ...hostility, ...operators })) {
  if (!check.includes(only)) continue;
  try {
    await run({ browser, samples: `${samples}/`, harbour: `${harbour}/` });
    await watched();
    console.log(JSON.stringify({ check, ok: true }));
  } catch (error) {
    isWell = false;
    console.log(JSON.stringify({ check, ok: false, detail: String(error.stack).slice(0, 1500) }));
  }
  for (const context of browser.contexts()) await context.close();
}
await browser.close();
process.exit(isWell ? 0 : 1);

/** Nothing that ran complained, or broke the policy. */
async function watched() {
  for (const page of browser.contexts().flatMap((context) => context.pages())) {
    const broken = await page.evaluate(() => window.broken ?? []);
    const complaints = [...(page.complaints ?? []), ...broken];
    if (complaints.length) throw new Error(complaints.join("\n"));
  }
}

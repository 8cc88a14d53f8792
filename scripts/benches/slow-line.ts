// The first view of the dashboard over a bad line: 400 kbit/s with 400 ms latency, emulated by Chromium, with the
// dashboard's files in the cache of the browser. Time until the page shows its content.
// `./scripts/bench slow-line -- --kbits 200`
import { rmSync } from "node:fs";
import { parseArgs } from "node:util";
import { chromium, type CDPSession, type Page } from "playwright-core";
import { startBinary, tempFolder } from "../../test/support/binary.ts";
import { chromiumPath } from "../debian-packages.ts";
import type { Bench, Finding, How } from "./bench.ts";
import { elapsedMs, median, ms } from "./figures.ts";

const MOST_MS = 3_000;
const PAGES = ["/dashboard/overview", "/dashboard/today", "/dashboard/calls"];
const ROUNDS = 5;
const UNLIMITED = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 };

async function open(page: Page, url: string): Promise<void> {
  await page.goto(url, { waitUntil: "commit" });
  await page.locator("main h1").waitFor();
  await page.waitForFunction(`document.querySelector(".skeleton") === null`);
}

/** Median over the rounds, and without the limits of the line. */
async function measure(page: Page, line: CDPSession, url: string, limits: typeof UNLIMITED, rounds: number) {
  await open(page, url);
  const without = await elapsedMs(() => open(page, url));
  const each: number[] = [];
  for (let i = 0; i < rounds; i++) {
    // Away from the page, so that nothing of it is left on the line.
    await page.goto("about:blank");
    await line.send("Network.emulateNetworkConditions", limits);
    each.push(await elapsedMs(() => open(page, url)));
    await line.send("Network.emulateNetworkConditions", UNLIMITED);
  }
  return { slow: median(each), without };
}

async function run({ quick, args = [] }: How): Promise<Finding[]> {
  const { values } = parseArgs({
    args,
    options: { kbits: { type: "string", default: "400" }, latency: { type: "string", default: "400" } },
  });
  const bytesPerSecond = (Number(values.kbits) * 1_000) / 8;
  const limits = {
    offline: false,
    latency: Number(values.latency),
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  };
  const dataDir = tempFolder();
  const server = await startBinary({ dataDir, env: { RINGWARD_LOG__LEVEL: "error" } });
  const browser = await chromium.launch({
    executablePath: chromiumPath() ?? "chromium-headless-shell",
    args: ["--no-sandbox", "--disable-gpu"],
  });
  try {
    const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
    const page = await context.newPage();
    await page.goto(`${server.url}/dashboard`);
    await page.getByRole("button", { name: "Enter the demo hospital" }).click();
    await page.getByRole("navigation", { name: "Menu" }).waitFor();
    const line = await context.newCDPSession(page);
    await line.send("Network.enable");
    const found: Finding[] = [];
    for (const path of PAGES) {
      const { slow, without } = await measure(page, line, `${server.url}${path}`, limits, quick ? 2 : ROUNDS);
      found.push({
        measure: `${path}, ${values.kbits} kbit/s and ${values.latency} ms latency`,
        here: ms(slow),
        against: `${ms(without)} on this machine`,
        ratio: null,
        goal: `at most ${MOST_MS} ms`,
        holds: quick ? null : slow <= MOST_MS,
      });
    }
    return found;
  } finally {
    await browser.close();
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

export const slowLine: Bench = { name: "slow-line", about: "the first view of the dashboard over a bad line", run };

// Every page shows when the appliance is gone and when it is back, without a click, and keeps what was typed.
/// <reference lib="dom" />
import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { freePort, leaveNothingBehind, tempFolder, type Running } from "../support/binary.ts";
import { closeBrowsers, screenshot, type Visit } from "../support/browser.ts";
import { startQuick } from "../support/calls.ts";
import { until } from "../support/until.ts";
import { faultsOnBoth } from "./both-looks.ts";
import { en } from "../../src/web/words/en.ts";
import { hi } from "../../src/web/words/hi.ts";
import { DESKTOP, enterDemo, overflow, PHONE } from "./dashboard-visit.ts";

setDefaultTimeout(240_000);
closeBrowsers();
leaveNothingBehind();

const FIVE_SECONDS_MS = 5_000;
/** A page's clock can be stopped only in the future, and a busy machine is slow. */
const AHEAD_MS = 30_000;

/** Notes of the page, in its own time: the last beat of the stream, and when the sign appeared. */
interface Noted {
  beatAt: number;
  goneAt: number;
}

const noted = ({ page }: Visit) => page.evaluate(() => (window as unknown as { noted: Noted }).noted);

describe.each([
  ["at a desk", DESKTOP, en, "en"],
  ["on a phone, in Hindi", PHONE, hi, "hi"],
] as const)("%s", (where, viewport, words, language) => {
  let server: Running;
  let visitor: Visit;
  beforeEach(async () => {
    server = await startQuick({}, { dataDir: tempFolder(), port: await freePort() });
    visitor = await enterDemo(server, "/dashboard", viewport);
    const { page } = visitor;
    await page.clock.install();
    await page.addInitScript((spoken) => {
      Object.defineProperty(navigator, "languages", { get: () => [spoken] });
      const notes = { beatAt: 0, goneAt: 0 };
      Object.assign(window, { noted: notes });
      new BroadcastChannel("ringward-changes").addEventListener("message", ({ data }) => {
        if (data === "beat") notes.beatAt = Date.now();
      });
      new MutationObserver(() => {
        if (notes.goneAt === 0 && document.querySelector(".sign.offline")) notes.goneAt = Date.now();
      }).observe(document, { childList: true, subtree: true });
    }, language);
    await page.goto(`${server.url}/dashboard/settings/organisation`);
    await name().fill("Half Written");
    await page.waitForFunction(() => (window as unknown as { noted: Noted }).noted.beatAt > 0);
  });
  afterEach(async () => {
    server.process.kill("SIGCONT");
    await visitor.close();
    await server.kill();
  });

  const sign = () => visitor.page.getByText(words.shared.signs.offlineNote);
  const name = () => visitor.page.getByLabel(words.settings.organisationTab.name);
  const typed = () => name().inputValue();
  /** The page's time stands still, and a beat has arrived since. */
  const stopClock = async () => {
    const { page } = visitor;
    await page.clock.pauseAt(await page.evaluate((aheadMs) => Date.now() + aheadMs, AHEAD_MS));
    await until(() => page.evaluate(() => (window as unknown as { noted: Noted }).noted.beatAt === Date.now()), {
      what: () => "no beat arrived",
    });
  };
  const isSaved = async () => {
    await visitor.page.getByRole("button", { name: words.shared.common.save }).first().click();
    await visitor.page.getByText(words.settings.organisationTab.saved).first().waitFor();
  };

  test("a stopped appliance shows at once, and its return too; what was typed can be saved then", async () => {
    const { page } = visitor;
    const { dataDir, port } = server;
    await stopClock();
    await server.kill();
    // The page's clock stands still: the closed stream is enough.
    await sign().waitFor();
    expect(await overflow(visitor)).toBe(0);
    await screenshot(page, `reach-${where.replaceAll(" ", "-")}`);
    server = await startQuick({}, { dataDir, port });
    await page.clock.resume();
    await sign().waitFor({ state: "detached" });
    expect(await typed()).toBe("Half Written");
    expect(await faultsOnBoth(visitor, `reach-back-${where.replaceAll(" ", "-")}`)).toEqual([]);
    await isSaved();
  });

  test("an appliance that is silent with an open connection shows within five seconds", async () => {
    const { page } = visitor;
    await stopClock();
    server.process.kill("SIGSTOP");
    // A beat that is still under way starts the five seconds again.
    for (let round = 0; round < 10 && (await sign().count()) === 0; round++) await page.clock.runFor(FIVE_SECONDS_MS);
    await sign().waitFor();
    const { beatAt, goneAt } = await noted(visitor);
    expect(goneAt - beatAt).toBeLessThanOrEqual(FIVE_SECONDS_MS);
    expect(goneAt - beatAt).toBeGreaterThan(2_000);
    server.process.kill("SIGCONT");
    await page.clock.resume();
    await sign().waitFor({ state: "detached" });
    expect(await typed()).toBe("Half Written");
    await isSaved();
  });
});

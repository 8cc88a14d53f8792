// Backups that the server makes by itself, on the pages: Settings → System, and Today when the last one is too old.
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { leaveNothingBehind, startBinary, tempFolder } from "../support/binary.ts";
import { closeBrowsers, screenshot } from "../support/browser.ts";
import { faultsOnBoth } from "./both-looks.ts";
import { enterDemo } from "./dashboard-visit.ts";

closeBrowsers();
leaveNothingBehind();

const HOUR = 3_600_000;

test("a backup that is too old is on Today and in the settings, with the last drill", async () => {
  const to = tempFolder();
  const server = await startBinary({ env: { RINGWARD_BACKUP__EVERY: "24h", RINGWARD_BACKUP__TO: to } });
  const visitor = await enterDemo(server, "/dashboard/settings/system");
  const { page } = visitor;
  await page.getByText("None yet").first().waitFor();
  const madeAt = Date.now() - 40 * HOUR;
  const state = {
    owner: "0123456789ab",
    since: madeAt,
    lastGood: { name: "x", where: to, madeAt, bytes: 1 },
    failures: 3,
    failedAt: Date.now(),
    lastDrill: { name: "x", at: madeAt, isSame: false },
  };
  writeFileSync(join(server.dataDir, "backups.json"), JSON.stringify(state));
  await page.getByRole("button", { name: "Check again" }).click();
  await page.getByText("Late", { exact: true }).waitFor();
  await page.getByText("Something was missing").waitFor();
  expect(await faultsOnBoth(visitor, "kept-backups-system")).toEqual([]);
  await page.goto(`${server.url}/dashboard/today`);
  await page.getByRole("alert").filter({ hasText: "The last verified backup is too old." }).waitFor();
  await screenshot(page, "kept-backups-today");
  await server.kill();
}, 180_000);

// The Today page while the appliance holds calls, in a real browser: an untrusted clock, overdue calls, and calls of an
// older database. Each is shown, and a person decides.
/// <reference lib="dom" />
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { leaveNothingBehind, runBinary, tempFolder, type Running } from "../support/binary.ts";
import { closeBrowsers, type Visit } from "../support/browser.ts";
import { finished, place, readCall, startQuick } from "../support/calls.ts";
import { until } from "../support/until.ts";
import { buildOutside, type Outside } from "../torture/outside.ts";
import { complaintsOf, expectFit } from "./calls-visit.ts";
import { enterDemo, PHONE } from "./dashboard-visit.ts";

setDefaultTimeout(180_000);
closeBrowsers();
leaveNothingBehind();

const MINUTE_MS = 60_000;
/** Longer than the 30 s between two comparisons of the worklist with the calls. */
const COMPARED = { timeout: 90_000 };
const ENV = { RINGWARD_CALLS__RELEASED_PER_MINUTE: "600" };

let outside: Outside;
let server: Running;
let desk: Visit;
let phone: Visit;
const names = ["Asha Rao", "Lakshminarayanan Venkatasubramanian Krishnamurthy", "Ravi"];
const overdue: string[] = [];
const held: string[] = [];

const cli = (...args: string[]) => runBinary([...args, "--data", server.dataDir], { env: { ...outside.env, ...ENV } });
const inMinutes = (minutes: number) => new Date(Date.now() + outside.clockMs() + minutes * MINUTE_MS).toISOString();
const placeIn = (minutes: number, user_name: string) =>
  place(server, { user_name, scheduled_time: inMinutes(minutes) });

beforeAll(async () => {
  const built = buildOutside(tempFolder());
  if ("missing" in built) throw new Error(`The clock cannot be moved here: ${built.missing}.`);
  outside = built;
  server = await startQuick({ ...outside.env, ...ENV });
  await finished(server, await place(server));
  for (const name of names) held.push(await placeIn(10, name));
  expect((await cli("calls", "hold", "--due-before", inMinutes(60))).code).toBe(0);
  for (const name of names) overdue.push(await placeIn(10, name));
  desk = await enterDemo(server, "/dashboard/today");
  phone = await enterDemo(server, "/dashboard/today", PHONE);
}, 180_000);
afterAll(async () => {
  for (const visitor of [desk, phone]) await visitor.close();
  await server.kill();
  outside.close();
});

/** The person's own setting, which applies to all of their windows. */
async function speak(language: "en" | "hi"): Promise<void> {
  await desk.page.evaluate(async (chosen) => {
    const headers = { "x-ringward-dashboard": "1", "content-type": "application/json" };
    const body = JSON.stringify({ language: chosen });
    await fetch("/dashboard/api/account/language", { method: "PUT", headers, body });
  }, language);
}

/** Desktop and phone, English and Hindi: no overflow, no axe violations. */
async function isFit(name: string, shown: Record<"en" | "hi", string>): Promise<void> {
  for (const language of ["hi", "en"] as const) {
    await speak(language);
    for (const [visitor, where, scheme] of [
      [desk, "desk", "light"],
      [phone, "phone", "dark"],
    ] as const) {
      const { page } = visitor;
      await page.reload();
      await page.getByText(shown[language]).first().waitFor();
      for (const summary of await page.locator(".worklist-held summary").all()) await summary.click();
      await expectFit(visitor, `today ${name} ${where} ${language}`, [scheme]);
    }
  }
}

const line = (kind: string) => desk.page.locator(".card.worklist .worklist-item", { hasText: kind });
const dialog = () => desk.page.getByRole("dialog");

describe("today", () => {
  test("says that no calls are dialled while the clock is untrusted, and no longer", async () => {
    expect(await desk.page.getByText("clock is not trusted").count()).toBe(0);
    outside.setClock(180 * MINUTE_MS);
    await isFit("clock", { en: "clock is not trusted", hi: "घड़ी पर भरोसा" });
    expect((await cli("clock", "confirm")).code).toBe(0);
    await finished(server, await place(server));
    await desk.page.reload();
    await line("Calls overdue").waitFor(COMPARED);
    expect(await desk.page.getByText("clock is not trusted").count()).toBe(0);
  });

  test("lists overdue calls and those of an older database, each with its reason", async () => {
    await isFit("held", { en: "put back to an older state", hi: "पुरानी स्थिति" });
    for (const kind of ["Calls overdue", "Calls held"]) {
      const links = line(kind).locator(".worklist-held li > a");
      expect((await links.allTextContents()).toSorted()).toEqual(names.toSorted());
    }
  });

  test("cancels one, releases one, and then all remaining ones", async () => {
    const { page } = desk;
    await line("Calls overdue").getByRole("button", { name: "Cancel: Asha Rao" }).click();
    await page.getByText("Cancelled: 1.").waitFor();
    expect((await readCall(server, overdue[0] ?? "")).status).toBe("cancelled");
    await line("Calls overdue").getByRole("button", { name: "Release: Ravi" }).click();
    await finished(server, overdue[2] ?? "");
    await line("Calls overdue").getByText("Calls: 1").waitFor();
    await line("Calls overdue").getByRole("button", { name: "Release all" }).click();
    await dialog().getByText("1 call goes out").waitFor();
    await dialog().getByRole("button", { name: "Release all" }).click();
    await finished(server, overdue[1] ?? "");
    await line("Calls held").getByRole("button", { name: "Cancel all" }).click();
    await dialog().getByText("They do not come back.").waitFor();
    await dialog().getByRole("button", { name: "Cancel all" }).click();
    await until(async () => (await readCall(server, held[2] ?? "")).status === "cancelled");
    await line("Calls held").waitFor({ state: "detached" });
    await line("Calls overdue").waitFor({ state: "detached" });
  });

  test("the browser logged no error and contacted no other host", () => {
    expect([...complaintsOf(server, desk), ...complaintsOf(server, phone)]).toEqual([]);
  });
});

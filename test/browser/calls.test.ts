// The calls pages in a real browser: the live list, its filters, a new call, cancellation.
/// <reference lib="dom" />
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { createCall } from "../support/api-client.ts";
import { leaveNothingBehind, runBinary, type Running } from "../support/binary.ts";
import { closeBrowsers, visit, type Visit } from "../support/browser.ts";
import { finished, numberEnding, place, placeAndFinish, startQuick } from "../support/calls.ts";
import { until } from "../support/until.ts";
import { complaintsOf, expectFit } from "./calls-visit.ts";
import { DESKTOP, enterDemo, PHONE } from "./dashboard-visit.ts";

setDefaultTimeout(180_000);
closeBrowsers();
leaveNothingBehind();

const WAITING_CALLS = 26;
const VIEWER = { email: "viewer@example.test", password: "correct horse battery" };

let server: Running;
let talkedId: string;
beforeAll(async () => {
  server = await startQuick();
  ({ call_id: talkedId } = await placeAndFinish(server, { user_name: "Meera Nair" }));
  await finished(server, await place(server, { user_name: "Busy Person", user_number: numberEnding("0001") }));
  for (let i = 0; i < WAITING_CALLS; i++)
    await createCall(server, { user_name: `Waiting ${i}`, user_number: "+912255550124" });
  const made = ["people", "create", "--email", VIEWER.email, "--name", "Viewer", "--role", "viewer"];
  const { code, stderr } = await runBinary([...made, "--data", server.dataDir], { stdin: VIEWER.password });
  expect([code, stderr]).toEqual([0, ""]);
}, 180_000);

describe.each([
  ["at a desk", DESKTOP],
  ["on a phone", PHONE],
])("%s", (where, viewport) => {
  let visitor: Visit;
  beforeAll(async () => {
    visitor = await enterDemo(server, "/dashboard/calls", viewport);
  });
  afterAll(() => visitor.close());

  /** Dialogs are checked in light mode on a desktop and in dark mode on a phone. */
  const oneScheme = [viewport === PHONE ? "dark" : "light"] as const;
  const isFit = (name: string, schemes?: readonly ("light" | "dark")[]) =>
    expectFit(visitor, `${where} ${name}`, schemes);
  const rows = () => visitor.page.locator(".call-row");
  const rowOf = (name: string) => visitor.page.locator(".call-row", { hasText: name });
  const dialog = () => visitor.page.getByRole("dialog");
  const open = (path: string) => visitor.page.goto(`${server.url}/dashboard/calls${path}`);
  const counts = (count: number) =>
    until(async () => (await rows().count()) === count, { what: () => `not ${count} rows` });

  test("the list shows contact, time, state and outcome, and loads more on demand", async () => {
    await counts(25);
    await isFit("list");
    await visitor.page.getByRole("button", { name: "Show more" }).click();
    await until(async () => (await rows().count()) > 25, { what: () => "no more rows" });
    expect(await rowOf("Meera Nair").textContent()).toMatch(/Asha.*Completed.*Appointment booked.*\d s/);
    expect(await rowOf("Busy Person").textContent()).toMatch(/Failed.*The line is busy\./);
    expect(await rowOf("Waiting 7").textContent()).toMatch(/planned.*Scheduled/);
  });

  test("a call created elsewhere appears in the list and is updated to its end without a reload", async () => {
    await visitor.page.evaluate(() => Object.assign(window, { isSamePage: true }));
    const name = `Live ${where}`;
    await finished(server, await place(server, { user_name: name }));
    await rowOf(name).getByText("Completed").waitFor();
    expect(await visitor.page.evaluate(() => "isSamePage" in window)).toBeTrue();
  });

  test("filters narrow the list, stay in the address, and survive a reload", async () => {
    const { page } = visitor;
    await page.getByRole("button", { name: "Filters" }).click();
    await page.getByLabel("State").selectOption("failed");
    await page.getByLabel("Name or number").fill("usy p");
    await page.waitForURL(/search=usy\+p&status=failed/);
    await counts(1);
    await page.reload();
    await counts(1);
    expect(await page.getByLabel("Name or number").inputValue()).toBe("usy p");
    await page.getByText("State: Failed").waitFor();
    await page.getByLabel("Name or number").fill("+91 (22) 5555-0124");
    await page.getByText("No call matches these filters.").waitFor();
    await page.getByRole("button", { name: "Remove the filter State: Failed" }).click();
    await page.waitForURL((url) => !url.search.includes("status"));
    await rowOf("Waiting 9").waitFor();
    await page.getByRole("button", { name: "Filters" }).click();
    await page.getByLabel("Created until").fill("2020-01-01");
    await page.getByText("No call matches these filters.").waitFor();
    await page.getByRole("button", { name: "Clear" }).click();
    await counts(25);
    expect(page.url()).toEndWith("/dashboard/calls");
  });

  test("a superseded search is aborted without being reported as an outage", async () => {
    const { page } = visitor;
    const slow = /dashboard\/api\/calls\?\S*search=Wait(&|$)/;
    // Never answered.
    await page.route(slow, () => {});
    const isBrokenOff = page.waitForEvent("requestfailed", (request) => slow.test(request.url()));
    const isAsked = page.waitForRequest(slow);
    await page.getByLabel("Name or number").fill("Wait");
    await isAsked;
    await page.getByLabel("Name or number").fill("Meera");
    expect((await isBrokenOff).failure()?.errorText).toBe("net::ERR_ABORTED");
    await counts(1);
    expect(await page.getByText("The appliance does not answer").count()).toBe(0);
    await page.unroute(slow);
    await page.getByRole("button", { name: "Clear" }).click();
    await counts(25);
  });

  test("a new call is validated before it is created, and errors are shown at their fields", async () => {
    const { page } = visitor;
    await page.getByRole("button", { name: "New call" }).click();
    await dialog().getByLabel("Agent").selectOption({ label: "Asha" });
    await dialog().getByLabel("Phone number").fill("+44 20 7946 0000");
    await dialog().getByRole("button", { name: "Check the call" }).click();
    await dialog().getByText("The number must be an Indian (+91) or US (+1) number.").waitFor();
    expect(
      await dialog()
        .getByLabel("Phone number")
        .evaluate((field) => field === document.activeElement),
    ).toBeTrue();
    await isFit("new", oneScheme);

    await dialog().getByLabel("Phone number").fill("+1 (555) 555-0144");
    await dialog().getByLabel("Name", { exact: true }).fill(`New ${where}`);
    await dialog().getByLabel("Value of visit").fill("check-up");
    await dialog().getByText("Later").click();
    await dialog().getByLabel("Day and time").fill("2020-01-01T09:30");
    await dialog().getByRole("button", { name: "Check the call" }).click();
    await dialog().getByText("The time must lie in the future.").waitFor();
    const year = new Date().getFullYear() + 1;
    // Next year is beyond the limit; in three days is within it.
    await dialog()
      .getByLabel("Day and time")
      .fill(`${year + 1}-01-01T09:30`);
    await dialog().getByRole("button", { name: "Check the call" }).click();
    await dialog()
      .getByText(/The time must be at most \d+ days ahead/)
      .waitFor();
    const soon = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
    await dialog().getByLabel("Day and time").fill(`${soon}T09:30`);
    await dialog().getByRole("button", { name: "Check the call" }).click();
    await dialog().getByText(`Hello New ${where}, this is Asha from Demo Hospital.`).waitFor();
    const shown = (await dialog().textContent()) ?? "";
    expect(shown).toContain("{{doctor}}");
    expect(shown).not.toContain("{{visit}}");
    expect(shown).toMatch(/09:30:00 \(Asia\/Kolkata\)/);
    expect(await rowOf(`New ${where}`).count()).toBe(0);
    await isFit("check", oneScheme);

    await dialog().getByRole("button", { name: "Edit" }).click();
    expect(await dialog().getByLabel("Name", { exact: true }).inputValue()).toBe(`New ${where}`);
    await dialog().getByRole("button", { name: "Check the call" }).click();
    await dialog().getByRole("button", { name: "Make the call" }).click();
    await page.getByText(/The call is planned for .* 09:30:00/).waitFor();
    await rowOf(`New ${where}`).getByText("Scheduled").waitFor();
  });

  test("a waiting call is cancelled after a confirmation", async () => {
    const { page } = visitor;
    await rowOf(`New ${where}`)
      .getByRole("button", { name: `Cancel the call to New ${where}` })
      .click();
    await dialog().getByRole("button", { name: "Keep the call" }).click();
    await rowOf(`New ${where}`).getByText("Scheduled").waitFor();
    await rowOf(`New ${where}`).getByRole("link").click();
    await page.getByText(/^Due /).waitFor();
    await page.getByRole("button", { name: "Cancel the call" }).click();
    await dialog().getByText(`New ${where} will not be called`).waitFor();
    await isFit("cancel", oneScheme);
    await dialog().getByRole("button", { name: "Cancel the call" }).click();
    await page.locator(".timeline").getByText("Cancelled").waitFor();
    expect(await page.getByRole("button", { name: "Cancel the call" }).count()).toBe(0);
  });

  test("an unknown call says so", async () => {
    const { page } = visitor;
    await open("/call_nobody");
    await page.getByText("There is no call with this id.").waitFor();
    await page.getByRole("link", { name: "All calls" }).click();
    await counts(25);
  });

  test("no other host was contacted, the policy was not violated, no error was logged", () => {
    expect(complaintsOf(server, visitor)).toEqual([]);
  });
});

test("a viewer reads calls and has no controls to change them", async () => {
  const { page, close } = await visit(`${server.url}/dashboard/calls`);
  await page.getByLabel("E-mail address").fill(VIEWER.email);
  await page.getByLabel("Password").fill(VIEWER.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.locator(".call-row").first().waitFor();
  expect(await page.getByRole("button", { name: /New call|Cancel/ }).count()).toBe(0);
  await page.goto(`${server.url}/dashboard/calls/${talkedId}`);
  await page.locator(".transcript li").first().waitFor();
  expect(await page.getByRole("button", { name: /Delete/ }).count()).toBe(0);
  await close();
});

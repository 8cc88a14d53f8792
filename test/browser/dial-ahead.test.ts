// What buttons say before they dial, in a real browser: at night for the callee, and with a call pending already.
/// <reference lib="dom" />
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { ask } from "../support/api-client.ts";
import { leaveNothingBehind, type Running } from "../support/binary.ts";
import { closeBrowsers, type Visit } from "../support/browser.ts";
import { startQuick } from "../support/calls.ts";
import { noonZone } from "../support/noon.ts";
import { ENFORCED } from "../support/unenforced.ts";
import { faultsOnBoth } from "./both-looks.ts";
import { DESKTOP, enterDemo, misdeeds } from "./dashboard-visit.ts";

setDefaultTimeout(180_000);
closeBrowsers();
leaveNothingBehind();

let server: Running;
let visitor: Visit;
beforeAll(async () => {
  server = await startQuick(ENFORCED);
  visitor = await enterDemo(server, "/dashboard/calls", DESKTOP);
}, 180_000);
afterAll(() => server.kill());

const dialog = () => visitor.page.locator("dialog[open]");
const ahead = () => dialog().getByRole("status", { name: "What this will do" });

/** To a callee for whom it is midnight. */
async function checkCall(): Promise<void> {
  const { page } = visitor;
  await page.getByRole("button", { name: "New call" }).first().click();
  await dialog().getByLabel("Agent").selectOption({ index: 1 });
  await dialog().getByLabel("Phone number").fill("98100 10001");
  await dialog().getByLabel("Time zone").fill(noonZone(0));
  await dialog().getByRole("button", { name: "Check" }).click();
  await ahead()
    .getByText(/^Goes out on .+, not now\.$/)
    .waitFor();
}

test("a call at night says when it really goes out, and a second one names the first", async () => {
  await checkCall();
  expect(await ahead().getByText("There is already a call").count()).toBe(0);
  expect(await faultsOnBoth(visitor, "call-at-night")).toEqual([]);
  await dialog()
    .getByRole("button", { name: /^Call on / })
    .click();
  await dialog().waitFor({ state: "detached" });
  await checkCall();
  await ahead().getByText("There is already a call to this number:").waitFor();
  await ahead().getByRole("link").waitFor();
  expect(await faultsOnBoth(visitor, "second-call")).toEqual([]);
  await ahead().getByRole("link").click();
  await visitor.page.waitForURL((url) => /\/calls\/call_/.test(url.pathname));
});

test("a new window says whom of the waiting list it calls, and waits with it if asked", async () => {
  const { page } = visitor;
  const body = {
    branch_id: server.demo["branch_id"],
    contact_name: "Test Patient",
    contact_number: "+919810010077",
    contact_time_zone: noonZone(0),
  };
  expect((await ask(server, "POST", "/v1/waitlist", { body })).status).toBe(201);
  await page.goto(`${server.url}/dashboard/calendar`);
  await page.locator(".cal-week").waitFor();
  await page.getByRole("button", { name: "New window" }).first().click();
  // Another title than the windows of the demo.
  await dialog().getByLabel("Session").selectOption("Evening");
  const question = dialog().getByRole("group", { name: /on the waiting list wants? such places/ });
  await question.waitFor();
  expect(await faultsOnBoth(visitor, "window-waiting")).toEqual([]);
  await question.getByLabel("Do not call them yet.", { exact: false }).check();
  const [sent] = await Promise.all([
    page.waitForRequest((request) => request.url().endsWith("/api/calendar/windows") && request.method() === "POST"),
    dialog().getByRole("button", { name: "Create" }).click(),
  ]);
  expect(sent.postDataJSON()).toMatchObject({ calls_waiting_list: false });
  await page.goto(`${server.url}/dashboard/calendar/waiting`);
  await page.getByRole("button", { name: "Call about free places" }).click();
  await dialog().getByText("Each person is called about the first free place", { exact: false }).waitFor();
  expect(await faultsOnBoth(visitor, "call-all")).toEqual([]);
});

test("people on a closed day are shown as being called, and cannot be reminded", async () => {
  const { page } = visitor;
  await page.setViewportSize(DESKTOP);
  const { data } = await ask(server, "GET", `/v1/appointment-slots/availability?branch_id=${server.demo["branch_id"]}`);
  const slot = (data as unknown as { slot_id: string; date: string }[]).at(-1)!;
  const booked = { slot_id: slot.slot_id, contact_name: "Test Closed", contact_number: "+919810010088" };
  expect((await ask(server, "POST", "/v1/appointments", { body: booked })).status).toBe(201);
  await page.goto(`${server.url}/dashboard/calendar?day=${slot.date}`);
  const row = page.locator(".cal-people li", { hasText: "Test Closed" });
  await row.getByRole("button", { name: "Remind: Test Closed" }).waitFor();
  await page.getByRole("button", { name: "Close this day" }).click();
  await dialog().getByLabel("Call all", { exact: false }).check();
  await dialog()
    .getByRole("button", { name: /^Close and call/ })
    .click();
  await row.getByText("Being called").waitFor();
  expect(await row.getByRole("button", { name: "Remind: Test Closed" }).count()).toBe(0);
  expect(await faultsOnBoth(visitor, "closed-people")).toEqual([]);
  expect(misdeeds(server, visitor)).toEqual([]);
});

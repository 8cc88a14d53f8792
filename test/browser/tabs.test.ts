// The end of a session in a real browser: no tab keeps patient data on the screen.
/// <reference lib="dom" />
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { leaveNothingBehind, startBinary, type Running } from "../support/binary.ts";
import { closeBrowsers, type Visit } from "../support/browser.ts";
import { enterDemo } from "./dashboard-visit.ts";

closeBrowsers();
leaveNothingBehind();

const PATIENT = "Kamala Unmistakable";

let server: Running;
let visitor: Visit;
beforeAll(async () => {
  server = await startBinary();
  const { demo, url } = server;
  const answer = await fetch(`${url}/v1/calls`, {
    method: "POST",
    headers: { "x-api-key": demo["api_key"]!, "content-type": "application/json" },
    body: JSON.stringify({
      agent_id: demo["agent_id"],
      user_number: "+919810012345",
      user_name: PATIENT,
      scheduled_time: new Date(Date.now() + 86_400_000).toISOString(),
    }),
  });
  expect(answer.status).toBe(201);
}, 180_000);
beforeEach(async () => void (visitor = await enterDemo(server, "/dashboard")), 60_000);
afterEach(() => visitor.close());

async function openTab(path: string): Promise<Page> {
  const tab = await visitor.context.newPage();
  await tab.goto(`${server.url}${path}`);
  return tab;
}
const openCalls = async () => {
  const tab = await openTab(`/dashboard/calls?search=${encodeURIComponent("Unmistakable")}`);
  await tab.getByText(PATIENT).first().waitFor();
  return tab;
};
const expectDoor = async (tab: Page) => {
  await tab.getByRole("heading", { name: "Sign in" }).waitFor();
  expect(await tab.content()).not.toContain("Unmistakable");
  expect(tab.url()).not.toContain("Unmistakable");
};
const signOut = () => visitor.page.getByRole("button", { name: "Sign out" }).click();

describe("every tab goes to the sign-in page and shows no personal data", () => {
  test("after sign-out in another tab", async () => {
    const calls = await openCalls();
    const people = await openTab("/dashboard/settings/people");
    await people.getByText("owner@demo.invalid").first().waitFor();
    await visitor.page.bringToFront();
    await signOut();
    for (const tab of [visitor.page, calls, people]) await expectDoor(tab);
  }, 180_000);

  test("after the session ended elsewhere, each tab once although the others report it too", async () => {
    const calls = await openCalls();
    const loads: Page[] = [];
    visitor.context.on("request", (request) => {
      if (request.isNavigationRequest()) loads.push(request.frame().page());
    });
    const cookies = await visitor.context.cookies(`${server.url}/dashboard/api/`);
    const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
    await fetch(`${server.url}/dashboard/api/logout`, {
      method: "POST",
      headers: { cookie, "x-ringward-dashboard": "1" },
    });
    await expectDoor(calls);
    await expectDoor(visitor.page);
    expect(new Set(loads)).toEqual(new Set([calls, visitor.page]));
    expect(loads).toHaveLength(2);
  }, 180_000);

  test("and returns automatically after sign-in in another tab", async () => {
    const calls = await openTab("/dashboard/calls");
    // Chromium crashed once when a tab was navigated while it was still loading.
    await calls.getByRole("navigation", { name: "Menu" }).waitFor();
    await visitor.page.bringToFront();
    await signOut();
    await expectDoor(calls);
    await visitor.page.getByRole("button", { name: "Enter the demo hospital" }).click();
    await calls.getByRole("navigation", { name: "Menu" }).waitFor();
  }, 180_000);
});

test("the Back button shows no patient data after sign-out", async () => {
  const calls = await openCalls();
  await calls.goto(`${server.url}/swagger`);
  await visitor.page.bringToFront();
  await signOut();
  await expectDoor(visitor.page);
  await calls.bringToFront();
  await calls.goBack();
  await calls.getByRole("heading", { name: "Sign in" }).waitFor();
  expect(await calls.content()).not.toContain(PATIENT);
}, 180_000);

test("a page in the back-forward cache is stored empty, and reloads", async () => {
  const calls = await openCalls();
  const hidden = await calls.evaluate(() => {
    dispatchEvent(new PageTransitionEvent("pagehide", { persisted: true }));
    return document.documentElement.hidden;
  });
  expect(hidden).toBeTrue();
  const loaded = calls.waitForEvent("load");
  await calls.evaluate(() => void dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })));
  await loaded;
  await calls.getByText(PATIENT).first().waitFor();
}, 180_000);

// Reminders in a real browser: a rule as a sentence, the people it calls, and reminding a day by hand. Clicks are
// counted.
/// <reference lib="dom" />
import { beforeAll, describe, expect, test } from "bun:test";
import type { Locator } from "playwright-core";
import { daysAhead } from "../calendar/ahead.ts";
import { ask } from "../support/api-client.ts";
import { leaveNothingBehind, type Running } from "../support/binary.ts";
import { closeBrowsers, screenshot, type Visit } from "../support/browser.ts";
import { startQuick, talkative } from "../support/calls.ts";
import { faultsOnBoth } from "./both-looks.ts";
import { DESKTOP, enterDemo, misdeeds } from "./dashboard-visit.ts";

closeBrowsers();
leaveNothingBehind();

let server: Running;
let visitor: Visit;
const SOON = daysAhead(3);

async function book(slotId: string, name: string, number: string | null): Promise<void> {
  const body = { slot_id: slotId, contact_name: name, contact_number: number };
  const { status, text } = await ask(server, "POST", "/v1/appointments", { body });
  if (status !== 201) throw new Error(text);
}

beforeAll(async () => {
  server = await startQuick();
  const window = { branch_id: server.demo["branch_id"], day: SOON.day, session: "Evening", ai_slots: 4, max_slots: 10 };
  const { data, text, status } = await ask(server, "POST", "/v1/appointment-slots", { body: window });
  if (status !== 201) throw new Error(text);
  const slot = `${String(data["calendar_id"])}||${SOON.date}`;
  await book(slot, "Test Patient One", talkative());
  await book(slot, "Test Patient Two", talkative());
  await book(slot, "Test Patient Three", null);
  visitor = await enterDemo(server, "/dashboard/calendar/reminders");
}, 300_000);

let clicks = 0;
async function click(target: Locator): Promise<void> {
  clicks += 1;
  await target.click();
}
const button = (name: string) => visitor.page.getByRole("button", { name, exact: true });
const inDialog = (name: string) => visitor.page.locator("dialog").getByRole("button", { name, exact: true });
const field = (name: string) => visitor.page.locator("dialog").getByLabel(name, { exact: true });
const said = (text: string) => visitor.page.locator(".toast", { hasText: text }).first().waitFor();

describe("a rule", () => {
  test("is created with its sentence shown, in 2 clicks", async () => {
    const { page } = visitor;
    await page.getByText("No rules yet.").waitFor();
    clicks = 0;
    await click(button("New rule"));
    const preview = page.locator(".rem-preview");
    await preview.getByText("is called at 10:00 the day before by Asha, up to 3 times.").waitFor();
    await preview.getByText("Tomorrow:").waitFor();
    await field("Days before").fill("2");
    await preview.getByText("is called at 10:00, 2 days before by Asha").waitFor();
    await preview.getByText("Tomorrow: 2 people. 1 more has no phone number.").waitFor();
    expect(await field("visit").inputValue()).toBe("date_and_time");
    await screenshot(page, "reminders-editor");
    await click(inDialog("Save"));
    await said("The rule was saved.");
    expect(clicks).toBe(2);
    const rule = page.locator(".rem-rules > li");
    await rule.getByText("3 people to call").waitFor();
    await page.getByRole("region", { name: "Called next" }).getByText("No phone number").waitFor();
  });

  test("passes the visual and axe checks on desktop and phone, light and dark", async () => {
    await visitor.page.getByRole("region", { name: "Called next" }).waitFor();
    expect(await faultsOnBoth(visitor, "reminders")).toEqual([]);
    await button("New rule").click();
    await visitor.page.locator("dialog").getByText("Tomorrow:").waitFor();
    expect(await faultsOnBoth(visitor, "reminders-editor")).toEqual([]);
    await visitor.page.keyboard.press("Escape");
    await visitor.page.setViewportSize(DESKTOP);
  });
});

describe("by hand", () => {
  test("a day is reminded in 2 clicks, and the results are shown", async () => {
    const { page } = visitor;
    await page.goto(`${server.url}/dashboard/calendar?branch=${server.demo["branch_id"]}&day=${SOON.date}`);
    await button("Remind this day").waitFor();
    clicks = 0;
    await click(button("Remind this day"));
    await page.locator("dialog").getByText("2 people will be called. 1 has no phone number.").waitFor();
    expect(await faultsOnBoth(visitor, "reminders-day")).toEqual([]);
    await page.setViewportSize(DESKTOP);
    await click(inDialog("Call 2 people now"));
    await said("2 people are called now.");
    expect(clicks).toBe(2);
    await page.getByRole("link", { name: "Reminders", exact: true }).click();
    const past = page.getByRole("region", { name: "History" });
    await past.getByText("A person, 1 try").nth(1).waitFor();
    await screenshot(page, "reminders-after");
  });

  test("the rule is disabled with one click, and its planned calls are cancelled", async () => {
    await visitor.page
      .locator(".rem-rules")
      .getByRole("button", { name: /^Switch off/ })
      .click();
    await said("The rule is off.");
    await visitor.page.locator(".rem-rules").getByText("Nobody to call").waitFor();
  });
});

test("no other host was contacted, and no error was logged", () => {
  expect(misdeeds(server, visitor)).toEqual([]);
});

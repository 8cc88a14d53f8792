// The worklist and the contacts in a real browser: tasks for a person, the next step in one click, who completed it,
// and all data of a contact. Clicks are counted.
/// <reference lib="dom" />
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { ask } from "../support/api-client.ts";
import { leaveNothingBehind, runBinary, type Running } from "../support/binary.ts";
import { closeBrowsers, visit, type Visit } from "../support/browser.ts";
import { finished, numberEnding, place, placeAndFinish, startQuick } from "../support/calls.ts";
import { complaintsOf, expectFit } from "./calls-visit.ts";
import { clicksOf, countClicks } from "./clicks.ts";
import { DESKTOP, enterDemo, PHONE } from "./dashboard-visit.ts";

setDefaultTimeout(180_000);
closeBrowsers();
leaveNothingBehind();

const STAFF = { email: "staff@example.test", password: "correct horse battery" };

let server: Running;
beforeAll(async () => {
  // A repeated call waits long enough to be checked.
  server = await startQuick({ RINGWARD_CALLS__DEFAULT_DELAY_SECONDS: "1" });
  const made = ["people", "create", "--email", STAFF.email, "--name", "Asha Rao", "--role", "staff"];
  const { code, stderr } = await runBinary([...made, "--data", server.dataDir], { stdin: STAFF.password });
  expect([code, stderr]).toEqual([0, ""]);
}, 180_000);

test("staff start with the worklist, owners with the figures, and both can reach the other", async () => {
  const staff = await visit(`${server.url}/dashboard`, DESKTOP);
  await staff.page.getByLabel("E-mail address").fill(STAFF.email);
  await staff.page.getByLabel("Password").fill(STAFF.password);
  await staff.page.getByRole("button", { name: "Sign in", exact: true }).click();
  await staff.page.getByRole("heading", { name: "Today" }).waitFor();
  await staff.page.getByText("All clear.").waitFor();
  await staff.page.getByRole("link", { name: "Overview" }).click();
  await staff.page.getByRole("heading", { name: "Overview" }).waitFor();
  await staff.close();
  const owner = await enterDemo(server, "/dashboard");
  await owner.page.getByRole("heading", { name: "Overview" }).waitFor();
  await owner.page.getByRole("link", { name: "Today" }).click();
  await owner.page.getByRole("heading", { name: "Today" }).waitFor();
  await owner.close();
});

describe.each([
  ["at a desk", DESKTOP, "light"],
  ["on a phone", PHONE, "dark"],
] as const)("%s", (where, viewport, scheme) => {
  let visitor: Visit;
  beforeAll(async () => {
    visitor = await enterDemo(server, "/dashboard/today", viewport);
    await countClicks(visitor);
  });
  afterAll(() => visitor.close());
  const isFit = (name: string) => expectFit(visitor, `today ${where} ${name}`, [scheme]);
  const item = (name: string) => visitor.page.locator(".card.worklist .worklist-item", { hasText: name });

  test("a failed call appears automatically, is marked done with one click, and restored with one", async () => {
    const { page } = visitor;
    const name = `Busy ${where}`;
    await finished(server, await place(server, { user_name: name, user_number: numberEnding("0001") }));
    await item(name).getByText("The line was busy.").waitFor();
    await page
      .getByRole("navigation")
      .getByText(/\d+ open/)
      .waitFor({ state: "attached" });
    await isFit("open");
    await clicksOf(visitor);
    await page.getByRole("button", { name: `Done: ${name}` }).click();
    await page
      .getByText(/Done by Demo Owner/)
      .first()
      .waitFor();
    expect(await clicksOf(visitor)).toBe(1);
    await page.getByRole("button", { name: `Undo: ${name}` }).click();
    await item(name).waitFor();
  });

  test("and is repeated with one click; its entry shows the new call once that fails too", async () => {
    const { page } = visitor;
    const name = `Busy ${where}`;
    const before = await item(name).getByRole("link").first().getAttribute("href");
    await clicksOf(visitor);
    await page.getByRole("button", { name: `Call again: ${name}` }).click();
    await page.getByText(/The call is planned for/).waitFor();
    expect(await clicksOf(visitor)).toBe(1);
    await page.waitForFunction(
      ([text, old]) =>
        [...document.querySelectorAll(".worklist-item")].some(
          (line) => line.textContent.includes(text) && line.querySelector("a")?.getAttribute("href") !== old,
        ),
      [name, before] as const,
    );
  });

  test("the many people a campaign did not reach are one entry, and are all called again with one click", async () => {
    const { page } = visitor;
    const name = `Nobody there ${where}`;
    const rows = Array.from({ length: 6 }, () => ({ user_number: numberEnding("0001"), user_name: "Listed" }));
    const body = { name, agent_id: server.demo["agent_id"], calls_per_minute: 6_000, retry: {}, rows };
    expect((await ask(server, "POST", "/v1/campaigns", { body })).status).toBe(201);
    await item(name).getByText("6 of 6 people on the list were not reached.").waitFor();
    await isFit("campaign");
    expect(await item("Listed").count()).toBe(0);
    await clicksOf(visitor);
    await page.getByRole("button", { name: `Call all 6 again: ${name}` }).click();
    await page.getByText("6 people are called again.").waitFor();
    expect(await clicksOf(visitor)).toBe(1);
  });

  test("a person is found by a number in local notation, and has a page with notes; one click after typing", async () => {
    const { page } = visitor;
    const { contact_number: number } = await placeAndFinish(server, { user_name: `Kamala ${where}` });
    await page.getByRole("link", { name: "People" }).click();
    await clicksOf(visitor);
    // Without its country code, with a zero and spaces.
    await page
      .getByRole("searchbox", { name: "Search for a person" })
      .fill(`0${number.slice(2, 5)} ${number.slice(5)}`);
    await page.getByRole("link", { name: `Kamala ${where}` }).waitFor();
    await isFit("people");
    expect(page.url()).toEndWith("/dashboard/people");
    await page.getByRole("link", { name: `Kamala ${where}` }).click();
    await page.getByRole("heading", { name: `Kamala ${where}` }).waitFor();
    expect(await clicksOf(visitor)).toBe(1);
    expect(page.url()).not.toContain(number.slice(1));
    await page.getByLabel("New note").fill("Hard of hearing: speak slowly.");
    await page.getByRole("button", { name: "Add note" }).click();
    await page.getByText(/^Demo Owner, /).waitFor();
    await isFit("person");
  });

  test("and is erased completely by an owner", async () => {
    const { page } = visitor;
    await page.locator("summary[aria-label='More actions']").click();
    await page.getByRole("button", { name: "Erase this person …" }).click();
    await page.getByRole("dialog").getByLabel("I understand that this cannot be undone.").check();
    await isFit("erase");
    await page.getByRole("dialog").getByRole("button", { name: "Erase for good" }).click();
    await page.getByText("The person was erased.").waitFor();
    await page.getByRole("heading", { name: "People" }).waitFor();
    expect(complaintsOf(server, visitor)).toEqual([]);
  });
});

// Actions of staff on existing calls in a real browser: call again, change, do not disturb, download, erase; also in
// bulk. Clicks are counted.
/// <reference lib="dom" />
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { phoneGroups } from "../../src/web/format.ts";
import { createCall } from "../support/api-client.ts";
import { leaveNothingBehind, type Running } from "../support/binary.ts";
import { closeBrowsers, type Visit } from "../support/browser.ts";
import { finished, numberEnding, place, placeAndFinish, startQuick } from "../support/calls.ts";
import { until } from "../support/until.ts";
import { complaintsOf, expectFit } from "./calls-visit.ts";
import { clicksOf, countClicks } from "./clicks.ts";
import { DESKTOP, enterDemo, PHONE } from "./dashboard-visit.ts";

setDefaultTimeout(180_000);
closeBrowsers();
leaveNothingBehind();

const MANY = 30;

let server: Running;
let talkedId: string;
beforeAll(async () => {
  server = await startQuick();
  ({ call_id: talkedId } = await placeAndFinish(server, { user_name: "Meera Nair" }));
  const ids = await Promise.all(
    Array.from({ length: MANY }, (_, i) =>
      place(server, { user_name: `Busy ${i}`, user_number: numberEnding("0001") }),
    ),
  );
  for (const id of ids) await finished(server, id);
}, 180_000);

describe.each([
  ["at a desk", DESKTOP, "light"],
  ["on a phone", PHONE, "dark"],
] as const)("%s", (where, viewport, scheme) => {
  let visitor: Visit;
  beforeAll(async () => {
    visitor = await enterDemo(server, "/dashboard/calls?outcome=busy", viewport);
    await countClicks(visitor);
  });
  afterAll(() => visitor.close());
  const isFit = (name: string) => expectFit(visitor, `work ${where} ${name}`, [scheme]);
  const dialog = () => visitor.page.getByRole("dialog");
  const button = (name: string) => visitor.page.getByRole("button", { name, exact: true });
  const open = async (id: string) => {
    await visitor.page.goto(`${server.url}/dashboard/calls/${id}`);
    await visitor.page.getByRole("heading", { name: /^Call with/ }).waitFor();
  };

  test("all matching calls are called again in four clicks, with a report of the skipped ones", async () => {
    const { page } = visitor;
    await page.locator(".call-row").first().waitFor();
    await clicksOf(visitor);
    await page
      .getByLabel(/^Select the call with Busy/)
      .first()
      .check();
    await button("Select all that match").click();
    await page.getByText(/^All \d+ that match are selected$/).waitFor();
    await isFit("selection");
    await page
      .getByRole("region", { name: /selected/ })
      .getByRole("button", { name: "Call again" })
      .click();
    await dialog().getByRole("button", { name: "Call them again" }).click();
    await dialog().getByText(`${MANY} calls planned.`).waitFor();
    expect(await clicksOf(visitor)).toBe(4);
    await isFit("report");
    await dialog().getByRole("button", { name: "Close" }).last().click();
    await until(async () => (await page.locator(".call-row").count()) >= 25, { what: () => "no rows" });
  });

  test("filters are saved under a name, and restored with one click", async () => {
    const { page } = visitor;
    await page.goto(`${server.url}/dashboard/calls?outcome=busy&planned=today`);
    await button("Save these filters …").click();
    await dialog().getByLabel("Name").fill(`Busy ${where}`);
    await dialog().getByRole("button", { name: "Save" }).click();
    await page.goto(`${server.url}/dashboard/calls`);
    await page.getByRole("link", { name: `Busy ${where}` }).click();
    await page.waitForURL(/outcome=busy&planned=today/);
    await page.getByText("Planned for: Today").waitFor();
    await button("Filters (2)").click();
    expect(await page.getByLabel("Planned for", { exact: true }).inputValue()).toBe("today");
    await isFit("filters");
    await button(`Remove the saved filter Busy ${where}`).click();
    await page.getByRole("link", { name: `Busy ${where}` }).waitFor({ state: "detached" });
  });

  test("a finished call is repeated at a given time, changed, and cancelled", async () => {
    const { page } = visitor;
    await open(talkedId);
    await isFit("call");
    await clicksOf(visitor);
    await button("Call again").click();
    const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
    await dialog().getByLabel("Day and time").fill(`${day}T09:30`);
    await isFit("again");
    await dialog().getByRole("button", { name: "Call at this time" }).click();
    await page.getByText(/The call is planned for .* 09:30:00/).waitFor();
    expect(await clicksOf(visitor)).toBe(2);
    await button("Change …").click();
    await dialog().getByLabel("Day and time").fill(`${day}T10:45`);
    await dialog().getByLabel("Name", { exact: true }).fill(`Meera ${where}`);
    await isFit("change");
    await dialog().getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: `Call with Meera ${where}` }).waitFor();
    await page.getByText(/10:45/).first().waitFor();
    await button("Cancel the call").click();
    await dialog().getByRole("button", { name: "Cancel the call" }).click();
    await page.getByText("The call was cancelled.").waitFor();
    // An owner can erase it although it was not answered.
    await button("Delete …").click();
    await dialog().getByLabel("I understand that this cannot be undone.").check();
    await dialog().getByRole("button", { name: "Delete for good" }).click();
    await page.getByText("The call was deleted.").waitFor();
  });

  test("recording and transcript are downloaded with one click each", async () => {
    const { page } = visitor;
    await open(talkedId);
    for (const [name, file] of [
      ["Download the recording", `${talkedId}.wav`],
      ["Transcript as text", `${talkedId}.txt`],
      ["Transcript as JSON", `${talkedId}.json`],
    ] as const) {
      const [download] = await Promise.all([
        // The recording of a simulated call is generated on first playback.
        page.waitForEvent("download"),
        page.getByRole("link", { name, exact: true }).click(),
      ]);
      expect(download.suggestedFilename()).toBe(file);
      await download.path();
    }
  });

  test("a number is added to the do-not-disturb list from its call", async () => {
    const { page } = visitor;
    const number = numberEnding("0001");
    const id = await createCall(server, { user_name: "Leave Me", user_number: number });
    await open(id);
    await button("Do not call again …").click();
    await dialog().getByText(phoneGroups(number).join(" ")).waitFor();
    await dialog().getByRole("button", { name: "Add to the list" }).click();
    await page.getByText("On the do-not-disturb list", { exact: true }).waitFor();
    expect(complaintsOf(server, visitor)).toEqual([]);
  });
});

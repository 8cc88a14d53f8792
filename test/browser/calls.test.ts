// The pages of calls in a real browser: the live list, a new call, cancelling, one call with its sound, deleting.
/// <reference lib="dom" />
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { createCall } from "../support/api-client.ts";
import { leaveNothingBehind, runBinary, type Running } from "../support/binary.ts";
import { closeBrowsers, screenshot, visit, type Visit } from "../support/browser.ts";
import { finished, numberEnding, place } from "../support/calls.ts";
import { closeReceivers, startSharing, type SharingServer } from "../support/shared-calls.ts";
import { until } from "../support/until.ts";
import { DESKTOP, enterDemo, faultsOf, misdeeds, overflow, PHONE } from "./dashboard-visit.ts";

setDefaultTimeout(30_000);
closeBrowsers();
closeReceivers();
leaveNothingBehind();

const WAITING_CALLS = 26;
const VIEWER = { email: "viewer@example.test", password: "correct horse battery" };

let share: SharingServer;
let server: Running;
let talkedId: string;
let followedId: string;
beforeAll(async () => {
  share = await startSharing();
  server = share.server;
  await share.sharing("on");
  const more = { user_email: "meera@example.test", additional_info: { doctor: "Dr. Example", visit: "<b>review</b>" } };
  ({ call_id: talkedId } = await share.sharedCall({ user_name: "Meera Nair", ...more }));
  ({ call_id: followedId } = await share.sharedCall({ user_name: "Callback Kumar", user_number: numberEnding("0007") }));
  await finished(server, await place(server, { user_name: "Busy Person", user_number: numberEnding("0001") }));
  for (let i = 0; i < WAITING_CALLS; i++) await createCall(server, { user_name: `Waiting ${i}`, user_number: "+912255550124" });
  const made = ["people", "create", "--email", VIEWER.email, "--name", "Viewer", "--role", "viewer"];
  const { code, stderr } = await runBinary([...made, "--data", server.dataDir], { stdin: VIEWER.password });
  expect([code, stderr]).toEqual([0, ""]);
}, 60_000);

/** Refusals that a test provoked are no complaint; nor is a range that a player let go of when it was sent elsewhere. */
const complaintsOf = (visitor: Visit) =>
  misdeeds(server, visitor).filter((text) => !/status of 4(00|01|04|22) |recording\.wav\S* net::ERR_ABORTED/.test(text));

describe.each([
  ["at a desk", DESKTOP],
  ["on a phone", PHONE],
])("%s", (where, viewport) => {
  let visitor: Visit;
  beforeAll(async () => {
    visitor = await enterDemo(server, "/dashboard/calls", viewport);
  });
  afterAll(() => visitor.close());

  /** Dialogs are looked at in the light at a desk and in the dark on a phone. */
  const oneScheme = [viewport === PHONE ? "dark" : "light"] as const;
  const picture = (name: string) => screenshot(visitor.page, `calls-${where.replaceAll(" ", "-")}-${name}`);
  const rows = () => visitor.page.locator(".call-row");
  const rowOf = (name: string) => visitor.page.locator(".call-row", { hasText: name });
  const dialog = () => visitor.page.getByRole("dialog");
  const open = (path: string) => visitor.page.goto(`${server.url}/dashboard/calls${path}`);
  const counts = (count: number) => until(async () => (await rows().count()) === count, { what: () => `not ${count} rows` });

  /** Nothing wider than the screen, nothing that axe complains of. */
  async function isFit(name: string, schemes: readonly ("light" | "dark")[] = ["light", "dark"]): Promise<void> {
    for (const colorScheme of schemes) {
      await visitor.page.emulateMedia({ colorScheme });
      expect([name, colorScheme, await overflow(visitor)]).toEqual([name, colorScheme, 0]);
      expect([name, colorScheme, await faultsOf(visitor)]).toEqual([name, colorScheme, []]);
      await picture(`${name}-${colorScheme}`);
    }
  }

  test("the list shows who, when, how it stands and what came of it, and grows on demand", async () => {
    await counts(25);
    await isFit("list");
    await visitor.page.getByRole("button", { name: "Show more" }).click();
    await until(async () => (await rows().count()) > 25, { what: () => "no more rows" });
    expect(await rowOf("Meera Nair").textContent()).toMatch(/Asha.*Completed.*Appointment booked.*\d s/);
    expect(await rowOf("Busy Person").textContent()).toMatch(/Failed.*The line is busy\./);
    expect(await rowOf("Waiting 7").textContent()).toMatch(/planned.*Scheduled/);
  });

  test("a call made elsewhere comes into the list and is followed to its end without a reload", async () => {
    await visitor.page.evaluate(() => Object.assign(window, { isSamePage: true }));
    const name = `Live ${where}`;
    await finished(server, await place(server, { user_name: name }));
    await rowOf(name).getByText("Completed").waitFor();
    expect(await visitor.page.evaluate(() => "isSamePage" in window)).toBeTrue();
  });

  test("filters narrow the list, stay in the address, and outlive a reload", async () => {
    const { page } = visitor;
    await page.getByLabel("State").selectOption("failed");
    await page.getByLabel("Name or number").fill("usy p");
    await page.waitForURL(/search=usy\+p&status=failed/);
    await counts(1);
    await page.reload();
    await counts(1);
    expect(await page.getByLabel("Name or number").inputValue()).toBe("usy p");
    await page.getByLabel("Name or number").fill("+91 (22) 5555-0124");
    await page.getByText("No call matches these filters.").waitFor();
    await page.getByLabel("State").selectOption("");
    await rowOf("Waiting 9").waitFor();
    await page.getByLabel("Created until").fill("2020-01-01");
    await page.getByText("No call matches these filters.").waitFor();
    await page.getByRole("button", { name: "Clear" }).click();
    await counts(25);
    expect(page.url()).toEndWith("/dashboard/calls");
  });

  test("a new call is checked before it is made, and faults stand at their fields", async () => {
    const { page } = visitor;
    await page.getByRole("button", { name: "New call" }).click();
    await dialog().getByLabel("Agent").selectOption({ label: "Asha" });
    await dialog().getByLabel("Phone number").fill("+44 20 7946 0000");
    await dialog().getByRole("button", { name: "Check the call" }).click();
    await dialog().getByText("The number must be an Indian (+91) or US (+1) number.").waitFor();
    expect(await dialog().getByLabel("Phone number").evaluate((field) => field === document.activeElement)).toBeTrue();
    await isFit("new", oneScheme);

    await dialog().getByLabel("Phone number").fill("+1 (555) 555-0144");
    await dialog().getByLabel("Name", { exact: true }).fill(`New ${where}`);
    await dialog().getByLabel("Value of visit").fill("check-up");
    await dialog().getByText("Later").click();
    await dialog().getByLabel("Day and time").fill("2020-01-01T09:30");
    await dialog().getByRole("button", { name: "Check the call" }).click();
    await dialog().getByText("The time must lie in the future.").waitFor();
    const year = new Date().getFullYear() + 1;
    // Beyond the limit, next year; within it, in three days.
    await dialog().getByLabel("Day and time").fill(`${year + 1}-01-01T09:30`);
    await dialog().getByRole("button", { name: "Check the call" }).click();
    await dialog().getByText(/The time must be at most \d+ days ahead/).waitFor();
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

    await dialog().getByRole("button", { name: "Change it" }).click();
    expect(await dialog().getByLabel("Name", { exact: true }).inputValue()).toBe(`New ${where}`);
    await dialog().getByRole("button", { name: "Check the call" }).click();
    await dialog().getByRole("button", { name: "Make the call" }).click();
    await page.getByText(/The call is planned for .* 09:30:00/).waitFor();
    await rowOf(`New ${where}`).getByText("Scheduled").waitFor();
  });

  test("a call that waits is cancelled after one more question", async () => {
    const { page } = visitor;
    await rowOf(`New ${where}`).getByRole("button", { name: `Cancel the call to New ${where}` }).click();
    await dialog().getByRole("button", { name: "Keep the call" }).click();
    await rowOf(`New ${where}`).getByText("Scheduled").waitFor();
    await rowOf(`New ${where}`).getByRole("link").click();
    await page.getByText("Goes out").waitFor();
    await page.getByRole("button", { name: "Cancel the call" }).click();
    await dialog().getByText(`New ${where} will not be called`).waitFor();
    await isFit("cancel", oneScheme);
    await dialog().getByRole("button", { name: "Cancel the call" }).click();
    await page.locator(".timeline").getByText("Cancelled").waitFor();
    expect(await page.getByRole("button", { name: "Cancel the call" }).count()).toBe(0);
  });

  test("a call's page tells all of it: what came of it, when, what was sent, and the public link", async () => {
    const { page } = visitor;
    await open(`/${talkedId}`);
    await page.getByRole("heading", { level: 1, name: "Call with Meera Nair" }).waitFor();
    const all = (await page.locator("main").textContent()) ?? "";
    for (const text of ["Appointment booked", "Positive", "meera@example.test", "<b>review</b>", "General consultation"]) {
      expect(all).toContain(text);
    }
    expect(await page.locator(".timeline li > span").allTextContents()).toEqual(
      ["Created", "Planned for", "Dialling", "Ringing", "Talking", "Completed"],
    );
    const delivery = page.locator(".call-deliveries li");
    expect(await delivery.textContent()).toMatch(/call\.completed.*Delivered.*127\.0\.0\.1:\d+.*1 attempt/);
    expect(await delivery.getByRole("link").getAttribute("href")).toMatch(/^\/dashboard\/developers\/deliveries\?id=dlv_/);
    expect(await page.getByLabel("Link to this call").inputValue()).toContain(`/public/call/${talkedId}/details?share_token=`);
    await isFit("call");
  });

  test("the recording is drawn in two colours and sought by pointer and by key", async () => {
    const { page } = visitor;
    const slider = page.getByRole("slider", { name: "Position in the recording" });
    const position = async () => Number(await slider.getAttribute("aria-valuenow"));
    const length = Number(await slider.getAttribute("aria-valuemax"));
    const colours = () =>
      page.locator(".waveform canvas").evaluate((canvas: HTMLCanvasElement) => {
        const style = getComputedStyle(canvas);
        const copy = Object.assign(document.createElement("canvas"), { width: canvas.width, height: canvas.height });
        const probe = copy.getContext("2d", { willReadFrequently: true })!;
        probe.drawImage(canvas, 0, 0);
        const pixels = probe.getImageData(0, 0, copy.width, copy.height).data;
        return ["--voice-agent", "--voice-contact"].map((name) => {
          probe.clearRect(0, 0, 1, 1);
          probe.fillStyle = style.getPropertyValue(name);
          probe.fillRect(0, 0, 1, 1);
          const [red, green, blue] = probe.getImageData(0, 0, 1, 1).data;
          return pixels.some((_, at) => at % 4 === 0 && pixels[at] === red && pixels[at + 1] === green && pixels[at + 2] === blue);
        });
      });
    await slider.focus();
    await page.keyboard.press("End");
    await until(async () => (await position()) === length, { what: () => "End did not lead to the end" });
    await until(async () => (await colours()).every(Boolean), { what: () => "the picture lacks a colour" });
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
    await until(async () => (await position()) === 5, { what: () => "an arrow key is not five seconds" });
    const box = (await slider.boundingBox())!;
    await page.mouse.click(box.x + box.width / 2, box.y + 10);
    await until(async () => Math.abs((await position()) - length / 2) <= 1, { what: () => "a click does not seek" });
  });

  test("the transcript follows the recording, and a line plays from its place", async () => {
    const { page } = visitor;
    const lines = page.locator(".transcript li");
    const spoken = () => lines.evaluateAll((all) => all.findIndex((line) => line.ariaCurrent === "true"));
    const isMarked = (index: number) => until(async () => (await spoken()) === index, { what: () => `line ${index} was not marked` });
    const last = (await lines.count()) - 1;
    await lines.nth(2).getByRole("button").focus();
    await page.keyboard.press("Enter");
    await isMarked(2);
    await page.getByRole("button", { name: "Pause" }).waitFor();
    expect(await page.locator("audio").evaluate((audio: HTMLAudioElement) => audio.paused)).toBeFalse();
    await page.getByRole("slider").focus();
    await page.keyboard.press("End");
    await isMarked(last);
    const isSeen = () =>
      lines.nth(last).evaluate((line) => {
        const [list, own] = [line.parentElement!.getBoundingClientRect(), line.getBoundingClientRect()];
        return own.top >= list.top - 1 && own.bottom <= list.bottom + 1;
      });
    await until(isSeen, { what: () => "the last line is not in view" });
    await lines.nth(1).locator("p").click();
    await isMarked(1);
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByRole("button", { name: "Play", exact: true }).waitFor();
  });

  test("a link that has run out is renewed by itself, and the recording plays", async () => {
    const { page } = visitor;
    const refused: string[] = [];
    await page.route(/recording\.wav/, async (route) => {
      const isFirst = route.request().resourceType() === "media" && refused.length === 0;
      if (isFirst) refused.push(route.request().url());
      await (isFirst ? route.fulfill({ status: 401 }) : route.continue());
    });
    await page.reload();
    const audio = page.locator("audio");
    await until(() => refused.length === 1, { what: () => "the recording was not asked for" });
    await until(() => audio.evaluate((element: HTMLAudioElement) => element.readyState > 0), { what: () => "no new link was opened" });
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await until(() => audio.evaluate((element: HTMLAudioElement) => element.currentTime > 0), { what: () => "nothing plays" });
    await page.unrouteAll();
  });

  test("a call and the one that follows it lead to each other", async () => {
    const { page } = visitor;
    await open(`/${followedId}`);
    await page.getByText("Followed by").waitFor();
    await page.locator(".facts", { hasText: "Followed by" }).getByRole("link").click();
    await page.getByText("This call follows").waitFor();
    expect(page.url()).not.toContain(followedId);
    await page.locator(".facts", { hasText: "This call follows" }).getByRole("link").click();
    await page.getByText("Followed by").waitFor();
    expect(page.url()).toEndWith(followedId);
  });

  test("deleting says what goes, asks for a second sign, and leads back to the list", async () => {
    const { page } = visitor;
    const name = `Erased ${where}`;
    await finished(server, await place(server, { user_name: name }));
    await open("?search=Erased");
    await rowOf(name).getByRole("link").click();
    await page.getByRole("button", { name: "Delete …" }).click();
    const confirm = dialog().getByRole("button", { name: "Delete for good" });
    expect(await confirm.isDisabled()).toBeTrue();
    expect(await dialog().textContent()).toContain("A booked appointment stays in the calendar");
    await isFit("delete", oneScheme);
    await dialog().getByLabel("I understand that nobody can bring it back.").check();
    await confirm.click();
    await page.waitForURL(/\/dashboard\/calls\?search=Erased$/);
    await page.getByText("The call is deleted.").waitFor();
    await page.getByText("No call matches these filters.").waitFor();
  });

  test("a call that is not there says so", async () => {
    const { page } = visitor;
    await open("/call_nobody");
    await page.getByText("There is no call with this id.").waitFor();
    await page.getByRole("link", { name: "All calls" }).click();
    await counts(25);
  });

  test("no other host was asked, no policy broken, nothing complained of", () => {
    expect(complaintsOf(visitor)).toEqual([]);
  });
});

test("a viewer reads calls and is offered nothing to change", async () => {
  const { page, close } = await visit(`${server.url}/dashboard/calls`);
  await page.getByLabel("E-mail address").fill(VIEWER.email);
  await page.getByLabel("Password").fill(VIEWER.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.locator(".call-row").first().waitFor();
  expect(await page.getByRole("button", { name: /New call|Cancel/ }).count()).toBe(0);
  await page.goto(`${server.url}/dashboard/calls/${talkedId}`);
  await page.locator(".call-deliveries li").waitFor();
  expect(await page.getByRole("button", { name: /Delete/ }).count()).toBe(0);
  expect(await page.locator(".call-deliveries a").count()).toBe(0);
  await close();
});

// The page of one call in a real browser: its details, recording and transcript, and deletion.
/// <reference lib="dom" />
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { ProofChecker } from "../../src/rules/proof/verify.ts";
import { leaveNothingBehind, type Running } from "../support/binary.ts";
import { closeBrowsers, type Visit } from "../support/browser.ts";
import { finished, numberEnding, place } from "../support/calls.ts";
import { closeReceivers, startSharing } from "../support/shared-calls.ts";
import { until } from "../support/until.ts";
import { complaintsOf, expectFit } from "./calls-visit.ts";
import { DESKTOP, enterDemo, PHONE } from "./dashboard-visit.ts";

setDefaultTimeout(180_000);
closeBrowsers();
closeReceivers();
leaveNothingBehind();

let server: Running;
let talkedId: string;
let followedId: string;
beforeAll(async () => {
  const share = await startSharing();
  server = share.server;
  await share.sharing("on");
  const more = { user_email: "meera@example.test", additional_info: { doctor: "Dr. Example", visit: "<b>review</b>" } };
  ({ call_id: talkedId } = await share.sharedCall({ user_name: "Meera Nair", ...more }));
  ({ call_id: followedId } = await share.sharedCall({
    user_name: "Callback Kumar",
    user_number: numberEnding("0007"),
  }));
}, 180_000);

describe.each([
  ["at a desk", DESKTOP],
  ["on a phone", PHONE],
])("%s", (where, viewport) => {
  let visitor: Visit;
  beforeAll(async () => {
    visitor = await enterDemo(server, `/dashboard/calls/${talkedId}`, viewport);
  });
  afterAll(() => visitor.close());

  const oneScheme = [viewport === PHONE ? "dark" : "light"] as const;
  const isFit = (name: string, schemes?: readonly ("light" | "dark")[]) =>
    expectFit(visitor, `${where} ${name}`, schemes);
  const dialog = () => visitor.page.getByRole("dialog");

  test("a call's page shows its outcome, times, deliveries and public link", async () => {
    const { page } = visitor;
    await page.goto(`${server.url}/dashboard/calls/${talkedId}`);
    await page.getByRole("heading", { level: 1, name: "Call with Meera Nair" }).waitFor();
    const all = (await page.locator("main").textContent()) ?? "";
    for (const text of [
      "Appointment booked",
      "Positive",
      "meera@example.test",
      "<b>review</b>",
      "General consultation",
    ]) {
      expect(all).toContain(text);
    }
    expect(await page.locator(".timeline li > span").allTextContents()).toEqual([
      "Created",
      "Planned for",
      "Dialling",
      "Ringing",
      "Talking",
      "Completed",
    ]);
    const delivery = page.locator(".call-deliveries li");
    expect(await delivery.textContent()).toMatch(/call\.completed.*Delivered.*127\.0\.0\.1:\d+.*1 attempt/);
    expect(await delivery.getByRole("link").getAttribute("href")).toMatch(
      /^\/dashboard\/developers\/deliveries\?id=dlv_/,
    );
    expect(await page.getByLabel("Link to this call").inputValue()).toContain(
      `/public/call/${talkedId}/details?share_token=`,
    );
    await isFit("call");
  });

  test("the call alone is shared for seven days, and its link is revoked", async () => {
    const { page } = visitor;
    await page.getByRole("button", { name: "Share …" }).click();
    expect(await dialog().getByLabel("The link works for").inputValue()).toBe("7");
    await isFit("share-dialog");
    await dialog().getByRole("button", { name: "Create link" }).click();
    const { pathname, search } = new URL(await page.getByLabel("Link to share").inputValue());
    await isFit("shared-alone");
    const opened = async () => (await fetch(server.url + pathname + search)).status;
    expect(await opened()).toBe(200);
    await page.getByRole("button", { name: "Revoke" }).click();
    await dialog().getByRole("button", { name: "Revoke" }).click();
    await page.getByRole("button", { name: "Share …" }).waitFor();
    expect(await opened()).toBe(401);
  });

  test("the proof is a timeline, and its file is the signed one", async () => {
    const { page } = visitor;
    const card = page.locator(".card", { has: page.getByRole("heading", { name: "Proof", exact: true }) });
    await card.getByText("Signed", { exact: true }).waitFor();
    const titles = await card.locator(".proof-steps li > span:first-child").allTextContents();
    expect(titles).toContain("Said who calls");
    // In the order in which it happened.
    const inCall = ["Asked whether the call may be recorded", "Recorded", "Said the number to call back"];
    expect(titles.filter((title) => inCall.includes(title))).toEqual(inCall);
    expect(titles.slice(-2)).toEqual(["Ended", "Signed"]);
    expect(await card.textContent()).toMatch(/Record \d+ of this organisation, \d+ of the appliance/);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      card.getByRole("link", { name: "Download proof" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(`proof-${talkedId}.json`);
    const checker = new ProofChecker({ keys: null });
    expect(checker.add(readFileSync(await download.path(), "utf8").trimEnd()).call).toBe(talkedId);
    await isFit("proof");
  });

  test("the recording is drawn in two colours, and seeking works by pointer and by key", async () => {
    const { page } = visitor;
    const slider = page.getByRole("slider", { name: "Position in the recording" });
    const position = async () => Number(await slider.getAttribute("aria-valuenow"));
    // Known exactly once the recording is loaded.
    const length = async () => Number(await slider.getAttribute("aria-valuemax"));
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
          return pixels.some(
            (_, at) => at % 4 === 0 && pixels[at] === red && pixels[at + 1] === green && pixels[at + 2] === blue,
          );
        });
      });
    await slider.focus();
    await page.keyboard.press("End");
    await until(async () => (await position()) === (await length()), { what: () => "End did not lead to the end" });
    await until(async () => (await colours()).every(Boolean), { what: () => "the picture lacks a colour" });
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
    await until(async () => (await position()) === 5, { what: () => "an arrow key is not five seconds" });
    await slider.scrollIntoViewIfNeeded();
    const box = (await slider.boundingBox())!;
    await page.mouse.click(box.x + box.width / 2, box.y + 10);
    await until(async () => Math.abs((await position()) - (await length()) / 2) <= 1, {
      what: () => "a click does not seek",
    });
  });

  test("the transcript follows the recording, and a line plays from its position", async () => {
    const { page } = visitor;
    const lines = page.locator(".transcript li");
    const spoken = () => lines.evaluateAll((all) => all.findIndex((line) => line.ariaCurrent === "true"));
    const isMarked = (index: number) =>
      until(async () => (await spoken()) === index, { what: () => `line ${index} was not marked` });
    const last = (await lines.count()) - 1;
    // The first offered slot: speaking it takes some seconds.
    await lines.nth(4).getByRole("button").focus();
    await page.keyboard.press("Enter");
    await isMarked(4);
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
    // The first lines precede the recording.
    await lines.nth(3).locator("p").click();
    await isMarked(3);
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByRole("button", { name: "Play", exact: true }).waitFor();
  });

  test("an expired link is renewed automatically, and the recording plays", async () => {
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
    await until(() => audio.evaluate((element: HTMLAudioElement) => element.readyState > 0), {
      what: () => "no new link was opened",
    });
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await until(() => audio.evaluate((element: HTMLAudioElement) => element.currentTime > 0), {
      // The first playback generates it, with a voice that has to be loaded first.
      withinMs: 120_000,
      what: () => "nothing plays",
    });
    await page.unrouteAll();
  });

  test("a call and its follow-up link to each other", async () => {
    const { page } = visitor;
    await page.goto(`${server.url}/dashboard/calls/${followedId}`);
    await page.getByText("Followed by").waitFor();
    await page.locator(".facts", { hasText: "Followed by" }).getByRole("link").click();
    await page.getByText("This call follows").waitFor();
    expect(page.url()).not.toContain(followedId);
    await page.locator(".facts", { hasText: "This call follows" }).getByRole("link").click();
    await page.getByText("Followed by").waitFor();
    expect(page.url()).toEndWith(followedId);
  });

  test("deleting lists what is erased, asks for confirmation, and leads back to the list", async () => {
    const { page } = visitor;
    const name = `Erased ${where}`;
    await finished(server, await place(server, { user_name: name }));
    await page.goto(`${server.url}/dashboard/calls?search=Erased`);
    await page.locator(".call-row", { hasText: name }).getByRole("link").click();
    await page.getByRole("button", { name: "Delete …" }).click();
    const confirm = dialog().getByRole("button", { name: "Delete for good" });
    expect(await confirm.isDisabled()).toBeTrue();
    expect(await dialog().textContent()).toContain("A booked appointment stays in the calendar");
    await isFit("delete", oneScheme);
    await dialog().getByLabel("I understand that this cannot be undone.").check();
    await confirm.click();
    await page.waitForURL(/\/dashboard\/calls\?search=Erased$/);
    await page.getByText("The call was deleted.").waitFor();
    await page.getByText("No call matches these filters.").waitFor();
  });

  test("no other host was contacted, the policy was not violated, no error was logged", () => {
    expect(complaintsOf(server, visitor)).toEqual([]);
  });
});

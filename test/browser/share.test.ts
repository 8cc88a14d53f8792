// The public page of a call in a real browser: it plays, seeks, follows the transcript, fits a phone and contacts no
// other host.
/// <reference lib="dom" />
import { beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { leaveNothingBehind } from "../support/binary.ts";
import { closeBrowsers, screenshot, visit, type Visit } from "../support/browser.ts";
import { closeReceivers, startSharing, type SharingServer } from "../support/shared-calls.ts";
import { until } from "../support/until.ts";

closeBrowsers();
closeReceivers();
leaveNothingBehind();

const AXE = readFileSync(Bun.resolveSync("axe-core/axe.min.js", import.meta.dir), "utf8");
const PHONE = { width: 360, height: 740 };

let share: SharingServer;
let address: string;
let visitor: Visit;
/** Of finished visits. */
const complaints: string[] = [];
const requests: string[] = [];
beforeAll(async () => {
  share = await startSharing();
  await share.sharing("on");
  const { call_details_url } = await share.sharedCall({
    user_name: "Test <b>Patient</b> & Son",
    additional_info: {
      doctor: "Dr. Example",
      visit: "<b>annual</b> & more",
      floor: 2,
      wing: "north",
      bring: "last report",
    },
  });
  const { pathname, search } = new URL(call_details_url!);
  address = share.server.url + pathname + search;
  await makeRecording(address);
  visitor = await visit(address);
}, 180_000);

/** The first playback takes a while: the voice is loaded and synthesises the whole call. */
async function makeRecording(page: string): Promise<void> {
  const { origin, pathname, searchParams } = new URL(page);
  const token = searchParams.get("share_token") ?? "";
  const recording = `${origin}${pathname.replace(/\/details$/, "")}/recording.wav?token=${token}`;
  await until(async () => (await fetch(recording)).ok, { withinMs: 120_000, everyMs: 500 });
}

const audio = () => visitor.page.locator("audio");
const lines = () => visitor.page.locator(".transcript > li");
const currentTime = () => audio().evaluate((element: HTMLAudioElement) => element.currentTime);
const isPaused = () => audio().evaluate((element: HTMLAudioElement) => element.paused);
const seekTo = (seconds: number) =>
  audio().evaluate((element: HTMLAudioElement, at) => {
    element.currentTime = at;
  }, seconds);
const staysAtTheTop = async (): Promise<boolean> => {
  scrollTo(0, 0);
  for (let frame = 0; frame < 10; frame++) await new Promise(requestAnimationFrame);
  return scrollY === 0;
};
const atOf = async (index: number) => Number(await lines().nth(index).getAttribute("data-at"));
const spokenLine = () =>
  visitor.page.evaluate(() =>
    [...document.querySelectorAll(".transcript > li")].findIndex((line) => line.ariaCurrent === "true"),
  );
const becomesLine = (index: number) =>
  until(async () => (await spokenLine()) === index, { what: () => `line ${index} was not marked` });

/** Whether a line is visible between the player and the lower edge. */
const isSeen = (index: number) =>
  lines()
    .nth(index)
    .evaluate((line) => {
      const { top, bottom } = line.getBoundingClientRect();
      const ceiling = document.querySelector(".player")?.getBoundingClientRect().bottom ?? 0;
      return top >= ceiling - 1 && bottom <= innerHeight + 1;
    });

/** axe violations of WCAG 2 A and AA and of its best practices. */
async function faultsOf({ page }: Visit): Promise<string[]> {
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    const { axe } = window as unknown as {
      axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    const { violations } = await axe.run();
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  });
}

const overflow = ({ page }: Visit) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

describe("the page", () => {
  test("shows the call, with its transcript as text", async () => {
    const { page } = visitor;
    expect(await page.locator("h1").textContent()).toBe("Call between Asha and Test <b>Patient</b> & Son");
    const texts = (await lines().allTextContents()).join(" ");
    expect(texts).toContain("Hello Test <b>Patient</b> & Son, this is Asha");
    expect(await lines().count()).toBeGreaterThan(6);
    await screenshot(page, "share-desktop-light");
  });

  test("shows the time in the reader's time zone too, and names it", async () => {
    const zone = await visitor.page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone);
    expect(await visitor.page.locator(".local").textContent()).toMatch(
      /^\w{3},? \d+ \w{3},? (at )?\d\d:\d\d, your time \(.+\)$/,
    );
    expect(await visitor.page.locator(".local").textContent()).toContain(zone.replaceAll("_", " "));
    expect(await visitor.page.locator("time").first().textContent()).toEndWith("Asia/Kolkata");
  });

  test("has no axe violations", async () => {
    expect(await faultsOf(visitor)).toEqual([]);
  });
});

describe("the player", () => {
  test("plays from a clicked line, and marks it", async () => {
    await lines().nth(3).click();
    await becomesLine(3);
    await until(async () => (await currentTime()) > (await atOf(3)), { what: () => "nothing plays" });
    expect(await isPaused()).toBeFalse();
    expect(await currentTime()).toBeLessThan((await atOf(3)) + 5);
  });

  test("plays from a line selected by keyboard", async () => {
    // The first lines precede the recording.
    await lines().nth(4).locator("a").focus();
    await visitor.page.keyboard.press("Enter");
    await becomesLine(4);
    expect(visitor.page.url()).toBe(address);
  });

  test("marks one line at a time during playback", async () => {
    await seekTo((await atOf(6)) - 0.4);
    await becomesLine(5);
    await becomesLine(6);
    expect(await visitor.page.locator("[aria-current]").count()).toBe(1);
  });

  test("lets text be selected without seeking", async () => {
    const { page } = visitor;
    await audio().evaluate((element: HTMLAudioElement) => element.pause());
    const before = await currentTime();
    // The page may still be following the words.
    await until(() => page.evaluate(staysAtTheTop), { what: () => "the page scrolls on" });
    const box = (await lines().nth(0).locator(".said").boundingBox())!;
    await page.mouse.move(box.x + 2, box.y + 10);
    await page.mouse.down();
    await page.mouse.move(box.x + 120, box.y + 10, { steps: 4 });
    await page.mouse.up();
    expect(await page.evaluate(() => getSelection()?.toString().length ?? 0)).toBeGreaterThan(3);
    expect(await currentTime()).toBe(before);
  });
});

describe("on a phone", () => {
  beforeAll(async () => {
    complaints.push(...visitor.complaints);
    requests.push(...visitor.requests);
    await visitor.close();
    visitor = await visit(address, PHONE);
  }, 180_000);

  test("nothing is wider than the screen, and the recording comes after the summary", async () => {
    expect(await overflow(visitor)).toBe(0);
    await screenshot(visitor.page, "share-phone-light");
    await visitor.page.emulateMedia({ colorScheme: "dark" });
    await screenshot(visitor.page, "share-phone-dark");
  });

  test("axe finds nothing in dark mode either", async () => {
    expect(await visitor.page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe("rgb(15, 21, 23)");
    expect(await faultsOf(visitor)).toEqual([]);
  });

  test("the page scrolls with the playback", async () => {
    await audio().evaluate((element: HTMLAudioElement) => element.play());
    await until(() => isSeen(0), { what: () => "the first line is not in view" });
    const last = (await lines().count()) - 1;
    await seekTo((await atOf(last)) + 0.1);
    await becomesLine(last);
    await until(() => isSeen(last), { what: () => "the last line is not in view" });
  });

  test("but not when the reader has scrolled away, until they ask to go back", async () => {
    const { page } = visitor;
    const back = page.locator("#back-to-line");
    await seekTo((await atOf(4)) + 0.1);
    await becomesLine(4);
    await until(() => isSeen(4), { what: () => "the fifth line is not in view" });
    expect(await back.isVisible()).toBeFalse();

    await page.mouse.move(180, 600);
    const wheelUp = async () => {
      await page.mouse.wheel(0, -500);
      return page.evaluate(() => scrollY === 0);
    };
    await until(wheelUp, { everyMs: 50, what: () => "the page did not scroll" });
    await back.waitFor();
    await screenshot(page, "share-phone-dark-away");
    await seekTo((await atOf(5)) + 0.1);
    await becomesLine(5);
    expect(await page.evaluate(() => scrollY)).toBe(0);

    await back.click();
    await until(() => isSeen(5), { what: () => "the spoken line is not in view" });
    expect(await back.isVisible()).toBeFalse();
  });
});

test("an invalid link says so, and axe finds nothing there", async () => {
  const stranger = await visit(address.slice(0, -3), PHONE);
  expect(await stranger.page.locator("h1").textContent()).toBe("This link is not valid any more");
  expect(await overflow(stranger)).toBe(0);
  expect(await faultsOf(stranger)).toEqual([]);
  await stranger.close();
});

test("without scripts the transcript is readable, and a line links to its position in the recording", async () => {
  const plain = await visit("about:blank");
  const devtools = await plain.context.newCDPSession(plain.page);
  await devtools.send("Emulation.setScriptExecutionDisabled", { value: true });
  await plain.page.goto(address);
  expect(await plain.page.locator("body.with-script").count()).toBe(0);
  expect(await plain.page.locator(".said").last().textContent()).toMatch(/\S/);
  expect(await plain.page.locator("audio").isVisible()).toBeTrue();
  const link = plain.page.locator(".transcript a").nth(2);
  expect(await link.getAttribute("href")).toMatch(/^recording\.wav\?token=[\w-]+#t=[\d.]+$/);
  await plain.close();
});

test("no other host was contacted, and the page violated no policy", () => {
  const asked = [...requests, ...visitor.requests];
  expect(asked.filter((url) => !url.startsWith(`${share.server.url}/`) && !url.startsWith("data:"))).toEqual([]);
  expect(asked).toContain(`${share.server.url}/public/assets/share.js`);
  // A seeking player aborts the range it was reading.
  const faults = [...complaints, ...visitor.complaints].filter(
    (text) => !/recording\.wav\S* net::ERR_ABORTED$/.test(text),
  );
  expect(faults).toEqual([]);
});

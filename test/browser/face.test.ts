// One type scale on every page, and nothing under 44 px to touch on a phone.
/// <reference lib="dom" />
import { afterAll, beforeAll, expect, test } from "bun:test";
import { leaveNothingBehind, startBinary, type Running } from "../support/binary.ts";
import { closeBrowsers, type Visit } from "../support/browser.ts";
import { faultsOnBoth } from "./both-looks.ts";
import { DESKTOP, enterDemo, misdeeds, PHONE } from "./dashboard-visit.ts";
import { isPageOpen, MENU, tabsOf } from "../../src/web/pages.ts";

closeBrowsers();
leaveNothingBehind();

let server: Running;
let visitor: Visit;
/** With the page of one call, person, campaign and agent. */
let paths: string[] = [];
beforeAll(async () => {
  server = await startBinary({ env: { RINGWARD_DEMO__HISTORY: "true" } });
  visitor = await enterDemo(server, "/dashboard/calls");
  await visitor.page.locator(".call-row").first().waitFor();
  await visitor.page.locator(".sign.making").waitFor({ state: "detached" });
  paths = [...PATHS, ...(await subjects())];
}, 180_000);
afterAll(() => visitor.close());

const OWNER = { role: "owner", is_bound: false } as const;
const TABBED = ["calendar", "developers", "settings"] as const;
const PATHS = [
  ...MENU.filter(({ name }) => isPageOpen(OWNER, name)).map(({ path }) => path),
  ...TABBED.flatMap((name) => tabsOf(name).map(({ path }) => path)),
  "/dashboard/campaigns/new",
  "/dashboard/nowhere",
];
/** Open without signing in. */
const OUTSIDE = ["/docs", "/docs/calendar", "/docs/webhooks", "/docs/verify-proofs", "/nowhere", "/dashboard/offline"];

async function subjects(): Promise<string[]> {
  const found: string[] = [];
  for (const list of ["calls", "people", "campaigns", "agents"]) {
    await visitor.page.goto(`${server.url}/dashboard/${list}`);
    const link = visitor.page.locator(`main a[href^="/dashboard/${list}/"]:not([href$="/new"])`).first();
    await link.waitFor();
    found.push((await link.getAttribute("href"))!);
  }
  return found;
}

async function visitAll(paths: readonly string[], look: () => Promise<string[]>): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths) {
    await visitor.page.goto(`${server.url}${path}`);
    await visitor.page.locator("h1").first().waitFor();
    // What is loading has no text to measure.
    await visitor.page.locator(".skeleton").first().waitFor({ state: "detached" });
    found.push(...(await look()).map((fault) => `${path}: ${fault}`));
  }
  return found;
}

/** Texts whose size is none of the scale. */
const oddSizes = () =>
  visitor.page.evaluate(() => {
    const scale = ["20px", "15px", "13px"];
    const hasText = (element: Element) =>
      [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim());
    return [...document.querySelectorAll("body *:not(script, style, noscript, option)")].flatMap((element) => {
      const isShown = hasText(element) || element.matches("input, select, textarea");
      const size = getComputedStyle(element).fontSize;
      return isShown && !scale.includes(size) ? [`${size} ${element.outerHTML.slice(0, 80)}`] : [];
    });
  });

/** What can be touched and is smaller than a fingertip. Links inside a sentence are exempt (WCAG 2.5.8). */
const smallTargets = () =>
  visitor.page.evaluate(() => {
    const LEAST_PX = 44;
    const isInSentence = (element: Element) => {
      const around = (element.parentElement?.textContent ?? "").trim();
      const own = element.textContent.trim();
      return element.matches("a:not(.button)") && getComputedStyle(element).display === "inline" && around !== own;
    };
    const targetOf = (element: HTMLElement): Element => {
      if (element instanceof HTMLInputElement && ["checkbox", "radio"].includes(element.type))
        return element.closest("label") ?? element;
      // A link that covers its tile.
      const { position, inset } = getComputedStyle(element, "::after");
      return position === "absolute" && inset === "0px" ? (element.offsetParent ?? element) : element;
    };
    const all = document.querySelectorAll<HTMLElement>("a[href], button, summary, input, select, textarea");
    return [...all].flatMap((element) => {
      if (!element.checkVisibility({ visibilityProperty: true }) || isInSentence(element)) return [];
      const { width, height } = targetOf(element).getBoundingClientRect();
      const style = getComputedStyle(element);
      // Only for screen readers and password managers, or shown on focus.
      if (width <= 1 || style.opacity === "0" || style.left.startsWith("-")) return [];
      return Math.round(Math.min(width, height)) < LEAST_PX
        ? [`${Math.round(width)}×${Math.round(height)} ${element.outerHTML.slice(0, 90)}`]
        : [];
    });
  });

for (const [device, size] of [
  ["desk", DESKTOP],
  ["phone", PHONE],
] as const)
  test(`on a ${device} every text has a size of the scale`, async () => {
    await visitor.page.setViewportSize(size);
    expect(await visitAll([...paths, ...OUTSIDE], oddSizes)).toEqual([]);
  }, 600_000);

test("on a desk a row of a table has 32 px", async () => {
  await visitor.page.setViewportSize(DESKTOP);
  await visitor.page.goto(`${server.url}/dashboard/calls`);
  await visitor.page.locator(".call-row").first().waitFor();
  const heights = await visitor.page
    .locator(".call-row")
    .evaluateAll((rows) => rows.map((row) => Math.round(row.getBoundingClientRect().height)));
  expect([...new Set(heights)]).toEqual([32]);
}, 180_000);

test("on a phone nothing is under 44 px to touch", async () => {
  await visitor.page.setViewportSize(PHONE);
  expect(await visitAll(paths, smallTargets)).toEqual([]);
}, 600_000);

test("the pages outside the dashboard pass axe and fit", async () => {
  for (const path of OUTSIDE.slice(2)) {
    await visitor.page.goto(`${server.url}${path}`);
    expect([path, await faultsOnBoth(visitor, `face${path.replaceAll("/", "-")}`)]).toEqual([path, []]);
  }
  // Of the unknown address.
  const complaints = visitor.complaints.filter((text) => !text.includes("404"));
  expect(misdeeds(server, { ...visitor, complaints })).toEqual([]);
}, 300_000);

// The handbook in a real browser: contents, search, links, both colour schemes, a phone; from this host alone.
/// <reference lib="dom" />
import { beforeAll, expect, test } from "bun:test";
import { leaveNothingBehind, startBinary, type Running } from "../support/binary.ts";
import { closeBrowsers, screenshot, visit, type Visit } from "../support/browser.ts";
import { faultsOnBoth } from "./both-looks.ts";
import { DESKTOP, misdeeds, overflow, PHONE } from "./dashboard-visit.ts";

closeBrowsers();
leaveNothingBehind();

let server: Running;
let visitor: Visit;
beforeAll(async () => {
  server = await startBinary();
  visitor = await visit(`${server.url}/docs`);
}, 180_000);

const heading = () => visitor.page.locator("article h1").textContent();
const path = () => new URL(visitor.page.url()).pathname + new URL(visitor.page.url()).hash;

test("the table of contents opens a page, and marks it", async () => {
  const { page } = visitor;
  expect(await heading()).toBe("Ringward handbook");
  await screenshot(page, "handbook-contents");
  await page.getByRole("navigation", { name: "Contents" }).getByRole("link", { name: "Telephone systems" }).click();
  expect(await heading()).toBe("Telephone systems");
  expect(await page.locator('[aria-current="page"]').textContent()).toBe("Telephone systems");
});

test("a link between pages leads to its heading", async () => {
  const { page } = visitor;
  await page.goto(`${server.url}/docs/security-and-privacy`);
  await page.getByRole("link", { name: "Backup and restore" }).click();
  expect(path()).toBe("/docs/operation#backup-and-restore");
  await page.getByRole("link", { name: "Next: Security and privacy" }).click();
  expect(await heading()).toBe("Security and privacy");
});

test("search finds sections, highlights the words, and opens the first with Enter", async () => {
  const { page } = visitor;
  const box = page.getByRole("searchbox", { name: "Search the handbook" });
  await box.fill("renewed certificate");
  await page.locator("#hits a").first().waitFor();
  expect(await page.locator("#hits").textContent()).toContain("Operation › TLS");
  expect(await page.locator("#hits mark").first().textContent()).toMatch(/renewed|certificate/i);
  await screenshot(page, "handbook-search");
  await box.fill("<b>nothing</b> at all like this");
  await page.getByText("Nothing found.").waitFor();
  await box.fill("lineage.json");
  await page.getByText("1 found").waitFor();
  await box.press("Enter");
  await page.waitForURL(`${server.url}/docs/operation#databases-older-than-the-appliance`);
});

test.each(["", "/telephone-systems", "/getting-started"])(
  "/docs%s passes axe and fits, dark on a phone and light on a desk",
  async (address) => {
    await visitor.page.goto(`${server.url}/docs${address}`);
    expect(await faultsOnBoth(visitor, `handbook${address.replace("/", "-")}`)).toEqual([]);
  },
  180_000,
);

test("no page is wider than a phone", async () => {
  const { page } = visitor;
  await page.setViewportSize(PHONE);
  const links = await page.locator('nav[aria-label="Contents"] > ul > li > a').all();
  const addresses = await Promise.all(links.map((link) => link.getAttribute("href")));
  expect(addresses.length).toBeGreaterThan(12);
  const tooWide: string[] = [];
  for (const address of addresses) {
    await page.goto(`${server.url}${address}`);
    if ((await overflow(visitor)) > 0) tooWide.push(address ?? "");
  }
  expect(tooWide).toEqual([]);
});

test("on a phone the table of contents is collapsed", async () => {
  const { page } = visitor;
  await page.setViewportSize(PHONE);
  await page.goto(`${server.url}/docs/calendar`);
  const link = page.getByRole("navigation", { name: "Contents" }).getByRole("link", { name: "Benchmarks" });
  expect(await link.isVisible()).toBeFalse();
  await page.locator("summary", { hasText: "Contents" }).click();
  await screenshot(page, "handbook-phone-contents");
  await link.click();
  expect(await heading()).toBe("Benchmarks");
  await page.setViewportSize(DESKTOP);
  await page.getByRole("navigation", { name: "Contents" }).waitFor();
});

test("no other host was contacted, and no page violated its policy", () => {
  expect(visitor.requests.some((url) => url.endsWith(".json"))).toBeTrue();
  expect(misdeeds(server, visitor)).toEqual([]);
});

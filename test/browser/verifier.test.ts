// The page for receivers of webhooks in a real browser: public, from this host alone, within its policy.
/// <reference lib="dom" />
import { beforeAll, expect, test } from "bun:test";
import { leaveNothingBehind, startBinary, type Running } from "../support/binary.ts";
import { closeBrowsers, screenshot, visit, type Visit } from "../support/browser.ts";

closeBrowsers();
leaveNothingBehind();

let server: Running;
let visitor: Visit;
beforeAll(async () => {
  server = await startBinary();
  visitor = await visit(`${server.url}/docs/webhooks`);
}, 180_000);

test("the page opens one language at a time, without any script", async () => {
  const { page } = visitor;
  expect(await page.locator("h1").textContent()).toBe("Receiving webhooks");
  const shown = page.locator("details[open] summary");
  expect(await shown.allTextContents()).toEqual(["TypeScript"]);
  await page.locator("summary", { hasText: "Python" }).click();
  expect(await shown.allTextContents()).toEqual(["Python"]);
  expect(await page.locator("details[open] pre").textContent()).toContain("hmac.compare_digest");
  await screenshot(page, "verifier-desktop");
});

test("a link to a language opens it", async () => {
  const { page } = visitor;
  await page.goto(`${server.url}/docs/webhooks#go`);
  expect(await page.locator("details[open] summary").allTextContents()).toEqual(["Go"]);
});

test("nothing is wider than a phone, in light and dark mode", async () => {
  const { page } = visitor;
  await page.setViewportSize({ width: 360, height: 740 });
  const widthOfPage = () => page.evaluate(() => document.documentElement.scrollWidth);
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  expect(await widthOfPage()).toBe(360);
  const byDay = await paper();
  await screenshot(page, "verifier-phone");
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await paper()).not.toBe(byDay);
  await screenshot(page, "verifier-phone-dark");
});

test("no other host was contacted, and the page violated no policy", () => {
  expect(visitor.requests).toContain(`${server.url}/docs/webhooks/page.css`);
  expect(visitor.requests.filter((url) => !url.startsWith(`${server.url}/`) && !url.startsWith("data:"))).toEqual([]);
  expect(visitor.complaints).toEqual([]);
});

test("the policy is enforced: an inline script does not run", async () => {
  const ran = await visitor.page.evaluate(() => {
    const inline = document.createElement("script");
    inline.textContent = "window.wasRun = true";
    document.body.append(inline);
    return "wasRun" in window;
  });
  expect(ran).toBeFalse();
  expect(visitor.complaints.filter((text) => /Content Security Policy/.test(text))).toHaveLength(1);
});

// The API documentation page in a real browser: it works without any other host, and within its own policy.
/// <reference lib="dom" />
import { beforeAll, expect, test } from "bun:test";
import { leaveNothingBehind, startBinary, type Running } from "../support/binary.ts";
import { closeBrowsers, screenshot, visit, type Visit } from "../support/browser.ts";
import { until } from "../support/until.ts";
import { faultsOf } from "./dashboard-visit.ts";

// Hooks run in this order, because a closing browser still writes to its profile.
closeBrowsers();
leaveNothingBehind();

let server: Running;
let visitor: Visit;
beforeAll(async () => {
  server = await startBinary();
  visitor = await visit(`${server.url}/swagger`);
}, 180_000);

test("the page shows the routes of the document, with Try it out ready", async () => {
  const { page } = visitor;
  await page.locator("#operations-Account-getMe").waitFor();
  expect(await page.title()).toBe("Ringward API");
  expect(await page.locator(".information-container .title").textContent()).toContain("Ringward");
  type Operations = Record<string, Record<string, unknown>>;
  const described = (await (await fetch(`${server.url}/openapi.json`)).json()) as {
    paths: Operations;
    webhooks: Operations;
  };
  const operations = [described.paths, described.webhooks].flatMap(Object.values).flatMap(Object.keys).length;
  // Swagger UI renders a long document only around what is in view.
  const seen = new Set<string>();
  await until(
    async () => {
      for (const id of await page.locator(".opblock").evaluateAll((blocks) => blocks.map(({ id: each }) => each)))
        seen.add(id);
      const isAtEnd = await page.evaluate(() => scrollY + innerHeight >= document.body.scrollHeight - 1);
      if (isAtEnd) await page.evaluate(() => scrollTo(0, 0));
      else await page.mouse.wheel(0, 400);
      return seen.size === operations;
    },
    { withinMs: 120_000, everyMs: 30, what: () => `${seen.size} of ${operations} operations were shown` },
  );
  await page.evaluate(() => scrollTo(0, 0));
});

test("a visitor who authorises with an API key gets 200 from GET /v1/me", async () => {
  const { page } = visitor;
  await page.locator(".auth-wrapper button.authorize").click();
  const dialog = page.locator(".dialog-ux .modal-ux");
  expect(await dialog.textContent()).toContain("x-api-key");
  await dialog.locator("input").first().fill(server.demo["api_key"]!);
  await dialog.locator("button.authorize").click();
  await dialog.locator("button.btn-done").click();

  const operation = page.locator("#operations-Account-getMe");
  await operation.locator(".opblock-summary-control").click();
  await operation.locator("button.execute").click();
  const response = operation.locator(".live-responses-table .response");
  await response.waitFor();
  expect(await response.locator(".response-col_status").first().textContent()).toContain("200");
  expect(await response.textContent()).toContain("Demo Hospital");
  await screenshot(page, "swagger");
});

test("the page has the bar of the other pages, follows the colour scheme, and passes axe in both", async () => {
  const { page } = visitor;
  expect(await page.locator(".face-bar a").allTextContents()).toEqual([
    "Ringward",
    "Handbook",
    "API reference",
    "Webhook receivers",
    "Dashboard",
  ]);
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const papers = new Set<string>();
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    papers.add(await paper());
    // Swagger UI fades its colours.
    await page.evaluate(() => Promise.all(document.getAnimations().map((each) => each.finished)));
    expect([colorScheme, await faultsOf(visitor)]).toEqual([colorScheme, []]);
    await screenshot(page, `swagger-${colorScheme}`);
  }
  expect(papers.size).toBe(2);
});

test("no other host was contacted", () => {
  const elsewhere = visitor.requests.filter((url) => !url.startsWith(`${server.url}/`) && !url.startsWith("data:"));
  expect(elsewhere).toEqual([]);
  expect(visitor.requests).toContain(`${server.url}/openapi.json`);
  expect(visitor.requests).toContain(`${server.url}/v1/me`);
});

test("the page violated no policy, threw nothing and logged nothing to the console", () => {
  expect(visitor.complaints).toEqual([]);
});

test("the policy is enforced: an external and an inline script do not run", async () => {
  const { page } = visitor;
  const ran = await page.evaluate(async () => {
    const inline = document.createElement("script");
    inline.textContent = "window.wasRun = true";
    document.body.append(inline);
    const foreign = document.createElement("script");
    foreign.src = "https://example.invalid/script.js";
    const settled = new Promise((resolve) => {
      foreign.addEventListener("error", () => resolve("blocked"));
      foreign.addEventListener("load", () => resolve("loaded"));
    });
    document.body.append(foreign);
    return { foreign: await settled, inline: "wasRun" in window };
  });
  expect(ran).toEqual({ foreign: "blocked", inline: false });
  // Chromium reports a request blocked by the policy as "csp".
  expect(visitor.complaints).toContain("failed: https://example.invalid/script.js csp");
  expect(visitor.complaints.filter((text) => /Content Security Policy/.test(text))).toHaveLength(2);
});

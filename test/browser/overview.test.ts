// First setup and the overview in a real browser: from the printed link to the charts, on a desktop and on a phone.
/// <reference lib="dom" />
import { beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { leaveNothingBehind, startBinary, type Running } from "../support/binary.ts";
import { closeBrowsers, visit, type Visit } from "../support/browser.ts";
import { faultsOnBoth } from "./both-looks.ts";
import { misdeeds, PHONE } from "./dashboard-visit.ts";

closeBrowsers();
leaveNothingBehind();

const PASSWORD = "correct horse battery";

let server: Running;
let visitor: Visit;
let page: Page;
beforeAll(async () => {
  server = await startBinary({ demo: false });
  const [, code = ""] = /setup#(\S{20,}),/.exec(server.output()) ?? [];
  visitor = await visit(`${server.url}/dashboard/setup#${code}`, PHONE);
  ({ page } = visitor);
}, 180_000);

describe("the first setup", () => {
  test("the setup link already contains the code, and axe finds nothing", async () => {
    expect(await page.getByLabel("Setup code").count()).toBe(0);
    expect(await faultsOnBoth(visitor, "setup")).toEqual([]);
  });

  test("the owner names the hospital, picks its time zone and a password, and is signed in", async () => {
    await page.setViewportSize(PHONE);
    await page.getByLabel("Name of the hospital").fill("St. Mary");
    await page.getByLabel("Time zone").selectOption("America/New_York");
    await page.getByLabel("Your name").fill("Kamala");
    await page.getByLabel("Your e-mail address").fill("owner@hospital.example");
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Finish setup" }).click();
    await page.getByRole("heading", { name: "First steps" }).waitFor();
    expect(page.url()).toBe(`${server.url}/dashboard`);
    expect(await page.locator(".brand").textContent()).toContain("St. Mary");
    expect(await page.locator("main").textContent()).toContain("America/New_York");
  });
});

describe("the overview", () => {
  test("guides a newcomer to each first step", async () => {
    expect(await page.getByText("0 of 5 done").count()).toBe(1);
    const links = await page.locator(".checklist a").evaluateAll((all) => all.map((link) => link.getAttribute("href")));
    expect(links).toEqual([
      "/dashboard/agents",
      "/dashboard/agents",
      "/dashboard/developers/keys",
      "/dashboard/calls",
      "/dashboard/developers/endpoints",
    ]);
  });

  test("shows tiles, charts, and the numbers as a table", async () => {
    expect(await page.locator(".tile").count()).toBe(4);
    expect(await page.locator(".chart canvas").count()).toBe(2);
    await page.getByText("Show as a table").first().click();
    expect(await page.locator("details[open] tbody tr").count()).toBe(14);
    expect(await faultsOnBoth(visitor, "overview")).toEqual([]);
  });

  test("shows other periods, and the Back button works", async () => {
    await page.getByRole("link", { name: "90 days" }).click();
    await page.waitForURL(/days=90/);
    await page.locator("details[open] tbody tr").nth(89).waitFor({ state: "attached" });
    await page.goBack();
    await page.locator('.periods a[aria-current="true"]', { hasText: "14 days" }).waitFor();
  });
});

describe("the session", () => {
  test("ends at sign-out, and starts again with the password", async () => {
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(await faultsOnBoth(visitor, "sign-in")).toEqual([]);
    await page.getByLabel("E-mail address").fill("owner@hospital.example");
    await page.getByLabel("Password").fill("not this one");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").filter({ hasText: "The e-mail address or the password is wrong." }).waitFor();
    await page.getByLabel("Password").fill(PASSWORD);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Overview" }).waitFor();
  });

  test("allows no second setup", async () => {
    await page.getByRole("button", { name: "Sign out" }).click();
    // Signing out reloads the page; navigating meanwhile would abort that.
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await page.goto(`${server.url}/dashboard/setup#used-code-of-before`);
    await page.getByText("This appliance is already set up.").waitFor();
  });
});

test("no other host was contacted, and the page violated no policy", () => {
  expect(misdeeds(server, visitor).filter((text) => !/status of 401/.test(text))).toEqual([]);
});

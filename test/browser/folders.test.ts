// Drop folders in a real browser: one is added, its columns are mapped with the file that waits, and a list that lacks
// too much is applied.
/// <reference lib="dom" />
import { beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { leaveNothingBehind, startBinary, tempFolder, type Running } from "../support/binary.ts";
import { closeBrowsers, type Visit } from "../support/browser.ts";
import { faultsOnBoth } from "./both-looks.ts";
import { DESKTOP, enterDemo, misdeeds, overflow, PHONE } from "./dashboard-visit.ts";

closeBrowsers();
leaveNothingBehind();

const ADDRESS = "/dashboard/settings/folders";
const HEADINGS = "Appt No,Date,Time,Patient,Mobile,Doctor";

let server: Running;
let visitor: Visit;
let page: Page;
let path = "";
beforeAll(async () => {
  server = await startBinary({ env: { RINGWARD_FOLDERS__ROOT: tempFolder() } });
  visitor = await enterDemo(server, ADDRESS);
  ({ page } = visitor);
}, 180_000);

const dayAfter = (days: number) => {
  const [year, month, day] = new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10).split("-");
  return `${day}/${month}/${year}`;
};
const drop = (name: string, numbers: readonly number[]) =>
  writeFileSync(
    join(path, name),
    [
      HEADINGS,
      ...numbers.map((n) => `B-${n},${dayAfter(2)},10:${10 + n},Patient ${n},98100123${40 + n},Dr. Mehta`),
      "",
    ].join("\n"),
  );

describe("a drop folder", () => {
  test("is added, and says where files go", async () => {
    await page.goto(`${server.url}${ADDRESS}`);
    await page.getByRole("button", { name: "Add folder" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Scheduler");
    await page.getByLabel("Folder", { exact: true }).fill("appointments");
    await page.getByRole("dialog").getByRole("button", { name: "Add folder" }).click();
    path = (await page.getByText("Files go to").locator("code").textContent()) ?? "";
    expect(path).toEndWith("/appointments");
    mkdirSync(path, { recursive: true });
    expect(await faultsOnBoth(visitor, "folders")).toEqual([]);
  });

  test("waits with its first list until the columns are mapped, which is done once", async () => {
    drop("monday.csv", [1, 2, 3, 4]);
    await page.setViewportSize(DESKTOP);
    await page.getByText("The columns of this list are not mapped yet. Later files wait.").waitFor();
    await page.getByRole("button", { name: "Map columns: Scheduler" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Use the list that waits" }).click();
    await dialog.getByText("All can be read.", { exact: false }).waitFor();
    expect(await dialog.getByLabel("Id of the appointment").inputValue()).toBe("Appt No");
    expect(await dialog.getByLabel("Phone number").inputValue()).toBe("Mobile");
    // The answer to the first choice must not undo the second.
    await dialog.getByLabel("Id of the appointment").selectOption("Patient");
    await dialog.getByLabel("Id of the appointment").selectOption("Appt No");
    await dialog.getByLabel("Branch of rows without one").selectOption({ index: 1 });
    await dialog.getByText("All can be read.", { exact: false }).waitFor();
    expect(await dialog.getByLabel("Id of the appointment").inputValue()).toBe("Appt No");
    expect(await faultsOnBoth(visitor, "folders-mapping")).toEqual([]);
    await page.setViewportSize(DESKTOP);
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByText("new 4, changed 0, as before 0").waitFor();
  });

  test("asks before a list cancels too much, and applies it when it is told to", async () => {
    drop("tuesday.csv", [1, 2]);
    await page.getByText("The list lacks 2 of 4 appointments.", { exact: false }).waitFor();
    expect(await faultsOnBoth(visitor, "folders-asking")).toEqual([]);
    await page.setViewportSize(DESKTOP);
    await page.getByRole("button", { name: "Apply and cancel them" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Apply and cancel them" }).click();
    await page.getByText("new 0, changed 0, as before 2, cancelled 2").waitFor();
  });

  test("is on Today while it asks, and leads here", async () => {
    drop("wednesday.csv", [1]);
    await page.getByText("The list lacks 1 of 2 appointments.", { exact: false }).waitFor();
    await page.goto(`${server.url}/dashboard/today`);
    const item = page.getByRole("listitem").filter({ hasText: "Scheduler: wednesday.csv" });
    await item.waitFor();
    expect(await item.textContent()).toContain("Applying it cancels them.");
    await item.getByRole("link", { name: "Open folders" }).click();
    await page.getByRole("button", { name: "Refuse the list" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Refuse the list" }).click();
    await page.getByText("Refused", { exact: true }).waitFor();
  }, 180_000);

  test("fits a phone", async () => {
    await page.setViewportSize(PHONE);
    await page.goto(`${server.url}${ADDRESS}`);
    await page.getByText("wednesday.csv").first().waitFor();
    expect(await overflow(visitor)).toBeLessThanOrEqual(0);
    expect(misdeeds(server, visitor)).toEqual([]);
  });
});

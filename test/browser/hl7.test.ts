// HL7 in a real browser: a pasted message is understood, a refused one is opened and processed again.
/// <reference lib="dom" />
import { beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { randomUUID } from "node:crypto";
import { ask } from "../support/api-client.ts";
import { leaveNothingBehind, startBinary, type Running } from "../support/binary.ts";
import { closeBrowsers, type Visit } from "../support/browser.ts";
import { reservedPort } from "../support/free-ports.ts";
import { siu } from "../support/hl7.ts";
import { codeOf, connectMllp, hl7PortOpened } from "../support/mllp-client.ts";
import { faultsOnBoth } from "./both-looks.ts";
import { enterDemo, misdeeds, overflow, PHONE } from "./dashboard-visit.ts";

closeBrowsers();
leaveNothingBehind();

const BRANCH = randomUUID();
const PORT = reservedPort();
const BOOKING = { trigger: "S12", controlId: "C1", id: "A1", sentAt: "20261114120000", startsAt: "203012011000" };

let server: Running;
let visitor: Visit;
let page: Page;
let sourceId: string;
beforeAll(async () => {
  const env = { RINGWARD_HL7__PORT: String(PORT), RINGWARD_HL7__HOST: "127.0.0.1", RINGWARD_HL7__ALLOW: "127.0.0.1" };
  server = await startBinary({ env });
  const settings = { application: "HIS", country: "IN", branches: [{ code: "MOON", branch_id: BRANCH }] };
  const made = await ask(server, "POST", "/v1/sources", { body: { name: "HIS", kind: "hl7", settings } });
  sourceId = String(made.data["source_id"]);
  await hl7PortOpened(server);
  const client = await connectMllp(PORT);
  expect(codeOf(await client.ask(siu(BOOKING)))).toBe("AE");
  client.close();
  visitor = await enterDemo(server, "/dashboard/settings/hl7");
  ({ page } = visitor);
}, 180_000);

describe("the HL7 page", () => {
  test("shows what is understood of a pasted message, and axe finds nothing", async () => {
    await page.goto(`${server.url}/dashboard/settings/hl7`);
    const text = siu({ ...BOOKING, location: "MOON" }).replaceAll("\r", "\n");
    await page.getByLabel("Message", { exact: true }).fill(text);
    await page.getByRole("button", { name: "Show", exact: true }).click();
    const understood = page.getByRole("region", { name: "What was understood" });
    await understood.waitFor();
    expect(await understood.textContent()).toContain("Ravi SHARMA");
    expect(await faultsOnBoth(visitor, "hl7")).toEqual([]);
  });

  test("processes a refused message again once its code is known", async () => {
    await page.getByRole("cell", { name: "Refused", exact: true }).waitFor();
    const settings = { application: "HIS", country: "IN", branches: [{ code: "CARD", branch_id: BRANCH }] };
    await ask(server, "PATCH", `/v1/sources/${sourceId}`, { body: { settings } });
    await page.getByRole("button", { name: "Open: C1" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("No branch has the location code").first().waitFor();
    expect(await dialog.textContent()).not.toContain("SHARMA");
    await dialog.getByRole("button", { name: "Process again" }).click();
    await page.getByRole("cell", { name: "Created", exact: true }).waitFor();
  });

  test("fits a phone", async () => {
    await page.setViewportSize(PHONE);
    await page.goto(`${server.url}/dashboard/settings/hl7`);
    await page.getByRole("heading", { name: "What is understood of a message" }).waitFor();
    expect(await overflow(visitor)).toBeLessThanOrEqual(0);
    expect(misdeeds(server, visitor)).toEqual([]);
  });
});

// Identifiers of patients in a real browser: on a call's page, in the search for people, on the page of a family that
// shares a telephone, and in a list that is read for a campaign.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { createCall } from "../support/api-client.ts";
import { leaveNothingBehind, type Running } from "../support/binary.ts";
import { closeBrowsers, type Visit } from "../support/browser.ts";
import { numberEnding, startQuick } from "../support/calls.ts";
import { complaintsOf, expectFit } from "./calls-visit.ts";
import { DESKTOP, enterDemo, PHONE } from "./dashboard-visit.ts";

setDefaultTimeout(120_000);
closeBrowsers();
leaveNothingBehind();

const MRN = { system: "mrn", value: "MRN-004711" };
const ABHA = { system: "https://healthid.ndhm.gov.in", value: "91-1234-5678-9012" };

let server: Running;
let callId: string;
beforeAll(async () => {
  server = await startQuick();
  const user_number = numberEnding("0777");
  await createCall(server, { user_number, user_name: "Baby Rao", user_identifiers: [{ ...MRN, value: "MRN-1" }] });
  callId = await createCall(server, { user_number, user_name: "Devi Rao", user_identifiers: [MRN, ABHA] });
});
afterAll(() => server.stop());

describe.each([
  ["at a desk", DESKTOP],
  ["on a phone", PHONE],
])("%s", (where, viewport) => {
  let visitor: Visit;
  beforeAll(async () => {
    visitor = await enterDemo(server, `/dashboard/calls/${callId}`, viewport);
  });
  afterAll(() => visitor.close());
  const isFit = (name: string) => expectFit(visitor, `${where} identifiers ${name}`);

  test("a call's page shows them, and the search finds the family by one of them", async () => {
    const { page } = visitor;
    await page.getByText(ABHA.value).waitFor();
    await page.getByText(MRN.value).waitFor();
    await isFit("call");

    await page.goto(`${server.url}/dashboard/people`);
    await page.getByRole("searchbox").fill("mrn 004711");
    const found = page.locator(".contact-people");
    await found.waitFor();
    expect(await found.locator("li").allTextContents()).toEqual([
      expect.stringContaining("Devi Rao"),
      expect.stringContaining("Baby Rao"),
    ]);
    await isFit("search");
    expect(page.url()).not.toContain("004711");

    await page.locator(".contact-list a").first().click();
    await page.getByRole("heading", { name: "People with this number" }).waitFor();
    await page.getByText("MRN-1", { exact: true }).waitFor();
    await isFit("person");
    expect(complaintsOf(server, visitor)).toEqual([]);
  });

  test("a list's columns are read as identifiers, and can be changed", async () => {
    const { page } = visitor;
    await page.goto(`${server.url}/dashboard/campaigns/new`);
    await page.getByLabel("Agent", { exact: true }).selectOption({ index: 1 });
    await page.getByRole("radio", { name: /paste/i }).check();
    await page.getByLabel(/rows/i).last().fill("UHID\tPatient\tMobile\n4711\tAsha Rao\t98765 40100\n");
    const column = page.getByLabel("Medical record number");
    await column.waitFor();
    expect(await column.inputValue()).toBe("0");
    await isFit("list");
    await page.getByLabel("ABHA number").selectOption({ label: "UHID" });
  });

  test("in Hindi as well", async () => {
    const { page } = visitor;
    const speak = async (label: string, language: string) => {
      await page.goto(`${server.url}/dashboard/settings/account`);
      await page.getByRole("combobox", { name: label }).selectOption({ label: language });
    };
    await speak("Language", "हिन्दी");
    await page.getByRole("heading", { name: "सेटिंग", level: 1 }).waitFor();
    await page.goto(`${server.url}/dashboard/calls/${callId}`);
    await page.getByText("पहचान संख्याएँ").waitFor();
    await isFit("hindi");
    await speak("भाषा", "English");
    await page.getByRole("heading", { name: "Settings", level: 1 }).waitFor();
  });
});

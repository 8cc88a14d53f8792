// The pages about lawful calls in Hindi, in a real browser: a rule made stricter and reset, the proof and the notices
// of a call, a person's file, the breach report, and the fields for a contact's place.
/// <reference lib="dom" />
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { ask } from "../support/api-client.ts";
import { leaveNothingBehind, type Running } from "../support/binary.ts";
import { closeBrowsers, type Visit } from "../support/browser.ts";
import { placeAndFinish, startQuick } from "../support/calls.ts";
import { storedCount } from "../support/stored-rows.ts";
import { until } from "../support/until.ts";
import { faultsOnBoth } from "./both-looks.ts";
import { enterDemo, misdeeds } from "./dashboard-visit.ts";

setDefaultTimeout(180_000);
closeBrowsers();
leaveNothingBehind();

let server: Running;
let visitor: Visit;
let page: Page;
let callId: string;

beforeAll(async () => {
  server = await startQuick();
  callId = (await placeAndFinish(server)).call_id;
  await until(() => storedCount(server.dataDir, "proofs") === 1);
  visitor = await enterDemo(server, "/dashboard/settings");
  ({ page } = visitor);
  await page.evaluate(async () => {
    const headers = { "x-ringward-dashboard": "1", "content-type": "application/json" };
    const body = JSON.stringify({ language: "hi" });
    await fetch("/dashboard/api/account/language", { method: "PUT", headers, body });
  });
}, 180_000);
afterAll(() => server.kill());

const open = async (path: string) => {
  await page.goto(`${server.url}/dashboard${path}`);
  await page.locator("main .card, main .tiles").first().waitFor();
  expect(await page.evaluate(() => document.documentElement.lang)).toBe("hi");
};
const said = (text: string) => page.locator(".toast", { hasText: text }).first().waitFor();
const dialog = () => page.locator("dialog[open]");
const isFit = async (name: string) => expect(await faultsOnBoth(visitor, `${name}-hi`)).toEqual([]);

test("a rule is made stricter without a reason, and reset", async () => {
  await open("/settings/rules");
  const perDay = page.locator(".rules-table tr", { hasText: "एक नंबर पर रोज़ की कॉल" }).first();
  await perDay.getByText("सावधानी").waitFor();
  await page.locator(".rules-table").getByText("बताया गया, पुष्टि नहीं हुई").first().waitFor({ state: "attached" });
  await isFit("rules");
  await perDay.getByRole("button", { name: "बदलें: एक नंबर पर रोज़ की कॉल" }).click();
  await dialog().getByLabel("ज़्यादा से ज़्यादा कॉल").fill("4");
  await dialog().getByText("यह नियम से ढीला है।", { exact: false }).waitFor();
  await dialog().getByLabel("ज़्यादा से ज़्यादा कॉल").fill("2");
  await dialog().getByText("यह नियम जितना या उससे ज़्यादा सख़्त है।", { exact: false }).waitFor();
  await isFit("rule-change");
  await dialog().getByRole("button", { name: "सहेजें" }).click();
  await said("नियम बदल गया।");
  await perDay.getByText("सख़्त किया").waitFor();
  await perDay.getByText("मूल नियम: 3").waitFor();
  const holding = async () => {
    const { data } = await ask(server, "GET", "/v1/rules/for?number=%2B919810012345");
    return data["per_day"];
  };
  expect(await holding()).toBe(2);
  await isFit("rule-stricter");

  await perDay.getByRole("button", { name: "मूल नियम लौटाएँ" }).click();
  await dialog().getByText("अगली कॉल से फिर मूल नियम लागू होगा।").waitFor();
  await dialog().getByRole("button", { name: "मूल नियम लौटाएँ" }).click();
  await said("मूल नियम लौटा दिया गया।");
  await perDay.getByText("सख़्त किया").waitFor({ state: "detached" });
  expect(await holding()).toBe(3);
  await page.getByText("मूल नियम लौटाया").waitFor();
  await isFit("rule-reset");
});

test("a call shows its proof as a timeline, and in the transcript which line carried which notice", async () => {
  await open(`/calls/${callId}`);
  const proof = page.locator(".card", { has: page.getByRole("heading", { name: "प्रमाण", exact: true }) });
  await proof.locator(".proof-steps li").first().waitFor();
  await proof.getByText("कौन कॉल कर रहा है", { exact: false }).first().waitFor();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    proof.locator("a[download], a[href*='/proof']").first().click(),
  ]);
  expect(download.suggestedFilename()).toBe(`proof-${callId}.json`);
  const first = page.locator(".transcript li.by-agent").first();
  await first.locator("small").waitFor();
  expect(await page.locator(".transcript li.by-contact small").count()).toBe(0);
  await isFit("proof");
});

test("a person's file and the breach report are downloaded", async () => {
  await open("/people");
  await page.locator("main td a, main th a, main li a").first().click();
  await page.locator("summary[aria-label='और काम']").click();
  const everything = page.getByRole("link", { name: "सब कुछ डाउनलोड करें" });
  await everything.waitFor();
  await isFit("person-file");
  const [file] = await Promise.all([page.waitForEvent("download"), everything.click()]);
  expect(file.suggestedFilename()).toBe("person.zip");
  await open("/settings/audit");
  const card = page.locator(".card", { has: page.getByRole("heading", { name: "डेटा उल्लंघन रिपोर्ट" }) });
  await card.getByLabel("इस समय से").fill("2026-01-01T00:00");
  await card.getByLabel("इस समय तक").fill("2026-12-31T00:00");
  const [report] = await Promise.all([
    page.waitForEvent("download"),
    card.getByRole("link", { name: "रिपोर्ट डाउनलोड करें" }).click(),
  ]);
  expect(readFileSync(await report.path(), "utf8")).toStartWith("who,who_id,who_name,what");
  await isFit("breach");
});

test("a call, an appointment and a wait by hand take the time zone and the state", async () => {
  const fill = async (path: string, button: string) => {
    await open(path);
    await page.getByRole("button", { name: button }).first().click();
    const state = dialog().getByLabel("अमेरिकी राज्य");
    expect(await state.count()).toBe(0);
    await dialog().getByLabel("नाम", { exact: true }).fill(`Rosa ${path}`);
    await dialog().locator("input[type=tel]").fill("+12125550123");
    await state.fill("CA");
    await dialog().getByLabel("समय क्षेत्र").fill("America/Los_Angeles");
    await isFit(`place${path.replaceAll("/", "-")}`);
  };
  await fill("/calls", "नई कॉल");
  await dialog().locator("select").first().selectOption({ index: 1 });
  const [request] = await Promise.all([
    page.waitForRequest((each) => each.method() === "POST" && each.url().includes("/calls")),
    dialog().locator("button[type=submit]").click(),
  ]);
  expect(request.postDataJSON()).toMatchObject({ user_time_zone: "America/Los_Angeles", user_region: "CA" });

  await fill("/calendar", "नया अपॉइंटमेंट");
  await dialog().getByRole("button", { name: "प्रतीक्षा सूची में जोड़ें" }).click();
  await dialog().waitFor({ state: "detached" });
  await fill("/calendar/waiting", "प्रतीक्षा सूची में जोड़ें");
  // The same number for the same wish is refused.
  await dialog().locator("input[type=tel]").fill("+12125550124");
  await dialog().locator("button[type=submit]").click();
  await page.locator(".waiting-table tbody tr", { hasText: "Rosa /calendar/waiting" }).waitFor();
  const { data } = await ask(server, "GET", "/v1/waitlist");
  const place = { contact_time_zone: "America/Los_Angeles", contact_region: "CA" };
  expect(data).toMatchObject([place, place]);
  expect(misdeeds(server, visitor)).toEqual([]);
});

// What waits for a rule, in a real browser: named on Today while rules are enforced, and shown as "would be held" on
// the page of a call where they are not.
/// <reference lib="dom" />
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { leaveNothingBehind, type Running } from "../support/binary.ts";
import { closeBrowsers, type Visit } from "../support/browser.ts";
import { finished, newAgent, place, readCall, startQuick, talkative } from "../support/calls.ts";
import { noonZone } from "../support/noon.ts";
import { ENFORCED, UNENFORCED } from "../support/unenforced.ts";
import { until } from "../support/until.ts";
import { complaintsOf, expectFit } from "./calls-visit.ts";
import { DESKTOP, enterDemo, PHONE } from "./dashboard-visit.ts";

setDefaultTimeout(180_000);
closeBrowsers();
leaveNothingBehind();

const NAMES = ["Asha Rao", "Lakshminarayanan Venkatasubramanian Krishnamurthy", "Ravi"];
const VIEWPORTS = [
  [DESKTOP, "desk", "light"],
  [PHONE, "phone", "dark"],
] as const;

let server: Running;
let agentId: string;
const night = { user_time_zone: noonZone(0) };

beforeAll(async () => {
  server = await startQuick(ENFORCED);
  ({ agentId } = await newAgent(server));
}, 180_000);
afterAll(() => server.kill());

/** The person's own setting, which applies to all of their windows. */
async function speak({ page }: Visit, language: "en" | "hi"): Promise<void> {
  await page.evaluate(async (chosen) => {
    const headers = { "x-ringward-dashboard": "1", "content-type": "application/json" };
    const body = JSON.stringify({ language: chosen });
    await fetch("/dashboard/api/account/language", { method: "PUT", headers, body });
  }, language);
  await page.reload();
}

async function lookAt(path: string, name: string, seen: Record<"en" | "hi", (visitor: Visit) => Promise<void>>) {
  for (const [viewport, where, scheme] of VIEWPORTS) {
    const visitor = await enterDemo(server, path, viewport);
    for (const language of ["hi", "en"] as const) {
      await speak(visitor, language);
      await seen[language](visitor);
      await expectFit(visitor, `${name} ${where} ${language}`, [scheme]);
    }
    expect(complaintsOf(server, visitor)).toEqual([]);
    await visitor.close();
  }
}

test("Today names the calls that wait for a rule, and leads to each", async () => {
  const ids: string[] = [];
  for (const user_name of NAMES)
    ids.push(await place(server, { agent_id: agentId, user_name, user_number: talkative(), ...night }));
  await until(async () => (await readCall(server, ids[0]!)).hold_reason === "outside_legal_hours");
  const named = async ({ page }: Visit, title: string, reason: string) => {
    const card = page.locator(".card", { hasText: title });
    await card.getByText(reason).waitFor();
    for (const name of NAMES) await card.getByRole("link", { name }).waitFor();
  };
  await lookAt("/dashboard/today", "today waiting", {
    en: (visitor) => named(visitor, "Waiting for a rule", "Outside the legal hours for calls"),
    hi: (visitor) => named(visitor, "नियम की वजह से रुकी कॉल", "अभी क़ानून के अनुसार कॉल करने का समय नहीं है"),
  });
  const visitor = await enterDemo(server, "/dashboard/today");
  await visitor.page.getByRole("link", { name: "Asha Rao" }).click();
  await visitor.page.waitForURL((url) => url.pathname.endsWith(`/calls/${ids[0]}`));
  await visitor.page.getByText("Outside the legal hours for calls").first().waitFor();
  await visitor.close();
});

test("where rules are not enforced, a call's page shows what would hold it", async () => {
  await server.stop();
  server = await startQuick(UNENFORCED, { dataDir: server.dataDir });
  const id = await place(server, { agent_id: agentId, user_number: talkative(), ...night });
  await finished(server, id);
  const shown = (text: string) => (visitor: Visit) => visitor.page.getByText(text).waitFor();
  await lookAt(`/dashboard/calls/${id}`, "would be held", {
    en: shown("Would be held: Outside the legal hours for calls."),
    hi: shown("नियम लागू होते तो रुकती: अभी क़ानून के अनुसार कॉल करने का समय नहीं है।"),
  });
});

// Numbers of +1 outside the United States: Canadian ones wait for Canadian hours, those of islands are refused.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { createHospital, outcome, type Hospital } from "../../support/hospital.ts";

let hospital: Hospital;
beforeAll(async () => {
  hospital = await createHospital({ isEnforced: true });
  // 19:00 in Toronto and New York, 20:30 in Newfoundland.
  hospital.clock.pass(Date.parse("2026-11-19T00:00:00Z") - hospital.clock.now());
});
afterAll(() => hospital.close());

const wouldDialAt = async (number: string) => {
  const { json } = await hospital.request("POST", "/v1/calls?dry_run=true", {
    body: { agent_id: hospital.agentId, user_number: number },
  });
  return (json.data as unknown as { would_dial_at: string | null }).would_dial_at;
};

test("at 19:00 a call goes to New York, and waits for ten o'clock in Toronto and all of Newfoundland", async () => {
  expect(await wouldDialAt("+12125550100")).toBe("2026-11-19T00:00:15.000Z");
  expect(await wouldDialAt("+14165550100")).toBe("2026-11-19T15:00:00.000Z");
  expect(await wouldDialAt("+17095550100")).toBe("2026-11-19T14:00:00.000Z");
});

test("the API says what holds for a Canadian number", async () => {
  const { json } = await hospital.request("GET", `/v1/rules/for?number=${encodeURIComponent("+17095550100")}`);
  expect(json.data).toMatchObject({
    region: "Canada",
    time_zones: ["America/St_Johns", "America/Halifax"],
    hours: { start: "10:00", end: "18:00" },
    recording: "ask",
    rule_ids: expect.arrayContaining(["us-hours-canada", "us-recording-california"]),
  });
});

test.each(["+18765550100", "+12425550100", "+18095550100"])("%s is refused", async (number) => {
  expect(outcome(await hospital.post({ user_number: number }))).toBe("422 UNSUPPORTED_COUNTRY");
});

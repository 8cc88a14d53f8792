// Where real telephones ring without the legal rules, the log and /readyz say so.
import { afterEach, expect, test } from "bun:test";
import { createHospital, type Hospital } from "../support/hospital.ts";

const SIP = { RINGWARD_TELEPHONY__CARRIER: "sip" };
const WORDS = "The rules are not enforced over SIP";

let hospital: Hospital;
afterEach(() => hospital.close());

async function told(isEnforced: boolean, settings: Record<string, string>) {
  hospital = await createHospital({ isEnforced, settings, logged: true });
  await hospital.app.start();
  const warnings = hospital.logLines.filter((line) => line.includes(WORDS) && line.includes('"warn"'));
  const { notes } = (await hospital.request("GET", "/readyz")).json as unknown as { notes: { rules?: string } };
  return { warnings: warnings.length, note: notes.rules ?? null };
}

test("over SIP, at every start", async () => {
  expect(await told(false, SIP)).toEqual({ warnings: 1, note: expect.stringContaining(WORDS) });
});

test.each<[what: string, isEnforced: boolean, settings: Record<string, string>]>([
  ["the rules are enforced over SIP", true, SIP],
  ["calls are simulated", false, {}],
])("nothing is said where %s", async (_, isEnforced, settings) => {
  expect(await told(isEnforced, settings)).toEqual({ warnings: 0, note: null });
});

// Import of a campaign of the largest size yields regularly, so that other requests run in between.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { othersFirst, workwatch } from "../../src/core/clock.ts";
import { createHospital, type Hospital } from "../support/hospital.ts";

/** In one go it blocked the thread for more than 100 ms; in slices for 5 to 10, plus garbage collection. */
const LONGEST_TURN_MS = 60;

let hospital: Hospital;
beforeAll(async () => {
  hospital = await createHospital();
});
afterAll(() => hospital.close());

const campaignOf = (name: unknown) => {
  const rows = Array.from({ length: 10_000 }, (_, row) => ({
    user_number: `+9198${10_000_000 + row}`,
    user_name: `Patient ${row}`,
    additional_info: { note: "n".repeat(700) },
  }));
  return new TextEncoder().encode(JSON.stringify({ name, agent_id: hospital.agentId, rows }));
};

function check(body: Uint8Array): Promise<Response> {
  const headers = {
    "content-type": "application/json",
    "content-length": String(body.length),
    "x-api-key": hospital.key,
  };
  return hospital.app.handle(
    new Request("http://localhost/v1/campaigns?dry_run=true", { method: "POST", headers, body: body as BodyInit }),
  );
}

/** Longest uninterrupted CPU time of the thread during the act. */
async function longestTurnMs(act: Promise<unknown>): Promise<number> {
  let isOver = false;
  void act.finally(() => (isOver = true));
  let longest = 0;
  while (!isOver) {
    const worked = workwatch();
    await othersFirst();
    longest = Math.max(longest, worked());
  }
  return longest;
}

test.each([
  ["that can be called", "Check-ups", 200],
  ["with a name that is none", 5, 400],
])("8 MiB of rows %s", async (_, name, status) => {
  const body = campaignOf(name);
  // The first is slower, because its code is compiled.
  expect((await check(body)).status).toBe(status);
  const asked = check(body);
  const longest = await longestTurnMs(asked);
  expect((await asked).status).toBe(status);
  expect(longest).toBeLessThan(LONGEST_TURN_MS);
});

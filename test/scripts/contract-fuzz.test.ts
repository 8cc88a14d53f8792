// The contract fuzz can fail: a server that keeps its word is believed, and each lie is caught by the check that is
// meant for it.
import { describe, expect, test } from "bun:test";
import { runFuzz } from "../../scripts/contract-fuzz/run.ts";
import { Session } from "../../scripts/contract-fuzz/session.ts";
import { LIES, startLyingServer, type Lie } from "../support/lying-server.ts";

const SEED = 7;
/** Of each lane. */
const REQUESTS = 40;

async function fuzzed(lie: Lie, seed = SEED) {
  const { world, asked, stop } = startLyingServer(lie);
  const session = new Session(world);
  try {
    await runFuzz(session, seed, { requests: REQUESTS, isOver: () => false });
  } finally {
    await stop();
  }
  return { session, asked };
}

const CAUGHT_BY: Readonly<Record<(typeof LIES)[number], string>> = {
  "breaks down": "the server breaks down",
  "an undocumented status": "a status that is not documented",
  "an undocumented type": "a type that is not documented",
  "an undocumented code": "an error code that is not documented",
  "a field is missing": "a body that is not as documented",
  "a field too many": "a body that is not as documented",
  "no request id": "headers that every answer has are missing",
  "any key will do": "a right that nobody has",
  "any scope will do": "a right that nobody has",
  "its own scope will not do": "a right that is refused",
  "takes what it forbids": "what the document forbids is done",
  "shows another's record": "another organisation's data",
  "names the other in an error": "another organisation's data",
  "tells another's id apart": "another's id is told from an unknown one",
  "lets others change it": "another organisation changed it",
};

test("a server that keeps its word is believed, and every operation of it is reached", async () => {
  const { session } = await fuzzed(null);
  expect(session.faults).toEqual([]);
  expect(session.tally.neverDone(session.world.operations)).toEqual([]);
  expect(session.world.operations.flatMap((operation) => session.tally.unreached(operation))).toEqual([]);
});

describe("a lie is caught:", () => {
  test.each([...LIES])("%s", async (lie) => {
    const { session } = await fuzzed(lie);
    expect(session.faults.map(({ check }) => check)).toContain(CAUGHT_BY[lie]);
  });
});

test("a fault is told by a small request without secrets", async () => {
  const { session } = await fuzzed("breaks down");
  const { curl } = session.faults.find(({ check }) => check === "the server breaks down")!;
  expect(curl).toMatch(/^curl -i -X (?:POST|PATCH) "\$BASE"'\/things/);
  expect(curl).toContain(`-H 'x-api-key: '"$`);
  expect(curl).toEndWith(`--data-binary '{"name":""}'`);
  for (const { key } of session.world.organisations) expect(curl).not.toContain(key);
});

test("the same seed asks the same, and another seed something else", async () => {
  const [once, again, other] = [await fuzzed(null), await fuzzed(null), await fuzzed(null, SEED + 1)];
  expect(again.asked.toSorted()).toEqual(once.asked.toSorted());
  expect(other.asked.toSorted()).not.toEqual(once.asked.toSorted());
});

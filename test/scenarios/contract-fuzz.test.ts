// Contract fuzzing: every answer of the executable conforms to its own API document. The long form: ./scripts/fuzz
// --seconds 120
import { afterAll, beforeAll, expect, test } from "bun:test";
import { startAppliance, type Appliance } from "../../scripts/contract-fuzz/appliance.ts";
import { report, runFuzz } from "../../scripts/contract-fuzz/run.ts";
import { Session } from "../../scripts/contract-fuzz/session.ts";
import { leaveNothingBehind } from "../support/binary.ts";
import { closeReceivers } from "../support/receiver.ts";
import { seed } from "../support/seed.ts";

closeReceivers();
leaveNothingBehind();

/** Per lane, of eight lanes, in addition to about 1,100 requests that are the same in every run. */
const REQUESTS = 300;

let appliance: Appliance;
let session: Session;
beforeAll(async () => {
  appliance = await startAppliance();
  session = new Session(appliance.world);
  await runFuzz(session, seed, { requests: REQUESTS, isOver: () => false });
}, 300_000);
afterAll(() => appliance.server.stop());

test("every answer conforms to the document, for valid and invalid requests of every caller", () => {
  const told = session.faults.length === 0 ? [] : report(session, seed);
  expect(told).toEqual([]);
  expect(session.tally.requests).toBeGreaterThan(3_000);
});

test("every operation was served successfully, so the rejections are meaningful", () => {
  expect(session.tally.neverDone(appliance.world.operations)).toEqual([]);
});

test("every documented status that does not depend on chance was seen", () => {
  const always = new Set([401, 403, 408, 413, 414, 415, 429]);
  const missed = appliance.world.operations.flatMap((operation) =>
    session.tally.unreached(operation).flatMap((status) => (always.has(status) ? [`${operation.id} ${status}`] : [])),
  );
  expect(missed).toEqual([]);
});

test("no library logged a warning: Elysia, which parses the source of our hooks, understood every one", () => {
  expect(appliance.server.output()).not.toContain("A library wrote to the console.");
});

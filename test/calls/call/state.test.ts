// Every pair of state and event, against a hand-written table.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CALL_EVENTS, isFinal, LIVE_STATES, nextState, stateDiagram } from "../../../src/calls/call/state.ts";
import { CALL_STATES } from "../../../src/payloads/call-state.ts";

/** One row per state, one column per event; a dot where nothing happens. */
const EXPECTED = `
              due     dial       disallow    cancel     ring     put_back  answer       complete   fail
  scheduled   queued  .          .           cancelled  .        .         .            .          .
  queued      .       initiated  disallowed  cancelled  .        .         .            .          .
  initiated   .       .          .           .          ringing  queued    in_progress  .          failed
  ringing     .       .          .           .          .        .         in_progress  .          failed
  in_progress .       .          .           .          .        .         .            completed  failed
  completed   .       .          .           .          .        .         .            .          .
  failed      .       .          .           .          .        .         .            .          .
  cancelled   .       .          .           .          .        .         .            .          .
  disallowed  .       .          .           .          .        .         .            .          .
`;

const [header = [], ...rows] = EXPECTED.trim()
  .split("\n")
  .map((line) => line.trim().split(/\s+/));

describe("the state table", () => {
  test("covers every state and every event, and no other", () => {
    expect(header.toSorted()).toEqual(CALL_EVENTS.toSorted());
    expect(rows.map(([state = ""]) => state).toSorted()).toEqual(CALL_STATES.toSorted());
  });

  const pairs = CALL_STATES.flatMap((state) => CALL_EVENTS.map((event) => ({ state, event })));
  test.each(pairs)("$state, $event", ({ state, event }) => {
    const row = rows.find(([name]) => name === state)!;
    const expected = row[header.indexOf(event) + 1]!;
    expect(nextState(state, event)).toBe(expected === "." ? null : (expected as ReturnType<typeof nextState>));
  });

  test("ends in four states without outgoing transitions", () => {
    expect(CALL_STATES.filter(isFinal).toSorted()).toEqual(["cancelled", "completed", "disallowed", "failed"]);
  });

  const statesBefore = (event: (typeof CALL_EVENTS)[number]) =>
    CALL_STATES.filter((state) => nextState(state, event) !== null);

  test("only calls that have not started can be cancelled", () => {
    expect(statesBefore("cancel").toSorted()).toEqual(["queued", "scheduled"]);
  });

  test("exactly the calls held by a carrier can fail", () => {
    expect(statesBefore("fail").toSorted()).toEqual([...LIVE_STATES].toSorted());
  });
});

test("the handbook shows the same table", () => {
  const page = readFileSync(join(import.meta.dir, "../../../src/handbook/calls-and-campaigns.md"), "utf8");
  const blocks = [...page.matchAll(/```mermaid\n([\s\S]*?)\n```/g)].map(([, block]) => block);
  expect(blocks.filter((block) => block?.startsWith("stateDiagram-v2"))).toEqual([stateDiagram()]);
});

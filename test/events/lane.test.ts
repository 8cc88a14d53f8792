// Scheduling of the due deliveries of one endpoint.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { Lane, MOST_FOUND } from "../../src/events/lane.ts";
import { AHEAD_PER_PLACE, FIRST_PLACES } from "../../src/events/pace.ts";

const named = (kind: string, count: number) => Array.from({ length: count }, (_, i) => `${kind}_${i}`);

function taken(lane: Lane, isPaused = false): string[] {
  const ids: string[] = [];
  for (let id = lane.next(isPaused); id !== null; id = lane.next(isPaused)) ids.push(id);
  return ids;
}

test("neither retries nor first attempts starve the other, and each keeps its order", () => {
  fc.assert(
    fc.property(fc.nat(30), fc.nat(30), (retries, others) => {
      const lane = new Lane("whe_1");
      lane.found("retries", named("retry", retries));
      lane.found("others", named("other", others));
      const order = taken(lane);
      expect(order.filter((id) => id.startsWith("retry"))).toEqual(named("retry", retries));
      expect(order.filter((id) => id.startsWith("other"))).toEqual(named("other", others));
      // While both wait, either gets a turn at least every third time.
      const both = 2 * Math.min(retries, others);
      for (let i = 1; i < both; i++) expect(order[i]!.slice(0, 5)).not.toBe(order[i - 1]!.slice(0, 5));
    }),
  );
});

test("a pause does not change the schedule of retries", () => {
  const lane = new Lane("whe_1");
  lane.found("retries", named("retry", 3));
  lane.found("others", named("other", 3));
  expect(taken(lane, true)).toEqual(named("retry", 3));
  expect(taken(lane)).toEqual(named("other", 3));
});

test("deliveries in flight are skipped, and a full result may not be complete", () => {
  const lane = new Lane("whe_1");
  lane.underWay.set("other_0", Promise.resolve());
  lane.found("others", named("other", MOST_FOUND));
  expect(taken(lane)).toEqual(named("other", MOST_FOUND).slice(1));
  expect(lane.mayHaveMore.others).toBe(true);
  lane.found("others", ["other_0"]);
  expect(lane.mayHaveMore.others).toBe(false);
});

test("turns are taken per free place, and a retry once although it is also found among the others", () => {
  const lane = new Lane("whe_1");
  lane.underWay.set("other_1", Promise.resolve());
  lane.found("retries", ["retry_0"]);
  lane.found("others", ["retry_0", "other_0", "other_2"]);
  expect(lane.take(2, false)).toEqual(["retry_0", "other_0"]);
  expect(lane.take(2, false)).toEqual(["other_2"]);
  expect(lane.take(2, false)).toEqual([]);
});

describe("places of a receiver that answers at once", () => {
  const [places, ahead] = [FIRST_PLACES, AHEAD_PER_PLACE * FIRST_PLACES];
  const quick = () => {
    const lane = new Lane("whe_1");
    lane.pace.end(lane.pace.begin(), { outcome: "delivered", status: 204, durationMs: 1 }, false);
    expect(lane.pace).toMatchObject({ places, ahead });
    return lane;
  };

  test.each([
    ["all, where nothing is under way", 0, places + ahead],
    ["as many as have answered, once half of what was handed ahead is used up", places + ahead / 2, ahead / 2],
    ["none before that", places + ahead / 2 + 1, 0],
    ["none, where more is under way than there are places since they were cut", 4 * places, 0],
  ])("are free: %s", (_, awaited, free) => {
    const lane = quick();
    lane.awaited = awaited;
    expect(lane.freePlaces(true)).toBe(free);
  });

  test("are freed one by one for a sender that gets nothing in advance", () => {
    const lane = quick();
    lane.awaited = places - 1;
    expect(lane.freePlaces(false)).toBe(1);
  });
});

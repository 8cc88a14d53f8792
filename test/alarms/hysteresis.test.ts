// When a fault has held long enough to be told, and when it is over.
import { describe, expect, test } from "bun:test";
import { MINUTE_MS, SECOND_MS } from "../../src/core/clock.ts";
import { createHysteresis } from "../../src/alarms/hysteresis.ts";
import type { Sight, Trouble } from "../../src/alarms/sight.ts";

const trouble = (subject = "", step = 1): Trouble => ({
  fault: "trunk",
  subject,
  step,
  audience: "organisation",
  organisationId: "org_1",
  facts: { name: subject },
});
const seen = (...troubles: Trouble[]): Sight => new Map([["trunk", troubles]]);
const UNKNOWN: Sight = new Map([["trunk", null]]);
const LOOK_MS = 15 * SECOND_MS;

/** Looks every 15 seconds; returns what the last look found. */
function over(
  hysteresis: ReturnType<typeof createHysteresis>,
  from: number,
  until: number,
  sight: Sight,
  open: Trouble[] = [],
) {
  let found = hysteresis.look(sight, open, from);
  for (let at = from + LOOK_MS; at <= until; at += LOOK_MS) found = hysteresis.look(sight, open, at);
  return found;
}

describe("a fault", () => {
  test("is told when it held for its time, not before", () => {
    const hysteresis = createHysteresis();
    expect(over(hysteresis, 0, 2 * MINUTE_MS - LOOK_MS, seen(trouble("main"))).held).toEqual([]);
    expect(hysteresis.look(seen(trouble("main")), [], 2 * MINUTE_MS).held).toEqual([trouble("main")]);
  });

  test("begins anew after it was away", () => {
    const hysteresis = createHysteresis();
    over(hysteresis, 0, MINUTE_MS, seen(trouble("main")));
    hysteresis.look(seen(), [], MINUTE_MS + LOOK_MS);
    expect(over(hysteresis, 2 * MINUTE_MS, 4 * MINUTE_MS - LOOK_MS, seen(trouble("main"))).held).toEqual([]);
  });

  test("is over when it stayed away for its time", () => {
    const hysteresis = createHysteresis();
    const open = [trouble("main")];
    expect(over(hysteresis, 0, 2 * MINUTE_MS - LOOK_MS, seen(), open).over).toEqual([]);
    expect(hysteresis.look(seen(), open, 2 * MINUTE_MS).over).toEqual(["trunk main"]);
  });

  test("is not over while it is unknown whether it is there", () => {
    const hysteresis = createHysteresis();
    const open = [trouble("main")];
    hysteresis.look(seen(), open, 0);
    expect(over(hysteresis, LOOK_MS, 10 * MINUTE_MS, UNKNOWN, open).over).toEqual([]);
    // The time away begins anew.
    expect(over(hysteresis, 11 * MINUTE_MS, 12 * MINUTE_MS, seen(), open).over).toEqual([]);
    expect(hysteresis.look(seen(), open, 13 * MINUTE_MS).over).toEqual(["trunk main"]);
  });

  test("keeps each subject apart", () => {
    const hysteresis = createHysteresis();
    hysteresis.look(seen(trouble("main")), [], 0);
    const found = over(hysteresis, MINUTE_MS, 2 * MINUTE_MS, seen(trouble("main"), trouble("other")));
    expect(found.held).toEqual([trouble("main")]);
  });

  test("reports its present step", () => {
    const hysteresis = createHysteresis();
    over(hysteresis, 0, 2 * MINUTE_MS, seen(trouble("main")));
    expect(hysteresis.look(seen(trouble("main", 2)), [], 3 * MINUTE_MS).held).toEqual([trouble("main", 2)]);
  });
});

test("no more than 500 faults are watched", () => {
  const hysteresis = createHysteresis();
  const many = Array.from({ length: 2_000 }, (_, i) => trouble(`t${i}`));
  expect(over(hysteresis, 0, 2 * MINUTE_MS, seen(...many)).held).toHaveLength(500);
});

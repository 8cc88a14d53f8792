import { describe, expect, test } from "bun:test";
import { APPOINTMENT_STATUSES, isFinalStatus, mayBecome, takesSlot } from "../../src/calendar/appointment-state.ts";

const ALLOWED = [
  "confirmed → completed",
  "confirmed → cancelled",
  "confirmed → no_show",
  "no_show → completed",
  "no_show → confirmed",
];

const PAIRS = APPOINTMENT_STATUSES.flatMap((from) => APPOINTMENT_STATUSES.map((to) => [from, to] as const));

test.each(PAIRS)("%s → %s", (from, to) => {
  expect(mayBecome(from, to)).toBe(ALLOWED.includes(`${from} → ${to}`));
});

describe("every state", () => {
  test("is final if it has no successor: cancelled and completed", () => {
    expect(APPOINTMENT_STATUSES.filter(isFinalStatus)).toEqual(["completed", "cancelled"]);
  });

  test("except cancelled takes a slot", () => {
    expect(APPOINTMENT_STATUSES.filter((status) => !takesSlot(status))).toEqual(["cancelled"]);
  });
});

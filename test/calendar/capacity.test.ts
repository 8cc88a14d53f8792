import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { capacityOf } from "../../src/calendar/capacity.ts";
import { dateRow, windowRow } from "./rows.ts";

describe("the remaining capacity of a window on a date", () => {
  test("is the window's own without a record of the date", () => {
    expect(capacityOf(windowRow(), undefined)).toEqual({
      maxSlots: 10,
      aiSlots: 4,
      status: "OPEN",
      filled: 0,
      available: 10,
      aiFilled: 0,
      aiAvailable: 4,
    });
  });

  test.each([
    // filled, filled by the agent, held, remaining, remaining for the agent
    [3, 0, 0, 7, 4],
    [3, 3, 0, 7, 1],
    [4, 4, 0, 6, 0],
    // Staff bookings leave less than the agent's share.
    [8, 0, 0, 2, 2],
    [9, 3, 0, 1, 1],
    [10, 0, 0, 0, 0],
    // Held slots count against both.
    [0, 0, 1, 9, 3],
    [3, 3, 1, 6, 0],
    [9, 0, 1, 0, 0],
    // Capacity was lowered below the bookings: nothing remains, and nothing is negative.
    [12, 6, 0, 0, 0],
    [10, 4, 3, 0, 0],
  ])(
    "%d booked, %d by the agent, %d held: %d left, %d for the agent",
    (filled, aiFilled, held, available, aiAvailable) => {
      const capacity = capacityOf(windowRow(), dateRow({ filled, ai_filled: aiFilled }), held);
      expect(capacity).toMatchObject({ filled, aiFilled, available, aiAvailable });
    },
  );

  test("follows the overrides of the date", () => {
    expect(capacityOf(windowRow(), dateRow({ max_slots: 20, ai_slots: 20, filled: 1 }))).toMatchObject({
      maxSlots: 20,
      aiSlots: 20,
      available: 19,
      aiAvailable: 19,
    });
    expect(capacityOf(windowRow(), dateRow({ max_slots: 0, ai_slots: 0 }))).toMatchObject({
      maxSlots: 0,
      available: 0,
    });
  });

  test("a date with fewer slots than the agent's share lowers that share", () => {
    expect(capacityOf(windowRow(), dateRow({ max_slots: 2 }))).toMatchObject({
      maxSlots: 2,
      aiSlots: 2,
      aiAvailable: 2,
    });
  });

  test("the date's own status counts, otherwise the window's", () => {
    expect(capacityOf(windowRow(), dateRow({ status: "CLOSED" })).status).toBe("CLOSED");
    expect(capacityOf(windowRow({ status: "CLOSED" }), dateRow({ status: "OPEN" })).status).toBe("OPEN");
    expect(capacityOf(windowRow({ status: "CLOSED" }), dateRow()).status).toBe("CLOSED");
  });

  test("is never negative, never more for the agent than in total, never above the limit", () => {
    const few = fc.integer({ min: 0, max: 8 });
    const fewOrNone = fc.option(few);
    fc.assert(
      fc.property(few, few, fewOrNone, fewOrNone, few, few, few, (max, ai, dateMax, dateAi, byStaff, byAi, held) => {
        const row = dateRow({ max_slots: dateMax, ai_slots: dateAi, filled: byStaff + byAi, ai_filled: byAi });
        const c = capacityOf(windowRow({ max_slots: max, ai_slots: ai }), row, held);
        expect(c.available).toBe(Math.max(0, (dateMax ?? max) - byStaff - byAi - held));
        expect(c.aiAvailable).toBeWithin(0, c.available + 1);
        expect(c.aiSlots).toBeLessThanOrEqual(c.maxSlots);
        if (c.aiAvailable > 0) expect(byAi + held + c.aiAvailable).toBeLessThanOrEqual(dateAi ?? ai);
      }),
    );
  });
});

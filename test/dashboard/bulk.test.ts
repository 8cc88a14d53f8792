// Bulk actions on calls, on the page's side: split into commands of an allowed size, each call in one of them.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { added, commandsOf, MOST_AT_ONCE, NOTHING_YET } from "../../src/web/pages/calls/bulk.ts";

test("every call is in one command, in order, and no command is too long", () => {
  fc.assert(
    fc.property(fc.nat(1_200), (count) => {
      const ids = Array.from({ length: count }, (_, i) => `call_${i}`);
      const commands = commandsOf(ids);
      expect(commands.flat()).toEqual(ids);
      expect(commands.every(({ length }) => length > 0 && length <= MOST_AT_ONCE)).toBeTrue();
    }),
  );
});

test("skipped calls are summed up by reason", () => {
  const first = added(NOTHING_YET, 250, { done: 240, left_out: [{ reason: "busy", count: 10 }] });
  const left_out = [
    { reason: "busy", count: 1 },
    { reason: "unknown", count: 2 },
  ];
  expect(added(first, 50, { done: 47, left_out })).toEqual({ seen: 300, done: 287, leftOut: { busy: 11, unknown: 2 } });
});

// Columns whose type SQL lacks are decoded when read and encoded when written.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { flag, json, meanings, orNull, words } from "../../src/db/meaning.ts";

const meaning = meanings<"agents">()({
  open_announcements: flag,
  retry_outcomes: words(),
  calling_hours: orNull(json<{ from: string }[]>()),
});

test("a row is decoded, and columns without a special meaning stay", () => {
  const row = { id: "agt_1", open_announcements: 1, retry_outcomes: "busy no_answer", calling_hours: null };
  const meant = meaning.read(row);
  expect(meant).toEqual({
    id: "agt_1",
    open_announcements: true,
    retry_outcomes: ["busy", "no_answer"],
    calling_hours: null,
  });
  expect(meaning.write(meant)).toEqual(row);
});

test("no words are an empty list, and columns that a query omits stay omitted", () => {
  expect(meaning.read({ retry_outcomes: "" })).toEqual({ retry_outcomes: [] });
  const change: { retry_outcomes: string[]; open_announcements?: boolean } = { retry_outcomes: [] };
  expect(meaning.write(change)).toEqual({ retry_outcomes: "" });
});

test("any written value is read back, and a shared row is not changed", () => {
  const word = fc.stringMatching(/^[a-z_+0-9]{1,8}$/);
  fc.assert(
    fc.property(
      fc.boolean(),
      fc.array(word),
      fc.option(fc.array(fc.record({ from: fc.string() }))),
      (on, all, hours) => {
        const meant = { open_announcements: on, retry_outcomes: all, calling_hours: hours };
        const row = Object.freeze(meaning.write(meant));
        expect(meaning.read(row)).toEqual(meant);
      },
    ),
    { seed: 1 },
  );
});

// Entity tags: the same content has the same tag, and a change that names an older one is refused.
import { expect, test } from "bun:test";
import { assertUnchanged, entityTag, namesTag, versioned } from "../../src/core/entity-tag.ts";
import type { AppError } from "../../src/core/errors.ts";

const VIEW = { name: "Asha", hours: { start: "09:00", end: "18:00" }, days: [1, 2] };
const TAG = entityTag(VIEW);

test("a tag depends on the content, not on the order of fields", () => {
  expect(TAG).toMatch(/^"[0-9a-f]{16}"$/);
  expect(entityTag({ days: [1, 2], hours: { end: "18:00", start: "09:00" }, name: "Asha" })).toBe(TAG);
  expect(entityTag({ ...VIEW, days: [2, 1] })).not.toBe(TAG);
  expect(entityTag({ ...VIEW, hours: { start: "09:00", end: "18:01" } })).not.toBe(TAG);
});

test("counts and times of something else are no content", () => {
  expect(entityTag({ ...VIEW, updated_at: "later", waiting: 3, deliveries: { pending: 1 } })).toBe(TAG);
  expect(entityTag(versioned(VIEW))).toBe(TAG);
});

test("a header names a tag among others, weak or strong, and * names any", () => {
  for (const header of [TAG, `W/${TAG}`, `"other", ${TAG}`, "*"]) expect(namesTag(header, TAG)).toBeTrue();
  for (const header of ["", '"other"', TAG.slice(1, -1)]) expect(namesTag(header, TAG)).toBeFalse();
});

test("a change is refused if it names another version, with the record as it is now", () => {
  assertUnchanged({}, VIEW);
  assertUnchanged({ basedOn: TAG }, VIEW);
  let refused: AppError | undefined;
  try {
    assertUnchanged({ basedOn: TAG }, { ...VIEW, name: "Meera" });
  } catch (error) {
    refused = error as AppError;
  }
  expect(refused?.code).toBe("PRECONDITION_FAILED");
  expect(refused?.current).toEqual(versioned({ ...VIEW, name: "Meera" }));
});

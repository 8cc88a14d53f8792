// A row's values under a key: any values come back, and only under their key, at their place and unchanged.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { keyIdOfRow, newRowKey, openRow, sealRow } from "../../src/core/sealed-row.ts";

const values = fc.array(fc.oneof(fc.string({ unit: "binary" }), fc.integer(), fc.constant(null)), { maxLength: 9 });

describe("a sealed row", () => {
  test("opens to the same values, whatever they are", () => {
    const key = newRowKey();
    fc.assert(
      fc.property(values, fc.string(), (row, place) => {
        const sealed = sealRow(key, row, place);
        expect(keyIdOfRow(sealed)).toBe(key.id);
        expect(openRow(key, sealed, place)).toEqual(row);
      }),
    );
  });

  test("does not open at another place, under another key, or with any character changed", () => {
    const key = newRowKey();
    const sealed = sealRow(key, ["Kamala", null], 'calls ["a"]');
    expect(() => openRow(key, sealed, 'calls ["b"]')).toThrow();
    expect(() => openRow(newRowKey(), sealed, 'calls ["a"]')).toThrow();
    // Behind the id of the key. The last character of each base64 text holds bits that mean nothing.
    for (let at = 17; at < sealed.length - 1; at++) {
      if (sealed[at + 1] === ".") continue;
      const changed = `${sealed.slice(0, at)}${sealed[at] === "A" ? "B" : "A"}${sealed.slice(at + 1)}`;
      expect(() => openRow(key, changed, 'calls ["a"]')).toThrow();
    }
    for (const cut of [17, 30, 54, sealed.length - 4])
      expect(() => openRow(key, sealed.slice(0, cut), 'calls ["a"]')).toThrow();
  });

  test("is never the same twice, and other texts are none", () => {
    const key = newRowKey();
    expect(new Set(Array.from({ length: 3000 }, () => sealRow(key, [], ""))).size).toBe(3000);
    for (const text of ["", "Kamala", key.id, `${key.id}-`]) expect(keyIdOfRow(text)).toBeNull();
  });
});

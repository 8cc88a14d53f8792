// Identifiers of patients: checks, comparison, and the key for searches.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { isSamePerson, type ContactOf } from "../../src/calendar/same-person.ts";
import type { AppError } from "../../src/core/errors.ts";
import {
  areOfOnePerson,
  checkedIdentifiers,
  identifierKey,
  identifiersIn,
  identifiersText,
  storedIdentifiers,
  type Identifier,
} from "../../src/payloads/identifiers.ts";
import { runsOf } from "../support/engines.ts";

const id = (system: string, value: string): Identifier => ({ system, value });

describe("identifiers of a request", () => {
  test("lose surrounding spaces, and may have two values of one system", () => {
    const given = [id(" mrn ", " 4711"), id("mrn", "4712")];
    expect(checkedIdentifiers(given, "user_identifiers")).toEqual([id("mrn", "4711"), id("mrn", "4712")]);
  });

  test("are rejected where one is sent twice, without being repeated in the error", () => {
    const twice = () =>
      checkedIdentifiers([id("mrn", "4711"), id("abha", "1"), id("mrn", "4711 ")], "user_identifiers");
    expect(twice).toThrow("user_identifiers has the same system and value twice. Send each identifier once.");
    try {
      twice();
    } catch (error) {
      expect((error as AppError).details.map(({ field }) => field)).toEqual(["user_identifiers.2"]);
    }
  });

  test.each([[null], [undefined], [[]]])("%j means none", (given) => {
    expect(checkedIdentifiers(given, "user_identifiers")).toEqual([]);
  });
});

test("the column has JSON text, and null for none", () => {
  expect(storedIdentifiers([])).toBeNull();
  expect(identifiersIn(null)).toEqual([]);
  const text = storedIdentifiers([id("mrn", "4711")]);
  expect(text).toBe('[{"system":"mrn","value":"4711"}]');
  expect(identifiersIn(text)).toEqual([id("mrn", "4711")]);
});

test.each([
  ["91-1234-5678-9012", "91 1234 5678 9012"],
  ["Mrn/7.1", "MRN71"],
  ["अ–१", "अ१"],
  ["ＭＲＮ７", "mrn7"],
])("a search takes %j for %j", (one, other) => {
  expect(identifierKey(one)).toBe(identifierKey(other));
});

test.each([
  ["asha@abdm", "ashaabdm"],
  ["--", "-"],
])("a search keeps %j and %j apart", (one, other) => {
  expect(identifierKey(one)).not.toBe(identifierKey(other));
});

test("a cell of a spreadsheet has all of them", () => {
  expect(identifiersText([id("mrn", "4711"), id("abha", "asha@abdm")])).toBe("mrn: 4711; abha: asha@abdm");
  expect(identifiersText([])).toBeNull();
});

const MEERA: ContactOf = { contact_name: "Meera Iyer", contact_number: "+919810012345" };

describe("two bookings are judged by identifiers first:", () => {
  test.each([
    ["one identifier, with other names and numbers", [id("mrn", "1")], [id("mrn", "1")], true],
    ["two of one system after a merge", [id("mrn", "1"), id("mrn", "2")], [id("mrn", "2")], true],
    ["another value of the same system", [id("mrn", "1")], [id("mrn", "2")], false],
  ] as const)("%s", (_what, mine, yours, isSame) => {
    const [a, b] = [
      { ...MEERA, contact_identifiers: mine },
      { contact_name: isSame ? "M. Iyer" : "Meera Iyer", contact_number: null, contact_identifiers: yours },
    ];
    expect([isSamePerson(a, b), isSamePerson(b, a)]).toEqual([isSame, isSame]);
  });

  test("without a common system, name and number decide", () => {
    const mrn = { ...MEERA, contact_identifiers: [id("mrn", "1")] };
    expect(isSamePerson(mrn, { ...MEERA, contact_identifiers: '[{"system":"abha","value":"1"}]' })).toBeTrue();
    expect(isSamePerson(mrn, MEERA)).toBeTrue();
    expect(isSamePerson(mrn, { ...MEERA, contact_name: "Asha Iyer" })).toBeFalse();
  });
});

const identifier = fc.record({ system: fc.constantFrom("mrn", "abha", "x"), value: fc.constantFrom("1", "2", "3") });
const identifiers = fc.uniqueArray(identifier, { maxLength: 4, selector: (each) => JSON.stringify(each) });
const person = fc.record({
  contact_name: fc.constantFrom(null, "", "Meera Iyer", " meera  IYER", "Asha Iyer"),
  contact_number: fc.constantFrom(null, "+919810012345", "+919810012346"),
  contact_identifiers: fc.oneof(identifiers, identifiers.map(storedIdentifiers)),
});

describe("for any two people", () => {
  test("the judgement is symmetric", () => {
    fc.assert(
      fc.property(person, person, (a, b) => {
        expect(isSamePerson(a, b)).toBe(isSamePerson(b, a));
      }),
      { numRuns: runsOf(500) },
    );
  });

  test("a family on one telephone, each with an identifier of the same system, is apart", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 2, maxLength: 6 }), (values) => {
        const family = values.map((value) => ({ ...MEERA, contact_identifiers: [id("mrn", value)] }));
        for (const [i, one] of family.entries())
          for (const [j, other] of family.entries()) expect(isSamePerson(one, other)).toBe(i === j);
      }),
      { numRuns: runsOf(200) },
    );
  });

  test("a common system decides, whatever the names", () => {
    fc.assert(
      fc.property(person, person, identifiers, identifiers, (a, b, mine, yours) => {
        const isOne = areOfOnePerson(mine, yours);
        fc.pre(isOne !== null);
        expect(isSamePerson({ ...a, contact_identifiers: mine }, { ...b, contact_identifiers: yours })).toBe(isOne);
      }),
      { numRuns: runsOf(500) },
    );
  });
});

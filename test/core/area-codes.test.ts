// Area codes of +1: each has a state and zones, or is unknown, and an unknown one gets the strictest treatment.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import { AREA_CODES, US_STATES, areaOf, zonesOfState } from "../../src/core/area-codes.ts";
import { calleeState, calleeZones } from "../../src/core/callee-zone.ts";
import { costlyKind } from "../../src/core/costly-numbers.ts";
import { CANADIAN_AREA_CODES, ISLAND_AREA_CODES } from "../../src/core/other-area-codes.ts";
import { isTimeZone } from "../../src/core/zones.ts";

test("each area code is three digits, belongs to one state, and has real time zones", () => {
  expect(new Set(AREA_CODES).size).toBe(AREA_CODES.length);
  expect(AREA_CODES.length).toBeGreaterThan(350);
  for (const code of AREA_CODES) {
    expect(code).toMatch(/^[2-9][0-8][0-9]$/);
    const area = areaOf(code);
    expect(US_STATES).toContain(area?.state ?? "");
    expect(area?.zones.length).toBeGreaterThan(0);
    for (const zone of area?.zones ?? []) expect(isTimeZone(zone)).toBe(true);
  }
});

test("fifty states, the District of Columbia and five territories have an area code", () => {
  expect(US_STATES).toHaveLength(56);
  for (const state of US_STATES) expect(zonesOfState(state).length).toBeGreaterThan(0);
  expect(zonesOfState("XX")).toEqual([]);
});

test("every number has zones, and a state only with a listed area code", () => {
  fc.assert(
    fc.property(fc.integer({ min: 200, max: 999 }), (code) => {
      const number = `+1${code}5550100`;
      expect(calleeZones(number).length).toBeGreaterThan(0);
      expect(calleeState(number)).toBe(AREA_CODES.includes(String(code)) ? (areaOf(String(code))?.state ?? "") : null);
    }),
    { numRuns: 800 },
  );
});

test.each([
  ["+14155550100", "CA"],
  ["+12025550100", "DC"],
  ["+17875550100", "PR"],
  ["+18505550100", "FL"],
  ["+18005550100", null],
  ["+14165550100", null],
  ["+18765550100", null],
  ["+919810012345", null],
])("%s is in %p", (number, state) => {
  expect(calleeState(number)).toBe(state);
});

/** The country of the first valid number of an area code in the public data of the numbering plan. */
function countryOf(code: number): string | undefined {
  const exchanges = ["234", "456", "622", "642", "789"];
  const known = exchanges.map((exchange) => parsePhoneNumberFromString(`+1${code}${exchange}5678`));
  return known.find((number) => number?.isValid() && number.getType() !== "TOLL_FREE")?.country;
}
const TERRITORIES = ["AS", "GU", "MP", "PR", "VI"];
/** Assigned, and newer than the public data. */
const NEW_CODES = ["357", "436", "621", "624", "679", "837", "861", "924"];

test("every area code of the numbering plan has a place here: a state, Canada or an island that is refused", () => {
  const [states, canadian, islands]: [string[], string[], string[]] = [[], [], []];
  for (let number = 200; number < 1_000; number++) {
    const code = String(number);
    const country = countryOf(number);
    if (country === "CA") canadian.push(code);
    else if (country === "US" || TERRITORIES.includes(country ?? "")) states.push(code);
    else if (country !== undefined && country !== "US") islands.push(code);
    if (TERRITORIES.includes(country ?? "")) expect([code, areaOf(code)?.state]).toEqual([code, country]);
  }
  // Personal and premium numbers have no place.
  const places = states.filter((code) => costlyKind(`+1${code}2345678`, []) === null);
  expect(places.filter((code) => !AREA_CODES.includes(code))).toEqual([]);
  expect(places.length).toBeGreaterThan(340);
  expect(canadian.filter((code) => !CANADIAN_AREA_CODES.includes(code) && !isRefused(code))).toEqual([]);
  expect(islands.filter((code) => !isRefused(code))).toEqual([]);
  expect(AREA_CODES.filter((code) => !states.includes(code) && !NEW_CODES.includes(code))).toEqual([]);
});
const isRefused = (code: string): boolean => costlyKind(`+1${code}2345678`, []) !== null;

test("Canadian numbers are called, at local time; those of the islands are refused, and have their time if allowed", () => {
  for (const code of [...CANADIAN_AREA_CODES, ...ISLAND_AREA_CODES]) {
    expect(AREA_CODES).not.toContain(code);
    expect(calleeState(`+1${code}2345678`)).toBeNull();
    for (const zone of calleeZones(`+1${code}2345678`)) expect(isTimeZone(zone)).toBe(true);
    expect([code, isRefused(code)]).toEqual([code, ISLAND_AREA_CODES.includes(code)]);
  }
  expect(calleeZones("+17095550100")).toEqual(["America/St_Johns", "America/Halifax"]);
  expect(calleeZones("+14165550100")).toEqual(["America/Toronto"]);
  expect(calleeZones("+18765550100")).toEqual(["America/Jamaica"]);
});

const [EAST, CENTRE, MOUNTAINS, WEST] = [
  "America/New_York",
  "America/Chicago",
  "America/Denver",
  "America/Los_Angeles",
];
/** Codes in several zones, by public data about exchanges. */
const BORDERS: readonly [codes: string, zones: (string | undefined)[]][] = [
  ["219 270 423 574 606 812 850 906", [EAST, CENTRE]],
  ["308 605 620 701 785", [CENTRE, MOUNTAINS]],
  ["208 541 775 986", [MOUNTAINS, WEST]],
  ["928", ["America/Phoenix", MOUNTAINS]],
  ["907", ["America/Anchorage", "America/Adak"]],
  // Laid over one of them.
  ["364 448 930", [EAST, CENTRE]],
  ["458", [MOUNTAINS, WEST]],
];

test.each(BORDERS)("%s are in several zones, and have all of them", (codes, zones) => {
  for (const code of codes.split(" ")) expect([code, areaOf(code)?.zones] as unknown).toEqual([code, zones]);
});

test.each([
  ["+18505550100", ["America/New_York", "America/Chicago"]],
  ["+12085550100", ["America/Denver", "America/Los_Angeles"]],
  ["+16595550100", ["America/Chicago"]],
  ["+19835550100", ["America/Denver"]],
  ["+16715550100", ["Pacific/Guam"]],
])("%s rings in %p: a code on a border has both zones", (number, zones) => {
  expect(calleeZones(number)).toEqual(zones);
});

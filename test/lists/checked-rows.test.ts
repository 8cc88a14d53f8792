// From a table to calls: column detection and row validation.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { callRow, checkRows, isCallable, withKnown, type CheckQuestion } from "../../src/lists/checked-rows.ts";
import { hasHeadings } from "../../src/lists/headings.ts";
import { guessMapping, type Mapping } from "../../src/lists/mapping.ts";
import { LONGEST_CELL, type Table } from "../../src/lists/table.ts";

const tableOf = (...rows: string[][]): Table => rows.map((cells, index) => ({ at: index + 1, cells }));

const guess = (headings: string[], row: string[], wanted: string[] = []) =>
  guessMapping(headings, tableOf(row), wanted);

describe("the columns are guessed", () => {
  test("from English headings, in any spelling", () => {
    const mapping = guess(
      ["S.No", "Patient Name", "MobileNo.", "Dr. Name", "Appt Date", "time of visit"],
      ["1", "Asha Rao", "98765 43210", "Dr. Iyer", "2026-11-16", "09:30"],
      ["doctor", "appointment_date", "appointment_time"],
    );
    const info = { doctor: 3, appointment_date: 4, appointment_time: 5 };
    expect(mapping).toEqual({ number: 2, name: 1, email: null, language: null, time_zone: null, region: null, info });
  });

  test("from Hindi headings", () => {
    const mapping = guess(
      ["मरीज़ का नाम", "फ़ोन नंबर", "डॉक्टर का नाम", "दिनांक", "समय", "भाषा"],
      ["आशा", "९८७६५ ४३२१०", "डॉ. अय्यर", "16-11-2026", "09:30", "hi"],
      ["doctor", "date", "time"],
    );
    expect(mapping).toEqual({
      number: 1,
      name: 0,
      email: null,
      language: 5,
      time_zone: null,
      region: null,
      info: { doctor: 2, date: 3, time: 4 },
    });
  });

  test("identifiers from the headings of hospitals", () => {
    const headings = ["UHID No.", "Patient Name", "Mobile", "ABHA Number", "ABHA Address"];
    const cells = ["4711", "Asha Rao", "98765 43210", "91-1234-5678-9012", "asha@abdm"];
    expect(guess(headings, cells)).toMatchObject({ name: 1, identifiers: { mrn: 0, abha: 3, abha_address: 4 } });
    expect(guess(["Patient ID", "Patient", "Phone"], ["7", "Asha", "98765 43210"])).toMatchObject({
      name: 1,
      identifiers: { mrn: 0 },
    });
    expect(guess(["Name", "Phone"], ["Asha", "98765 43210"]).identifiers).toBeUndefined();
  });

  test("states and zones only where the cells are some", () => {
    const headings = ["Phone", "State", "Time zone"];
    expect(guess(headings, ["+12125550142", "ny", "America/New_York"])).toMatchObject({ region: 1, time_zone: 2 });
    expect(guess(headings, ["9876543210", "Maharashtra", "IST"])).toMatchObject({ region: null, time_zone: null });
  });

  test("from their contents if there are no headings", () => {
    expect(guess([], ["Asha Rao", "98765 43210"])).toMatchObject({ number: 1, name: 0 });
    expect(guess([], ["98765 43210"])).toMatchObject({ number: 0, name: null });
  });

  test("a number heading over other contents is ignored", () => {
    expect(guess(["Token number", "Contact"], ["12", "98765 43210"])).toMatchObject({ number: 1 });
  });

  test("the first row is headings if it has no number and others have", () => {
    expect(hasHeadings(tableOf(["Name", "Phone"], ["Asha", "98765 43210"]))).toBeTrue();
    expect(hasHeadings(tableOf(["Asha", "98765 43210"], ["Ravi", "98765 43211"]))).toBeFalse();
    expect(hasHeadings(tableOf(["98765 43210"]))).toBeFalse();
  });
});

const MAPPING: Mapping = {
  number: 0,
  name: 1,
  email: null,
  language: null,
  time_zone: null,
  region: null,
  info: { doctor: 2 },
};
const AGENT = {
  name: "Asha",
  greeting: "Hello {{user_name}}, it is about {{doctor}}.",
  prompt: "You are {{agent_name}}.",
};
const check = (rows: Table, change: Partial<CheckQuestion> = {}) =>
  checkRows({ rows, mapping: MAPPING, home: "IN", allowedRanges: [], agent: AGENT, ...change });
const kindsOf = (rows: Table, change: Partial<CheckQuestion> = {}) =>
  check(rows, change).map(({ faults }) => faults.map(({ kind }) => kind).join(" "));

describe("a row", () => {
  test("becomes a call with its number, name and values", () => {
    expect(check(tableOf([" 98765 43210 ", " Ravi ", "Dr. Iyer"]))).toMatchObject([
      { at: 1, number: "+919876543210", name: "Ravi", info: { doctor: "Dr. Iyer" }, faults: [] },
    ]);
  });

  test("gives the callee's time zone and state, and is rejected if they are not known", () => {
    const mapping: Mapping = { number: 0, name: null, email: null, language: null, time_zone: 1, region: 2, info: {} };
    const rows = tableOf(
      ["+12125550142", "America/Chicago", "tx"],
      ["+12125550143", "", ""],
      ["+12125550144", "Chicago", "ZZ"],
      ["+919876543210", "Asia/Kolkata", "CA"],
    );
    const agent = { ...AGENT, greeting: "Hello." };
    expect(kindsOf(rows, { mapping, agent })).toEqual(["", "", "not_a_time_zone not_a_state", "not_a_state"]);
    expect(check(rows, { mapping, agent }).filter(isCallable).map(callRow)).toEqual([
      { row: 1, user_number: "+12125550142", user_time_zone: "America/Chicago", user_region: "TX" },
      { row: 2, user_number: "+12125550143" },
    ]);
  });

  test("gives identifiers, and is rejected if one is too long or unsafe; siblings are no duplicates", () => {
    const mapping: Mapping = { ...MAPPING, info: {}, identifiers: { mrn: 2, abha: 3 } };
    const rows = tableOf(
      ["9876543210", "Baby", " 4711 ", "91-1234"],
      ["9876543210", "Baby", "4712", ""],
      ["9876543210", "Baby", "4711", "91-1234"],
      ["9876543211", "Ravi", "x".repeat(101), ""],
      ["9876543212", "Ravi", "a\u202Eb", ""],
    );
    const agent = { ...AGENT, greeting: "Hello." };
    expect(kindsOf(rows, { mapping, agent })).toEqual(["", "same_number", "duplicate", "too_long", "unsafe"]);
    const mrn = (value: string) => ({ system: "mrn", value });
    expect(check(rows, { mapping, agent }).filter(isCallable).map(callRow)).toMatchObject([
      { row: 1, user_identifiers: [mrn("4711"), { system: "abha", value: "91-1234" }] },
      { row: 2, user_identifiers: [mrn("4712")] },
    ]);
  });

  test("with an unsafe name, address or language is rejected individually", () => {
    const mapping: Mapping = { number: 0, name: 1, email: 2, language: 3, time_zone: null, region: null, info: {} };
    const rows = tableOf(
      ["9876543210", "a\u202Eb", "", ""],
      ["9876543211", "Ravi", "r@x.org\r\nBcc: a", ""],
      ["9876543212", "Ravi", "", "../../etc"],
      ["9876543213", "Ravi", "r@x.org", "हिन्दी"],
      ["9876543214", "Ravi", "", "en-IN"],
    );
    const agent = { ...AGENT, greeting: "Hello." };
    expect(kindsOf(rows, { mapping, agent })).toEqual(["unsafe", "unsafe", "not_a_language", "", ""]);
    expect(check(rows, { mapping, agent }).map(({ language }) => language)).toEqual([
      null,
      null,
      "../../etc",
      "hi",
      "en-IN",
    ]);
  });

  test("is reported with its error", () => {
    const rows = tableOf(
      ["", "Ravi", "x"],
      ["soon", "Ravi", "x"],
      ["9.19877E+11", "Ravi", "x"],
      ["12345", "Ravi", "x"],
      ["+442079460000", "Ravi", "x"],
      ["+19005550100", "Ravi", "x"],
      ["+18765550100", "Ravi", "x"],
      ["9876543210", "R".repeat(201), "x"],
      ["9876543210", "Ravi", "x".repeat(17_000)],
      ["9876543210", "", ""],
      ["+9198765432", "Ravi", "x"],
    );
    expect(kindsOf(rows)).toEqual([
      "number_missing",
      "not_a_number",
      "shortened",
      "incomplete",
      "not_allowed",
      "not_allowed",
      "not_allowed",
      "too_long",
      "too_long",
      "missing_value",
      "unusual_length",
    ]);
    expect(
      check(rows)
        .filter(isCallable)
        .map(({ at }) => at),
    ).toEqual([10, 11]);
    expect(check(rows)[9]?.faults[0]?.message).toBe("There is no value for user_name, doctor.");
  });

  test("that occurs twice is called once; another name at the same number is called, too", () => {
    const rows = tableOf(["9876543210", "Ravi", "x"], ["+91 98765 43210", "RAVI", "x"], ["09876543210", "Meera", "x"]);
    expect(kindsOf(rows)).toEqual(["", "duplicate", "same_number"]);
    expect(check(rows)[1]?.faults[0]?.message).toBe("The same as row 1.");
  });

  test("with a do-not-disturb number is not called; one called today can be", () => {
    const rows = check(tableOf(["9876543210", "Ravi", "x"], ["9876543211", "Meera", "x"]));
    const known = { doNotDisturb: ["+919876543210"], calledToday: ["+919876543211"] };
    const marked = withKnown(rows, known);
    expect(marked.map(({ faults }) => faults.map(({ kind }) => kind))).toEqual([["do_not_disturb"], ["called_today"]]);
    expect(marked.filter(isCallable).map(({ at }) => at)).toEqual([2]);
  });

  test("whose values make the agent's text too long is not called", () => {
    const agent = { ...AGENT, prompt: "{{doctor}}".repeat(60) };
    expect(kindsOf(tableOf(["9876543210", "Ravi", "x".repeat(1_000)]), { agent })).toEqual(["too_long"]);
  });

  test("with a truncated value is not called", () => {
    const [longest, cut] = ["x".repeat(LONGEST_CELL), "x".repeat(LONGEST_CELL + 1)];
    const rows = tableOf(["9876543210", "Ravi", longest], ["9876543211", "Meera", cut], ["9876543212", cut, "x"]);
    expect(kindsOf(rows)).toEqual(["", "too_long", "too_long"]);
  });

  test("with placeholders named like object properties reports them", () => {
    const agent = { ...AGENT, greeting: "{{constructor}} {{__proto__}}", prompt: "" };
    const mapping = { ...MAPPING, info: Object.fromEntries([["__proto__", 2]]) };
    expect(check(tableOf(["9876543210", "Ravi", "x"]), { agent, mapping })[0]?.faults[0]?.message).toContain(
      "no value for constructor.",
    );
  });
});

test("any table under any mapping is validated without an error, and callable rows have a number", () => {
  const column = fc.option(fc.nat(5));
  const mapping = fc.record({
    number: column,
    name: column,
    email: column,
    language: column,
    time_zone: column,
    region: column,
    info: fc.dictionary(fc.string({ minLength: 1, maxLength: 64 }), fc.nat(5), { maxKeys: 5 }),
  });
  const rows = fc.array(fc.array(fc.string({ unit: "binary" }), { maxLength: 6 }), { maxLength: 10 });
  fc.assert(
    fc.property(rows, mapping, (cells, chosen) => {
      const callable = check(tableOf(...cells), { mapping: chosen }).filter(isCallable);
      expect(callable.every(({ number }) => /^\+(?:91|1)\d+$/.test(number))).toBeTrue();
    }),
  );
});

test("column detection works for any headings", () => {
  const cells = fc.array(fc.string({ unit: "binary" }), { maxLength: 6 });
  fc.assert(
    fc.property(cells, fc.array(cells, { maxLength: 5 }), cells, (headings, rows, wanted) => {
      const table = tableOf(headings, ...rows);
      hasHeadings(table);
      const { number } = guessMapping(headings, table, wanted);
      expect(number === null || number < 6).toBeTrue();
    }),
  );
});

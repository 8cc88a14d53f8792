// The directory of contacts: membership, search, and erasure.
import { afterEach, describe, expect, test } from "bun:test";
import Sqlite from "better-sqlite3";
import fc from "fast-check";
import { CLI_ACTOR } from "../../../src/core/actor.ts";
import { indexContacts } from "../../../src/calls/people/contact-indexing.ts";
import { findContacts } from "../../../src/calls/people/contact-store.ts";
import { insertCall, listCallIds, listCalls, updateCall } from "../../../src/calls/call/store.ts";
import { callRow } from "../../support/call-rows.ts";
import { onlySqlite } from "../../support/engines.ts";
import { createHospital, type Hospital } from "../../support/hospital.ts";
import { plansOf } from "../../support/query-plans.ts";
import { fileOf } from "../../support/temp.ts";

let hospital: Hospital | undefined;
afterEach(async () => {
  await hospital?.close();
  hospital = undefined;
});

interface Person {
  name: string | null;
  number: string;
}

let made = 0;
async function called(people: readonly Person[], organisationId = hospital!.organisationId): Promise<string[]> {
  const { db, agentId } = hospital!;
  const rows = people.map(({ name, number }) => {
    const at = ++made;
    const id = `call_${String(at).padStart(8, "0")}`;
    const when = { scheduled_at: at, next_at: at, created_at: at, updated_at: at, finished_at: at };
    const who = { organisation_id: organisationId, agent_id: agentId, contact_name: name, contact_number: number };
    return callRow({ id, state: "completed", ...when, ...who });
  });
  await db.write(async (tx) => {
    for (const row of rows) await insertCall(tx, row);
  });
  return rows.map(({ id }) => id);
}

const found = async (text: string) =>
  (await findContacts(hospital!.db.heavy, hospital!.organisationId, text)).map(({ number }) => number);
const calls = (search: string, limit = 5_000) =>
  listCallIds(hospital!.db.heavy, { organisationId: hospital!.organisationId, search, limit });

/** Reference without an index: a substring match that ignores ASCII case. */
const lower = (text: string) => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
const holdsText = ({ name, number }: Person, text: string) =>
  [name ?? "", number].some((each) => lower(each).includes(lower(text)));

/**
 * What the trigram index covers for two letters: the neighbouring letter is ASCII, western European or of the same
 * script, or there is none. PostgreSQL scans every person.
 */
const isNear = (letter: string, pair: readonly string[]) => {
  const block = (each: string) => Math.floor((each.codePointAt(0) ?? 0) / 128);
  return block(letter) === 0 || /[ß-ÿ]/.test(letter) || pair.some((each) => block(each) === block(letter));
};
const isBetweenOtherScripts = ({ name }: Person, text: string) => {
  const [pair, letters] = [Array.from(text), Array.from(name ?? "")];
  if (pair.length !== 2 || letters.length === 2) return false;
  const places = letters.flatMap((_, at) => (lower(letters.slice(at, at + 2).join("")) === lower(text) ? [at] : []));
  const beside = places.flatMap((at) => [letters[at - 1], letters[at + 2]]);
  return places.length > 0 && !beside.some((each) => each !== undefined && isNear(each, pair));
};

const letter = fc.constantFrom("a", "B", "c", "é", "क", "ि", "𝒜", " ", '"', "'", "%", "_", "\\", "*", "-", "İ", "ß");
const name = fc.array(letter, { minLength: 1, maxLength: 9 }).map((letters) => letters.join(""));
const number = fc.integer({ min: 0, max: 99_999 }).map((digits) => `+9198000${String(digits).padStart(5, "0")}`);
const person = fc.record({ name: fc.option(name), number });

test("a search finds exactly the people and calls whose name or number contains the text", async () => {
  hospital = await createHospital();
  const people = fc.sample(person, { numRuns: 150, seed: 34 });
  const ids = await called(people.slice(0, 100));
  await indexContacts(hospital.db);
  // These are not in the index yet.
  ids.push(...(await called(people.slice(100))));
  const texts = fc.sample(fc.array(letter, { minLength: 1, maxLength: 5 }), { numRuns: 60, seed: 35 });
  const parts = people.flatMap((each, i) => [
    each.number.slice(i % 9, (i % 9) + 4),
    Array.from(each.name ?? "")
      .slice(1, 5)
      .join(""),
  ]);
  const asked: string[] = [];
  for (const text of [...texts.map((letters) => letters.join("")), ...parts].filter(
    (each) => each.trim() === each && each !== "",
  )) {
    if (people.some((each) => isBetweenOtherScripts(each, text))) continue;
    asked.push(text);
    const matching = people.flatMap((each, i) => (holdsText(each, text) ? [i] : []));
    expect([text, await calls(text)]).toEqual([text, matching.map((i) => ids[i] ?? "").toReversed()]);
    expect([text, new Set(await found(text))]).toEqual([text, new Set(matching.map((i) => people[i]?.number ?? ""))]);
  }
  // Including most searches of two letters.
  expect(asked.filter((text) => Array.from(text).length === 2).length).toBeGreaterThan(20);
});

test("two letters find names that start with, contain, end with or equal them, and numbers", async () => {
  hospital = await createHospital();
  const of = (name: string, number: string): Person => ({ name, number });
  const people = [of("Om", "+919800000001"), of("Omar Rao", "+919800000002"), of("Som", "+919800000003")];
  await called([...people, of("Asha Tomar", "+919800000004"), of("आशा", "+919800000005"), of("Zoë", "+919800000006")]);
  await indexContacts(hospital.db);
  const ends = async (text: string) => (await found(text)).map((number) => number.slice(-1)).toSorted();
  expect(await ends("om")).toEqual(["1", "2", "3", "4"]);
  expect(await ends("OM")).toEqual(["1", "2", "3", "4"]);
  expect(await ends("शा")).toEqual(["5"]);
  expect(await ends("oë")).toEqual(["6"]);
  expect(await ends("Zo")).toEqual(["6"]);
  expect(await ends("03")).toEqual(["3"]);
  expect(await ends("qx")).toEqual([]);
});

test("a name shared by more than a thousand people is found in order of time", async () => {
  hospital = await createHospital();
  const many = Array.from({ length: 1_010 }, (_, i) => ({ name: "Ravi Kumar", number: `+91980${1_000_000 + i}` }));
  const ids = await called(many);
  await indexContacts(hospital.db);
  expect(await calls("Kumar")).toEqual(ids.toReversed());
  expect(await calls("Kumar", 3)).toEqual(ids.slice(-3).toReversed());
  expect(await found("Kumar")).toHaveLength(200);
});

describe("the directory", () => {
  test("knows a person by every name of their calls, and drops a name with its last call", async () => {
    hospital = await createHospital();
    const [first = "", second = ""] = await called([
      { name: "Asha Rao", number: "+919811111111" },
      { name: "Asha Iyer", number: "+919811111111" },
    ]);
    await indexContacts(hospital.db);
    expect(await found("Rao")).toEqual(["+919811111111"]);
    await hospital.db.write((tx) => updateCall(tx, first, { contact_name: "Asha Menon", updated_at: 1 }));
    expect([await found("Rao"), await found("Menon")]).toEqual([[], ["+919811111111"]]);
    await hospital.app.services.erasure.erase(hospital.organisationId, first, CLI_ACTOR, { any: true });
    expect([await found("Menon"), await found("Iyer")]).toEqual([[], ["+919811111111"]]);
    await hospital.app.services.erasure.erase(hospital.organisationId, second, CLI_ACTOR, { any: true });
    expect(await found("9811111111")).toEqual([]);
    expect(await hospital.db.reader.selectFrom("contacts").selectAll().execute()).toEqual([]);
  });

  test("reveals nothing of another organisation's people", async () => {
    hospital = await createHospital();
    const neighbour = await hospital.neighbour();
    await called([{ name: "Meera Nair", number: "+919822222222" }], neighbour.organisationId);
    expect([await found("Meera"), await calls("Meera")]).toEqual([[], []]);
  });

  onlySqlite("PostgreSQL has another index of trigrams")("keeps no three letters of an erased person", async () => {
    hospital = await createHospital();
    const [id = ""] = await called([{ name: "Xylander Quist", number: "+919833333333" }]);
    await called([{ name: "Asha Rao", number: "+919811111111" }]);
    await indexContacts(hospital.db);
    await hospital.app.services.erasure.erase(hospital.organisationId, id, CLI_ACTOR, { any: true });
    const file = new Sqlite(fileOf(hospital.db));
    file.exec("CREATE VIRTUAL TABLE temp.words USING fts5vocab (main, contact_search, row)");
    const words = file.prepare("SELECT term FROM words").pluck().all();
    const indexed = Buffer.concat(file.prepare("SELECT block FROM contact_search_data").pluck().all() as Buffer[]);
    file.close();
    expect(words).toContain("rao");
    expect(words).not.toContain("xyl");
    expect(words).not.toContain("333");
    expect(indexed.includes("rao")).toBe(true);
    expect(indexed.includes("xyl")).toBe(false);
  });
});

const ASHA = `INSERT INTO contacts (organisation_id, contact_number, contact_name) VALUES ('org_1', '+91', 'Asha');
  INSERT INTO contact_search (rowid, contact_name, contact_number) SELECT id, contact_name, contact_number FROM contacts;`;

describe("the plan of", () => {
  const question = { organisationId: "org_1", limit: 51 };
  const cases: [string, Parameters<typeof listCalls>[1], string][] = [
    ["a list of one number", { ...question, contactNumber: "+919811111111" }, "calls_by_contact"],
    [
      "a later page of it",
      { ...question, contactNumber: "+91", before: { createdAt: 5, id: "call_1" } },
      "calls_by_contact",
    ],
    ["a list of everybody", question, "calls_newest"],
    ["a search", { ...question, search: "Asha" }, "SCAN search VIRTUAL TABLE INDEX"],
  ];
  test.each(cases)("%s uses an index", async (_, filter, index) => {
    const plans = await plansOf((executor) => listCalls(executor, filter), ASHA);
    const steps = plans.flatMap((plan) => plan.steps);
    expect(steps.join("; ")).toContain(index);
    expect(steps.filter((step) => step.startsWith("SCAN") && !step.includes("VIRTUAL TABLE INDEX"))).toEqual([]);
    if (filter.search !== undefined) expect(steps.join("; ")).toContain("calls_by_contact");
  });

  test("new people are indexed by their ids", async () => {
    const plans = await plansOf((executor) => findContacts(executor, "org_1", "Asha"));
    expect(plans[0]?.steps[0]).toBe("SEARCH contacts USING INTEGER PRIMARY KEY (rowid>?)");
  });

  test("two letters scan only new people", async () => {
    const steps = (await plansOf((executor) => findContacts(executor, "org_1", "As"))).flatMap((plan) => plan.steps);
    expect(steps.join("; ")).toContain("SCAN search VIRTUAL TABLE INDEX");
    expect(steps.join("; ")).toContain("contacts_of_two_letters");
    expect(steps.filter((step) => step.startsWith("SCAN") && !step.includes("VIRTUAL TABLE INDEX"))).toEqual([]);
  });

  test("a search for people uses trigrams, then the found numbers", async () => {
    const plans = await plansOf((executor) => findContacts(executor, "org_1", "Asha"));
    const steps = plans.flatMap((plan) => plan.steps);
    expect(steps.join("; ")).toContain("SCAN search VIRTUAL TABLE INDEX");
    expect(steps.join("; ")).toContain("SEARCH calls USING COVERING INDEX calls_by_contact");
    expect(steps.filter((step) => step.includes("TEMP B-TREE"))).toEqual([]);
  });
});

// Complete lists: what a list lacks is cancelled, unless it lacks so much that a person has to agree.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { outcome } from "../../support/hospital.ts";
import { createDropFolder, listOf, type DropFolder } from "./drop-folder.ts";

let drop: DropFolder;
beforeEach(async () => {
  drop = await createDropFolder();
});
afterEach(() => drop.close());

/** Appointments A-1 to A-count, from 16 November on: five a day. */
const rows = (count: number, without: readonly number[] = []) =>
  Array.from({ length: count }, (_, i) => i + 1)
    .filter((n) => !without.includes(n))
    .map((n) => `A-${n},${16 + Math.floor((n - 1) / 5)}/11/2026,10:1${n % 5},,,Patient ${n},`);
/** A quarter. */
const LACKING = [2, 3, 4, 5, 6, 20];
const cancelled = async () =>
  (await drop.appointmentRows()).filter(({ status }) => status === "cancelled").map(({ external_id }) => external_id);
const decide = (source: string, file: string, decision: string) =>
  drop.request("POST", `/v1/sources/${source}/files/${file}/${decision}`);

async function known(count = 20, settings: object = {}): Promise<string> {
  const source = await drop.source({ list: "complete", ...settings });
  drop.drop("first.csv", listOf(...rows(count)), 100);
  await drop.look();
  return source;
}

describe("a complete list", () => {
  test("cancels what it lacks within its dates, and nothing beyond them", async () => {
    const source = await known();
    // Without the last two days, and without A-7.
    drop.drop("second.csv", listOf(...rows(10, [7])));
    await drop.look();
    expect(await drop.file(source)).toMatchObject({ state: "done", absent: 1, known: 10, cancelled: 1, unchanged: 9 });
    expect(await cancelled()).toEqual(["A-7"]);
  });

  test("keeps an appointment whose row is at fault, and one that it has moved", async () => {
    const source = await known();
    drop.drop("second.csv", listOf("A-3,16/11/2026,99:99,,,,", "A-4,19/11/2026,10:30,,,,", ...rows(20, [3, 4])));
    await drop.look();
    expect(await drop.file(source)).toMatchObject({ state: "done", faults: 1, absent: 0, cancelled: 0, updated: 1 });
    expect(await cancelled()).toEqual([]);
  });

  test("that lacks more than the share stops before anything; later files wait until a person accepts it", async () => {
    const source = await known();
    drop.drop("second.csv", listOf("A-20,19/11/2026,09:00,,,,", ...rows(20, LACKING)), 50);
    drop.drop("third.csv", listOf("A-20,19/11/2026,08:00,,,,", ...rows(20, LACKING)), 40);
    await drop.look(5);
    const asking = await drop.file(source);
    expect(asking).toMatchObject({ name: "second.csv", state: "asking", absent: 5, known: 20, updated: 0 });
    expect(outcome(await decide(source, asking.file_id, "accept"))).toBe("200 ok");
    expect(outcome(await decide(source, asking.file_id, "accept"))).toBe("200 ok");
    await drop.look();
    // Once it is read too.
    expect(outcome(await decide(source, asking.file_id, "accept"))).toBe("200 ok");
    const [third, second] = await drop.files(source);
    expect(second).toMatchObject({ state: "done", cancelled: 5, updated: 1 });
    expect(third).toMatchObject({ name: "third.csv", state: "done", cancelled: 0, updated: 1 });
    expect(await cancelled()).toEqual(["A-2", "A-3", "A-4", "A-5", "A-6"]);
    expect(await drop.actionsOnRecord()).toContain("source_file.accepted");
  });

  test("that says how many days it covers cancels on days that it lacks altogether", async () => {
    const source = await known(20, { covers_days: 3, max_cancel_percent: 100 });
    drop.drop("second.csv", listOf(...rows(20, [1, 2, 3, 4, 5, 16, 17])));
    await drop.look();
    // Three days from Sunday, the 15th: Wednesday, the 18th. are on the day after.
    expect(await drop.file(source)).toMatchObject({ state: "done", known: 15, cancelled: 5 });
    expect(await cancelled()).toEqual(["A-1", "A-2", "A-3", "A-4", "A-5"]);
  });

  test("asks, is refused, and leaves everything as it was", async () => {
    const source = await known();
    drop.drop("second.csv", listOf("A-20,19/11/2026,09:00,,,,", ...rows(20, LACKING)));
    await drop.look();
    const asking = await drop.file(source);
    expect(asking).toMatchObject({ state: "asking", absent: 5, known: 20, last_row: 0, cancelled: 0 });
    expect(outcome(await decide(source, asking.file_id, "reject"))).toBe("200 ok");
    await drop.look();
    expect(await drop.file(source)).toMatchObject({ state: "rejected", updated: 0, cancelled: 0 });
    expect(drop.names("faulty")).toHaveLength(2);
    expect(await cancelled()).toEqual([]);
    expect(outcome(await decide(source, asking.file_id, "accept"))).toBe("409 CONFLICT");
  });

  test("with rows without an id asks even below the share", async () => {
    const source = await known();
    drop.drop("second.csv", listOf(",16/11/2026,10:15,,,,", ...rows(20, [7])));
    await drop.look();
    expect(await drop.file(source)).toMatchObject({ state: "asking", absent: 1 });
  });

  test("that lacks more by the time it is accepted asks again", async () => {
    const source = await known(20, { max_cancel_percent: 0 });
    drop.drop("second.csv", listOf(...rows(20, [7])));
    await drop.look();
    const { file_id } = await drop.file(source);
    await drop.request("PUT", `/v1/sources/${source}/appointments`, {
      body: { external_id: "B-1", starts_at: "2026-11-17T10:00:00+05:30", contact_name: "Late" },
    });
    await decide(source, file_id, "accept");
    await drop.look();
    expect(await drop.file(source)).toMatchObject({ state: "asking", absent: 2 });
    await decide(source, file_id, "accept");
    await drop.look();
    expect(await drop.file(source)).toMatchObject({ state: "done", cancelled: 2 });
    expect(await cancelled()).toEqual(["A-7", "B-1"]);
  });

  test("that returns to an earlier state is read again; the very last one is not", async () => {
    const source = await known();
    drop.drop("second.csv", listOf(...rows(20, [7])), 50);
    await drop.look();
    drop.drop("again.csv", listOf(...rows(20)), 40);
    await drop.look();
    expect(await drop.file(source)).toMatchObject({ name: "again.csv", state: "done", updated: 1 });
    drop.drop("again.csv", listOf(...rows(20)), 30);
    await drop.look();
    expect(await drop.file(source)).toMatchObject({ state: "repeated" });
    expect(await cancelled()).toEqual([]);
  });

  test("refuses a second row with the same id", async () => {
    const source = await drop.source({ list: "complete" });
    drop.drop("list.csv", listOf("A-1,16/11/2026,10:15,,,One,", "A-1,17/11/2026,10:15,,,Two,"));
    await drop.look();
    expect(await drop.file(source)).toMatchObject({ created: 1, faults: 1 });
  });
});

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Database } from "../../src/db/database.ts";
import { beginsWith, holds } from "../../src/db/like.ts";
import { openTempDatabase } from "../support/temp.ts";

let db: Database;
const NAMES = ["Ärzte", "ärzte", "İstanbul", "Kamala", "KAMALA 100%", "kamal_", "कमला", "back\\slash"];

beforeAll(async () => {
  ({ db } = await openTempDatabase());
  const rows = NAMES.map((name, at) => ({ name, at }));
  await db.write((tx) => tx.insertInto("heartbeats").values(rows).execute());
});
afterAll(() => db.close());

const names = async (query: { execute(): Promise<{ name: string }[]> }) =>
  (await query.execute()).map(({ name }) => name).toSorted();
const all = () => db.reader.selectFrom("heartbeats").select("name");

describe("an empty list", () => {
  test("contains nothing", async () => {
    expect(await names(all().where("name", "in", []))).toEqual([]);
    expect(all().where("name", "in", []).compile().sql).not.toContain("()");
  });

  test("excludes everything", async () => {
    expect(await names(all().where("name", "not in", []))).toEqual(NAMES.toSorted());
  });

  test("changes nothing", async () => {
    const gone = await db.write((tx) => tx.deleteFrom("heartbeats").where("at", "in", []).executeTakeFirst());
    expect(gone.numDeletedRows).toBe(0n);
  });
});

describe("a search", () => {
  const holding = (text: string) => names(all().where((eb) => holds(eb.ref("name"), text)));
  const beginning = (text: string) => names(all().where((eb) => beginsWith(eb.ref("name"), text)));

  test("matches a and A, only in ASCII", async () => {
    expect(await holding("KaMaLa")).toEqual(["KAMALA 100%", "Kamala"]);
    expect(await holding("ärzte")).toEqual(["ärzte"]);
    expect(await holding("ÄRZTE")).toEqual(["Ärzte"]);
    expect(await holding("istanbul")).toEqual([]);
    expect(await holding("मला")).toEqual(["कमला"]);
  });

  test("treats pattern characters literally", async () => {
    expect(await holding("%")).toEqual(["KAMALA 100%"]);
    expect(await holding("l_")).toEqual(["kamal_"]);
    expect(await holding("k\\s")).toEqual(["back\\slash"]);
  });

  test("may match a prefix", async () => {
    expect(await beginning("kama")).toEqual(["KAMALA 100%", "Kamala", "kamal_"]);
    expect(await beginning("amala")).toEqual([]);
  });
});

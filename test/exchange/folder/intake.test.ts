// Lists of appointments in a drop folder: read once they are whole, each row once, with a file for the rows at fault.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { appendFileSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { outcome } from "../../support/hospital.ts";
import { sheetOf, workbookOf } from "../../support/workbook.ts";
import { claim, filesIn, openFolder } from "../../../src/exchange/folder/disk.ts";
import { until } from "../../support/until.ts";
import { COLUMNS, createDropFolder, HEADINGS, listOf, SETTLE_MS, type DropFolder } from "./drop-folder.ts";

let drop: DropFolder;
beforeEach(async () => {
  drop = await createDropFolder();
});
afterEach(() => drop.close());

const ROWS = [
  "A-1,16/11/2026,10:15,new,Dr. Mehta,Asha Rao,98100 12345",
  "A-2,17-11-2026,2:30 PM,changed,Dr. Mehta,Ravi Iyer,+919810012346",
  "A-3,,,cancelled,,,",
];
const appointments = async () =>
  (await drop.appointmentRows()).map(({ external_id, date, start_time, status }) => [
    external_id,
    date,
    start_time,
    status,
  ]);

describe("a list of changes", () => {
  test("is applied row by row, and moves to done", async () => {
    const source = await drop.source();
    drop.drop("monday.csv", listOf(...ROWS));
    await drop.look();
    expect(await drop.file(source)).toMatchObject({
      name: "monday.csv",
      state: "done",
      rows: 3,
      last_row: 4,
      created: 3,
      faults: 0,
      moved_to: "done/monday.20261115T060001Z.csv",
    });
    expect(await appointments()).toEqual([
      ["A-1", "2026-11-16", "10:15", "confirmed"],
      ["A-2", "2026-11-17", "14:30", "confirmed"],
      ["A-3", "2026-11-15", "00:00", "cancelled"],
    ]);
    const [first] = await drop.appointmentRows();
    expect(first).toMatchObject({
      contact_name: "Asha Rao",
      contact_number: "+919810012345",
      practitioner_name: "Dr. Mehta",
    });
    expect(drop.names()).toEqual([]);
    expect(drop.names("working")).toEqual([]);
    expect(drop.names("done")).toEqual(["monday.20261115T060001Z.csv"]);
  });

  test("is read from a workbook too", async () => {
    const source = await drop.source();
    drop.drop(
      "list.xlsx",
      workbookOf(sheetOf([HEADINGS.split(","), ...ROWS.slice(0, 2).map((row) => row.split(","))])),
    );
    await drop.look();
    expect(await drop.file(source)).toMatchObject({ state: "done", created: 2 });
  });

  test("has its rows at fault in a file beside it, with the reason", async () => {
    const source = await drop.source();
    drop.drop(
      "list.csv",
      listOf(
        ROWS[0]!,
        ",16/11/2026,10:15,new,,Nameless,",
        "A-4,31/02/2026,10:15,new,,Wrong Day,",
        "A-5,16/11/2026,10:15,perhaps,,Odd Status,",
        "A-6,16/11/2026,10:15,new,,Short Number,12345",
        "A-7,,,new,,No Time,",
      ),
    );
    await drop.look();
    expect(await drop.file(source)).toMatchObject({ state: "done", created: 1, faults: 5 });
    const faults = drop.text("done/list.20261115T060001Z.faults.csv").replace("\ufeff", "").trim().split("\r\n");
    expect(faults[0]).toBe(`${HEADINGS},Row,Why it was not taken`);
    expect(faults.slice(1).map((line) => line.split(",").slice(5))).toEqual([
      ["Nameless", "", "3", "The row has no id of its appointment."],
      ["Wrong Day", "", "4", "The date or the time is not one that exists."],
      ["Odd Status", "", "5", "The status is not known. Add its word to the settings of the system."],
      ["Short Number", "12345", "6", "The phone number is incomplete or is not one."],
      ["No Time", "", "7", "starts_at is required for an appointment that is not known yet."],
    ]);
    expect(await drop.db.reader.selectFrom("source_file_faults").selectAll().execute()).toEqual([]);
  });

  test.each([
    ["is no list", "\0\0\0\0", "This file holds no text. Choose a CSV or XLSX file."],
    [
      "lost a column",
      "Id,Date\nA-1,16/11/2026\n",
      'The column "Appt ID" is missing. Map the columns again, or correct the export.',
    ],
    ["is empty below its headings", `${HEADINGS}\n`, "The list has headings and no rows."],
  ])("moves to faulty if it %s", async (_, text, reason) => {
    const source = await drop.source();
    drop.drop("list.csv", text);
    await drop.look();
    expect(await drop.file(source)).toMatchObject({ state: "faulty", reason });
    expect(drop.names("faulty")).toEqual(["list.20261115T060001Z.csv", "list.20261115T060001Z.faults.csv"]);
    expect(drop.text("faulty/list.20261115T060001Z.faults.csv")).toContain(reason.replaceAll('"', '""'));
  });

  test("moves to faulty if no row can be taken", async () => {
    const source = await drop.source();
    drop.drop("list.csv", listOf(",16/11/2026,10:15,new,,,"));
    await drop.look();
    expect(await drop.file(source)).toMatchObject({ state: "faulty", reason: null, faults: 1 });
    expect(drop.names("faulty")).toHaveLength(2);
  });
});

test("lists of more folders than are read at once are all read", async () => {
  const folders = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];
  const sources = await Promise.all(folders.map((folder) => drop.source({ folder })));
  for (const folder of folders) {
    mkdirSync(drop.folderOf({ folder }), { recursive: true });
    drop.drop(`../${folder}/list.csv`, listOf(`${folder},16/11/2026,10:15,new,,,`));
  }
  await drop.look();
  for (const source of sources) expect(await drop.file(source)).toMatchObject({ state: "done", created: 1 });
});

describe("a file", () => {
  test("waits while it is being written, and while it has the name of an unfinished one", async () => {
    const source = await drop.source();
    const path = join(drop.folderOf(), "list.csv");
    writeFileSync(path, `${HEADINGS}\n`);
    for (const row of ROWS) {
      await drop.app.services.folders.settled();
      appendFileSync(path, `${row}\n`);
      drop.clock.pass(SETTLE_MS);
    }
    for (const name of ["b.csv.part", ".b.csv", "~b.xlsx", "b.tmp"]) drop.drop(name, listOf(...ROWS));
    drop.drop("empty.csv", "");
    await drop.app.services.folders.settled();
    expect(await drop.files(source)).toEqual([]);
    await drop.look();
    expect(await drop.files(source)).toHaveLength(1);
    expect(await drop.file(source)).toMatchObject({ state: "done", created: 3 });
    expect(drop.names()).toEqual([".b.csv", "b.csv.part", "b.tmp", "empty.csv", "~b.xlsx"]);
  });

  test("is read once, whatever its name", async () => {
    const source = await drop.source();
    drop.drop("list.csv", listOf(...ROWS));
    await drop.look();
    drop.drop("list.csv", listOf(...ROWS));
    drop.drop("copy.csv", listOf(...ROWS));
    await drop.look();
    expect((await drop.files(source)).map(({ state }) => state)).toEqual(["repeated", "repeated", "done"]);
    expect(drop.names("done")).toHaveLength(3);
  });

  test("is read again after a change of the settings", async () => {
    const source = await drop.source();
    drop.drop("list.csv", listOf(...ROWS));
    await drop.look();
    const { json } = await drop.request("GET", `/v1/sources/${source}`);
    const settings = { ...(json.data["settings"] as unknown as object), minutes: 45 };
    expect(outcome(await drop.request("PATCH", `/v1/sources/${source}`, { body: { settings } }))).toBe("200 ok");
    drop.drop("list.csv", listOf(...ROWS));
    await drop.look();
    expect(await drop.file(source)).toMatchObject({ state: "done", updated: 2, unchanged: 1 });
  });

  test("follows the earlier one: the oldest is read first", async () => {
    const source = await drop.source();
    drop.drop("b.csv", listOf("A-1,16/11/2026,10:15,new,,Asha Rao,"), 20);
    drop.drop("a.csv", listOf("A-1,17/11/2026,11:15,changed,,Asha Rao,"), 10);
    await drop.look();
    expect((await drop.files(source)).map(({ name, state }) => [name, state])).toEqual([
      ["a.csv", "done"],
      ["b.csv", "done"],
    ]);
    expect(await appointments()).toEqual([["A-1", "2026-11-17", "11:15", "confirmed"]]);
  });

  test("that waits for its columns is read as soon as they are mapped, also under another name", async () => {
    const source = await drop.source({ columns: null });
    drop.drop("list.csv", listOf(...ROWS));
    await drop.look();
    expect(await drop.file(source)).toMatchObject({ state: "waiting", reason: "not_mapped" });
    renameSync(join(drop.folderOf(), "working/list.csv"), join(drop.folderOf(), "working/renamed.csv"));
    const { json } = await drop.request("GET", `/v1/sources/${source}`);
    const settings = {
      ...(json.data["settings"] as unknown as object),
      columns: { external_id: "Appt ID", date: "Date", time: "Time", status: "Status" },
    };
    await drop.request("PATCH", `/v1/sources/${source}`, { body: { settings } });
    await drop.look();
    expect(await drop.file(source)).toMatchObject({ state: "done", created: 3 });
    expect(await drop.files(source)).toHaveLength(1);
    expect(drop.names("done")).toEqual(["renamed.20261115T060001Z.csv"]);
  });

  test("that is deleted while it waits is reported, and does not hold up the next one", async () => {
    const source = await drop.source({ columns: null });
    drop.drop("list.csv", listOf(...ROWS));
    await drop.look();
    rmSync(join(drop.folderOf(), "working/list.csv"));
    drop.clock.pass(120_000);
    drop.drop("next.csv", listOf(...ROWS));
    await drop.look(4);
    const [next, gone] = await drop.files(source);
    expect(gone).toMatchObject({ state: "faulty", moved_to: null, reason: expect.stringContaining("deleted") });
    expect(next).toMatchObject({ name: "next.csv", state: "waiting" });
  });

  test("whose writer goes on after it was claimed is read again, whole: in time, and while it is read", async () => {
    const source = await drop.source({ columns: null });
    const row = (n: number) => `B-${n},16/11/2026,10:15,new,,Patient ${n},`;
    const path = join(drop.folderOf(), "working/list.csv");
    drop.drop("list.csv", listOf(row(0), ",16/11/2026,10:15,new,,,"));
    await drop.look();
    appendFileSync(path, Array.from({ length: 199 }, (_, n) => `${row(n + 1)}\n`).join(""));
    const { json } = await drop.request("GET", `/v1/sources/${source}`);
    const settings = { ...(json.data["settings"] as unknown as object), columns: COLUMNS };
    await drop.request("PATCH", `/v1/sources/${source}`, { body: { settings } });
    drop.app.services.folders.start();
    await until(async () => (await drop.file(source)).last_row > 20);
    appendFileSync(path, `${row(200)}\n`);
    await drop.look();
    expect(await drop.file(source)).toMatchObject({ state: "done", created: 201, faults: 1 });
    expect(await drop.appointmentRows()).toHaveLength(201);
    expect(drop.text("done/list.20261115T060001Z.faults.csv").trim().split("\r\n")).toHaveLength(2);
  });

  test("that was replaced since it was looked at waits again", async () => {
    const source = await drop.source();
    drop.drop("list.csv", listOf(...ROWS));
    const paths = await openFolder(drop.root, drop.organisationId, "lists");
    const [entry] = (await filesIn(paths.incoming)).files;
    drop.drop("list.csv", listOf(ROWS[0]!), 5);
    expect(await claim(paths, entry!)).toBeNull();
    expect(drop.names()).toEqual(["list.csv"]);
    expect(drop.names("working")).toEqual([]);
    await drop.look();
    expect(await drop.file(source)).toMatchObject({ created: 1 });
  });

  test("of a source that is switched off stays where it is", async () => {
    const source = await drop.source();
    await drop.request("PATCH", `/v1/sources/${source}`, { body: { enabled: false } });
    drop.drop("list.csv", listOf(...ROWS));
    await drop.look();
    expect(drop.names()).toEqual(["list.csv"]);
  });
});

describe("the wall", () => {
  test("symbolic links are not followed: neither files nor folders", async () => {
    const source = await drop.source();
    const outside = join(drop.root, "outside");
    mkdirSync(outside);
    writeFileSync(join(outside, "secret.csv"), listOf(...ROWS));
    symlinkSync(join(outside, "secret.csv"), join(drop.folderOf(), "link.csv"));
    await drop.look();
    expect(await drop.files(source)).toEqual([]);
    expect(drop.names("working")).toEqual([]);
    const other = await drop.source({ folder: "elsewhere" });
    symlinkSync(outside, drop.folderOf({ folder: "elsewhere" }));
    await drop.look();
    const { json } = await drop.request("GET", `/v1/sources/${other}/files`);
    expect((json as unknown as { folder: object }).folder).toMatchObject({ problem: "not_allowed" });
    expect(existsSync(join(outside, "working"))).toBeFalse();
  });

  test.each(["../other", "a/b", "", ".hidden", "/etc"])("a folder cannot be called %p", async (folder) => {
    const answer = await drop.request("POST", "/v1/sources", {
      body: { name: "Odd", kind: "folder", settings: { folder, list: "changes" } },
    });
    expect(outcome(answer)).toBe("400 VALIDATION_ERROR");
    expect(answer.json.error.details?.[0]?.field).toBe("settings.folder");
  });

  test("two sources of one folder do not take each other's files, and another organisation has its own", async () => {
    const [first, second] = [await drop.source(), await drop.source()];
    drop.drop("list.csv", listOf(...ROWS));
    await drop.look();
    expect(await drop.files(first)).toHaveLength(1);
    expect(await drop.files(second)).toHaveLength(0);
    const { key } = await drop.neighbour();
    for (const path of [`files`, `files/sfl_x/accept`])
      expect(
        outcome(await drop.request(path === "files" ? "GET" : "POST", `/v1/sources/${first}/${path}`, { key })),
      ).toBe("404 NOT_FOUND");
  });
});

// Mapping the columns of a drop folder: with an uploaded sample, or with the file that waits. Nothing is stored.
import { afterEach, beforeEach, expect, test } from "bun:test";
import type { SampleView } from "../../../src/exchange/folder/reading/read-jobs.ts";
import { OWN_PAGE, signedIn, type Visitor } from "../../support/dashboard.ts";
import { COLUMNS, createDropFolder, HEADINGS, listOf, type DropFolder } from "./drop-folder.ts";

let drop: DropFolder;
let owner: Visitor;
beforeEach(async () => {
  drop = await createDropFolder();
  await drop.app.start();
  owner = await signedIn(drop.app, drop.organisationId, "owner");
});
afterEach(() => drop.close());

const US_LIST = `${HEADINGS}\nA-1,11/16/2026,10:15,new,Dr. Mehta,Asha Rao,98100 12345\nA-2,11/17/2026,late,new,,Ravi,\n`;

async function upload(source: string, list: string, asked: object, as = owner) {
  const form = new FormData();
  form.set("asked", JSON.stringify(asked));
  form.set("file", new Blob([list]), "list.csv");
  const path = `http://localhost/dashboard/api/sources/${source}/sample`;
  return drop.app.handle(
    new Request(path, { method: "POST", headers: { ...OWN_PAGE, cookie: as.cookie }, body: form }),
  );
}

test("an uploaded sample returns a guess of columns and dates, and what its rows would give", async () => {
  const source = await drop.source({ columns: null });
  const answer = await upload(source, US_LIST, { columns: null });
  expect(answer.status).toBe(200);
  const view = (await answer.json()) as SampleView;
  expect(view).toMatchObject({
    guess: COLUMNS,
    date_order: "mdy",
    row_count: 2,
    fault_count: 1,
    faults: [{ row: 3, message: "The date or the time is not one that exists." }],
  });
  expect(view.columns[0]).toEqual({ name: "Appt ID", examples: ["A-1", "A-2"] });
  const chosen = await upload(source, US_LIST, { columns: { external_id: "Appt ID" }, date_order: "dmy" });
  expect(await chosen.json()).toMatchObject({ date_order: "dmy", fault_count: 0 });
  expect(await drop.appointmentRows()).toEqual([]);
  expect(await drop.actionsOnRecord()).toContain("campaign.list_checked");
  expect(await drop.files(source)).toEqual([]);
});

test("the list that waits is the sample without an upload", async () => {
  const source = await drop.source({ columns: null });
  const path = `/dashboard/api/sources/${source}/sample/waiting`;
  const none = await owner.ask("POST", path, { settings: { columns: null } });
  expect(none.json.error.message).toBe("No file has arrived yet. Choose a file instead.");
  drop.drop("list.csv", listOf("A-1,16/11/2026,10:15,new,Dr. Mehta,Asha Rao,98100 12345"));
  for (const _ of ["in the folder", "in working"]) {
    const view = await owner.ask("POST", path, { settings: { columns: null } });
    expect(view.json as unknown).toMatchObject({ guess: COLUMNS, row_count: 1, fault_count: 0 });
    await drop.look();
  }
});

test("only owners map, with settings that would be stored", async () => {
  const source = await drop.source({ columns: null });
  const staff = await signedIn(drop.app, drop.organisationId, "staff");
  expect((await upload(source, US_LIST, {}, staff)).status).toBe(403);
  const odd = await upload(source, US_LIST, { columns: { shoe_size: "Patient" } });
  expect(odd.status).toBe(400);
  expect(await odd.text()).toContain("shoe_size");
});

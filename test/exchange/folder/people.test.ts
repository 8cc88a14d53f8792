// Lists of people to call in a drop folder: each file becomes one campaign.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createDropFolder, type DropFolder } from "./drop-folder.ts";

let drop: DropFolder;
beforeEach(async () => {
  drop = await createDropFolder();
});
afterEach(() => drop.close());

const COLUMNS = { number: "Mobile", name: "Name", mrn: "UHID", "info.visit": "Reason" };
const LIST =
  "Name,Mobile,Reason,UHID\nAsha Rao,98100 12345,check-up,M-1\nRavi,12,check-up,\nMeera Iyer,98100 12346,,\n";
const people = (settings: object = {}) =>
  drop.source({ list: "people", columns: COLUMNS, agent_id: drop.agentId, default_branch_id: null, ...settings });
const campaigns = () => drop.db.reader.selectFrom("campaigns").selectAll().execute();

describe("a list of people", () => {
  test("becomes a campaign, once, and its rows at fault are in a file", async () => {
    const source = await people();
    drop.drop("Check-ups.csv", LIST);
    await drop.look();
    const file = await drop.file(source);
    expect(file).toMatchObject({ state: "done", rows: 3, created: 2, faults: 1 });
    const made = await campaigns();
    expect(made).toHaveLength(1);
    expect(made[0]).toMatchObject({ id: file.campaign_id, name: "Check-ups", row_count: 2, state: "ready" });
    const rows = await drop.db.reader.selectFrom("campaign_rows").selectAll().orderBy("row_number").execute();
    expect(
      rows.map(({ row_number, contact_number, contact_name }) => [row_number, contact_number, contact_name]),
    ).toEqual([
      [2, "+919810012345", "Asha Rao"],
      [4, "+919810012346", "Meera Iyer"],
    ]);
    expect(rows[0]).toMatchObject({ user_identifiers: '[{"system":"mrn","value":"M-1"}]' });
    expect(drop.text("done/Check-ups.20261115T060001Z.faults.csv")).toContain("Ravi,12,check-up,,3,");
    drop.drop("Check-ups again.csv", LIST);
    await drop.look();
    expect((await drop.file(source)).state).toBe("repeated");
    expect(await campaigns()).toHaveLength(1);
  });

  test("without anybody who can be called moves to faulty", async () => {
    const source = await people();
    drop.drop("list.csv", "Name,Mobile,Reason,UHID\nRavi,12,check-up,\n");
    await drop.look();
    expect(await drop.file(source)).toMatchObject({ state: "faulty", faults: 1, campaign_id: null });
    expect(await campaigns()).toEqual([]);
  });

  test("waits while its agent cannot call, and goes on when it can", async () => {
    const source = await people({ agent_id: "agt_unknown" });
    drop.drop("list.csv", LIST);
    await drop.look();
    expect(await drop.file(source)).toMatchObject({ state: "waiting", reason: "Choose an agent that makes calls." });
    const { json } = await drop.request("GET", `/v1/sources/${source}`);
    const settings = { ...(json.data["settings"] as unknown as object), agent_id: drop.agentId };
    await drop.request("PATCH", `/v1/sources/${source}`, { body: { settings } });
    await drop.look();
    expect(await drop.file(source)).toMatchObject({ state: "done", created: 2 });
  });
});

test("read files are deleted after some days, and what was read is remembered", async () => {
  const source = await people({ keep_days: 2 });
  drop.drop("list.csv", LIST);
  await drop.look();
  const { folders } = drop.app.services;
  await folders.removeOld(drop.clock.now() + 86_400_000);
  expect(drop.names("done")).toHaveLength(2);
  await folders.removeOld(drop.clock.now() + 3 * 86_400_000);
  expect(drop.names("done")).toEqual([]);
  expect(await drop.file(source)).toMatchObject({ state: "done", moved_to: null });
  drop.drop("list.csv", LIST);
  await drop.look();
  expect((await drop.file(source)).state).toBe("repeated");
});

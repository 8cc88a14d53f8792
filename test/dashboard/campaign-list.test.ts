// Preview of a campaign list: its response, permissions, and absence of side effects.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import type { ListView } from "../../src/dashboard/campaign-list.ts";
import { createHospital, type Hospital } from "../support/hospital.ts";
import { settle } from "../support/manual-clock.ts";
import { OWN_PAGE, signedIn, type Visitor } from "../support/dashboard.ts";
import { sheetOf, workbookOf } from "../support/workbook.ts";

let hospital: Hospital;
let staff: Visitor;
beforeAll(async () => {
  const agent = { greeting: "Hello {{user_name}}, {{doctor}} expects you.", prompt: "You call about {{visit}}." };
  hospital = await createHospital({ agent });
  await hospital.app.start();
  staff = await signedIn(hospital.app, hospital.organisationId, "staff");
});
afterAll(() => hospital.close());

interface Sent {
  list?: string | Uint8Array;
  pasted?: string;
  asked?: Record<string, unknown>;
  as?: { cookie: string };
  path?: string;
}

async function send({ list, pasted, asked = {}, as = staff, path = "" }: Sent) {
  const form = new FormData();
  form.set("asked", JSON.stringify({ agent_id: hospital.agentId, ...asked }));
  if (list !== undefined) form.set("file", new Blob([list as BlobPart]), "list.csv");
  if (pasted !== undefined) form.set("text", pasted);
  const request = new Request(`http://localhost/dashboard/api/campaigns/list${path}`, {
    method: "POST",
    headers: { ...OWN_PAGE, cookie: as.cookie },
    body: form,
  });
  return hospital.app.handle(request);
}

async function viewOf(sent: Sent): Promise<ListView> {
  const answer = await send(sent);
  const text = await answer.text();
  expect(`${answer.status} ${text}`).toStartWith("200");
  return JSON.parse(text) as ListView;
}

const CSV = [
  "Patient,Mobile,Doctor,Visit",
  "Asha Rao,98765 43210,Dr. Iyer,check-up",
  "Ravi,098765 43211,Dr. Iyer,",
  "Meera,12345,Dr. Iyer,check-up",
  "Asha Rao,+919876543210,Dr. Iyer,check-up",
].join("\r\n");

describe("a list", () => {
  test("returns its columns, their detected meaning, and who would be called", async () => {
    const view = await viewOf({ list: CSV });
    expect(view).toMatchObject({
      has_headings: true,
      country: "IN",
      placeholders: ["doctor", "visit"],
      mapping: { number: 1, name: 0, info: { doctor: 2, visit: 3 } },
      row_count: 4,
      faulty_count: 2,
      warned_count: 1,
      greeting: "Hello Asha Rao, Dr. Iyer expects you.",
    });
    expect(view.columns[1]).toEqual({
      heading: "Mobile",
      letter: "B",
      examples: ["98765 43210", "098765 43211", "12345"],
    });
    expect(view.rows).toEqual([
      {
        row: 2,
        user_number: "+919876543210",
        user_name: "Asha Rao",
        additional_info: { doctor: "Dr. Iyer", visit: "check-up" },
      },
      { row: 3, user_number: "+919876543211", user_name: "Ravi", additional_info: { doctor: "Dr. Iyer" } },
    ]);
    expect(view.faults.map(({ row, is_error, messages }) => [row, is_error, ...messages])).toEqual([
      [4, true, "The number has too few or too many digits for India."],
      [5, true, "The same as row 2."],
      [3, false, "There is no value for visit."],
    ]);
  });

  test("is read with the chosen columns", async () => {
    const mapping = {
      number: 1,
      name: null,
      email: null,
      language: null,
      time_zone: null,
      region: null,
      info: { visit: 2 },
    };
    const view = await viewOf({ list: CSV, asked: { mapping, country: "US", has_headings: true } });
    expect(view.rows.map(({ row, user_number }) => [row, user_number])).toEqual([
      [2, "+19876543210"],
      [5, "+919876543210"],
    ]);
    expect(view.rows[0]?.additional_info).toEqual({ visit: "Dr. Iyer" });
  });

  test("can be a workbook, or pasted", async () => {
    const workbook = workbookOf(
      sheetOf([
        ["Name", "Phone"],
        ["Asha", "98765 43210"],
      ]),
    );
    expect((await viewOf({ list: workbook })).rows).toMatchObject([{ row: 2, user_number: "+919876543210" }]);
    expect((await viewOf({ pasted: "98765 43210\n98765 43211" })).rows).toHaveLength(2);
  });

  test("reports do-not-disturb numbers, and numbers this agent has called today", async () => {
    await hospital.app.services.doNotDisturb.add(hospital.organisationId, "+919876500001", CLI_ACTOR);
    const id = await hospital.dial({ user_number: "+919876500002" });
    hospital.carrier.talk(id);
    await settle();
    const view = await viewOf({ pasted: "9876500001\n9876500002" });
    const kinds = view.kinds.filter(({ kind }) => kind !== "missing_value");
    expect(kinds).toEqual([
      { kind: "do_not_disturb", is_error: true, count: 1 },
      { kind: "called_today", is_error: false, count: 1 },
    ]);
    expect(view.rows.map(({ user_number }) => user_number)).toEqual(["+919876500002"]);
  });

  test("leaves an audit entry without personal data, and nothing else", async () => {
    const counted = async () => {
      const rows = await hospital.db.reader.selectFrom("calls").select("id").execute();
      return rows.length;
    };
    const before = await counted();
    await viewOf({ list: CSV });
    expect(await counted()).toBe(before);
    const entries = await hospital.db.reader
      .selectFrom("audit_entries")
      .selectAll()
      .where("action", "=", "campaign.list_checked")
      .execute();
    expect(entries.length).toBeGreaterThan(0);
    expect(JSON.stringify(entries)).not.toMatch(/Asha|98765/);
    // Unordered: they share a timestamp.
    expect(entries).toContainEqual(expect.objectContaining({ actor_kind: "person", detail: '{"rows":4}' }));
  });
});

test("the returned rows create a campaign, once however often they are sent", async () => {
  const people = Array.from(
    { length: 3_000 },
    (_, index) => `Patient ${index};98${10_000_000 + index};Dr. Iyer;check-up`,
  );
  const { rows } = await viewOf({ list: ["Name;Mobile;Doctor;Visit", ...people].join("\n") });
  const body = JSON.stringify({
    name: "Check-ups",
    agent_id: hospital.agentId,
    rows,
    start_at: "2026-12-24T10:00:00Z",
  });
  // Above the size limit of other bodies.
  expect(body.length).toBeGreaterThan(256 * 1024);
  const headers = { ...OWN_PAGE, cookie: staff.cookie, "content-type": "application/json", "idempotency-key": "once" };
  const make = async () => {
    const url = "http://localhost/dashboard/api/campaigns";
    const answer = await hospital.app.handle(new Request(url, { method: "POST", headers, body }));
    return (await answer.json()) as { campaign_id: string; accepted: number; refused: unknown[] };
  };
  const made = await make();
  expect(made).toMatchObject({ accepted: 3_000, refused: [] });
  expect(await make()).toEqual(made);
  const { json } = await staff.ask("GET", `/dashboard/api/campaigns/${made.campaign_id}/results?limit=1`);
  expect(json["data"] as unknown).toMatchObject([{ row: 2, contact_number: "+919810000000", state: "waiting" }]);
});

test("rows that cannot be called can be downloaded, with the reason, and no cell is a formula", async () => {
  const answer = await send({ list: `${CSV}\r\n=HYPERLINK(1),none,x,y\r\n`, path: "/faulty.csv" });
  // As a spreadsheet reads it: text() would drop the BOM.
  const text = Buffer.from(await answer.arrayBuffer()).toString("utf8");
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/csv; charset=utf-8"]);
  expect(text.split("\r\n")).toEqual([
    "\ufeffPatient,Mobile,Doctor,Visit,Row,Why it cannot be called",
    "Meera,12345,Dr. Iyer,check-up,4,The number has too few or too many digits for India.",
    "Asha Rao,+919876543210,Dr. Iyer,check-up,5,The same as row 2.",
    "'=HYPERLINK(1),none,x,y,6,This is no phone number.",
    "",
  ]);
});

describe("is rejected with a message:", () => {
  const refusal = async (sent: Sent) => {
    const answer = await send(sent);
    const { error } = (await answer.json()) as { error: { message: string } };
    return `${answer.status} ${error.message}`;
  };

  test.each([
    ["no list", {}, "400 Choose a file, or paste the rows."],
    ["an empty list", { pasted: " \n" }, "400 The list is empty."],
    ["headings alone", { list: "Name,Phone", asked: { has_headings: true } }, "400 The list has headings and no rows."],
    ["an unknown agent", { list: CSV, asked: { agent_id: "agt_x" } }, "400 Choose an agent that makes calls."],
    [
      "a column that no list has",
      { list: CSV, asked: { mapping: { number: 50 } } },
      "400 The list was not sent as this page sends it.",
    ],
  ] as [string, Sent, string][])("%s", async (_, sent, words) => {
    expect(await refusal(sent)).toStartWith(words);
  });

  test("from a viewer, and from the staff of another hospital with our agent", async () => {
    const viewer = await signedIn(hospital.app, hospital.organisationId, "viewer");
    expect(await refusal({ list: CSV, as: viewer })).toStartWith("403");
    const { organisationId } = await hospital.neighbour();
    const stranger = await signedIn(hospital.app, organisationId, "staff");
    expect(await refusal({ list: CSV, as: stranger })).toBe("400 Choose an agent that makes calls.");
  });

  test("for an invalid form", async () => {
    const post = (type: string, body: string) =>
      hospital.app.handle(
        new Request("http://localhost/dashboard/api/campaigns/list", {
          method: "POST",
          headers: { ...OWN_PAGE, cookie: staff.cookie, "content-type": type },
          body,
        }),
      );
    expect((await post("application/json", "{}")).status).toBe(415);
    expect((await post("multipart/form-data; boundary=x", "nothing of the kind")).status).toBe(400);
    expect((await post("multipart/form-data", "")).status).toBe(400);
  });
});

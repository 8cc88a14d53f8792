// Every route that returns personal data writes an audit entry.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { MINUTE_MS } from "../../src/core/clock.ts";
import { AppError } from "../../src/core/errors.ts";
import {
  askAs,
  CHANGES,
  createRecords,
  MARKS,
  NOT_PERSONAL,
  NOTED_TOO,
  PERSONAL,
  type Records,
} from "../support/personal-data.ts";

let records: Records;
beforeAll(async () => void (records = await createRecords()));
afterAll(() => records.clinic.close());

async function entriesOf(headers: Headers) {
  return records.clinic.db.reader
    .selectFrom("audit_entries")
    .selectAll()
    .where("request_id", "=", headers.get("x-request-id"))
    .execute();
}

test("every route is listed, and no other", () => {
  const known: string[] = [...Object.keys(PERSONAL), ...Object.keys(NOTED_TOO), ...NOT_PERSONAL, ...CHANGES];
  const routes = records.clinic.app.routes().map(({ method, path }) => `${method} ${path}`);
  expect(known.toSorted()).toEqual(routes.toSorted());
});

describe("is audited, without the person in the entry:", () => {
  test.each(Object.entries(PERSONAL))("%s", async (route, { ask, action }) => {
    const method = route.split(" ")[0]!;
    // A link that was read a moment ago is not audited again.
    records.clinic.clock.pass(10 * MINUTE_MS);
    const { status, text, headers } = await askAs(records, method, ask(records));
    expect([status, MARKS.test(text)]).toEqual([status < 300 ? status : 200, true]);
    const entries = await entriesOf(headers);
    expect(entries.map((entry) => entry.action)).toContain(action);
    expect(JSON.stringify(entries)).not.toMatch(MARKS);
    for (const entry of entries) {
      const isByLink = / \/(?:media|public|calendar-feeds)\//.test(route);
      expect(entry.actor_id === null).toBe(isByLink);
      expect(["key", "person", "signed_link", "share_link"]).toContain(entry.actor_kind);
      expect(entry.organisation_id).toBe(records.clinic.organisationId);
    }
  });
});

describe("is refused if it cannot be audited:", () => {
  test.each(Object.entries(PERSONAL))("%s", async (route, { ask }) => {
    const method = route.split(" ")[0]!;
    const { db, clock } = records.clinic;
    clock.pass(10 * MINUTE_MS);
    const { write } = db;
    db.write = () => Promise.reject(new AppError("UNAVAILABLE", "database or disk is full"));
    const asked = ask(records);
    const { status, text } = await askAs(records, method, asked).finally(() => void (db.write = write));
    expect([status, MARKS.exec(text)?.[0] ?? "nobody"]).toEqual([503, "nobody"]);
    expect(text).toContain("UNAVAILABLE");
    // It does not count as audited the next time. The test above ran the routes that create something.
    if (method !== "GET") return;
    const again = await askAs(records, method, asked);
    expect(await entriesOf(again.headers)).not.toEqual([]);
  });
});

test.each([
  ["/dashboard/api/audit/export", "audit.exported"],
  ["/v1/audit", "audit.listed"],
])("reading the audit log is audited: %s", async (path, action) => {
  const { headers } = await askAs(records, "GET", { path });
  expect((await entriesOf(headers)).map((entry) => entry.action)).toEqual([action]);
});

test("all other reads return no personal data", async () => {
  const fill = (path: string) =>
    path
      .replace(":slot_id", encodeURIComponent(records.slotId))
      .replace(":campaign_id", records.campaignId)
      .replace(/agents\/:(?:agent_)?id/, `agents/${records.clinic.agentId}`)
      .replaceAll(/:\w+|\*/g, "x");
  for (const route of NOT_PERSONAL) {
    const path = route.slice("GET ".length);
    if (path === "/dashboard/api/changes") continue;
    const { text } = await askAs(records, "GET", { path: fill(path) });
    expect(`${route}: ${MARKS.exec(text)?.[0] ?? "nobody"}`).toBe(`${route}: nobody`);
  }
});

test("a refused read is not audited, and a link that is read in ranges is audited once", async () => {
  records.clinic.clock.pass(10 * MINUTE_MS);
  const { callId } = records;
  const refused = await askAs(records, "GET", { path: `/public/call/${callId}/recording.wav?token=wrong` });
  expect([refused.status, await entriesOf(refused.headers)]).toEqual([401, []]);
  const piece = () => askAs(records, "GET", PERSONAL["GET /public/call/:call_id/recording.wav"]!.ask(records));
  expect(await entriesOf((await piece()).headers)).toHaveLength(1);
  expect(await entriesOf((await piece()).headers)).toHaveLength(0);
  records.clinic.clock.pass(5 * MINUTE_MS);
  expect(await entriesOf((await piece()).headers)).toHaveLength(1);
});

// The first view in one response: the same answers, rights and audit entries as single requests.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createClinic, type Clinic } from "../calendar/clinic.ts";
import { addressesIn } from "../../src/dashboard/first-view.ts";
import { askDashboard, signedIn, type Visitor } from "../support/dashboard.ts";

interface Answer {
  path: string;
  status: number;
  body: object;
}

let clinic: Clinic;
let viewer: Visitor;
beforeEach(async () => {
  clinic = await createClinic();
  viewer = await signedIn(clinic.app, clinic.organisationId, "viewer");
});
afterEach(() => clinic.close());

const addressOf = (ask: string) => `/dashboard/api/first-view?${new URLSearchParams({ ask })}`;
const firstView = async (visitor: Pick<Visitor, "ask">, asked: string) =>
  (await visitor.ask("GET", addressOf(asked))).json as unknown as Answer[];

test("has what each request answers by itself", async () => {
  const paths = ["worklist/count", "calls?limit=25", "agents", "overview?days=7"];
  await clinic.schedule({ scheduled_time: "2026-11-20T06:00:00Z" });
  const answers = await firstView(viewer, paths.join(" "));
  expect(answers.map(({ path }) => path)).toEqual(["welcome", "session", ...paths]);
  for (const { path, status, body } of answers) {
    const alone = await viewer.ask("GET", `/dashboard/api/${path}`);
    expect([path, status, body]).toEqual([path, alone.status, alone.json]);
  }
});

test("a role gets no more than it may see", async () => {
  const auditor = await signedIn(clinic.app, clinic.organisationId, "auditor");
  const answers = await firstView(auditor, "calls?limit=25 agents");
  expect(answers.map(({ path, status }) => [path, status])).toEqual([
    ["welcome", 200],
    ["session", 200],
    ["calls?limit=25", 403],
    ["agents", 200],
  ]);
});

test("who is not signed in, or has locked the screen, gets the first answer and no other", async () => {
  const stranger = await askDashboard(clinic.app, "GET", addressOf("calls agents"));
  expect(stranger.json as unknown).toMatchObject([{ path: "welcome", status: 200, body: { signed_in: false } }]);
  await viewer.ask("POST", "/dashboard/api/lock");
  expect(await firstView(viewer, "calls agents")).toMatchObject([
    { path: "welcome", status: 200, body: { signed_in: true, locked: true } },
  ]);
});

test("a list in it is in the audit trail, with the id of a request of its own", async () => {
  await clinic.schedule({ scheduled_time: "2026-11-20T06:00:00Z" });
  const { headers } = await viewer.ask("GET", addressOf("calls?limit=25"));
  const entries = await clinic.db.reader
    .selectFrom("audit_entries")
    .select("request_id")
    .where("action", "=", "call.listed")
    .where("actor_id", "=", viewer.personId)
    .execute();
  expect(entries).toHaveLength(1);
  expect(entries[0]?.request_id).toMatch(/^req_/);
  expect(entries[0]?.request_id).not.toBe(headers.get("x-request-id"));
});

test("is compressed where the browser takes it, and never cached", async () => {
  const request = new Request(`http://localhost${addressOf("agents calls worklist")}`, {
    headers: { cookie: viewer.cookie, "accept-encoding": "gzip, br" },
  });
  const response = await clinic.app.handle(request);
  expect(response.headers.get("content-encoding")).toBe("gzip");
  expect(response.headers.get("cache-control")).toBe("no-store");
  const bytes = new Uint8Array(await response.arrayBuffer());
  const answers = JSON.parse(new TextDecoder().decode(Bun.gunzipSync(bytes))) as Answer[];
  expect(answers).toHaveLength(5);
});

describe("only lists of a page are asked", () => {
  test.each([
    ["changes", []],
    ["first-view?ask=agents", []],
    ["calls/export", []],
    ["calls/call_1/recording", []],
    ["../../v1/calls", []],
    ["agents agents calls", ["agents", "calls"]],
    ["calls/call_1", ["calls/call_1"]],
    [Array.from({ length: 40 }, (_, i) => `calls?limit=${i}`).join(" "), { length: 16 }],
  ])("%s", (asked, expected) => {
    const found = addressesIn(asked);
    if (Array.isArray(expected)) expect(found).toEqual(expected);
    else expect(found).toHaveLength(expected.length);
  });
});

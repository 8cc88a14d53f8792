// The Python client that the executable serves, run by Python: against the executable, and against servers that refuse,
// break off and redirect.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { breakOff, done, refuse, startFaultyApi, type FaultyAnswer, type FaultyApi } from "../support/faulty-api.ts";
import { leaveNothingBehind, tempFolder, type Running } from "../support/binary.ts";
import { finished, startQuick, talkative } from "../support/calls.ts";
import { closeReceivers, startReceiver } from "../support/receiver.ts";
import { until } from "../support/until.ts";
import { ask } from "../support/api-client.ts";

leaveNothingBehind();
closeReceivers();

const his = startReceiver();
let server: Running;
let folder: string;
beforeAll(async () => {
  server = await startQuick(his.env);
  folder = tempFolder();
  const served = await fetch(`${server.url}/docs/clients/ringward.py`);
  expect([served.status, served.headers.get("content-type")]).toEqual([200, "text/x-python; charset=utf-8"]);
  writeFileSync(join(folder, "ringward.py"), await served.text());
});
afterAll(() => server.kill());

/** Runs a program with the client; returns what it printed last, as JSON. */
async function python(lines: string, values: Record<string, unknown>): Promise<unknown> {
  const program = `import json, sys\nfrom ringward import Ringward, RingwardError, Unreachable, verify\n${lines}`;
  const run = Bun.spawn(["python3", "-W", "error", "-B", "-c", `${program}\nprint(json.dumps(result))`], {
    cwd: folder,
    env: { PATH: process.env["PATH"], GIVEN: JSON.stringify(values) },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, faults] = await Promise.all([new Response(run.stdout).text(), new Response(run.stderr).text()]);
  expect({ code: await run.exited, faults }).toEqual({ code: 0, faults: "" });
  return JSON.parse(out.trim().split("\n").at(-1) ?? "null");
}

const OPEN = `
import os
given = json.loads(os.environ["GIVEN"])
slept = []
hospital = Ringward(given["url"], given.get("key", "rw_key"), sleep=slept.append, timeout=10)
def fault(act):
    try:
        act()
    except RingwardError as error:
        return [error.status, error.code]
    except Unreachable:
        return ["unreachable", None]
`;

describe("with the executable", () => {
  const given = () => ({ url: server.url, key: server.demo["api_key"], agent: server.demo["agent_id"] });

  test("a call is created once, lists are followed to their end, and faults have their code", async () => {
    const found = await python(
      `${OPEN}
later = {"agent_id": given["agent"], "user_number": "+919810000000", "scheduled_time": "2027-03-01T06:00:00Z"}
made = [hospital.create_call(later, idempotency_key="visit-1")["call_id"] for _ in range(2)]
others = [hospital.create_call(later)["call_id"] for _ in range(4)]
listed = [call["call_id"] for call in hospital.list_calls(limit=2, status="scheduled")]
result = {
  "made": made,
  "listed": sorted(listed) == sorted({*made, *others}),
  "dry": hospital.create_call(later, dry_run=True).get("call_id"),
  "unknown": fault(lambda: hospital.get_call("call_unknown/..")),
  "invalid": fault(lambda: hospital.create_call({})),
  "empty": hospital.get_me()["organisation_id"] != "",
  "csv": hospital.get_breach_report(from_="2026-01-01T00:00:00Z", to="2026-01-02T00:00:00Z", accept="text/csv")[:3].decode() != "",
}`,
      given(),
    );
    const { made, ...rest } = found as { made: string[] };
    expect(new Set(made).size).toBe(1);
    expect(rest).toEqual({
      listed: true,
      dry: null,
      unknown: [404, "NOT_FOUND"],
      invalid: [400, "VALIDATION_ERROR"],
      empty: true,
      csv: true,
    } as typeof rest);
  });

  test("the signature of a delivered event verifies, and no changed body does", async () => {
    const endpoint = { url: his.url, event_types: ["call.completed"] };
    const { data } = await ask(server, "POST", "/v1/webhook-endpoints", { body: endpoint });
    const { call_id } = (await python(
      `${OPEN}
result = hospital.create_call({"agent_id": given["agent"], "user_number": given["number"]})`,
      { ...given(), number: talkative() },
    )) as { call_id: string };
    await finished(server, call_id);
    await until(() => his.received.length > 0, { what: () => "no event arrived" });
    const { body, headers } = his.received[0]!;
    const result = await python(
      `${OPEN}
check = lambda body: verify(body.encode(), given["at"], given["signature"], given["secret"])
result = [check(given["body"]), check(given["body"] + " ")]`,
      {
        ...given(),
        body: body.toString("utf8"),
        at: headers["x-webhook-timestamp"],
        signature: headers["x-webhook-signature"],
        secret: data["secret"],
      },
    );
    expect(result).toEqual([true, false]);
  });
});

test("a search is followed to its end, with its question in the body", async () => {
  const found = await python(
    `${OPEN}
identifier = {"system": "mrn", "value": "MRN-8"}
slot = next(slot for slot in hospital.get_bookable_slots() if slot["ai_available_slots"] > 2)
made = [
    hospital.create_appointment(
        {"slot_id": slot["slot_id"], "contact_number": "+91981000008" + last, "contact_identifiers": [identifier]}
    )["appointment_id"]
    for last in "123"
]
listed = [each["appointment_id"] for each in hospital.search_appointments({"identifier": identifier, "limit": 2})]
result = [len(listed), sorted(listed) == sorted(made)]`,
    { url: server.url, key: server.demo["api_key"] },
  );
  expect(found).toEqual([3, true]);
});

test("it has no syntax that Python 3.8 lacks", async () => {
  const found = await python(
    `import ast, pathlib
result = type(ast.parse(pathlib.Path("ringward.py").read_text(), feature_version=(3, 8))).__name__`,
    {},
  );
  expect(found).toBe("Module");
});

describe("with a server that", () => {
  let api: FaultyApi;
  beforeAll(async () => {
    api = await startFaultyApi();
  });
  afterAll(() => api.close());

  async function run(act: string, ...script: FaultyAnswer[]): Promise<unknown> {
    api.script(script);
    return python(`${OPEN}\nanswer = ${act}\nresult = [answer, [round(each, 3) for each in slept]]`, { url: api.url });
  }

  test("says when to come back, it comes back then", async () => {
    const soon = refuse(429, { "retry-after": "7" });
    expect(await run('hospital.cancel_call("call_1")', soon, soon)).toEqual([{ ok: true }, [7, 7]]);
    const late = refuse(503, { "retry-after": "9999" });
    expect(await run('fault(lambda: hospital.get_call("call_1"))', late)).toEqual([[503, null], []]);
  });

  test("breaks off, what creates something is sent again with the same key", async () => {
    const [answer, slept] = (await run("hospital.create_call({})", breakOff, refuse(502), done)) as [object, number[]];
    expect(answer).toEqual({ ok: true });
    expect(slept).toHaveLength(2);
    for (const [i, wait] of slept.entries()) expect(wait).toBeWithin(0.25 * 2 ** i, 0.5 * 2 ** i + 0.001);
    expect(new Set(api.asked().map(({ key }) => key)).size).toBe(1);
    expect(String(api.asked()[0]?.key)).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("breaks off, what might run twice is not sent again", async () => {
    const act = 'fault(lambda: hospital.change_agent("a", {}))';
    expect(await run(act, breakOff)).toEqual([["unreachable", null], []]);
    expect(await run(act, refuse(503, { "retry-after": "1" }))).toEqual([[503, null], []]);
    expect(api.asked()).toHaveLength(1);
  });

  test("never answers, the client gives up after five attempts", async () => {
    const act = 'fault(lambda: hospital.get_call("call_1"))';
    expect(((await run(act, ...Array.from({ length: 9 }, () => breakOff))) as unknown[])[0]).toEqual([
      "unreachable",
      null,
    ]);
    expect(api.asked()).toHaveLength(5);
  });

  test("redirects, the key goes nowhere else", async () => {
    const away = refuse(302, { location: `${api.url}/elsewhere` });
    expect(await run('fault(lambda: hospital.get_call("call_1"))', away)).toEqual([[302, null], []]);
    expect(api.asked()).toEqual([{ method: "GET", key: undefined, apiKey: "rw_key" }]);
  });
});

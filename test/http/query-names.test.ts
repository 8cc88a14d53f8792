// Misspelt, repeated and unknown names in queries and inside of bodies.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { checkedQueryNames } from "../../src/http/query-names.ts";
import { STRICT } from "../../src/core/schema.ts";
import { sentFields, unreadIn } from "../../src/http/sent-fields.ts";
import { CONTACT_NUMBER, createHospital, type Hospital } from "../support/hospital.ts";
import type { Answer } from "../support/test-app.ts";

let hospital: Hospital;
beforeAll(async () => {
  hospital = await createHospital();
});
afterAll(() => hospital.close());

interface Declared {
  method: string;
  path: string;
  names: string[];
}

/** Every route of the API that a key opens, with the names of its query. */
const guarded = (): Declared[] =>
  hospital.app.routes().flatMap(({ method, path, hooks }) => {
    const { query, detail } = (hooks ?? {}) as { query?: { properties?: object }; detail?: Record<string, unknown> };
    if (detail?.["x-scope"] === undefined) return [];
    return [{ method, path, names: Object.keys(query?.properties ?? {}) }];
  });
const addressOf = (path: string) => path.replaceAll(/:\w+/g, "0190a1b2-0000-7000-8000-0000000000ff");
const ask = async ({ method, path }: Declared, query: string) => {
  const body = method === "GET" || method === "DELETE" ? {} : { body: {} };
  const { status, json } = await hospital.request(method, `${addressOf(path)}?${query}`, body);
  const { error } = json as { error?: Answer["json"]["error"] };
  return { status, message: error?.message ?? "", field: error?.details?.[0]?.field };
};

describe("on every route of the API", () => {
  test("there are routes with filters, and deletions", () => {
    expect(guarded().filter(({ names }) => names.length > 0).length).toBeGreaterThan(8);
    expect(guarded().filter(({ method }) => method === "DELETE").length).toBeGreaterThan(1);
  });

  test("a parameter that is sent twice is refused by name", async () => {
    for (const route of guarded())
      for (const name of route.names)
        expect({ ...route, ...(await ask(route, `${name}=1&${name}=1`)) }).toMatchObject({
          status: 400,
          field: name,
          message: `${name} was sent twice. Send it once.`,
        });
  });

  test("a misspelt parameter is refused, and the right one named", async () => {
    for (const route of guarded())
      for (const name of route.names.filter((each) => each.length > 3)) {
        const slip = `${name}${name.at(-1)}`;
        const { status, field, message } = await ask(route, `${slip}=1`);
        expect({ ...route, status, field }).toEqual({ ...route, status: 400, field: slip });
        expect(message).toContain("nothing was done. Did you mean ");
      }
  });

  test("an unknown one is refused by lists with filters and by deletions, and nowhere else", async () => {
    for (const route of guarded()) {
      const { status, field } = await ask(route, "zzz=1");
      const refuses = route.method === "DELETE" || (route.method === "GET" && route.names.length > 0);
      expect({ ...route, refused: status === 400 && field === "zzz" }).toEqual({ ...route, refused: refuses });
    }
  });

  test("a dry run where there is none is refused, not carried out", async () => {
    for (const route of guarded().filter(({ method, names }) => method !== "GET" && !names.includes("dry_run"))) {
      const { status, field } = await ask(route, "dry_run=true");
      expect({ ...route, status, field }).toEqual({ ...route, status: 400, field: "dry_run" });
    }
  });

  test("a stranger learns of none of it", async () => {
    for (const { method, path } of guarded()) {
      const { status } = await hospital.request(method, `${addressOf(path)}?zzz=1&limit=1&limit=1`, { key: null });
      expect(`${method} ${path} ${status}`).toBe(`${method} ${path} 401`);
    }
  });
});

test("an unknown parameter that changes nothing is named in the header", async () => {
  const { status, headers } = await hospital.request("GET", "/v1/me?utm_source=x&utm_source=y");
  expect([status, headers.get("ringward-ignored-fields")]).toEqual([200, "utm_source"]);
});

test("a misspelt filter names the nearest one, or all of them", async () => {
  const told = async (query: string) => {
    const { json } = await hospital.request("GET", `/v1/calls?${query}`);
    return (json as { error?: Answer["json"]["error"] }).error?.message;
  };
  expect(await told("statuss=completed")).toBe(
    "statuss is not a parameter of this address, and nothing was done. Did you mean status?",
  );
  expect(await told("state=completed")).toContain("It takes status, agent_id,");
  expect(await told("a%0d%0ab=1")).toStartWith("a??b is not a parameter");
  expect(await told("status=completed")).toBeUndefined();
});

test("a cursor is taken with the filters of its page, and with no others", async () => {
  for (let i = 0; i < 3; i++) await hospital.schedule({ user_number: `+91981001234${i}` });
  const page = async (query: string) => (await hospital.request("GET", `/v1/calls?${query}`)).json as unknown as Page;
  const first = await page("status=scheduled&limit=1");
  const next = (more: string) => page(`${more}&cursor=${first.next_cursor}`);
  expect((await next("limit=2&status=scheduled")).data).toHaveLength(2);
  for (const other of ["limit=1", "status=completed", "status=scheduled&agent_id=agt_x"])
    expect((await next(other)).error?.message).toContain("cursor belongs to a list with other filters");
});

interface Page {
  data: unknown[];
  next_cursor: string | null;
  error?: { message: string };
}

describe("inside of a body", () => {
  const campaign = (changes: object, row: object = {}) => ({
    name: "List",
    agent_id: hospital.agentId,
    rows: [{ user_number: CONTACT_NUMBER, ...row }],
    ...changes,
  });
  const post = (body: object) => hospital.request("POST", "/v1/campaigns?dry_run=true", { body });

  test("unknown fields are named where they stand, each once", async () => {
    const body = campaign({ calling_hours: { start: "09:00", end: "18:00", days: [1], zone: "x" } });
    body.rows = Array.from({ length: 3 }, () => ({ user_number: CONTACT_NUMBER, user_nam: "Meera", row: 1 }));
    const { status, headers } = await post(body);
    expect([status, headers.get("ringward-ignored-fields")]).toEqual([200, "rows%5B%5D.user_nam, calling_hours.zone"]);
  });

  test("a misspelt retry rule is refused: it would disable retries silently", async () => {
    const { status, json } = await post(campaign({ retry: { no_anser: { attempts: 2, minutes: 60 } } }));
    expect([status, json.error.details]).toEqual([
      400,
      [
        {
          field: "retry.no_anser",
          message: "retry.no_anser is not a field here, and nothing was done. Did you mean no_answer?",
        },
      ],
    ]);
  });

  test("a free table takes any name", async () => {
    const { headers } = await post(campaign({}, { additional_info: { anything: { at: "all" } } }));
    expect(headers.get("ringward-ignored-fields")).toBeNull();
  });

  test("the search is bounded, and names of every object are names like others", () => {
    const schema = Type.Object({ rows: Type.Array(Type.Object({ a: Type.Optional(Type.Unknown()) })) });
    const rows = Array.from({ length: 300_000 }, (_, i) => ({ [`k${i}`]: 1 }));
    const startedMs = performance.now();
    const sent = sentFields({ rows }, schema);
    expect(performance.now() - startedMs).toBeLessThan(2_000);
    expect(sent?.further?.length).toBeLessThan(30);
    expect(unreadIn(sentFields(JSON.parse('{"rows":[{"__proto__":1,"constructor":2}]}'), schema))).toEqual([
      "rows[].__proto__",
      "rows[].constructor",
    ]);
    const strict = Type.Object({ retry: Type.Object({ busy: Type.Unknown() }, { [STRICT]: true }) });
    expect(() => sentFields({ retry: { zzz: 1 } }, strict)).toThrow("It takes busy.");
  });
});

test("a long query costs no more than its length", () => {
  const url = `http://x/?${Array.from({ length: 2_000 }, (_, i) => `n${i}=1`).join("&")}`;
  expect(() => checkedQueryNames({ method: "GET", url }, Type.Object({ status: Type.String() }))).toThrow("n0 is not");
});

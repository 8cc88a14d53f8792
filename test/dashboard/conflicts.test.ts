// Two people who edit the same thing in the dashboard: the second is told, and gets the record as it is now.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { BRANCH, createClinic, MONDAY, on, type Clinic } from "../calendar/clinic.ts";
import { askDashboard, OWN_PAGE, signedIn, type Visitor } from "../support/dashboard.ts";

type Row = Record<string, unknown> & { version: string };

interface Edited {
  /** The row as a page loads it. */
  load: () => Promise<Row>;
  path: () => string;
  method: "PATCH" | "PUT";
  body: (text: string) => object;
  /** The value that `body` sets. */
  shown: (row: Row) => unknown;
  texts: [string, string];
  done: string | number;
}

let clinic: Clinic;
let owner: Visitor;
let other: Visitor;
const ids: Record<string, string> = {};

const got = async <T>(path: string) => (await owner.ask("GET", `/dashboard/api/${path}`)).json as unknown as T;
const found = async (path: string, name: string) => {
  const rows = await got<Row[]>(path);
  return rows.find((row) => row[name] === ids[name])!;
};

const EDITED: Record<string, Edited> = {
  agents: {
    load: () => found("agents", "agent_id"),
    path: () => `agents/${ids["agent_id"]}`,
    method: "PATCH",
    body: (greeting) => ({ greeting }),
    shown: ({ greeting }) => greeting,
    texts: ["Hello.", "Good day."],
    done: "Hello.",
  },
  windows: {
    load: () => found(`calendar/windows?branch_id=${BRANCH}`, "calendar_id"),
    path: () => `calendar/windows/${ids["calendar_id"]}`,
    method: "PATCH",
    body: (text) => ({ max_slots: Number(text) }),
    shown: ({ max_slots }) => max_slots,
    texts: ["12", "14"],
    done: 12,
  },
  "notes of appointments": {
    load: async () => (await got<{ data: Row[] }>(`appointments?branch_id=${BRANCH}`)).data[0]!,
    path: () => `appointments/${ids["appointment_id"]}`,
    method: "PATCH",
    body: (notes) => ({ notes }),
    shown: ({ notes }) => notes,
    texts: ["Fasting", "Brings the report"],
    done: "Fasting",
  },
  rules: {
    load: async () => {
      const { data } = await got<{ data: { rules: Row[] }[] }>("rules");
      return data.flatMap(({ rules }) => rules).find((rule) => rule["rule_id"] === "in-per-day")!;
    },
    path: () => "rules",
    method: "PUT",
    body: (text) => ({ rule_id: "in-per-day", value: Number(text) }),
    shown: ({ value }) => value,
    texts: ["1", "2"],
    done: 1,
  },
  settings: {
    load: async () => (await got<{ organisation: Row }>("settings")).organisation,
    path: () => "settings/organisation",
    method: "PATCH",
    body: (name) => ({ name }),
    shown: ({ name }) => name,
    texts: ["City Hospital", "Town Hospital"],
    done: "City Hospital",
  },
  trunks: {
    load: async () => (await got<{ trunks: Row[] }>("trunks")).trunks[0]!,
    path: () => `trunks/${ids["trunk_id"]}`,
    method: "PATCH",
    body: (host) => ({ host }),
    shown: ({ host }) => host,
    texts: ["one.example", "two.example"],
    done: "one.example",
  },
  "model servers": {
    load: () => found("model-servers", "server_id"),
    path: () => `model-servers/${ids["server_id"]}`,
    method: "PATCH",
    body: (model) => ({ model }),
    shown: ({ model }) => model,
    texts: ["small", "large"],
    done: "small",
  },
};

beforeAll(async () => {
  clinic = await createClinic();
  owner = await signedIn(clinic.app, clinic.organisationId, "owner");
  other = await signedIn(clinic.app, clinic.organisationId, "owner");
  const window = await clinic.createWindow();
  const visit = await clinic.book(on(window, MONDAY), { contact_name: "Asha Rao" });
  const add = async (path: string, body: object, id: string) => {
    const { status, text, json } = await owner.ask("POST", `/dashboard/api/${path}`, body);
    if (status !== 200) throw new Error(`POST ${path} answered ${status}: ${text}`);
    ids[id] = (json as Record<string, string>)[id]!;
  };
  Object.assign(ids, {
    agent_id: clinic.agentId,
    calendar_id: window.calendar_id,
    appointment_id: visit.appointment_id,
  });
  await add("trunks", { name: "Main", host: "pbx.example" }, "trunk_id");
  const server = { name: "Words", role: "language", base_url: "https://models.example/v1", model: "tiny" };
  await add("model-servers", server, "server_id");
});
afterAll(() => clinic.close());

describe.each(Object.keys(EDITED))("%s", (name) => {
  const { load, path, method, body, shown, texts, done } = EDITED[name]!;
  const save = (who: Visitor, text: string, version?: string) =>
    askDashboard(clinic.app, method, `/dashboard/api/${path()}`, {
      body: body(text),
      cookie: who.cookie,
      headers: { ...OWN_PAGE, ...(version === undefined ? {} : { "if-match": version }) },
    });

  test("show the second editor what the first saved, and change nothing", async () => {
    const { version } = await load();
    expect((await save(other, texts[0], version)).status).toBe(200);
    const late = await save(owner, texts[1], version);
    const { code, current } = late.json.error as { code: string; current?: Row };
    expect([late.status, code]).toEqual([409, "PRECONDITION_FAILED"]);
    expect(shown(current!)).toBe(done);
    const now = await load();
    expect([current!.version, shown(now)]).toEqual([now.version, done]);
    expect((await save(owner, texts[1], current!.version)).status).toBe(200);
    expect(shown(await load())).not.toBe(done);
  });

  test("are saved without a version as before", async () => {
    expect((await save(owner, texts[0])).status).toBe(200);
    expect(shown(await load())).toBe(done);
  });
});

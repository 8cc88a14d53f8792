// Line breaks, lone surrogates, bidirectional marks and paths are rejected wherever a name, an e-mail address or a
// language is entered.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { MONDAY, BRANCH, createClinic, type Clinic } from "../calendar/clinic.ts";
import { availabilitySlotId } from "../../src/calendar/slot-id.ts";
import { signedIn } from "../support/dashboard.ts";
import { rejectionOf } from "../support/temp.ts";
import type { Answer } from "../support/test-app.ts";

const NUMBER = "+919810012345";
const NAMES = ["a\r\nb", "\ud83d", "\u202Eexe.gpj", "a\u2066b", "a\tb"];
const LANGUAGES = ["../../etc/passwd", "en/IN", "hi\r\nx"];

type Fields = Record<string, unknown>;
interface Refusal {
  status: number;
  field: string | undefined;
}
type Door = (fields: Fields) => Promise<Refusal>;

let clinic: Clinic;
let hook: string;
let slotId: string;
beforeAll(async () => {
  clinic = await createClinic();
  hook = (await clinic.app.services.hooks.regenerate(clinic.organisationId, CLI_ACTOR)).token;
  const window = await clinic.createWindow();
  slotId = availabilitySlotId(window.slot_id, MONDAY);
});
afterAll(() => clinic.close());

const ask = async (path: string, body: unknown, key: string | null = clinic.key): Promise<Refusal> => {
  const { status, json } = await clinic.request("POST", path, { body, key });
  const { error } = json as { error?: Answer["json"]["error"] };
  return { status, field: error?.details?.[0]?.field };
};
const call = (fields: Fields) => ({ agent_id: clinic.agentId, user_number: NUMBER, ...fields });

const doors: Record<
  string,
  { names: readonly string[]; emails: readonly string[]; languages: readonly string[]; door: Door }
> = {
  "POST /v1/calls": {
    names: ["user_name", "contact_name"],
    emails: ["user_email", "contact_email"],
    languages: ["user_preferred_language", "contact_preferred_language"],
    door: (fields) => ask("/v1/calls", call(fields)),
  },
  "the inbound hook": {
    names: ["contact_name"],
    emails: ["contact_email"],
    languages: ["contact_preferred_language"],
    door: async (fields) => {
      const data = { agent_id: clinic.agentId, contact_number: NUMBER, ...fields };
      const { status, field } = await ask(`/v1/hooks/${hook}`, { action: "call.create", data }, null);
      return { status, field: field?.replace("data.", "") };
    },
  },
  "POST /v1/appointments": {
    names: ["contact_name"],
    emails: ["contact_email"],
    languages: [],
    door: (fields) => ask("/v1/appointments", { slot_id: slotId, contact_number: NUMBER, ...fields }),
  },
  "POST /v1/waitlist": {
    names: ["contact_name"],
    emails: ["contact_email"],
    languages: [],
    door: (fields) => ask("/v1/waitlist", { branch_id: BRANCH, contact_number: NUMBER, ...fields }),
  },
  "a row of a campaign": {
    names: ["user_name"],
    emails: ["user_email"],
    languages: ["user_preferred_language"],
    door: async (fields) => {
      const rows = [{ user_number: NUMBER, ...fields }, { user_number: "+919810012346" }];
      const body = { name: "List", agent_id: clinic.agentId, rows };
      const { json } = await clinic.request("POST", "/v1/campaigns?dry_run=true", { body });
      const [refused] = (json.data as unknown as { refused: { field: string }[] }).refused;
      return { status: refused ? 400 : 200, field: refused?.field };
    },
  },
};

describe.each(Object.entries(doors))("%s", (_, { names, emails, languages, door }) => {
  test("rejects names and addresses with hidden or breaking characters", async () => {
    for (const field of [...names, ...emails])
      for (const value of NAMES)
        expect({ value, ...(await door({ [field]: value })) }).toEqual({ value, status: 400, field });
  });

  test("rejects an invalid language tag", async () => {
    for (const field of languages)
      for (const value of LANGUAGES)
        expect({ value, ...(await door({ [field]: value })) }).toEqual({ value, status: 400, field });
  });

  test("accepts names of every script", async () => {
    for (const value of ["Zoë O'Brien", "मीरा नायर", "क्‍ष", "محمد"])
      expect((await door({ [names[0]!]: value })).field).toBeUndefined();
  });
});

test("the dashboard rejects them too, in a new call, in a change of one, and for staff", async () => {
  const staff = await signedIn(clinic.app, clinic.organisationId, "owner");
  const callId = await clinic.schedule({ scheduled_time: "2026-11-20T10:00:00Z" });
  for (const name of NAMES) {
    const asked = [
      ["POST", "/dashboard/api/calls", call({ user_name: name })],
      ["PATCH", `/dashboard/api/calls/${callId}`, { user_name: name }],
      ["POST", "/dashboard/api/agents", { name }],
      ["PATCH", "/dashboard/api/settings/organisation", { name, time_zone: "Asia/Kolkata" }],
      ["POST", "/dashboard/api/people", { name, email: "x@example.org", role: "viewer", password: "correct horse" }],
    ] as const;
    for (const [method, path, body] of asked)
      expect({ path, name, status: (await staff.ask(method, path, body)).status }).toEqual({ path, name, status: 400 });
  }
});

test("so do the services behind the command line", async () => {
  const { agents, organisations, people, keys, directory } = clinic.app.services;
  const { organisationId } = clinic;
  for (const name of NAMES) {
    const tried = [
      () => agents.create(organisationId, { name }, CLI_ACTOR),
      () => organisations.create({ name, timeZone: "UTC" }, CLI_ACTOR),
      () =>
        people.create(organisationId, { email: "a@b.c", name, role: "viewer", password: "correct horse" }, CLI_ACTOR),
      () => keys.create(organisationId, { name, scopes: ["calls:read"] }, CLI_ACTOR),
      () => directory.setBranch(organisationId, BRANCH, { name }, CLI_ACTOR),
      () => directory.setService(organisationId, BRANCH, name, CLI_ACTOR),
    ];
    for (const each of tried) expect(String(await rejectionOf(each()))).toContain("without line breaks");
  }
});

test("an empty language selects none", async () => {
  const id = await clinic.schedule({ user_preferred_language: "", user_number: "+919810012399" });
  expect((await clinic.view(id)).contact_preferred_language).toBeNull();
});

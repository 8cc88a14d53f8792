// The rules of law at the dispatcher: what is held, refused, counted and kept with a call.
import { afterEach, describe, expect, test } from "bun:test";
import { CLI_ACTOR } from "../../../src/core/actor.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../src/core/clock.ts";
import { saveConsents } from "../../../src/rules/consent/record-store.ts";
import { saveResults } from "../../../src/rules/registry/registry-store.ts";
import { proofOf } from "../../../src/rules/proof/proof-store.ts";
import { consentRow } from "../../support/consents.ts";
import { CONTACT_NUMBER, createHospital, type Hospital, type HospitalOptions } from "../../support/hospital.ts";
import { settle } from "../../support/manual-clock.ts";

let hospital: Hospital;
afterEach(() => hospital.close());

/** It is Sunday, 11:30 in India, 1:00 in New York and 22:00 in Los Angeles. */
async function open(options: HospitalOptions = {}): Promise<void> {
  hospital = await createHospital({ isEnforced: true, ...options });
  await hospital.app.start();
}

const NEW_YORK = "+12125550142";
const dialled = () => hospital.carrier.dialled.map(({ callId }) => callId);
const due = () => hospital.clock.advance(16_000);
const busy = async (id: string) => (hospital.carrier.fail(id, "busy"), settle());

async function held(id: string): Promise<string> {
  const { hold_reason, next_attempt_at } = await hospital.view(id);
  return `${hold_reason} ${next_attempt_at}`;
}

describe("legal hours", () => {
  test("hold a call of an agent without hours until they open where the callee is", async () => {
    await open();
    const [byCode, byZone, byState] = [
      await hospital.schedule({ user_number: NEW_YORK }),
      await hospital.schedule({ user_number: "+12125550143", user_time_zone: "America/Denver" }),
      await hospital.schedule({ user_number: "+12125550144", user_region: "TX" }),
    ];
    const far = await hospital.schedule({ user_number: "+12125550145", user_time_zone: "Asia/Kolkata" });
    await due();
    expect(await held(byCode)).toBe("outside_legal_hours 2026-11-15T14:00:00.000Z");
    expect(await held(byZone)).toBe("outside_legal_hours 2026-11-15T16:00:00.000Z");
    expect(await held(byState)).toBe("outside_legal_hours 2026-11-15T16:00:00.000Z");
    expect(dialled()).toEqual([far]);
    await hospital.clock.leap(8 * HOUR_MS);
    expect(dialled()).toContain(byCode);
  });
});

describe("limits per number", () => {
  const fourth = async () => {
    for (let i = 0; i < 3; i++) await busy(await hospital.dial());
    return hospital.schedule();
  };

  test("count calls of every agent until the callee's midnight, and erasing a call does not reset them", async () => {
    await open();
    const first = await hospital.dial();
    await busy(first);
    for (let i = 0; i < 2; i++) await busy(await hospital.dial());
    expect((await hospital.request("DELETE", `/v1/calls/${first}?any=true`)).status).toBe(200);
    const id = await hospital.schedule();
    await due();
    expect(await held(id)).toBe("too_many_calls 2026-11-15T18:30:00.000Z");
    expect(dialled()).not.toContain(id);
    // After midnight the legal hours are closed until nine.
    await hospital.clock.leap(Date.parse("2026-11-15T18:31:00Z") - hospital.clock.now());
    expect(await held(id)).toBe("outside_legal_hours 2026-11-16T03:30:00.000Z");
  });

  test("hold nothing back of another number or another organisation", async () => {
    await open();
    await fourth();
    const other = await hospital.schedule({ user_number: "+919810012399" });
    const { agentId, key } = await hospital.neighbour();
    const theirs = await hospital.post({ agent_id: agentId }, { key });
    await due();
    expect(dialled()).toContain(other);
    expect(dialled()).toContain((theirs.json.data as unknown as { call_id: string }).call_id);
  });

  test("do not count a call that was put back before it rang", async () => {
    await open();
    const id = await hospital.dial();
    hospital.carrier.putBack(id);
    await settle();
    expect(await hospital.db.reader.selectFrom("dialled_numbers").selectAll().execute()).toEqual([]);
    expect(await hospital.basis(id)).toBeNull();
  });

  test("neither count nor hold a callback that the callee asked for", async () => {
    await open();
    const id = await fourth();
    await hospital.db.write((tx) => tx.updateTable("calls").set({ source: "callback" }).where("id", "=", id).execute());
    await due();
    expect(dialled()).toContain(id);
    const rows = await hospital.db.reader.selectFrom("dialled_numbers").selectAll().execute();
    expect(rows).toHaveLength(3);
    expect(JSON.stringify(rows)).not.toContain(CONTACT_NUMBER.slice(1));
  });

  test("forget after eight days", async () => {
    await open();
    await busy(await hospital.dial());
    const stored = () => hospital.db.reader.selectFrom("dialled_numbers").selectAll().execute();
    const { retention } = hospital.app.services;
    await retention.run(hospital.clock.now() + 7.9 * DAY_MS);
    expect(await stored()).toHaveLength(1);
    await retention.run(hospital.clock.now() + 8 * DAY_MS);
    expect(await stored()).toEqual([]);
  });
});

describe("promotional calls", () => {
  const promotional = { agent: { purpose: "promotional" as const } };
  const agreed = (change = {}) =>
    hospital.db.write((tx) =>
      saveConsents(tx, [consentRow(hospital.organisationId, CONTACT_NUMBER, "promotional", change)]),
    );
  const refusal = async (id: string) => (await hospital.row(id)).error_code;
  const series = () =>
    hospital.app.services.agents.addNumber(
      hospital.organisationId,
      { number: "+911409876543", agentId: hospital.agentId },
      CLI_ACTOR,
    );

  test("are refused without a consent, or with a withdrawn one", async () => {
    await open(promotional);
    const without = await hospital.schedule();
    await due();
    expect(await refusal(without)).toBe("no_consent");
    await agreed({ withdrawn_at: 1 });
    const withdrawn = await hospital.schedule();
    await due();
    expect(await refusal(withdrawn)).toBe("no_consent");
    expect(dialled()).toEqual([]);
  });

  test("wait for a number of the 140 series, and go out from it alone", async () => {
    await open(promotional);
    await agreed();
    const id = await hospital.schedule();
    await due();
    expect(await held(id)).toStartWith("caller_id_not_allowed ");
    await series();
    await hospital.clock.advance(2 * MINUTE_MS);
    expect(hospital.carrier.dialled.map(({ from }) => from)).toEqual(["+911409876543"]);
  });

  test("wait while the trunk shows another number instead, and go out when it no longer does", async () => {
    await open(promotional);
    await agreed();
    await series();
    const { organisationId, app } = hospital;
    const { trunks } = app.services;
    const settings = { name: "pbx", host: "192.0.2.1", caller_id: "+912212345678" };
    const { trunk_id } = await trunks.create(organisationId, settings, CLI_ACTOR);
    await app.services.agents.setTrunk(organisationId, "+911409876543", trunk_id, CLI_ACTOR);
    const id = await hospital.schedule();
    await due();
    expect(await held(id)).toStartWith("caller_id_not_allowed ");
    // An extension: the exchange chooses what it shows.
    await trunks.update(organisationId, trunk_id, { caller_id: "2001" }, CLI_ACTOR);
    await hospital.clock.advance(2 * MINUTE_MS);
    expect(await held(id)).toStartWith("caller_id_not_allowed ");
    await trunks.update(organisationId, trunk_id, { caller_id: "+911409876500" }, CLI_ACTOR);
    await hospital.clock.advance(2 * MINUTE_MS);
    expect(dialled()).toEqual([id]);
  });

  test("are refused if a registry refused the number, with a consent too", async () => {
    await open(promotional);
    await agreed();
    await series();
    await hospital.db.write((tx) =>
      saveResults(tx, [
        {
          organisation_id: hospital.organisationId,
          number: CONTACT_NUMBER,
          verdict: "refused",
          registry: "ncpr",
          scrubbed_on: "2026-11-14",
          imported_at: 0,
          actor_kind: "cli",
          actor_id: null,
        },
      ]),
    );
    const id = await hospital.schedule();
    await due();
    expect(await refusal(id)).toBe("registry_refused");
  });
});

describe("a change of a rule", () => {
  const change = (ruleId: string, value: unknown, organisationId = hospital.organisationId) =>
    hospital.app.services.ruleChanges.set(
      organisationId,
      { ruleId, value, reason: "Dialysis patients are called before the first shift." },
      CLI_ACTOR,
    );
  const hours = (start: string, end: string) => ({ start, end, days: [0, 1, 2, 3, 4, 5, 6] });

  test("releases the calls that it allows, and holds the others until the new hour, at once", async () => {
    await open();
    const [now, later] = [
      await hospital.schedule({ user_number: NEW_YORK }),
      await hospital.schedule({ user_number: "+13105550146" }),
    ];
    await due();
    expect(await held(later)).toBe("outside_legal_hours 2026-11-15T17:00:00.000Z");
    await change("us-hours", hours("01:00", "20:00"));
    await hospital.clock.advance(0);
    // The federal rule still counts.
    expect(await held(now)).toBe("outside_legal_hours 2026-11-15T13:00:00.000Z");
    await change("us-hours-federal", hours("01:00", "21:00"));
    await hospital.clock.advance(0);
    expect(dialled()).toEqual([now]);
    expect(await held(later)).toBe("outside_legal_hours 2026-11-15T09:00:00.000Z");
    await change("us-hours", hours("11:00", "20:00"));
    await hospital.clock.advance(0);
    expect(await held(later)).toBe("outside_legal_hours 2026-11-15T19:00:00.000Z");
    await hospital.app.services.ruleChanges.reset(hospital.organisationId, "us-hours", CLI_ACTOR);
    await hospital.clock.advance(0);
    expect(await held(later)).toBe("outside_legal_hours 2026-11-15T17:00:00.000Z");
  });

  test("holds a call that waits for a line and is no longer allowed", async () => {
    await open({ numberLines: 1 });
    await hospital.dial({ user_number: "+919810012399" });
    const id = await hospital.schedule();
    await due();
    expect(await held(id)).toStartWith("number_lines_busy ");
    await change("in-hours", hours("13:00", "20:00"));
    await hospital.clock.advance(5_000);
    expect(await held(id)).toBe("outside_legal_hours 2026-11-15T07:30:00.000Z");
  });

  test("releases calls that wait for a limit", async () => {
    await open();
    for (let i = 0; i < 3; i++) await busy(await hospital.dial());
    const id = await hospital.schedule();
    await due();
    expect(await held(id)).toStartWith("too_many_calls ");
    await change("in-per-day", 4);
    await hospital.clock.advance(0);
    expect(dialled()).toContain(id);
  });

  test("changes nothing for another organisation", async () => {
    await open();
    const { organisationId } = await hospital.neighbour();
    const id = await hospital.schedule({ user_number: NEW_YORK });
    await due();
    await change("us-hours", hours("01:00", "20:00"), organisationId);
    await hospital.clock.advance(0);
    expect(await held(id)).toBe("outside_legal_hours 2026-11-15T14:00:00.000Z");
    expect(dialled()).toEqual([]);
  });
});

test("the facts of the dial are kept with the call, without name or number", async () => {
  await open();
  await busy(await hospital.dial());
  const id = await hospital.dial({ user_name: "Meera" });
  const basis = await hospital.basis(id);
  expect(basis).toEqual({
    rules: expect.stringMatching(/^in-\d{4}\.\d{2}$/) as string,
    isEnforced: true,
    purpose: "service",
    region: null,
    zones: ["Asia/Kolkata"],
    localTime: "2026-11-15T11:30",
    counts: { day: 1, week: 1, perDay: 3, perWeek: null, isExempt: false },
    consentId: null,
    question: null,
    recording: "announce",
  });
  expect(JSON.stringify(basis)).not.toMatch(/Meera|98100/);
});

test("the facts of a refusal are kept with the call, and are in its proof", async () => {
  await open({ agent: { purpose: "promotional" } });
  const id = await hospital.schedule({ user_number: NEW_YORK });
  await due();
  const row = await hospital.row(id);
  expect([row.state, row.error_code]).toEqual(["disallowed", "no_consent"]);
  expect(await hospital.basis(id)).toMatchObject({
    rules: expect.stringMatching(/^us-\d{4}\.\d{2}$/) as string,
    isEnforced: true,
    purpose: "promotional",
    region: "NY",
    zones: ["America/New_York"],
    localTime: "2026-11-15T01:00",
    consentId: null,
    question: null,
    recording: "announce",
  });
  await hospital.clock.advance(2_000);
  await settle();
  const line = await proofOf(hospital.db.reader, hospital.organisationId, id);
  expect(JSON.parse(line ?? "null")).toMatchObject({ record: { basis: { enforced: true, purpose: "promotional" } } });
});

test("where rules are not enforced, they are shown and hold nothing", async () => {
  await open({ isEnforced: false, agent: { purpose: "promotional" } });
  const body = { agent_id: hospital.agentId, user_number: NEW_YORK };
  const { json } = await hospital.request("POST", "/v1/calls?dry_run=true", { body });
  const { held_back_by, would_be_held_by } = json.data as unknown as {
    held_back_by: unknown[];
    would_be_held_by: { reason: string }[];
  };
  expect(held_back_by).toEqual([]);
  expect(would_be_held_by.map(({ reason }) => reason)).toEqual(["no_consent", "outside_legal_hours"]);
  const id = await hospital.schedule({ user_number: NEW_YORK });
  await due();
  expect(dialled()).toEqual([id]);
  expect(await hospital.basis(id)).toMatchObject({ isEnforced: false });
});

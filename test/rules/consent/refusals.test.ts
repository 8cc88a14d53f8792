// The refusal of an erased person stays, as a keyed hash: they are not called again, until they agree anew.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { CLI_ACTOR } from "../../../src/core/actor.ts";
import { toIso } from "../../../src/core/clock.ts";
import { CONTACT_NUMBER, createHospital, outcome, type Hospital } from "../../support/hospital.ts";

const GRANT = { contact_number: CONTACT_NUMBER, purpose: "service", basis: "written" } as const;

let hospital: Hospital;
beforeEach(async () => {
  hospital = await createHospital({ isEnforced: true });
  await hospital.app.start();
});
afterEach(() => hospital.close());

const grant = (body: object = {}) => hospital.request("POST", "/v1/consents", { body: { ...GRANT, ...body } });
const withdraw = () =>
  hospital.request("POST", "/v1/consents/withdraw", {
    body: { contact_number: CONTACT_NUMBER, purpose: "service" },
  });
const erase = () => hospital.app.services.erasure.eraseContact(hospital.organisationId, CONTACT_NUMBER, CLI_ACTOR);
const kept = () => hospital.db.reader.selectFrom("erased_refusals").selectAll().execute();
const listed = (grantedOn: string | null) => ({
  row: 2,
  number: CONTACT_NUMBER,
  purpose: "service" as const,
  basis: "written" as const,
  grantedOn,
  untilDay: null,
  reference: null,
});
const imported = (grantedOn: string | null) =>
  hospital.app.services.consents.import(hospital.organisationId, [listed(grantedOn)], CLI_ACTOR);

/** A new call to the number: null if it was dialled, else why not. */
async function refusal(options: Parameters<Hospital["schedule"]>[0] = {}): Promise<string | null> {
  const id = await hospital.schedule(options);
  await hospital.clock.advance(16_000);
  const isDialled = hospital.carrier.dialled.some(({ callId }) => callId === id);
  return isDialled ? null : (await hospital.row(id)).error_code;
}

describe("after the erasure of a person who refused", () => {
  let refusedAt: number;
  beforeEach(async () => {
    await withdraw();
    refusedAt = hospital.clock.now();
    await hospital.clock.advance(1_000);
    await erase();
  });

  test("their number is not called again, and is stored as a keyed hash alone", async () => {
    const rows = await kept();
    expect(rows).toEqual([
      {
        organisation_id: hospital.organisationId,
        number_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        purpose: "service",
        at: refusedAt,
      },
    ]);
    expect(JSON.stringify(rows)).not.toContain(CONTACT_NUMBER.slice(1));
    expect(await refusal()).toBe("no_consent");
  });

  test("other numbers and other organisations are called", async () => {
    const { agentId, key } = await hospital.neighbour();
    const theirs = await hospital.post({ agent_id: agentId }, { key });
    expect(await refusal({ user_number: "+919810012399" })).toBeNull();
    const { call_id } = theirs.json.data as unknown as { call_id: string };
    expect(hospital.carrier.dialled.map(({ callId }) => callId)).toContain(call_id);
  });

  test("a newer consent has them called, and forgets the refusal", async () => {
    expect((await grant()).status).toBe(201);
    expect(await kept()).toEqual([]);
    expect(await refusal()).toBeNull();
  });

  test("an older consent is rejected, like after every withdrawal", async () => {
    expect(outcome(await grant({ granted_at: toIso(refusedAt - 1) }))).toBe("409 CONFLICT");
    expect(await refusal()).toBe("no_consent");
  });

  test("a consent for another purpose changes nothing", async () => {
    expect((await grant({ purpose: "promotional" })).status).toBe(201);
    expect(await kept()).toHaveLength(1);
    expect(await refusal()).toBe("no_consent");
  });

  test("an imported list needs the moment of a new consent", async () => {
    expect(await imported(null)).toMatchObject({ granted: 0, refused: [{ row: 2 }] });
    expect(await imported(toIso(refusedAt - 1))).toMatchObject({ granted: 0, refused: [{ row: 2 }] });
    expect(await imported(toIso(refusedAt + 1))).toMatchObject({ granted: 1, refused: [] });
    expect(await kept()).toEqual([]);
    expect(await refusal()).toBeNull();
  });

  test("a second erasure keeps it", async () => {
    await erase();
    expect(await kept()).toHaveLength(1);
    // They refuse once more, and are erased: the later refusal counts.
    await withdraw();
    await erase();
    expect((await kept()).map(({ at }) => at)).toEqual([hospital.clock.now()]);
  });
});

test("nothing is kept of a person who agreed, or said nothing", async () => {
  await grant();
  await erase();
  expect(await kept()).toEqual([]);
  expect(await refusal()).toBeNull();
});

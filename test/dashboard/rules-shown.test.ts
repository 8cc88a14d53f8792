// What waits for a rule, on Today and on the page of a call; and what would wait where rules are not enforced.
import { afterEach, expect, test } from "bun:test";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { signedIn, type Visitor } from "../support/dashboard.ts";
import { createHospital, type Hospital, type HospitalOptions } from "../support/hospital.ts";
import { settle } from "../support/manual-clock.ts";

/** It is Sunday, 11:30 in India and 1:00 in New York. */
const NEW_YORK = { user_number: "+12125550142", user_name: "Meera" };

let hospital: Hospital;
let viewer: Visitor;
afterEach(() => hospital.close());

async function open(options: HospitalOptions): Promise<void> {
  hospital = await createHospital(options);
  viewer = await signedIn(hospital.app, hospital.organisationId, "viewer");
  await hospital.app.start();
}

interface Waiting {
  reasons: { reason: string; count: number; calls: { call_id: string; contact_name: string; until: string }[] }[];
  has_more: boolean;
}
const waitingOf = async (visitor: Visitor, query = "") =>
  ((await visitor.ask("GET", `/dashboard/api/worklist${query}`)).json as unknown as { waiting: Waiting }).waiting;
const shownOn = async (callId: string) =>
  ((await viewer.ask("GET", `/dashboard/api/calls/${callId}`)).json as unknown as { would_be_held_by: string[] })
    .would_be_held_by;

test("Today names the calls that wait for a rule, with reason and time, to their own organisation", async () => {
  await open({ isEnforced: true });
  for (let i = 0; i < 3; i++) {
    hospital.carrier.fail(await hospital.dial(), "busy");
    await settle();
  }
  const night = await hospital.schedule(NEW_YORK);
  const often = await hospital.schedule();
  await hospital.clock.advance(16_000);
  expect(await waitingOf(viewer)).toEqual({
    reasons: [
      {
        reason: "outside_legal_hours",
        count: 1,
        calls: [
          { call_id: night, contact_name: "Meera", contact_number: "+12125550142", until: "2026-11-15T14:00:00.000Z" },
        ],
      },
      {
        reason: "too_many_calls",
        count: 1,
        calls: [
          { call_id: often, contact_name: null, contact_number: "+919810012345", until: "2026-11-15T18:30:00.000Z" },
        ],
      },
    ],
    has_more: false,
  } as never);
  // A list of one kind is about other things.
  expect((await waitingOf(viewer, "?kind=call_failed")).reasons).toEqual([]);
  const { organisationId } = await hospital.neighbour();
  const stranger = await signedIn(hospital.app, organisationId, "owner");
  expect((await waitingOf(stranger)).reasons).toEqual([]);
  expect(await shownOn(night)).toEqual([]);
});

test("of very many calls the next thousand are counted, and twenty of each reason are named", async () => {
  await open({ isEnforced: true });
  const first = await hospital.schedule(NEW_YORK);
  await hospital.clock.advance(16_000);
  const row = await hospital.row(first);
  await hospital.db.write(async (tx) => {
    for (let i = 0; i < 12; i++) {
      const copies = Array.from({ length: 100 }, (_, j) => ({ ...row, id: `${first}_${i}_${j}` }));
      await tx.insertInto("calls").values(copies).execute();
    }
  });
  const { reasons, has_more } = await waitingOf(viewer);
  expect(reasons.map(({ count, calls }) => [count, calls.length])).toEqual([[1_000, 20]]);
  expect(has_more).toBe(true);
});

test("where rules are not enforced, a call shows what would hold it, before and after it is dialled", async () => {
  await open({ isEnforced: false, agent: { purpose: "promotional" } });
  const id = await hospital.schedule(NEW_YORK);
  expect(await shownOn(id)).toEqual(["no_consent", "outside_legal_hours"]);
  await hospital.clock.advance(16_000);
  expect(hospital.carrier.dialled.map(({ callId }) => callId)).toEqual([id]);
  // By the facts of its dial, whatever is true later.
  await hospital.app.services.agents.update(
    hospital.organisationId,
    hospital.agentId,
    { purpose: "service", purpose_reason: "It only confirms visits from now on." },
    CLI_ACTOR,
  );
  expect(await shownOn(id)).toEqual(["no_consent", "outside_legal_hours"]);
  const allowed = await hospital.dial();
  expect(await shownOn(allowed)).toEqual([]);
});

// What lists answer equals what a plain model of the rules says, for random branches, practitioners and rows.
import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { checkedBounds, reachOf } from "../../src/accounts/reach.ts";
import { ROLES } from "../../src/accounts/records.ts";
import { listAppointments } from "../../src/calendar/appointment-store.ts";
import { callsAmong, isCallWithin } from "../../src/calls/call/named-calls.ts";
import { insertCall, listCallIds, listCalls } from "../../src/calls/call/store.ts";
import { listCampaigns } from "../../src/campaigns/campaign-store.ts";
import { campaignMeaning } from "../../src/campaigns/records.ts";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import type { Reach } from "../../src/core/reach.ts";
import { listEntries } from "../../src/waiting-list/store.ts";
import { countOpen, openItems } from "../../src/worklist/worklist-store.ts";
import { callRow } from "../support/call-rows.ts";
import { campaignRow } from "../support/campaign-rows.ts";
import { runsOf } from "../support/engines.ts";
import { createHospital, type Hospital } from "../support/hospital.ts";

const BRANCHES = [1, 2, 3].map((n) => `0190a1b2-0000-7000-8000-00000000000${n}`);
const PRACTITIONERS = ["p1", "p2"];

let hospital: Hospital;
/** By the branch of each agent; the last has none. */
let agents: string[];
let ours: string;
let theirs: { organisationId: string; agentId: string };
beforeAll(async () => {
  hospital = await createHospital();
  ours = hospital.organisationId;
  theirs = await hospital.neighbour();
  agents = [];
  for (const branch_id of [...BRANCHES, null]) {
    const agent = { name: "Agent", greeting: "Hello", prompt: "x", calling_hours: null, branch_id };
    agents.push((await hospital.app.services.agents.create(ours, agent, CLI_ACTOR)).agent_id);
  }
  await hospital.app.services.agents.update(
    theirs.organisationId,
    theirs.agentId,
    { branch_id: BRANCHES[0]! },
    CLI_ACTOR,
  );
});
afterAll(() => hospital.close());

const branch = fc.constantFrom(...BRANCHES);
const agentAt = fc.nat({ max: BRANCHES.length });
const appointments = fc.array(
  fc.record({ branch, practitioner: fc.option(fc.constantFrom(...PRACTITIONERS)), isTheirs: fc.boolean() }),
  { maxLength: 8 },
);
const calls = fc.array(
  fc.record({
    agent: agentAt,
    isTheirs: fc.boolean(),
    /** Null: older than the column. */
    branch: fc.option(fc.oneof(branch, fc.constant(""))),
    named: fc.option(branch),
    about: fc.option(fc.nat({ max: 7 })),
    changed: fc.option(fc.nat({ max: 7 })),
    booked: fc.option(fc.nat({ max: 7 })),
    isLive: fc.boolean(),
  }),
  { maxLength: 12 },
);
const world = fc.record({
  appointments,
  calls,
  campaigns: fc.array(agentAt, { maxLength: 5 }),
  entries: fc.array(branch, { maxLength: 5 }),
});
type World = typeof world extends fc.Arbitrary<infer T> ? T : never;

const reach: fc.Arbitrary<Reach> = fc.oneof(
  fc.uniqueArray(branch, { minLength: 1 }).map((branches) => ({ kind: "branches" as const, branches })),
  fc.constantFrom(...PRACTITIONERS).map((practitionerId) => ({
    kind: "practitioner" as const,
    get organisationId() {
      return ours;
    },
    practitionerId,
  })),
  fc.constant({ kind: "no_patients" as const }),
);

const TABLES = ["worklist_items", "waiting_list", "campaigns", "appointments", "calls", "contacts"] as const;

async function put({ appointments: booked, calls: called, campaigns, entries }: World): Promise<void> {
  await hospital.db.write(async (tx) => {
    for (const table of TABLES) await tx.deleteFrom(table).execute();
    const bookedIn = (i: number) => called.findIndex((call) => call.booked === i);
    const wished = (i: number) => called.findLastIndex((call) => call.booked === i);
    for (const [i, { branch: branchId, practitioner, isTheirs }] of booked.entries())
      await tx
        .insertInto("appointments")
        .values({
          id: `apt_${i}`,
          organisation_id: isTheirs ? theirs.organisationId : ours,
          branch_id: branchId,
          date: "2026-11-16",
          start_time: "09:00",
          end_time: "09:30",
          status: "confirmed",
          source: "api",
          call_id: bookedIn(i) === -1 ? null : `call_${bookedIn(i)}`,
          wish_call_id: wished(i) === -1 ? null : `call_${wished(i)}`,
          practitioner_id: practitioner,
          contact_number: "+919810012345",
          created_at: i,
          updated_at: i,
        })
        .execute();
    for (const [i, call] of called.entries()) {
      await insertCall(
        tx,
        callRow({
          id: `call_${i}`,
          organisation_id: call.isTheirs ? theirs.organisationId : ours,
          agent_id: call.isTheirs ? theirs.agentId : agents[call.agent]!,
          branch_id: call.branch,
          additional_info: call.named === null ? null : JSON.stringify({ branch_id: call.named }),
          about_appointment_id: call.about === null ? null : `apt_${call.about}`,
          appointment_id: call.changed === null ? null : `apt_${call.changed}`,
          state: call.isLive ? "ringing" : "scheduled",
          created_at: i,
        }),
      );
      const item = { organisation_id: call.isTheirs ? theirs.organisationId : ours, kind: "call_failed" };
      const open = { detail: null, created_at: i, done_at: null, done_by: null };
      await tx
        .insertInto("worklist_items")
        .values({ id: `wrk_${i}`, subject_id: `call_${i}`, ...item, ...open })
        .execute();
    }
    for (const [i, agent] of campaigns.entries())
      await tx
        .insertInto("campaigns")
        .values(campaignMeaning.write(campaignRow({ id: `cmp_${i}`, organisation_id: ours, agent_id: agents[agent]! })))
        .execute();
    for (const [i, branchId] of entries.entries())
      await tx
        .insertInto("waiting_list")
        .values({
          id: `wtl_${i}`,
          organisation_id: ours,
          branch_id: branchId,
          contact_number: "+919810012345",
          from_date: "2026-11-16",
          to_date: "2026-11-17",
          sessions: "",
          state: "waiting",
          source: "api",
          created_at: i,
          updated_at: i,
        })
        .execute();
  });
}

const isIn = (of: Reach, branchId: string | null) => of.kind === "branches" && of.branches.includes(branchId ?? "");

function seesAppointment(of: Reach, one: World["appointments"][number]): boolean {
  if (one.isTheirs) return false;
  return of.kind === "practitioner" ? one.practitioner === of.practitionerId : isIn(of, one.branch);
}

function seesCall(
  of: Reach,
  { appointments: booked }: World,
  call: World["calls"][number],
  i: number,
  all: World["calls"],
) {
  if (call.isTheirs) return false;
  if (of.kind === "branches") {
    const older = call.named === null ? (BRANCHES[call.agent] ?? null) : null;
    return isIn(of, call.branch ?? older);
  }
  if (of.kind === "no_patients") return false;
  return booked.some(
    (one, at) =>
      seesAppointment(of, one) &&
      (call.about === at ||
        call.changed === at ||
        all.findIndex((each) => each.booked === at) === i ||
        all.findLastIndex((each) => each.booked === at) === i),
  );
}

test("lists, counts and ids answer exactly what is within reach", async () => {
  await fc.assert(
    fc.asyncProperty(world, reach, async (given, of) => {
      await put(given);
      const { reader } = hospital.db;
      const question = { organisationId: ours, reach: of, limit: 100 };
      const seen = given.calls.flatMap((call, i) => (seesCall(of, given, call, i, given.calls) ? [`call_${i}`] : []));
      const own = given.calls.flatMap(({ isTheirs }, i) => (isTheirs ? [] : [`call_${i}`]));
      const found = (await listCalls(reader, question)).map(({ id }) => id);
      expect(found.toSorted()).toEqual(seen.toSorted());
      expect((await listCallIds(reader, question)).toSorted()).toEqual(seen.toSorted());
      expect((await callsAmong(reader, ours, own, of)).map(({ id }) => id).toSorted()).toEqual(seen.toSorted());
      for (const id of own) expect(await isCallWithin(reader, id, of)).toBe(seen.includes(id));
      const items = await openItems(reader, question);
      expect(items.map(({ subject_id }) => subject_id).toSorted()).toEqual(seen.toSorted());
      expect((await countOpen(reader, ours, of))["call_failed"] ?? 0).toBe(seen.length);
      const booked = given.appointments.flatMap((one, i) => (seesAppointment(of, one) ? [`apt_${i}`] : []));
      expect((await listAppointments(reader, question)).map(({ id }) => id).toSorted()).toEqual(booked.toSorted());
      const campaigns = given.campaigns.flatMap((agent, i) => (isIn(of, BRANCHES[agent] ?? null) ? [`cmp_${i}`] : []));
      expect((await listCampaigns(reader, question)).map(({ id }) => id).toSorted()).toEqual(campaigns.toSorted());
      const entries = given.entries.flatMap((at, i) => (isIn(of, at) ? [`wtl_${i}`] : []));
      const waiting = await listEntries(reader, { ...question, states: ["waiting"] });
      expect(waiting.map(({ id }) => id).toSorted()).toEqual(entries.toSorted());
    }),
    { numRuns: runsOf(80) },
  );
}, 300_000);

const person = fc.record({
  organisation_id: fc.constant("org_1"),
  role: fc.constantFrom(...ROLES),
  branches: fc.option(fc.uniqueArray(branch, { minLength: 1 }).map((ids) => JSON.stringify(ids))),
  practitioner_id: fc.option(fc.constantFrom(...PRACTITIONERS)),
});

test("an owner sees everything, a doctor and an auditor never, and staff unless bound", () => {
  fc.assert(
    fc.property(person, (one) => {
      const kind = reachOf(one)?.kind ?? "everything";
      const bound = one.branches === null ? "everything" : "branches";
      const wanted = {
        owner: "everything",
        staff: bound,
        viewer: bound,
        doctor: "practitioner",
        auditor: "no_patients",
      };
      expect(kind).toBe(wanted[one.role]);
    }),
  );
});

test("whatever is changed, no person keeps a bound that their role does not have", () => {
  const input = fc.record(
    {
      role: fc.constantFrom(...ROLES),
      branches: fc.option(fc.uniqueArray(branch)),
      practitioner_id: fc.option(fc.constantFrom(...PRACTITIONERS)),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(person, input, (before, change) => {
      let after;
      try {
        after = checkedBounds(before, change);
      } catch {
        return;
      }
      if (after.role !== "staff" && after.role !== "viewer") expect(after.branches).toBeNull();
      expect(after.practitioner_id === null).toBe(after.role !== "doctor");
      expect(after.branches).not.toBe("[]");
    }),
  );
});

// Each check passes on sound evidence, and fails when one thing in it is wrong.
import { describe, expect, test } from "bun:test";
import { check, type CheckName } from "./checks.ts";
import { ABSENT, CANCELLED, emptyLog } from "./client-log.ts";
import type { Evidence } from "./evidence.ts";

const SLOT = "window-1||2030-01-07";
const OTHER_SLOT = "window-1||2030-01-14";

/** Two calls, one of which talked and one of which was cancelled; an appointment; everything told and taken. */
function sound(): Evidence {
  const client = emptyLog();
  client.requests = 6;
  client.calls.push(
    { number: "+1", isKeyed: true, ids: ["call-1", "call-1"], isOpen: true, cancel: "none" },
    { number: "+2", isKeyed: false, ids: ["call-2"], isOpen: false, cancel: "done" },
    { number: "+3", isKeyed: false, ids: [], isOpen: false, cancel: "none" },
    { number: "+4", isKeyed: false, ids: [], isOpen: true, cancel: "none" },
  );
  client.bookings.push(
    { name: "A", id: "apt-1", may: [SLOT] },
    { name: "B", id: null, may: [ABSENT] },
    { name: "C", id: "apt-3", may: [OTHER_SLOT, CANCELLED] },
  );
  const event = (id: string, type: string, of: Partial<Evidence["stored"]["events"][number]>) => ({
    id,
    type,
    callId: null,
    sequence: null,
    appointmentId: null,
    ...of,
  });
  const events = [
    event("evt-1", "call.initiated", { callId: "call-1", sequence: 1 }),
    event("evt-2", "call.completed", { callId: "call-1", sequence: 2 }),
    event("evt-3", "appointment.created", { appointmentId: "apt-1" }),
    event("evt-4", "appointment.created", { appointmentId: "apt-3" }),
    event("evt-5", "appointment.cancelled", { appointmentId: "apt-3" }),
  ];
  return {
    client,
    stored: {
      calls: [
        {
          id: "call-1",
          number: "+1",
          state: "completed",
          isTriggered: true,
          isPutBack: false,
          sequence: 2,
          credits: 2,
        },
        {
          id: "call-2",
          number: "+2",
          state: "cancelled",
          isTriggered: false,
          isPutBack: false,
          sequence: 0,
          credits: null,
        },
      ],
      appointments: [
        { id: "apt-1", name: "A", slot: SLOT, isCancelled: false },
        { id: "apt-3", name: "C", slot: OTHER_SLOT, isCancelled: true },
      ],
      places: [
        { slot: SLOT, filled: 1, most: 1 },
        { slot: OTHER_SLOT, filled: 0, most: 1 },
      ],
      events,
      deliveries: events.map(({ id }) => ({ eventId: id, endpointId: "whe-1", state: "delivered" })),
      endpointIds: ["whe-1"],
      ledgers: [
        {
          organisationId: "org-1",
          balance: 98,
          entries: [
            { amount: 100, callId: null },
            { amount: -2, callId: "call-1" },
          ],
        },
      ],
      faults: [],
    },
    arrivals: events.map(({ id, callId, sequence }) => ({ eventId: id, callId, sequence, said: 204 })),
    dialled: [{ number: "+1", sipCallId: "sip-1" }],
    isDrained: true,
  };
}

const brokenIn = (evidence: Evidence): CheckName[] =>
  check(evidence)
    .filter(({ broken }) => broken.length > 0)
    .map(({ check: name }) => name);

/** The same evidence with one thing changed. */
function changed(change: (evidence: Evidence) => void): CheckName[] {
  const evidence = sound();
  change(evidence);
  return brokenIn(evidence);
}

test("what is sound is called sound, and every check has looked at something", () => {
  expect(brokenIn(sound())).toEqual([]);
  expect(check(sound()).filter(({ of }) => of === 0)).toEqual([]);
});

describe("the checker sees", () => {
  const cases: [string, CheckName[], (evidence: Evidence) => void][] = [
    [
      "an acknowledged call that is gone",
      ["acknowledged writes kept"],
      ({ client }) => client.calls[1]!.ids.push("call-9"),
    ],
    [
      "an acknowledged cancellation that is gone",
      ["acknowledged writes kept"],
      ({ stored }) => (stored.calls[1]!.state = "scheduled"),
    ],
    [
      "an appointment that is elsewhere",
      ["acknowledged writes kept"],
      ({ client }) => (client.bookings[0]!.may = [OTHER_SLOT]),
    ],
    [
      "a call made twice for one key",
      ["nothing done twice"],
      ({ stored }) =>
        stored.calls.push({
          id: "call-3",
          number: "+1",
          state: "scheduled",
          isTriggered: false,
          isPutBack: false,
          sequence: 0,
          credits: null,
        }),
    ],
    [
      "a refused call that was made",
      ["refused means not done"],
      ({ stored }) =>
        stored.calls.push({
          id: "call-3",
          number: "+3",
          state: "scheduled",
          isTriggered: false,
          isPutBack: false,
          sequence: 0,
          credits: null,
        }),
    ],
    ["an end that nobody was told of", ["events kept"], ({ stored }) => void stored.events.splice(1, 1)],
    ["an event that was never taken", ["events kept"], ({ arrivals }) => (arrivals[4]!.said = 500)],
    [
      "an event that still waits at the end",
      ["events kept"],
      ({ stored }) => (stored.deliveries[3]!.state = "pending"),
    ],
    ["an event of nothing", ["events kept"], ({ arrivals }) => (arrivals[4]!.eventId = "evt-9")],
    [
      "an end that came before its beginning",
      ["order per call"],
      ({ arrivals }) => void arrivals.unshift(arrivals.splice(1, 1)[0]!),
    ],
    [
      "an end that came while its beginning was refused",
      ["order per call"],
      ({ arrivals }) => void arrivals.unshift({ ...arrivals[0]!, said: 500 }, arrivals[1]!),
    ],
    [
      "a call dialled twice",
      ["no call dialled twice"],
      ({ dialled }) => dialled.push({ number: "+1", sipCallId: "sip-2" }),
    ],
    [
      "a cancelled call that was dialled",
      ["no call dialled twice"],
      ({ dialled }) => dialled.push({ number: "+2", sipCallId: "sip-2" }),
    ],
    ["a window with too many", ["capacity kept"], ({ stored }) => (stored.places[0]!.most = 0)],
    ["a count that is wrong", ["capacity kept"], ({ stored }) => (stored.places[1]!.filled = 1)],
    ["a charge without an entry", ["balance is the ledger"], ({ stored }) => void stored.ledgers[0]!.entries.pop()],
    ["a damaged file", ["database intact"], ({ stored }) => stored.faults.push("row 3 missing from index")],
    ["an answer that is not documented", ["answers as documented"], ({ client }) => client.surprises.push("500")],
  ];
  test.each(cases)("%s", (_, seen, change) => {
    const found = changed(change);
    expect(found).toEqual(expect.arrayContaining(seen));
  });
});

test("what may or may not have been done is right either way", () => {
  const done = changed(({ stored }) =>
    stored.calls.push({
      id: "call-4",
      number: "+4",
      state: "scheduled",
      isTriggered: false,
      isPutBack: false,
      sequence: 0,
      credits: null,
    }),
  );
  expect(done).toEqual([]);
  expect(changed(({ stored }) => void (stored.appointments[1]!.isCancelled = true))).toEqual([]);
});

test("a repeated event is no disorder, and nothing need be told before all had time", () => {
  const again = changed(({ arrivals }) => arrivals.push({ ...arrivals[0]! }));
  expect(again).toEqual([]);
  const early = changed((evidence) => {
    evidence.isDrained = false;
    evidence.stored.deliveries[4]!.state = "pending";
    evidence.arrivals.pop();
  });
  expect(early).toEqual([]);
});

describe("a call whose claim was cut off in its commit", () => {
  const event = (n: number, type: string) => ({
    id: `evt-p${n}`,
    type,
    callId: "call-4",
    sequence: n,
    appointmentId: null,
  });
  /** What became of a call that these events tell of. */
  const foundIn = (call: Pick<Evidence["stored"]["calls"][number], "state" | "isPutBack">, ...told: string[]) =>
    changed(({ stored, arrivals }) => {
      stored.calls.push({
        id: "call-4",
        number: "+4",
        isTriggered: false,
        sequence: told.length,
        credits: null,
        ...call,
      });
      for (const [i, type] of told.entries()) {
        const { id } = event(i + 1, type);
        stored.events.push(event(i + 1, type));
        stored.deliveries.push({ eventId: id, endpointId: "whe-1", state: "delivered" });
        arrivals.push({ ...arrivals[0]!, eventId: id, callId: "call-4", sequence: i + 1 });
      }
    });
  const [CLAIMED, FAILED] = ["call.initiated", "call.failed"];

  test("waits again, and its claim is told once more", () => {
    expect(foundIn({ state: "queued", isPutBack: true }, CLAIMED)).toEqual([]);
    expect(foundIn({ state: "queued", isPutBack: true }, CLAIMED, CLAIMED)).toEqual([]);
    expect(foundIn({ state: "failed", isPutBack: false }, CLAIMED, CLAIMED, FAILED)).toEqual([]);
  });

  test("is no excuse for others", () => {
    expect(foundIn({ state: "queued", isPutBack: false }, CLAIMED)).toEqual(["events kept"]);
    expect(foundIn({ state: "queued", isPutBack: true }, FAILED)).toEqual(["events kept"]);
    expect(foundIn({ state: "failed", isPutBack: false }, CLAIMED, FAILED, CLAIMED)).toEqual(["events kept"]);
    expect(foundIn({ state: "failed", isPutBack: false }, CLAIMED, CLAIMED)).toEqual(["events kept"]);
  });
});

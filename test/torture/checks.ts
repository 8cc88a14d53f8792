// Invariants that hold after any fault, as pure functions from evidence to findings. Each finding names its cause.
import { ABSENT, CANCELLED, type AskedBooking } from "./client-log.ts";
import type { Evidence, StoredCall } from "./evidence.ts";

export const CHECKS = [
  "acknowledged writes kept",
  "nothing done twice",
  "refused means not done",
  "events kept",
  "order per call",
  "no call dialled twice",
  "capacity kept",
  "balance is the ledger",
  "database intact",
  "answers as documented",
] as const;
export type CheckName = (typeof CHECKS)[number];

export interface Finding {
  check: CheckName;
  /** How many things were looked at. */
  of: number;
  what: string;
  broken: string[];
}

export function check(evidence: Evidence): Finding[] {
  return CHECKS.map((name) => ({ check: name, ...BY_NAME[name](evidence) }));
}

type Check = (evidence: Evidence) => Omit<Finding, "check">;

const BY_NAME: Record<CheckName, Check> = {
  "acknowledged writes kept": acknowledgedWrites,
  "nothing done twice": nothingTwice,
  "refused means not done": refusedNotDone,
  "events kept": eventsKept,
  "order per call": orderPerCall,
  "no call dialled twice": dialledOnce,
  "capacity kept": capacityKept,
  "balance is the ledger": balanceIsLedger,
  "database intact": ({ stored }) => ({ of: 1, what: "file", broken: stored.faults }),
  "answers as documented": ({ client }) => ({ of: client.requests, what: "answers", broken: client.surprises }),
};

function grouped<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

function acknowledgedWrites({ client, stored }: Evidence): Omit<Finding, "check"> {
  const calls = new Map(stored.calls.map((call) => [call.id, call]));
  const broken: string[] = [];
  let of = 0;
  for (const { number, ids, cancel } of client.calls) {
    for (const id of ids) {
      of += 1;
      if (calls.get(id)?.number !== number) broken.push(`${id} was acknowledged and is not there`);
    }
    const [id = ""] = ids;
    if (cancel !== "done") continue;
    of += 1;
    const state = calls.get(id)?.state ?? ABSENT;
    if (state !== "cancelled") broken.push(`${id} was acknowledged as cancelled and is ${state}`);
  }
  const appointments = grouped(stored.appointments, ({ name }) => name ?? "");
  const certain = client.bookings.filter(({ may }) => !may.includes(ABSENT));
  for (const booking of certain) {
    const states = statesOf(booking, appointments);
    if (!booking.may.includes(states[0] ?? ABSENT))
      broken.push(`${booking.id ?? booking.name} should be ${booking.may.join(" or ")} and is ${states[0] ?? ABSENT}`);
  }
  return { of: of + certain.length, what: "acknowledged writes", broken };
}

function statesOf({ name }: AskedBooking, appointments: Map<string, Evidence["stored"]["appointments"]>): string[] {
  return (appointments.get(name) ?? []).map(({ slot, isCancelled }) => (isCancelled ? CANCELLED : slot));
}

function nothingTwice({ client, stored }: Evidence): Omit<Finding, "check"> {
  const broken: string[] = [];
  const byNumber = grouped(stored.calls, ({ number }) => number);
  const byName = grouped(stored.appointments, ({ name }) => name ?? "");
  for (const { number, ids } of client.calls) {
    const there = byNumber.get(number)?.length ?? 0;
    if (there > 1) broken.push(`${number} was asked for once and has ${there} calls`);
    if (new Set(ids).size > 1) broken.push(`${number} was answered with ${ids.join(", ")}`);
  }
  for (const { name } of client.bookings) {
    const there = byName.get(name)?.length ?? 0;
    if (there > 1) broken.push(`${name} was booked once and has ${there} appointments`);
  }
  const asked = new Set(client.calls.map(({ number }) => number));
  for (const { id, number } of stored.calls) if (!asked.has(number)) broken.push(`nobody asked for ${id}`);
  return { of: client.calls.length + client.bookings.length, what: "requests", broken };
}

function refusedNotDone({ client, stored }: Evidence): Omit<Finding, "check"> {
  const numbers = new Set(stored.calls.map(({ number }) => number));
  const names = new Set(stored.appointments.map(({ name }) => name));
  const calls = client.calls.filter(({ ids, isOpen }) => ids.length === 0 && !isOpen);
  const bookings = client.bookings.filter(({ may }) => may.every((state) => state === ABSENT));
  return {
    of: calls.length + bookings.length,
    what: "refusals",
    broken: [
      ...calls.filter(({ number }) => numbers.has(number)).map(({ number }) => `${number} was refused and is there`),
      ...bookings.filter(({ name }) => names.has(name)).map(({ name }) => `${name} was refused and is there`),
    ],
  };
}

/** What a call in this state has told the world, in order. */
const TOLD: Readonly<Record<string, readonly string[]>> = {
  scheduled: [],
  queued: [],
  cancelled: [],
  disallowed: ["call.disallowed"],
  initiated: ["call.initiated"],
  ringing: ["call.initiated"],
  in_progress: ["call.initiated"],
  completed: ["call.initiated", "call.completed"],
  failed: ["call.initiated", "call.failed"],
};

const CLAIMED = "call.initiated";

const isTaken = (said: number) => said >= 200 && said < 300;

function eventsKept({ stored, arrivals, isDrained }: Evidence): Omit<Finding, "check"> {
  const broken: string[] = [];
  const ofCall = grouped(stored.events, ({ callId }) => callId ?? "");
  for (const call of stored.calls) broken.push(...untold(call, ofCall.get(call.id) ?? []));
  const ofAppointment = grouped(stored.events, ({ appointmentId }) => appointmentId ?? "");
  for (const { id, isCancelled } of stored.appointments) {
    const types = (ofAppointment.get(id) ?? []).map(({ type }) => type);
    if (!types.includes("appointment.created")) broken.push(`${id} was booked and nobody was told`);
    if (isCancelled && !types.includes("appointment.cancelled")) broken.push(`${id} was cancelled and nobody was told`);
  }
  const taken = new Set(arrivals.filter(({ said }) => isTaken(said)).map(({ eventId }) => eventId));
  const deliveries = grouped(stored.deliveries, ({ eventId }) => eventId);
  for (const { id } of stored.events) {
    const own = deliveries.get(id) ?? [];
    if (own.length < stored.endpointIds.length) broken.push(`${id} goes to ${own.length} endpoints only`);
    for (const { state } of own) {
      if (state === "delivered" && !taken.has(id)) broken.push(`${id} counts as delivered and was never taken`);
      if (isDrained && state !== "delivered") broken.push(`${id} is ${state} after all had time to go out`);
    }
  }
  const known = new Set(stored.events.map(({ id }) => id));
  for (const eventId of new Set(arrivals.map(({ eventId }) => eventId)))
    if (!known.has(eventId)) broken.push(`${eventId} was told and is of nothing that happened`);
  return { of: stored.events.length, what: "events", broken };
}

function untold(call: StoredCall, events: Evidence["stored"]["events"]): string[] {
  const told = events.toSorted((a, b) => (a.sequence ?? 0) - (b.sequence ?? 0)).map(({ type }) => type);
  const expected = TOLD[call.state] ?? [];
  // The database was lost while a claim was committed: the call was not dialled, and is claimed again later.
  const wasPutBack = told[0] === CLAIMED && (call.state === "queued" ? call.isPutBack : told[1] === CLAIMED);
  const toldAgain = wasPutBack ? told.filter((type, i) => type !== CLAIMED || i === told.lastIndexOf(CLAIMED)) : told;
  const isTold = toldAgain.join() === (wasPutBack && expected.length === 0 ? CLAIMED : expected.join());
  if (isTold && call.sequence === told.length) return [];
  return [`${call.id} is ${call.state} and told ${told.join(", ") || "nothing"}`];
}

/** Whoever is sent the second event of a call has taken the first one before. */
function orderPerCall({ arrivals }: Evidence): Omit<Finding, "check"> {
  const taken = new Map<string, number>();
  const broken: string[] = [];
  for (const { callId, sequence, said } of arrivals) {
    if (callId === null || sequence === null) continue;
    const highest = taken.get(callId) ?? 0;
    if (sequence > highest + 1) broken.push(`${callId}: event ${sequence} came before event ${highest + 1} was taken`);
    taken.set(callId, isTaken(said) ? Math.max(highest, sequence) : highest);
  }
  return { of: taken.size, what: "calls told of", broken };
}

function dialledOnce({ stored, dialled }: Evidence): Omit<Finding, "check"> {
  const broken: string[] = [];
  const byNumber = grouped(stored.calls, ({ number }) => number);
  const invites = grouped(dialled, ({ number }) => number);
  for (const [number, of] of invites) {
    const calls = byNumber.get(number) ?? [];
    const triggered = calls.filter(({ isTriggered }) => isTriggered).length;
    const times = new Set(of.map(({ sipCallId }) => sipCallId)).size;
    if (times > Math.max(1, triggered)) broken.push(`${number} was dialled ${times} times for ${triggered} calls`);
    else if (triggered === 0) {
      const states = calls.map(({ state }) => state).join(", ") || ABSENT;
      broken.push(`${number} was dialled and its call is ${states}`);
    }
  }
  return { of: invites.size, what: "numbers dialled", broken };
}

function capacityKept({ stored }: Evidence): Omit<Finding, "check"> {
  const taken = grouped(
    stored.appointments.filter(({ isCancelled }) => !isCancelled),
    ({ slot }) => slot,
  );
  const broken: string[] = [];
  for (const { slot, filled, most } of stored.places) {
    const people = taken.get(slot)?.length ?? 0;
    if (people > most) broken.push(`${slot} holds ${most} and has ${people}`);
    if (people !== filled) broken.push(`${slot} has ${people} and counts ${filled}`);
  }
  return { of: stored.places.length, what: "windows on a date", broken };
}

function balanceIsLedger({ stored }: Evidence): Omit<Finding, "check"> {
  const broken: string[] = [];
  for (const { organisationId, balance, entries } of stored.ledgers) {
    const sum = entries.reduce((total, { amount }) => total + amount, 0);
    if (Math.abs(sum - balance) > 1e-6) broken.push(`${organisationId} has ${balance}, its ledger ${sum}`);
  }
  const charges = grouped(
    stored.ledgers.flatMap(({ entries }) => entries),
    ({ callId }) => callId ?? "",
  );
  const talked = stored.calls.filter(({ state }) => state === "completed");
  for (const { id, credits } of talked) {
    const own = charges.get(id) ?? [];
    const charged = own.reduce((sum, { amount }) => sum - amount, 0);
    if (charged !== credits || own.length > 1) broken.push(`${id} cost ${credits ?? 0} and was charged ${charged}`);
  }
  return { of: talked.length, what: "completed calls", broken };
}

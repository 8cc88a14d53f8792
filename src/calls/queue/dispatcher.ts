// Starts calls whose time has come: one write claims a batch by the rules of policy.ts, and only after it is on disk
// does the carrier hear of them. So no call is ever dialled twice.
import { isBelieved, SECOND_MS } from "../../core/clock.ts";
import type { DueSource } from "../../core/due-source.ts";
import type { Call } from "../call/records.ts";
import type { Tx } from "../../db/tables.ts";
import type { Carrier } from "../../telephony/port.ts";
import type { CallListener } from "../talks/talks.ts";
import { CALL_LANE } from "./call-lane.ts";
import { WORDS_TOO_LONG, type CallRequest } from "../talks/dial-plan.ts";
import { ClaimRound, MOST_DIALS_PER_ROUND, type ClaimDeps } from "./claim-round.ts";
import { LinesInUse } from "./lines-in-use.ts";
import {
  earliestScheduled,
  liveCalls,
  organisationsWaiting,
  queueDueCalls,
  queuedCalls,
  type WaitingOrganisation,
} from "./queue-store.ts";
import { UnsureClaims, type Claim } from "./unsure-claims.ts";

/** Like MOST_DIALS_PER_ROUND: one claim's transaction stays short. */
const MOST_QUEUED_PER_ROUND = 200;
/** How many calls past the free lines are looked at, so that one that must wait does not hold up those behind it. */
const LOOKAHEAD = 50;

/** Ports rest between calls, and descriptors come back with no call's end to tell of it. */
const LOOK_FOR_ROOM_AGAIN_MS = SECOND_MS;

export interface DispatcherDeps extends ClaimDeps {
  dial: (request: CallRequest) => void;
  /** Where a call's end is reported. */
  ended: CallListener["ended"];
  /** How late each call went out. */
  measured?: (lateMs: number) => void;
}

export function createDispatcher(deps: DispatcherDeps): DueSource {
  const { db, clock, dial, ended } = deps;
  /** Whose turn is first: moves on by one each round, so that no organisation is always the last. */
  let turn = 0;

  const unsure = new UnsureClaims();

  function begin({ dials, wordless }: Claim): void {
    for (const request of dials) dial(request);
    for (const callId of wordless) {
      ended(callId, { kind: "failed", code: "infrastructure_error", message: WORDS_TOO_LONG });
    }
  }

  async function claim(tx: Tx, room: number): Promise<Claim> {
    const now = clock.now();
    // The writer may have been busy while the clock jumped.
    if (!isBelieved(clock)) return { dials: [], wordless: [], more: false, roomless: 0, at: now };
    const moreAreDue = (await queueDueCalls(tx, now, MOST_QUEUED_PER_ROUND)) === MOST_QUEUED_PER_ROUND;

    const [live, organisations] = await Promise.all([liveCalls(tx), organisationsWaiting(tx)]);
    const round = new ClaimRound(deps, tx, now, new LinesInUse(live), room);
    const waiting = organisations.filter(({ earliest_at }) => earliest_at <= now);
    if (!waiting.some((organisation) => round.hasLineFor(organisation))) {
      return { dials: [], wordless: [], more: moreAreDue, roomless: 0, at: now, turns: round.turns };
    }

    turn = (turn + 1) % waiting.length;
    const turns = await Promise.all(
      [...waiting.slice(turn), ...waiting.slice(0, turn)].map(async (organisation) => ({
        organisation,
        calls: await candidates(tx, organisation, now, round),
      })),
    );
    const exhausted = await takeTurns(round, turns);
    const { dials, wordless, lateMs, roomless } = round;
    return { dials, wordless, lateMs, more: exhausted || moreAreDue, roomless, at: now, turns: round.turns };
  }

  async function candidates(
    tx: Tx,
    organisation: WaitingOrganisation,
    now: number,
    round: ClaimRound,
  ): Promise<Call[]> {
    if (!round.hasLineFor(organisation)) return [];
    const { freePlanLines } = round.lineFactsOf(organisation);
    const calls = await queuedCalls(
      tx,
      organisation.id,
      now,
      Math.min(freePlanLines, MOST_DIALS_PER_ROUND) + LOOKAHEAD,
    );
    await round.learn(organisation.id, calls);
    return calls;
  }

  /** When the next scheduled call is due, and each organisation's next one in the queue. */
  async function timesOfCalls(): Promise<number[]> {
    const [queued, scheduledAt] = await Promise.all([organisationsWaiting(db.reader), earliestScheduled(db.reader)]);
    return [...(scheduledAt === null ? [] : [scheduledAt]), ...queued.map(({ earliest_at }) => earliest_at)];
  }

  /** After a look at what was due at `seenAt`. What has become due since was not seen, and is looked at at once. */
  async function nextAt(seenAt: number): Promise<number | null> {
    // What was ready and still waits, waits for a line: the end of a call wakes the loop.
    const times = (await timesOfCalls()).filter((at) => at > seenAt);
    return times.length === 0 ? null : Math.min(...times);
  }

  async function dialDue(room: number): Promise<Claim> {
    const claimed = await unsure.claim(
      (command) => db.write(command, CALL_LANE),
      (tx) => claim(tx, room),
    );
    claimed.turns?.keep();
    for (const lateMs of claimed.lateMs ?? []) deps.measured?.(lateMs);
    begin(claimed);
    return claimed;
  }

  return {
    name: "dispatcher",
    async runDue() {
      await unsure.stored((command) => db.write(command), begin);
      // Looked at again within half a minute, and woken as soon as the clock is believed.
      if (!isBelieved(clock)) return null;
      await deps.overdue.look();
      // Asked first: most rounds find nothing, and a write costs ten times as much as a look.
      const now = clock.now();
      if ((await timesOfCalls()).every((at) => at > now)) return nextAt(now);
      const { more, isRoomShort, at } = await dialInRoom(deps.carrier(), dialDue);
      if (isRoomShort) return earlier(await nextAt(at), clock.now() + LOOK_FOR_ROOM_AGAIN_MS);
      return more ? clock.now() : nextAt(at);
    },
  };
}

/** What calls need to begin is there before any of them is claimed: where it is not, they stay in the queue. */
async function dialInRoom(
  carrier: Carrier,
  dialDue: (room: number) => Promise<Claim>,
): Promise<{ more: boolean; isRoomShort: boolean; at: number }> {
  const { more, roomless, at } = await dialDue(carrier.makeRoom ? 0 : Infinity);
  if (!carrier.makeRoom || roomless === 0) return { more, isRoomShort: false, at };
  const room = await carrier.makeRoom(roomless);
  const isRoomShort = room < roomless;
  if (room === 0) return { more, isRoomShort, at };
  try {
    const claimed = await dialDue(room);
    return { more: claimed.more || claimed.roomless > 0, isRoomShort, at: claimed.at };
  } finally {
    // What none of them took is free for whoever calls us.
    void carrier.makeRoom(0);
  }
}

const earlier = (a: number | null, b: number): number => (a === null ? b : Math.min(a, b));

/** One call of each organisation in turn. Answers whether some organisation ran out of candidates before lines. */
async function takeTurns(
  round: ClaimRound,
  turns: { organisation: WaitingOrganisation; calls: Call[] }[],
): Promise<boolean> {
  let exhausted = false;
  let playing = turns.map((turn) => ({ ...turn, at: 0 })).filter(({ calls }) => calls.length > 0);
  while (playing.length > 0 && !round.isFull()) {
    for (const turn of playing) {
      if (round.isFull()) break;
      if (!round.hasLineFor(turn.organisation)) continue;
      const call = turn.calls[turn.at++];
      if (call) await round.consider(turn.organisation, call);
      if (turn.at >= turn.calls.length && turn.calls.length > LOOKAHEAD) exhausted = true;
    }
    playing = playing.filter((turn) => turn.at < turn.calls.length && round.hasLineFor(turn.organisation));
  }
  return exhausted || (playing.length > 0 && round.isFull());
}

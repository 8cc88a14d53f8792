// Dials due calls. One transaction claims a batch by the rules of policy.ts, and the carrier gets the calls only after
// the commit. So no call is ever dialled twice.
import { isBelieved, SECOND_MS } from "../../core/clock.ts";
import type { DueSource } from "../../core/due-source.ts";
import type { Call } from "../call/records.ts";
import type { Tx } from "../../db/tables.ts";
import type { AskedCall, Asker } from "../../rules/question/asker.ts";
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
  type LiveCall,
  type WaitingOrganisation,
} from "./queue-store.ts";
import { UnsureClaims, type Claim } from "./unsure-claims.ts";

/** Like MOST_DIALS_PER_ROUND, keeps a claim's transaction short. */
const MOST_QUEUED_PER_ROUND = 200;
/** How many calls beyond the free lines are considered, so that a held call does not block those behind it. */
const LOOKAHEAD = 50;

/** RTP ports cool down between calls, and file descriptors are freed without an event; poll for both. */
const LOOK_FOR_ROOM_AGAIN_MS = SECOND_MS;

export interface DispatcherDeps extends ClaimDeps {
  questions: Pick<Asker, "answerTo" | "places" | "underWay" | "ask" | "used">;
  dial: (request: CallRequest) => void;
  /** Receives the end of a call. */
  ended: CallListener["ended"];
  /** Receives the lateness of each dialled call. */
  measured?: (lateMs: number) => void;
}

export function createDispatcher(deps: DispatcherDeps): DueSource {
  const { db, clock } = deps;
  const begin = (claim: Claim) => beginClaim(deps, claim);
  /** Index of the organisation that goes first. Advances each round, so no organisation is always last. */
  let turn = 0;

  const unsure = new UnsureClaims();

  async function claim(tx: Tx, room: number): Promise<Claim> {
    const now = clock.now();
    // The clock may have jumped while the command waited for the writer.
    if (!isBelieved(clock)) return { dials: [], wordless: [], more: false, roomless: 0, at: now };
    const moreAreDue = (await queueDueCalls(tx, now, MOST_QUEUED_PER_ROUND)) === MOST_QUEUED_PER_ROUND;

    const [live, organisations] = await Promise.all([liveCalls(tx), organisationsWaiting(tx)]);
    const round = new ClaimRound(deps, tx, now, linesOf(deps, live), room);
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
    await round.noteDialled();
    const { dials, wordless, lateMs, roomless, questions } = round;
    return { dials, wordless, lateMs, questions, more: exhausted || moreAreDue, roomless, at: now, turns: round.turns };
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

  /** Due time of the next scheduled call, and of each organisation's next queued call. */
  async function timesOfCalls(): Promise<number[]> {
    const [queued, scheduledAt] = await Promise.all([organisationsWaiting(db.reader), earliestScheduled(db.reader)]);
    return [...(scheduledAt === null ? [] : [scheduledAt]), ...queued.map(({ earliest_at }) => earliest_at)];
  }

  /** Next due time after a round at `seenAt`. Calls that became due since then are handled at once. */
  async function nextAt(seenAt: number): Promise<number | null> {
    // Calls that are due and still queued wait for a line; the end of a call wakes the loop.
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
      await unsure.giveBack((command) => db.write(command), deps.ended);
      // Checked again within 30 s, and woken as soon as the clock is trusted.
      if (!isBelieved(clock)) return null;
      await deps.overdue.look();
      // Reads first: most rounds find nothing, and a write costs ten times as much as a read.
      const now = clock.now();
      if ((await timesOfCalls()).every((at) => at > now)) return nextAt(now);
      const { more, isRoomShort, at } = await dialInRoom(deps.carrier(), dialDue);
      if (isRoomShort) return earlier(await nextAt(at), clock.now() + LOOK_FOR_ROOM_AGAIN_MS);
      return more ? clock.now() : nextAt(at);
    },
  };
}

/** Reserves the carrier's capacity before any call is claimed; without capacity the calls stay queued. */
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
    // Unused capacity becomes free for inbound calls.
    void carrier.makeRoom(0);
  }
}

/** After the commit: hands the calls to the carrier, and asks about those that need an answer first. */
function beginClaim({ questions, dial, ended }: DispatcherDeps, claim: Claim): void {
  for (const request of claim.dials) {
    questions.used(request.line.callId);
    dial(request);
  }
  questions.ask(claim.questions ?? []);
  for (const callId of claim.wordless) {
    ended(callId, { kind: "failed", code: "infrastructure_error", message: WORDS_TOO_LONG });
  }
}

/** A call that is being asked about keeps its line. */
function linesOf({ questions }: DispatcherDeps, live: readonly LiveCall[]): LinesInUse {
  const underWay = questions.underWay();
  return new LinesInUse(underWay.length === 0 ? live : [...live, ...underWay.map(lineKept)]);
}

const lineKept = ({ organisationId, phoneNumberId, data }: AskedCall): LiveCall => ({
  organisation_id: organisationId,
  phone_number_id: phoneNumberId,
  contact_number: data.user_number,
});

const earlier = (a: number | null, b: number): number => (a === null ? b : Math.min(a, b));

/** Takes one call of each organisation in turn. Returns whether an organisation ran out of candidates before lines. */
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

// Starts calls whose time has come: one write claims a batch by the rules of policy.ts, and only after it is on disk
// does the carrier hear of them. So no call is ever dialled twice.
import type { DueSource } from "../../core/due-source.ts";
import type { CallRow, Tx } from "../../db/tables.ts";
import type { CallListener } from "../talks.ts";
import { WORDS_TOO_LONG, type CallRequest } from "./dial-plan.ts";
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

export interface DispatcherDeps extends ClaimDeps {
  dial: (request: CallRequest) => void;
  /** Where a call's end is reported. */
  ended: CallListener["ended"];
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

  async function claim(tx: Tx): Promise<Claim> {
    const now = clock.now();
    const moreAreDue = (await queueDueCalls(tx, now, MOST_QUEUED_PER_ROUND)) === MOST_QUEUED_PER_ROUND;

    const round = new ClaimRound(deps, tx, now, new LinesInUse(await liveCalls(tx)));
    const waiting = (await organisationsWaiting(tx)).filter(({ earliest_at }) => earliest_at <= now);
    if (!waiting.some((organisation) => round.hasLineFor(organisation))) {
      return { dials: [], wordless: [], more: moreAreDue };
    }

    turn = (turn + 1) % waiting.length;
    const turns = await Promise.all(
      [...waiting.slice(turn), ...waiting.slice(0, turn)].map(async (organisation) => ({
        organisation,
        calls: await candidates(tx, organisation, now, round),
      })),
    );
    const exhausted = await takeTurns(round, turns);
    return { dials: round.dials, wordless: round.wordless, more: exhausted || moreAreDue };
  }

  async function candidates(
    tx: Tx,
    organisation: WaitingOrganisation,
    now: number,
    round: ClaimRound,
  ): Promise<CallRow[]> {
    if (!round.hasLineFor(organisation)) return [];
    const { freePlanLines } = round.lineFactsOf(organisation);
    return queuedCalls(tx, organisation.id, now, Math.min(freePlanLines, MOST_DIALS_PER_ROUND) + LOOKAHEAD);
  }

  /** When the next scheduled call is due, and each organisation's next one in the queue. */
  async function timesOfCalls(): Promise<number[]> {
    const queued = await organisationsWaiting(db.reader);
    const scheduledAt = await earliestScheduled(db.reader);
    return [...(scheduledAt === null ? [] : [scheduledAt]), ...queued.map(({ earliest_at }) => earliest_at)];
  }

  async function nextAt(): Promise<number | null> {
    const now = clock.now();
    // What is ready and still waits, waits for a line: the end of a call wakes the loop.
    const times = (await timesOfCalls()).filter((at) => at > now);
    return times.length === 0 ? null : Math.min(...times);
  }

  return {
    name: "dispatcher",
    async runDue() {
      await unsure.stored(db.reader, begin);
      // Asked first: most rounds find nothing, and a write costs ten times as much as a look.
      if ((await timesOfCalls()).every((at) => at > clock.now())) return nextAt();
      const claimed = await unsure.claim((command) => db.write(command), claim);
      begin(claimed);
      return claimed.more ? clock.now() : nextAt();
    },
  };
}

/** One call of each organisation in turn. Answers whether some organisation ran out of candidates before lines. */
async function takeTurns(
  round: ClaimRound,
  turns: { organisation: WaitingOrganisation; calls: CallRow[] }[],
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

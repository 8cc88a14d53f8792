// Scheduler source of the waiting list: handles open slots, and calls about them that cannot be dialled. Reads the
// database and keeps no timers.
import type { CallService } from "../calls/service.ts";
import { SYSTEM_ACTOR } from "../core/actor.ts";
import { isBelieved, MINUTE_MS, type Clock } from "../core/clock.ts";
import type { DueSource } from "../core/due-source.ts";
import { AppError, messageOf } from "../core/errors.ts";
import type { Logger } from "../core/logger.ts";
import type { Database } from "../db/database.ts";
import { lookAgain, offerOfCall, openingsByTime, undialledOffers } from "./offer-store.ts";
import type { WaitingOffers } from "./offers.ts";
import type { WaitingSettings } from "./rules.ts";

/** Per round; the rest is due at once. */
const MOST_PER_ROUND = 20;
const AFTER_FAILURE_MS = MINUTE_MS;

export interface WaitingLoopDeps {
  db: Database;
  clock: Clock;
  logger: Logger;
  settings: WaitingSettings;
  offers: WaitingOffers;
  calls: Pick<CallService, "cancel">;
}

export function createWaitingLoop(deps: WaitingLoopDeps): DueSource {
  const { db, clock, logger, settings, offers, calls } = deps;
  const giveUpMs = settings.give_up_minutes * MINUTE_MS;

  /** Catches errors, so that one bad row does not block the others. */
  async function lookAt(opening: { window_id: string; date: string }): Promise<void> {
    try {
      await db.write((tx) => offers.look(tx, opening));
    } catch (error) {
      logger.error("A place that opened could not be offered; it is looked at again.", { error: messageOf(error) });
      await db.write((tx) => lookAgain(tx, opening.window_id, opening.date, clock.now() + AFTER_FAILURE_MS));
    }
  }

  /** The call was never dialled: the slot is open to others for a while, and the person keeps their turn. */
  async function giveUp(organisationId: string, callId: string): Promise<void> {
    await calls
      .cancel(organisationId, callId, SYSTEM_ACTOR, async (tx) => {
        const offer = await offerOfCall(tx, callId);
        if (offer) await offers.undialled(tx, offer, clock.now() + giveUpMs);
      })
      .catch((error: unknown) => {
        // The call has been dialled meanwhile.
        if (!(error instanceof AppError)) throw error;
      });
  }

  async function nextAt(): Promise<number | null> {
    const [offer] = await undialledOffers(db.reader, 1);
    const [opening] = await openingsByTime(db.reader, 1);
    const next = Math.min(opening?.next_at ?? Infinity, offer ? offer.offered_at + giveUpMs : Infinity);
    return next === Infinity ? null : next;
  }

  return {
    name: "waiting list",
    async runDue() {
      if (!isBelieved(clock)) return null;
      const now = clock.now();
      for (const offer of await undialledOffers(db.reader, MOST_PER_ROUND)) {
        if (offer.offered_at + giveUpMs <= now) await giveUp(offer.organisation_id, offer.call_id);
      }
      for (const opening of await openingsByTime(db.reader, MOST_PER_ROUND)) {
        if (opening.next_at <= now) await lookAt(opening);
      }
      return nextAt();
    },
  };
}

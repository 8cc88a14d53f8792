// Presentation of open times.
import type { SlotOffer } from "../../calendar/desk-port.ts";
import type { TalkState } from "./model.ts";

/** The exact time the callee named, if open: it is read back alone. */
export function namedOffer({ wish, offers }: TalkState): SlotOffer | null {
  if (!wish || wish.time === null || wish.isAfter) return null;
  const { date, time } = wish;
  const last = wish.dateEnd ?? date;
  return (
    offers.find(
      (offer) => offer.startTime === time && (date === null || (offer.date >= date && offer.date <= (last ?? date))),
    ) ?? null
  );
}

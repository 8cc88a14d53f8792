// Second legs of active calls: each belongs to a call, and has its own id in SIP.
import type { CallEnding } from "../call/user-agent-port.ts";
import type { Consultation } from "./consultation.ts";

export interface Legs {
  get(legId: string): Consultation | undefined;
  /** The call of this leg. */
  callOf(legId: string): string | undefined;
  add(callId: string, start: (legId: string, forget: () => void) => Consultation): Consultation;
  ended(legId: string, ending: CallEnding): void;
}

export function createLegs(): Legs {
  const legs = new Map<string, { callId: string; consultation: Consultation }>();
  let count = 0;
  return {
    get: (legId) => legs.get(legId)?.consultation,
    callOf: (legId) => legs.get(legId)?.callId,
    add(callId, start) {
      const legId = `${callId}-desk-${++count}`;
      const consultation = start(legId, () => legs.delete(legId));
      legs.set(legId, { callId, consultation });
      return consultation;
    },
    ended(legId, ending) {
      const leg = legs.get(legId);
      legs.delete(legId);
      leg?.consultation.ended(ending);
    },
  };
}

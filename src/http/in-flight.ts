// Admission control for large requests: limits the bytes in flight per sender, per organisation and in total. A body is
// admitted before it is read, and counts until its request is answered.
import { AppError } from "../core/errors.ts";
import { infoOf } from "./request-info.ts";

const MEBIBYTE = 1024 * 1024;

/** One list file of the maximum size; an organisation may send two, and two organisations cannot block a third. */
export const IN_FLIGHT_LIMITS = { sender: 12 * MEBIBYTE, organisation: 24 * MEBIBYTE, total: 36 * MEBIBYTE };
const RETRY_AFTER_SECONDS = 1;

/** The sender: an API key or a person, and the organisation. */
export interface Sender {
  id: string;
  organisationId: string;
}

export interface InFlight {
  /** Throws RATE_LIMITED if there is no capacity for this many bytes. */
  admit(request: Request, sender: Sender, bytes: number): void;
}

export function createInFlight(limits = IN_FLIGHT_LIMITS): InFlight {
  const held = new Map<string, number>();

  function change(names: readonly string[], by: number): void {
    for (const name of names) {
      const now = (held.get(name) ?? 0) + by;
      if (now > 0) held.set(name, now);
      else held.delete(name);
    }
  }

  return {
    admit(request, { id, organisationId }, bytes) {
      const bounds = [
        { name: `sender ${id}`, most: limits.sender, who: "This sender" },
        { name: `organisation ${organisationId}`, most: limits.organisation, who: "This organisation" },
        { name: "total", most: limits.total, who: "The appliance" },
      ];
      const full = bounds.find(({ name, most }) => (held.get(name) ?? 0) + bytes > most);
      if (full) {
        throw new AppError(
          "RATE_LIMITED",
          `${full.who} may have ${full.most / MEBIBYTE} MiB of large requests in flight. Wait until one is answered.`,
          { retryAfterSeconds: RETRY_AFTER_SECONDS },
        );
      }
      const names = bounds.map(({ name }) => name);
      change(names, bytes);
      infoOf(request).release = () => change(names, -bytes);
    },
  };
}

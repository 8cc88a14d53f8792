// Where an agent may send somebody on to: nowhere that costs more than an ordinary call. The trunk dials it at our
// cost.
import { costlyKind, costlyWords, type CostlyKind } from "../core/costly-numbers.ts";
import { invalidField } from "../core/errors.ts";
import { userOf } from "../telephony/sip/message/uri.ts";

export function assertMayTransferTo(target: string | null, allowedRanges: readonly string[]): void {
  const kind = target === null ? null : costlyTarget(target, allowedRanges);
  if (kind !== null) throw invalidField("transfer_to", `transfer_to is ${costlyWords(kind)}`);
}

/**
 * A SIP address leads to a number as well: with or without its plus, with separators (RFC 3261, section 19.1.6) or
 * parameters.
 */
export function costlyTarget(target: string, allowedRanges: readonly string[]): CostlyKind | null {
  const [user = ""] = (/^sips?:/i.test(target) ? (userOf(target) ?? "") : target).split(";");
  const digits = user.replaceAll(/[-.() ]/g, "");
  // Shorter and without a plus, it is a national number, and of which country is the exchange's affair.
  const isWhole = /^(?:\+[1-9][0-9]{6,14}|[1-9][0-9]{10,14})$/.test(digits);
  return isWhole ? costlyKind(digits.startsWith("+") ? digits : `+${digits}`, allowedRanges) : null;
}

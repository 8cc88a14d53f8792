// Restricts transfer targets to numbers without premium rates, because the trunk dials them at our cost.
import { costlyKind, costlyWords, type CostlyKind } from "../core/costly-numbers.ts";
import { invalidField } from "../core/errors.ts";
import { userOf } from "../telephony/sip/message/uri.ts";

export function assertMayTransferTo(target: string | null, allowedRanges: readonly string[]): void {
  const kind = target === null ? null : costlyTarget(target, allowedRanges);
  if (kind !== null) throw invalidField("transfer_to", `transfer_to is ${costlyWords(kind)}`);
}

/**
 * A SIP address may contain a number: with or without plus, with separators (RFC 3261, section 19.1.6) or parameters.
 */
export function costlyTarget(target: string, allowedRanges: readonly string[]): CostlyKind | null {
  const [user = ""] = (/^sips?:/i.test(target) ? (userOf(target) ?? "") : target).split(";");
  const digits = user.replaceAll(/[-.() ]/g, "");
  // Shorter numbers without a plus are national; the exchange decides the country.
  const isWhole = /^(?:\+[1-9][0-9]{6,14}|[1-9][0-9]{10,14})$/.test(digits);
  return isWhole ? costlyKind(digits.startsWith("+") ? digits : `+${digits}`, allowedRanges) : null;
}

// Suggestions for misspelt field names: which sent name was probably meant by a missing one. Names are untrusted input,
// so they are compared within limits and shown only if they are short and plain.
import { bare, isNear } from "../core/near-names.ts";

const NUMBER_NAMES =
  `phone phonenumber number to tonumber mobile mobilenumber telephone tel msisdn recipient recipientnumber
  customernumber patientnumber userphone contactphone usernumber contactnumber`.split(/\s+/);

/** Common synonyms of these fields, normalised by `bare`. */
const ALSO_KNOWN_AS: Readonly<Record<string, readonly string[]>> = {
  usernumber: NUMBER_NAMES,
  contactnumber: NUMBER_NAMES,
  agentid: ["agent", "agentuuid", "assistant", "assistantid", "bot", "botid"],
  callid: ["call", "calluuid", "id"],
  slotid: ["slot", "slotuuid", "window", "windowid"],
};

const LONGEST_NAME = 64;
const MOST_NAMES = 100;

/** The first sent name that is probably the missing field; null if none is. */
export function probablyMeant(missing: string, sent: readonly string[]): string | null {
  const wanted = bare(missing);
  const names = sent.slice(0, MOST_NAMES).filter((name) => /^[\x21-\x7e]+$/.test(name) && name.length <= LONGEST_NAME);
  const others = ALSO_KNOWN_AS[wanted] ?? [];
  return (
    names.find((name) => bare(name) === wanted) ??
    names.find((name) => others.includes(bare(name))) ??
    names.find((name) => isNear(bare(name), wanted)) ??
    null
  );
}

// Field names that were nearly right: which sent name was probably meant by a missing one. Names are the sender's
// input, so they are compared within bounds and shown only where they are short and plain.
import { bare, isNear } from "../core/near-names.ts";

const NUMBER_NAMES =
  `phone phonenumber number to tonumber mobile mobilenumber telephone tel msisdn recipient recipientnumber
  customernumber patientnumber userphone contactphone usernumber contactnumber`.split(/\s+/);

/** What people call these fields elsewhere. By their bare letters, as `bare` gives them. */
const ALSO_KNOWN_AS: Readonly<Record<string, readonly string[]>> = {
  usernumber: NUMBER_NAMES,
  contactnumber: NUMBER_NAMES,
  agentid: ["agent", "agentuuid", "assistant", "assistantid", "bot", "botid"],
  callid: ["call", "calluuid", "id"],
  slotid: ["slot", "slotuuid", "window", "windowid"],
};

const LONGEST_NAME = 64;
const MOST_NAMES = 100;

/** The first of the sent names that is probably the missing field; null where none is. */
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

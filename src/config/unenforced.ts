// A warning where real telephones ring without the legal rules.
import type { Config } from "./schema.ts";

/** A warning for administrators; null if the rules are enforced or calls are simulated. */
export function unenforcedOverSip({ rules, telephony }: Pick<Config, "rules" | "telephony">): string | null {
  if (rules.enforce || telephony.carrier !== "sip") return null;
  return "The rules are not enforced over SIP (rules.enforce = false): telephones ring outside the legal hours, too often and without consent. Set rules.enforce = true.";
}

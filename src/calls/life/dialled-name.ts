// Which of a trunk's numbers rings when somebody dials: the number itself, or a name or extension that the exchange
// gave us.
import { numberDialled } from "../../core/caller-number.ts";

export interface Dialled {
  /** As it was dialled. */
  to: string;
  /** The exchange called us by our account's name. */
  isToAccount: boolean;
}

export interface NamesOfTrunk {
  /** What the exchange calls us. */
  account: string | null;
  /** `2001=+912212345678`; `*` is every name that has no line of its own. */
  extensions: readonly string[];
}

/**
 * Undefined where nobody is rung. What was set comes first; the account's own name needs no setting where only one of
 * the trunk's numbers takes calls (`takingCalls`).
 */
export function numberRung<Own extends { number: string }>(
  { to, isToAccount }: Dialled,
  { account, extensions }: NamesOfTrunk,
  ours: readonly Own[],
  takingCalls: readonly Own[],
): Own | undefined {
  const named = (name: string | null) => {
    const entry = name === null ? undefined : extensions.find((one) => one.startsWith(`${name}=`));
    const number = entry?.slice(entry.indexOf("=") + 1);
    return ours.find((own) => own.number === number);
  };
  return (
    named(to) ??
    numberDialled(to, ours) ??
    (isToAccount ? named(account) : undefined) ??
    named("*") ??
    (isToAccount && takingCalls.length === 1 ? takingCalls[0] : undefined)
  );
}

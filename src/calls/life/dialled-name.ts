// Maps a dialled number, or a name or extension assigned by the exchange, to one of the trunk's numbers.
import { numberDialled } from "../../core/caller-number.ts";

export interface Dialled {
  /** As dialled. */
  to: string;
  /** The exchange dialled our account name. */
  isToAccount: boolean;
}

export interface NamesOfTrunk {
  /** Our account name at the exchange. */
  account: string | null;
  /** `2001=+912212345678`; `*` matches every name without an entry. */
  extensions: readonly string[];
}

/**
 * Undefined if no number matches. Configured extensions take precedence. The account name needs no extension if only
 * one of the trunk's numbers takes calls (`takingCalls`).
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

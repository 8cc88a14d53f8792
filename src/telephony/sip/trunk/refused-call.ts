// Message of a call that the trunk rejected by a challenge, although the password may be right: by default exchanges
// challenge unknown users, so that account names cannot be enumerated.
import { fromUserOf } from "./caller-identity.ts";
import { accountUserOf } from "../../../trunks/trunk-settings.ts";
import type { TrunkSettings } from "../../../trunks/trunk-settings.ts";

type Facts = Pick<TrunkSettings, "fromUser" | "register" | "username"> & { isRegistered: boolean };

/**
 * Readable by everyone with access to the call, so without names and numbers. Null if the password itself may be wrong.
 */
export function callRefusedWords({ isRegistered, ...settings }: Facts): string | null {
  const isAccount = settings.username !== null && fromUserOf(settings) === accountUserOf(settings);
  if (isRegistered && isAccount) return REFUSED_ACCOUNT;
  if (isRegistered) return REFUSED_FROM_USER;
  return isAccount || settings.username === null ? null : PERHAPS_FROM_USER;
}

const REFUSED_FROM_USER =
  "The trunk took our registration and refuses the call: it does not know the From user. Leave the trunk's from_user empty, so that calls come from its account, or let the exchange accept the user that is set.";
const REFUSED_ACCOUNT =
  "The trunk took our registration and refuses the call from the same account. Let the exchange accept calls of this account: the same secret for calls as for the registration, found by its user name.";
const PERHAPS_FROM_USER =
  "The trunk refuses the name or the password, or does not know the From user. Check its username and secret; if they are right, set its from_user to the account's name.";

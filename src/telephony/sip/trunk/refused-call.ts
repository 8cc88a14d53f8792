// What a call says that the trunk refused for want of a password, although the password may be right: stock exchanges
// ask everybody whom they do not know for one, so that nobody learns which names exist.
import { fromUserOf } from "./caller-identity.ts";
import { accountUserOf } from "../../../trunks/trunk-settings.ts";
import type { TrunkSettings } from "../../../trunks/trunk-settings.ts";

type Facts = Pick<TrunkSettings, "fromUser" | "register" | "username"> & { isRegistered: boolean };

/** For everybody who may see the call: no name and no number. Null where the password itself is in doubt. */
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

// Caller identity in the headers of an INVITE: exchanges identify an extension by the user in From, and take the
// displayed number from P-Asserted-Identity (RFC 3325) or its predecessor Remote-Party-ID.
import { numberToShow } from "./number-form.ts";
import { formatUri } from "../message/uri.ts";
import type { TrunkSettings } from "../../../trunks/trunk-settings.ts";

export interface CallerIdentity {
  /** `<sip:user@domain>`. */
  from: string;
  /** Further headers with the number; empty if there are none. */
  headers: Readonly<Record<string, string>>;
}

export function callerIdentity(settings: TrunkSettings, callingNumber: string): CallerIdentity {
  const { callerId, fromDomain, host, identityHeader } = settings;
  const shown = numberToShow(callerId ?? callingNumber, settings);
  const user = fromUserOf(settings) ?? shown;
  const address = (name: string) =>
    `<${formatUri({ scheme: "sip", user: name, host: fromDomain ?? host, port: null, parameters: {} })}>`;
  const identity = address(shown);
  switch (identityHeader) {
    case "none":
      return { from: address(user), headers: {} };
    case "remote_party_id":
      return {
        from: address(user),
        headers: { "remote-party-id": `${identity};party=calling;screen=yes;privacy=off` },
      };
    case "p_asserted_identity":
      return { from: address(user), headers: { "p-asserted-identity": identity } };
    case "auto":
      return { from: address(user), headers: user === shown ? {} : { "p-asserted-identity": identity } };
  }
}

type Names = Pick<TrunkSettings, "fromUser" | "register" | "username">;

/** Null if the number is the user in From. */
export function fromUserOf({ fromUser, register, username }: Names): string | null {
  if (fromUser === "number") return null;
  return fromUser ?? (register ? username : null);
}

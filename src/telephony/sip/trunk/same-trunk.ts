// Whether a trunk is set up as before. Numbers come and go on it, and nobody opens it anew for that.
import { accountUserOf } from "../../../trunks/trunk-settings.ts";
import type { TrunkSettings } from "../../../trunks/trunk-settings.ts";

export function isSameTrunk(one: TrunkSettings, other: TrunkSettings | undefined): boolean {
  return other !== undefined && JSON.stringify({ ...one, numbers: [] }) === JSON.stringify({ ...other, numbers: [] });
}

/** Whether both register one Contact at one registrar: what one of them takes back, the other loses. */
export function isSameRegistration(one: TrunkSettings, other: TrunkSettings | undefined): boolean {
  const binding = ({ register, host, port, transport, username, fromUser, fromDomain }: TrunkSettings) =>
    JSON.stringify([register, host, port, transport, accountUserOf({ fromUser, username }), fromDomain]);
  return other !== undefined && binding(one) === binding(other);
}

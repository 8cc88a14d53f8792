// Compares trunk settings. Changes of its numbers alone do not reopen a trunk.
import { accountUserOf } from "../../../trunks/trunk-settings.ts";
import type { TrunkSettings } from "../../../trunks/trunk-settings.ts";

export function isSameTrunk(one: TrunkSettings, other: TrunkSettings | undefined): boolean {
  return other !== undefined && JSON.stringify({ ...one, numbers: [] }) === JSON.stringify({ ...other, numbers: [] });
}

/**
 * Whether both register the same Contact at the same registrar: if one unregisters, the other loses its registration.
 */
export function isSameRegistration(one: TrunkSettings, other: TrunkSettings | undefined): boolean {
  const binding = ({ register, host, port, transport, username, fromUser, fromDomain }: TrunkSettings) =>
    JSON.stringify([register, host, port, transport, accountUserOf({ fromUser, username }), fromDomain]);
  return other !== undefined && binding(one) === binding(other);
}

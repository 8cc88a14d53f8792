// Checks of the settings of a source of kind hl7.
import { Value } from "@sinclair/typebox/value";
import { invalidField } from "../../core/errors.ts";
import { allowedBy } from "../../core/schema-words.ts";
import { isTimeZone } from "../../core/zones.ts";
import { parseIp, parseRange } from "../../net/addresses.ts";
import { Hl7SettingsSchema, type Hl7Settings } from "./settings.ts";

/** Throws VALIDATION_ERROR. `checkAddress` refuses an address that can never be sent to. */
export function checkedHl7Settings(given: unknown, checkAddress: (address: string) => void): Hl7Settings {
  const [fault] = Value.Errors(Hl7SettingsSchema, given);
  if (fault) {
    const path = fault.path.slice(1).replaceAll("/", ".");
    const field = path === "" ? "settings" : `settings.${path}`;
    throw invalidField(field, `${field} must be ${allowedBy(fault.schema)}.`);
  }
  const settings = Value.Clone(given) as Hl7Settings;
  const { time_zone, peers = [], tell } = settings;
  if (time_zone && !isTimeZone(time_zone))
    throw invalidField("settings.time_zone", "settings.time_zone must be an IANA name, such as Asia/Kolkata.");
  const odd = peers.find((peer) => !parseIp(peer) && !parseRange(peer));
  if (odd !== undefined)
    throw invalidField(
      "settings.peers",
      "settings.peers must be addresses or ranges, such as 10.20.0.5 or 10.20.0.0/16.",
    );
  if (!tell || tell.as === "none") return settings;
  if (!tell.address)
    throw invalidField(
      "settings.tell.address",
      "settings.tell.address is required: mllp://HOST:PORT or mllps://HOST:PORT.",
    );
  checkAddress(tell.address);
  return settings;
}

/** Where the source is told; null if it is told nothing. */
export const toldAt = ({ tell }: Hl7Settings): string | null =>
  tell && tell.as !== "none" ? (tell.address ?? null) : null;

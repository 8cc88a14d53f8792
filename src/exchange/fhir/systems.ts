// Systems of codes and identifiers that are ours, and extensions of others.
import type { Identifier as FhirIdentifier } from "fhir/r4";
import type { Identifier } from "../../payloads/identifiers.ts";
import { fhirId } from "./ids.ts";

export const SERVICE_SYSTEM = "urn:ringward:service";
const IDENTIFIER_PREFIX = "urn:ringward:identifier:";
const SOURCE_PREFIX = "urn:ringward:source:";

/** https://hl7.org/fhir/extensions/StructureDefinition-timezone.html */
export const TIME_ZONE = "http://hl7.org/fhir/StructureDefinition/timezone";
/** How many appointments a Slot still takes, as SMART Scheduling Links has it. */
export const SLOT_CAPACITY = "http://fhir-registry.smarthealthit.org/StructureDefinition/slot-capacity";

/** The system of an appointment's id in one of the hospital's systems. */
export const sourceSystem = (sourceId: string): string => SOURCE_PREFIX + fhirId(sourceId);

/** The reverse: the id of the source, as FHIR writes it. */
export const sourceIn = (system: string): string | null =>
  system.startsWith(SOURCE_PREFIX) ? system.slice(SOURCE_PREFIX.length) : null;

const isUri = (text: string) => /^[a-z][a-z0-9+.-]*:\S+$/i.test(text);

/** A system of ours may be a short word, such as `mrn`; FHIR wants a URI. */
export const systemUri = (system: string): string =>
  isUri(system) ? system : IDENTIFIER_PREFIX + encodeURIComponent(system);

/** The reverse; a word is taken as it is. */
export function systemOf(uri: string): string {
  if (!uri.startsWith(IDENTIFIER_PREFIX)) return uri;
  try {
    return decodeURIComponent(uri.slice(IDENTIFIER_PREFIX.length));
  } catch {
    return uri;
  }
}

export const fhirIdentifier = ({ system, value }: Identifier): FhirIdentifier => ({ system: systemUri(system), value });

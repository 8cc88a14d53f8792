// When the demo hospital works: in the hours in which a new agent calls, of its own time zone.
import { nextAllowedInstant } from "../agents/calling-hours.ts";
import { DEFAULT_HOURS } from "../payloads/default-hours.ts";

export const isDaytime = (at: number, zone: string): boolean => openFrom(at, zone) === at;

/** The first moment from then on at which it works. */
export const openFrom = (at: number, zone: string): number => nextAllowedInstant(DEFAULT_HOURS, [zone], at) ?? at;

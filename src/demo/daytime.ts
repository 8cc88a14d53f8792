// Working hours of the demo hospital: the default calling hours of a new agent, in its own time zone.
import { nextAllowedInstant } from "../agents/calling-hours.ts";
import { DEFAULT_HOURS } from "../payloads/default-hours.ts";

export const isDaytime = (at: number, zone: string): boolean => openFrom(at, zone) === at;

/** The first working moment from then on. */
export const openFrom = (at: number, zone: string): number => nextAllowedInstant(DEFAULT_HOURS, [zone], at) ?? at;

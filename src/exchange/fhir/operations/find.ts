// Appointment/$find (ITI-115): places that can be booked, as proposed Appointments.
import type { Bundle, OperationOutcomeIssue, Period, Reference } from "fhir/r4";
import type { DirectoryService } from "../../../calendar/directory-service.ts";
import { MOST_DAYS } from "../../../calendar/days.ts";
import type { DatedSlot } from "../../../calendar/model.ts";
import { momentsOf } from "../../../calendar/moments.ts";
import type { TrackingService } from "../../../calendar/tracking-service.ts";
import { DAY_MS, toIso, type Clock } from "../../../core/clock.ts";
import { invalidField, missingField } from "../../../core/errors.ts";
import { isUuid } from "../../../core/ids.ts";
import { idIn } from "../ids.ts";
import { textOf } from "../json.ts";
import type { Asker } from "../kind.ts";
import { soughtTime, soughtToken } from "../search-values.ts";
import { SERVICE_SYSTEM } from "../systems.ts";
import { bundleOf } from "./bundle.ts";
import type { OperationInput } from "./parameters.ts";
import { proposed } from "./proposed.ts";

/** Windows have no doctors, specialties or organisations of their own: nothing can be found for one. */
const UNKNOWN_HERE = ["practitioner", "organization", "specialty"];
/** They do not change which places are free. */
const WITHOUT_EFFECT = [
  "patient-reference",
  "patient-resource",
  "reason",
  "referral-identifier",
  "timing",
  "insurance-reference",
];
export const FIND_PARAMETERS = [
  "start",
  "end",
  "visit-type",
  "location-reference",
  "location-string",
  ...UNKNOWN_HERE,
  ...WITHOUT_EFFECT,
];

const MOST_CHOICES = 20;
export const DEFAULT_PROPOSALS = 50;
const MOST_PROPOSALS = 500;

export interface FindDeps {
  clock: Clock;
  tracking: Pick<TrackingService, "availability">;
  directory: Pick<DirectoryService, "branches" | "services">;
  base: string;
}

interface Question {
  from: number;
  to: number;
  /** In order of preference; null is any. */
  branchIds: readonly string[] | null;
  serviceIds: readonly string[] | null;
  count: number;
}

export async function find(deps: FindDeps, asker: Asker, input: OperationInput, count: string | null): Promise<Bundle> {
  const { directory, base } = deps;
  const { organisationId, zone } = asker;
  const [branches, services] = [await directory.branches(organisationId), await directory.services(organisationId)];
  const zones = new Map(branches.map(({ id, time_zone }) => [id, time_zone ?? zone]));
  const { question, issues } = read(deps, asker, input, count, branches);
  const named = {
    branches: new Map(branches.map(({ id, name }) => [id, name])),
    services: new Map(services.map(({ id, name }) => [id, name])),
  };
  const found = UNKNOWN_HERE.some((name) => input.has(name)) ? [] : await placesOf(deps, asker, question, zones);
  const asked: Period = { start: toIso(question.from), end: toIso(question.to) };
  const resources = found.slice(0, question.count).map((slot) => {
    const serviceId = slot.appointment_type ?? question.serviceIds?.[0] ?? null;
    const names = {
      branch: named.branches.get(slot.branch_id) ?? null,
      service: named.services.get(serviceId ?? "") ?? null,
      zone: zones.get(slot.branch_id) ?? zone,
    };
    return proposed({ ...slot, serviceId }, names, asked);
  });
  return bundleOf(base, resources, issues, found.length);
}

/** Soonest first; of places at the same time, in the order of preference. */
async function placesOf(
  { tracking }: FindDeps,
  { organisationId, zone }: Asker,
  { from, to, branchIds, serviceIds }: Question,
  zones: ReadonlyMap<string, string>,
): Promise<DatedSlot[]> {
  if (branchIds?.length === 0 || serviceIds?.length === 0 || from >= to) return [];
  const [branchId, ...others] = branchIds ?? [];
  const available = await tracking.availability(organisationId, {
    ...(branchId !== undefined && others.length === 0 && { branch_id: branchId }),
    // Dates are local to their branches, which may be a day apart from UTC.
    from: dateOf(from - DAY_MS),
    to: dateOf(to + DAY_MS),
  });
  // Only the first and last days need the exact times, which are slow to compute for thousands of places.
  const [inside, outside] = [dateOf(from + 2 * DAY_MS), dateOf(to - 2 * DAY_MS)];
  const isIn = (slot: DatedSlot) => {
    if (slot.date >= inside && slot.date <= outside) return true;
    const { starts_at, ends_at } = momentsOf(slot, zones.get(slot.branch_id) ?? zone);
    return Date.parse(ends_at) > from && Date.parse(starts_at) < to;
  };
  const rank = (list: readonly string[] | null, id: string | null) =>
    list === null || id === null ? 0 : list.indexOf(id);
  const isWanted = (slot: DatedSlot) =>
    (slot.available_slots ?? 0) > 0 &&
    rank(branchIds, slot.branch_id) >= 0 &&
    rank(serviceIds, slot.appointment_type) >= 0;
  const found = available.filter((slot) => isWanted(slot) && isIn(slot));
  // They are in order of date and time already.
  if (branchIds === null && serviceIds === null) return found;
  const startOf = (slot: DatedSlot) => `${slot.date} ${slot.start_time}`;
  return found.toSorted(
    (a, b) =>
      (startOf(a) < startOf(b) ? -1 : startOf(a) > startOf(b) ? 1 : 0) ||
      rank(branchIds, a.branch_id) - rank(branchIds, b.branch_id) ||
      rank(serviceIds, a.appointment_type) - rank(serviceIds, b.appointment_type),
  );
}

const dateOf = (time: number) => toIso(time).slice(0, 10);

function read(
  { clock }: FindDeps,
  { zone }: Asker,
  input: OperationInput,
  count: string | null,
  branches: readonly { id: string; name: string | null }[],
): { question: Question; issues: OperationOutcomeIssue[] } {
  const issues: OperationOutcomeIssue[] = [];
  const note = (text: string, severity: "information" | "warning" = "information") =>
    issues.push({ severity, code: "not-supported", details: { text } });
  const now = clock.now();
  const start = timeIn(input, "start", zone, now);
  const end = timeIn(input, "end", zone, now);
  if (end <= start) throw invalidField("end", "end must be after start.");
  const from = Math.max(start, now);
  // A day at each end for the time zones.
  const latest = from + (MOST_DAYS - 3) * DAY_MS;
  if (end > latest) note(`Only times before ${toIso(latest)} were looked up: a search covers ${MOST_DAYS - 3} days.`);
  for (const name of UNKNOWN_HERE)
    if (input.has(name)) note(`Nothing can be found by ${name}: windows have none. Leave it out.`, "warning");
  for (const name of WITHOUT_EFFECT) if (input.has(name)) note(`${name} does not change which times are free.`);
  const question = {
    from,
    to: Math.min(end, latest),
    branchIds: branchesIn(input, branches),
    serviceIds: servicesIn(input),
    count: countIn(count),
  };
  return { question, issues };
}

function timeIn(input: OperationInput, name: string, zone: string, now: number): number {
  const text = input.text(name);
  if (text === undefined) throw invalidField(name, missingField(name));
  if (/^(?:eq|ne|gt|lt|ge|le|sa|eb|ap)/.test(text)) throw invalidField(name, `${name} takes no prefix.`);
  const { from, to } = soughtTime(name, text, zone);
  // An end of a day means the whole day; an end of a time means that time.
  const isDay = !text.includes("T");
  const time = name === "end" && isDay ? to : from;
  return Number.isFinite(time) ? time : now;
}

function countIn(text: string | null): number {
  if (text === null) return DEFAULT_PROPOSALS;
  if (!/^\d{1,6}$/.test(text) || Number(text) === 0)
    throw invalidField("_count", "_count must be a whole number from 1.");
  return Math.min(Number(text), MOST_PROPOSALS);
}

function servicesIn(input: OperationInput): string[] | null {
  if (!input.has("visit-type")) return null;
  const codes = input.texts("visit-type").flatMap((text) => text.split(","));
  if (codes.length > MOST_CHOICES) throw invalidField("visit-type", `visit-type takes at most ${MOST_CHOICES} values.`);
  return codes.flatMap((text) => {
    const { system, code } = soughtToken(text);
    const isOurs = (system === undefined || system === SERVICE_SYSTEM) && isUuid(code);
    return isOurs ? [code.toLowerCase()] : [];
  });
}

/** A reference to no branch of ours finds nothing. */
function branchesIn(input: OperationInput, branches: readonly { id: string; name: string | null }[]): string[] | null {
  if (!input.has("location-reference") && !input.has("location-string")) return null;
  const texts = input.texts("location-string").map((text) => text.trim().toLowerCase());
  const references = input.references("location-reference").map(branchOf);
  if (texts.length + references.length > MOST_CHOICES)
    throw invalidField("location-reference", `An operation takes at most ${MOST_CHOICES} locations.`);
  const byName = branches.filter(({ name }) => texts.some((text) => name?.toLowerCase().includes(text)));
  const known = new Set(branches.map(({ id }) => id));
  const byReference = references.filter((id) => known.has(id));
  if (!input.has("location-string")) return byReference;
  if (!input.has("location-reference")) return byName.map(({ id }) => id);
  return byReference.filter((id) => byName.some((branch) => branch.id === id));
}

const branchOf = ({ reference }: Reference) =>
  (idIn(textOf(reference), "Location") ?? textOf(reference) ?? "").toLowerCase();

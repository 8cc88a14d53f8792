// What a Patient resource says about a contact.
import type { ContactPoint, HumanName, Identifier, Patient } from "fhir/r4";
import type { CreateAppointmentInput } from "../../../calendar/model.ts";
import { textOf } from "../json.ts";
import { systemOf } from "../systems.ts";

export type Contact = Pick<
  CreateAppointmentInput,
  "contact_name" | "contact_number" | "contact_email" | "contact_identifiers"
>;

/** Lengths and forms are checked with the appointment. */
export function contactIn({ name, telecom, identifier }: Patient): Contact {
  const number = pointIn(telecom, ["phone", "sms"]);
  const email = pointIn(telecom, ["email"]);
  const identifiers = listOf(identifier).flatMap(identifierIn);
  const text = nameIn(listOf(name));
  return {
    ...(text !== null && { contact_name: text }),
    ...(number !== null && { contact_number: diallable(number) }),
    ...(email !== null && { contact_email: email }),
    ...(identifiers.length > 0 && { contact_identifiers: identifiers }),
  };
}

/** Values that another system sent may have any shape. */
const listOf = <T>(given: readonly T[] | undefined): readonly T[] =>
  Array.isArray(given) ? (given as readonly T[]).filter((each) => typeof each === "object" && each !== null) : [];

const NAME_USES = ["official", "usual", undefined];

/** The official name, otherwise the usual one, otherwise the first. Old names are not said to anyone. */
function nameIn(names: readonly HumanName[]): string | null {
  const current = names.filter(({ use }) => use !== "old");
  const ranked = current.toSorted((a, b) => rankOf(NAME_USES, a.use) - rankOf(NAME_USES, b.use));
  for (const { text, prefix, given, family } of ranked) {
    const said = text ?? [...listOfTexts(prefix), ...listOfTexts(given), textOf(family) ?? ""].join(" ");
    if (typeof said === "string" && said.trim() !== "") return said.trim();
  }
  return null;
}

const listOfTexts = (given: readonly string[] | undefined): readonly string[] =>
  Array.isArray(given) ? (given as readonly unknown[]).filter((each) => typeof each === "string") : [];

const UNRANKED = 1_000_000;
const POINT_USES = ["mobile", "home", undefined, "work", "temp"];

/** The one that is ranked first, otherwise a mobile before others. */
function pointIn(telecom: readonly ContactPoint[] | undefined, systems: readonly string[]): string | null {
  const current = listOf(telecom).filter(
    ({ system, use, value }) => systems.includes(system ?? "") && use !== "old" && typeof value === "string",
  );
  const ranked = current.toSorted(
    (a, b) => (a.rank ?? UNRANKED) - (b.rank ?? UNRANKED) || rankOf(POINT_USES, a.use) - rankOf(POINT_USES, b.use),
  );
  const value = ranked[0]?.value?.trim() ?? "";
  return value === "" ? null : value;
}

function rankOf(order: readonly (string | undefined)[], use: string | undefined): number {
  const at = order.indexOf(use);
  return at === -1 ? order.length : at;
}

/** `tel:+91-98100 12345` and `+91 (98100) 12345` are +919810012345. No country is guessed. */
const diallable = (number: string) => number.replace(/^tel:/i, "").replaceAll(/[\s().-]/g, "");

export function identifierIn({ system, value }: Identifier) {
  return typeof system === "string" && typeof value === "string" ? [{ system: systemOf(system), value }] : [];
}

// Identifiers of a patient in the hospital's own systems: schema, checks, and the JSON text in the database.
import { Type, type Static } from "@sinclair/typebox";
import { invalidField } from "../core/errors.ts";
import { visibleName } from "../core/names.ts";
import { nullable } from "../core/schema.ts";

export const MOST_IDENTIFIERS = 10;
export const LONGEST_SYSTEM = 200;
export const LONGEST_IDENTIFIER = 100;

const SYSTEM = {
  description: "Who gave it: a URI or a short word.",
  examples: ["mrn", "https://healthid.ndhm.gov.in"],
};
const VALUE = { examples: ["MRN-004711"] };
const allowed = (longest: number) =>
  `1 to ${longest} characters, without line breaks, control characters, half surrogate pairs or marks of text direction`;

export const identifierSystem = () => visibleName(LONGEST_SYSTEM, { ...SYSTEM, allowed: allowed(LONGEST_SYSTEM) });
export const identifierValue = () =>
  visibleName(LONGEST_IDENTIFIER, { ...VALUE, allowed: allowed(LONGEST_IDENTIFIER) });

const IdentifierSchema = Type.Object({ system: Type.String(SYSTEM), value: Type.String(VALUE) });
export type Identifier = Static<typeof IdentifierSchema>;

/** In answers and events: empty where none is known. */
export const identifierList = (description = "What the hospital's systems know the person by.") =>
  Type.Array(IdentifierSchema, { description });

/** In requests. Null and an empty list both mean none. */
export const givenIdentifiers = (
  description = `What the hospital's systems know the person by, such as a medical record or ABHA number; at most ${MOST_IDENTIFIERS}.`,
) =>
  Type.Optional(
    nullable(
      Type.Array(Type.Object({ system: identifierSystem(), value: identifierValue() }), {
        maxItems: MOST_IDENTIFIERS,
        description,
        allowed:
          `a list of at most ${MOST_IDENTIFIERS} objects with system (at most ${LONGEST_SYSTEM} characters) and value ` +
          `(at most ${LONGEST_IDENTIFIER}), both visible text without line breaks or control characters,`,
      }),
    ),
  );

/** Without surrounding spaces. Throws if one is given twice: one of them is probably meant to be another. */
export function checkedIdentifiers(given: readonly Identifier[] | null | undefined, field: string): Identifier[] {
  const checked = (given ?? []).map(({ system, value }) => ({ system: system.trim(), value: value.trim() }));
  const double = checked.findIndex((one, i) => checked.slice(0, i).some((other) => isEqual(one, other)));
  if (double !== -1)
    throw invalidField(
      `${field}.${double}`,
      `${field} has the same system and value twice. Send each identifier once.`,
    );
  return checked;
}

/** The column's text; null for none. */
export const storedIdentifiers = (identifiers: readonly Identifier[]): string | null =>
  identifiers.length === 0 ? null : JSON.stringify(identifiers.map(({ system, value }) => ({ system, value })));

/** The column's text of identifiers in a request. */
export const checkedText = (given: readonly Identifier[] | null | undefined, field: string): string | null =>
  storedIdentifiers(checkedIdentifiers(given, field));

export const identifiersIn = (stored: string | null | undefined): Identifier[] =>
  stored === null || stored === undefined ? [] : (JSON.parse(stored) as Identifier[]);

export const isEqual = (one: Identifier, other: Identifier): boolean =>
  one.system === other.system && one.value === other.value;

/** Each once, in order of first appearance. */
export function distinctIdentifiers(all: Iterable<Identifier>): Identifier[] {
  return [...new Map(Array.from(all, (each) => [JSON.stringify([each.system, each.value]), each])).values()];
}

/**
 * Whether two lists are of one person: true if a system that both have has a common value, false if all systems that
 * both have differ, null if no system is in both. A person may have two values of one system after a merge.
 */
export function areOfOnePerson(one: readonly Identifier[], other: readonly Identifier[]): boolean | null {
  const shared = one.filter(({ system }) => other.some((each) => each.system === system));
  if (shared.length === 0) return null;
  return shared.some((each) => other.some((candidate) => isEqual(each, candidate)));
}

/** For searches: the same for "91-1234-5678" and "91 1234 5678", and for "Mrn7" and "MRN7". */
export function identifierKey(value: string): string {
  const key = value
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[\s\p{Pd}./]/gu, "");
  return key === "" ? value : key;
}

/** "mrn 004711, abha 91-1234": for exports to spreadsheets. */
export const identifiersText = (identifiers: readonly Identifier[]): string | null =>
  identifiers.length === 0 ? null : identifiers.map(({ system, value }) => `${system}: ${value}`).join("; ");

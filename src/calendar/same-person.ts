// Whether two bookings are for the same person, judged by their contact data. An identifier of a system that both have
// decides. Otherwise families share a phone and names repeat: fields known in both must agree, and at least one field
// must be known in both.
import { areOfOnePerson, identifiersIn, type Identifier } from "../payloads/identifiers.ts";

export interface ContactOf {
  contact_name?: string | null | undefined;
  contact_number?: string | null | undefined;
  /** As in a request, or as stored. */
  contact_identifiers?: readonly Identifier[] | string | null | undefined;
}

export function isSamePerson(a: ContactOf, b: ContactOf): boolean {
  const isOne = areOfOnePerson(identifiersOf(a), identifiersOf(b));
  if (isOne !== null) return isOne;
  const known = [
    [spelled(a.contact_number), spelled(b.contact_number)],
    [spelled(a.contact_name), spelled(b.contact_name)],
  ].filter(([one, other]) => one !== "" && other !== "");
  return known.length > 0 && known.every(([one, other]) => one === other);
}

const identifiersOf = ({ contact_identifiers: given }: ContactOf): readonly Identifier[] =>
  typeof given === "string" ? identifiersIn(given) : (given ?? []);

function spelled(text: string | null | undefined): string {
  return (text ?? "").trim().replaceAll(/\s+/g, " ").toLowerCase();
}

// Ids of Patients. A family may share a telephone, so an id is the opaque id of a number and a keyed hash of what tells
// one person from another: an identifier, otherwise a name. Neither can be guessed from the id.
import { hmacSha256 } from "../../core/hmac.ts";
import type { ContactIds } from "../../calls/people/contact-ids.ts";
import { isOf, type Mention, type PersonOfNumber } from "../../rights/people-of-number.ts";

const MARK_LENGTH = 16;
const ID = /^([0-9a-f]{32})(?:-([0-9a-f]{16}))?$/;

export interface PatientIds {
  /** Null without a number in international format. */
  idOf(organisationId: string, number: string, person: PersonOfNumber | null): string | null;
  /** All ids that the person has had: the first is the present one. */
  idsOf(organisationId: string, number: string, person: PersonOfNumber): string[];
  /** Null if this appliance did not create the id for this organisation. */
  numberOf(organisationId: string, id: string): string | null;
}

export function createPatientIds(contactIds: ContactIds, key: Uint8Array): PatientIds {
  const markOf = (organisationId: string, text: string) =>
    hmacSha256(key, `${organisationId} ${text}`).toString("hex").slice(0, MARK_LENGTH);
  function idsOf(organisationId: string, number: string, person: PersonOfNumber): string[] {
    const id = contactIds.idOf(organisationId, number);
    return id === null ? [] : marksOf(person).map((text) => `${id}-${markOf(organisationId, text)}`);
  }
  return {
    idsOf,
    idOf: (organisationId, number, person) =>
      (person === null ? contactIds.idOf(organisationId, number) : idsOf(organisationId, number, person)[0]) ?? null,
    numberOf(organisationId, id) {
      const [, contactId = ""] = ID.exec(id) ?? [];
      return contactIds.numberOf(organisationId, contactId);
    },
  };
}

/** A person who gets an identifier keeps the id of the name as an old one. */
const marksOf = ({ names, identifiers }: PersonOfNumber): string[] => [
  ...identifiers.map(({ system, value }) => `identifier ${system} ${value}`).toSorted(),
  ...names.map((name) => `name ${name.trim().replaceAll(/\s+/g, " ").toLowerCase()}`),
];

/** The person of a number that a call or appointment means; null if it does not tell them apart. */
export function personMeant(people: readonly PersonOfNumber[], mention: Mention): PersonOfNumber | null {
  if (mention.name === "" && mention.identifiers.length === 0) return people.length === 1 ? (people[0] ?? null) : null;
  return people.find((person) => isOf(person, mention.name, mention.identifiers)) ?? null;
}

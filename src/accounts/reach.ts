// Decides what a person may see and change, from their role, branches and practitioner.
import { AppError, invalidField } from "../core/errors.ts";
import { isUuid } from "../core/ids.ts";
import { isSafeText } from "../core/names.ts";
import type { Reach } from "../core/reach.ts";
import type { Person, Role } from "./records.ts";

type Bound = Pick<Person, "organisation_id" | "role" | "branches" | "practitioner_id">;

const NO_PATIENTS: Reach = { kind: "no_patients" };
const MOST_BRANCHES = 200;
const LONGEST_PRACTITIONER = 200;

/** Undefined: the whole organisation. */
export function reachOf(person: Bound): Reach | undefined {
  if (person.role === "auditor") return NO_PATIENTS;
  if (person.role === "doctor")
    return {
      kind: "practitioner",
      organisationId: person.organisation_id,
      practitionerId: person.practitioner_id ?? "",
    };
  const branches = branchesOfPerson(person);
  return branches === null || person.role === "owner" ? undefined : { kind: "branches", branches };
}

export function branchesOfPerson({ branches }: Pick<Person, "branches">): readonly string[] | null {
  return branches === null ? null : (JSON.parse(branches) as string[]);
}

/** As given with a change; an absent field stays as it is. */
export interface BoundInput {
  role?: string | undefined;
  branches?: readonly string[] | null | undefined;
  practitioner_id?: string | null | undefined;
}

export const mayHaveBranches = (role: Role): boolean => role === "staff" || role === "viewer";

/** What the page showed of a person when the change was made there. */
export interface BoundsShown {
  role: string;
  branches: readonly string[];
  practitioner_id: string | null;
}

/** A change from a page that shows the past would undo another owner's, and could widen what was restricted. */
export function assertAsShown(person: Bound, shown: BoundsShown | undefined): void {
  if (!shown) return;
  const wordsOf = ({ role, branches, practitioner_id }: BoundsShown) =>
    JSON.stringify([role, branches.toSorted(), practitioner_id ?? ""]);
  if (wordsOf(shown) === wordsOf({ ...person, branches: branchesOfPerson(person) ?? [] })) return;
  throw new AppError("CONFLICT", "This person was changed meanwhile. Load the page again to see how.");
}

/** For the audit trail: ids of the organisation's own, no names. */
export const boundsDetail = (row: Pick<Person, "branches" | "practitioner_id">) => ({
  ...(row.branches !== null && { branches: [...(branchesOfPerson(row) ?? [])].join(" ") }),
  ...(row.practitioner_id !== null && { practitioner_id: row.practitioner_id }),
});

/** Columns after a change. What the new role does not have is dropped. */
export function checkedBounds(
  before: Pick<Person, "role" | "branches" | "practitioner_id">,
  { role, branches, practitioner_id: practitioner }: BoundInput & { role?: Role | undefined },
): Pick<Person, "role" | "branches" | "practitioner_id"> {
  const next = role ?? before.role;
  const mayBeBound = mayHaveBranches(next);
  if (branches && branches.length > 0 && !mayBeBound)
    throw invalidField("branches", "Only staff and viewers can be bound to branches.");
  if (practitioner && next !== "doctor") throw invalidField("practitioner_id", "Only a doctor has a practitioner.");
  const bound = mayBeBound ? (branches === undefined ? before.branches : storedBranches(branches)) : null;
  const doctor = next === "doctor" ? checkedPractitioner(practitioner ?? before.practitioner_id) : null;
  return { role: next, branches: bound, practitioner_id: doctor };
}

/** An empty list binds to nothing, so it means the whole organisation. */
function storedBranches(branches: readonly string[] | null): string | null {
  if (branches === null || branches.length === 0) return null;
  if (branches.length > MOST_BRANCHES)
    throw invalidField("branches", `A person can be bound to ${MOST_BRANCHES} branches at most.`);
  if (!branches.every(isUuid)) throw invalidField("branches", "branches must be ids of branches.");
  return JSON.stringify([...new Set(branches.map((id) => id.toLowerCase()))].toSorted());
}

function checkedPractitioner(given: string | null): string {
  const id = given?.trim() ?? "";
  if (id === "" || id.length > LONGEST_PRACTITIONER || !isSafeText(id))
    throw invalidField("practitioner_id", "practitioner_id is required for a doctor: the id of their appointments.");
  return id;
}

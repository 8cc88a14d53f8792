// What a person may see. Absent, wherever a reach may be given: the whole organisation.

export type Reach =
  /** What belongs to these branches. */
  | { readonly kind: "branches"; readonly branches: readonly string[] }
  /** Appointments of one practitioner, and the calls about them. Practitioner ids are the organisation's own. */
  | { readonly kind: "practitioner"; readonly organisationId: string; readonly practitionerId: string }
  /** Settings and records without patients. */
  | { readonly kind: "no_patients" };

/** For settings of a branch. What belongs to no branch is visible only without a bound to branches. */
export function isOfReach(reach: Reach | undefined, branchId: string | null): boolean {
  return reach?.kind !== "branches" || (branchId !== null && reach.branches.includes(branchId));
}

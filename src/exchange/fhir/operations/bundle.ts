// Answers of the operations, as IHE ITI Scheduling has them: a searchset with Appointments, and what is to be said.
import type { Appointment, Bundle, OperationOutcomeIssue } from "fhir/r4";

/** The resources have their versions already. */
export function bundleOf(
  base: string,
  resources: readonly Appointment[],
  issues: readonly OperationOutcomeIssue[] = [],
  total = resources.length,
): Bundle {
  const entry = [
    ...resources.map((resource) => ({
      fullUrl: `${base}/Appointment/${resource.id ?? ""}`,
      resource,
      search: { mode: "match" as const },
    })),
    ...(issues.length === 0
      ? []
      : [
          {
            resource: { resourceType: "OperationOutcome" as const, issue: [...issues] },
            search: { mode: "outcome" as const },
          },
        ]),
  ];
  return { resourceType: "Bundle", type: "searchset", total, ...(entry.length > 0 && { entry }) };
}

// What a person sees beyond their role: branches of staff and viewers, the practitioner of a doctor.
import { api, call } from "../../client.ts";
import { useLoaded } from "../../data.ts";
import { CheckBoxes, TextField } from "../../kit/field.tsx";
import { said } from "../../words.ts";

const words = said.settings.bounds;

export interface Bounds {
  role: string;
  branches: string[];
  practitioner_id: string;
}

const mayHaveBranches = (role: string): boolean => role === "staff" || role === "viewer";
export const mayBeBound = (role: string): boolean => mayHaveBranches(role) || role === "doctor";

/** Only what the role has. An empty list means the whole organisation. */
export const sentBounds = ({ role, branches, practitioner_id }: Bounds) => ({
  role,
  ...(mayHaveBranches(role) && { branches }),
  ...(role === "doctor" && { practitioner_id }),
});

interface BoundsFieldsProps {
  values: Bounds;
  onBranches: (branches: string[]) => void;
  practitioner: { value: string; onValue: (value: string) => unknown };
}

export function BoundsFields({ values, onBranches, practitioner }: BoundsFieldsProps) {
  const loaded = useLoaded(() => call(api.calendar.configuration.get()), []);
  if (values.role === "doctor")
    return (
      <TextField
        label={words.practitioner}
        hint={words.practitionerHint}
        required
        maxLength={200}
        autoComplete="off"
        {...practitioner}
      />
    );
  if (!mayHaveBranches(values.role)) return null;
  const branches = loaded.data?.branches ?? [];
  if (branches.length === 0) return null;
  return (
    <CheckBoxes
      legend={words.branches}
      options={branches.map(({ branch_id, name }) => [branch_id, name ?? branch_id] as const)}
      chosen={values.branches}
      onChosen={onBranches}
    >
      <p class="note">{words.branchesHint}</p>
    </CheckBoxes>
  );
}

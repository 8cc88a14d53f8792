// What keeps the whole appliance from calling, above the worklist. The server tells it by subject; the words are the
// pages' own.
import type { Loaded } from "../../data.ts";
import { said } from "../../words.ts";

const words = said.today;

/** Subjects without words here are for the administrator, who reads /readyz. */
export function Notices({ health }: { health: Loaded<{ notes: Record<string, string> }> }) {
  const notes = health.data?.notes ?? {};
  return (
    <>
      {Object.entries(words.notices)
        .filter(([subject]) => notes[subject] !== undefined)
        .map(([subject, text]) => (
          <p key={subject} class="notice bad" role="alert">
            {text}
          </p>
        ))}
    </>
  );
}

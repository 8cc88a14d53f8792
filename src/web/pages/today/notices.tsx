// Notices above the worklist: what stops all calls, or lets calls out that the rules forbid. The server sends the
// subject; the texts belong to the page.
import type { Loaded } from "../../data.ts";
import { said } from "../../words.ts";

const words = said.today;

/** Subjects without a text here are for the administrator, who reads /readyz. */
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

// A secret as it is shown once.
import { useCopying } from "../copying.ts";
import { common } from "../words.ts";
import { Button } from "./parts.tsx";

/** A secret that is shown once, with a button to take it along. */
export function Secret({ label, value }: { label: string; value: string }) {
  const { element, said, copy } = useCopying<HTMLElement>(value);
  return (
    <div class="secret">
      <span class="label">{label}</span>
      <code ref={element}>{value}</code>
      <Button onClick={copy} label={said} />
      <p class="note">{common.shownOnce}</p>
    </div>
  );
}

// A secret that is shown only once.
import { useCopying } from "../copying.ts";
import { common } from "../words.ts";
import { Button } from "./parts.tsx";

/** A secret that is shown only once, with a copy button. */
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

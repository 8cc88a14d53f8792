// A piece of code with a button that copies it.
import { Button } from "./parts.tsx";
import { useCopying } from "../copying.ts";

export function CopyCode({ label, code }: { label: string; code: string }) {
  const { element, said, copy } = useCopying<HTMLPreElement>(code);
  return (
    <div class="copy-code">
      <pre ref={element} tabIndex={0} role="region" aria-label={label}>
        {code}
      </pre>
      <Button onClick={copy} aria-label={`${said}: ${label}`} label={said} />
    </div>
  );
}

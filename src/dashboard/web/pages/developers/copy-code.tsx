// A piece of code with a button that copies it. Where the browser keeps the clipboard shut (no TLS), it is selected instead.
import { useRef, useState } from "preact/hooks";
import { Button } from "../../components/parts.tsx";
import { common } from "../../words.ts";

const words = { selected: "Selected: press Ctrl+C" };

export function CopyCode({ label, code }: { label: string; code: string }) {
  const block = useRef<HTMLPreElement>(null);
  const [said, setSaid] = useState<string>(common.copy);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(code);
      setSaid(common.copied);
    } catch {
      if (block.current) getSelection()?.selectAllChildren(block.current);
      setSaid(words.selected);
    }
  };
  return (
    <div class="copy-code">
      <pre ref={block} tabIndex={0} role="region" aria-label={label}>
        {code}
      </pre>
      <Button onClick={() => void copy()} aria-label={`${said}: ${label}`}>
        {said}
      </Button>
    </div>
  );
}

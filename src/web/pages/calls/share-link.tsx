// The public link of a call, while the organisation shares its calls.
import { useState } from "preact/hooks";
import { Button, Card, LinkButton } from "../../kit/parts.tsx";
import { sayProblem } from "../../said.ts";
import { common, said } from "../../words.ts";

const words = said.calls.shareLink;

export function ShareLink({ url }: { url: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(url);
      setCopied(true);
    } catch (error) {
      sayProblem(error);
    }
  };
  return (
    <Card title={words.title}>
      <p class="note">{words.note}</p>
      <div class="share-link">
        <input readOnly aria-label={words.label} value={url} onFocus={(event) => event.currentTarget.select()} />
        {/* Browsers give the clipboard to pages over TLS alone; elsewhere the link is selected and copied by hand. */}
        {isSecureContext && <Button onClick={copy} label={copied ? common.copied : common.copy} />}
        <LinkButton href={url} target="_blank" rel="noreferrer" label={words.open} />
      </div>
    </Card>
  );
}

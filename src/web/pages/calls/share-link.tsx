// Public link of a call, if the organisation has sharing enabled.
import { useState } from "preact/hooks";
import { Button, Card, LinkButton } from "../../kit/parts.tsx";
import { sayProblem } from "../../said.ts";
import { common, said } from "../../words.ts";

const words = said.sharing.link;

export function ShareLink({ url }: { url: string }) {
  return (
    <Card title={words.title}>
      <p class="note">{words.note}</p>
      <LinkRow url={url} label={words.label} />
    </Card>
  );
}

export function LinkRow({ url, label }: { url: string; label: string }) {
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
    <div class="share-link">
      <input readOnly aria-label={label} value={url} onFocus={(event) => event.currentTarget.select()} />
      {/* The clipboard API needs TLS. Without it the user selects and copies the link. */}
      {isSecureContext && <Button onClick={copy} label={copied ? common.copied : common.copy} />}
      <LinkButton href={url} target="_blank" rel="noreferrer" label={words.open} />
    </div>
  );
}

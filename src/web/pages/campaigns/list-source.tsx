// Where the list comes from, and who calls it.
import { useId } from "preact/hooks";
import { SelectField, TextArea } from "../../kit/field.tsx";
import { Card } from "../../kit/parts.tsx";
import { said } from "../../words.ts";
import type { ListSource } from "./asked-list.ts";
import { Choice } from "./choice.tsx";

const words = said.campaigns.make;

interface SourceProps {
  agents: readonly { agent_id: string; name: string }[];
  agentId: string;
  onAgent: (agentId: string) => void;
  source: ListSource;
  onSource: (change: Partial<ListSource>) => void;
}

export function SourceCard({ agents, agentId, onAgent, source, onSource }: SourceProps) {
  return (
    <Card title={words.who}>
      <div class="campaign-source">
        <SelectField
          label={words.agent}
          required
          value={agentId}
          onValue={onAgent}
          options={[["", words.chooseAgent], ...agents.map(({ agent_id, name }) => [agent_id, name] as const)]}
        />
        <Choice
          legend={words.source}
          name="campaign-source"
          options={[
            ["file", words.file],
            ["paste", words.paste],
          ]}
          value={source.kind}
          onValue={(kind) => onSource({ kind })}
        />
        {source.kind === "file" ? (
          <FileField onFile={(file) => onSource({ file })} />
        ) : (
          <TextArea
            label={words.pasteLabel}
            hint={words.pasteHint}
            rows={6}
            value={source.text}
            onValue={(text) => onSource({ text })}
          />
        )}
      </div>
    </Card>
  );
}

function FileField({ onFile }: { onFile: (file: File | null) => void }) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{words.fileLabel}</label>
      <input
        id={id}
        type="file"
        accept=".csv,.txt,.tsv,.xlsx,text/csv,text/plain,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
        aria-describedby={`${id}-note`}
        onChange={(event) => onFile(event.currentTarget.files?.[0] ?? null)}
      />
      <p class="note" id={`${id}-note`}>
        {words.fileHint}
      </p>
    </div>
  );
}

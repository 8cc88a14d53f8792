// Source of the list, and the calling agent.
import { FileField, Radios, SelectField, TextArea } from "../../kit/field.tsx";
import { Card } from "../../kit/parts.tsx";
import { fieldsOf } from "../../kit/fields-of.ts";
import { said } from "../../words.ts";
import type { ListSource } from "./asked-list.ts";

const words = said.campaigns.make;

interface SourceProps {
  agents: readonly { agent_id: string; name: string }[];
  agentId: string;
  onAgent: (agentId: string) => void;
  source: ListSource;
  onSource: (change: Partial<ListSource>) => void;
}

export function SourceCard({ agents, agentId, onAgent, source, onSource }: SourceProps) {
  const { at } = fieldsOf(source, onSource);
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
        <Radios
          isRow
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
          <FileField
            label={words.fileLabel}
            hint={words.fileHint}
            accept=".csv,.txt,.tsv,.xlsx,text/csv,text/plain,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
            onFile={(file) => onSource({ file })}
          />
        ) : (
          <TextArea label={words.pasteLabel} hint={words.pasteHint} rows={6} {...at("text")} />
        )}
      </div>
    </Card>
  );
}

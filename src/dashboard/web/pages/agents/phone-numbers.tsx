// The numbers of the organisation: whose they are, how many calls each carries at once, and a new one.
import { useState } from "preact/hooks";
import { useAction } from "../../action.ts";
import { api, call } from "../../client.ts";
import { Button, Card, Dialog, Problem, SelectField, Shown, TextField } from "../../components/parts.tsx";
import { sayDone } from "../../components/toasts.tsx";
import type { Loaded } from "../../data.ts";
import { useMay } from "../../session.tsx";
import { common } from "../../words.ts";
import type { Agent } from "./agent-form.ts";
import type { PhoneNumber, Staffing } from "./staffing.ts";

const words = {
  title: "Phone numbers",
  note: "An agent calls from its numbers, and answers on them.",
  empty: "There is no phone number yet.",
  add: "Add number",
  addTitle: "Add a phone number",
  number: "Phone number",
  numberHint: "As your carrier gave it to you, with country code: +911140001234.",
  agent: "Agent",
  agentOf: (number: string) => `Agent of ${number}`,
  nobody: "Nobody",
  lines: "Lines",
  linesHint: "How many calls it carries at the same time.",
  linesOf: (number: string) => `Lines of ${number}`,
  lineCount: (count: number) => `${count} ${count === 1 ? "line" : "lines"}`,
  saveLines: "Save lines",
  added: (number: string) => `${number} is added.`,
  assigned: (number: string, name: string) => `${number} belongs to ${name} now.`,
  taken: (number: string) => `${number} belongs to nobody now.`,
  linesSaved: (number: string, lines: string) => `${number} carries ${lines} calls at once now.`,
};

type AgentOptions = readonly (readonly [id: string, name: string])[];

const optionsOf = (agents: readonly Agent[]): AgentOptions => [
  ["", words.nobody],
  ...agents.map(({ agent_id, name }) => [agent_id, name] as const),
];

export function PhoneNumbers({ staffing }: { staffing: Loaded<Staffing> }) {
  const isOwner = useMay("owner");
  const [isAdding, setAdding] = useState(false);
  return (
    <Card title={words.title} actions={isOwner && <Button onClick={() => setAdding(true)}>{words.add}</Button>}>
      <p class="note">{words.note}</p>
      <Shown from={staffing} isEmpty={({ numbers }) => numbers.length === 0} empty={<p>{words.empty}</p>}>
        {({ numbers, agents }) => (
          <ul class="rows">
            {numbers.map((number) => (
              <NumberRow
                key={number.phone_number_id}
                number={number}
                agents={optionsOf(agents)}
                onChanged={staffing.reload}
              />
            ))}
          </ul>
        )}
      </Shown>
      <Dialog title={words.addTitle} open={isAdding} onClose={() => setAdding(false)}>
        <NewNumber
          agents={optionsOf(staffing.data?.agents ?? [])}
          onAdded={() => {
            setAdding(false);
            staffing.reload();
          }}
        />
      </Dialog>
    </Card>
  );
}

function NumberRow({
  number,
  agents,
  onChanged,
}: {
  number: PhoneNumber;
  agents: AgentOptions;
  onChanged: () => void;
}) {
  const mayAssign = useMay("staff");
  const mayWiden = useMay("owner");
  const assigning = useAction();
  const widening = useAction();
  const [lines, setLines] = useState(String(number.concurrent_calls));
  const isChanged = lines !== String(number.concurrent_calls);
  const nameOf = (id: string) => agents.find(([known]) => known === id)?.[1] ?? words.nobody;

  const assign = (agentId: string) =>
    assigning.run(async () => {
      await call(api.numbers({ number: number.number }).agent.put({ agent_id: agentId === "" ? null : agentId }));
      sayDone(agentId === "" ? words.taken(number.number) : words.assigned(number.number, nameOf(agentId)));
      onChanged();
    });
  const saveLines = () =>
    widening.run(async () => {
      await call(api.numbers({ number: number.number }).lines.put({ concurrent_calls: Number(lines) }));
      sayDone(words.linesSaved(number.number, lines));
      onChanged();
    });

  return (
    <li class="number-row">
      <span class="row-title">{number.number}</span>
      {mayAssign ? (
        <select
          aria-label={words.agentOf(number.number)}
          disabled={assigning.busy}
          value={number.agent_id ?? ""}
          onChange={(event) => void assign(event.currentTarget.value)}
        >
          {agents.map(([id, name]) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      ) : (
        <span>{nameOf(number.agent_id ?? "")}</span>
      )}
      {mayWiden ? (
        <form
          class="lines"
          onSubmit={(event) => {
            event.preventDefault();
            void saveLines();
          }}
        >
          <input
            type="number"
            min={1}
            max={10_000}
            required
            aria-label={words.linesOf(number.number)}
            value={lines}
            onInput={(event) => setLines(event.currentTarget.value)}
          />
          <span class="note">{words.lines.toLowerCase()}</span>
          <Button
            type="submit"
            busy={widening.busy}
            disabled={!isChanged}
            aria-label={`${words.saveLines}: ${number.number}`}
          >
            {common.save}
          </Button>
        </form>
      ) : (
        <span class="note">{words.lineCount(number.concurrent_calls)}</span>
      )}
      {(assigning.error ?? widening.error) !== null && <Problem text={assigning.error ?? widening.error ?? ""} />}
    </li>
  );
}

function NewNumber({ agents, onAdded }: { agents: AgentOptions; onAdded: () => void }) {
  const [number, setNumber] = useState("");
  const [agentId, setAgentId] = useState("");
  const [lines, setLines] = useState("10");
  const adding = useAction();
  const add = () =>
    adding.run(async () => {
      const body = {
        number: number.replaceAll(/[\s()-]/g, ""),
        agent_id: agentId === "" ? null : agentId,
        concurrent_calls: Number(lines),
      };
      await call(api.numbers.post(body));
      sayDone(words.added(body.number));
      onAdded();
    });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
    >
      {adding.error !== null && <Problem text={adding.error} />}
      <TextField
        label={words.number}
        hint={words.numberHint}
        type="tel"
        required
        maxLength={20}
        value={number}
        onValue={setNumber}
        error={adding.fields["number"]}
      />
      <SelectField label={words.agent} value={agentId} onValue={setAgentId} options={agents} />
      <TextField
        label={words.lines}
        hint={words.linesHint}
        type="number"
        min={1}
        max={10_000}
        required
        value={lines}
        onValue={setLines}
        error={adding.fields["concurrent_calls"]}
      />
      <Button kind="primary" type="submit" busy={adding.busy}>
        {words.add}
      </Button>
    </form>
  );
}

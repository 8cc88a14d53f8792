// The numbers of the organisation, and a new one.
import { useState } from "preact/hooks";
import { useAction } from "../../action.ts";
import { api, call } from "../../client.ts";
import { Dialog } from "../../kit/dialog.tsx";
import { SelectField, TextField } from "../../kit/field.tsx";
import { Form } from "../../kit/form.tsx";
import { Button, Card, Shown } from "../../kit/parts.tsx";
import { sayDone } from "../../kit/toasts.tsx";
import type { Loaded } from "../../data.ts";
import { useMay } from "../../session.tsx";
import { agentOptions, hasTrunks, NumberRow, trunkOptions } from "./number-row.tsx";
import type { Staffing } from "./staffing.ts";
import { said } from "../../words.ts";

const words = said.agents.phoneNumbers;

export function PhoneNumbers({ staffing }: { staffing: Loaded<Staffing> }) {
  const isOwner = useMay("owner");
  const [isAdding, setAdding] = useState(false);
  return (
    <Card
      title={words.title}
      actions={isOwner && staffing.data && <Button onClick={() => setAdding(true)} label={words.add} />}
    >
      <p class="note">{words.note}</p>
      <Shown from={staffing} isEmpty={({ numbers }) => numbers.length === 0} empty={<p>{words.empty}</p>}>
        {({ numbers, agents, telephony }) => (
          <ul class="rows">
            {numbers.map((number) => (
              <NumberRow
                key={number.phone_number_id}
                number={number}
                agents={agentOptions(agents)}
                telephony={telephony}
                onChanged={staffing.reload}
              />
            ))}
          </ul>
        )}
      </Shown>
      <Dialog title={words.addTitle} open={isAdding} onClose={() => setAdding(false)}>
        {staffing.data && (
          <NewNumber
            staffing={staffing.data}
            onAdded={() => {
              setAdding(false);
              staffing.reload();
            }}
          />
        )}
      </Dialog>
    </Card>
  );
}

function NewNumber({ staffing, onAdded }: { staffing: Staffing; onAdded: () => void }) {
  const { agents, telephony } = staffing;
  const [onlyTrunk, ...otherTrunks] = telephony.trunks;
  const [trunkId, setTrunkId] = useState(otherTrunks.length === 0 ? (onlyTrunk?.trunk_id ?? "") : "");
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
        trunk_id: trunkId === "" ? null : trunkId,
      };
      await call(api.numbers.post(body));
      sayDone(words.added(body.number));
      onAdded();
    });
  return (
    <Form submission={adding} submit={words.add} onSubmit={add} layout="stack">
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
      <SelectField label={words.agent} value={agentId} onValue={setAgentId} options={agentOptions(agents)} />
      {hasTrunks(telephony) && (
        <SelectField
          label={words.trunk}
          hint={words.trunkHint}
          value={trunkId}
          onValue={setTrunkId}
          options={trunkOptions(telephony)}
          error={adding.fields["trunk_id"]}
        />
      )}
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
    </Form>
  );
}

// Phone numbers of the organisation, and adding one.
import { useState } from "preact/hooks";
import { api, call } from "../../client.ts";
import { Dialog } from "../../kit/dialog.tsx";
import { NumberField, SelectField } from "../../kit/field.tsx";
import { Form } from "../../kit/form.tsx";
import { Button, Card, Shown } from "../../kit/parts.tsx";
import { PhoneField } from "../../kit/phone-field.tsx";
import { useForm } from "../../kit/use-form.ts";
import { dialled, spaced } from "../../phone-number.ts";
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
  const form = useForm({
    number: "",
    agent_id: "",
    concurrent_calls: "10",
    trunk_id: otherTrunks.length === 0 ? (onlyTrunk?.trunk_id ?? "") : "",
  });
  const add = async () => {
    const number = dialled(form.values.number);
    const body = {
      number,
      agent_id: form.values.agent_id || null,
      concurrent_calls: Number(form.values.concurrent_calls),
      trunk_id: form.values.trunk_id || null,
    };
    if (await form.run(() => call(api.numbers.post(body)), words.added(spaced(number)))) onAdded();
  };
  return (
    <Form submission={form} submit={words.add} onSubmit={add} layout="stack">
      <PhoneField label={words.number} hint={words.numberHint} required {...form.at("number")} />
      <SelectField label={words.agent} options={agentOptions(agents)} {...form.at("agent_id")} />
      {hasTrunks(telephony) && (
        <SelectField
          label={words.trunk}
          hint={words.trunkHint}
          options={trunkOptions(telephony)}
          {...form.at("trunk_id")}
        />
      )}
      <NumberField
        label={words.lines}
        hint={words.linesHint}
        min={1}
        max={10_000}
        required
        {...form.at("concurrent_calls")}
      />
    </Form>
  );
}

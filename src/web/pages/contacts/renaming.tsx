// Renames a person, and merges two people of one number. A family may share it, so the person is chosen first.
import { useState } from "preact/hooks";
import type { ContactPageData } from "../../../dashboard/contact-page.ts";
import { useAction } from "../../action.ts";
import { api, call } from "../../client.ts";
import { CheckBox, SelectField, TextField } from "../../kit/field.tsx";
import { FormDialog } from "../../kit/dialog.tsx";
import { sayDone } from "../../said.ts";
import { said } from "../../words.ts";

const words = said.contacts;

type Person = ContactPageData["people"][number];

/** Nothing is known of the only person. */
const UNKNOWN: Person = { names: [], identifiers: [] };

const labelOf = ({ names, identifiers }: Person): string =>
  [names.join(", ") || words.noName, ...identifiers.map(({ value }) => value)].join(" · ");

interface DialogProps {
  id: string;
  people: readonly Person[];
  /** Index of the person whose page this is. */
  own: number;
  onClose: () => void;
  onDone: () => void;
}

export function RenamePerson({ id, people, own, onClose, onDone }: DialogProps) {
  const [index, setIndex] = useState(own);
  const person = people[index] ?? UNKNOWN;
  const [name, setName] = useState(person.names[0] ?? "");
  const action = useAction(["name"]);
  const rename = async () => {
    const done = await action.run(async () => {
      const body = { person, name: name.trim() };
      const { calls, appointments, waiting } = await call(api.contacts({ contact_id: id }).rename.post(body));
      sayDone(words.renamed(calls + appointments + waiting));
    });
    if (!done) return;
    onClose();
    onDone();
  };
  const choose = (chosen: string) => {
    setIndex(Number(chosen));
    setName(people[Number(chosen)]?.names[0] ?? "");
  };
  return (
    <FormDialog
      title={words.renameTitle}
      onClose={onClose}
      submission={action}
      submit={words.rename}
      isDisabled={name.trim() === "" || (person.names.length === 1 && name.trim() === person.names[0])}
      onSubmit={rename}
    >
      {people.length > 1 && (
        <SelectField label={words.whom} options={optionsOf(people)} value={String(index)} onValue={choose} />
      )}
      <TextField
        label={words.newName}
        hint={words.renameHint}
        required
        maxLength={200}
        autoComplete="off"
        value={name}
        onValue={setName}
        error={action.fields["name"]}
      />
    </FormDialog>
  );
}

export function MergePeople({ id, people, own, onClose, onDone }: DialogProps) {
  const [into, setInto] = useState(own);
  const [other, setOther] = useState(own === 0 ? 1 : 0);
  const [isUnderstood, setUnderstood] = useState(false);
  const action = useAction();
  const [kept, gone] = [people[into] ?? UNKNOWN, people[other] ?? UNKNOWN];
  const isPossible = into !== other && kept.names.length > 0;
  const merge = async () => {
    const done = await action.run(async () => {
      const body = { person: gone, into: kept };
      const { calls, appointments, waiting } = await call(api.contacts({ contact_id: id }).merge.post(body));
      sayDone(words.merged(calls + appointments + waiting));
    });
    if (!done) return;
    onClose();
    onDone();
  };
  return (
    <FormDialog
      title={words.mergeTitle}
      onClose={onClose}
      submission={action}
      submit={words.merge}
      kind="danger"
      isDisabled={!isPossible || !isUnderstood}
      onSubmit={merge}
    >
      <p>{words.mergeText}</p>
      <SelectField
        label={words.mergeOther}
        options={optionsOf(people)}
        value={String(other)}
        onValue={(chosen) => setOther(Number(chosen))}
      />
      <SelectField
        label={words.mergeInto}
        options={optionsOf(people)}
        value={String(into)}
        onValue={(chosen) => setInto(Number(chosen))}
      />
      {isPossible && (
        <p class="note">{words.mergeResult(gone.names.join(", ") || words.noName, kept.names[0] ?? "")}</p>
      )}
      <CheckBox label={words.understood} checked={isUnderstood} onChecked={setUnderstood} />
    </FormDialog>
  );
}

const optionsOf = (people: readonly Person[]) =>
  people.map((person, index) => [String(index), labelOf(person)] as const);

// Who may sign in, and as what. Owners change others, never themselves.
import { useState } from "preact/hooks";
import { useAction } from "../../action.ts";
import { api, call } from "../../client.ts";
import { Dialog } from "../../kit/dialog.tsx";
import { SelectField, TextField } from "../../kit/field.tsx";
import { Form } from "../../kit/form.tsx";
import { Badge, Button, Card, Shown } from "../../kit/parts.tsx";
import { useLoaded } from "../../data.ts";
import { formatShortTime } from "../../format.ts";
import { useMay, useSession } from "../../session.tsx";
import { ChangePerson, type Person } from "./change-person.tsx";
import { roleNames, roleNote, roleOptions } from "./role-words.ts";
import { said } from "../../words.ts";

const words = said.settings.peopleTab;

export function PeopleTab() {
  const mayEdit = useMay("owner");
  const people = useLoaded(() => call(api.people.get()), []);
  const [adding, setAdding] = useState(false);
  const [changing, setChanging] = useState<Person | null>(null);
  return (
    <Card
      title={words.title}
      actions={mayEdit && <Button kind="primary" onClick={() => setAdding(true)} label={words.add} />}
    >
      <Shown from={people} as="rows">
        {(rows) => <PeopleTable rows={rows} onChange={setChanging} />}
      </Shown>
      <Dialog title={words.add} open={adding} onClose={() => setAdding(false)}>
        <AddPerson
          onAdded={() => {
            setAdding(false);
            people.reload();
          }}
        />
      </Dialog>
      <Dialog
        title={words.changePerson(changing?.name ?? "")}
        open={changing !== null}
        onClose={() => setChanging(null)}
      >
        {changing && (
          <ChangePerson
            person={changing}
            onChanged={() => {
              setChanging(null);
              people.reload();
            }}
          />
        )}
      </Dialog>
    </Card>
  );
}

function PeopleTable({ rows, onChange }: { rows: readonly Person[]; onChange: (person: Person) => void }) {
  const mayEdit = useMay("owner");
  return (
    <div class="settings-table">
      <table class="card-table" role="table" aria-label={words.title}>
        <thead role="rowgroup">
          <tr role="row">
            {[words.name, words.email, words.role, words.state, words.since].map((title) => (
              <th key={title} role="columnheader" scope="col">
                {title}
              </th>
            ))}
            {mayEdit && (
              <th role="columnheader" scope="col">
                <span class="visually-hidden">{words.change}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((person) => (
            <PersonRow key={person.person_id} person={person} onChange={() => onChange(person)} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function PersonRow({ person, onChange }: { person: Person; onChange: () => void }) {
  const { person: self, organisation } = useSession();
  const mayEdit = useMay("owner");
  const isSelf = person.person_id === self.person_id;
  return (
    <tr role="row">
      <th role="rowheader" scope="row">
        {person.name} {isSelf && <small>({words.you})</small>}
      </th>
      <td role="cell">{person.email}</td>
      <td role="cell">{roleNames[person.role]}</td>
      <td role="cell">
        <Badge
          state={person.disabled_at === null ? "active" : "cancelled"}
          text={person.disabled_at === null ? words.active : words.disabled}
        />
      </td>
      <td role="cell">{formatShortTime(person.disabled_at ?? person.created_at, organisation.time_zone)}</td>
      {mayEdit && (
        <td role="cell" class="number">
          {!isSelf && (
            <Button kind="quiet" aria-label={words.changePerson(person.name)} onClick={onChange} label={words.change} />
          )}
        </td>
      )}
    </tr>
  );
}

function AddPerson({ onAdded }: { onAdded: () => void }) {
  const [form, setForm] = useState({ name: "", email: "", role: "staff", password: "" });
  const { busy, error, fields, run } = useAction();
  const set = (field: keyof typeof form) => (value: string) => setForm((before) => ({ ...before, [field]: value }));
  const add = async () => {
    if (await run(() => call(api.people.post(form)), words.added)) onAdded();
  };
  return (
    <Form submission={{ busy, error, fields }} submit={words.add} onSubmit={add} layout="stack">
      <TextField
        label={words.name}
        required
        maxLength={100}
        autoComplete="off"
        value={form.name}
        onValue={set("name")}
        error={fields["name"]}
      />
      <TextField
        label={words.email}
        type="email"
        required
        autoComplete="off"
        value={form.email}
        onValue={set("email")}
        error={fields["email"]}
      />
      <SelectField
        label={words.role}
        hint={roleNote(form.role)}
        value={form.role}
        onValue={set("role")}
        options={roleOptions}
        error={fields["role"]}
      />
      <TextField
        label={words.password}
        hint={words.passwordHint}
        type="password"
        required
        minLength={10}
        autoComplete="new-password"
        value={form.password}
        onValue={set("password")}
        error={fields["password"]}
      />
    </Form>
  );
}

// One person's name, role, password and access, each saved by itself.
import { useState } from "preact/hooks";
import { useAction } from "../../action.ts";
import { api, call } from "../../client.ts";
import { SelectField, TextField } from "../../kit/field.tsx";
import { Form } from "../../kit/form.tsx";
import { Button, Problem } from "../../kit/parts.tsx";
import { common, said } from "../../words.ts";
import { roleNote, roleOptions, type RoleName } from "./role-words.ts";

export interface Person {
  person_id: string;
  name: string;
  email: string;
  role: RoleName;
  created_at: string;
  disabled_at: string | null;
}

const words = said.settings.changePerson;

export function ChangePerson({ person, onChanged }: { person: Person; onChanged: () => void }) {
  const [role, setRole] = useState<string>(person.role);
  const [password, setPassword] = useState("");
  const { busy, error, fields, run } = useAction();
  const change = async (values: { role?: string; enabled?: boolean; password?: string }, done: string) => {
    if (await run(() => call(api.people({ email: person.email }).patch(values)), done)) onChanged();
  };
  const isDisabled = person.disabled_at !== null;
  return (
    <div class="change-person">
      <Rename person={person} onChanged={onChanged} />
      <Problem text={error} />
      <Form
        hasWayOut={false}
        submission={{ busy, error: null, fields }}
        submit={common.save}
        kind="plain"
        isDisabled={role === person.role}
        onSubmit={() => void change({ role }, words.roleSaved)}
        layout="stack"
      >
        <SelectField
          label={words.role}
          hint={roleNote(role)}
          value={role}
          onValue={setRole}
          options={roleOptions}
          error={fields["role"]}
        />
      </Form>
      <Form
        hasWayOut={false}
        submission={{ busy, error: null, fields }}
        submit={words.setPassword}
        kind="plain"
        onSubmit={() => void change({ password }, words.passwordSet)}
        layout="stack"
      >
        <TextField
          label={words.password}
          hint={words.passwordHint}
          type="password"
          required
          minLength={10}
          autoComplete="new-password"
          value={password}
          onValue={setPassword}
          error={fields["password"]}
        />
      </Form>
      <div class="access">
        <p class="note">{isDisabled ? words.enableNote : words.disableNote}</p>
        <Button
          kind={isDisabled ? "plain" : "danger"}
          busy={busy}
          onClick={() => void change({ enabled: isDisabled }, isDisabled ? words.enabled : words.disabled)}
          label={isDisabled ? words.enable : words.disable}
        />
      </div>
    </div>
  );
}

function Rename({ person, onChanged }: { person: Person; onChanged: () => void }) {
  const [name, setName] = useState(person.name);
  const [email, setEmail] = useState(person.email);
  const { busy, error, fields, run } = useAction(["name", "email"]);
  const save = async () => {
    if (await run(() => call(api.people({ email: person.email }).name.put({ name, email })), words.renamed))
      onChanged();
  };
  return (
    <Form
      hasWayOut={false}
      submission={{ busy, error, fields }}
      submit={common.save}
      kind="plain"
      isDisabled={name === person.name && email === person.email}
      onSubmit={save}
      layout="stack"
    >
      <TextField label={words.name} required maxLength={100} value={name} onValue={setName} error={fields["name"]} />
      <TextField
        label={words.email}
        hint={words.emailHint}
        type="email"
        required
        maxLength={254}
        value={email}
        onValue={setEmail}
        error={fields["email"]}
      />
    </Form>
  );
}

// One person's name, role, password and access, each saved by itself.
import { useState } from "preact/hooks";
import { useAction } from "../../action.ts";
import { api, call } from "../../client.ts";
import { Button, Problem, SelectField, TextField } from "../../components/parts.tsx";
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
      {error !== null && <Problem text={error} />}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void change({ role }, words.roleSaved);
        }}
      >
        <SelectField
          label={words.role}
          hint={roleNote(role)}
          value={role}
          onValue={setRole}
          options={roleOptions}
          error={fields["role"]}
        />
        <div class="actions">
          <Button type="submit" busy={busy} disabled={role === person.role}>
            {common.save}
          </Button>
        </div>
      </form>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void change({ password }, words.passwordSet);
        }}
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
        <div class="actions">
          <Button type="submit" busy={busy}>
            {words.setPassword}
          </Button>
        </div>
      </form>
      <div class="access">
        <p class="note">{isDisabled ? words.enableNote : words.disableNote}</p>
        <Button
          kind={isDisabled ? "plain" : "danger"}
          busy={busy}
          onClick={() => void change({ enabled: isDisabled }, isDisabled ? words.enabled : words.disabled)}
        >
          {isDisabled ? words.enable : words.disable}
        </Button>
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
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      {error !== null && <Problem text={error} />}
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
      <div class="actions">
        <Button type="submit" busy={busy} disabled={name === person.name && email === person.email}>
          {common.save}
        </Button>
      </div>
    </form>
  );
}

// Name, role, password and access of a person, each saved separately.
import { api, call } from "../../client.ts";
import { PasswordField, SelectField, TextField } from "../../kit/field.tsx";
import { Form } from "../../kit/form.tsx";
import { useForm } from "../../kit/use-form.ts";
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
const OF_SEVERAL = { hasWayOut: false, kind: "plain", layout: "stack" } as const;

export function ChangePerson({ person, onChanged }: { person: Person; onChanged: () => void }) {
  const form = useForm({ role: person.role, password: "" });
  const { role, password } = form.values;
  const change = async (values: { role?: string; enabled?: boolean; password?: string }, done: string) => {
    if (await form.run(() => call(api.people({ email: person.email }).patch(values)), done)) onChanged();
  };
  const isDisabled = person.disabled_at !== null;
  const each = { ...OF_SEVERAL, submission: { ...form, error: null } };
  return (
    <div class="change-person">
      <Rename person={person} onChanged={onChanged} />
      <Problem text={form.error} />
      <Form
        {...each}
        submit={common.save}
        isDisabled={role === person.role}
        onSubmit={() => change({ role }, words.roleSaved)}
      >
        <SelectField label={words.role} hint={roleNote(role)} options={roleOptions} {...form.at("role")} />
      </Form>
      <Form {...each} submit={words.setPassword} onSubmit={() => change({ password }, words.passwordSet)}>
        <PasswordField isNew label={words.password} hint={words.passwordHint} {...form.at("password")} />
      </Form>
      <div class="access">
        <p class="note">{isDisabled ? words.enableNote : words.disableNote}</p>
        <Button
          kind={isDisabled ? "plain" : "danger"}
          busy={form.busy}
          onClick={() => change({ enabled: isDisabled }, isDisabled ? words.enabled : words.disabled)}
          label={isDisabled ? words.enable : words.disable}
        />
      </div>
    </div>
  );
}

function Rename({ person, onChanged }: { person: Person; onChanged: () => void }) {
  const form = useForm({ name: person.name, email: person.email }, ["name", "email"]);
  const { name, email } = form.values;
  const save = async () => {
    if (await form.run(() => call(api.people({ email: person.email }).name.put(form.values)), words.renamed))
      onChanged();
  };
  return (
    <Form
      {...OF_SEVERAL}
      submission={form}
      submit={common.save}
      isDisabled={name === person.name && email === person.email}
      onSubmit={save}
    >
      <TextField label={words.name} required maxLength={100} {...form.at("name")} />
      <TextField
        label={words.email}
        hint={words.emailHint}
        type="email"
        required
        maxLength={254}
        {...form.at("email")}
      />
    </Form>
  );
}

// Name, role, password and access of a person, each saved separately.
import { api, call } from "../../client.ts";
import { PasswordField, SelectField, TextField } from "../../kit/field.tsx";
import { Form } from "../../kit/form.tsx";
import { useForm } from "../../kit/use-form.ts";
import { Button, Problem } from "../../kit/parts.tsx";
import { common, said } from "../../words.ts";
import { BoundsFields, mayBeBound, sentBounds } from "./bounds-fields.tsx";
import { SessionsOf } from "./sessions-list.tsx";
import { roleNote, roleOptions, type RoleName } from "./role-words.ts";

export interface Person {
  person_id: string;
  name: string;
  email: string;
  role: RoleName;
  /** Null: the whole organisation. */
  branches: readonly string[] | null;
  practitioner_id: string | null;
  created_at: string;
  disabled_at: string | null;
  /** For owners only. */
  second_factor: "none" | "code" | "passkey" | "both" | null;
  is_emergency: boolean;
  /** Name of the hospital's directory; null for a person with a password of their own. */
  comes_from: string | null;
}

const words = said.settings.changePerson;
const factors = said.signIn.factors;
const OF_SEVERAL = { hasWayOut: false, kind: "plain", layout: "stack" } as const;

interface ChangePersonProps {
  person: Person;
  sendsMail: boolean;
  onChanged: () => void;
}

export function ChangePerson({ person, sendsMail, onChanged }: ChangePersonProps) {
  const before = {
    role: person.role,
    branches: [...(person.branches ?? [])],
    practitioner_id: person.practitioner_id ?? "",
  };
  const form = useForm({ ...before, password: "" });
  const { password, ...bounds } = form.values;
  const change = async (values: Parameters<ReturnType<typeof api.people>["patch"]>[0], done: string) => {
    if (await form.run(() => call(api.people({ email: person.email }).patch(values)), done)) onChanged();
  };
  const isDisabled = person.disabled_at !== null;
  const each = { ...OF_SEVERAL, submission: { ...form, error: null } };
  const isLocal = person.comes_from === null;
  return (
    <div class="change-person">
      {person.comes_from !== null && <p class="note">{said.signIn.provider.changedThere(person.comes_from)}</p>}
      {isLocal && <Rename person={person} onChanged={onChanged} />}
      <Problem text={form.error} />
      {(isLocal || mayBeBound(bounds.role)) && (
        <Form
          {...each}
          submit={common.save}
          isDisabled={JSON.stringify(bounds) === JSON.stringify(before)}
          onSubmit={() => change({ ...sentBounds(bounds), before }, words.roleSaved)}
        >
          {isLocal && (
            <SelectField label={words.role} hint={roleNote(bounds.role)} options={roleOptions} {...form.at("role")} />
          )}
          <BoundsFields
            values={bounds}
            onBranches={(branches) => form.set({ branches })}
            practitioner={form.at("practitioner_id")}
          />
        </Form>
      )}
      {isLocal && (
        <Form {...each} submit={words.setPassword} onSubmit={() => change({ password }, words.passwordSet)}>
          <PasswordField isNew label={words.password} hint={words.passwordHint} {...form.at("password")} />
        </Form>
      )}
      {isLocal && sendsMail && !isDisabled && <Invitation email={person.email} />}
      {person.second_factor !== null && person.second_factor !== "none" && (
        <div class="access">
          <p class="note">{factors.resetNote}</p>
          <Button
            kind="danger"
            busy={form.busy}
            onClick={async () => {
              const reset = () => call(api.people({ email: person.email })["reset-factor"].post());
              if (await form.run(reset, factors.wasReset)) onChanged();
            }}
            label={factors.reset}
          />
        </div>
      )}
      <h3>{said.signIn.sessions.title}</h3>
      <SessionsOf email={person.email} />
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

/** Also for a person who lost the first one, or forgot the password. */
function Invitation({ email }: { email: string }) {
  const form = useForm({});
  return (
    <div class="access">
      <p class="note">{said.invitations.invitationNote}</p>
      <Problem text={form.error} />
      <Button
        busy={form.busy}
        onClick={() => form.run(() => call(api.people({ email }).invitation.post()), said.invitations.invitationSent)}
        label={said.invitations.sendInvitation}
      />
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

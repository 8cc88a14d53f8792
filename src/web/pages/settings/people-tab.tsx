// User accounts and their roles. Owners can change others, but not themselves.
import { useState } from "preact/hooks";
import { api, call } from "../../client.ts";
import { Dialog } from "../../kit/dialog.tsx";
import { PasswordField, SelectField, TextField } from "../../kit/field.tsx";
import { Form } from "../../kit/form.tsx";
import { Badge, Button, Card, Shown } from "../../kit/parts.tsx";
import { Table } from "../../kit/table.tsx";
import { useForm } from "../../kit/use-form.ts";
import { useLoaded } from "../../data.ts";
import { formatShortTime } from "../../format.ts";
import { useMay, useSession } from "../../session.tsx";
import { BoundsFields, sentBounds } from "./bounds-fields.tsx";
import { ChangePerson, type Person } from "./change-person.tsx";
import { roleNames, roleNote, roleOptions } from "./role-words.ts";
import type { TabProps } from "./settings-data.ts";
import { said } from "../../words.ts";

const words = said.settings.peopleTab;
const boundsWords = said.settings.bounds;

export function PeopleTab({ settings: { sends_mail: sendsMail } }: TabProps) {
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
          sendsMail={sendsMail}
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
            sendsMail={sendsMail}
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
  const { person: self, organisation } = useSession();
  const mayEdit = useMay("owner");
  const isSelf = ({ person_id }: Person) => person_id === self.person_id;
  return (
    <Table
      label={words.title}
      class="settings-table"
      narrow="cards"
      rows={rows}
      keyOf={({ person_id }) => person_id}
      columns={[
        [
          words.name,
          (person) => (
            <>
              {person.name} {isSelf(person) && <small>({words.you})</small>}
            </>
          ),
          { isRowHead: true },
        ],
        [
          words.email,
          ({ email, comes_from: directory }) => (
            <>
              {email} {directory !== null && <small>({said.signIn.provider.from(directory)})</small>}
            </>
          ),
        ],
        [
          words.role,
          (person) => (
            <>
              {person.is_emergency ? said.signIn.breakGlass.title : roleNames[person.role]}{" "}
              <small>{boundOf(person)}</small>
            </>
          ),
        ],
        mayEdit && [
          said.signIn.factors.title,
          ({ second_factor: factor }) => (factor === null ? "" : said.signIn.factors.kinds[factor]),
        ],
        [
          words.state,
          ({ disabled_at }) =>
            disabled_at === null ? (
              <Badge state="active" text={words.active} />
            ) : (
              <Badge state="cancelled" text={words.disabled} />
            ),
        ],
        [
          words.since,
          ({ disabled_at, created_at }) => formatShortTime(disabled_at ?? created_at, organisation.time_zone),
        ],
        mayEdit && [
          words.change,
          (person) =>
            !isSelf(person) &&
            !person.is_emergency && (
              <Button
                kind="quiet"
                aria-label={words.changePerson(person.name)}
                onClick={() => onChange(person)}
                label={words.change}
              />
            ),
          { class: "number", isTitleHidden: true },
        ],
      ]}
    />
  );
}

/** What the person sees, if it is less than everything. For owners only. */
const boundOf = ({ branches, practitioner_id }: Person): string =>
  branches === null ? (practitioner_id ?? "") : `${boundsWords.branches}: ${branches.length}`;

type Way = "invitation" | "password";

function AddPerson({ sendsMail, onAdded }: { sendsMail: boolean; onAdded: () => void }) {
  const form = useForm({
    name: "",
    email: "",
    role: "staff",
    branches: [] as string[],
    practitioner_id: "",
    password: "",
    way: "invitation" as Way,
  });
  const { name, email, password, way, ...bounds } = form.values;
  const person = { name, email, ...sentBounds(bounds) };
  const isInvited = sendsMail && way === "invitation";
  const add = async () => {
    const body = isInvited ? person : { ...person, password };
    if (await form.run(() => call(api.people.post(body)), isInvited ? said.invitations.invited : words.added))
      onAdded();
  };
  return (
    <Form submission={form} submit={words.add} onSubmit={add} layout="stack">
      <TextField label={words.name} required maxLength={100} autoComplete="off" {...form.at("name")} />
      <TextField label={words.email} type="email" required autoComplete="off" {...form.at("email")} />
      <SelectField label={words.role} hint={roleNote(form.values.role)} options={roleOptions} {...form.at("role")} />
      <BoundsFields
        values={bounds}
        onBranches={(branches) => form.set({ branches })}
        practitioner={form.at("practitioner_id")}
      />
      {sendsMail && (
        <SelectField
          label={said.invitations.way}
          hint={isInvited ? said.invitations.invitationHint : ""}
          options={[
            ["invitation", said.invitations.byInvitation],
            ["password", said.invitations.byPassword],
          ]}
          {...form.at("way")}
        />
      )}
      {!isInvited && <PasswordField isNew label={words.password} hint={words.passwordHint} {...form.at("password")} />}
    </Form>
  );
}

// The person's own second factors: authenticator app, passkeys and recovery codes. Each change needs the password.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { api, call } from "../../client.ts";
import { useLoaded } from "../../data.ts";
import { formatShortTime } from "../../format.ts";
import { Dialog, FormDialog } from "../../kit/dialog.tsx";
import { PasswordField, TextField } from "../../kit/field.tsx";
import { Form } from "../../kit/form.tsx";
import { Button, Card, Facts, Shown } from "../../kit/parts.tsx";
import { Table } from "../../kit/table.tsx";
import { useForm } from "../../kit/use-form.ts";
import { makePasskey, passkeyProblem } from "../../passkeys.ts";
import { useSession } from "../../session.tsx";
import { common, said } from "../../words.ts";
import { CodeSetUp, RecoveryCodes, type AppSecret } from "./factor-set-up.tsx";

const words = said.signIn.factors;
const factors = api.account.factors;

type Codes = readonly string[] | null;
type Passkey = { passkey_id: string; name: string; host: string; created_at: string; last_used_at: string | null };
type Doing =
  | { kind: "code" | "removeCode" | "passkey" | "recovery" }
  | { kind: "removePasskey" | "rename"; passkey: Passkey };

export function FactorsCard() {
  const zone = useSession().organisation.time_zone;
  const view = useLoaded(() => call(factors.get()), []);
  const [doing, setDoing] = useState<Doing | null>(null);
  const done = () => {
    setDoing(null);
    view.reload();
  };
  const problem = passkeyProblem();
  return (
    <Card title={words.title}>
      <Shown from={view} as="rows">
        {({ is_required, code_since, passkeys, recovery_codes_left: left }) => (
          <>
            <p class="note">{is_required ? words.required : words.note}</p>
            <Facts
              rows={[
                [words.app, code_since === null ? words.none : words.since(formatShortTime(code_since, zone))],
                [words.recovery, code_since === null && passkeys.length === 0 ? words.none : words.left(left)],
              ]}
            />
            <div class="actions">
              <Button
                onClick={() => setDoing({ kind: "code" })}
                label={code_since === null ? words.setUpApp : words.replaceApp}
              />
              {code_since !== null && (
                <Button kind="danger" onClick={() => setDoing({ kind: "removeCode" })} label={words.removeApp} />
              )}
              <Button
                disabled={problem !== null}
                onClick={() => setDoing({ kind: "passkey" })}
                label={words.addPasskey}
              />
              {(code_since !== null || passkeys.length > 0) && (
                <Button onClick={() => setDoing({ kind: "recovery" })} label={words.renew} />
              )}
            </div>
            {problem !== null && <p class="note">{problem}</p>}
            {passkeys.length > 0 && <Passkeys rows={passkeys} zone={zone} onDoing={setDoing} />}
          </>
        )}
      </Shown>
      {doing !== null && <Change doing={doing} onDone={done} />}
    </Card>
  );
}

function Passkeys(props: { rows: readonly Passkey[]; zone: string; onDoing: (doing: Doing) => void }) {
  const { rows, zone, onDoing } = props;
  return (
    <Table
      label={words.passkeys}
      class="settings-table"
      narrow="cards"
      rows={rows}
      keyOf={({ passkey_id }) => passkey_id}
      columns={[
        [words.passkey, ({ name }) => name, { isRowHead: true }],
        [words.host, ({ host }) => host],
        [words.lastUsed, ({ last_used_at: at }) => (at === null ? words.never : formatShortTime(at, zone))],
        [
          common.edit,
          (passkey) => (
            <>
              <Button
                kind="quiet"
                aria-label={words.renameOf(passkey.name)}
                onClick={() => onDoing({ kind: "rename", passkey })}
                label={words.rename}
              />
              <Button
                kind="quiet"
                aria-label={words.removeOf(passkey.name)}
                onClick={() => onDoing({ kind: "removePasskey", passkey })}
                label={words.remove}
              />
            </>
          ),
          { class: "number", isTitleHidden: true },
        ],
      ]}
    />
  );
}

function Change({ doing, onDone }: { doing: Doing; onDone: () => void }) {
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const finish = (given: Codes) => {
    if (given === null) onDone();
    else setCodes(given);
  };
  if (codes !== null)
    return (
      <Dialog title={said.signIn.setUp.recoveryTitle} open onClose={onDone}>
        <RecoveryCodes codes={codes}>
          <Button kind="primary" onClick={onDone} label={words.kept} />
        </RecoveryCodes>
      </Dialog>
    );
  switch (doing.kind) {
    case "code":
      return <AddCode onDone={finish} onClose={onDone} />;
    case "passkey":
      return <AddPasskey onDone={finish} onClose={onDone} />;
    case "rename":
      return <RenamePasskey passkey={doing.passkey} onClose={onDone} />;
    case "recovery":
      return (
        <WithPassword
          title={words.renew}
          note={words.renewNote}
          submit={words.renew}
          onClose={onDone}
          onPassword={async (password) =>
            finish((await call(factors["recovery-codes"].post({ password }))).recovery_codes)
          }
        />
      );
    case "removeCode":
      return (
        <WithPassword
          title={words.removeApp}
          note={words.removeNote}
          submit={words.remove}
          onClose={onDone}
          onPassword={async (password) => {
            await call(factors.code.remove.post({ password }));
            onDone();
          }}
        />
      );
    case "removePasskey": {
      const { passkey_id: id, name } = doing.passkey;
      return (
        <WithPassword
          title={words.removeOf(name)}
          note={words.removeNote}
          submit={words.remove}
          onClose={onDone}
          onPassword={async (password) => {
            await call(factors.passkeys({ id }).remove.post({ password }));
            onDone();
          }}
        />
      );
    }
  }
}

interface WithPasswordProps {
  title: string;
  note: string;
  submit: string;
  onClose: () => void;
  onPassword: (password: string) => Promise<void>;
  children?: ComponentChildren;
}

export function WithPassword({ title, note, submit, onClose, onPassword, children }: WithPasswordProps) {
  const form = useForm({ password: "" }, ["password"]);
  const go = () => form.run(() => onPassword(form.values.password));
  return (
    <FormDialog title={title} onClose={onClose} submission={form} submit={submit} onSubmit={go}>
      <p class="note">{note}</p>
      {children}
      <PasswordField label={words.password} {...form.at("password")} />
    </FormDialog>
  );
}

function AddCode({ onDone, onClose }: { onDone: (codes: Codes) => void; onClose: () => void }) {
  const [app, setApp] = useState<AppSecret | null>(null);
  const form = useForm({ code: "" }, ["code"]);
  if (app === null)
    return (
      <WithPassword
        title={words.setUpApp}
        note={words.othersEnd}
        submit={words.goOn}
        onClose={onClose}
        onPassword={async (password) => setApp(await call(factors.code.post({ password })))}
      />
    );
  const confirm = () =>
    form.run(async () => onDone((await call(factors.code.confirm.post(form.values))).recovery_codes));
  return (
    <Dialog title={words.setUpApp} open onClose={onClose}>
      <Form submission={form} submit={said.signIn.setUp.confirm} layout="stack" onSubmit={confirm}>
        <CodeSetUp begin={() => Promise.resolve(app)} form={form} />
      </Form>
    </Dialog>
  );
}

function AddPasskey({ onDone, onClose }: { onDone: (codes: Codes) => void; onClose: () => void }) {
  const form = useForm({ name: "" }, ["name"]);
  const add = async (password: string) => {
    const credential = await makePasskey(await call(factors.passkeys.options.post({ password })));
    onDone((await call(factors.passkeys.post({ name: form.values.name, credential }))).recovery_codes);
  };
  return (
    <WithPassword
      title={words.addPasskey}
      note={`${words.passkeyNote} ${words.othersEnd}`}
      submit={words.addPasskey}
      onClose={onClose}
      onPassword={add}
    >
      <TextField
        label={said.signIn.passkeys.name}
        hint={said.signIn.passkeys.nameHint}
        required
        maxLength={60}
        {...form.at("name")}
      />
    </WithPassword>
  );
}

function RenamePasskey({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const form = useForm({ name: passkey.name }, ["name"]);
  const save = async () => {
    if (await form.run(() => call(factors.passkeys({ id: passkey.passkey_id }).patch(form.values)))) onClose();
  };
  return (
    <FormDialog
      title={words.renameOf(passkey.name)}
      onClose={onClose}
      submission={form}
      submit={common.save}
      onSubmit={save}
    >
      <TextField label={said.signIn.passkeys.name} required maxLength={60} {...form.at("name")} />
    </FormDialog>
  );
}

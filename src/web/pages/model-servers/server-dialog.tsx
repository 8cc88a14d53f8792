// A new model server, or one to be changed.
import { useState } from "preact/hooks";
import { useAction } from "../../action.ts";
import { api, call } from "../../client.ts";
import { Dialog } from "../../kit/dialog.tsx";
import { CheckBox, SelectField, TextArea, TextField } from "../../kit/field.tsx";
import { Form } from "../../kit/form.tsx";
import { sayDone } from "../../kit/toasts.tsx";
import { said } from "../../words.ts";
import { bodyOf, EMPTY_SERVER, formOf, type ModelServer, type ServerForm } from "./server-form.ts";
import { ROLE_WORDS } from "./server-words.ts";

const words = said.modelServers.serverDialog;

const ROLES = Object.entries(ROLE_WORDS);

/** `server`: null makes a new one, undefined keeps the dialog closed. */
export function ServerDialog(props: {
  server: ModelServer | null | undefined;
  onClose: () => void;
  onSaved: () => void;
}) {
  const { server, onClose, onSaved } = props;
  return (
    <Dialog
      title={server ? words.editTitle(server.name) : words.addTitle}
      open={server !== undefined}
      onClose={onClose}
    >
      <ServerEditor
        server={server ?? null}
        onSaved={() => {
          onSaved();
          onClose();
        }}
      />
    </Dialog>
  );
}

function ServerEditor({ server, onSaved }: { server: ModelServer | null; onSaved: () => void }) {
  const [form, setForm] = useState<ServerForm>(server ? formOf(server) : EMPTY_SERVER);
  const saving = useAction();
  const set = (change: Partial<ServerForm>) => setForm((before) => ({ ...before, ...change }));

  const save = () =>
    saving.run(async () => {
      const body = bodyOf(form);
      const { name } = server
        ? await call(api["model-servers"]({ id: server.server_id }).patch(body))
        : await call(api["model-servers"].post(body));
      sayDone(server ? words.saved(name) : words.added(name));
      onSaved();
    });

  return (
    <Form submission={saving} submit={server ? words.save : words.add} onSubmit={save} layout="stack">
      <ServerFields form={form} set={set} fields={saving.fields} />
    </Form>
  );
}

interface FieldsProps {
  form: ServerForm;
  set: (change: Partial<ServerForm>) => void;
  fields: Record<string, string>;
}

function ServerFields({ form, set, fields }: FieldsProps) {
  const field = (key: keyof ServerForm & keyof typeof TEXTS) => {
    const { name, ...rest } = TEXTS[key];
    return <TextField {...rest} value={form[key]} onValue={(value) => set({ [key]: value })} error={fields[name]} />;
  };
  return (
    <>
      {field("name")}
      <SelectField
        label={words.role}
        options={ROLES}
        value={form.role}
        onValue={(role) => set({ role })}
        error={fields["role"]}
      />
      {field("baseUrl")}
      {field("model")}
      {form.role === "voice" && field("voice")}
      {field("languages")}
      {form.keepsKey ? (
        <CheckBox label={words.keepKey} checked onChecked={(keepsKey) => set({ keepsKey })} />
      ) : (
        field("key")
      )}
      <TextArea
        label={words.ca}
        hint={words.caHint}
        rows={3}
        value={form.caPem}
        onValue={(caPem) => set({ caPem })}
        error={fields["ca_pem"]}
      />
      {field("firstMs")}
      {field("totalMs")}
      <CheckBox label={words.isDefault} checked={form.isDefault} onChecked={(isDefault) => set({ isDefault })} />
    </>
  );
}

/** What is typed in one line; `name` as the server calls it. */
const TEXTS = {
  name: { name: "name", label: words.name, hint: words.nameHint, required: true, maxLength: 60 },
  baseUrl: { name: "base_url", label: words.url, hint: words.urlHint, required: true, maxLength: 2_048 },
  model: { name: "model", label: words.model, hint: words.modelHint, required: true, maxLength: 200 },
  voice: { name: "voice", label: words.voice, hint: words.voiceHint, maxLength: 100 },
  languages: { name: "languages", label: words.languages, hint: words.languagesHint, maxLength: 400 },
  key: { name: "key", label: words.key, hint: words.keyHint, type: "password", autoComplete: "off", maxLength: 500 },
  firstMs: { name: "first_ms", label: words.firstMs, hint: words.timeHint, type: "number", min: 100, required: true },
  totalMs: { name: "total_ms", label: words.totalMs, type: "number", min: 100, required: true },
} as const;

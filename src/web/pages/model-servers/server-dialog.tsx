// Dialog of a model server, new or existing.
import { api, call } from "../../client.ts";
import { basedOn, useConflict } from "../../kit/conflict.tsx";
import { Dialog } from "../../kit/dialog.tsx";
import { CheckBox, SelectField, TextArea, TextField } from "../../kit/field.tsx";
import { Form } from "../../kit/form.tsx";
import { sayDone } from "../../said.ts";
import { useForm } from "../../kit/use-form.ts";
import { said } from "../../words.ts";
import { bodyOf, EMPTY_SERVER, formOf, type ModelServer, type ServerForm } from "./server-form.ts";
import type { ServerTrial } from "../../../speech/servers/trial/finding.ts";
import { ROLE_WORDS } from "./server-words.ts";

const words = said.modelServers.serverDialog;

const ROLES = Object.entries(ROLE_WORDS);

/** With the answer of the trial, if it was tried before it became the default. */
export interface SavedServer {
  server_id: string;
  trial?: ServerTrial | null;
}

/** `server`: null creates a new one, undefined keeps the dialog closed. */
export function ServerDialog(props: {
  server: ModelServer | null | undefined;
  onClose: () => void;
  onSaved: (saved: SavedServer) => void;
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
        onSaved={(saved) => {
          onSaved(saved);
          onClose();
        }}
      />
    </Dialog>
  );
}

function ServerEditor({ server, onSaved }: { server: ModelServer | null; onSaved: (saved: SavedServer) => void }) {
  const form = useForm<ServerForm>(server ? formOf(server) : EMPTY_SERVER);
  const { at, box, values } = form;
  const conflict = useConflict({ label: (name) => LABELS[name] });
  const add = async () => {
    const added = await call(api["model-servers"].post(bodyOf(values)));
    sayDone(added.is_default ? words.addedAsDefault(added.name) : words.added(added.name));
    onSaved(added);
  };
  const save = async () => {
    if (!server) return form.run(add);
    const saved = await conflict.save(form, {
      stored: server,
      valuesOf: (one) => bodyOf(formOf(one)),
      typed: bodyOf(values),
      send: (part, version) => call(api["model-servers"]({ id: server.server_id }).patch(part, basedOn(version))),
    });
    if (!saved) return;
    sayDone(words.saved(saved.name));
    onSaved(saved);
  };
  const text = (name: keyof typeof TEXTS) => <TextField {...TEXTS[name]} {...at(name)} />;
  return (
    <>
      <Form submission={form} submit={server ? words.save : words.add} onSubmit={save} layout="stack">
        {text("name")}
        <SelectField label={words.role} options={ROLES} {...at("role")} />
        {text("baseUrl")}
        {text("model")}
        {values.role === "voice" && text("voice")}
        {text("languages")}
        {values.keepsKey ? <CheckBox label={words.keepKey} {...box("keepsKey")} /> : text("key")}
        <TextArea label={words.ca} hint={words.caHint} rows={3} {...at("caPem")} />
        {text("firstMs")}
        {text("totalMs")}
        <CheckBox label={words.isDefault} {...box("isDefault")} />
        {values.isDefault && <p class="note">{words.isTried}</p>}
      </Form>
      {conflict.dialog}
    </>
  );
}

/** By the API's names, for conflicts. */
const LABELS: Readonly<Record<string, string>> = {
  name: words.name,
  role: words.role,
  base_url: words.url,
  model: words.model,
  voice: words.voice,
  languages: words.languages,
  key: words.key,
  ca_pem: words.ca,
  first_ms: words.firstMs,
  total_ms: words.totalMs,
  is_default: words.isDefault,
};

/** Single-line text fields. */
const TEXTS = {
  name: { label: words.name, hint: words.nameHint, required: true, maxLength: 60 },
  baseUrl: { label: words.url, hint: words.urlHint, required: true, maxLength: 2_048 },
  model: { label: words.model, hint: words.modelHint, required: true, maxLength: 200 },
  voice: { label: words.voice, hint: words.voiceHint, maxLength: 100 },
  languages: { label: words.languages, hint: words.languagesHint, maxLength: 400 },
  key: { label: words.key, hint: words.keyHint, type: "password", autoComplete: "off", maxLength: 500 },
  firstMs: { label: words.firstMs, hint: words.timeHint, type: "number", min: 100, required: true },
  totalMs: { label: words.totalMs, type: "number", min: 100, required: true },
} as const;

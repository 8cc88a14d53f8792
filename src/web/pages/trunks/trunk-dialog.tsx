// A new trunk, or one to be changed.
import { useState } from "preact/hooks";
import { useAction } from "../../action.ts";
import { api, call } from "../../client.ts";
import { Dialog } from "../../kit/dialog.tsx";
import { TextField } from "../../kit/field.tsx";
import { Form } from "../../kit/form.tsx";
import { sayDone } from "../../kit/toasts.tsx";
import { said } from "../../words.ts";
import { bodyOf, EMPTY_TRUNK, formOf, type TrunkForm } from "./trunk-form.ts";
import { inFormWords, TrunkFields } from "./trunk-fields.tsx";
import type { Trunk } from "./trunk.ts";

const words = said.trunks.trunkDialog;

/** `trunk`: null makes a new one, undefined keeps the dialog closed. */
export function TrunkDialog({
  trunk,
  onClose,
  onSaved,
}: {
  trunk: Trunk | null | undefined;
  onClose: () => void;
  onSaved: () => void;
}) {
  return (
    <Dialog title={trunk ? words.editTitle(trunk.name) : words.addTitle} open={trunk !== undefined} onClose={onClose}>
      <TrunkEditor
        trunk={trunk ?? null}
        onSaved={() => {
          onSaved();
          onClose();
        }}
      />
    </Dialog>
  );
}

function TrunkEditor({ trunk, onSaved }: { trunk: Trunk | null; onSaved: () => void }) {
  const [form, setForm] = useState<TrunkForm>(trunk ? formOf(trunk) : EMPTY_TRUNK);
  const saving = useAction();
  const fields = inFormWords(saving.fields);
  const set = (change: Partial<TrunkForm>) => setForm((before) => ({ ...before, ...change }));

  const save = () =>
    saving.run(async () => {
      const body = bodyOf(form);
      const { name } = trunk
        ? await call(api.trunks({ id: trunk.trunk_id }).patch(body))
        : await call(api.trunks.post(body));
      sayDone(trunk ? words.saved(name) : words.added(name));
      onSaved();
    });

  return (
    <Form
      submission={{
        ...saving,
        error: saving.error !== null && Object.keys(fields).length > 0 ? words.lookAtFields : saving.error,
      }}
      submit={trunk ? words.save : words.add}
      onSubmit={save}
      layout="stack"
    >
      <TextField
        label={words.name}
        hint={words.nameHint}
        required
        maxLength={60}
        value={form.name}
        onValue={(name) => set({ name })}
        error={fields["name"]}
      />
      <TrunkFields form={form} set={set} fields={fields} />
    </Form>
  );
}

// Dialog of a trunk, new or existing.
import { api, call } from "../../client.ts";
import { Dialog } from "../../kit/dialog.tsx";
import { Form } from "../../kit/form.tsx";
import { sayDone } from "../../said.ts";
import { fieldsOf } from "../../kit/fields-of.ts";
import { useForm } from "../../kit/use-form.ts";
import { TextField } from "../../kit/field.tsx";
import { said } from "../../words.ts";
import { bodyOf, EMPTY_TRUNK, formOf, type TrunkForm } from "./trunk-form.ts";
import { inFormWords, TrunkFields } from "./trunk-fields.tsx";
import type { Trunk } from "./trunk.ts";

const words = said.trunks.trunkDialog;

/** `trunk`: null creates a new one, undefined keeps the dialog closed. */
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
  const form = useForm<TrunkForm>(trunk ? formOf(trunk) : EMPTY_TRUNK);
  const fields = inFormWords(form.fields);
  const save = () =>
    form.run(async () => {
      const body = bodyOf(form.values);
      const { name } = trunk
        ? await call(api.trunks({ id: trunk.trunk_id }).patch(body))
        : await call(api.trunks.post(body));
      sayDone(trunk ? words.saved(name) : words.added(name));
      onSaved();
    });

  const { at } = fieldsOf(form.values, form.set, fields);
  return (
    <Form
      submission={{
        ...form,
        error: form.error !== null && Object.keys(fields).length > 0 ? words.lookAtFields : form.error,
      }}
      submit={trunk ? words.save : words.add}
      onSubmit={save}
      layout="stack"
    >
      <TextField label={words.name} hint={words.nameHint} required maxLength={60} {...at("name")} />
      <TrunkFields form={form.values} set={form.set} fields={fields} />
    </Form>
  );
}

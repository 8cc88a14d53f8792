// Dialog of a trunk, new or existing.
import { api, call } from "../../client.ts";
import { basedOn, useConflict } from "../../kit/conflict.tsx";
import { Dialog } from "../../kit/dialog.tsx";
import { Form } from "../../kit/form.tsx";
import { sayDone } from "../../said.ts";
import { fieldsOf } from "../../kit/fields-of.ts";
import { useForm } from "../../kit/use-form.ts";
import { TextField } from "../../kit/field.tsx";
import { said } from "../../words.ts";
import { bodyOf, EMPTY_TRUNK, formOf, type TrunkForm } from "./trunk-form.ts";
import { inFormWords, labelOf, TrunkFields } from "./trunk-fields.tsx";
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
  const conflict = useConflict({ label: labelOf });
  const add = async () => {
    const { name } = await call(api.trunks.post(bodyOf(form.values)));
    sayDone(words.added(name));
    onSaved();
  };
  const save = async () => {
    if (!trunk) return form.run(add);
    const saved = await conflict.save(form, {
      stored: trunk,
      valuesOf: (one) => bodyOf(formOf(one)),
      typed: bodyOf(form.values),
      send: (part, version) => call(api.trunks({ id: trunk.trunk_id }).patch(part, basedOn(version))),
    });
    if (!saved) return;
    sayDone(words.saved(saved.name));
    onSaved();
  };

  const { at } = fieldsOf(form.values, form.set, fields);
  return (
    <>
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
      {conflict.dialog}
    </>
  );
}

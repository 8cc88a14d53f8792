// Saved filters, applied with one click.
import { useState } from "preact/hooks";
import { api, call } from "../../client.ts";
import { FormDialog } from "../../kit/dialog.tsx";
import { TextField } from "../../kit/field.tsx";
import { Button } from "../../kit/parts.tsx";
import { sayProblem } from "../../said.ts";
import { useForm } from "../../kit/use-form.ts";
import { useLoaded } from "../../data.ts";
import { common } from "../../words.ts";
import { addressOf, filtersOf, savableOf, type CallFilters } from "./filters.ts";
import { callWork as words } from "./words.ts";

export function SavedFilters({ filters }: { filters: CallFilters }) {
  const saved = useLoaded(() => call(api["call-filters"].get()), []);
  const [isSaving, setSaving] = useState(false);
  const here = addressOf({ ...filters, search: "" });
  const canSave = Object.keys(savableOf(filters)).length > 0;
  const remove = async (id: string) => {
    await call(api["call-filters"]({ id }).delete()).catch(sayProblem);
    saved.reload();
  };
  const rows = saved.data ?? [];
  if (rows.length === 0 && !canSave) return null;
  return (
    <div class="saved-filters" role="group" aria-label={words.saved}>
      {rows.map(({ id, name, filters: kept }) => {
        const address = addressOf(filtersOf(kept));
        return (
          <span key={id} class="saved-filter">
            <a href={address} aria-current={address === here ? "true" : undefined}>
              {name}
            </a>
            <Button kind="quiet" aria-label={words.removeSaved(name)} onClick={() => remove(id)} label="×" />
          </span>
        );
      })}
      {canSave && <Button kind="quiet" onClick={() => setSaving(true)} label={words.saveFilters} />}
      {isSaving && <SaveDialog filters={filters} onClose={() => setSaving(false)} onSaved={saved.reload} />}
    </div>
  );
}

interface SaveDialogProps {
  filters: CallFilters;
  onClose: () => void;
  onSaved: () => void;
}

function SaveDialog({ filters, onClose, onSaved }: SaveDialogProps) {
  const form = useForm({ name: "" });
  const save = async () => {
    const body = { name: form.values.name.trim(), filters: savableOf(filters) };
    if (!(await form.run(() => call(api["call-filters"].post(body)), words.savedDone))) return;
    onSaved();
    onClose();
  };
  return (
    <FormDialog title={words.saveTitle} onClose={onClose} submission={form} submit={common.save} onSubmit={save}>
      <TextField
        label={words.saveName}
        hint={words.saveNote}
        required
        maxLength={60}
        autoComplete="off"
        {...form.at("name")}
      />
    </FormDialog>
  );
}

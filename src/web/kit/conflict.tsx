// The dialog of a conflict: what the user typed and what a colleague saved, side by side for each value.
import { useState } from "preact/hooks";
import type { Action } from "../action.ts";
import { ApiError } from "../client.ts";
import { common, said } from "../words.ts";
import { FormDialog } from "./dialog.tsx";
import { Radios } from "./field.tsx";
import { saveChange, type Clash, type Saving } from "./save-change.ts";

const words = said.shared.conflict;

interface Asked {
  clashes: readonly Clash[];
  decide: (kept: ReadonlySet<string> | null) => void;
}

/** The label of a value, by the API's name, and how a value reads. */
export interface ValueWords {
  label: (name: string) => string | undefined;
  shown?: (name: string, value: unknown) => string;
}

/** `save` runs inside the action; `dialog` belongs beside the form, never inside it. */
export function useConflict({ label, shown = (_name, value) => inWords(value) }: ValueWords) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const ask = (clashes: readonly Clash[]) =>
    new Promise<ReadonlySet<string> | null>((resolve) => {
      const decide: Asked["decide"] = (kept) => {
        setAsked(null);
        resolve(kept);
      };
      setAsked({ clashes, decide });
    });
  return {
    /** Null: it was refused, or the user continues editing. */
    async save<Stored extends { version: string }, Values extends object, Answer>(
      action: Pick<Action, "run">,
      saving: Saving<Stored, Values, Answer>,
    ): Promise<Answer | Stored | null> {
      let saved: Answer | Stored | null = null;
      await action.run(async () => {
        saved = await saveChange(saving, { currentOf: (error) => currentOf<Stored>(error), ask });
      });
      return saved;
    },
    dialog: asked && <ConflictDialog {...asked} label={label} shown={shown} />,
  };
}

/** The server sends the same view that the page loaded. */
function currentOf<Stored>(error: unknown): Stored | null {
  return error instanceof ApiError && error.fault.code === "PRECONDITION_FAILED"
    ? ((error.fault.current ?? null) as Stored | null)
    : null;
}

/** Header of a change that is based on a version. */
export const basedOn = (version: string) => ({ headers: { "if-match": version } });

type Side = "mine" | "theirs";

function ConflictDialog({ clashes, decide, label, shown }: Asked & Required<ValueWords>) {
  const [sides, setSides] = useState<Readonly<Record<string, Side>>>({});
  const values = (side: Side, { name, ...clash }: Clash) => (
    <>
      {words[side]} <span class="conflict-value">{shown(name, clash[side]) || words.nothing}</span>
    </>
  );
  const submit = () => decide(new Set(clashes.flatMap(({ name }) => (sides[name] === "mine" ? [name] : []))));
  return (
    <FormDialog
      title={words.title}
      onClose={() => decide(null)}
      submission={{ busy: false, error: null, fields: {} }}
      submit={common.save}
      cancel={words.back}
      isDisabled={clashes.some(({ name }) => sides[name] === undefined)}
      onSubmit={submit}
    >
      <p>{words.text}</p>
      {clashes.map((clash) => (
        <Radios<Side | "">
          key={clash.name}
          legend={label(clash.name) ?? words.value}
          name={`conflict-${clash.name}`}
          options={[
            ["mine", values("mine", clash)],
            ["theirs", values("theirs", clash)],
          ]}
          value={sides[clash.name] ?? ""}
          onValue={(side) => side !== "" && setSides({ ...sides, [clash.name]: side })}
        />
      ))}
    </FormDialog>
  );
}

/** Lists one item per line. */
export function inWords(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "boolean") return value ? words.yes : words.no;
  if (Array.isArray(value)) return value.map(inWords).join("\n");
  if (typeof value === "object") return Object.values(value).map(inWords).filter(Boolean).join(" · ");
  return typeof value === "string" ? value : JSON.stringify(value);
}

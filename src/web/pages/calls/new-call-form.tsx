// Fields of a new call. Errors of the server appear at their fields.
import { useEffect, useRef } from "preact/hooks";
import { Radios, SelectField, TextField } from "../../kit/field.tsx";
import { PhoneField } from "../../kit/phone-field.tsx";
import { FormActions } from "../../kit/form.tsx";
import { fieldsOf } from "../../kit/fields-of.ts";
import { common, said } from "../../words.ts";
import { PlaceFields } from "../place-fields.tsx";
import { type Draft, wallTimeAhead, withPlaceholdersOf } from "./draft.ts";
import { InfoRows } from "./info-rows.tsx";

const words = said.calls.newCallForm;

const HALF_AN_HOUR = 30;

export interface CallableAgent {
  agent_id: string;
  name: string;
  language: string;
  greeting: string;
  prompt: string;
}

interface NewCallFormProps {
  draft: Draft;
  agents: readonly CallableAgent[];
  faults: Record<string, string>;
  /** Number of rejected submissions. Each one moves the focus to the first invalid field. */
  attempt: number;
  zone: string;
  busy: boolean;
  onChange: (part: Partial<Draft>) => void;
  onSubmit: () => void;
  onClose: () => void;
}

export function NewCallForm(props: NewCallFormProps) {
  const { draft, faults, attempt, busy, onChange: set, onSubmit, onClose } = props;
  const form = useRef<HTMLFormElement>(null);
  // Moves the focus to the first invalid field, for users of screen readers and keyboards.
  useEffect(() => form.current?.querySelector<HTMLElement>(".wrong :is(input, select)")?.focus(), [attempt]);

  return (
    <form
      ref={form}
      class="new-call"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <Contact {...props} />
      <InfoRows rows={draft.info} error={faults["additional_info"]} onRows={(info) => set({ info })} />
      <When {...props} />
      <FormActions submit={words.check} busy={busy} onCancel={onClose} />
    </form>
  );
}

/** Number, agent and language. */
function Contact({ draft, agents, faults, onChange: set }: NewCallFormProps) {
  const chooseAgent = (agentId: string) => {
    const agent = agents.find(({ agent_id }) => agent_id === agentId);
    set({ agentId, info: agent ? withPlaceholdersOf(draft.info, agent) : draft.info });
  };
  const { at } = fieldsOf(draft, set, faults);
  const languages = [...new Set(agents.map(({ language }) => language))];
  return (
    <div class="form">
      <SelectField
        label={words.agent}
        required
        error={faults["agent_id"]}
        value={draft.agentId}
        onValue={chooseAgent}
        options={[["", words.chooseAgent], ...agents.map(({ agent_id, name }) => [agent_id, name] as const)]}
      />
      <PhoneField label={words.number} required {...at("number", "user_number")} />
      <TextField label={words.name} autoComplete="off" maxLength={200} {...at("name", "user_name")} />
      <TextField label={words.email} type="email" autoComplete="off" maxLength={254} {...at("email", "user_email")} />
      <TextField
        label={words.language}
        autoComplete="off"
        maxLength={50}
        list="call-languages"
        hint={words.languageHint}
        {...at("language", "user_preferred_language")}
      />
      <datalist id="call-languages">
        {languages.map((language) => (
          <option key={language} value={language} />
        ))}
      </datalist>
      <PlaceFields number={draft.number} zone={at("zone", "user_time_zone")} region={at("region", "user_region")} />
    </div>
  );
}

function When({ draft, faults, zone, onChange: set }: NewCallFormProps) {
  return (
    <div class="call-when">
      <Radios
        isRow
        legend={words.when}
        name="call-when"
        options={[
          ["now", words.now],
          ["later", words.later],
        ]}
        value={draft.when}
        onValue={(when) => set({ when, laterAt: draft.laterAt || wallTimeAhead(HALF_AN_HOUR, zone) })}
      />
      {draft.when === "later" && (
        <TextField
          label={words.laterAt}
          type="datetime-local"
          required
          hint={common.zoneNote(zone)}
          {...fieldsOf(draft, set, faults).at("laterAt", "scheduled_time")}
        />
      )}
    </div>
  );
}

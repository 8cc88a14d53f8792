// How an agent's calls are recorded, and the mode in effect with those of the organisation and the appliance.
import { RECORDING_MODES, strictestMode, type RecordingMode } from "../../../payloads/lawful.ts";
import { api, call } from "../../client.ts";
import { useLoaded } from "../../data.ts";
import { SelectField } from "../../kit/field.tsx";
import { Card } from "../../kit/parts.tsx";
import { fieldsOf } from "../../kit/fields-of.ts";
import { said } from "../../words.ts";
import type { RulesProps } from "./agent-rules.tsx";

const words = said.recordingMode;

export const modeName = (mode: string): string => words.modes[mode] ?? mode;

const modeOf = (value: string): RecordingMode[] => RECORDING_MODES.filter((mode) => mode === value);

export function AgentRecording({ form, set, fields, disabled }: RulesProps) {
  const { at } = fieldsOf(form, set, fields);
  const { data } = useLoaded(() => call(api.settings.get()), []);
  const inherited = data
    ? strictestMode([data.recordings.mode, ...modeOf(data.organisation.recording_mode ?? "")])
    : null;
  const effective = inherited && strictestMode([inherited, ...modeOf(form.recordingMode)]);
  return (
    <Card title={words.title}>
      <SelectField
        label={words.label}
        hint={words.hints[effective ?? form.recordingMode]}
        disabled={disabled}
        options={[
          ["", words.asOrganisation(inherited ? modeName(inherited) : "…")] as const,
          ...RECORDING_MODES.map((mode) => [mode, modeName(mode)] as const),
        ]}
        {...at("recordingMode")}
      />
      {effective && <p class="note">{words.effective(modeName(effective))}</p>}
      {effective === "announce" && <p class="note">{words.rules}</p>}
    </Card>
  );
}

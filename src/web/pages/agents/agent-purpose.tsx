// Why an agent calls, and its registrations with India's operators. Promotional calls to +91 need a number of the 140
// series.
import { PURPOSES } from "../../../payloads/lawful.ts";
import { api, call } from "../../client.ts";
import { useLoaded } from "../../data.ts";
import { SelectField, TextArea, TextField } from "../../kit/field.tsx";
import { Card, Problem } from "../../kit/parts.tsx";
import { fieldsOf } from "../../kit/fields-of.ts";
import { said } from "../../words.ts";
import { needsPurposeReason, type Agent } from "./agent-form.ts";
import type { RulesProps } from "./agent-rules.tsx";

const words = said.agentPurpose;

const OPTIONS = PURPOSES.map((purpose) => [purpose, words.purposes[purpose] ?? purpose] as const);

/** Numbers of India for promotional calls. */
const PROMOTIONAL_SERIES = "+91140";

export function AgentPurpose({ form, set, fields, disabled, stored }: RulesProps & { stored: Agent | null }) {
  const { at } = fieldsOf(form, set, fields);
  const asked = words.questions[form.asksConsentFor];
  return (
    <Card title={words.title}>
      <SelectField
        label={words.purpose}
        hint={words.hints[form.purpose]}
        disabled={disabled}
        options={OPTIONS}
        {...at("purpose")}
      />
      {needsPurposeReason(stored, form) && (
        <TextArea label={words.reason} hint={words.reasonHint} rows={2} disabled={disabled} {...at("purposeReason")} />
      )}
      {form.purpose === "promotional" && stored !== null && <SeriesWarning agentId={stored.agent_id} />}
      {form.type === "outbound" && (
        <SelectField
          label={words.asksConsent}
          hint={asked === undefined ? words.asksNothingHint : words.asksHint(asked)}
          disabled={disabled}
          options={[["", words.asksNothing] as const, ...OPTIONS]}
          {...at("asksConsentFor")}
        />
      )}
      <div class="form">
        <TextField
          label={words.entity}
          hint={words.entityHint}
          maxLength={30}
          disabled={disabled}
          {...at("dltEntityId")}
        />
        <TextField
          label={words.template}
          hint={words.templateHint}
          maxLength={30}
          disabled={disabled}
          {...at("dltTemplateId")}
        />
      </div>
    </Card>
  );
}

/** A trunk with a caller ID shows that one instead of the number. */
function SeriesWarning({ agentId }: { agentId: string }) {
  const { data } = useLoaded(() => Promise.all([call(api.numbers.get()), call(api.trunks.get())]), [agentId]);
  if (!data) return null;
  const [numbers, { trunks }] = data;
  const shown = numbers
    .filter(({ agent_id }) => agent_id === agentId)
    .map(({ number, trunk_id }) => trunks.find((trunk) => trunk.trunk_id === trunk_id)?.caller_id ?? number);
  return <Problem text={shown.some((number) => number.startsWith(PROMOTIONAL_SERIES)) ? null : words.noSeries} />;
}

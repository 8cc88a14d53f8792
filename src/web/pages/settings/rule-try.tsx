// What holds for calls to one number.
import { useState } from "preact/hooks";
import { api, call } from "../../client.ts";
import { CheckBox, SelectField } from "../../kit/field.tsx";
import { PhoneField } from "../../kit/phone-field.tsx";
import { Form } from "../../kit/form.tsx";
import { Card, Facts } from "../../kit/parts.tsx";
import { useForm } from "../../kit/use-form.ts";
import { dialled } from "../../phone-number.ts";
import { said } from "../../words.ts";
import type { RulesForView } from "../../../rules/book/model.ts";
import {
  callerIdInWords,
  datesInWords,
  hoursInWords,
  limitInWords,
  noticesInWords,
  stateInWords,
  wordOf,
} from "./rule-value.ts";

const words = said.rules;
type Purpose = keyof typeof words.purposes;

export function TryNumber() {
  const form = useForm({ number: "", purpose: "service", hasConsent: false }, ["number"]);
  const [found, setFound] = useState<RulesForView | null>(null);
  const show = async () => {
    setFound(null);
    const { number, purpose, hasConsent } = form.values;
    const given = { number: dialled(number), purpose: purpose as Purpose, has_consent: hasConsent };
    await form.run(async () => setFound(await call(api.rules.try.post(given))));
  };
  return (
    <Card title={words.tryTitle}>
      <p class="note">{words.tryNote}</p>
      <Form submission={form} submit={words.show} onSubmit={show}>
        <PhoneField label={words.number} required {...form.at("number")} />
        <SelectField
          label={words.purpose}
          options={Object.entries(words.purposes).toReversed()}
          {...form.at("purpose")}
        />
        <CheckBox label={words.hasConsent} {...form.box("hasConsent")} />
      </Form>
      {found && <Found found={found} />}
    </Card>
  );
}

function Found({ found }: { found: RulesForView }) {
  return (
    <div role="status" class="rules-found">
      <Facts
        rows={[
          [words.rule, `${words.countries[found.country]} · ${found.version}`],
          found.country === "US" && [
            words.state,
            found.region === null ? words.unknownState : stateInWords(found.region),
          ],
          [words.zones, found.time_zones.join(", ")],
          [words.settings.hours, hoursInWords(found.hours)],
          [words.settings.days_off, datesInWords(found.days_off)],
          [words.settings.per_day, limitInWords(found.per_day)],
          [words.settings.per_week, limitInWords(found.per_week)],
          [words.settings.consent, wordOf(found.needs_consent ? "needed" : "not_needed")],
          [words.settings.caller_id, callerIdInWords(found.caller_id_prefix)],
          [words.settings.recording, wordOf(found.recording)],
          [words.settings.notices, noticesInWords(found.notices)],
        ]}
      />
    </div>
  );
}

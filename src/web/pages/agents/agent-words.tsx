// Identity and texts of an agent.
import { CheckBox, SelectField, TextField } from "../../kit/field.tsx";
import { Card } from "../../kit/parts.tsx";
import { fieldsOf } from "../../kit/fields-of.ts";
import type { RulesProps } from "./agent-rules.tsx";
import type { Suggestion } from "./placeholder-completion.ts";
import { TemplateField } from "./template-field.tsx";
import { said } from "../../words.ts";

const words = said.agents.agentWords;

const LANGUAGES = ["en-IN", "hi", "en-US", "ta", "te", "bn", "mr", "kn", "ml", "gu", "pa"];
const LANGUAGE_LIST = "agent-languages";

export function WhoSpeaks({ form, set, fields, disabled }: RulesProps) {
  const { at } = fieldsOf(form, set, fields);
  return (
    <Card title={words.who}>
      <div class="form">
        <TextField
          label={words.name}
          hint={words.nameHint}
          required
          maxLength={100}
          disabled={disabled}
          {...at("name")}
        />
        <SelectField label={words.type} disabled={disabled} options={Object.entries(words.types)} {...at("type")} />
        <TextField
          label={words.language}
          hint={words.languageHint}
          required
          maxLength={20}
          disabled={disabled}
          list={LANGUAGE_LIST}
          {...at("language")}
        />
        <TextField
          label={words.voice}
          hint={words.voiceHint}
          required
          maxLength={100}
          disabled={disabled}
          {...at("voice")}
        />
        <datalist id={LANGUAGE_LIST}>
          {LANGUAGES.map((language) => (
            <option key={language} value={language} />
          ))}
        </datalist>
      </div>
    </Card>
  );
}

export function WhatItSays({ form, set, fields, disabled, known }: RulesProps & { known: readonly Suggestion[] }) {
  const { at, box } = fieldsOf(form, set, fields);
  return (
    <Card title={words.says}>
      <TemplateField
        label={words.greeting}
        hint={words.greetingHint}
        maxLength={2_000}
        disabled={disabled}
        known={known}
        {...at("greeting")}
      />
      <TemplateField
        tall
        label={words.prompt}
        hint={words.promptHint}
        maxLength={32_000}
        disabled={disabled}
        known={known}
        {...at("prompt")}
      />
      {form.type === "outbound" && (
        <>
          <CheckBox label={words.openAnnouncements} disabled={disabled} {...box("openAnnouncements")} />
          <p class="note">{words.openAnnouncementsHint}</p>
        </>
      )}
    </Card>
  );
}

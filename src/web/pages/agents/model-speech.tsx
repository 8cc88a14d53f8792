// What a language model may say on an agent's calls: approved answers verbatim and, if an owner allows it, its own
// wording.
import { useState } from "preact/hooks";
import { LONGEST_ANSWER, LONGEST_QUESTION, MODEL_SPEECHES, MOST_ANSWERS } from "../../../payloads/approved-answer.ts";
import { SelectField, TextField } from "../../kit/field.tsx";
import { Problem } from "../../kit/parts.tsx";
import { fieldsOf } from "../../kit/fields-of.ts";
import { useMay } from "../../session.tsx";
import { said } from "../../words.ts";
import { newAnswer } from "./agent-form.ts";
import type { RulesProps } from "./agent-rules.tsx";
import { RowList } from "./row-list.tsx";

const words = said.agents.modelSpeech;

export function ModelSpeech({ form, set, fields, disabled }: RulesProps) {
  return (
    <RowList
      words={words}
      rows={form.approvedAnswers}
      most={MOST_ANSWERS}
      onRows={(approvedAnswers) => set({ approvedAnswers })}
      fresh={newAnswer}
      field="approved_answers"
      faults={fields}
      disabled={disabled}
      before={<SpeechChoice form={form} set={set} fields={fields} disabled={disabled} />}
    >
      {(one, index, at) => ({
        legend: words.answerOf(index),
        name: one.question,
        class: "approved-answer",
        fields: (
          <>
            <TextField
              label={words.question}
              hint={index === 0 ? words.questionHint : undefined}
              required
              maxLength={LONGEST_QUESTION}
              {...at("question")}
            />
            <TextField
              label={words.language}
              hint={index === 0 ? words.languageHint : undefined}
              maxLength={20}
              {...at("language")}
            />
            <TextField label={words.answer} required maxLength={LONGEST_ANSWER} {...at("answer")} />
          </>
        ),
      })}
    </RowList>
  );
}

/** Only owners may enable it. Staff see it and may disable it. */
function SpeechChoice({ form, set, fields, disabled }: RulesProps) {
  const isOwner = useMay("owner");
  const [wasFree] = useState(form.modelSpeech === "free");
  const open = MODEL_SPEECHES.filter((speech) => isOwner || wasFree || speech !== "free");
  const { at } = fieldsOf(form, set, fields);
  return (
    <>
      <SelectField
        label={words.speech}
        hint={isOwner ? undefined : words.onlyOwner}
        disabled={disabled || open.length < 2}
        options={open.map((speech) => [speech, words.speeches[speech]] as const)}
        {...at("modelSpeech")}
      />
      {form.modelSpeech === "free" && <Problem text={words.warning} />}
    </>
  );
}

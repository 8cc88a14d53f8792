// What a language model may say on an agent's calls: the owner's answers word for word, and, where its owner accepts it, words of
// its own.
import { LONGEST_ANSWER, LONGEST_QUESTION, MODEL_SPEECHES, MOST_ANSWERS } from "../../../payloads/approved-answer.ts";
import { Button, Card, Problem, SelectField, TextField } from "../../components/parts.tsx";
import { said } from "../../words.ts";
import { newAnswer, type AnswerForm } from "./agent-form.ts";
import type { RulesProps } from "./agent-rules.tsx";

const words = said.agents.modelSpeech;

export function ModelSpeech({ form, set, fields, disabled }: RulesProps) {
  const list = form.approvedAnswers;
  const change = (key: number, values: Partial<AnswerForm>) =>
    set({ approvedAnswers: list.map((one) => (one.key === key ? { ...one, ...values } : one)) });
  return (
    <Card
      title={words.title}
      actions={
        !disabled && (
          <Button
            disabled={list.length >= MOST_ANSWERS}
            onClick={() => set({ approvedAnswers: [...list, newAnswer(list)] })}
          >
            {words.add}
          </Button>
        )
      }
    >
      <p class="note">{words.note}</p>
      <SelectField
        label={words.speech}
        disabled={disabled}
        value={form.modelSpeech}
        onValue={(modelSpeech) => set({ modelSpeech })}
        error={fields["model_speech"]}
        options={MODEL_SPEECHES.map((speech) => [speech, words.speeches[speech]] as const)}
      />
      {form.modelSpeech === "free" && <Problem text={words.warning} />}
      {faultOf(fields) !== undefined && <Problem text={faultOf(fields) ?? ""} />}
      {list.length === 0 ? (
        <p class="note">{words.none}</p>
      ) : (
        <ul class="rows">
          {list.map((one, index) => (
            <li key={one.key}>
              <AnswerRow
                one={one}
                index={index}
                disabled={disabled}
                onChange={(values) => change(one.key, values)}
                onRemove={() => set({ approvedAnswers: list.filter(({ key }) => key !== one.key) })}
              />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

/** The server names the field as deep as the fault lies. */
function faultOf(fields: Record<string, string>): string | undefined {
  return Object.entries(fields).find(([field]) => field.startsWith("approved_answers"))?.[1];
}

interface AnswerRowProps {
  one: AnswerForm;
  index: number;
  disabled: boolean;
  onChange: (values: Partial<AnswerForm>) => void;
  onRemove: () => void;
}

function AnswerRow({ one, index, disabled, onChange, onRemove }: AnswerRowProps) {
  return (
    <fieldset class="analysis-field approved-answer" disabled={disabled}>
      <legend class="visually-hidden">{words.answerOf(index)}</legend>
      <TextField
        label={words.question}
        {...(index === 0 ? { hint: words.questionHint } : {})}
        required
        maxLength={LONGEST_QUESTION}
        value={one.question}
        onValue={(question) => onChange({ question })}
      />
      <TextField
        label={words.language}
        {...(index === 0 ? { hint: words.languageHint } : {})}
        maxLength={20}
        value={one.language}
        onValue={(language) => onChange({ language })}
      />
      <TextField
        label={words.answer}
        required
        maxLength={LONGEST_ANSWER}
        value={one.answer}
        onValue={(answer) => onChange({ answer })}
      />
      {!disabled && (
        <Button kind="quiet" onClick={onRemove}>
          {words.remove} <span class="visually-hidden">{one.question}</span>
        </Button>
      )}
    </fieldset>
  );
}

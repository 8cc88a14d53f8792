// The question before a call: address, what happens without an answer, a try, and the signing secret.
import { useState } from "preact/hooks";
import { QUESTION_FAILS } from "../../../payloads/call-question.ts";
import { useAction } from "../../action.ts";
import { api, call } from "../../client.ts";
import { useLoaded } from "../../data.ts";
import { formatTime } from "../../format.ts";
import { ConfirmButton } from "../../kit/dialog.tsx";
import { SelectField, TextField } from "../../kit/field.tsx";
import { Form } from "../../kit/form.tsx";
import { Button, Card, Problem, Shown } from "../../kit/parts.tsx";
import { useForm } from "../../kit/use-form.ts";
import { useMay, useSession } from "../../session.tsx";
import { common, said } from "../../words.ts";
import { OnceCard } from "./once-card.tsx";

const words = said.callQuestion;

interface Question {
  url: string;
  fails: string;
  previous_secret_until: string | null;
}

export function QuestionCard() {
  const loaded = useLoaded(() => call(api.question.get()), []);
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <>
      {secret !== null && (
        <OnceCard
          key={secret}
          title={words.secretTitle}
          secrets={[[words.secret, secret]]}
          onDone={() => setSecret(null)}
        />
      )}
      <Card title={words.title}>
        <p class="note">{words.note}</p>
        <Shown from={loaded}>
          {({ question }) => (
            <>
              <QuestionForm question={question} onSaved={loaded.reload} onSecret={setSecret} />
              {question && <QuestionActions question={question} onChanged={loaded.reload} onSecret={setSecret} />}
            </>
          )}
        </Shown>
      </Card>
    </>
  );
}

interface QuestionFormProps {
  question: Question | null;
  onSaved: () => void;
  onSecret: (secret: string) => void;
}

function QuestionForm({ question, onSaved, onSecret }: QuestionFormProps) {
  const mayEdit = useMay("owner");
  const form = useForm({ url: question?.url ?? "", fails: question?.fails ?? "closed" }, ["url", "fails"]);
  const save = async () => {
    const isSaved = await form.run(async () => {
      const saved = await call(api.question.put(form.values));
      if (saved.secret !== null) onSecret(saved.secret);
    }, words.saved);
    if (isSaved) onSaved();
  };
  return (
    <Form submission={form} submit={common.save} isDisabled={!mayEdit} onSubmit={save} layout="stack">
      <TextField
        label={words.url}
        hint={words.urlHint}
        type="url"
        required
        maxLength={2_048}
        disabled={!mayEdit}
        {...form.at("url")}
      />
      <SelectField
        label={words.fails}
        options={QUESTION_FAILS.map((fails) => [fails, words.failsNames[fails] ?? fails] as const)}
        disabled={!mayEdit}
        {...form.at("fails")}
      />
      {!mayEdit && <p class="note">{words.ownersOnly}</p>}
    </Form>
  );
}

interface QuestionActionsProps {
  question: Question;
  onChanged: () => void;
  onSecret: (secret: string) => void;
}

function QuestionActions({ question, onChanged, onSecret }: QuestionActionsProps) {
  const isOwner = useMay("owner");
  const { time_zone } = useSession().organisation;
  const trying = useAction();
  const [outcome, setOutcome] = useState<string | null>(null);
  const tryIt = () =>
    trying.run(async () => {
      setOutcome(null);
      const { answer, until, reason, problem, duration_ms } = await call(api.question.try.post());
      const detail = until === null ? (reason ?? problem) : formatTime(until, time_zone);
      setOutcome(words.outcome(words.answers[answer] ?? answer, detail ?? "", duration_ms));
    });
  if (!isOwner) return null;
  return (
    <>
      {question.previous_secret_until !== null && (
        <p class="note">{words.overlap(formatTime(question.previous_secret_until, time_zone))}</p>
      )}
      <div class="actions">
        <Button busy={trying.busy} onClick={tryIt} label={words.tryIt} />
        <ConfirmButton
          look="plain"
          title={words.rotateTitle}
          text={words.rotateText}
          action={words.rotate}
          onConfirm={async () => onSecret((await call(api.question.rotate.post())).secret)}
          done={words.rotated}
          onDone={onChanged}
        />
        <ConfirmButton
          title={words.removeTitle}
          text={words.removeText}
          action={words.remove}
          onConfirm={() => call(api.question.delete())}
          done={words.removed}
          onDone={onChanged}
        />
      </div>
      <Problem text={trying.error} />
      <p role="status">{outcome ?? ""}</p>
    </>
  );
}

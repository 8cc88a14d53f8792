// The organisation's pronunciation list: show, set, remove.
import { useAction } from "../../action.ts";
import { api, call } from "../../client.ts";
import { TextField } from "../../kit/field.tsx";
import { Form } from "../../kit/form.tsx";
import { Button, Card, Problem, Shown } from "../../kit/parts.tsx";
import { Table } from "../../kit/table.tsx";
import { useForm } from "../../kit/use-form.ts";
import { useLoaded } from "../../data.ts";
import { useMay } from "../../session.tsx";
import { said } from "../../words.ts";

const words = said.settings.pronunciationTab;

export function PronunciationTab() {
  const mayEdit = useMay("staff");
  const list = useLoaded(() => call(api.pronunciations.get()), []);
  const { error, run } = useAction();
  const remove = async (word: string) => {
    if (await run(() => call(api.pronunciations.remove.post({ word })), words.removed)) list.reload();
  };
  return (
    <Card title={words.title}>
      <p class="note">{words.note}</p>
      {mayEdit && <SetPronunciation onSet={list.reload} />}
      <Problem text={error} />
      <Shown from={list} isEmpty={({ data }) => data.length === 0} empty={words.nobody}>
        {({ data }) => (
          <Table
            label={words.title}
            class="settings-table"
            rows={data}
            keyOf={({ word }) => word}
            columns={[
              [words.word, ({ word }) => word, { isRowHead: true }],
              [words.said, ({ said }) => said],
              mayEdit && [
                words.remove,
                ({ word }) => (
                  <Button
                    kind="quiet"
                    aria-label={words.removeWord(word)}
                    onClick={() => remove(word)}
                    label={words.remove}
                  />
                ),
                { class: "number", isTitleHidden: true },
              ],
            ]}
          />
        )}
      </Shown>
    </Card>
  );
}

function SetPronunciation({ onSet }: { onSet: () => void }) {
  const form = useForm({ word: "", said: "" }, ["word", "said"]);
  const save = async () => {
    if (!(await form.run(() => call(api.pronunciations.put(form.values)), words.isSet))) return;
    form.reset();
    onSet();
  };
  return (
    <Form submission={form} submit={words.set} onSubmit={save} layout="line">
      <TextField label={words.word} hint={words.wordHint} required maxLength={60} {...form.at("word")} />
      <TextField label={words.said} hint={words.saidHint} required maxLength={60} {...form.at("said")} />
    </Form>
  );
}

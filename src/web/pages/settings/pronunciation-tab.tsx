// Words that the built-in voice says in the organisation's own way: see, set, remove.
import { useState } from "preact/hooks";
import { useAction } from "../../action.ts";
import { api, call } from "../../client.ts";
import { TextField } from "../../kit/field.tsx";
import { Form } from "../../kit/form.tsx";
import { Button, Card, Problem, Shown } from "../../kit/parts.tsx";
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
          <div class="table-wrap settings-table" tabIndex={0} role="region" aria-label={words.title}>
            <table>
              <thead>
                <tr>
                  <th scope="col">{words.word}</th>
                  <th scope="col">{words.said}</th>
                  {mayEdit && (
                    <th scope="col">
                      <span class="visually-hidden">{words.remove}</span>
                    </th>
                  )}
                </tr>
              </thead>
              <tbody>
                {data.map(({ word, said }) => (
                  <tr key={word}>
                    <th scope="row">{word}</th>
                    <td>{said}</td>
                    {mayEdit && (
                      <td class="number">
                        <Button
                          kind="quiet"
                          aria-label={words.removeWord(word)}
                          onClick={() => void remove(word)}
                          label={words.remove}
                        />
                      </td>
                    )}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </Shown>
    </Card>
  );
}

function SetPronunciation({ onSet }: { onSet: () => void }) {
  const [word, setWord] = useState("");
  const [said, setSaid] = useState("");
  const { busy, error, fields, run } = useAction(["word", "said"]);
  const save = async () => {
    if (!(await run(() => call(api.pronunciations.put({ word, said })), words.isSet))) return;
    setWord("");
    setSaid("");
    onSet();
  };
  return (
    <Form submission={{ busy, error, fields }} submit={words.set} onSubmit={save} layout="line">
      <TextField
        label={words.word}
        hint={words.wordHint}
        required
        maxLength={60}
        value={word}
        onValue={setWord}
        error={fields["word"]}
      />
      <TextField
        label={words.said}
        hint={words.saidHint}
        required
        maxLength={60}
        value={said}
        onValue={setSaid}
        error={fields["said"]}
      />
    </Form>
  );
}

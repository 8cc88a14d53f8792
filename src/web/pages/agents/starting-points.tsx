// Library of agent templates, on the page of a new agent.
import { useState } from "preact/hooks";
import type { StartingPoint } from "../../../agents/library/starting-point.ts";
import { Confirm } from "../../kit/dialog.tsx";
import { SelectField } from "../../kit/field.tsx";
import { Button, Card, Shown } from "../../kit/parts.tsx";
import type { Loaded } from "../../data.ts";
import { ownName } from "../../language.ts";
import { said, spokenLanguages } from "../../words.ts";

const words = said.agents.startingPoints;

export function StartingPoints({
  library,
  language,
  onLanguage,
  isWritten,
  onTake,
}: {
  library: Loaded<readonly StartingPoint[]>;
  /** Language of the templates. */
  language: string;
  onLanguage: (language: string) => void;
  /** The form has input that would be lost. */
  isWritten: boolean;
  onTake: (point: StartingPoint) => void;
}) {
  const [taken, setTaken] = useState<StartingPoint | null>(null);
  const [asked, setAsked] = useState<StartingPoint | null>(null);
  const take = (point: StartingPoint) => {
    onTake(point);
    setTaken(point);
    setAsked(null);
  };
  return (
    <Card title={words.title}>
      <p class="note">{words.note}</p>
      <div class="form">
        <SelectField
          label={words.language}
          value={language}
          onValue={onLanguage}
          options={spokenLanguages.map((tag) => [tag, ownName(tag)] as const)}
        />
      </div>
      <Shown from={library}>
        {(points) => (
          <ul class="starting-points">
            {points.map((point) => (
              <li key={point.id}>
                <h3>{point.title}</h3>
                <p class="note">{point.about}</p>
                <Button
                  onClick={() => (isWritten && taken !== point ? setAsked(point) : take(point))}
                  label={
                    <>
                      {words.take} <span class="visually-hidden">“{point.title}”</span>
                    </>
                  }
                />
              </li>
            ))}
          </ul>
        )}
      </Shown>
      <div role="status">
        {taken && (
          <div class="notice">
            <p>{words.taken(taken.title)}</p>
            <p>{words.needs}</p>
            <ul>
              {taken.needs.map(({ name, meaning }) => (
                <li key={name}>
                  <code>{name}</code>: {meaning}
                </li>
              ))}
            </ul>
          </div>
        )}
      </div>
      <Confirm
        title={words.replaceTitle}
        text={words.replaceText}
        action={words.replace}
        open={asked !== null}
        onClose={() => setAsked(null)}
        onConfirm={async () => asked && take(asked)}
      />
    </Card>
  );
}

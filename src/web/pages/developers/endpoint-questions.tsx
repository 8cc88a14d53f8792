// What is asked before an endpoint is switched, rotated or deleted, and what each means.
import { useState } from "preact/hooks";
import { api, call } from "../../client.ts";
import { sayDone } from "../../kit/toasts.tsx";
import { Confirm } from "../../kit/dialog.tsx";
import type { Endpoint } from "./endpoint-form.tsx";
import { said } from "../../words.ts";

const words = said.developers.endpointQuestions;

export type Question = "rotate" | "disable" | "enable" | "delete";

export interface EndpointQuestionsProps {
  endpoint: Endpoint;
  question: Question | null;
  onClose: () => void;
  onChanged: () => void;
  onSecret: (secret: string) => void;
}

export function EndpointQuestions({ endpoint, question, onClose, onChanged, onSecret }: EndpointQuestionsProps) {
  const [sendHeld, setSendHeld] = useState(true);
  const target = api.endpoints({ id: endpoint.endpoint_id });
  const held = endpoint.deliveries["held"] ?? 0;
  const done = (text: string) => {
    sayDone(text);
    onChanged();
  };
  return (
    <>
      <Confirm
        onClose={onClose}
        {...words.rotate}
        kind="primary"
        open={question === "rotate"}
        onConfirm={async () => {
          onSecret((await call(target.rotate.post())).secret);
          onChanged();
        }}
      />
      <Confirm
        onClose={onClose}
        title={words.disable.title}
        text={words.disable.text}
        action={words.disable.action}
        open={question === "disable"}
        onConfirm={async () => {
          await call(target.disable.post());
          done(words.disable.done);
        }}
      />
      <Confirm
        onClose={onClose}
        title={words.enable.title}
        text={words.enable.text(held)}
        action={words.enable.action}
        kind="primary"
        open={question === "enable"}
        onConfirm={async () => {
          await call(target.enable.post({ send_held: sendHeld }));
          done(words.enable.done);
        }}
      >
        {held > 0 && (
          <fieldset class="choices">
            <legend>{words.enable.choice}</legend>
            {([true, false] as const).map((choice) => (
              <label key={String(choice)} class="checkbox">
                <input type="radio" name="held" checked={sendHeld === choice} onChange={() => setSendHeld(choice)} />
                <span>{choice ? words.enable.send : words.enable.drop}</span>
              </label>
            ))}
          </fieldset>
        )}
      </Confirm>
      <Confirm
        onClose={onClose}
        title={words.delete.title}
        text={words.delete.text}
        action={words.delete.action}
        open={question === "delete"}
        onConfirm={async () => {
          await call(target.delete());
          done(words.delete.done);
        }}
      />
    </>
  );
}

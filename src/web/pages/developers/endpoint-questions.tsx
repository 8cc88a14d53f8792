// What is asked before an endpoint is switched, rotated or deleted, and what each means.
import { useState } from "preact/hooks";
import { api, call } from "../../client.ts";
import { sayDone } from "../../components/toasts.tsx";
import { Confirm } from "./confirm.tsx";
import type { Endpoint } from "./endpoint-form.tsx";

const words = {
  rotate: {
    title: "Make a new signing secret?",
    text: "You see the new secret once. For 24 hours deliveries carry a signature of the old secret and one of the new, so nothing is refused while you change your receiver. After that only the new one counts.",
    action: "Make a new secret",
  },
  disable: {
    title: "Switch the endpoint off?",
    text: "Nothing is sent to it. Events that happen meanwhile are held, and you choose what becomes of them when you switch it on again.",
    action: "Switch off",
    done: "The endpoint is off.",
  },
  enable: {
    title: "Switch the endpoint on?",
    text: (held: number) =>
      held === 0
        ? "Nothing was held while it was off."
        : `${held} ${held === 1 ? "delivery was" : "deliveries were"} held while it was off.`,
    choice: "What was held",
    send: "Send what was held, in its order",
    drop: "Give it up: it stays in the log and can be replayed",
    action: "Switch on",
    done: "The endpoint is on.",
  },
  delete: {
    title: "Delete the endpoint?",
    text: "Its deliveries and their log are deleted with it. Events that are waiting for it are never sent. This cannot be taken back.",
    action: "Delete the endpoint",
    done: "The endpoint is deleted.",
  },
};

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

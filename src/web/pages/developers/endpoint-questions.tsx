// What is asked before an endpoint is switched, rotated or deleted, and what each means.
import { useState } from "preact/hooks";
import { api, call } from "../../client.ts";
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
  const common = { onClose, onDone: onChanged };
  return (
    <>
      <Confirm
        {...common}
        {...words.rotate}
        kind="primary"
        open={question === "rotate"}
        onConfirm={async () => onSecret((await call(target.rotate.post())).secret)}
      />
      <Confirm
        {...common}
        {...words.disable}
        open={question === "disable"}
        onConfirm={() => call(target.disable.post())}
      />
      <Confirm
        {...common}
        title={words.enable.title}
        text={words.enable.text(held)}
        action={words.enable.action}
        done={words.enable.done}
        kind="primary"
        open={question === "enable"}
        onConfirm={() => call(target.enable.post({ send_held: sendHeld }))}
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
      <Confirm {...common} {...words.delete} open={question === "delete"} onConfirm={() => call(target.delete())} />
    </>
  );
}

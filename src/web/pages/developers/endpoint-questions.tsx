// Confirmations before an endpoint is enabled, disabled, rotated or deleted.
import { useState } from "preact/hooks";
import { api, call } from "../../client.ts";
import { Confirm } from "../../kit/dialog.tsx";
import { Radios } from "../../kit/field.tsx";
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
          <Radios
            legend={words.enable.choice}
            name="held"
            options={[
              ["send", words.enable.send],
              ["drop", words.enable.drop],
            ]}
            value={sendHeld ? "send" : "drop"}
            onValue={(choice) => setSendHeld(choice === "send")}
          />
        )}
      </Confirm>
      <Confirm {...common} {...words.delete} open={question === "delete"} onConfirm={() => call(target.delete())} />
    </>
  );
}

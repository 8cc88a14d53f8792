// Explanations of model server faults. They contain nothing that was sent or received.
import { ServerFault } from "../port.ts";

const STATUS_WORDS: Readonly<Record<number, string>> = {
  400: "it does not understand the request; is the model's name right, and can it do this?",
  401: "it refuses the key",
  403: "it refuses the key",
  404: "it does not know the address or the model",
  422: "it does not understand the request; is the model's name right, and can it do this?",
  429: "it is too busy",
};

export function faultWords(error: unknown): string {
  const { kind, status } = error instanceof ServerFault ? error : new ServerFault("garbage");
  switch (kind) {
    case "timeout":
    case "aborted":
      return "no answer came in time.";
    case "refused":
      return "no connection. Is it running, and is its certificate trusted here?";
    case "tooLong":
      return "its answer is too long.";
    case "garbage":
      return "its answer is not what the OpenAI-compatible API says.";
    case "status":
      return statusWords(status ?? 0);
  }
}

function statusWords(status: number): string {
  const isElsewhere = status >= 300 && status < 400;
  const reason = STATUS_WORDS[status] ?? (isElsewhere ? "it sends us elsewhere, which is not followed" : null);
  return reason === null ? `it answers with status ${status}.` : `${reason} (status ${status}).`;
}

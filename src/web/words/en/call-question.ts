// English texts of the question before a call.
import { formatNumber } from "../../format.ts";

export const callQuestion = {
  title: "Question before each call",
  note: "Right before dialling, Ringward asks your own system whether the call may go out: the patient may have died, been admitted or already come. It sends a signed POST with the call, agent, purpose and number, without the name, and waits 2 seconds for go, wait or drop.",
  url: "Address",
  urlHint: "https only, with the same rules for private addresses as webhook endpoints.",
  fails: "Without an answer",
  failsNames: {
    closed: "The call waits, and is asked about again",
    open: "The call goes out",
  } as Record<string, string>,
  ownersOnly: "Only an owner can change this.",
  saved: "Saved. The next call is asked about.",
  secretTitle: "Signing secret of the question",
  secret: "Signing secret",
  tryIt: "Try it",
  answers: { go: "Go", wait: "Wait", drop: "Drop", failed: "No valid answer" } as Record<string, string>,
  outcome: (answer: string, detail: string, ms: number) =>
    `${answer}${detail === "" ? "" : `: ${detail}`} (${formatNumber(ms)} ms)`,
  overlap: (until: string) => `Until ${until}, webhook-signature also carries a signature by the old secret.`,
  rotate: "New secret",
  rotateTitle: "Make a new signing secret?",
  rotateText: "Give your system the new secret at once: x-webhook-signature uses it from the next question.",
  rotated: "The new secret is shown above.",
  remove: "Stop asking",
  removeTitle: "Stop asking before calls?",
  removeText: "Calls go out without a question, those that wait for an answer too.",
  removed: "Calls go out without a question.",
};

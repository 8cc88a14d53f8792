// The agent's words right before an utterance of the callee.
import type { Utterance } from "../../payloads/conversation.ts";

/** Everything since the callee's previous utterance; empty if nothing. */
export function agentBefore(said: readonly Pick<Utterance, "speaker" | "text">[], index: number): string {
  const texts: string[] = [];
  for (let at = index - 1; at >= 0; at--) {
    const one = said[at];
    if (one?.speaker !== "agent") break;
    texts.unshift(one.text);
  }
  return texts.join(" ");
}

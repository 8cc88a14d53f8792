// What the agent said last before an utterance of the callee.
import type { Utterance } from "../../payloads/conversation.ts";

/** Everything since the callee spoke before; empty where that is nothing. */
export function agentBefore(said: readonly Pick<Utterance, "speaker" | "text">[], index: number): string {
  const texts: string[] = [];
  for (let at = index - 1; at >= 0; at--) {
    const one = said[at];
    if (one?.speaker !== "agent") break;
    texts.unshift(one.text);
  }
  return texts.join(" ");
}

// What is said while something takes a moment. It is made before anybody waits for it.
import { linesIn } from "../conversation/lines/languages.ts";
import type { SpokenLine } from "../keypad/words.ts";
import type { AgentBrief, AgentTools } from "../port.ts";

/** The first one first. What is built in takes a moment only where the machine is too slow for calls; servers may at any time. */
export function coversFor({ language, models }: AgentBrief, { chat }: AgentTools): readonly SpokenLine[] {
  const { filler, stillThere } = linesIn(language);
  return models || chat ? [filler, stillThere] : [];
}

// The errands of one call agent: their waits are covered by fillers, and the desk is called while the callee waits.
import type { Line } from "../../telephony/port.ts";
import type { TalkContext } from "../conversation/moves.ts";
import { consultDesk } from "./consulting.ts";
import { coverDesk } from "./covers.ts";
import { createErrands, type Errands } from "./errands.ts";
import type { PhraseSounds } from "./phrase-sounds.ts";
import type { Speaking } from "./speaking.ts";
import type { TalkingAgentOptions } from "./talk-call.ts";

export function errandsFor(
  { clock, logger, brief, tools, start }: TalkingAgentOptions,
  parts: {
    sounds: PhraseSounds;
    /** A function, because the voice is created later. */
    speaking(): Speaking;
    context(): TalkContext;
    /** The call is still up. */
    isCurrent(): boolean;
  },
): Errands {
  const { sounds, speaking, context, isCurrent } = parts;
  return createErrands({
    clock,
    logger,
    desk: tools.desk,
    transferTo: brief.transferTo,
    waits: (answered) => start(() => coverDesk(speaking(), brief, answered)),
    consult: (line: Line, target: string) =>
      consultDesk({ clock, line, target, sounds, isCurrent, speaking: speaking(), ...context() }),
  });
}

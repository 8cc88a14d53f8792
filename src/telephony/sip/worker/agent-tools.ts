// What an agent on a SIP call works with: prompts that are here already; voice and calendar, asked of the main thread.
import type { AgentTools } from "../../../voice/port.ts";
import type { BookingDesk } from "../../port.ts";
import type { CallOrder } from "../protocol.ts";
import type { Ask } from "./questions.ts";

/** The prompts are looked up now: they may be forgotten for later calls while this one lasts. */
export function createAgentTools(order: CallOrder, prompts: ReadonlyMap<string, Int16Array>, ask: Ask): AgentTools {
  const recorded = new Map(Object.entries(order.prompts).map(([kind, key]) => [kind, prompts.get(key) ?? null]));
  return {
    recorded: (kind) => recorded.get(kind) ?? null,
    speak: (text) => ask({ kind: "speak", text }).catch(() => null),
    desk: order.hasDesk ? createDesk(order.canBook, ask) : null,
  };
}

function createDesk(canBook: boolean, ask: Ask): BookingDesk {
  return {
    canBook,
    appointment: () => ask({ kind: "appointment" }),
    confirm: () => ask({ kind: "confirm" }),
    requestChange: () => ask({ kind: "requestChange" }),
    offer: (most) => ask({ kind: "offer", most }),
    book: (label) => ask({ kind: "book", label }),
  };
}

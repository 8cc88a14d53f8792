// Who answers a simulated call: what they do at the answer, and what they press when they have heard the agent out.
import type { Ending } from "./test-numbers.ts";

export type Act = { do: "press"; key: string } | { do: "say"; words: string } | { do: "hangUp" };

export interface Callee {
  /** Without waiting for the agent. */
  atAnswer: { afterSeconds: number; act: Act } | null;
  /** Null: they go on listening. `heard` is everything that the agent has said since they last did something. */
  reactTo(heard: string): Act | null;
}

/** The first that was heard counts. A key in brackets is the one that the agent named. */
type Wish = readonly [heard: RegExp, key?: string];

const listening = (...wishes: Wish[]): Callee => ({
  atAnswer: null,
  reactTo(heard) {
    for (const [pattern, key] of wishes) {
      const pressed = key ?? pattern.exec(heard)?.[1];
      if (pressed !== undefined && pattern.test(heard)) return { do: "press", key: pressed };
    }
    return null;
  },
});

const atOnce = (afterSeconds: number, act: Act): Callee => ({ atAnswer: { afterSeconds, act }, reactTo: () => null });

const CALLEES: Readonly<Record<Ending, Callee>> = {
  // Takes the first place that is offered, books where that is possible, and otherwise says yes.
  session_ended: listening([/Press (\d) for \w+day/], [/Press (\d) to book/], [/Press 1\b/, "1"]),
  not_interested: listening([/Press (\d) if you do not want/]),
  callback_scheduled: listening([/Press (\d) to be called/]),
  transferred: listening([/Press (\d) to speak to a person/]),
  ended_by_customer: atOnce(2, { do: "hangUp" }),
  voicemail: atOnce(1, {
    do: "say",
    words: "The person you have called cannot come to the telephone. Please leave a message after the tone.",
  }),
};

export const calleeFor = (ending: Ending): Callee => CALLEES[ending];

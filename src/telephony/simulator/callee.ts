// Who answers a simulated call: what they do at the answer, and what they press when they have heard the agent out.
export type Act = { do: "press"; key: string } | { do: "say"; words: string } | { do: "hangUp" };

export interface Callee {
  /** Without waiting for the agent. */
  atAnswer: { afterSeconds: number; act: Act } | null;
  /** Null: they go on listening. `heard` is everything that the agent has said since they last did something. */
  reactTo(heard: string): Act | null;
  /** What becomes of it when they are sent on to somebody else. */
  transferIs: "answered" | "refused";
}

/** The first that was heard counts. A key in brackets is the one that the agent named. */
type Wish = readonly [heard: RegExp, key?: string];

const listening = (...wishes: Wish[]): Callee => ({
  transferIs: "answered",
  atAnswer: null,
  reactTo(heard) {
    for (const [pattern, key] of wishes) {
      const pressed = key ?? pattern.exec(heard)?.[1];
      if (pressed !== undefined && pattern.test(heard)) return { do: "press", key: pressed };
    }
    return null;
  },
});

const atOnce = (afterSeconds: number, act: Act): Callee => ({
  transferIs: "answered",
  atAnswer: { afterSeconds, act },
  reactTo: () => null,
});

/** By what they want. Whether it comes to that is for the agent and the calendar to say. */
export const CALLEES = {
  // Takes the first place that is offered, books where that is possible, and otherwise says yes.
  agreeable: listening([/Press (\d) for \w+day/], [/Press (\d) to book/], [/Press 1\b/, "1"]),
  notInterested: listening([/Press (\d) if you do not want/]),
  busyNow: listening([/Press (\d) to be called/]),
  wantsPerson: listening([/Press (\d) to speak to a person/]),
  inHurry: atOnce(2, { do: "hangUp" }),
  voicemail: atOnce(1, {
    do: "say",
    words: "The person you have called cannot come to the telephone. Please leave a message after the tone.",
  }),
} as const satisfies Record<string, Callee>;

// Findings of a model server trial.

export interface Finding {
  /** `missing`: usable without it, with limitations. */
  verdict: "works" | "missing" | "fails";
  words: string;
}

export interface ServerTrial {
  /** Whether calls can use it. */
  isUsable: boolean;
  findings: Finding[];
}

// What a trial of a model server found.

export interface Finding {
  /** `missing`: it works without, but less well. */
  verdict: "works" | "missing" | "fails";
  words: string;
}

export interface ServerTrial {
  /** Whether calls can use it. */
  isUsable: boolean;
  findings: Finding[];
}

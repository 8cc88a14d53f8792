// What a part of ./scripts/bench is and what it finds. Each measures against a bare limit or a smaller size in the same
// run: alone, a figure tells more of the machine than of us.

export interface How {
  /** A short form: all parts together take about three minutes on a quiet machine. */
  quick: boolean;
  /** The part's own options, those after `--`. */
  args?: string[];
}

export interface Finding {
  measure: string;
  /** In words with a unit. */
  here: string;
  /** The same for the bare limit or the smaller size, which it names. */
  against: string;
  ratio: number | null;
  goal: string | null;
  /** null where there is no goal, or where the short form cannot tell. */
  holds: boolean | null;
}

export interface Bench {
  name: string;
  /** One line for --list. */
  about: string;
  /** It measures code alone, so that nothing has to be built for it. */
  withoutExecutable?: true;
  run(how: How): Promise<Finding[]>;
}

/** Something that this machine does not have: the part is skipped, and has not failed. */
export class Missing extends Error {}

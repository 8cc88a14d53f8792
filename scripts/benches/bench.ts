// Types of a benchmark part and its findings. Each part measures against a baseline or a smaller size in the same run,
// because an absolute figure says more about the machine than about Ringward.

export interface How {
  /** Short form: all parts together take about three minutes on an idle machine. */
  quick: boolean;
  /** Options of the part, given after `--`. */
  args?: string[];
}

export interface Finding {
  measure: string;
  /** Formatted, with a unit. */
  here: string;
  /** The same for the baseline or the smaller size, with its name. */
  against: string;
  ratio: number | null;
  goal: string | null;
  /** Null if there is no goal, or if the short form cannot decide. */
  holds: boolean | null;
}

export interface Bench {
  name: string;
  /** One line for --list. */
  about: string;
  /** Needs no executable, so nothing has to be built. */
  withoutExecutable?: true;
  run(how: How): Promise<Finding[]>;
}

/** A missing program: the part is skipped instead of failed. */
export class Missing extends Error {}

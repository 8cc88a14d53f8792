// What a run of talk-trials comes to: by room and by voice how many calls were right, and why each of the others was not.

export interface TrialResult {
  room: string;
  voice: string;
  /** Of the case. */
  name: string;
  /** Nothing where all is as it should be. */
  faults: readonly string[];
  isWrongBooking: boolean;
  /** An emergency was to come of it. */
  isAlarm: boolean;
  /** Somebody was not understood twice, and pressed a key. */
  hasKeys: boolean;
  /** The recogniser did not answer in time, or the detector was lost. */
  isDeaf: boolean;
}

/** Least shares of right calls by room, in voices that people have; robotic ones are in the table alone. */
const GOALS: Readonly<Record<string, number>> = { quiet: 0.95, "10": 0.85 };

/** One line for each goal, and whether it was reached. */
export function trialGoals(results: readonly TrialResult[], isRobotic: (voice: string) => boolean): string[] {
  const people = results.filter(({ voice }) => !isRobotic(voice));
  const shares = Object.entries(GOALS).flatMap(([room, least]) => {
    const group = people.filter((each) => each.room === room);
    if (group.length === 0) return [];
    const share = group.filter(({ faults }) => faults.length === 0).length / group.length;
    const figures = `${(100 * share).toFixed(0)} % of ${group.length} right, ${100 * least} % wanted`;
    return [`${share >= least ? "reached" : "MISSED "}  room ${room}: ${figures}`];
  });
  const wrong = results.filter(({ isWrongBooking }) => isWrongBooking).length;
  const missed = results.filter(
    ({ faults, isAlarm }) => isAlarm && faults.some((fault) => fault.startsWith("it came to")),
  ).length;
  return [
    ...shares,
    `${wrong === 0 ? "reached" : "MISSED "}  wrong effects: ${wrong}, 0 wanted`,
    `${missed === 0 ? "reached" : "MISSED "}  alarms that came to something else: ${missed}, 0 wanted`,
  ];
}

const HEAD = ["condition", "calls", "right", "", "wrong", "wrong bookings", "with a key", "not heard"];

export function trialTable(results: readonly TrialResult[]): string {
  const groups = new Map<string, TrialResult[]>();
  const put = (name: string, result: TrialResult) => groups.set(name, [...(groups.get(name) ?? []), result]);
  for (const result of results) put(`room ${result.room}`, result);
  for (const result of results) put(`voice ${result.voice}`, result);
  for (const result of results) put("all", result);
  const rows = [HEAD, ...Array.from(groups, ([name, group]) => rowOf(name, group))];
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const padded = rows.map((row) =>
    row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))),
  );
  return [...padded.map((row) => row.join("  ")), "", ...reasons(results)].join("\n");
}

function rowOf(name: string, group: readonly TrialResult[]): string[] {
  const count = (holds: (result: TrialResult) => boolean) => group.filter(holds).length;
  const right = count(({ faults }) => faults.length === 0);
  const share = `${((100 * right) / group.length).toFixed(0)} %`;
  const rest = [count((each) => each.isWrongBooking), count((each) => each.hasKeys), count((each) => each.isDeaf)];
  return [name, String(group.length), String(right), share, String(group.length - right), ...rest.map(String)];
}

function reasons(results: readonly TrialResult[]): string[] {
  const wrong = results.filter(({ faults }) => faults.length > 0);
  if (wrong.length === 0) return ["None was wrong."];
  return wrong.map(({ name, room, voice, faults, isWrongBooking, isDeaf }) => {
    const marks = [isWrongBooking ? "WRONG BOOKING" : "", isDeaf ? "not heard in time" : ""].filter(
      (mark) => mark !== "",
    );
    return `wrong: ${name} (${[room, voice, ...marks].join(", ")}): ${faults.join("; ")}`;
  });
}

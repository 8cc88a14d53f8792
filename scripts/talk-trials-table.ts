// Results of talk-trials: correct calls by room and voice, and the fault of each other call.

export interface TrialResult {
  room: string;
  voice: string;
  /** Name of the case. */
  name: string;
  /** Empty if the call is correct. */
  faults: readonly string[];
  isWrongBooking: boolean;
  /** The expected outcome is an emergency. */
  isAlarm: boolean;
  /** The callee was not understood twice, and pressed a key. */
  hasKeys: boolean;
  /** The patient's longest wait for the agent, without delays caused by the machine. */
  silenceMs: number;
  /** The recogniser timed out, or voice activity detection was lost. */
  isDeaf: boolean;
}

/** Minimum share of correct calls by room, for natural voices; robotic ones appear only in the table. */
const GOALS: Readonly<Record<string, number>> = { quiet: 0.95, "10": 0.85 };

const MOST_SILENCE_MS = 3_000;

export interface TrialGoal {
  isReached: boolean;
  words: string;
}

/** A missed alarm: the outcome is neither an emergency nor a person. */
const LOST_ALARM = /^it came to (?!emergency|not_understood|transferred|person_wanted)/;

export function trialGoals(results: readonly TrialResult[], isRobotic: (voice: string) => boolean): TrialGoal[] {
  const people = results.filter(({ voice }) => !isRobotic(voice));
  const shares = Object.entries(GOALS).flatMap(([room, least]) => {
    const group = people.filter((each) => each.room === room);
    if (group.length === 0) return [];
    const share = group.filter(({ faults }) => faults.length === 0).length / group.length;
    const figures = `${(100 * share).toFixed(0)} % of ${group.length} right, ${100 * least} % wanted`;
    return [{ isReached: share >= least, words: `room ${room}: ${figures}` }];
  });
  const wrong = results.filter(({ isWrongBooking }) => isWrongBooking).length;
  const lost = results.filter(
    ({ faults, isAlarm }) => isAlarm && faults.some((fault) => LOST_ALARM.test(fault)),
  ).length;
  const longest = results.reduce((most, { silenceMs }) => Math.max(most, silenceMs), 0);
  return [
    ...shares,
    { isReached: wrong === 0, words: `wrong effects: ${wrong}, 0 wanted` },
    { isReached: lost === 0, words: `alarms that ended in goodbye: ${lost}, 0 wanted` },
    {
      isReached: longest <= MOST_SILENCE_MS,
      words: `longest silence of the agent: ${seconds(longest)} s, ${seconds(MOST_SILENCE_MS)} s at most`,
    },
  ];
}

const seconds = (ms: number) => (ms / 1_000).toFixed(1);

const HEAD = ["condition", "calls", "right", "", "wrong", "wrong bookings", "with a key", "not heard", "silence"];

export function trialTable(results: readonly TrialResult[], isRobotic: (voice: string) => boolean): string {
  const groups = new Map<string, TrialResult[]>();
  const put = (name: string, result: TrialResult) => groups.set(name, [...(groups.get(name) ?? []), result]);
  for (const result of results) put(`room ${result.room}`, result);
  for (const result of results) put(`voice ${result.voice}`, result);
  for (const result of results) put(isRobotic(result.voice) ? "robotic voices" : "other voices", result);
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
  const silence = `${seconds(Math.max(...group.map(({ silenceMs }) => silenceMs)))} s`;
  return [name, String(group.length), String(right), share, String(group.length - right), ...rest.map(String), silence];
}

function reasons(results: readonly TrialResult[]): string[] {
  const wrong = results.filter(({ faults, silenceMs }) => faults.length > 0 || silenceMs > MOST_SILENCE_MS);
  if (wrong.length === 0) return ["None was wrong."];
  return wrong.map(({ name, room, voice, faults, isWrongBooking, isDeaf, silenceMs }) => {
    const silence = silenceMs > MOST_SILENCE_MS ? `silent for ${seconds(silenceMs)} s` : "";
    const marks = [isWrongBooking ? "WRONG BOOKING" : "", isDeaf ? "not heard in time" : "", silence].filter(
      (mark) => mark !== "",
    );
    return `wrong: ${name} (${[room, voice, ...marks].join(", ")}): ${faults.join("; ")}`;
  });
}

// What a run of talk-trials comes to: by room and by voice how many calls were right, and why each of the others was not.

export interface TrialResult {
  room: string;
  voice: string;
  /** Of the case. */
  name: string;
  /** Nothing where all is as it should be. */
  faults: readonly string[];
  isWrongBooking: boolean;
  /** Somebody was not understood twice, and pressed a key. */
  hasKeys: boolean;
  /** The recogniser did not answer in time, or the detector was lost. */
  isDeaf: boolean;
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

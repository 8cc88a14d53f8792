// Results of alarm-phrases as Markdown tables for the handbook, worst row first.
import { PATIENT_VOICES } from "../test/support/patient/voices.ts";
import type { Cried, Ordinary } from "./alarm-calls.ts";

interface Spoken {
  voice: string;
  room: string;
  sentence: string;
}
export type CryResult = Spoken & Cried & { kind: "cry" };
export type OrdinaryResult = Spoken & Ordinary & { kind: "ordinary" };
export type AlarmResult = CryResult | OrdinaryResult;

const percent = (part: number, all: number) => `${((100 * part) / Math.max(1, all)).toFixed(1)} %`;
const isRobotic = (voice: string) => PATIENT_VOICES[voice]?.isRobotic ?? false;
const isCry = (result: AlarmResult): result is CryResult => result.kind === "cry";

function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [head, head.map((_, at) => (at < 2 ? "---" : "---:")), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");

const wasFound = ({ first }: CryResult) => first !== "none";
const count = <Item>(items: readonly Item[], holds: (item: Item) => boolean) => items.filter(holds).length;

function cryRow(name: readonly string[], cries: readonly CryResult[]): string[] {
  const found = (holds: (cry: CryResult) => boolean) => percent(count(cries, holds), cries.length);
  return [
    ...name,
    String(cries.length),
    found(({ first }) => first === "phrase"),
    found(wasFound),
    String(count(cries, ({ last }) => last === "none")),
  ];
}

export function alarmTables(results: readonly AlarmResult[]): string {
  const cries = results.filter(isCry);
  const ordinary = results.filter((result): result is OrdinaryResult => !isCry(result));
  const head = ["cries, first saying", "phrase at once", "phrase or question", "never found"];
  const share = (each: readonly CryResult[]) => count(each, wasFound) / Math.max(1, each.length);
  const worstFirst = (groups: Map<string, CryResult[]>) => [...groups].toSorted(([, a], [, b]) => share(a) - share(b));
  const kind = (voice: string) => (isRobotic(voice) ? "robotic" : "human-like");
  const byRoom = worstFirst(grouped(cries, ({ voice, room }) => `${kind(voice)}|${room}`));
  const byVoice = worstFirst(grouped(cries, ({ voice, room }) => `${voice}|${room}`));
  const byOrdinaryRoom = [...grouped(ordinary, ({ room }) => room), ["all", ordinary] as const];
  return [
    table(
      ["voices", "room", ...head],
      byRoom.map(([name, group]) => cryRow(name.split("|"), group)),
    ),
    table(
      ["voice", "room", ...head],
      byVoice.map(([name, group]) => cryRow(name.split("|"), group)),
    ),
    table(
      ["ordinary calls", "calls", "false alarms", "asked needlessly"],
      byOrdinaryRoom.map(([room, group]) => [
        room,
        String(group.length),
        String(count(group, ({ reaction }) => reaction === "phrase")),
        String(count(group, ({ reaction }) => reaction === "question")),
      ]),
    ),
  ].join("\n\n");
}

// Sources: the hospital's own systems. Branches and services in their settings are given by name.
import { CLI_ACTOR } from "../../core/actor.ts";
import type { Row } from "./file-schema.ts";
import { actionFor, differing, givenOf, picked, type Ground, type Step } from "./ground.ts";

type Given = Row<"sources">;
type Settings = Record<string, unknown>;

/** Stands for an id that the run will make, so that the settings can be checked before. */
const NOT_MADE_YET = "00000000-0000-0000-0000-000000000000";

/** Names in settings → the field of the API that has their id. */
const NAMED = {
  branch: { kind: "branches", field: "branch_id" },
  default_branch: { kind: "branches", field: "default_branch_id" },
  service: { kind: "services", field: "appointment_type_id" },
} as const;

export async function planSources(ground: Ground): Promise<Step[]> {
  const given = ground.file.sources;
  if (!given) return [];
  const { sources } = ground.services;
  const all = await ground.stored((id) => sources.all(id));
  ground.assertDistinct(
    "sources",
    given.map(({ name }) => name.trim()),
  );
  const steps = given.map((row, i) => sourceStep(ground, `sources[${i}]`, row, all));
  const others = all.filter(({ name }) => !given.some((row) => row.name.trim() === name));
  ground.later(
    ground.rest("sources", others, ({ name, source_id }) => ({
      name,
      run: async () => void (await sources.remove(ground.org, source_id, false, CLI_ACTOR)),
    })),
  );
  return steps;
}

type Stored = Awaited<ReturnType<Ground["services"]["sources"]["all"]>>[number];

function sourceStep(ground: Ground, path: string, row: Given, all: readonly Stored[]): Step {
  const { sources } = ground.services;
  const name = row.name.trim();
  const stored = all.find((each) => each.name === name);
  if (stored && stored.kind !== row.kind) ground.fault(`${path}.kind`, "cannot change. Give it another name.");
  assertNamesKnown(ground, `${path}.settings`, row.settings);
  const wanted = () => givenOf({ settings: withIds(ground, row.settings), owns: row.owns, enabled: row.enabled });
  if (!stored || row.settings !== undefined)
    ground.checked(`${path}.settings`, () => sources.checkedSettings(row.kind, wanted().settings ?? {}));
  const fields = stored ? differing(wanted(), stored) : [];
  return {
    kind: "sources",
    name,
    action: actionFor(stored !== undefined, fields),
    fields,
    run: async () => {
      // Read again: what it names is made by now.
      if (stored) await sources.change(ground.org, stored.source_id, picked(wanted(), fields), CLI_ACTOR);
      else await sources.create(ground.org, { name, kind: row.kind, ...wanted() }, CLI_ACTOR);
    },
  };
}

function withIds(ground: Ground, settings: Settings | undefined): Settings | undefined {
  if (settings === undefined) return undefined;
  const entries = Object.entries(settings).map(([key, value]): [string, unknown] => {
    if (isNamed(key) && typeof value === "string")
      return [NAMED[key].field, ground.idOf(NAMED[key].kind, value) ?? NOT_MADE_YET];
    if (!Array.isArray(value)) return [key, value];
    return [key, value.map((each: unknown) => (isTable(each) ? withIds(ground, each) : each))];
  });
  return Object.fromEntries(entries);
}

function assertNamesKnown(ground: Ground, path: string, settings: Settings | undefined): void {
  for (const [key, value] of Object.entries(settings ?? {})) {
    if (isNamed(key) && typeof value === "string") ground.refer(NAMED[key].kind, value, `${path}.${key}`);
    if (Array.isArray(value))
      for (const [i, each] of value.entries())
        if (isTable(each)) assertNamesKnown(ground, `${path}.${key}[${i}]`, each);
  }
}

const isNamed = (key: string): key is keyof typeof NAMED => Object.hasOwn(NAMED, key);
const isTable = (value: unknown): value is Settings =>
  typeof value === "object" && value !== null && !Array.isArray(value);

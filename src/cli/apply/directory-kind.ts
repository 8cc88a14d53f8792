// Branches and services of the calendar, by their id if the file gives one, otherwise by their name.
import { CLI_ACTOR } from "../../core/actor.ts";
import { isTimeZone } from "../../core/zones.ts";
import { orNull, type Row } from "./file-schema.ts";
import { actionFor, differing, givenOf, type Ground, type Step } from "./ground.ts";

interface Stored {
  id: string;
  name: string | null;
  time_zone?: string | null;
}

export async function planBranches(ground: Ground): Promise<Step[]> {
  const { directory } = ground.services;
  const all = await ground.stored((id) => directory.branches(id));
  for (const branch of all) if (branch.name !== null) ground.knows("branches", branch.name, branch.id);
  const given = ground.file.branches;
  if (!given) return [];
  const rows = matched(ground, "branches", given, all);
  const steps = rows.map(({ row, stored, id }, i): Step => {
    const zone = row.time_zone === undefined ? undefined : orNull(row.time_zone);
    if (zone && !isTimeZone(zone)) ground.fault(`branches[${i}].time_zone`, "must be an IANA name.");
    const wanted = givenOf({ name: row.name.trim(), time_zone: zone });
    const fields = stored ? differing(wanted, stored) : [];
    return {
      kind: "branches",
      name: row.name,
      action: actionFor(stored !== undefined, fields),
      fields,
      run: async () => {
        const change = givenOf({ name: row.name, timeZone: zone });
        await directory.setBranch(ground.org, id, change, CLI_ACTOR);
        ground.knows("branches", row.name, id);
      },
    };
  });
  const others = all.filter((each) => !rows.some(({ stored }) => stored === each));
  ground.later(
    ground.rest("branches", others, ({ id, name }) => ({
      name: name ?? id,
      run: () => directory.archiveBranch(ground.org, id, CLI_ACTOR),
    })),
  );
  return steps;
}

export async function planServices(ground: Ground): Promise<Step[]> {
  const { directory } = ground.services;
  const all = await ground.stored((id) => directory.services(id));
  for (const service of all) if (service.name !== null) ground.knows("services", service.name, service.id);
  return matched(ground, "services", ground.file.services ?? [], all).map(({ row, stored, id }): Step => {
    const fields = stored ? differing({ name: row.name.trim() }, stored) : [];
    return {
      kind: "services",
      name: row.name,
      action: actionFor(stored !== undefined, fields),
      fields,
      run: async () => {
        await directory.setService(ground.org, id, row.name, CLI_ACTOR);
        ground.knows("services", row.name, id);
      },
    };
  });
}

/** A new object without an id in the file gets one here. */
function matched<T extends Row<"branches"> | Row<"services">>(
  ground: Ground,
  kind: "branches" | "services",
  given: readonly T[],
  all: readonly Stored[],
): { row: T; stored: Stored | undefined; id: string }[] {
  ground.assertDistinct(
    kind,
    given.map(({ name }) => name.trim()),
  );
  const rows = given.map((row, i) => {
    const id = row.id?.toLowerCase();
    const named = all.filter(({ name }) => name === row.name.trim());
    const stored = id === undefined ? ground.only(`${kind}[${i}]`, named) : all.find((each) => each.id === id);
    if (id !== undefined && named.some((each) => each.id !== id))
      ground.fault(`${kind}[${i}].id`, "another stored object already has this name.");
    ground.knows(kind, row.name.trim(), stored?.id ?? null);
    return { row, stored, id: stored?.id ?? id ?? ground.services.ids.uuid() };
  });
  return rows;
}

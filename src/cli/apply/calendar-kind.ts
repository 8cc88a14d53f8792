// Weekly windows and closures. A window has no name: it is known by branch, day, session, service and batch, and by its
// start where several windows share these.
import { branchesOfClosures, closuresFrom } from "../../calendar/closure-store.ts";
import { dateRange, localNow } from "../../calendar/days.ts";
import { sessionHours } from "../../calendar/window-service.ts";
import { CLI_ACTOR } from "../../core/actor.ts";
import { addDays } from "../../core/zones.ts";
import type { Day, Slot } from "../../payloads/slot.ts";
import { orNull, type Row } from "./file-schema.ts";
import { actionFor, differing, givenOf, picked, type Ground, type Step } from "./ground.ts";
import { paired } from "./pairs.ts";

interface DayRow {
  row: Row<"windows">;
  day: Day;
  path: string;
}

export async function planWindows(ground: Ground): Promise<Step[]> {
  const given = ground.file.windows;
  if (!given) return [];
  const { windows } = ground.services;
  const all = await ground.stored((id) => windows.list(id, undefined));
  const rows: DayRow[] = given.flatMap((row, i) => {
    const path = `windows[${i}]`;
    ground.refer("branches", row.branch, `${path}.branch`);
    ground.refer("services", row.service, `${path}.service`);
    return row.days.map((day) => ({ row, day, path }));
  });
  ground.assertDistinct(
    "windows",
    rows.map((each) => `${groupOf(ground, each)} ${startOf(ground, each)}`),
    rows.map(({ path }) => path),
  );
  const pairs = paired(rows, all, {
    group: [(each) => groupOf(ground, each), groupOfStored],
    exact: [(each) => startOf(ground, each), ({ start_time }) => start_time],
    mayChange: ({ status }) => status === "OPEN",
  });
  const steps = pairs.matched.map(([each, stored]) => windowStep(ground, each, stored));
  const others = pairs.others.filter(({ status }) => status === "OPEN");
  ground.later(
    ground.rest("windows", others, ({ slot_id, day, session, start_time }) => ({
      name: `${day} ${session} ${start_time}`,
      run: async () => void (await windows.disable(ground.org, slot_id, CLI_ACTOR)),
    })),
  );
  return steps;
}

const groupOf = (ground: Ground, { row, day }: DayRow) => {
  const [branch, service] = [ground.idOf("branches", row.branch), ground.idOf("services", row.service)];
  const named = orNull(row.service ?? null);
  // Objects that are still to be created have no id yet.
  const ids = [branch ?? `new ${row.branch}`, named === null ? null : (service ?? `new ${named}`)];
  return JSON.stringify([...ids, day, row.session, row.batch_name ?? null]);
};

const groupOfStored = ({ branch_id, appointment_type, day, session, batch }: Slot) =>
  JSON.stringify([branch_id, appointment_type, day, session, batch]);

const startOf = ({ config }: Ground, { row }: DayRow) => row.start_time ?? sessionHours(config, row.session)[0];

function windowStep(ground: Ground, { row, day, path }: DayRow, stored: Slot | undefined): Step {
  const { windows } = ground.services;
  const { branch, service, days: _days, start_time, end_time, ...rest } = row;
  const hours = givenOf({ start_time: start_time ?? undefined, end_time: end_time ?? undefined });
  const wanted = givenOf({ ...hours, ai_slots: row.ai_slots, max_slots: row.max_slots, status: row.status });
  const [sessionStart, sessionEnd] = sessionHours(ground.config, row.session);
  const whole = {
    start_time: sessionStart,
    end_time: sessionEnd,
    max_slots: row.ai_slots,
    ...(stored && picked(stored, ["start_time", "end_time", "max_slots"])),
    ...wanted,
  };
  if (row.ai_slots > whole.max_slots) ground.fault(`${path}.ai_slots`, "must not exceed max_slots.");
  if (whole.start_time >= whole.end_time) ground.fault(`${path}.start_time`, "must be before end_time.");
  const fields = stored ? differing(wanted, stored) : [];
  return {
    kind: "windows",
    name: `${branch}, ${day} ${row.session}${start_time ? ` ${start_time}` : ""}`,
    action: actionFor(stored !== undefined, fields),
    fields,
    run: async () => {
      if (stored) {
        await windows.update(ground.org, stored.slot_id, picked(wanted, fields), CLI_ACTOR);
        return;
      }
      const ids = {
        branch_id: ground.idOf("branches", branch) ?? "",
        appointment_type_id: ground.idOf("services", service),
      };
      await windows.create(ground.org, { ...rest, ...hours, ...ids, day }, CLI_ACTOR);
    },
  };
}

/** More than a calendar of two years ever has. */
const MOST_CLOSURES = 10_000;

interface StoredClosure {
  id: string;
  key: string;
  name: string | null;
  from: string;
  branchIds: readonly string[];
}

export async function planClosures(ground: Ground): Promise<Step[]> {
  const given = ground.file.closures;
  if (!given) return [];
  const today = addDays(localNow(ground.clock, "UTC").date, -1);
  const all = await storedClosures(ground, today);
  const branches = (await ground.stored((id) => ground.services.directory.branches(id))).map(({ id }) => id);
  ground.assertDistinct("closures", given.map(keyOf));
  const steps = given.map((row, i) => closureStep(ground, `closures[${i}]`, row, { all, today, branches }));
  const others = all.filter(({ key }) => !given.some((row) => keyOf(row) === key));
  ground.later(
    ground.rest("closures", others, ({ id, name, from }) => ({
      name: name ?? from,
      run: async () => void (await ground.services.closures.reopen(ground.org, id, CLI_ACTOR)),
    })),
  );
  return steps;
}

const closureKey = (name: string | null, from: string, to: string) => JSON.stringify([name, from, to]);
const keyOf = ({ name, from, to = from }: Row<"closures">) => closureKey(name?.trim() ?? null, from, to);

/** Of whole branches; closures of one window belong to the dashboard. */
async function storedClosures({ db, organisationId }: Ground, today: string): Promise<StoredClosure[]> {
  if (organisationId === null) return [];
  const rows = (await closuresFrom(db.reader, organisationId, today, MOST_CLOSURES)).filter(
    ({ state, window_id }) => window_id === null && state !== "reopening" && state !== "reopened",
  );
  const ids = rows.map(({ id }) => id);
  const branches = Map.groupBy(await branchesOfClosures(db.reader, ids), ({ closure_id }) => closure_id);
  return rows.map(({ id, name, from_date, to_date }) => ({
    id,
    name,
    from: from_date,
    key: closureKey(name, from_date, to_date),
    branchIds: (branches.get(id) ?? []).map(({ branch_id }) => branch_id),
  }));
}

/** Branches that a stored closure already covers are not closed twice. */
function closureStep(
  ground: Ground,
  path: string,
  row: Row<"closures">,
  known: { all: readonly StoredClosure[]; today: string; branches: readonly string[] },
): Step {
  const { from, to = from, name = null, otherwise = "leave", agent } = row;
  ground.checked(path, () => dateRange({ from, to }, known.today));
  for (const [i, branch] of (row.branches ?? []).entries()) ground.refer("branches", branch, `${path}.branches[${i}]`);
  ground.refer("agents", agent, `${path}.agent`);
  if (otherwise === "call" && agent === undefined) ground.fault(`${path}.agent`, "is required: the agent that calls.");
  const named = row.branches ?? ground.file.branches?.map((branch) => branch.name.trim()) ?? [];
  const covered = new Set(known.all.filter(({ key }) => key === keyOf(row)).flatMap(({ branchIds }) => branchIds));
  const wantedIds = () => [
    ...new Set([...named.map((branch) => ground.idOf("branches", branch)), ...(row.branches ? [] : known.branches)]),
  ];
  const isOver = to < known.today;
  const missing = wantedIds().filter((id) => id === null || !covered.has(id));
  if (named.length === 0 && known.branches.length === 0) ground.fault(path, "there is no branch that could be closed.");
  return {
    kind: "closures",
    name: name ?? from,
    action: actionFor(isOver || missing.length === 0, []),
    fields: [],
    ...(isOver && { note: "these days are over" }),
    run: async () => {
      const branch_ids = wantedIds().filter((id) => id !== null && !covered.has(id)) as string[];
      const agent_id = ground.idOf("agents", agent);
      const input = { branch_ids, ranges: [{ from, to, name }], otherwise, agent_id };
      await ground.services.closures.close(ground.org, input, CLI_ACTOR);
    },
  };
}

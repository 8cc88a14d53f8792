// API representation of closures, with the progress of the people affected.
import { toIso } from "../core/clock.ts";
import type { Executor } from "../db/tables.ts";
import type { ClosureView, PlaceShown } from "./closure-model.ts";
import { branchesOfClosures, peopleCounts } from "./closure-store.ts";
import type { Closure, ClosurePerson } from "./records.ts";
import { availabilitySlotId } from "./slot-id.ts";
import type { WindowOnDate } from "./window-dates.ts";

export async function closureViews(executor: Executor, rows: readonly Closure[]): Promise<ClosureView[]> {
  const ids = rows.map(({ id }) => id);
  const branches = Map.groupBy(await branchesOfClosures(executor, ids), ({ closure_id }) => closure_id);
  const counts = Map.groupBy(await peopleCounts(executor, ids), ({ closure_id }) => closure_id);
  return rows.map((row) => {
    const count = (choice: ClosurePerson["choice"] | null, state: ClosurePerson["state"]) =>
      (counts.get(row.id) ?? [])
        .filter((each) => each.state === state && (choice === null || each.choice === choice))
        .reduce((sum, each) => sum + each.count, 0);
    return {
      closure_id: row.id,
      name: row.name,
      from: row.from_date,
      to: row.to_date,
      window_id: row.window_id,
      branch_ids: (branches.get(row.id) ?? []).map(({ branch_id }) => branch_id),
      state: row.state,
      otherwise: row.otherwise,
      campaign_id: row.campaign_id,
      people: {
        moved: count("move", "done"),
        called: count("call", "done"),
        left: count("leave", "done"),
        waiting: count(null, "waiting"),
        refused: count(null, "refused"),
      },
      created_at: toIso(row.created_at),
      updated_at: toIso(row.updated_at),
    };
  });
}

export function placeShown({ window, date }: WindowOnDate): PlaceShown {
  return {
    slot_id: availabilitySlotId(window.calendar_id, date),
    date,
    start_time: window.start_time,
    end_time: window.end_time,
  };
}

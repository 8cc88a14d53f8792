// The query behind availability and tracking: windows with the overrides and fill of the dates in a range.
import type { Executor } from "../db/tables.ts";
import type { DateRange } from "./days.ts";
import type { BookingWindow } from "./records.ts";

export interface TrackingFilter {
  organisationId: string;
  branchId?: string | undefined;
  windowId?: string | undefined;
  appointmentTypeId?: string | undefined;
  session?: BookingWindow["session"] | undefined;
}

/** One row per window and date that has a row; one row with nulls for a window without any. */
export async function trackedWindows(executor: Executor, filter: TrackingFilter, range: DateRange, now: number) {
  let query = executor
    .selectFrom("windows")
    .leftJoin("window_dates", (join) =>
      join
        .onRef("window_dates.window_id", "=", "windows.id")
        .on("window_dates.date", ">=", range.from)
        .on("window_dates.date", "<=", range.to),
    )
    .selectAll("windows")
    .select((eb) => [
      "window_dates.date as tracked_date",
      "window_dates.max_slots as date_max_slots",
      "window_dates.ai_slots as date_ai_slots",
      "window_dates.status as date_status",
      "window_dates.filled",
      "window_dates.ai_filled",
      eb
        .selectFrom("slot_holds")
        .select((count) => count.fn.countAll<number>().as("count"))
        .whereRef("slot_holds.window_id", "=", "windows.id")
        .whereRef("slot_holds.date", "=", "window_dates.date")
        .where("slot_holds.expires_at", ">", now)
        .as("held"),
    ])
    .where("windows.organisation_id", "=", filter.organisationId);
  if (filter.branchId !== undefined) query = query.where("windows.branch_id", "=", filter.branchId);
  if (filter.windowId !== undefined) query = query.where("windows.id", "=", filter.windowId);
  if (filter.session !== undefined) query = query.where("windows.session", "=", filter.session);
  const { appointmentTypeId } = filter;
  if (appointmentTypeId !== undefined) {
    // A window without a service restriction offers every service.
    query = query.where((eb) =>
      eb.or([eb("windows.appointment_type_id", "=", appointmentTypeId), eb("windows.appointment_type_id", "is", null)]),
    );
  }
  return query
    .orderBy("windows.branch_id")
    .orderBy("windows.day")
    .orderBy("windows.start_time")
    .orderBy("windows.id")
    .execute();
}

export type TrackedWindow = Awaited<ReturnType<typeof trackedWindows>>[number];

/** Bookings per window and date of a branch, counted from the appointments. The counters are rebuilt from it. */
export async function bookedCounts(executor: Executor, organisationId: string, branchId: string, range: DateRange) {
  return executor
    .selectFrom("appointments")
    .select((eb) => [
      "window_id",
      "date",
      eb.fn.countAll<number>().as("filled"),
      eb.fn
        .sum<number>(
          eb
            .case()
            .when(eb.and([eb("source", "=", "ai"), eb("moved_by_hand_at", "is", null)]))
            .then(1)
            .else(0)
            .end(),
        )
        .as("ai_filled"),
    ])
    .where("organisation_id", "=", organisationId)
    .where("branch_id", "=", branchId)
    .where("date", ">=", range.from)
    .where("date", "<=", range.to)
    .where("status", "!=", "cancelled")
    .where("window_id", "is not", null)
    .groupBy(["window_id", "date"])
    .$narrowType<{ window_id: string }>()
    .execute();
}

export async function datesOfBranch(executor: Executor, organisationId: string, branchId: string, range: DateRange) {
  return executor
    .selectFrom("window_dates")
    .innerJoin("windows", "windows.id", "window_dates.window_id")
    .selectAll("window_dates")
    .where("windows.organisation_id", "=", organisationId)
    .where("windows.branch_id", "=", branchId)
    .where("window_dates.date", ">=", range.from)
    .where("window_dates.date", "<=", range.to)
    .execute();
}

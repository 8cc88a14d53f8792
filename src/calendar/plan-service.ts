// Plans: creates windows for several days at once, and copies a branch's week to another branch, with a preview.
import type { Actor } from "../core/actor.ts";
import { AppError, invalidField } from "../core/errors.ts";
import type { Database } from "../db/database.ts";
import type { Slot } from "../payloads/slot.ts";
import type { Executor } from "../db/tables.ts";
import { appointmentTypesOf, branchesOf } from "./directory-store.ts";
import type { CreateWindowInput } from "./model.ts";
import type { CopyPlanInput, CreateWindowsInput } from "./plan-model.ts";
import { servicesByName } from "./plan-services.ts";
import type { BookingWindow } from "./records.ts";
import { windowView } from "./views.ts";
import type { NewWindowOptions, WindowService } from "./window-service.ts";
import { windowsOf } from "./window-store.ts";

export interface PlannedWindow {
  window: Slot;
  /** The service as named at the target branch. */
  appointment_type: string | null;
  /** The target branch already has the same window. */
  exists: boolean;
}

export function createPlanService({ db, windows }: { db: Database; windows: WindowService }) {
  async function planned(executor: Executor, organisationId: string, from: string, to: string) {
    const known = new Set((await branchesOf(executor, organisationId)).map(({ id }) => id));
    const [source, target] = [from.toLowerCase(), to.toLowerCase()];
    if (!known.has(source) || !known.has(target)) throw new AppError("NOT_FOUND", "There is no such branch.");
    if (source === target) throw invalidField("to_branch", "Choose another branch.");
    const there = await windowsOf(executor, organisationId, target);
    const serviceOf = servicesByName(await appointmentTypesOf(executor, organisationId), there);
    const rows = (await windowsOf(executor, organisationId, source)).map((row) => {
      const service = serviceOf(row.appointment_type_id);
      return { row, service, exists: there.some((each) => isSame(each, row, service)) };
    });
    return { target, there, rows };
  }

  return {
    /** Atomic: creates all of them or none. */
    createWindows(organisationId: string, input: CreateWindowsInput, actor: Actor, options: NewWindowOptions = {}) {
      const { days, sessions, start_time, end_time, ...rest } = input;
      const hours = sessions.length === 1 ? { start_time: start_time ?? null, end_time: end_time ?? null } : {};
      const each = days.flatMap((day) => sessions.map((session) => ({ ...rest, ...hours, day, session })));
      return windows.createAll(organisationId, each, actor, options);
    },

    async preview(organisationId: string, from: string, to: string) {
      const { there, rows } = await planned(db.reader, organisationId, from, to);
      const plan: PlannedWindow[] = rows.map(({ row, service, exists }) => ({
        window: windowView(row),
        appointment_type: service,
        exists,
      }));
      return { windows: plan, existing: there.map(windowView) };
    },

    async copy(organisationId: string, input: CopyPlanInput, actor: Actor, options: NewWindowOptions = {}) {
      const { target, rows } = await planned(db.reader, organisationId, input.from_branch, input.to_branch);
      const chosen = rows.filter(({ row }) => input.window_ids.includes(row.id));
      if (chosen.length < input.window_ids.length) throw invalidField("window_ids", "A window no longer exists.");
      const copies = chosen.map(({ row, service }) => copyOf(row, service, target));
      return windows.createAll(organisationId, copies, actor, options);
    },
  };
}

export type PlanService = ReturnType<typeof createPlanService>;

function isSame(there: BookingWindow, row: BookingWindow, service: string | null): boolean {
  return (
    there.day === row.day &&
    there.start_time === row.start_time &&
    there.end_time === row.end_time &&
    there.batch === row.batch &&
    there.appointment_type_id === service
  );
}

function copyOf(row: BookingWindow, service: string | null, branch: string): CreateWindowInput {
  return {
    branch_id: branch,
    day: row.day,
    session: row.session,
    start_time: row.start_time,
    end_time: row.end_time,
    max_slots: row.max_slots,
    ai_slots: row.ai_slots,
    batch_name: row.batch,
    appointment_type_id: service,
    status: row.status,
  };
}

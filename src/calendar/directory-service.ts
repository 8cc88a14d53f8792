// Names of branches and services, and the time zone of a branch.
import type { Actor } from "../core/actor.ts";
import type { Audit } from "../accounts/audit.ts";
import type { ZoneWatcher } from "../accounts/organisation-service.ts";
import { toIso, type Clock } from "../core/clock.ts";
import { assertUnchanged } from "../core/entity-tag.ts";
import { AppError, invalidField } from "../core/errors.ts";
import { checkedName } from "../core/names.ts";
import { isUuid, type Ids } from "../core/ids.ts";
import { decodeCursor, encodeCursor, pageSize, type Position } from "../core/pages.ts";
import { isTimeZone, wallTime } from "../core/zones.ts";
import type { Alongside } from "../db/alongside.ts";
import type { Database } from "../db/database.ts";
import type { Tx } from "../db/tables.ts";
import type {
  BranchView,
  CreateBranchInput,
  CreateServiceInput,
  DirectoryInput,
  PatchBranchInput,
  ServiceView,
} from "./directory-model.ts";
import {
  appointmentTypeOf,
  appointmentTypesOf,
  branchesOf,
  branchOf,
  pageOfAppointmentTypes,
  pageOfBranches,
  registerAppointmentType,
  registerBranch,
  updateAppointmentType,
  updateBranch,
  useOfBranch,
  zoneOf,
  type BranchUse,
} from "./directory-store.ts";
import type { AppointmentType, Branch } from "./records.ts";

const IN_USE: Readonly<Record<BranchUse, string>> = {
  agent: "An agent books for this branch. Choose another branch for it first.",
  window: "This branch has open windows. Close them first.",
  appointment: "People are booked at this branch. Move or cancel their appointments first.",
};

export interface DirectoryDeps {
  db: Database;
  clock: Clock;
  ids: Ids;
  audit: Audit;
  zoneWatchers: readonly ZoneWatcher[];
}

export interface BranchChange {
  name?: string;
  timeZone?: string | null;
}

export class DirectoryService {
  constructor(private readonly deps: DirectoryDeps) {}

  branches = (organisationId: string) => branchesOf(this.deps.db.reader, organisationId);
  services = (organisationId: string) => appointmentTypesOf(this.deps.db.reader, organisationId);

  async branchPage(organisationId: string, input: DirectoryInput) {
    return pageOf(input, branchView, (after, limit) =>
      pageOfBranches(this.deps.db.reader, organisationId, after, limit),
    );
  }

  async servicePage(organisationId: string, input: DirectoryInput) {
    return pageOf(input, serviceView, (after, limit) =>
      pageOfAppointmentTypes(this.deps.db.reader, organisationId, after, limit),
    );
  }

  async branch(organisationId: string, id: string): Promise<BranchView> {
    return branchView(present(await branchOf(this.deps.db.reader, organisationId, id.toLowerCase()), "branch"));
  }

  async service(organisationId: string, id: string): Promise<ServiceView> {
    return serviceView(
      present(await appointmentTypeOf(this.deps.db.reader, organisationId, id.toLowerCase()), "service"),
    );
  }

  /** Restores a removed branch with this id. */
  async createBranch(
    organisationId: string,
    { branch_id, name, time_zone }: CreateBranchInput,
    actor: Actor,
    alongside: Alongside<BranchView> = async () => {},
  ): Promise<BranchView> {
    const { db, ids } = this.deps;
    const id = branch_id === undefined ? ids.uuid() : checkedUuid("branch_id", branch_id);
    const change = checkedChange({ name, timeZone: time_zone ?? null });
    return db.write(async (tx) => {
      if (await branchOf(tx, organisationId, id)) throw new AppError("CONFLICT", "There is a branch with this id.");
      await this.#setBranch(tx, organisationId, id, change, { actor, action: "branch.created" });
      const view = branchView(present(await branchOf(tx, organisationId, id), "branch"));
      await alongside(tx, view);
      return view;
    });
  }

  async changeBranch(organisationId: string, id: string, input: PatchBranchInput, actor: Actor): Promise<BranchView> {
    const { name, time_zone } = input;
    if (name === undefined && time_zone === undefined)
      throw new AppError("VALIDATION_ERROR", "At least one field is needed.");
    const change = checkedChange({
      ...(name === undefined ? {} : { name }),
      ...(time_zone === undefined ? {} : { timeZone: time_zone }),
    });
    const branchId = id.toLowerCase();
    return this.deps.db.write(async (tx) => {
      assertUnchanged(actor, branchView(present(await branchOf(tx, organisationId, branchId), "branch")));
      await this.#setBranch(tx, organisationId, branchId, change, { actor, action: "branch.changed" });
      return branchView(present(await branchOf(tx, organisationId, branchId), "branch"));
    });
  }

  /** Registers the branch on first use. */
  async setBranch(organisationId: string, id: string, change: BranchChange, actor: Actor): Promise<void> {
    const branchId = checkedUuid("branch_id", id);
    const checked = checkedChange(change);
    await this.deps.db.write((tx) =>
      this.#setBranch(tx, organisationId, branchId, checked, { actor, action: "branch.changed" }),
    );
  }

  /** A null zone follows the organisation's. A change of zone moves no booking, because dates and times are local. */
  async #setBranch(
    tx: Tx,
    organisationId: string,
    branchId: string,
    { name, timeZone }: BranchChange,
    note: { actor: Actor; action: string },
  ): Promise<void> {
    const { clock, audit, zoneWatchers } = this.deps;
    const now = clock.now();
    await registerBranch(tx, organisationId, branchId, now);
    await updateBranch(tx, organisationId, branchId, {
      ...(name === undefined ? {} : { name }),
      ...(timeZone === undefined ? {} : { time_zone: timeZone }),
      updated_at: now,
    });
    await audit.record(tx, { organisationId, ...note, subjectId: branchId });
    if (timeZone !== undefined) for (const watch of zoneWatchers) await watch(tx, organisationId);
  }

  /** Hides the branch from all lists; using its id again restores it. */
  async archiveBranch(organisationId: string, id: string, actor: Actor): Promise<void> {
    const { db, clock, audit } = this.deps;
    const branchId = id.toLowerCase();
    await db.write(async (tx) => {
      const now = clock.now();
      present(await branchOf(tx, organisationId, branchId), "branch");
      const today = wallTime(now, await zoneOf(tx, organisationId, branchId)).date;
      const use = await useOfBranch(tx, organisationId, branchId, today);
      if (use !== null) throw new AppError("CONFLICT", IN_USE[use]);
      await updateBranch(tx, organisationId, branchId, { archived_at: now, updated_at: now });
      await audit.record(tx, { organisationId, actor, action: "branch.archived", subjectId: branchId });
    });
  }

  async createService(
    organisationId: string,
    { appointment_type_id, name }: CreateServiceInput,
    actor: Actor,
    alongside: Alongside<ServiceView> = async () => {},
  ): Promise<ServiceView> {
    const { db, ids } = this.deps;
    const id = appointment_type_id === undefined ? ids.uuid() : checkedUuid("appointment_type_id", appointment_type_id);
    return db.write(async (tx) => {
      if (await appointmentTypeOf(tx, organisationId, id))
        throw new AppError("CONFLICT", "There is a service with this id.");
      const view = await this.#setService(tx, organisationId, id, name, { actor, action: "service.created" });
      await alongside(tx, view);
      return view;
    });
  }

  async renameService(organisationId: string, id: string, name: string, actor: Actor): Promise<ServiceView> {
    const serviceId = id.toLowerCase();
    return this.deps.db.write(async (tx) => {
      assertUnchanged(actor, serviceView(present(await appointmentTypeOf(tx, organisationId, serviceId), "service")));
      return this.#setService(tx, organisationId, serviceId, name, { actor, action: "service.changed" });
    });
  }

  /** Registers the service on first use. */
  async setService(organisationId: string, id: string, name: string, actor: Actor): Promise<void> {
    const serviceId = checkedUuid("appointment_type_id", id);
    await this.deps.db.write((tx) =>
      this.#setService(tx, organisationId, serviceId, name, { actor, action: "service.changed" }),
    );
  }

  async #setService(
    tx: Tx,
    organisationId: string,
    id: string,
    name: string,
    note: { actor: Actor; action: string },
  ): Promise<ServiceView> {
    const { clock, audit } = this.deps;
    const now = clock.now();
    await registerAppointmentType(tx, organisationId, id, now);
    await updateAppointmentType(tx, organisationId, id, { name: checkedName("name", name, 200), updated_at: now });
    await audit.record(tx, { organisationId, ...note, subjectId: id });
    return serviceView(present(await appointmentTypeOf(tx, organisationId, id), "service"));
  }
}

function branchView({ id, name, time_zone, created_at, updated_at }: Branch): BranchView {
  return { branch_id: id, name, time_zone, created_at: toIso(created_at), updated_at: toIso(updated_at) };
}

function serviceView({ id, name, created_at, updated_at }: AppointmentType): ServiceView {
  return { appointment_type_id: id, name, created_at: toIso(created_at), updated_at: toIso(updated_at) };
}

/** Oldest first. */
async function pageOf<R extends { created_at: number; id: string }, View>(
  input: DirectoryInput,
  viewOf: (row: R) => View,
  read: (after: Position | undefined, limit: number) => Promise<R[]>,
) {
  const limit = pageSize(input.limit);
  const rows = await read(input.cursor === undefined ? undefined : decodeCursor(input.cursor, input), limit + 1);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    data: page.map(viewOf),
    next_cursor: rows.length > limit && last ? encodeCursor({ createdAt: last.created_at, id: last.id }, input) : null,
  };
}

function present<R>(row: R | undefined, kind: "branch" | "service"): R {
  if (!row) throw new AppError("NOT_FOUND", `There is no ${kind} with this id.`);
  return row;
}

function checkedChange({ name, timeZone }: BranchChange): BranchChange {
  if (timeZone && !isTimeZone(timeZone)) throw invalidField("time_zone", "time_zone must be an IANA name.");
  return {
    ...(name === undefined ? {} : { name: checkedName("name", name, 200) }),
    ...(timeZone === undefined ? {} : { timeZone: timeZone === "" ? null : timeZone }),
  };
}

/** Stored in lower case, so one UUID has one spelling. */
function checkedUuid(field: string, text: string): string {
  if (!isUuid(text)) throw invalidField(field, `${field} must be a UUID.`);
  return text.toLowerCase();
}

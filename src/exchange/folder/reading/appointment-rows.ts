// Rows of a list of appointments, as the mirror takes them; or why a row cannot be taken. Messages name no cell's text,
// because they are stored.
import { isUuid } from "../../../core/ids.ts";
import { MINUTE_MS } from "../../../core/clock.ts";
import { completeNumber, type HomeCountry } from "../../../lists/complete-number.ts";
import { LONGEST_CELL, type TableRow } from "../../../lists/table.ts";
import { LONGEST_EXTERNAL_ID } from "../../../payloads/source.ts";
import type { MirroredAppointment, MirroredStatus } from "../../mirror/port.ts";
import { IDENTIFIER_COLUMNS, type FolderSettings } from "../settings.ts";
import type { FoundColumns } from "./columns.ts";
import { endIn, momentIn, type WrittenMoment } from "./written-time.ts";

export interface Place {
  id: string;
  name: string | null;
}

/** What the appliance knows, and the file does not say. */
export interface Surroundings {
  zone: string;
  home: HomeCountry | null;
  branches: readonly Place[];
  services: readonly Place[];
}

export interface ReadRow {
  /** Number in the spreadsheet. */
  at: number;
  /** Null if the row names no appointment. */
  id: string | null;
  /** Local date of an appointment that takes place. */
  date: string | null;
  told: MirroredAppointment | null;
  fault: string | null;
}

class RowFault extends Error {}
const refuse = (message: string): never => {
  throw new RowFault(message);
};

/** Usual words, in lower case. An empty cell means that the appointment takes place. */
const STATUSES: Readonly<Record<string, MirroredStatus>> = {
  "": "confirmed",
  ...wordsFor(
    "confirmed",
    "new add added booked scheduled confirmed changed change updated update moved rescheduled n u",
  ),
  ...wordsFor("cancelled", "cancelled canceled cancel deleted delete removed remove c d x"),
  ...wordsFor("completed", "completed done attended arrived fulfilled seen"),
  ...wordsFor("no_show", "no_show noshow no-show missed absent dna"),
  "no show": "no_show",
  "not attended": "no_show",
};

function wordsFor(status: MirroredStatus, words: string): Record<string, MirroredStatus> {
  return Object.fromEntries(words.split(" ").map((word) => [word, status]));
}

export function appointmentRows(
  { rows, at }: Pick<FoundColumns, "rows" | "at">,
  settings: FolderSettings,
  around: Surroundings,
): ReadRow[] {
  const reader = new RowReader(at, settings, around);
  const firstWith = new Map<string, number>();
  return rows.map((row) => {
    const read = reader.read(row);
    const first = read.id === null ? undefined : firstWith.get(read.id);
    if (read.id !== null && first === undefined) firstWith.set(read.id, row.at);
    // A list of changes may name an appointment twice: booked, then moved.
    if (settings.list !== "complete" || first === undefined || read.fault !== null) return read;
    return { ...read, told: null, fault: `Row ${first} has the same id.` };
  });
}

class RowReader {
  readonly #how: { order: NonNullable<FolderSettings["date_order"]>; zone: string };
  readonly #statuses: Readonly<Record<string, MirroredStatus>>;
  readonly #branches: ReadonlyMap<string, string>;
  readonly #services: ReadonlyMap<string, string>;

  constructor(
    private readonly at: FoundColumns["at"],
    private readonly settings: FolderSettings,
    private readonly around: Surroundings,
  ) {
    const { date_order, time_zone, statuses = [], branches = [], services = [] } = settings;
    this.#how = { order: date_order ?? "dmy", zone: time_zone ?? around.zone };
    this.#statuses = {
      ...STATUSES,
      ...Object.fromEntries(statuses.map(({ code, status }) => [code.trim().toLowerCase(), status])),
    };
    this.#branches = placesOf(
      around.branches,
      branches.map(({ code, branch_id: id }) => [code, id]),
    );
    this.#services = placesOf(
      around.services,
      services.map(({ code, appointment_type_id: id }) => [code, id]),
    );
  }

  read(row: TableRow): ReadRow {
    const id = this.#cell(row, "external_id");
    const isId = id !== null && id.length <= LONGEST_EXTERNAL_ID;
    const read: ReadRow = { at: row.at, id: isId ? id : null, date: null, told: null, fault: null };
    try {
      if (id === null) refuse("The row has no id of its appointment.");
      if (!isId) refuse(`The id is longer than ${LONGEST_EXTERNAL_ID} characters.`);
      if (row.cells.some((cell) => cell.length > LONGEST_CELL))
        refuse(`A cell is longer than ${LONGEST_CELL} characters.`);
      const status = this.#status(row);
      const start = this.#start(row, status);
      if (start && status !== "cancelled") read.date = start.date;
      return { ...read, told: this.#told(row, id ?? "", status, start) };
    } catch (error) {
      if (error instanceof RowFault) return { ...read, fault: error.message };
      throw error;
    }
  }

  #told(row: TableRow, externalId: string, status: MirroredStatus, start: WrittenMoment | null): MirroredAppointment {
    const { at } = this;
    const has = (field: string) => at[field] !== undefined;
    const branchId = this.#branch(row);
    return {
      externalId,
      changedAt: this.#changedAt(row),
      status,
      ...(start && { startsAt: start.instant, ...this.#end(row, start) }),
      ...(branchId !== undefined && { branchId }),
      ...(has("service") && { appointmentTypeId: this.#service(row) }),
      ...((has("practitioner") || has("practitioner_id")) && { practitioner: this.#practitioner(row) }),
      ...(has("name") && { contactName: this.#cell(row, "name") }),
      ...(has("number") && { contactNumber: this.#number(row) }),
      ...(has("email") && { contactEmail: this.#cell(row, "email") }),
      ...(IDENTIFIER_COLUMNS.some(has) && { identifiers: this.#identifiers(row) }),
      ...(has("notes") && { notes: this.#cell(row, "notes") }),
    };
  }

  /** Null for an empty cell. */
  #cell(row: TableRow, field: string): string | null {
    const index = this.at[field];
    return (index === undefined ? "" : (row.cells[index] ?? "")).trim() || null;
  }

  #status(row: TableRow): MirroredStatus {
    const word = (this.#cell(row, "status") ?? "").toLowerCase();
    return (
      (Object.hasOwn(this.#statuses, word) ? this.#statuses[word] : undefined) ??
      refuse("The status is not known. Add its word to the settings of the system.")
    );
  }

  /** A cancellation, and a change of something else, need no time. */
  #start(row: TableRow, status: MirroredStatus): WrittenMoment | null {
    const date = this.#cell(row, "date");
    const isNeeded = this.settings.list === "complete" && status !== "cancelled";
    if (date === null) return isNeeded ? refuse("The row has no date.") : null;
    const moment = momentIn(date, this.#cell(row, "time"), this.#how);
    if (moment || status === "cancelled") return moment;
    return refuse("The date or the time is not one that exists.");
  }

  #end(row: TableRow, start: WrittenMoment): { endsAt?: number } {
    const text = this.#cell(row, "ends_at");
    const { minutes } = this.settings;
    if (text === null) return minutes === undefined ? {} : { endsAt: start.instant + minutes * MINUTE_MS };
    return { endsAt: endIn(text, start, this.#how) ?? refuse("The end is no time and no number of minutes.") };
  }

  #changedAt(row: TableRow): number | null {
    const text = this.#cell(row, "changed_at");
    if (text === null) return null;
    return momentIn(text, null, this.#how)?.instant ?? refuse("The time of the change is not one that exists.");
  }

  #branch(row: TableRow): string | undefined {
    const text = this.#cell(row, "branch");
    if (text === null) return this.settings.default_branch_id ?? undefined;
    return (
      placeIn(this.#branches, text) ?? refuse("The branch is not known. Add its word to the settings of the system.")
    );
  }

  #service(row: TableRow): string | null {
    const text = this.#cell(row, "service");
    return text === null
      ? null
      : (placeIn(this.#services, text) ??
          refuse("The service is not known. Add its word to the settings of the system."));
  }

  #practitioner(row: TableRow) {
    const [id, name] = [this.#cell(row, "practitioner_id"), this.#cell(row, "practitioner")];
    return id === null && name === null ? null : { id, name };
  }

  #number(row: TableRow): string | null {
    const text = this.#cell(row, "number");
    if (text === null) return null;
    const { country } = this.settings;
    const completed = completeNumber(text, country === undefined ? this.around.home : country);
    return "number" in completed ? completed.number : refuse("The phone number is incomplete or is not one.");
  }

  #identifiers(row: TableRow) {
    return IDENTIFIER_COLUMNS.flatMap((system) => {
      const value = this.#cell(row, system);
      return value === null ? [] : [{ system, value }];
    });
  }
}

/** By word in lower case; the settings' words win over names. */
function placesOf(known: readonly Place[], coded: readonly (readonly [string, string])[]): Map<string, string> {
  const named = known.flatMap(({ id, name }) => (name === null ? [] : [[name, id] as const]));
  return new Map([...named, ...coded].map(([word, id]) => [word.trim().toLowerCase(), id]));
}

const placeIn = (places: ReadonlyMap<string, string>, text: string): string | undefined =>
  places.get(text.toLowerCase()) ?? (isUuid(text) ? text.toLowerCase() : undefined);

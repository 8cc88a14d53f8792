// Test fixture: a clinic with a drop folder on disk, and a source that reads it.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SourceFileView } from "../../../src/exchange/folder/model.ts";
import { BRANCH, createClinic, type Clinic } from "../../calendar/clinic.ts";

export const SETTLE_MS = 1_000;

export const COLUMNS = {
  external_id: "Appt ID",
  date: "Date",
  time: "Time",
  status: "Status",
  practitioner: "Doctor",
  name: "Patient",
  number: "Mobile",
};
export const HEADINGS = "Appt ID,Date,Time,Status,Doctor,Patient,Mobile";

export interface DropFolder extends Clinic {
  root: string;
  /** Adds a source; answers its id. */
  source(settings?: object): Promise<string>;
  folderOf(settings?: { folder?: string }): string;
  /** Writes a file; the older it is, the earlier it is read. */
  drop(name: string, text: string | Uint8Array, ageSeconds?: number): void;
  /** Looks until files have settled and are read. */
  look(times?: number): Promise<void>;
  files(sourceId: string): Promise<SourceFileView[]>;
  file(sourceId: string): Promise<SourceFileView>;
  /** Names in `done`, `faulty` or the folder itself. */
  names(place?: string): string[];
  text(place: string): string;
}

export async function createDropFolder(options: { settings?: Record<string, string> } = {}): Promise<DropFolder> {
  const root = mkdtempSync(join(tmpdir(), "rw-folder-"));
  const clinic = await createClinic({ settings: { RINGWARD_FOLDERS__ROOT: root, ...options.settings } });
  let made = 0;
  const incoming = () => join(root, clinic.organisationId, "lists");
  mkdirSync(incoming(), { recursive: true });

  const drop: DropFolder = {
    ...clinic,
    root,
    async source(settings = {}) {
      const answer = await clinic.request("POST", "/v1/sources", {
        body: {
          name: `Export ${++made}`,
          kind: "folder",
          settings: {
            folder: "lists",
            list: "changes",
            columns: COLUMNS,
            default_branch_id: BRANCH,
            settle_seconds: SETTLE_MS / 1_000,
            ...settings,
          },
        },
      });
      if (answer.status !== 201) throw new Error(answer.text);
      return String(answer.json.data["source_id"]);
    },
    folderOf: ({ folder = "lists" } = {}) => join(root, clinic.organisationId, folder),
    drop(name, text, ageSeconds = 0) {
      writeFileSync(join(incoming(), name), text);
      const at = Date.parse("2026-11-15T06:00:00Z") / 1_000 - ageSeconds;
      utimesSync(join(incoming(), name), at, at);
    },
    async look(times = 3) {
      for (let count = 0; count < times; count++) {
        await clinic.app.services.folders.settled();
        clinic.clock.pass(SETTLE_MS);
      }
    },
    async files(sourceId) {
      const { status, text, json } = await clinic.request("GET", `/v1/sources/${sourceId}/files`);
      if (status !== 200) throw new Error(text);
      return json.data as unknown as SourceFileView[];
    },
    async file(sourceId) {
      const [file] = await drop.files(sourceId);
      if (!file) throw new Error("No file was read.");
      return file;
    },
    names: (place = "") =>
      readdirSync(join(incoming(), place), { withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ name }) => name)
        .toSorted(),
    text: (place) => readFileSync(join(incoming(), place), "utf8"),
    async close() {
      await clinic.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
  return drop;
}

/** A list with these rows below the headings. */
export const listOf = (...rows: string[]): string => [HEADINGS, ...rows, ""].join("\n");

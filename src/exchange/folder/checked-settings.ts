// Checks of the settings of a source of kind folder.
import { Value } from "@sinclair/typebox/value";
import { invalidField } from "../../core/errors.ts";
import { allowedBy } from "../../core/schema-words.ts";
import { isTimeZone } from "../../core/zones.ts";
import {
  APPOINTMENT_COLUMNS,
  FolderSettingsSchema,
  IDENTIFIER_COLUMNS,
  PERSON_COLUMNS,
  REQUIRED,
  type FolderSettings,
} from "./settings.ts";

/** Throws VALIDATION_ERROR. */
export function checkedFolderSettings(given: unknown): FolderSettings {
  const [fault] = Value.Errors(FolderSettingsSchema, given);
  if (fault) {
    const path = fault.path.slice(1).replaceAll("/", ".");
    const field = path === "" ? "settings" : `settings.${path}`;
    throw invalidField(field, `${field} must be ${allowedBy(fault.schema)}.`);
  }
  const settings = Value.Clone(given) as FolderSettings;
  if (settings.time_zone && !isTimeZone(settings.time_zone))
    throw invalidField("settings.time_zone", "settings.time_zone must be an IANA name, such as Asia/Kolkata.");
  if (settings.list === "people" && settings.agent_id === undefined)
    throw invalidField("settings.agent_id", "settings.agent_id is required for a list of people to call.");
  if (settings.columns) assertColumns(settings.list, settings.columns);
  return settings;
}

function assertColumns(list: FolderSettings["list"], columns: Readonly<Record<string, string>>): void {
  const fields: readonly string[] = list === "people" ? PERSON_COLUMNS : APPOINTMENT_COLUMNS;
  const isKnown = (field: string) =>
    fields.includes(field) ||
    IDENTIFIER_COLUMNS.some((system) => system === field) ||
    (list === "people" && /^info\.[^{}]{1,64}$/.test(field));
  const unknown = Object.keys(columns).find((field) => !isKnown(field));
  if (unknown !== undefined)
    throw invalidField(
      "settings.columns",
      `settings.columns has the field ${unknown}, which such a list does not have.`,
    );
  const missing = REQUIRED[list].find((field) => !Object.hasOwn(columns, field));
  if (missing !== undefined)
    throw invalidField("settings.columns", `settings.columns needs ${missing}. Send null to map the columns later.`);
}

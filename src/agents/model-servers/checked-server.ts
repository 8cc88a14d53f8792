// Validates the settings of a model server and builds its row.
import { Value } from "@sinclair/typebox/value";
import { MODEL_DEFAULTS, modelFaults, ModelFields, type ModelFieldValues } from "../../config/model-fields.ts";
import { isCertificatePem } from "../../config/trunk-fields.ts";
import { AppError, type FieldFault } from "../../core/errors.ts";
import { allowedBy } from "../../core/schema-words.ts";
import type { ModelServer } from "../records.ts";
import { cleanUrl } from "./known-server.ts";

export interface ServerInput extends Omit<ModelFieldValues, "key" | "role" | "languages"> {
  languages: readonly string[];
  name: string;
  role: string;
  ca_pem: string | null;
}

export const NEW_SERVER: ServerInput = {
  name: "",
  role: "language",
  base_url: "",
  model: MODEL_DEFAULTS.model,
  voice: MODEL_DEFAULTS.voice,
  languages: MODEL_DEFAULTS.languages,
  first_ms: MODEL_DEFAULTS.first_ms,
  total_ms: MODEL_DEFAULTS.total_ms,
  is_default: MODEL_DEFAULTS.is_default,
  ca_pem: null,
};

/** `key`: omitted keeps the present key; null removes it. */
export type ServerChange = Partial<ServerInput> & { key?: string | null };
export type NewServer = ServerChange & Pick<ServerInput, "name" | "role" | "base_url">;

type CheckedServer = Omit<ModelServer, "id" | "organisation_id" | "sealed_key" | "created_at" | "updated_at">;

const NAME = /^\P{Cc}{1,60}$/u;
const FIELDS = ["role", "base_url", "model", "voice", "languages", "first_ms", "total_ms", "is_default"] as const;

/** `refusal`: why a server cannot be at this address. Throws with all faults at once. */
export function checkedServer(
  input: ServerInput,
  key: string | null | undefined,
  refusal: (baseUrl: string) => string | null,
): CheckedServer {
  const given = { ...input, name: input.name.trim(), base_url: cleanUrl(input.base_url) };
  const { role } = given;
  const faults = fieldFaults(given, key);
  if (faults.length > 0 || !Value.Check(ModelFields.role, role)) throw refused(faults);
  const joint = modelFaults({ ...given, role });
  if (joint.length > 0) throw refused(joint);
  const reason = refusal(given.base_url);
  if (reason !== null) throw refused([{ field: "base_url", message: `base_url: ${reason}` }]);
  return { ...inputOf(given), role };
}

function fieldFaults(given: ServerInput, key: string | null | undefined): FieldFault[] {
  const faults: FieldFault[] = [];
  if (!NAME.test(given.name)) faults.push({ field: "name", message: "name must be 1 to 60 characters in one line." });
  for (const field of FIELDS) {
    const schema = ModelFields[field];
    if (!Value.Check(schema, given[field])) faults.push({ field, message: `${field} must be ${allowedBy(schema)}.` });
  }
  if (key && !Value.Check(ModelFields.key, key)) {
    faults.push({ field: "key", message: `key must be ${allowedBy(ModelFields.key)}.` });
  }
  if (given.ca_pem !== null && !isCertificatePem(given.ca_pem)) {
    faults.push({ field: "ca_pem", message: "ca_pem must be PEM: one or more BEGIN CERTIFICATE blocks." });
  }
  return faults;
}

function refused(faults: readonly FieldFault[]): AppError {
  const message = faults[0]?.message ?? "The server's fields cannot be read.";
  return new AppError("VALIDATION_ERROR", message, { details: faults });
}

export function inputOf(server: ServerInput): ServerInput {
  const { name, role, base_url, model, voice, languages, ca_pem, first_ms, total_ms, is_default } = server;
  return { name, role, base_url, model, voice, languages, ca_pem, first_ms, total_ms, is_default };
}

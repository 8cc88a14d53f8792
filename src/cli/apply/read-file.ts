// Reads and validates the FILE of `ringward apply`. All faults are reported at once, each with its path in the file.
// Values are never quoted, because any of them may be a secret.
import { Kind, type TSchema } from "@sinclair/typebox";
import { TypeCompiler } from "@sinclair/typebox/compiler";
import { ValueErrorType, type ValueError } from "@sinclair/typebox/errors";
import { readFileSync, statSync } from "node:fs";
import { AppError, messageOf } from "../../core/errors.ts";
import { lazily } from "../../core/lazily.ts";
import { bare, isNear } from "../../core/near-names.ts";
import { allowedBy } from "../../core/schema-words.ts";
import { FileSchema, type ApplyFile } from "./file-schema.ts";

/** Of the file, and of each file that it names. */
export const MOST_BYTES = 1_000_000;

const fileSchema = lazily(() => TypeCompiler.Compile(FileSchema));

export function readApplyFile(file: string): ApplyFile {
  const given = parsed(file, readSmallFile(file));
  const faults = [...unknownKeys(FileSchema, given, "")];
  const seen = new Set<string>();
  for (const error of fileSchema().Errors(given)) {
    const at = pathOf(error.path);
    // The parent of a missing or wrong value reports once.
    if (error.type === ValueErrorType.ObjectAdditionalProperties || seen.has(at)) continue;
    seen.add(at);
    faults.push(faultOf(at, error));
  }
  if (faults.length > 0) throw faulty(file, faults);
  return given as ApplyFile;
}

const faultOf = (at: string, { value, schema }: ValueError) =>
  value === undefined ? `${at}: is required.` : `${at || "the file"}: must be ${allowedBy(schema)}.`;

export function faulty(file: string, faults: readonly string[]): AppError {
  const head = `${file} has ${faults.length} fault${faults.length === 1 ? "" : "s"}. Nothing was changed:`;
  return new AppError("VALIDATION_ERROR", [head, ...faults.map((fault) => `  - ${fault}`)].join("\n"));
}

export function readSmallFile(file: string): string {
  try {
    // Only plain files: a pipe or device may never end.
    const { size, isFile } = factsOf(file);
    if (!isFile) throw new Error("it is not a plain file");
    if (size > MOST_BYTES) throw new Error("it is larger than 1 MB");
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new AppError("VALIDATION_ERROR", `${file} cannot be read: ${messageOf(error)}.`, { cause: error });
  }
}

function factsOf(file: string): { size: number; isFile: boolean } {
  const facts = statSync(file);
  return { size: facts.size, isFile: facts.isFile() };
}

function parsed(file: string, text: string): unknown {
  const isJson = file.toLowerCase().endsWith(".json");
  try {
    // TOML's dates and times become text, as they are written in JSON.
    return JSON.parse(isJson ? text : JSON.stringify(Bun.TOML.parse(text)));
  } catch (error) {
    // The parsers quote the offending text, which may be a secret without quotation marks.
    const reason = messageOf(error).replace(/"[^"]*"/g, "…");
    throw new AppError("VALIDATION_ERROR", `${file} cannot be read as ${isJson ? "JSON" : "TOML"}: ${reason}`);
  }
}

function* unknownKeys(schema: TSchema, value: unknown, at: string): Iterable<string> {
  if (Array.isArray(value)) {
    const items = schema["items"] as TSchema | undefined;
    if (items) for (const [i, item] of value.entries()) yield* unknownKeys(items, item, `${at}[${i}]`);
    return;
  }
  if (typeof value !== "object" || value === null) return;
  const choices = (schema["anyOf"] as TSchema[] | undefined) ?? [schema];
  const known = choices.find((choice) => choice[Kind] === "Object")?.["properties"] as
    | Record<string, TSchema>
    | undefined;
  if (!known) return;
  for (const [key, inner] of Object.entries(value)) {
    const here = at === "" ? key : `${at}.${key}`;
    const property = Object.hasOwn(known, key) ? known[key] : undefined;
    if (property) yield* unknownKeys(property, inner, here);
    else yield `${here}: no such key.${hint(key, Object.keys(known))}`;
  }
}

function hint(key: string, known: readonly string[]): string {
  const near = known.find((name) => bare(name) === bare(key) || isNear(bare(key), bare(name)));
  return near === undefined ? ` Known: ${known.join(", ")}.` : ` Did you mean ${near}?`;
}

/** `/agents/0/greeting` → `agents[0].greeting`. */
function pathOf(pointer: string): string {
  return pointer
    .split("/")
    .slice(1)
    .reduce((path, part) => (/^[0-9]+$/.test(part) ? `${path}[${part}]` : path === "" ? part : `${path}.${part}`), "");
}

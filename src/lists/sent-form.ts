// A form with a list, as the dashboard uploads it: `file`, or `text` for pasted text, and `asked` as JSON. Parsed in
// the process that reads files, because a form of 10 MB would block the serving one.
import { AppError } from "../core/errors.ts";
import { listFault } from "./table.ts";

export interface SentForm {
  bytes: Uint8Array;
  isPasted: boolean;
  /** Null if it is no JSON. */
  asked: unknown;
}

export async function sentForm(body: Uint8Array, contentType: string): Promise<SentForm> {
  const form = await formOf(body, contentType);
  const [file, text] = [form.get("file"), form.get("text")];
  const isPasted = typeof text === "string";
  const bytes = isPasted ? new TextEncoder().encode(text) : await bytesOf(file);
  return { bytes, isPasted, asked: parsed(form.get("asked")) };
}

async function formOf(body: Uint8Array, contentType: string): Promise<FormData> {
  try {
    return await new Response(new Uint8Array(body), { headers: { "content-type": contentType } }).formData();
  } catch {
    throw new AppError("VALIDATION_ERROR", "The form is broken. Choose the list again.");
  }
}

async function bytesOf(file: unknown): Promise<Uint8Array> {
  if (!(file instanceof Blob)) throw listFault("Choose a file, or paste the rows.");
  return file.bytes();
}

function parsed(field: unknown): unknown {
  try {
    return typeof field === "string" && !field.includes(String.raw`\u0000`) ? JSON.parse(field) : null;
  } catch {
    return null;
  }
}

// A request as a curl command line for reproducing a fault. Secrets are replaced by variable names.
import { addressOf, bytesOf, headersOf, type FuzzRequest } from "./request.ts";

const LONGEST_BODY = 600;

export function curlLine(request: FuzzRequest, secrets: ReadonlyMap<string, string>): string {
  const bytes = bytesOf(request);
  const parts = [
    `curl -i -X ${request.operation.method} "$BASE"${quoted(addressOf(request))}`,
    ...Object.entries(headersOf(request)).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(bytes === null ? [] : [`--data-binary ${bodyWord(bytes)}`]),
  ];
  let line = parts.join(" ");
  for (const [secret, name] of secrets) line = line.replaceAll(secret, `'"$${name}"'`);
  return line;
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Printable text as is; other bytes as shell escapes. */
function bodyWord(bytes: Uint8Array): string {
  const shown = bytes.subarray(0, LONGEST_BODY);
  const text = Buffer.from(shown).toString("latin1");
  const word = /^[\x20-\x7e]*$/.test(text) ? quoted(text) : `$'${text.replaceAll(/['\\]|[^\x20-\x7e]/g, escaped)}'`;
  return bytes.length > LONGEST_BODY ? `${word} # and ${bytes.length - LONGEST_BODY} bytes more` : word;
}

const escaped = (character: string): string => `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`;

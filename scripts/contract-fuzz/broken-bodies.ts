// Bodies that are not JSON, unusual JSON, and wrong content types.
import { oneOf, type Draw } from "./draw.ts";
import { longText } from "./odd-text.ts";

export interface BrokenBody {
  label: string;
  bytes: Uint8Array;
  headers: Record<string, string>;
  /** Whether a rejection is required, or the schema of the operation decides. */
  isRefused: boolean | "by schema";
}

type Break = (json: string) => Omit<BrokenBody, "label">;

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const refused = (text: string): Omit<BrokenBody, "label"> => ({ bytes: utf8(text), headers: {}, isRefused: true });
const judged = (text: string): Omit<BrokenBody, "label"> => ({
  bytes: utf8(text),
  headers: {},
  isRefused: "by schema",
});
const taken = (text: string): Omit<BrokenBody, "label"> => ({ bytes: utf8(text), headers: {}, isRefused: false });
const typed =
  (headers: Record<string, string>, isRefused: boolean): Break =>
  (json) => ({
    bytes: utf8(json),
    headers,
    isRefused,
  });

/** Repeats the first member with a different value. */
const doubled = (json: string): string => json.replace(/^\{("(?:[^"\\]|\\.)*"):/, "{$1:null,$1:");
const withMember = (json: string, member: string): string =>
  json === "{}" ? `{${member}}` : json.replace(/^\{/, `{${member},`);

const BREAKS: Readonly<Record<string, Break>> = {
  empty: () => refused(""),
  "an open brace": () => refused("{"),
  "cut short": (json) => refused(json.slice(0, -1)),
  "followed by more": (json) => refused(`${json}}`),
  "two documents": (json) => refused(`${json}${json}`),
  "a comma too many": (json) => refused(json.replace(/\}$/, ",}")),
  "a byte order mark": (json) => taken(`\uFEFF${json}`),
  "bytes that are no UTF-8": (json) => ({
    bytes: Buffer.concat([utf8(json.slice(0, -1)), utf8(',"x":"'), Buffer.from([0xff, 0xc0, 0x80]), utf8('"}')]),
    headers: {},
    isRefused: true,
  }),
  "half a surrogate in bytes": (json) => ({
    bytes: Buffer.concat([utf8(json.slice(0, -1)), utf8(',"x":"'), Buffer.from([0xed, 0xa0, 0x80]), utf8('"}')]),
    headers: {},
    isRefused: true,
  }),
  "UTF-16": (json) => ({ bytes: Buffer.from(json, "utf16le"), headers: {}, isRefused: true }),
  "a doubled key": (json) => taken(doubled(json)),
  "a prototype": (json) => taken(withMember(json, '"__proto__":{"isAdmin":true,"agent_id":"x"}')),
  "a constructor": (json) => taken(withMember(json, '"constructor":{"prototype":{"isAdmin":true}}')),
  "an unknown field": (json) => taken(withMember(json, '"\\u2028 x":"\\ud800"')),
  "many unknown fields": (json) =>
    taken(withMember(json, Array.from({ length: 60 }, (_, at) => `"field ${at}\\r\\n":${at}`).join())),
  "1e400": (json) => taken(withMember(json, '"additional_info":{"big":1e400}')),
  "a number of 64 bits": (json) => taken(withMember(json, '"max_slots":9223372036854775808')),
  NaN: (json) => refused(withMember(json, '"x":NaN')),
  "deep brackets": () => refused(`${longText(5_000, "[")}${longText(5_000, "]")}`),
  "deep objects": (json) => taken(withMember(json, `"x":${longText(300, '{"a":')}1${longText(300, "}")}`)),
  null: () => judged("null"),
  "a list": (json) => judged(`[${json}]`),
  "a list of two": (json) => judged(`[${json},${json}]`),
  text: (json) => judged(JSON.stringify(json)),
  "a number": () => judged("0"),
  "long whitespace": (json) => taken(`${longText(20_000, " ")}${json}`),
  "no type": typed({ "content-type": "" }, true),
  "text/plain": typed({ "content-type": "text/plain" }, true),
  "a form": typed({ "content-type": "application/x-www-form-urlencoded" }, true),
  parts: typed({ "content-type": "multipart/form-data; boundary=x" }, true),
  "JSON lines": typed({ "content-type": "application/jsonl" }, true),
  "a JSON type of somebody's": typed({ "content-type": "application/vnd.hospital+json" }, false),
  "a charset": typed({ "content-type": 'Application/JSON; charset="UTF-8"' }, false),
  "gzip that is none": typed({ "content-encoding": "gzip" }, true),
};

const LABELS = Object.keys(BREAKS);
/** Exceeds the body limit of every route except campaigns, which allow 8 MiB: too much to send often. */
const TOO_LARGE_BYTES = 300 * 1024;

export function brokenBody(draw: Draw, json: string): BrokenBody {
  const label = oneOf(draw, LABELS);
  const made = BREAKS[label]?.(json) ?? refused("");
  return { label, ...made };
}

export const largeBody = (json: string): Uint8Array => utf8(json.replace(/^\{/, `{${longText(TOO_LARGE_BYTES, " ")}`));

// Malformed URLs: unknown ids, broken encodings, repeated or overlong query parameters.
import type { JsonSchema, Operation, Parameter } from "./document.ts";
import { oneOf, rarely, type Draw } from "./draw.ts";
import { longText, ODD_TEXTS } from "./odd-text.ts";
import { encoded } from "./request.ts";

/** In place of an id, already encoded. */
const ODD_SEGMENTS: readonly string[] = [
  "call_01k9zv3q5m2n8r4t6w7x9y0abc",
  "0190a1b2-0000-7000-8000-0000000000ff",
  "0190A1B2-0000-7000-8000-0000000000FF%7C%7C2026-11-20",
  "0190a1b2-0000-7000-8000-0000000000ff||2026-02-30||any",
  "||",
  "null",
  "0",
  "-1",
  "%",
  "%zz",
  "%00",
  "%E2%80%A8",
  "%ED%A0%80",
  "%C0%AE%C0%AE",
  "%2F",
  "a%2F..%2Fb",
  "%252e",
  "__proto__",
  "constructor",
  "*",
  "%20",
  "%0d%0aX-Injected:%201",
  "%F0%9F%91%A9",
  "a;b=c",
  "a,b",
  longText(65),
  longText(299),
  longText(301),
  longText(1_500),
  longText(100, "%41"),
];

export const oddSegment = (draw: Draw): string => oneOf(draw, ODD_SEGMENTS);

type Query = readonly (readonly [name: string, value: string])[];

export interface OddQuery {
  query: Query;
  /** What the document forbids in it; null if it is allowed. */
  forbidden: string | null;
}

/** `faultOf` returns the schema's objection to a parameter's value. */
export function oddQuery(
  draw: Draw,
  operation: Pick<Operation, "parameters" | "method" | "scope">,
  query: Query,
  faultOf: (schema: JsonSchema, value: string) => string | null,
): OddQuery {
  const known = operation.parameters.filter((parameter) => parameter.in === "query");
  if (known.length === 0 || rarely(draw, 4)) {
    const stray = oneOf(draw, STRAY_QUERIES);
    return { query: [...query, ...stray], forbidden: strayFault(stray, known, operation) };
  }
  const { name, schema } = oneOf(draw, known);
  const others = query.filter(([each]) => each !== name);
  const value = oneOf(draw, edgesOfValue(schema));
  const fault = faultOf(schema, value);
  if (fault !== null) return { query: [...others, [name, encoded(value)]], forbidden: `${name} ${fault}` };
  if (operation.scope !== null && rarely(draw, 4))
    return {
      query: [...others, [name, encoded(value)], [name, encoded(oneOf(draw, edgesOfValue(schema)))]],
      forbidden: `${name} was sent twice`,
    };
  return { query: [...others, [name, encoded(value)]], forbidden: null };
}

/** Filtered lists and all deletions reject unknown parameters. */
function strayFault(
  stray: Query,
  known: readonly Parameter[],
  { method, scope }: Pick<Operation, "method" | "scope">,
): string | null {
  const names = new Set(stray.map(([name]) => decodedName(name)));
  for (const { name } of known) names.delete(name);
  // Media links accept extra parameters, because browsers and players add their own.
  if (scope === null) return null;
  const refuses = method === "DELETE" || (method === "GET" && known.length > 0);
  return refuses && names.size > 0 ? "the query has a name that is not documented" : null;
}

/** Decoded as a query is: malformed encodings stay as they are. */
const decodedName = (name: string): string => [...new URLSearchParams(`${name}=`).keys()][0] ?? "";

function edgesOfValue({ maxLength = 300, enum: words = [] }: JsonSchema): string[] {
  const letters = words.filter((word) => typeof word === "string");
  const numbers = ["0", "1", "100", "101", "999", "1000", "-1", "1.5", "01", "1e2", "٣"];
  return [
    ...ODD_TEXTS,
    ...numbers,
    ...letters,
    ...letters.map((word) => word.toUpperCase()),
    longText(maxLength),
    longText(maxLength + 1),
  ];
}

const STRAY_QUERIES: readonly Query[] = [
  [["unknown", "1"]],
  [["__proto__", "1"]],
  [["constructor[prototype][x]", "1"]],
  [["%zz", "%zz"]],
  [["a", "%E0%A4%A"]],
  [["%00", "%00"]],
  [["", ""]],
  [["x", "%ED%A0%80"]],
  [
    ["limit", "1"],
    ["limit", "2"],
  ],
  [["long", longText(2_100)]],
  Array.from({ length: 60 }, (_, at): [string, string] => [`p${at}`, "1"]),
  [["escaped", longText(330, "%41")]],
  [["scheduled_at", "2026-11-20"]],
  [["x-api-key", "1"]],
];

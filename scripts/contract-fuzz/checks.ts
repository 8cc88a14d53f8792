// Checks that apply to every response. Each check has a one-sentence name and reports its finding.
import type { Answer, Exchange } from "./exchange.ts";
import { sentText } from "./request.ts";
import type { Schemas } from "./schemas.ts";
import { otherThan, type World } from "./world.ts";

export interface CheckDeps {
  world: World;
  schemas: Schemas;
  /** The organisation that owns an id; undefined for unknown ids. */
  ownerOf: (id: string) => string | undefined;
}

export interface Check {
  name: string;
  /** The finding; null if there is none. */
  finds(exchange: Exchange, deps: CheckDeps): string | null;
}

const isError = ({ status }: Answer): boolean => status >= 400;
const typeOf = ({ headers }: Answer): string => headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";
/** Not application/x-ndjson, whose lines are JSON and whose whole is not. */
const JSON_TYPE = /[/+]json$/;
const documented = ({ sent, answer }: Exchange) => sent.request.operation.answers.get(answer.status);

interface ErrorAnswer {
  error?: { code?: string; message?: string; details?: unknown; request_id?: string };
}
const errorOf = ({ json }: Answer) => ((json ?? {}) as ErrorAnswer).error;

export const CHECKS: readonly Check[] = [
  {
    name: "the server breaks down",
    finds: ({ answer }) => (answer.status >= 500 ? `${answer.status} ${errorOf(answer)?.code ?? ""}` : null),
  },
  {
    name: "a status that is not documented",
    finds: (exchange) =>
      documented(exchange) ? null : `${exchange.answer.status} ${errorOf(exchange.answer)?.code ?? ""}`,
  },
  {
    name: "a type that is not documented",
    finds(exchange) {
      const types = documented(exchange)?.types;
      return !types || types.has(typeOf(exchange.answer))
        ? null
        : `${exchange.answer.status} as "${typeOf(exchange.answer)}"`;
    },
  },
  {
    name: "a body that is not as documented",
    finds(exchange, { schemas }) {
      const type = typeOf(exchange.answer);
      const schema = documented(exchange)?.types.get(type);
      if (!schema || !JSON_TYPE.test(type)) return null;
      const fault = schemas.faultOfAnswer(schema, exchange.answer.json);
      return fault === null ? null : `${exchange.answer.status}: ${fault}`;
    },
  },
  {
    name: "an error code that is not documented",
    finds(exchange) {
      const codes = documented(exchange)?.codes ?? [];
      const code = errorOf(exchange.answer)?.code;
      return codes.length === 0 || code === undefined || codes.includes(code)
        ? null
        : `${exchange.answer.status} ${code}`;
    },
  },
  {
    name: "headers that every answer has are missing",
    finds({ answer }) {
      const { headers } = answer;
      const id = headers.get("x-request-id");
      if (id === null) return "X-Request-Id";
      if (isError(answer) && errorOf(answer)?.request_id !== id) return "X-Request-Id is not the error's request_id";
      if (headers.get("x-content-type-options") !== "nosniff") return "X-Content-Type-Options";
      if (answer.status === 429 && !/^[1-9]\d*$/.test(headers.get("retry-after") ?? "")) return "Retry-After";
      return null;
    },
  },
  {
    name: "a right that nobody has",
    finds({ sent: { only }, answer }) {
      return !only || only.statuses.includes(answer.status) ? null : `${answer.status} although ${only.why}`;
    },
  },
  {
    name: "a right that is refused",
    finds({ sent: { never }, answer }) {
      return never?.statuses.includes(answer.status) ? `${answer.status} although ${never.why}` : null;
    },
  },
  {
    name: "what the document forbids is done",
    finds({ sent: { forbidden }, answer }) {
      return forbidden === undefined || isError(answer) ? null : `${answer.status} although ${forbidden}`;
    },
  },
  { name: "another organisation's data", finds: crossed },
  {
    name: "another's id is told from an unknown one",
    finds({ answer, twin }) {
      if (!twin) return null;
      if (twin.status !== answer.status) return `${answer.status} against ${twin.status}`;
      return isError(answer) && withoutIds(answer) !== withoutIds(twin) ? `${answer.status} in other words` : null;
    },
  },
];

const ID = /\b(?:[a-z]{3,4}_[0-9a-z]{26}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\b/g;

function crossed({ sent, organisation, answer }: Exchange, { world, ownerOf }: CheckDeps): string | null {
  const text = answer.text + [...answer.headers.values()].join(" ");
  const other = otherThan(world, organisation);
  if (text.includes(other.marker)) return `${answer.status} with the name of ${other.name}`;
  const found = (text.match(ID) ?? []).find((id) => ownerOf(id) === other.name);
  // A response may repeat ids from the request.
  return found === undefined || sentText(sent.request).includes(found)
    ? null
    : `${answer.status} with an id of ${other.name}`;
}

/** The text of an error without the parts that differ per request. */
function withoutIds(answer: Answer): string {
  const { code, message, details } = errorOf(answer) ?? {};
  return JSON.stringify([code, message, details]).replaceAll(ID, "ID");
}

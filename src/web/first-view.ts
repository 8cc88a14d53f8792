// The first requests of a page, sent as one before the page asks them: on a slow line each costs a round trip. The
// client takes each answer once; whatever is not here is requested as usual.
import { FIRST_API, firstAsks } from "./first-asks.ts";

/** Older answers are not used. */
const FRESH_MS = 10_000;

interface Answer {
  path: string;
  status: number;
  body: unknown;
}

interface Expected {
  paths: Set<string>;
  answers: Promise<Map<string, Answer>>;
}

let expected: Expected | null = null;

/** Sends the one request of the page at this address. */
export function askFirst(path: string, search: string): void {
  const paths = ["welcome", "session", ...firstAsks(path, search)];
  const ask = new URLSearchParams({ ask: paths.slice(2).join(" ") });
  expected = { paths: new Set(paths), answers: answersAt(`${FIRST_API}first-view?${ask}`) };
  setTimeout(forget, FRESH_MS);
}

function forget(): void {
  expected = null;
}

/** None if the appliance could not be reached or answered otherwise: the page then asks for itself. */
async function answersAt(address: string): Promise<Map<string, Answer>> {
  try {
    const response = await fetch(address, { credentials: "same-origin" });
    const answers = response.ok ? ((await response.json()) as Answer[]) : [];
    return new Map(answers.map((answer) => [answer.path, answer]));
  } catch {
    return new Map();
  }
}

/** `fetch` of the API client. */
export async function fetchOrTake(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  if ((init?.method ?? "GET") !== "GET") forget();
  const path = pathIn(input);
  if (path === null || !expected?.paths.delete(path)) return fetch(input, init);
  const answer = (await expected.answers).get(path);
  return answer === undefined ? fetch(input, init) : responseOf(answer);
}

const pathIn = (input: string | URL | Request): string | null => {
  const start = `${location.origin}${FIRST_API}`;
  return typeof input === "string" && input.startsWith(start) ? input.slice(start.length) : null;
};

const responseOf = ({ status, body }: Answer): Response =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });

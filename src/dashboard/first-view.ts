// Answers of the first view of a page in one response: on a slow line each request costs a round trip. Each address is
// asked as the page would ask it, with the same cookie, so that rights, audit and logs are those of single requests.
import type { Caller } from "../http/handler.ts";

export interface FirstViewDeps {
  /** The appliance's own handler. */
  ask: (request: Request, caller: Caller) => Promise<Response>;
}

const API = "/dashboard/api/";
/** JSON of a few kilobytes, never a stream or a file. */
const ASKABLE: ReadonlySet<string> = new Set([
  "account/notices",
  "agents",
  "call-filters",
  "calls",
  "campaigns",
  "checklist",
  "health",
  "now",
  "overview",
  "trunks",
  "worklist",
  "worklist/count",
]);
/** Ids have digits; `calls/export` is a file. */
const ONE_CALL = /^calls\/(?=[\w-]*\d)[\w-]{1,64}$/;
/** The busiest page asks seven. */
const MOST_ASKED = 16;
/** Below this size the line gains nothing. */
const LEAST_GZIPPED_CHARS = 1_000;

interface Answer {
  path: string;
  status: number;
  /** As JSON. */
  body: string;
  cookies: string[];
}

/** Addresses below /dashboard/api/, separated by spaces. Others are left out, and the page asks them itself. */
export function addressesIn(asked: string): string[] {
  const isAskable = (path: string) => ASKABLE.has(path.split("?", 1)[0] ?? "") || ONE_CALL.test(path);
  const all = asked.split(" ").filter(isAskable);
  return [...new Set(all)].slice(0, MOST_ASKED);
}

export function createFirstView({ ask }: FirstViewDeps) {
  async function answerOf(request: Request, path: string, caller: Caller): Promise<Answer> {
    const { origin } = new URL(request.url);
    const headers = new Headers(request.headers);
    headers.delete("accept-encoding");
    const response = await ask(new Request(`${origin}${API}${path}`, { headers }), caller);
    return { path, status: response.status, body: await response.text(), cookies: response.headers.getSetCookie() };
  }

  return {
    /** People who are not signed in get the first answer only. */
    async answer(request: Request, asked: string, caller: Caller): Promise<Response> {
      const answers = [await answerOf(request, "welcome", caller)];
      const session = await answerOf(request, "session", caller);
      if (session.status === 200) {
        const others = addressesIn(asked).map((path) => answerOf(request, path, caller));
        answers.push(session, ...(await Promise.all(others)));
      }
      const cookies = new Set(answers.flatMap((each) => each.cookies));
      return asJson(request, `[${answers.map(asText).join(",")}]`, cookies);
    },
  };
}

export type FirstView = ReturnType<typeof createFirstView>;

const asText = ({ path, status, body }: Answer): string =>
  `{"path":${JSON.stringify(path)},"status":${status},"body":${body}}`;

function asJson(request: Request, text: string, cookies: ReadonlySet<string>): Response {
  const headers = new Headers({
    "content-type": "application/json",
    "cache-control": "no-store",
    vary: "accept-encoding",
  });
  for (const cookie of cookies) headers.append("set-cookie", cookie);
  const takesGzip = /\bgzip\b/.test(request.headers.get("accept-encoding") ?? "");
  if (!takesGzip || text.length < LEAST_GZIPPED_CHARS) return new Response(text, { headers });
  headers.set("content-encoding", "gzip");
  return new Response(Bun.gzipSync(text), { headers });
}

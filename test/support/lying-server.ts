// A server with two operations that follows its OpenAPI document exactly, except for one violation per case. The
// contract fuzzer must accept the first and report the second.
import { operationsOf, type RawDocument } from "../../scripts/contract-fuzz/document.ts";
import { Schemas } from "../../scripts/contract-fuzz/schemas.ts";
import type { Organisation, World } from "../../scripts/contract-fuzz/world.ts";

export const LIES = [
  "breaks down",
  "an undocumented status",
  "an undocumented type",
  "an undocumented code",
  "a field is missing",
  "a field too many",
  "no request id",
  "any key will do",
  "any scope will do",
  "its own scope will not do",
  "takes what it forbids",
  "shows another's record",
  "names the other in an error",
  "tells another's id apart",
  "lets others change it",
] as const;
export type Lie = (typeof LIES)[number] | null;

const text = { type: "string" };
const record = { type: "object", required: ["call_id", "name"], properties: { call_id: text, name: text } };
const answer = (schema: object, ...codes: string[]) => ({
  content: { "application/json": { schema, examples: Object.fromEntries(codes.map((code) => [code, {}])) } },
});
const faults = (...listed: [status: number, code: string][]) =>
  Object.fromEntries(listed.map(([status, code]) => [status, answer({ $ref: "#/components/schemas/Error" }, code)]));
const guarded: [number, string][] = [
  [401, "UNAUTHORIZED"],
  [403, "INSUFFICIENT_SCOPE"],
  [414, "URI_TOO_LONG"],
  [500, "INTERNAL"],
];
const body = {
  type: "object",
  required: ["name"],
  properties: { name: { type: "string", minLength: 1, maxLength: 20 } },
};
const changing: [number, string][] = [
  [400, "VALIDATION_ERROR"],
  [413, "PAYLOAD_TOO_LARGE"],
  [415, "UNSUPPORTED_MEDIA_TYPE"],
];
const byId = [{ name: "call_id", in: "path" as const, schema: text }];
const data = { type: "object", required: ["data"], properties: { data: record } };

const DOCUMENT: RawDocument = {
  paths: {
    "/things": {
      post: {
        operationId: "createCall",
        "x-scope": "write",
        requestBody: { content: { "application/json": { schema: body } } },
        responses: { 201: answer(data), ...faults(...guarded, ...changing) },
      },
    },
    "/things/{call_id}": {
      get: {
        operationId: "getCall",
        "x-scope": "read",
        parameters: byId,
        responses: { 200: answer(data), ...faults(...guarded, [404, "NOT_FOUND"]) },
      },
      patch: {
        operationId: "changeCall",
        "x-scope": "write",
        parameters: byId,
        requestBody: { content: { "application/json": { schema: body } } },
        responses: { 200: answer(data), ...faults(...guarded, ...changing, [404, "NOT_FOUND"]) },
      },
    },
  },
  components: {
    schemas: {
      Error: {
        type: "object",
        required: ["error"],
        properties: {
          error: {
            type: "object",
            required: ["code", "message", "request_id"],
            properties: { code: text, message: text, request_id: text },
          },
        },
      },
    },
  },
};

const MOST_BYTES = 256 * 1024;

interface Thing {
  call_id: string;
  name: string;
  owner: string;
}

class Refused extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string = code,
  ) {
    super(message);
  }
}

interface Key {
  owner: string;
  scopes: readonly string[];
}

export interface LyingServer {
  world: World;
  /** Method, address and body of everything that was asked, without ids. */
  asked: string[];
  stop(): Promise<void>;
}

const idOf = (count: number): string => `call_${String(count).padStart(26, "0")}`;

export function startLyingServer(lie: Lie): LyingServer {
  const things = new Map<string, Thing>();
  const keys = new Map<string, Key>();
  const schemas = new Schemas();
  const asked: string[] = [];
  const create = (owner: string, name: string): Thing => {
    const thing = { call_id: idOf(things.size + 1), name, owner };
    things.set(thing.call_id, thing);
    return thing;
  };
  const newKey = (owner: string, ...scopes: string[]): string => {
    const key = `key-of-${owner}-${scopes.join("-")}-${keys.size}`;
    keys.set(key, { owner, scopes });
    return key;
  };

  function principal(request: Request, scope: string): Key {
    const key = keys.get(request.headers.get("x-api-key") ?? "");
    if (!key && lie === "any key will do") return { owner: "first", scopes: ["read", "write"] };
    if (!key) throw new Refused(401, "UNAUTHORIZED");
    const isAllowed = key.scopes.includes(scope) && !(lie === "its own scope will not do" && key.scopes.length === 1);
    if (!isAllowed && lie !== "any scope will do") throw new Refused(403, "INSUFFICIENT_SCOPE");
    return key;
  }

  async function nameIn(request: Request): Promise<string> {
    if (!/^application\/(?:[\w.]+\+)?json\b(?!l)/i.test(request.headers.get("content-type") ?? ""))
      throw new Refused(415, "UNSUPPORTED_MEDIA_TYPE");
    if (request.headers.has("content-encoding")) throw new Refused(415, "UNSUPPORTED_MEDIA_TYPE");
    const bytes = await request.bytes();
    if (bytes.length > MOST_BYTES) throw new Refused(413, "PAYLOAD_TOO_LARGE");
    const parsed = parsedOrNull(bytes) as { name?: string } | null;
    asked.push(JSON.stringify(parsed));
    if (lie === "breaks down" && parsed?.name === "") throw new Refused(500, "INTERNAL");
    const isRight = schemas.faultOfRequest(body, parsed) === null;
    if (!isRight && lie !== "takes what it forbids") throw new Refused(400, "VALIDATION_ERROR");
    return parsed?.name ?? "";
  }

  function thingOf(id: string, { owner }: Key, isRead: boolean): Thing {
    const thing = things.get(id);
    const isForeign = thing !== undefined && thing.owner !== owner;
    if (isForeign && isRead && lie === "shows another's record") return thing;
    if (isForeign && !isRead && lie === "lets others change it") return thing;
    if (isForeign && lie === "tells another's id apart") throw new Refused(404, "NOT_FOUND", "Not yours.");
    if (isForeign && lie === "names the other in an error") throw new Refused(404, "NOT_FOUND", `Of ${thing.name}.`);
    if (!thing || isForeign) throw new Refused(404, lie === "an undocumented code" ? "GONE" : "NOT_FOUND");
    return thing;
  }

  async function serve(request: Request): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    if (pathname.length + search.length > 2_048) throw new Refused(414, "URI_TOO_LONG");
    const [, , id] = pathname.split("/");
    if (request.method === "POST") {
      const key = principal(request, "write");
      return shown(create(key.owner, await nameIn(request)), 201);
    }
    const isRead = request.method === "GET";
    const key = principal(request, isRead ? "read" : "write");
    if (!isRead) {
      const name = await nameIn(request);
      const thing = thingOf(decodedOr(id ?? ""), key, false);
      return shown(Object.assign(thing, { name }), 200);
    }
    return shown(thingOf(decodedOr(id ?? ""), key, true), lie === "an undocumented status" ? 202 : 200);
  }

  function shown({ call_id, name }: Thing, status: number): Response {
    const more = lie === "a field too many" ? { secret: true } : {};
    const record = { data: { call_id, ...(lie === "a field is missing" ? {} : { name }), ...more } };
    const type = lie === "an undocumented type" ? "text/json" : "application/json";
    return new Response(JSON.stringify(record), { status, headers: { "content-type": type } });
  }

  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      asked.push(`${request.method} ${pathname}${search}`.replaceAll(/call_\d+/g, "ID"));
      const response = await serve(request).catch((error: unknown) => {
        if (!(error instanceof Refused)) throw error;
        const { status, code, message } = error;
        return Response.json({ error: { code, message, request_id: "req_1" } }, { status });
      });
      if (lie !== "no request id") response.headers.set("x-request-id", "req_1");
      response.headers.set("x-content-type-options", "nosniff");
      return response;
    },
  });
  const world = worldOf(`http://127.0.0.1:${server.port}`, newKey, create);
  return { world, asked, stop: () => server.stop(true) };
}

function worldOf(
  url: string,
  newKey: (owner: string, ...scopes: string[]) => string,
  create: (owner: string, name: string) => Thing,
): World {
  const organisation = (name: string, marker: string): Organisation => {
    const { call_id: id } = create(name, `${marker} exhibit`);
    return {
      name,
      marker,
      areaCode: "22",
      key: newKey(name, "read", "write"),
      agentIds: ["agent"],
      branchIds: ["branch"],
      serviceIds: ["service"],
      grants: new Map(),
      badGrants: new Map(),
      askedUrl: "https://receiver.example/",
      sign: null,
      exhibits: [{ kind: "call_id", id, address: `/things/${id}` }],
      seeds: new Map([["call_id", [create(name, marker).call_id]]]),
    };
  };
  const organisations = [organisation("first", "quokka"), organisation("second", "narwhal")] as const;
  const only = new Map([
    ["read", newKey("first", "read")],
    ["write", newKey("first", "write")],
  ]);
  return {
    url,
    operations: operationsOf(DOCUMENT),
    organisations,
    only,
    without: new Map([
      ["read", only.get("write") ?? ""],
      ["write", only.get("read") ?? ""],
    ]),
    dead: [
      { label: "no key", headers: {} },
      { label: "an unknown key", headers: { "x-api-key": "nobody" } },
    ],
    limited: null,
    bodySeconds: null,
    secrets: new Map(organisations.map(({ key, name }) => [key, `${name.toUpperCase()}_KEY`])),
    now: Date.UTC(2026, 10, 16),
  };
}

function parsedOrNull(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return null;
  }
}

function decodedOr(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

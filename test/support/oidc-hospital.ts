// A hospital's OpenID Connect provider: the certified oidc-provider package, with people whom a test may disable, and
// with lies about their tokens.
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { decodeJwt, exportJWK, exportSPKI, generateKeyPair, SignJWT, type JWTPayload } from "jose";
import Provider, { type TokenContext } from "oidc-provider";

export interface ProviderPerson {
  email?: string;
  email_verified?: boolean;
  name?: string;
  groups?: string[];
  /** How they prove who they are. */
  amr?: string[];
  acr?: string;
}

/** What the provider says instead of the truth. */
export interface Lie {
  claims?: (claims: JWTPayload) => JWTPayload;
  /** Seconds by which the token's times are off. */
  shiftSeconds?: number;
  key?: "own" | "foreign" | "none" | "None" | "client_secret" | "public_key";
}

/**
 * `hang`: no answer. `down`: 503. `lost`, `cut`: the request is served, and its answer does not arrive,
 * or empty. `flood`: a gigabyte.
 * `trickle`: an answer without end, in small parts. `elsewhere`: a redirect to a host of the attacker.
 */
export type Fault = "hang" | "down" | "lost" | "cut" | "flood" | "trickle" | "elsewhere";

export interface OidcHospital {
  readonly issuer: string;
  readonly client: { id: string; secret: string };
  readonly people: Map<string, ProviderPerson>;
  /** Paths that were asked for. */
  readonly asked: string[];
  lie: Lie | null;
  /** `hang`: takes requests and answers none. `down`: answers 503. */
  health: "up" | "hang" | "down";
  /** By path, beside `health`. */
  readonly faults: Map<string, Fault>;
  /** Bytes of endless answers that were sent. */
  flooded: number;
  isFlooding: boolean;
  /** Where `elsewhere` leads to. */
  elsewhere: string;
  /** Signs the person in at the provider's page; answers where it sends the browser. */
  visit(url: string, id: string): Promise<URL>;
  stop(): Promise<void>;
}

const CLIENT = { id: "ringward", secret: "a secret of the client, long enough for HS256" };

export async function startOidcHospital(redirectUri: string): Promise<OidcHospital> {
  const own = await generateKeyPair("RS256", { extractable: true });
  const foreign = await generateKeyPair("RS256", { extractable: true });
  const jwk = { ...(await exportJWK(own.privateKey)), kid: "own", alg: "RS256", use: "sig" };
  const publicPem = await exportSPKI(own.publicKey);
  const people = new Map<string, ProviderPerson>();
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [redirectUri],
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
        token_endpoint_auth_method: "client_secret_post",
      },
    ],
    claims: { openid: ["sub", "groups", "acr", "amr"], email: ["email", "email_verified"], profile: ["name"] },
    conformIdTokenClaims: false,
    acrValues: ["phr", "gold"],
    cookies: { keys: ["a key of this test"] },
    features: { devInteractions: { enabled: false } },
    findAccount: (_context: unknown, id: string) => {
      const person = people.get(id);
      return person && { accountId: id, claims: () => ({ sub: id, ...claimsOf(person) }) };
    },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    issueRefreshToken: () => true,
    jwks: { keys: [jwk] },
    async loadExistingGrant(context: TokenContext) {
      const grant = new context.oidc.provider.Grant({
        clientId: context.oidc.client.clientId,
        accountId: context.oidc.session.accountId,
      });
      grant.addOIDCScope("openid email profile offline_access");
      await grant.save();
      return grant;
    },
    rotateRefreshToken: true,
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 86_400, IdToken: 600, Interaction: 600, Session: 86_400 },
  });
  provider.use(async (context: TokenContext, next: () => Promise<void>) => {
    await next();
    if (context.path === "/token" && hospital.lie && context.body?.id_token)
      context.body.id_token = await told(hospital.lie, context.body.id_token);
  });
  const answer = provider.callback();

  async function told({ claims: change = (claims) => claims, shiftSeconds = 0, key = "own" }: Lie, token: string) {
    const claims = change(decodeJwt(token));
    const shifted = {
      ...claims,
      ...(claims.iat && { iat: claims.iat + shiftSeconds }),
      ...(claims.exp && { exp: claims.exp + shiftSeconds }),
    };
    if (key === "none" || key === "None") {
      const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
      return `${part({ alg: key })}.${part(shifted)}.`;
    }
    const jwt = new SignJWT(shifted);
    // The trap of a checker that takes the provider's public key for a shared secret.
    if (key === "public_key")
      return jwt.setProtectedHeader({ alg: "HS256", kid: "own" }).sign(new TextEncoder().encode(publicPem));
    if (key === "client_secret")
      return jwt.setProtectedHeader({ alg: "HS256" }).sign(new TextEncoder().encode(CLIENT.secret));
    return jwt.setProtectedHeader({ alg: "RS256", kid: "own" }).sign((key === "own" ? own : foreign).privateKey);
  }

  async function fail(fault: Exclude<Fault, "lost" | "cut">, response: ServerResponse): Promise<void> {
    if (fault === "down") response.writeHead(503).end();
    if (fault === "elsewhere") response.writeHead(307, { location: `${hospital.elsewhere}/taken` }).end();
    if (fault !== "flood" && fault !== "trickle") return;
    response.writeHead(200, { "content-type": "application/json" });
    const part = fault === "flood" ? Buffer.alloc(65_536, " ") : Buffer.from(" ");
    hospital.isFlooding = true;
    while (!response.destroyed && hospital.flooded < 2 ** 30) {
      hospital.flooded += part.length;
      if (!response.write(part)) await Promise.race([once(response, "drain"), once(response, "close")]);
      else await new Promise((resume) => void setImmediate(resume));
    }
    hospital.isFlooding = false;
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? "/", issuer);
    hospital.asked.push(pathname);
    const fault = hospital.health === "up" ? hospital.faults.get(pathname) : hospital.health;
    if (fault !== undefined && fault !== "lost" && fault !== "cut") return void fail(fault, response);
    // The provider has done its part by then.
    const end = response.end.bind(response);
    if (fault === "lost") response.end = () => (request.socket.destroy(), response);
    if (fault === "cut") response.end = () => (response.removeHeader("content-length"), end());
    if (!pathname.startsWith("/interaction/")) {
      answer(request, response);
      return;
    }
    if (request.method === "GET") {
      response.writeHead(200, { "content-type": "text/html" });
      response.end(`<form method="post"><label>User name <input name="id"></label><button>Continue</button></form>`);
      return;
    }
    let body = "";
    for await (const part of request) body += String(part);
    const id = new URLSearchParams(body).get("id") ?? "";
    const { amr = ["pwd"], acr } = people.get(id) ?? {};
    const login = { accountId: id, amr, ...(acr !== undefined && { acr }) };
    await provider.interactionFinished(request, response, { login, consent: {} }, { mergeWithLastSubmission: false });
  }

  const hospital: OidcHospital = {
    issuer,
    client: CLIENT,
    people,
    asked: [],
    lie: null,
    health: "up",
    faults: new Map(),
    flooded: 0,
    isFlooding: false,
    elsewhere: "http://127.0.0.1:1",
    async visit(url, id) {
      const jar = new Map<string, string>();
      let at = url;
      let options: RequestInit = {};
      for (let step = 0; step < 10; step++) {
        const headers = { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join("; ") };
        const page = await fetch(at, { ...options, headers, redirect: "manual" });
        for (const cookie of page.headers.getSetCookie()) {
          const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
          jar.set(name, value);
        }
        const next = page.headers.get("location");
        if (next === null && !at.includes("/interaction/"))
          throw new Error(`The provider answered ${page.status}: ${await page.text()}`);
        options = next === null ? { method: "POST", body: new URLSearchParams({ id }) } : {};
        at = next === null ? at : new URL(next, at).href;
        if (at.startsWith(redirectUri)) return new URL(at);
      }
      throw new Error("The provider sends the browser in circles.");
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
  return hospital;
}

const claimsOf = ({ amr: _amr, acr: _acr, ...claims }: ProviderPerson) => ({ email_verified: true, ...claims });

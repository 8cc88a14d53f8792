// The compiled executable with two hospitals without rate limits, and a third with limits.
import { runBinary, startBinary, tempFolder, type Running } from "../../test/support/binary.ts";
import { reservedPort } from "../../test/support/free-ports.ts";
import { startReceiver } from "../../test/support/receiver.ts";
import { connectMllp } from "../../test/support/mllp-client.ts";
import { until } from "../../test/support/until.ts";
import { operationsOf, type RawDocument } from "./document.ts";
import { createHospital } from "./hospital.ts";
import { deadKeys, newKey, scopedKeys } from "./keys.ts";
import { signIn, type Owner } from "./owner.ts";
import type { Organisation, World } from "./world.ts";
import { ALL_SCOPES } from "../../src/payloads/scopes.ts";

const PASSWORD = "correct horse battery";
const REQUESTS_PER_MINUTE = 5;
const QUOTA = 3;
const BODY_SECONDS = 3;

const SETTINGS = {
  RINGWARD_LOG__LEVEL: "warn",
  RINGWARD_CALLS__DEFAULT_DELAY_SECONDS: "0",
  RINGWARD_TELEPHONY__SIMULATOR__SPEED: "100",
  RINGWARD_TELEPHONY__SIMULATOR__LINES: "100000",
  RINGWARD_CAMPAIGNS__AT_ONCE: "unlimited",
  RINGWARD_SERVER__REQUEST_TIMEOUT_SECONDS: String(BODY_SECONDS),
  RINGWARD_PLANS__BASE__REQUESTS_PER_MINUTE: "unlimited",
  RINGWARD_PLANS__BASE__API_KEYS: "unlimited",
  RINGWARD_PLANS__BASE__WEBHOOK_ENDPOINTS: "unlimited",
  RINGWARD_PLANS__BASE__INBOUND_DAILY_QUOTA: "unlimited",
  RINGWARD_PLANS__BASE__CONCURRENT_CALLS: "unlimited",
  RINGWARD_HL7__HOST: "127.0.0.1",
  RINGWARD_HL7__ALLOW: "127.0.0.1",
  RINGWARD_PLANS__PROFESSIONAL__REQUESTS_PER_MINUTE: String(REQUESTS_PER_MINUTE),
  RINGWARD_PLANS__PROFESSIONAL__INBOUND_DAILY_QUOTA: String(QUOTA),
};

export interface Appliance {
  world: World;
  server: Running;
}

export async function startAppliance(): Promise<Appliance> {
  const receiver = startReceiver();
  const hl7Port = reservedPort();
  const own = { RINGWARD_HL7__PORT: String(hl7Port), RINGWARD_FOLDERS__ROOT: tempFolder() };
  const server = await startBinary({ env: { ...SETTINGS, ...receiver.env, ...own } });
  await until(() => canConnect(hl7Port));
  const ids = await Promise.all([
    newOrganisation(server, "First"),
    newOrganisation(server, "Second"),
    newOrganisation(server, "Limited"),
  ]);
  const [firstId, secondId, limitedId] = ids;
  await Promise.all([
    command(server, "credits", "unlimited", "on", "--org", firstId),
    command(server, "credits", "unlimited", "on", "--org", secondId),
    command(server, "orgs", "plan", limitedId, "professional"),
  ]);
  const owners = await Promise.all(
    ["first", "second", "limited"].map((name) => signIn(server.url, emailOf(name), PASSWORD)),
  );
  const [firstOwner, secondOwner, limitedOwner] = owners;
  if (!firstOwner || !secondOwner || !limitedOwner) throw new Error("Somebody could not sign in.");
  const place = { url: server.url, receiver, hl7Port };
  const keys = await scopedKeys(firstOwner);
  const dead = await deadKeys(firstOwner, keys.all);
  const [first, second] = await Promise.all([
    createHospital({
      ...place,
      name: "First",
      marker: "quokka",
      owner: firstOwner,
      key: keys.all,
      isSharing: false,
      signs: false,
    }),
    createHospital({
      ...place,
      name: "Second",
      marker: "narwhal",
      owner: secondOwner,
      key: null,
      isSharing: true,
      signs: true,
    }),
  ]);
  const limited = await limitedHospital(limitedOwner);
  const document = (await (await fetch(`${server.url}/openapi.json`)).json()) as RawDocument;
  const secrets = new Map([
    ...named("KEY", [
      keys.all,
      limited.key,
      ...keys.only.values(),
      ...keys.without.values(),
      ...dead.credentials.flatMap(({ headers }) => Object.values(headers)),
    ]),
    ...secretsOf(first, "FIRST"),
    ...secretsOf(second, "SECOND"),
  ]);
  const world = {
    url: server.url,
    operations: operationsOf(document),
    organisations: [first, second] as const,
    only: keys.only,
    without: keys.without,
    dead: dead.credentials,
    limited,
    bodySeconds: BODY_SECONDS,
    secrets,
    now: Date.now(),
  };
  await dead.untilExpired();
  return { world, server };
}

/** The port opens shortly after the server answers. */
async function canConnect(port: number): Promise<boolean> {
  try {
    (await connectMllp(port)).close();
    return true;
  } catch {
    return false;
  }
}

const emailOf = (name: string): string => `owner@${name.toLowerCase()}.example`;

async function newOrganisation(server: Running, name: string): Promise<string> {
  const { organisation_id: id } = JSON.parse(await command(server, "orgs", "create", "--name", name, "--json")) as {
    organisation_id: string;
  };
  const person = ["people", "create", "--email", emailOf(name), "--name", "Owner", "--role", "owner", "--org", id];
  await command(server, ...person);
  return id;
}

/** Must succeed. Prompts for a password get one. */
async function command({ dataDir }: Running, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runBinary([...args, "--data", dataDir], { stdin: `${PASSWORD}\n` });
  if (code !== 0) throw new Error(`ringward ${args.join(" ")} ended with ${code}: ${stderr}`);
  return stdout;
}

async function limitedHospital(owner: Owner): Promise<NonNullable<World["limited"]>> {
  const { agent_id: agentId } = await owner.ask<{ agent_id: string }>("POST", "agents", {
    type: "outbound",
    name: "Asha",
    greeting: "Hello.",
    prompt: "Be kind.",
    calling_hours: null,
  });
  await owner.ask("POST", "numbers", { number: "+15555559003", agent_id: agentId });
  const { key } = await newKey(owner, ALL_SCOPES);
  const { url } = await owner.ask<{ url: string }>("POST", "hook/regenerate");
  const token = new URL(url).pathname.split("/").at(-1) ?? "";
  return { key, requestsPerMinute: REQUESTS_PER_MINUTE, hook: { path: { token }, query: {} }, quota: QUOTA, agentId };
}

const named = (name: string, secrets: readonly string[]): [string, string][] =>
  secrets.filter((secret) => secret.length >= 16).map((secret, at) => [secret, `${name}_${at}`]);

function secretsOf(organisation: Organisation, name: string): [string, string][] {
  const grants = [...organisation.grants.values(), ...organisation.badGrants.values()].flat();
  const parts = grants.flatMap(({ path, query }) => [path["token"], query["signature"], query["token"]]);
  return [
    [organisation.key, `${name}_KEY`],
    ...named(`${name}_SECRET`, [...new Set(parts.filter((part) => part !== undefined))]),
  ];
}

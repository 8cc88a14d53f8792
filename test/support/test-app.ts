// The whole app on a real database in a folder of its own, under a clock that the test moves; no port is opened.
import { rmSync } from "node:fs";
import { createApp, type App } from "../../src/compose/app.ts";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { ALL_SCOPES } from "../../src/payloads/scopes.ts";
import { loadConfig } from "../../src/config/load.ts";
import type { Config } from "../../src/config/schema.ts";
import { createLogger, silentLogger, type Logger } from "../../src/core/logger.ts";
import type { Database } from "../../src/db/database.ts";
import { createSafePost, type SafePost } from "../../src/events/safe-post/safe-post.ts";
import type { CarrierFactory } from "../../src/telephony/port.ts";
import { newDataFolder, openTestDatabase } from "./temp.ts";
import { UNENFORCED } from "./unenforced.ts";
import { answersArrived, createManualClock, type ManualClock } from "./manual-clock.ts";

export interface TestApp {
  app: App;
  config: Config;
  db: Database;
  clock: ManualClock;
  dataDir: string;
  organisationId: string;
  /** A key with every scope. */
  key: string;
  /** What was logged, a JSON line each. */
  logLines: string[];
  request(method: string, path: string, options?: RequestOptions): Promise<Answer>;
  close(): Promise<void>;
}

export interface RequestOptions {
  key?: string | null;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  json: Record<string, never> & {
    data: Record<string, never>;
    error: { code: string; message: string; details?: { field: string; message: string }[]; request_id: string };
  };
}

export interface TestAppOptions {
  settings?: Record<string, string>;
  logged?: boolean;
  /** The simulator unless a test brings its own. */
  carrier?: CarrierFactory;
  /** With the demo's receiver, and without a past. */
  demo?: boolean;
  /** Unless a test brings its own, the real sender on a machine whose resolver leads nowhere. */
  safePost?: SafePost;
  /** Opens its database; as every test does unless a test brings its own. */
  open?: (dataDir: string, logger: Logger) => Promise<Database>;
}

/** Nobody's: nothing goes on in it. */
const NO_HOSPITAL = { organisationId: "", ownerId: "", agentId: "", branchId: "", serviceId: "", timeZone: "UTC" };

export async function createTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const dataDir = await newDataFolder();
  const clock = createManualClock();
  const config = loadConfig({ environment: { RINGWARD_DATA__DIR: dataDir, ...UNENFORCED, ...options.settings } });
  const logLines: string[] = [];
  const logger: Logger = options.logged
    ? createLogger(clock, "debug", (line) => void logLines.push(line))
    : silentLogger;
  const db = options.open ? await options.open(dataDir, logger) : await openTestDatabase(dataDir, logger);
  const app = createApp({
    config,
    db,
    clock,
    logger,
    rootKey: new Uint8Array(32).fill(7),
    ...(options.carrier && { carrier: options.carrier }),
    demoHospital: options.demo ? NO_HOSPITAL : null,
    safePost: options.safePost ?? createSafePost({ allow: [], caPem: null, proxyUrl: null, resolve: nowhere }),
  });
  const organisation = await app.services.organisations.create(
    { name: "Test Hospital", timeZone: "Asia/Kolkata" },
    CLI_ACTOR,
  );
  const { key } = await app.services.keys.create(organisation.id, { name: "test", scopes: ALL_SCOPES }, CLI_ACTOR);

  return {
    app,
    config,
    db,
    clock,
    dataDir,
    organisationId: organisation.id,
    key,
    logLines,
    async request(method, path, { key: asKey = key, body, headers = {} } = {}) {
      await answersArrived();
      const response = await app.handle(
        new Request(`http://localhost${path}`, {
          method,
          headers: {
            ...(asKey === null ? {} : { "x-api-key": asKey }),
            ...(body === undefined ? {} : { "content-type": "application/json" }),
            ...headers,
          },
          ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
        }),
      );
      const text = await response.text();
      return { status: response.status, headers: response.headers, text, json: parsed(text) as Answer["json"] };
    },
    async close() {
      await app.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** An address that is refused before anything is opened: these tests ask no network. */
async function nowhere(): Promise<string[]> {
  return ["127.0.0.1"];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

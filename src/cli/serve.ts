// ringward serve: runs the appliance, from startup to the second SIGTERM.
import { createApp, type App } from "../compose/app.ts";
import { SYSTEM_ACTOR } from "../core/actor.ts";
import type { Config } from "../config/schema.ts";
import { SECOND_MS, stopwatch, systemClock, unheldClock } from "../core/clock.ts";
import { collectAtRest } from "../core/collect-at-rest.ts";
import { messageOf } from "../core/errors.ts";
import { limitRepeats } from "../core/few-repeats.ts";
import { createFileReader } from "../core/file-reader.ts";
import { hearStrayFaults } from "../core/last-resort.ts";
import { createLogSink, type LogSink } from "../core/log-sink.ts";
import { createLogger, logLine, type Logger } from "../core/logger.ts";
import { measureLoopDelay } from "../core/loop-delay.ts";
import { ownCommand } from "../core/own-command.ts";
import { quietConsole } from "../core/quiet-console.ts";
import { within } from "../core/within.ts";
import { openDatabase, type Database } from "../db/database.ts";
import { refuseHalfMoved } from "../db/move/mark.ts";
import { settleRootKey } from "../db/key-check.ts";
import { fileKeysIn, loadSealingKey } from "../db/folder-keys.ts";
import { isAnyShut, type SealedCounts } from "../db/sealed-secrets.ts";
import { assertCanListen, type HttpServer } from "../http/server.ts";
import { safePostOf } from "../compose/services.ts";
import { VERSION } from "../core/version.ts";
import { startDiskWorker, startReadWorker } from "../compose/threads/start.ts";
import { UsageError, type Arguments, type Command } from "./command.ts";
import { EXIT } from "./exit-codes.ts";
import { watchForDamage } from "./damage-watch.ts";
import { configOf, placeOf, readPasswordFile } from "./context.ts";
import { DEMO_EMAIL, demoConfig, demoText, livingHospital, prepareDemo } from "./demo.ts";
import { fileLimit, RAISE_LIMIT } from "./file-limit.ts";
import { finishKeyChange } from "./key-change.ts";
import { refuseMoved } from "./moved-note.ts";
import { printError } from "./output.ts";
import { forgetServer, noteServer } from "./running-server.ts";

export const serve: Command = {
  name: "serve",
  summary: "Run the appliance (the default command).",
  options: {
    port: { type: "string", value: "N", help: "Port to listen on, instead of server.port." },
    demo: {
      type: "boolean",
      help: "On an empty data folder, create a demo hospital with two weeks of history and print how to try it. Calling hours and legal rules are shown but do not hold simulated calls.",
    },
  },
  outlivesReader: true,
  async run(args) {
    const elapsedMs = stopwatch();
    const config = settingsOf(args);
    const log = createLogSink(process.stdout, (lines) =>
      logLine(systemClock, "warn", "Log lines were lost before this one.", { lines }),
    );
    const logger = limitRepeats(createLogger(systemClock, config.log.level, log.writeLine), unheldClock);
    process.on("exit", () => {
      logger.tellLeftOut();
      log.flush();
    });
    quietConsole(logger);
    const strayFaults = hearStrayFaults(logger);
    // SIGHUP must not end the process during startup either, before the appliance can handle it.
    process.on("SIGHUP", () => {});
    // Checked first: if the port is taken, nothing is created and no setup code is printed.
    await assertCanListen(config);
    // Started early: its thread takes as long to start as the database takes to open, and the port waits for both.
    const safePost = safePostOf(config);
    void safePost.ready?.();
    const files = createFileReader({ command: [...ownCommand(), "read-files"] });
    const db = await openDatabase(placeOf(config), {
      logger,
      as: "server",
      startReader: startReadWorker,
      startDisk: startDiskWorker,
    });
    const app = await orClosed(db, async () => {
      await refuseLeft(config, db);
      warnOfFileLimit(config, logger);
      finishKeyChange(placeOf(config));
      const rootKey = await loadSealingKey(placeOf(config), db.reader);
      warnOfShutSecrets(await settleRootKey(db, rootKey), logger);
      const dataKeys = fileKeysIn(placeOf(config));
      const ground = { config, db, clock: systemClock, logger, rootKey, dataKeys };
      const demo = args.flag("demo") ? await prepareDemo(ground) : null;
      const living = demo && livingHospital(demo, config);
      const made = createApp({
        ...ground,
        log,
        strayFaults,
        safePost,
        files,
        demoEmail: demo ? DEMO_EMAIL : null,
        demoHospital: living,
        memoryDir: config.data.dir,
      });
      if (demo) printError(demoText(demo));
      else await firstStart(made, config);
      await made.recover();
      return made;
    });
    const stopMeasuring = measureLoopDelay(app.metrics, unheldClock);
    // The appliance must not dial without its port.
    const server = await listenOrStop(app);
    attempt(logger, () => noteServer(config, server.port));
    const started = app.start();
    // Installed at once: a signal may arrive as soon as the port answers.
    const stopped = untilStopped(app, logger, started);
    await startedOrStop(app, started);
    logger.info("Ringward is listening.", {
      version: VERSION,
      url: server.url,
      data_dir: config.data.dir,
      start_ms: Math.round(elapsedMs()),
    });
    void app.rehearse();
    const stopCollecting = collectAtRest({ clock: systemClock });
    const damage = db.maintenance.isLookedThroughLater ? stopWhereDamaged(config, logger) : null;
    const code = await stopped;
    damage?.stop();
    stopCollecting();
    stopMeasuring();
    files.stop();
    attempt(logger, () => forgetServer(config));
    logger.tellLeftOut();
    await lastLines(log);
    // Without exit() the runtime would wait for stdout to drain, possibly forever.
    process.exit(damage?.wasFound() ? EXIT.damaged : code);
  },
};

/** Closes the database if the start fails. Open PostgreSQL connections would keep the process alive. */
async function orClosed<T>(db: Database, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await db.close();
    throw error;
  }
}

/** Refuses a database that was moved away, and the target of an unfinished move. */
async function refuseLeft({ data }: Config, db: Database): Promise<void> {
  refuseMoved(data.dir, db.maintenance.where);
  await refuseHalfMoved(db.reader);
}

/** Stops the server as soon as the background check finds damage. */
function stopWhereDamaged({ data }: Config, logger: Logger): { wasFound(): boolean; stop(): void } {
  const watch = watchForDamage(data.dir);
  let wasFound = false;
  watch.found.then(
    (fault) => {
      if (fault === null) return;
      wasFound = true;
      logger.error("The database is damaged; stopping.", { fault });
      printError(fault);
      process.kill(process.pid, "SIGTERM");
    },
    (error: unknown) => logger.warn("The database check could not run.", { error: messageOf(error) }),
  );
  return { wasFound: () => wasFound, stop: watch.stop };
}

/** The note serves other commands only. A full disk must not prevent the server from starting or stopping. */
function attempt(logger: Logger, note: () => void): void {
  try {
    note();
  } catch (error) {
    logger.warn("The server's address could not be stored; commands read it from the settings.", {
      error: messageOf(error),
    });
  }
}

/** Stops the appliance if its start fails, so that no port answers for an appliance that does nothing. */
async function startedOrStop(app: App, started: Promise<void>): Promise<void> {
  try {
    await started;
  } catch (error) {
    await app.stop();
    throw error;
  }
}

const LAST_LINES_MS = SECOND_MS;

async function lastLines(log: LogSink): Promise<void> {
  await within(systemClock, LAST_LINES_MS, () => log.drained(), undefined);
}

function warnOfFileLimit(config: Config, logger: Logger): void {
  const limit = fileLimit(config);
  if (limit === null || limit.allowed >= limit.needed) return;
  const { allowed, needed } = limit;
  logger.warn(`The limit of open files is too low: recordings may be lost. ${RAISE_LIMIT}`, { allowed, needed });
}

/** Some secrets are still sealed with the previous key, after the new key was accepted. */
function warnOfShutSecrets(shut: SealedCounts, logger: Logger): void {
  if (!isAnyShut(shut)) return;
  logger.error(
    'The secret key is not the one that some stored secrets were sealed with. Renew them: see "ringward doctor".',
    { webhook_endpoints: shut.endpoints, inbound_webhooks: shut.hooks, trunks: shut.trunks },
  );
}

/** Stops the appliance if it cannot listen, so that it does not dial without its port. */
async function listenOrStop(app: App): Promise<HttpServer> {
  try {
    return await app.listen();
  } catch (error) {
    await app.stop();
    throw error;
  }
}

function settingsOf(args: Arguments): Config {
  const flags = portFlag(args);
  const config = configOf(args, flags);
  if (!args.flag("demo")) return config;
  // Over a trunk a real telephone rings, even in the demo.
  return demoConfig(config.telephony.carrier === "sip" ? config : configOf(args, flags, { "rules.enforce": false }));
}

function portFlag(args: Arguments): Record<string, number> {
  const text = args.text("port");
  if (text === undefined) return {};
  if (!/^[0-9]{1,5}$/.test(text)) throw new UsageError("--port must be a number.");
  return { "server.port": Number(text) };
}

async function firstStart(app: App, config: Config): Promise<void> {
  const { setup } = app.services;
  if (!(await setup.isEmpty())) return;
  if (config.setup.owner_email) {
    const password = await readPasswordFile(config.setup.owner_password_file);
    await setup.createFirst(
      {
        organisation: config.setup.organisation,
        timeZone: config.setup.time_zone,
        email: config.setup.owner_email,
        name: "Owner",
        password,
      },
      SYSTEM_ACTOR,
    );
    return;
  }
  const code = await setup.issueCode();
  printError(
    [
      "",
      "This appliance is not set up yet. The one-time setup code is",
      "",
      `    ${code}`,
      "",
      `Open ${config.dashboard_url}/setup#${code}, or run "ringward setup --organisation … --email …" on this machine.`,
      "A restart creates a new code.",
      "",
    ].join("\n"),
  );
}

function untilStopped(app: App, logger: Logger, started: Promise<void>): Promise<number> {
  return new Promise((resolve) => {
    let stopping = false;
    const onSignal = (signal: NodeJS.Signals) => {
      if (stopping) {
        logger.warn("Stopping at once.", { signal });
        process.exit(1);
      }
      stopping = true;
      logger.info("Stopping: finishing work in progress.", { signal });
      app.hurry();
      started.then(app.stop).then(
        () => {
          logger.info("Stopped.");
          resolve(0);
        },
        () => {
          logger.error("The server did not stop cleanly.");
          resolve(1);
        },
      );
    };
    // Sent when the terminal closes, and by `systemctl reload` after a certificate renewal. Neither ends the process.
    process.on("SIGHUP", () => {
      logger.info("Looking for what changed.", { signal: "SIGHUP" });
      app.reload();
    });
    process.on("SIGTERM", onSignal);
    process.on("SIGINT", onSignal);
  });
}

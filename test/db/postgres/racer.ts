// One of several processes on one database: waits until it is told to go, does what it was asked to many times at once, and prints
// how often that was done. Run with: bun racer.ts URL ORGANISATION WORK SUBJECT
import { CLI_ACTOR } from "../../../src/core/actor.ts";
import { AppError } from "../../../src/core/errors.ts";
import type { Services } from "../../../src/services.ts";
import { openAt } from "../../support/postgres.ts";
import { servicesOn } from "./services-on.ts";

const [url = "", organisationId = "", work = "", subject = ""] = process.argv.slice(2);
const AT_ONCE = 20;

const WORKS: Record<string, (services: Services, i: number) => Promise<unknown>> = {
  book: ({ appointments }) => appointments.create(organisationId, { slot_id: subject }, "api", CLI_ACTOR),
  key: ({ keys }, i) => keys.create(organisationId, { name: `key ${i}`, scopes: ["calls:read"] }, CLI_ACTOR),
  endpoint: ({ endpoints }, i) =>
    endpoints.create(
      organisationId,
      { url: `https://receiver.example/${i}`, eventTypes: ["call.completed"] },
      CLI_ACTOR,
    ),
  version: ({ agents }, i) => agents.update(organisationId, subject, { greeting: `${process.pid} ${i}` }, CLI_ACTOR),
  credit: ({ credits }) => credits.grant(organisationId, 1, CLI_ACTOR),
};

const db = await openAt(url, "command");
const services = servicesOn(db);
console.log("ready");
await Bun.stdin.text();
const outcomes = await Promise.all(
  Array.from({ length: AT_ONCE }, (_, i) =>
    WORKS[work]!(services, i).then(
      () => "done",
      (error: unknown) => (error instanceof AppError ? error.code : String(error)),
    ),
  ),
);
console.log(JSON.stringify({ outcomes, repeats: db.stats.repeats }));
await db.close();

// Failures: Asterisk goes away during a call, Asterisk loses our registration, and our own process is killed.
import { callIn, finished, readCall, type Call } from "../test/support/calls.ts";
import { until } from "../test/support/until.ts";
import { PEOPLE } from "./asterisk-settings.ts";
import { dial } from "./nightly-asterisk-calls.ts";
import {
  registeredAtAsterisk,
  SETTINGS,
  untilQuiet,
  untilRegistered,
  type Account,
  type Check,
  type World,
} from "./nightly-asterisk-world.ts";
import { expectThat } from "./nightly-checks.ts";

/** `lost_audio_seconds` plus a margin. */
const LOST_WITHIN_MS = 26_000;
/** 80 % of two minutes: over UDP only the next registration shows it. */
const REGISTERED_WITHIN_MS = 100_000;
/** Number of calls due while it is away. */
const DUE = 10;
const secondsSince = (startedAt: number) => `${((performance.now() - startedAt) / 1_000).toFixed(1)} s`;

async function inCall(world: World, account: Account): Promise<string> {
  const id = await dial(world, account, PEOPLE.staysOn);
  await callIn(world.server, id, ["in_progress"]);
  // An agent that hears nothing says goodbye after 26 s; lost audio must be detected before.
  await Bun.sleep(1_000);
  return id;
}

/** Waits until our inbound agents are reachable, each over its own transport. */
async function untilReachable(world: World, accounts: readonly Account[], withinMs: number): Promise<string> {
  const startedAt = performance.now();
  const times: string[] = [];
  for (const account of accounts) {
    const number = world.lines[account].account;
    await until(
      () => {
        if (!registeredAtAsterisk(world).includes(number)) return false;
        world.asterisk.tell(`channel originate PJSIP/${number} application Wait 5`);
        return world.asterisk.channels().some((line) => line.startsWith(`PJSIP/${number}-`) && line.includes("!Up!"));
      },
      {
        withinMs,
        everyMs: 1_000,
        what: () => `${account} cannot be called:\n${world.asterisk.tell("pjsip show contacts")}`,
      },
    );
    times.push(`${account} ${secondsSince(startedAt)}`);
  }
  return times.join(", ");
}

function crash(account: Account): Check {
  return {
    group: account,
    name: "Asterisk is killed in mid-call and starts again",
    async run(world) {
      const id = await inCall(world, account);
      await world.asterisk.crash();
      const startedAt = performance.now();
      await world.asterisk.start();
      const call = await finished(world.server, id, LOST_WITHIN_MS);
      const told = `${call.status} ${call.error?.code} after ${secondsSince(startedAt)}: ${call.error?.message}`;
      expectThat(call.status === "failed", told);
      return `${told} Called again: ${await untilReachable(world, [account], 30_000)}`;
    },
  };
}

/** Asterisk sends a BYE for the callee, who did not hang up. */
function restart(account: Account): Check {
  return {
    group: account,
    name: "Asterisk is restarted in mid-call: the callee did not hang up",
    async run(world) {
      const id = await inCall(world, account);
      await world.asterisk.shutDown();
      await world.asterisk.start();
      const call = await finished(world.server, id, LOST_WITHIN_MS);
      const told = `${call.status} ${call.error?.code}: ${call.error?.message}`;
      expectThat(call.status === "failed" && call.error?.code === "infrastructure_error", told);
      return `${told} Called again: ${await untilReachable(world, [account], 30_000)}`;
    },
  };
}

export const FAILURES: Check[] = [
  crash("udp"),
  crash("tcp"),
  crash("tls"),
  restart("udp"),
  restart("tcp"),
  restart("tls"),
  {
    group: "all",
    name: "Asterisk lost its registrations with its database",
    async run(world) {
      await world.asterisk.crash();
      world.asterisk.forgetRegistrations();
      await world.asterisk.start();
      const startedAt = performance.now();
      await untilRegistered(world, REGISTERED_WITHIN_MS);
      return `all registered again after ${secondsSince(startedAt)}`;
    },
  },
  {
    group: "all",
    name: "Asterisk lost its database in mid-call",
    async run(world) {
      const id = await inCall(world, "udp");
      await world.asterisk.crash();
      world.asterisk.forgetRegistrations();
      await world.asterisk.start();
      const startedAt = performance.now();
      const call = await finished(world.server, id, LOST_WITHIN_MS);
      expectThat(call.status === "failed", call.status);
      await untilRegistered(world, 5_000, ["udp", "tcp", "tls"]);
      const registered = secondsSince(startedAt);
      return `the call's own trunk and the connected ones are registered again after ${registered}`;
    },
  },
  {
    group: "udp",
    name: "calls that are due while Asterisk is away go out when it is back",
    async run(world) {
      await world.asterisk.crash();
      // The outage is not known yet: the first calls detect it, and no phone rings.
      const ids = await Promise.all(
        Array.from({ length: DUE }, (_, at) => dial(world, "udp", PEOPLE.pressesOneToo(at))),
      );
      const read = () => Promise.all(ids.map((id) => readCall(world.server, id)));
      const seen = (calls: readonly Call[]) =>
        calls.map(({ status, hold_reason, error }) => `${status} ${hold_reason ?? error?.code}`).join(", ");
      let calls = await read();
      await until(async () => (calls = await read()).every(({ hold_reason }) => hold_reason === "trunk_unavailable"), {
        withinMs: 60_000,
        everyMs: 500,
        what: () => `meanwhile they are ${seen(calls)}`,
      });
      await world.asterisk.start();
      const startedAt = performance.now();
      calls = await Promise.all(ids.map((id) => finished(world.server, id, 90_000)));
      expectThat(
        calls.every(({ status }) => status === "completed"),
        seen(calls),
      );
      return `${DUE} of ${DUE} trunk_unavailable, and completed ${secondsSince(startedAt)} after it was back`;
    },
  },
  ...(["udp", "tls"] as const).map((account): Check => ({
    group: account,
    name: "we are killed in mid-call: at the next start Asterisk's leg ends",
    async run(world) {
      const id = await inCall(world, account);
      await world.server.kill();
      expectThat(world.asterisk.channels().length > 0, "there was no leg");
      world.server = await world.hospital.start(SETTINGS);
      const startedAt = performance.now();
      await untilQuiet(world, 10_000);
      const quiet = secondsSince(startedAt);
      const call = await finished(world.server, id);
      await untilRegistered(world);
      return `no leg ${quiet} after the start; ${call.status} ${call.error?.code}`;
    },
  })),
];

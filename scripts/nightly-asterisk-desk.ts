// Desk phones at Asterisk (baresip): they call our extension, put us on hold and transfer us; we transfer them.
import { ask } from "../test/support/api-client.ts";
import { startPhone, type Phone } from "../test/support/baresip.ts";
import { callIn, finished, readCall, type Call } from "../test/support/calls.ts";
import { heardShare, WELL_HEARD } from "../test/support/correlate.ts";
import { recordingOf } from "../test/support/sip-hospital.ts";
import { speechLike } from "../test/support/sounds.ts";
import { until } from "../test/support/until.ts";
import { DESK_SECRET, LOOPBACK, PEOPLE, SENDS_AWAY } from "./asterisk-settings.ts";
import { dial } from "./nightly-asterisk-calls.ts";
import { OUR_WORDS, untilQuiet, type Account, type Check, type World } from "./nightly-asterisk-world.ts";
import { expectThat } from "./nightly-checks.ts";

export const DESK_WORDS = speechLike(2.5, 41);
export const percent = (share: number) => `${Math.round(share * 100)} %`;
/** Longer than the limit for lost audio. */
const LONG_HOLD_MS = 24_000;

/** Greeting and menu: a key press counts only after its option was announced. */
const MENU_HEARD_MS = 5_500;

type Desk = "desk1" | "desk2";

export interface DeskOptions {
  /** Played from the answer on, instead of the desk's audio. */
  says?: Int16Array;
  answers?: "auto" | "manual";
}

/** Runs the desk phones for one check. */
export async function withDesks<T>(
  world: World,
  names: readonly Desk[],
  run: (...desks: Phone[]) => Promise<T>,
  options: Partial<Record<Desk, DeskOptions>> = {},
): Promise<T> {
  const { sip } = world.asterisk.ports;
  const desks = await Promise.all(
    names.map((number) =>
      startPhone({
        number,
        says: DESK_WORDS,
        codec: "PCMA",
        ...options[number],
        registrar: { address: `${LOOPBACK}:${sip}`, secret: DESK_SECRET },
      }),
    ),
  );
  try {
    await until(() => names.every((name) => world.asterisk.tell("pjsip show contacts").includes(`${name}/sip`)), {
      everyMs: 250,
    });
    return await run(...desks);
  } finally {
    await Promise.all(desks.map((desk) => desk.stop()));
  }
}

const at = (world: World, extension: string) => `sip:${extension}@${LOOPBACK}:${world.asterisk.ports.sip}`;

async function lastInbound(world: World): Promise<Call> {
  const underWay: Call[] = [];
  await until(async () => {
    const { data } = await ask(world.server, "GET", "/v1/calls?limit=20");
    const calls = data as unknown as Call[];
    underWay.push(...calls.filter((call) => call.call_direction === "inbound" && call.status === "in_progress"));
    return underWay.length > 0;
  });
  const [call] = underWay;
  if (!call) throw new Error("no call came in");
  return call;
}

export async function untilHeard(what: string, heard: () => Int16Array, words: Int16Array): Promise<number> {
  const share = () => heardShare(heard(), words);
  await until(() => share() > WELL_HEARD, {
    withinMs: 10_000,
    everyMs: 500,
    what: () => `${what}: ${percent(share())} was heard`,
  });
  return share();
}

function inbound(account: Account): Check {
  return {
    group: account,
    name: "a desk dials our extension, words both ways, it hangs up",
    run: (world) =>
      withDesks(world, ["desk1"], async (desk) => {
        await desk.dial(at(world, world.lines[account].account));
        await desk.told("CALL_ESTABLISHED");
        const call = await lastInbound(world);
        const theirs = await untilHeard("the greeting", () => desk.heard(), OUR_WORDS);
        // They start to speak a moment after us.
        await Bun.sleep(1_000);
        await desk.hangUp();
        const over = await finished(world.server, call.call_id, 10_000);
        expectThat(over.status === "completed", JSON.stringify(over.error));
        const ours = heardShare((await recordingOf(world.server, over)).caller, DESK_WORDS);
        expectThat(ours > WELL_HEARD, `we heard ${percent(ours)} of the desk`);
        await untilQuiet(world, 3_000);
        return `the desk heard ${percent(theirs)}, we ${percent(ours)}; call_from ${over.call_from}`;
      }),
  };
}

function hold(account: Account, how: string): Check {
  return {
    group: account,
    name: `the desk holds us for ${LONG_HOLD_MS / 1_000} s (${how}), comes back and presses 1`,
    run: (world) =>
      withDesks(world, ["desk1"], async (desk) => {
        const id = await dial(world, account, PEOPLE.desk1);
        await callIn(world.server, id, ["in_progress"]);
        await Bun.sleep(1_500);
        await desk.hold();
        await Bun.sleep(LONG_HOLD_MS);
        const { status, error } = await readCall(world.server, id);
        expectThat(status === "in_progress", `on hold it became ${status} ${JSON.stringify(error)}`);
        await desk.resume();
        await Bun.sleep(1_000);
        await desk.press("1");
        const call = await finished(world.server, id);
        expectThat(call.extracted_details?.["keys"] === "1", JSON.stringify(call));
        return `${call.status}, keys "1", ${call.call_duration_seconds} s`;
      }),
  };
}

function ourTransfer(account: Account): Check {
  return {
    group: account,
    name: "desk 1 presses 3, and we hand it on to desk 2",
    run: (world) =>
      withDesks(world, ["desk1", "desk2"], async (one, two) => {
        const id = await dial(world, account, PEOPLE.desk1);
        await callIn(world.server, id, ["in_progress"]);
        await Bun.sleep(MENU_HEARD_MS);
        await one.press("3");
        await two.told("CALL_ESTABLISHED");
        const call = await finished(world.server, id, 20_000);
        expectThat(call.call_analytics?.disposition === "transferred", JSON.stringify(call.call_analytics));
        const share = await untilHeard("desk 2 at desk 1", () => one.heard(), DESK_WORDS);
        return `${call.call_analytics?.disposition}; desk 1 hears ${percent(share)} of desk 2`;
      }),
  };
}

/** The party connected now is heard, including DTMF. */
async function goesOnWith(world: World, call: Call, desk: Phone): Promise<string> {
  await Bun.sleep(MENU_HEARD_MS);
  const { status, error } = await readCall(world.server, call.call_id);
  expectThat(status === "in_progress", `handed on, it became ${status} ${JSON.stringify(error)}`);
  await desk.press("1");
  const over = await finished(world.server, call.call_id, 30_000);
  expectThat(over.extracted_details?.["keys"] === "1", JSON.stringify(over));
  await untilQuiet(world, 5_000);
  return `${over.status}, keys "1" from desk 2`;
}

function theirTransfer(account: Account): Check[] {
  return [
    {
      group: account,
      name: "desk 1 hands us on to desk 2 (blind)",
      run: (world) =>
        withDesks(world, ["desk1", "desk2"], async (one, two) => {
          await one.dial(at(world, world.lines[account].account));
          await one.told("CALL_ESTABLISHED");
          const call = await lastInbound(world);
          await one.transfer(at(world, "6002"));
          await two.told("CALL_ESTABLISHED");
          return goesOnWith(world, call, two);
        }),
    },
    {
      group: account,
      name: "desk 1 speaks with desk 2, then hands us on (attended)",
      run: (world) =>
        withDesks(world, ["desk1", "desk2"], async (one, two) => {
          const id = await dial(world, account, PEOPLE.desk1);
          const call = await callIn(world.server, id, ["in_progress"]);
          await Bun.sleep(1_000);
          for (const key of "*26002") await one.press(key).then(() => Bun.sleep(key === "2" ? 700 : 300));
          await two.told("CALL_ESTABLISHED");
          await Bun.sleep(3_000);
          await one.hangUp();
          return goesOnWith(world, call, two);
        }),
    },
  ];
}

export const DESKS: Check[] = [
  ...(["udp", "tcp", "tls", "reliable", "direct"] as const).map(inbound),
  {
    group: "direct",
    name: "audio goes past Asterisk to the desk (re-INVITE), words both ways",
    run: (world) =>
      withDesks(world, ["desk1"], async (desk) => {
        const id = await dial(world, "direct", PEOPLE.deskAlone);
        await callIn(world.server, id, ["in_progress"]);
        const theirs = await untilHeard("our words", () => desk.heard(), OUR_WORDS);
        await Bun.sleep(4_000);
        const bridge = world.asterisk.tell("bridge show all").includes("native_rtp")
          ? "native_rtp"
          : "no native bridge";
        await desk.hangUp();
        const call = await finished(world.server, id, 10_000);
        const ours = heardShare((await recordingOf(world.server, call)).caller, DESK_WORDS);
        expectThat(ours > WELL_HEARD && bridge === "native_rtp", `we heard ${percent(ours)} of the desk, ${bridge}`);
        return `${bridge}; the desk heard ${percent(theirs)}, we ${percent(ours)}`;
      }),
  },
  hold("udp", "music"),
  hold("passing", "re-INVITE"),
  hold("tls", "music"),
  ourTransfer("udp"),
  ourTransfer("tls"),
  ...theirTransfer("udp"),
  ...theirTransfer("tls"),
  {
    group: "udp",
    name: "Asterisk sends us a REFER of its own: refused, and the call goes on",
    async run(world) {
      world.asterisk.tell(`channel originate PJSIP/${world.lines.udp.account} extension ${SENDS_AWAY}@from-internal`);
      const { call_id } = await lastInbound(world);
      await Bun.sleep(4_000);
      const { status } = await readCall(world.server, call_id);
      expectThat(status === "in_progress", `it became ${status}`);
      return "the call goes on";
    },
  },
];

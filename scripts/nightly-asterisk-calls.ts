// Outbound calls through Asterisk: audio in both directions, DTMF, rejections, hang-ups by either side, encryption.
import { ask } from "../test/support/api-client.ts";
import { callIn, finished, place, readCall, type Call } from "../test/support/calls.ts";
import { heardShare, WELL_HEARD } from "../test/support/correlate.ts";
import { recordingOf } from "../test/support/sip-hospital.ts";
import { until } from "../test/support/until.ts";
import { ITS_WORDS } from "./asterisk-peer.ts";
import { PEOPLE, REFUSALS } from "./asterisk-settings.ts";
import { OUR_WORDS, RING_SECONDS, untilQuiet, type Account, type Check, type World } from "./nightly-asterisk-world.ts";
import { expectThat } from "./nightly-checks.ts";

/** The greeting and three repetitions of their audio. */
const WORDS_SAID_MS = 7_000;
const percent = (share: number) => `${Math.round(share * 100)} %`;

export async function dial(world: World, account: Account, to: string): Promise<string> {
  return place(world.server, { agent_id: world.lines[account].agentId, user_number: to });
}

const OUTCOMES: Record<number, string> = {
  404: "invalid_number",
  410: "invalid_number",
  484: "invalid_number",
  408: "no_answer",
  480: "no_answer",
  486: "busy",
  403: "rejected",
  603: "rejected",
};

function refusal({ sipCode }: (typeof REFUSALS)[number]): Check {
  return {
    group: "refused",
    name: `SIP ${sipCode} at the provider`,
    async run(world) {
      const id = await dial(world, "udp", PEOPLE.refuses(sipCode));
      if (sipCode >= 500 && sipCode < 600) return waits(world, id);
      const expected = OUTCOMES[sipCode] ?? "carrier_error";
      const call = await finished(world.server, id);
      expectThat(call.error?.code === expected, `${call.status} ${JSON.stringify(call.error)}, not ${expected}`);
      return expected;
    },
  };
}

/** The failure says nothing about the callee, and nothing rang: the call is rescheduled, and removed here. */
async function waits({ server }: World, id: string): Promise<string> {
  let call = await readCall(server, id);
  const isWaiting = async () => (call = await readCall(server, id)).hold_reason === "trunk_unavailable";
  await until(isWaiting, { withinMs: 20_000, what: () => `${call.status} ${JSON.stringify(call.error)}` });
  expectThat(call.status === "queued" && call.error === null, `${call.status} ${JSON.stringify(call.error)}`);
  const { status } = await ask(server, "POST", `/v1/calls/${id}/cancel`);
  expectThat(status === 200, `cancelling it answered ${status}`);
  return "put back, trunk_unavailable";
}

function words(account: Account): Check {
  return {
    group: account,
    name: "words both ways, and Asterisk hangs up",
    async run(world) {
      const id = await dial(world, account, PEOPLE.talks);
      await callIn(world.server, id, ["in_progress"]);
      await Bun.sleep(WORDS_SAID_MS);
      const legs = world.asterisk.channels();
      expectThat(legs.length >= 2, `Asterisk has ${legs.length} legs`);
      const hungUpAt = performance.now();
      world.asterisk.tell("channel request hangup all");
      const call = await finished(world.server, id);
      const noticedMs = Math.round(performance.now() - hungUpAt);
      expectThat(call.status === "completed", `${call.status} ${JSON.stringify(call.error)}`);
      expectThat(noticedMs < 5_000, `the hang-up was noticed after ${noticedMs} ms`);
      await untilQuiet(world);
      return `${await hearing(world, call, PEOPLE.talks)}, hang-up noticed in ${noticedMs} ms`;
    },
  };
}

/** Each side's audio in what the other received. */
async function hearing(world: World, call: Call, number: string): Promise<string> {
  const theyHeard = () => heardShare(world.asterisk.heard(number), OUR_WORDS);
  await until(() => theyHeard() > WELL_HEARD, {
    withinMs: 10_000,
    what: () => `they heard ${percent(theyHeard())} of ours`,
  });
  const weHeard = heardShare((await recordingOf(world.server, call)).caller, ITS_WORDS);
  expectThat(weHeard > WELL_HEARD, `we heard ${percent(weHeard)} of theirs`);
  return `they heard ${percent(theyHeard())}, we ${percent(weHeard)}`;
}

function key(account: Account): Check {
  return {
    group: account,
    name: "a key is heard, and we hang up",
    async run(world) {
      const call = await finished(world.server, await dial(world, account, PEOPLE.pressesOne));
      expectThat(call.extracted_details?.["keys"] === "1", JSON.stringify(call));
      await untilQuiet(world, 3_000);
      return `keys ${JSON.stringify(call.extracted_details?.["keys"])}, ${call.call_analytics?.disposition}`;
    },
  };
}

/** Asterisk qualifies us with OPTIONS, as FreePBX does by default. */
function qualified(account: Account): Check {
  return {
    group: account,
    name: "we answer Asterisk's OPTIONS",
    async run({ asterisk, lines }) {
      const number = lines[account].account;
      const line = () => asterisk.tell("pjsip show contacts").match(`Contact: +${number}/.*`)?.[0] ?? "no contact";
      await until(() => line().includes("Avail"), { withinMs: 10_000, everyMs: 250, what: line });
      return line().replace(/.*(Avail.*)/, "$1 ms");
    },
  };
}

export const CALLS: Check[] = [
  ...(["udp", "tcp", "tls", "reliable", "clear"] as const).flatMap((account) => [words(account), key(account)]),
  key("info"),
  key("inband"),
  ...(["info", "clear"] as const).map(qualified),
  {
    group: "udp",
    name: "early words, then the answer",
    async run(world) {
      const id = await dial(world, "udp", PEOPLE.speaksEarly);
      await callIn(world.server, id, ["in_progress"]);
      await Bun.sleep(WORDS_SAID_MS);
      world.asterisk.tell("channel request hangup all");
      return hearing(world, await finished(world.server, id), PEOPLE.speaksEarly);
    },
  },
  {
    group: "udp",
    name: "a phone that rings on",
    async run(world) {
      const call = await finished(world.server, await dial(world, "udp", PEOPLE.ringsOn));
      expectThat(call.error?.code === "no_answer", JSON.stringify(call.error));
      await untilQuiet(world, 3_000);
      return `no_answer after ${RING_SECONDS} s, no leg left`;
    },
  },
  {
    group: "udp",
    name: "somebody who sends no audio for 20 s is not lost",
    async run(world) {
      const call = await finished(world.server, await dial(world, "udp", PEOPLE.talks), 60_000);
      expectThat(call.status === "completed", `${call.status} ${JSON.stringify(call.error)}`);
      return `${call.status} after ${call.call_duration_seconds} s`;
    },
  },
  ...REFUSALS.map(refusal),
];

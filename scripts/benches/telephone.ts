// Completeness of call audio: the executable calls baresip, both talk for some seconds, and each side's audio is
// located in what the other received, frame by frame. Tests show that audio arrives; only an idle machine shows that
// none is lost. `./scripts/bench telephone -- --calls 10 --seconds 5`; needs Debian's baresip-core.
import { parseArgs } from "node:util";
import { startPhone } from "../../test/support/baresip.ts";
import { finished, place } from "../../test/support/calls.ts";
import { correlate, type Match } from "../../test/support/correlate.ts";
import { freeSipPort } from "../../test/support/free-ports.ts";
import { newPatient, recordingOf, sipHospital } from "../../test/support/sip-hospital.ts";
import { speechLike } from "../../test/support/sounds.ts";
import { until } from "../../test/support/until.ts";
import { Missing, type Bench, type Finding, type How } from "./bench.ts";

const WORDS_BEFORE_LONGER = 1.1;
/**
 * If the first packet is late, the jitter buffer drops one frame after a second, by design: only that frame may be
 * missing.
 */
const SLIPS = 1;

/**
 * Per call, how the sent audio matches the received audio: ours at their end and in our recording, theirs in our
 * recording.
 */
async function matchesOf(calls: number, seconds: number): Promise<Match[][]> {
  const [ourWords, theirWords] = [speechLike(seconds, 1), speechLike(seconds, 2)];
  const hospital = await sipHospital();
  const port = freeSipPort();
  const recorded = { greeting: ourWords, menu: speechLike(1, 3), goodbye: speechLike(0.4, 4) };
  const { agentId } = await hospital.addLine({ port, recorded });
  const server = await hospital.start({ RINGWARD_LOG__LEVEL: "error" });
  const all: Match[][] = [];
  try {
    for (let i = 1; i <= calls; i++) {
      const number = newPatient();
      const phone = await startPhone({ number, port, says: theirWords });
      const callId = await place(server, { agent_id: agentId, user_number: number });
      await phone.told("CALL_ESTABLISHED");
      const isHeard = () => phone.heard().length > WORDS_BEFORE_LONGER * ourWords.length;
      await until(isHeard, { everyMs: 100, withinMs: 60_000 });
      await phone.hangUp();
      const { agent, caller } = await recordingOf(server, await finished(server, callId));
      const matches = [
        correlate(phone.heard(), ourWords, SLIPS),
        correlate(agent, ourWords, SLIPS),
        correlate(caller, theirWords, SLIPS),
      ];
      all.push(matches);
      console.error(
        `  call ${i}: ${matches.map((each) => `${each.gaps} gaps ${each.correlation.toFixed(4)}`).join(", ")}`,
      );
      await phone.stop();
    }
  } finally {
    await server.kill();
  }
  return all;
}

async function run({ quick, args = [] }: How): Promise<Finding[]> {
  if (!Bun.which("baresip")) throw new Missing("needs baresip (Debian: baresip-core)");
  const { values } = parseArgs({
    args,
    options: {
      calls: { type: "string", default: quick ? "1" : "10" },
      seconds: { type: "string", default: quick ? "2" : "5" },
    },
  });
  const all = await matchesOf(Number(values.calls), Number(values.seconds));
  const whole = all.filter((matches) => matches.every(({ gaps }) => gaps === 0)).length;
  const gaps = all.flat().reduce((sum, match) => sum + match.gaps, 0);
  return [
    {
      measure: "calls with baresip that are whole on both sides",
      here: `${whole}, ${gaps} frames of 20 ms missing in all`,
      against: `${all.length} calls of ${values.seconds} s`,
      ratio: whole / all.length,
      goal: "all",
      holds: whole === all.length,
    },
  ];
}

export const telephone: Bench = {
  name: "telephone",
  about: "how whole calls with a real telephone are: every frame of 20 ms, both ways",
  run,
};

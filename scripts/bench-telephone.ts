// How whole a call is: the executable calls baresip, both talk for some seconds, and each side's words are looked for in
// what the other heard, frame by frame. The tests show that the words come through; only a quiet machine shows that
// none is missing. `scripts/bench-telephone [--calls 10] [--seconds 5]`; needs ./scripts/build and Debian's baresip-core.
import { parseArgs } from "node:util";
import { startPhone } from "../test/support/baresip.ts";
import { finished, place } from "../test/support/calls.ts";
import { correlate, type Match } from "../test/support/correlate.ts";
import { freeSipPort } from "../test/support/free-ports.ts";
import { newPatient, recordingOf, sipHospital } from "../test/support/sip-hospital.ts";
import { speechLike } from "../test/support/sounds.ts";
import { until } from "../test/support/until.ts";

const { values } = parseArgs({
  options: { calls: { type: "string", default: "10" }, seconds: { type: "string", default: "5" } },
});
const OUR_WORDS = speechLike(Number(values.seconds), 1);
const THEIR_WORDS = speechLike(Number(values.seconds), 2);
const GOAL_GAPS = 0;

const cell = ({ gaps, correlation }: Match) => `${String(gaps).padStart(5)} gaps ${correlation.toFixed(4)}`;

const hospital = await sipHospital();
const port = freeSipPort();
const recorded = { greeting: OUR_WORDS, menu: speechLike(1, 3), goodbye: speechLike(0.4, 4) };
const { agentId } = await hospital.addLine({ port, recorded });
const server = await hospital.start({ RINGWARD_LOG__LEVEL: "error" });
let whole = 0;
try {
  console.log(" call  we say, they hear   we say, recorded    they say, recorded");
  for (let i = 1; i <= Number(values.calls); i++) {
    const number = newPatient();
    const phone = await startPhone({ number, port, says: THEIR_WORDS });
    const callId = await place(server, { agent_id: agentId, user_number: number });
    await phone.told("CALL_ESTABLISHED");
    await until(() => phone.heard().length > 1.1 * OUR_WORDS.length, { everyMs: 100, withinMs: 60_000 });
    await phone.hangUp();
    const { agent, caller } = await recordingOf(server, await finished(server, callId));
    const matches = [correlate(phone.heard(), OUR_WORDS), correlate(agent, OUR_WORDS), correlate(caller, THEIR_WORDS)];
    if (matches.every(({ gaps }) => gaps <= GOAL_GAPS)) whole++;
    console.log(`${String(i).padStart(5)} ${matches.map(cell).join("  ")}`);
    await phone.stop();
  }
  console.log(`Whole on both sides: ${whole} of ${values.calls} calls`);
} finally {
  await server.kill();
}

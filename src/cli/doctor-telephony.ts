// Doctor checks of telephony: whether the legal rules are enforced, the SIP port, the last known state of each trunk,
// and numbers without a trunk.
import type { Config } from "../config/schema.ts";
import { unenforcedOverSip } from "../config/unenforced.ts";
import { MINUTE_MS, SECOND_MS, systemClock } from "../core/clock.ts";
import type { StoredTrunkState } from "../trunks/records.ts";
import { trunkFacts, type TrunkFacts } from "../trunks/trunk-facts-store.ts";
import { askedOf } from "./database-look.ts";
import { isRingwardAnswering, type Finding } from "./doctor-checks.ts";

/** The server updates the state every 30 s. Older state comes from a server that no longer runs. */
const FRESH_MS = 2 * MINUTE_MS;
const NUMBERS_NAMED = 5;

export async function checkTelephony(config: Config): Promise<Finding[]> {
  const facts = await askedOf(config, trunkFacts);
  const trunkCount = facts?.trunks.length ?? 0;
  const rules = checkRules(config, trunkCount > 0 || Object.keys(config.trunks).length > 0);
  if (config.telephony.carrier === "simulator") {
    const check = "carrier";
    if (trunkCount === 0) return [rules, { check, state: "ok", message: "The simulator: no real calls are made." }];
    const trunks = trunkCount === 1 ? "There is a trunk" : `There are ${trunkCount} trunks`;
    const message = `${trunks}, but the carrier is the simulator, so no phone rings. Set telephony.carrier = "sip".`;
    return [rules, { check, state: "warn", message }];
  }
  return [rules, await checkSipPort(config), ...trunkFindings(config, facts), ...numberFindings(facts)];
}

/** Without the rules real telephones ring at any hour. */
function checkRules(config: Config, hasTrunk: boolean): Finding {
  const check = "rules";
  if (config.rules.enforce) return { check, state: "ok", message: "The legal rules of calls are enforced." };
  const message = unenforcedOverSip(config);
  if (message === null || !hasTrunk)
    return { check, state: "ok", message: "Not enforced (rules.enforce = false); no telephone rings." };
  return { check, state: "warn", message };
}

async function checkSipPort({ telephony, server }: Config): Promise<Finding> {
  const check = "sip port";
  const { address, port } = telephony.sip;
  const where = `${address}:${port}`;
  if (port === 0) return { check, state: "ok", message: "Any that is free." };
  if (await canBind(address, port)) return { check, state: "ok", message: `${where} is free (UDP and TCP).` };
  if (await isRingwardAnswering(server)) return { check, state: "ok", message: `${where} is taken; a Ringward runs.` };
  return {
    check,
    state: "FAIL",
    message: `${where} cannot be listened on. Another program has it (a PBX on this machine?), or the address is not this machine's: change telephony.sip.`,
  };
}

async function canBind(hostname: string, port: number): Promise<boolean> {
  try {
    const udp = await Bun.udpSocket({ hostname, port });
    udp.close();
    Bun.listen({ hostname, port, socket: { data() {} } }).stop(true);
    return true;
  } catch {
    return false;
  }
}

function trunkFindings(config: Config, facts: TrunkFacts | null): Finding[] {
  const waiting = Object.keys(config.trunks).length > 0 ? " The next start makes those of the settings." : "";
  if (facts === null || facts.trunks.length === 0) {
    const message = `There is none, so no call can be made. Add one: "ringward trunks add".${waiting}`;
    return [{ check: "trunks", state: "warn", message }];
  }
  return facts.trunks.map((trunk) => ({ check: `trunk ${trunk.name}`, ...trunkFinding(trunk, trunk.seen) }));
}

function trunkFinding(
  { isEnabled, asksOptions }: { isEnabled: boolean; asksOptions: boolean },
  seen: StoredTrunkState | null,
): Omit<Finding, "check"> {
  if (!isEnabled) return { state: "ok", message: "Switched off." };
  if (seen === null) return { state: "warn", message: "Not checked yet. Start Ringward and run this again." };
  const ageMs = Math.max(0, systemClock.now() - seen.at);
  const isResting = seen.resting_until !== null && seen.resting_until > systemClock.now();
  const facts = [
    seen.state,
    seen.round_trip_ms === null ? "" : `round trip ${Math.round(seen.round_trip_ms)} ms`,
    seen.is_registered === null ? "" : seen.is_registered ? "registered" : "not registered",
    isResting ? "rests, since half of its last calls failed" : "",
    seen.address ?? "",
    `seen ${ageWords(ageMs)} ago`,
  ];
  const message = `${facts.filter(Boolean).join(", ")}.${seen.last_error === null ? "" : ` ${seen.last_error}`}`;
  if (ageMs > FRESH_MS) return { state: "warn", message: `${message} Ringward does not run, or does not look.` };
  if (seen.state === "down") return { state: "FAIL", message };
  const isWell = seen.last_error === null && !isResting && (seen.state === "up" || !asksOptions);
  return { state: isWell ? "ok" : "warn", message };
}

function ageWords(ageMs: number): string {
  return ageMs < 2 * MINUTE_MS ? `${Math.round(ageMs / SECOND_MS)} s` : `${Math.round(ageMs / MINUTE_MS)} min`;
}

function numberFindings(facts: TrunkFacts | null): Finding[] {
  const numbers = facts?.numbersWithoutTrunk ?? [];
  if (numbers.length === 0) return [];
  const named = numbers.slice(0, NUMBERS_NAMED).join(", ") + (numbers.length > NUMBERS_NAMED ? ", …" : "");
  return [
    {
      check: "numbers",
      state: "warn",
      message: `Without a trunk that is in use, so their calls wait: ${named}. Give them one: "ringward numbers trunk NUMBER TRUNK".`,
    },
  ];
}

// Hardening points about how the appliance is run: audit trail, alarms, rules, demo.
import { join } from "node:path";
import { isLoopbackHost } from "../../net/host-name.ts";
import { NO_DATABASE, notApplicable, ok, open, type Grounds, type Point } from "./point.ts";

/** See cli/demo.ts. */
const DEMO_FILE = "demo.json";

export function auditLimits({ config: { audit } }: Grounds): Point {
  if (audit.keep_days === 0 && audit.max_rows === 0)
    return open("The audit trail grows for ever. Set audit.keep_days and audit.export_to.");
  if (audit.export_to === "") return open("Nothing is removed without an export. Set audit.export_to.");
  return ok(`Entries beyond the limits are exported to ${audit.export_to}, verified and pruned.`);
}

/** Syslog reaches a machine. */
export function alarms({ config: { mail, syslog }, stored }: Grounds): Point {
  if (mail.host !== "" && mail.alarms_to.length > 0) return ok("Alarms are sent by e-mail.");
  if (stored === null) return NO_DATABASE;
  if (stored.alarmEndpoints > 0) return ok("Alarms are sent to a webhook (appliance.alarm).");
  const other = syslog.address === "" ? "" : " They go to syslog, which may alert people or not.";
  return open(`Alarms reach no person.${other} Set mail.host and mail.alarms_to, or subscribe an endpoint.`);
}

export function legalRules({ config: { rules, telephony } }: Grounds): Point {
  if (rules.enforce) return ok("The legal rules of calls are enforced.");
  if (telephony.carrier === "simulator") return notApplicable("Not enforced, and no telephone rings.");
  return open("Telephones ring outside the legal hours and without consent. Set rules.enforce = true.");
}

export function demo({ config, statOf }: Grounds): Point {
  const { data, base_url, telephony } = config;
  if (statOf(join(data.dir, DEMO_FILE)) === null) return ok("This is no demo.");
  const isReal = telephony.carrier === "sip" || !isLoopbackHost(new URL(base_url).hostname);
  if (!isReal) return notApplicable("A demo on this machine alone.");
  return open(`A demo serves the network, and ${DEMO_FILE} has its password and keys. Begin anew in an empty folder.`);
}

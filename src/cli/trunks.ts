// ringward trunks list | add | change | remove | capture
import { readFileSync } from "node:fs";
import { CLI_ACTOR } from "../core/actor.ts";
import { systemClock } from "../core/clock.ts";
import { AppError, messageOf } from "../core/errors.ts";
import type { Services } from "../compose/services.ts";
import type { TrunkChange } from "../trunks/checked-trunk.ts";
import type { TrunkStateView } from "../trunks/trunk-view.ts";
import { UsageError, type Arguments, type Command, type Option } from "./command.ts";
import { JSON_OPTION, ORG_OPTION, organisationOf, withServices } from "./context.ts";
import { print, printJson, printTable } from "./output.ts";

const TRUNK_OPTIONS: Readonly<Record<string, Option>> = {
  host: { type: "string", value: "HOST", help: "The trunk's host name or address." },
  port: { type: "string", value: "N", help: "0 asks DNS for NAPTR and SRV, then takes 5060, or 5061 with TLS." },
  transport: { type: "string", value: "NAME", help: "udp, tcp or tls." },
  "ca-file": {
    type: "string",
    value: "FILE",
    help: 'With tls: PEM of the authority to trust; "none" for public ones.',
  },
  username: { type: "string", value: "NAME", help: 'The account, or "none".' },
  "secret-file": {
    type: "string",
    value: "FILE",
    help: 'A file that holds the account\'s secret alone; "-" reads it from standard input, "none" removes it.',
  },
  register: { type: "string", value: "YES_OR_NO", help: "Whether to register with the trunk." },
  "from-domain": { type: "string", value: "HOST", help: 'The domain that calls come from; "none" takes the host.' },
  "from-user": {
    type: "string",
    value: "NAME",
    help: 'The user in From: a name, or "number"; "none" takes the account where it registers, else the number.',
  },
  "identity-header": {
    type: "string",
    value: "NAME",
    help: "Header with the caller's number: auto, p_asserted_identity, remote_party_id or none.",
  },
  "caller-id": {
    type: "string",
    value: "NUMBER",
    help: 'The number or extension that is shown; "none" shows the number that calls.',
  },
  "number-format": {
    type: "string",
    value: "NAME",
    help: "Format of dialled numbers: e164 (+91…), digits or national (0…).",
  },
  "dial-prefix": { type: "string", value: "DIGITS", help: 'Dialled before every number, e.g. 9; "none" for none.' },
  extensions: {
    type: "string",
    value: "LIST",
    help: 'Who rings whom, e.g. 2001=+912212345678,ward=+912212345678; the name * is every other; "none" for none.',
  },
  lines: { type: "string", value: "N", help: "Calls at once." },
  "calls-per-second": { type: "string", value: "N", help: "New calls per second." },
  "options-seconds": { type: "string", value: "N", help: "Interval of OPTIONS checks in seconds; 0: never." },
  "symmetric-rtp": {
    type: "string",
    value: "YES_OR_NO",
    help: "Whether the trunk's audio comes through a NAT, from an address other than in its SDP.",
  },
  srtp: {
    type: "string",
    value: "NAME",
    help: "Encryption of audio, with tls: off, preferred (if the trunk supports it) or required.",
  },
  codecs: {
    type: "string",
    value: "LIST",
    help: 'What is offered, best first, e.g. PCMA,PCMU; "auto" for G722, then G.711 by the number\'s country.',
  },
  prefixes: { type: "string", value: "LIST", help: 'Comma-separated, e.g. +91,+1; "all" allows every number.' },
  enabled: { type: "string", value: "YES_OR_NO", help: "Whether the trunk is used." },
  ...ORG_OPTION,
  ...JSON_OPTION,
};

export const trunksList: Command = {
  name: "trunks list",
  summary: "List the trunks of an organisation with their last known state.",
  options: { ...ORG_OPTION, ...JSON_OPTION },
  run: (args) =>
    withServices(args, async ({ services }) => {
      const organisationId = await organisationOf(args, services);
      const states = await services.trunks.statesOf(organisationId);
      const trunks = (await services.trunks.list(organisationId)).map((trunk) => ({
        ...trunk,
        state: states[trunk.trunk_id] ?? null,
      }));
      if (args.flag("json")) {
        printJson(trunks);
        return 0;
      }
      printTable(
        ["name", "address", "state", "round trip", "numbers", "managed in"],
        trunks.map((trunk) => [
          trunk.name,
          `${trunk.transport}:${trunk.host}:${trunk.port || "srv"}`,
          trunk.enabled ? stateWords(trunk.state) : "off",
          roundTrip(trunk.state?.round_trip_ms ?? null),
          trunk.numbers.join(" "),
          trunk.source,
        ]),
      );
      for (const { name, enabled, state } of trunks)
        if (enabled && state?.last_error) print(`${name}: ${state.last_error}`);
      return 0;
    }),
};

export const trunksAdd: Command = {
  name: "trunks add",
  summary: "Add a trunk: your PBX or your SIP provider.",
  options: {
    name: { type: "string", value: "NAME", help: "Name of the trunk.", required: true },
    ...TRUNK_OPTIONS,
    host: { type: "string", value: "HOST", help: "The trunk's host name or address.", required: true },
  },
  run: (args) =>
    withServices(args, async ({ services }) => {
      const trunk = await services.trunks.create(
        await organisationOf(args, services),
        { ...(await changeOf(args)), name: args.text("name") ?? "", host: args.text("host") ?? "" },
        CLI_ACTOR,
      );
      if (args.flag("json")) printJson(trunk);
      else print(`Added ${trunk.name}. Put a number on it: ringward numbers trunk +91… ${JSON.stringify(trunk.name)}`);
      return 0;
    }),
};

export const trunksChange: Command = {
  name: "trunks change",
  summary: "Change the given fields of a trunk. Calls in progress continue.",
  positionals: ["NAME"],
  options: { name: { type: "string", value: "NAME", help: "Another name for it." }, ...TRUNK_OPTIONS },
  run: (args) =>
    withServices(args, async ({ services }) => {
      const organisationId = await organisationOf(args, services);
      const { trunk_id } = await named(args, services, organisationId);
      const name = args.text("name");
      const change = { ...(await changeOf(args)), ...(name === undefined ? {} : { name }) };
      const trunk = await services.trunks.update(organisationId, trunk_id, change, CLI_ACTOR);
      if (args.flag("json")) printJson(trunk);
      else print(`Changed ${trunk.name}.`);
      return 0;
    }),
};

export const trunksRemove: Command = {
  name: "trunks remove",
  summary: "Remove a trunk that no number uses.",
  positionals: ["NAME"],
  options: ORG_OPTION,
  run: (args) =>
    withServices(args, async ({ services }) => {
      const organisationId = await organisationOf(args, services);
      const { trunk_id, name } = await named(args, services, organisationId);
      await services.trunks.remove(organisationId, trunk_id, CLI_ACTOR);
      print(`Removed ${name}.`);
      return 0;
    }),
};

export const trunksCapture: Command = {
  name: "trunks capture",
  summary: "Capture the packets of calls that begin in the next minutes (at most 60; 0 ends it).",
  positionals: ["NAME", "MINUTES"],
  options: { ...ORG_OPTION, ...JSON_OPTION },
  run: (args) =>
    withServices(args, async ({ services }) => {
      const organisationId = await organisationOf(args, services);
      const { trunk_id } = await named(args, services, organisationId);
      const minutes = numberOf("MINUTES", args.positionals[1] ?? "");
      const trunk = await services.trunks.setCapture(organisationId, trunk_id, minutes, CLI_ACTOR);
      if (args.flag("json")) printJson(trunk);
      else print(trunk.capture_until === null ? "Nothing is captured." : `Captured until ${trunk.capture_until}.`);
      return 0;
    }),
};

function named(args: Arguments, services: Services, organisationId: string) {
  return services.trunks.byName(organisationId, args.positionals[0] ?? "");
}

async function changeOf(args: Arguments): Promise<TrunkChange> {
  const change: Record<string, unknown> = {};
  const set = (option: string, field: string, valueOf: (text: string) => unknown) => {
    const text = args.text(option);
    if (text !== undefined) change[field] = valueOf(text);
  };
  set("host", "host", (text) => text);
  set("transport", "transport", (text) => text);
  set("username", "username", orNull);
  set("from-domain", "from_domain", orNull);
  set("from-user", "from_user", orNull);
  set("identity-header", "identity_header", (text) => text);
  set("caller-id", "caller_id", orNull);
  set("number-format", "number_format", (text) => text);
  set("dial-prefix", "dial_prefix", (text) => orNull(text) ?? "");
  set("extensions", "extensions", (text) => (text === "none" ? [] : listOf(text)));
  set("port", "port", (text) => numberOf("--port", text));
  set("lines", "concurrent_calls", (text) => numberOf("--lines", text));
  set("calls-per-second", "calls_per_second", (text) => numberOf("--calls-per-second", text));
  set("options-seconds", "options_seconds", (text) => numberOf("--options-seconds", text));
  set("register", "register", (text) => yesOrNo("--register", text));
  set("symmetric-rtp", "symmetric_rtp", (text) => yesOrNo("--symmetric-rtp", text));
  set("srtp", "srtp", (text) => text);
  set("codecs", "codecs", (text) => (text === "auto" ? [] : listOf(text.toUpperCase())));
  set("enabled", "enabled", (text) => yesOrNo("--enabled", text));
  set("prefixes", "allowed_prefixes", (text) => (text === "all" ? [] : listOf(text)));
  set("ca-file", "ca_pem", (text) => (text === "none" ? null : fileText(text)));
  const secretFile = args.text("secret-file");
  if (secretFile !== undefined) change["secret"] = await secretFrom(secretFile);
  return change;
}

/** Secrets are never passed as arguments, because every process on the machine can read those. */
async function secretFrom(file: string): Promise<string | null> {
  if (file === "none") return null;
  const text = file === "-" ? await Bun.stdin.text() : fileText(file);
  return text.replace(/\r?\n$/, "");
}

function fileText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new AppError("VALIDATION_ERROR", `${file} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}

function listOf(text: string): string[] {
  return text.split(",").map((part) => part.trim());
}

function orNull(text: string): string | null {
  return text === "none" ? null : text;
}

function numberOf(name: string, text: string): number {
  if (!/^[0-9]{1,6}(\.[0-9]{1,3})?$/.test(text)) throw new UsageError(`${name} must be a number.`);
  return Number(text);
}

function yesOrNo(name: string, text: string): boolean {
  if (text !== "yes" && text !== "no") throw new UsageError(`${name} must be yes or no.`);
  return text === "yes";
}

function stateWords(seen: TrunkStateView | null): string {
  if (!seen) return "not seen yet";
  const words = [
    seen.state,
    seen.is_registered === null ? "" : seen.is_registered ? "registered" : "not registered",
    seen.resting_until !== null && Date.parse(seen.resting_until) > systemClock.now() ? "rests" : "",
  ];
  return words.filter(Boolean).join(", ");
}

function roundTrip(ms: number | null): string {
  return ms === null ? "" : `${Math.round(ms)} ms`;
}

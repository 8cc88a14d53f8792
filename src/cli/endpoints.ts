// ringward endpoints create | list | update | rotate | disable | enable | test | delete, and deliveries list | replay
import { CLI_ACTOR } from "../core/actor.ts";
import { parseIsoTime } from "../core/iso-time.ts";
import { EVENT_TYPES } from "../events/catalogue.ts";
import { UsageError, type Arguments, type Command, type Option } from "./command.ts";
import { JSON_OPTION, ORG_OPTION, organisationOf, withServices } from "./context.ts";
import { print, printJson, printTable } from "./output.ts";

const ENDPOINT_OPTIONS: Readonly<Record<string, Option>> = {
  url: { type: "string", value: "URL", help: "https only." },
  events: { type: "string", value: "LIST", help: `Comma-separated, or "all": ${EVENT_TYPES.join(", ")}.` },
  description: { type: "string", value: "TEXT", help: "What is behind it." },
  signing: { type: "string", value: "ON_OR_OFF", help: "Whether deliveries are signed." },
  ...ORG_OPTION,
  ...JSON_OPTION,
};

export const endpointsCreate: Command = {
  name: "endpoints create",
  summary: "Register an address for events. The signing secret is shown only once.",
  options: {
    ...ENDPOINT_OPTIONS,
    url: { type: "string", value: "URL", help: "https only.", required: true },
    events: {
      ...ENDPOINT_OPTIONS["events"],
      type: "string",
      help: ENDPOINT_OPTIONS["events"]?.help ?? "",
      default: "all",
    },
  },
  run: (args) =>
    withServices(args, async ({ services }) => {
      const created = await services.endpoints.create(
        await organisationOf(args, services),
        { url: "", eventTypes: EVENT_TYPES, ...endpointInput(args) },
        CLI_ACTOR,
      );
      if (args.flag("json")) printJson(created);
      else print(`${created.secret}\n\nKeep it now: it cannot be shown again. Endpoint: ${created.endpoint_id}`);
      return 0;
    }),
};

export const endpointsList: Command = {
  name: "endpoints list",
  summary: "List the webhook endpoints of an organisation.",
  options: { ...ORG_OPTION, ...JSON_OPTION },
  run: (args) =>
    withServices(args, async ({ services }) => {
      const endpoints = await services.endpoints.list(await organisationOf(args, services));
      if (args.flag("json")) printJson(endpoints);
      else {
        printTable(
          ["id", "state", "failures", "pending", "held", "url"],
          endpoints.map((row) => [
            row.endpoint_id,
            row.enabled ? (row.outage ? "waiting" : "on") : "off",
            String(row.consecutive_failures),
            String(row.deliveries["pending"] ?? 0),
            String(row.deliveries["held"] ?? 0),
            row.url,
          ]),
        );
        for (const { endpoint_id, outage } of endpoints) {
          if (outage) print(`${endpoint_id} waits since ${outage.since}, our own side is at fault: ${outage.reason}`);
        }
      }
      return 0;
    }),
};

export const endpointsUpdate: Command = {
  name: "endpoints update",
  summary: "Change the given fields of a webhook endpoint.",
  positionals: ["ENDPOINT_ID"],
  options: ENDPOINT_OPTIONS,
  run: (args) =>
    withServices(args, async ({ services }) => {
      const [id = ""] = args.positionals;
      printJson(
        await services.endpoints.update(await organisationOf(args, services), id, endpointInput(args), CLI_ACTOR),
      );
      return 0;
    }),
};

const OVERLAP_ADVICE =
  "Deliveries remain valid for the old secret for 24 hours: configure both in your receiver, separated by a space.";

export const endpointsRotate: Command = {
  name: "endpoints rotate",
  summary: "Create a new signing secret. Deliveries remain valid for the old one for 24 hours.",
  positionals: ["ENDPOINT_ID"],
  options: { ...ORG_OPTION, ...JSON_OPTION },
  run: (args) =>
    withServices(args, async ({ services }) => {
      const [id = ""] = args.positionals;
      const rotated = await services.endpoints.rotateSecret(await organisationOf(args, services), id, CLI_ACTOR);
      if (args.flag("json")) printJson(rotated);
      else print(`${rotated.secret}\n\nKeep it now: it cannot be shown again. ${OVERLAP_ADVICE}`);
      return 0;
    }),
};

export const endpointsEnable: Command = {
  name: "endpoints enable",
  summary: "Enable an endpoint and send the deliveries held meanwhile.",
  positionals: ["ENDPOINT_ID"],
  options: { "drop-held": { type: "boolean", help: "Do not send the held deliveries." }, ...ORG_OPTION },
  run: (args) =>
    withServices(args, async ({ services }) => {
      const [id = ""] = args.positionals;
      const sendHeld = !args.flag("drop-held");
      const { held } = await services.endpoints.enable(await organisationOf(args, services), id, sendHeld, CLI_ACTOR);
      print(`Enabled. ${held} held deliveries ${sendHeld ? "go out now" : "were given up"}.`);
      return 0;
    }),
};

const simpleCommand = (
  name: string,
  summary: string,
  act: (services: ActServices, organisationId: string, id: string) => Promise<string>,
): Command => ({
  name: `endpoints ${name}`,
  summary,
  positionals: ["ENDPOINT_ID"],
  options: ORG_OPTION,
  run: (args) =>
    withServices(args, async ({ services }) => {
      print(await act(services, await organisationOf(args, services), args.positionals[0] ?? ""));
      return 0;
    }),
});

type ActServices = Parameters<Parameters<typeof withServices>[1]>[0]["services"];

export const endpointsDisable = simpleCommand(
  "disable",
  "Disable an endpoint; its events are held.",
  async (services, organisationId, id) => {
    await services.endpoints.disable(organisationId, id, CLI_ACTOR);
    return "Disabled.";
  },
);

export const endpointsDelete = simpleCommand(
  "delete",
  "Delete an endpoint and its deliveries.",
  async (services, organisationId, id) => {
    await services.endpoints.remove(organisationId, id, CLI_ACTOR);
    return "Deleted.";
  },
);

export const endpointsTest = simpleCommand(
  "test",
  "Send a test event to an endpoint (by the running server).",
  async (services, organisationId, id) => {
    const deliveryId = await services.deliveries.sendTest(organisationId, id, CLI_ACTOR);
    return `Queued as ${deliveryId}; the running server sends it within 30 seconds. See "ringward deliveries list".`;
  },
);

export const deliveriesList: Command = {
  name: "deliveries list",
  summary: "List the newest deliveries with their results.",
  options: {
    endpoint: { type: "string", value: "ID", help: "Only of this endpoint." },
    call: { type: "string", value: "ID", help: "Only about this call." },
    limit: { type: "string", value: "N", help: "How many.", default: "50" },
    ...ORG_OPTION,
    ...JSON_OPTION,
  },
  run: (args) =>
    withServices(args, async ({ services }) => {
      const rows = await services.deliveries.list({
        organisationId: await organisationOf(args, services),
        endpointId: args.text("endpoint"),
        callId: args.text("call"),
        limit: Math.min(Number(args.text("limit")) || 50, 1_000),
      });
      if (args.flag("json")) printJson(rows);
      else
        printTable(
          ["id", "event", "type", "state", "attempts", "created"],
          rows.map((row) => [
            row.delivery_id,
            row.event_id,
            row.event_type,
            row.state,
            String(row.attempts),
            row.created_at,
          ]),
        );
      return 0;
    }),
};

export const deliveriesAttempts: Command = {
  name: "deliveries attempts",
  summary: "Show every attempt of one delivery.",
  positionals: ["DELIVERY_ID"],
  options: ORG_OPTION,
  run: (args) =>
    withServices(args, async ({ services }) => {
      const organisationId = await organisationOf(args, services);
      printJson(await services.deliveries.attempts(organisationId, args.positionals[0] ?? "", CLI_ACTOR));
      return 0;
    }),
};

export const deliveriesReplay: Command = {
  name: "deliveries replay",
  summary:
    "Send one delivery again (DELIVERY_ID), or all exhausted ones of an endpoint (ENDPOINT_ID with --from and --to).",
  positionals: ["ID"],
  options: {
    from: { type: "string", value: "TIME", help: "ISO 8601 with offset." },
    to: { type: "string", value: "TIME", help: "ISO 8601 with offset." },
    ...ORG_OPTION,
  },
  run: (args) =>
    withServices(args, async ({ services }) => {
      const organisationId = await organisationOf(args, services);
      const [id = ""] = args.positionals;
      if (id.startsWith("dlv_")) {
        await services.deliveries.replay(organisationId, id, CLI_ACTOR);
        print("It goes out again.");
        return 0;
      }
      const count = await services.deliveries.replayRange(
        organisationId,
        id,
        { from: time(args, "from"), to: time(args, "to") },
        CLI_ACTOR,
      );
      print(`${count} deliveries go out again.`);
      return 0;
    }),
};

function endpointInput(args: Arguments) {
  const url = args.text("url");
  const description = args.text("description");
  const events = args.text("events");
  const signing = args.text("signing");
  if (signing !== undefined && signing !== "on" && signing !== "off")
    throw new UsageError("--signing must be on or off.");
  return {
    ...(url === undefined ? {} : { url }),
    ...(description === undefined ? {} : { description }),
    ...(events === undefined
      ? {}
      : { eventTypes: events === "all" ? EVENT_TYPES : events.split(",").map((event) => event.trim()) }),
    ...(signing === undefined ? {} : { signing: signing === "on" }),
  };
}

function time(args: Arguments, name: string): number {
  return parseIsoTime(`--${name}`, args.text(name) ?? "");
}

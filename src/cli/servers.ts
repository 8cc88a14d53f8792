// ringward servers list | add | change | remove | use, and models test: model servers of an organisation.
import { readFileSync } from "node:fs";
import { BUILT_IN, type AgentChoices } from "../agents/model-servers/model-server-service.ts";
import type { ServerChange } from "../agents/model-servers/checked-server.ts";
import type { ModelServerView } from "../agents/model-servers/known-server.ts";
import { CLI_ACTOR } from "../core/actor.ts";
import { systemClock } from "../core/clock.ts";
import { AppError, messageOf } from "../core/errors.ts";
import type { Services } from "../compose/services.ts";
import type { Finding, ServerTrial } from "../speech/servers/trial/finding.ts";
import { tryServer } from "../speech/servers/trial/server-trial.ts";
import { UsageError, type Arguments, type Command, type Option } from "./command.ts";
import { JSON_OPTION, ORG_OPTION, organisationOf, withServices } from "./context.ts";
import { print, printJson, printTable } from "./output.ts";

const ROLES = ["language", "recognition", "voice"] as const;

const SERVER_OPTIONS: Readonly<Record<string, Option>> = {
  url: { type: "string", value: "URL", help: "The address before /chat/completions, e.g. http://10.20.0.5:8000/v1." },
  model: { type: "string", value: "NAME", help: "Model name sent to the server." },
  voice: { type: "string", value: "NAME", help: 'The voice, for the role voice; "none" for none.' },
  languages: { type: "string", value: "LIST", help: 'What it is used for, e.g. hi,ta; "all" for every language.' },
  "key-file": {
    type: "string",
    value: "FILE",
    help: 'A file that holds the key alone; "-" reads it from standard input, "none" removes it.',
  },
  "ca-file": { type: "string", value: "FILE", help: 'PEM of the authority to trust; "none" for public ones.' },
  "first-ms": { type: "string", value: "N", help: "Time limit for the first byte of an answer." },
  "total-ms": { type: "string", value: "N", help: "Time limit for a whole answer." },
  default: { type: "string", value: "YES_OR_NO", help: "Whether it is the default for agents without a choice." },
  ...ORG_OPTION,
  ...JSON_OPTION,
};

export const serversList: Command = {
  name: "servers list",
  summary: "List the model servers of an organisation, including those in the configuration.",
  options: { ...ORG_OPTION, ...JSON_OPTION },
  run: (args) =>
    withServices(args, async ({ services }) => {
      await services.modelServers.refresh();
      const servers = await services.modelServers.list(await organisationOf(args, services));
      if (args.flag("json")) printJson(servers);
      else {
        printTable(
          ["name", "role", "address", "model", "languages", "default", "managed in"],
          servers.map((server) => [
            server.name,
            server.role,
            server.base_url ?? server.program ?? "",
            server.model,
            server.languages.join(" ") || "all",
            server.is_default ? "yes" : "no",
            server.source,
          ]),
        );
      }
      return 0;
    }),
};

export const serversAdd: Command = {
  name: "servers add",
  summary: "Add an OpenAI-compatible model server. Its host must be listed in models.allow.",
  options: {
    name: { type: "string", value: "NAME", help: "Name of the server.", required: true },
    role: { type: "string", value: "ROLE", help: `Its role: ${ROLES.join(", ")}.`, required: true },
    ...SERVER_OPTIONS,
    url: { type: "string", value: "URL", help: SERVER_OPTIONS["url"]?.help ?? "", required: true },
  },
  run: (args) =>
    withServices(args, async ({ services }) => {
      const server = await services.modelServers.create(
        await organisationOf(args, services),
        {
          ...(await changeOf(args)),
          name: args.text("name") ?? "",
          role: args.text("role") ?? "",
          base_url: args.text("url") ?? "",
        },
        CLI_ACTOR,
      );
      if (args.flag("json")) printJson(server);
      else print(`Added ${server.name}. Try it: ringward models test --server ${JSON.stringify(server.name)}`);
      return 0;
    }),
};

export const serversChange: Command = {
  name: "servers change",
  summary: "Change the given fields of a model server. Calls in progress continue.",
  positionals: ["NAME"],
  options: { name: { type: "string", value: "NAME", help: "Another name for it." }, ...SERVER_OPTIONS },
  run: (args) =>
    withServices(args, async ({ services }) => {
      const organisationId = await organisationOf(args, services);
      const { server_id } = await services.modelServers.byName(organisationId, args.positionals[0] ?? "");
      const name = args.text("name");
      const change = { ...(await changeOf(args)), ...(name === undefined ? {} : { name }) };
      const server = await services.modelServers.update(organisationId, server_id, change, CLI_ACTOR);
      if (args.flag("json")) printJson(server);
      else print(`Changed ${server.name}.`);
      return 0;
    }),
};

export const serversRemove: Command = {
  name: "servers remove",
  summary: "Remove a model server. Its agents return to the default.",
  positionals: ["NAME"],
  options: ORG_OPTION,
  run: (args) =>
    withServices(args, async ({ services }) => {
      const organisationId = await organisationOf(args, services);
      const { server_id, name } = await services.modelServers.byName(organisationId, args.positionals[0] ?? "");
      await services.modelServers.remove(organisationId, server_id, CLI_ACTOR);
      print(`Removed ${name}.`);
      return 0;
    }),
};

export const serversUse: Command = {
  name: "servers use",
  summary: `Set the server that an agent uses: a server's name, "${BUILT_IN}", or "default".`,
  positionals: ["AGENT", "ROLE", "SERVER"],
  options: ORG_OPTION,
  run: (args) =>
    withServices(args, async ({ services }) => {
      const organisationId = await organisationOf(args, services);
      const [agentId = "", roleName = "", wanted = ""] = args.positionals;
      const role = ROLES.find((known) => known === roleName);
      if (!role) throw new UsageError(`ROLE must be one of ${ROLES.join(", ")}.`);
      await services.modelServers.refresh();
      const wish: Partial<AgentChoices> = { [role]: await chosen(services, organisationId, wanted) };
      await services.modelServers.choose(organisationId, agentId, wish, CLI_ACTOR);
      print(`Chosen for ${role}: ${wanted}.`);
      return 0;
    }),
};

async function chosen(services: Services, organisationId: string, wanted: string): Promise<string | null> {
  if (wanted === "default") return null;
  if (wanted === BUILT_IN) return BUILT_IN;
  return (await services.modelServers.byName(organisationId, wanted)).server_id;
}

export const modelsTest: Command = {
  name: "models test",
  summary: "Test the model servers and report what works and how fast. No patient data is sent.",
  options: { server: { type: "string", value: "NAME", help: "This one alone." }, ...ORG_OPTION, ...JSON_OPTION },
  run: (args) =>
    withServices(args, async ({ services }) => {
      const organisationId = await organisationOf(args, services);
      await services.modelServers.refresh();
      const name = args.text("server");
      const servers =
        name === undefined
          ? await services.modelServers.list(organisationId)
          : [await services.modelServers.byName(organisationId, name)];
      if (servers.length === 0) {
        print('There is no model server: what is built in serves every call. "ringward servers add" adds one.');
        return 0;
      }
      const trials: { server: ModelServerView; trial: ServerTrial }[] = [];
      for (const server of servers) {
        const trial = await tried(services, organisationId, server);
        trials.push({ server, trial });
        if (!args.flag("json")) tell(server, trial);
      }
      if (args.flag("json")) {
        printJson(trials.map(({ server, trial }) => ({ name: server.name, role: server.role, ...trial })));
      }
      return trials.every(({ trial }) => trial.isUsable) ? 0 : 1;
    }),
};

async function tried(services: Services, organisationId: string, server: ModelServerView): Promise<ServerTrial> {
  try {
    const target = await services.modelServers.forTrial(organisationId, server.server_id, CLI_ACTOR);
    return await tryServer({ clock: systemClock, ...target });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { isUsable: false, findings: [{ verdict: "fails", words: error.message }] };
  }
}

const VERDICTS: Readonly<Record<Finding["verdict"], string>> = { works: "ok", missing: "-", fails: "FAIL" };

function tell({ name, role }: ModelServerView, { findings }: ServerTrial): void {
  print(`${name} (${role})`);
  for (const { verdict, words } of findings) print(`  ${VERDICTS[verdict].padEnd(5)} ${words}`);
}

async function changeOf(args: Arguments): Promise<ServerChange> {
  const change: Record<string, unknown> = {};
  const set = (option: string, field: string, valueOf: (text: string) => unknown) => {
    const text = args.text(option);
    if (text !== undefined) change[field] = valueOf(text);
  };
  set("url", "base_url", (text) => text);
  set("model", "model", (text) => text);
  set("voice", "voice", (text) => (text === "none" ? "" : text));
  set("languages", "languages", (text) => (text === "all" ? [] : text.split(",").map((part) => part.trim())));
  set("ca-file", "ca_pem", (text) => (text === "none" ? null : fileText(text)));
  set("first-ms", "first_ms", (text) => numberOf("--first-ms", text));
  set("total-ms", "total_ms", (text) => numberOf("--total-ms", text));
  set("default", "is_default", (text) => yesOrNo("--default", text));
  const keyFile = args.text("key-file");
  if (keyFile !== undefined) change["key"] = await keyFrom(keyFile);
  return change;
}

/** Keys are never passed as arguments, because every process on the machine can read those. */
async function keyFrom(file: string): Promise<string | null> {
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

function numberOf(name: string, text: string): number {
  if (!/^[0-9]{1,6}$/.test(text)) throw new UsageError(`${name} must be a whole number.`);
  return Number(text);
}

function yesOrNo(name: string, text: string): boolean {
  if (text !== "yes" && text !== "no") throw new UsageError(`${name} must be yes or no.`);
  return text === "yes";
}

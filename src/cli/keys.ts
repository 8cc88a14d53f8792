// ringward keys create | list | revoke
import { CLI_ACTOR } from "../core/actor.ts";
import { ALL_SCOPES } from "../payloads/scopes.ts";
import { parseIsoTime } from "../core/iso-time.ts";
import type { Command } from "./command.ts";
import { JSON_OPTION, ORG_OPTION, organisationOf, withServices } from "./context.ts";
import { print, printJson, printTable } from "./output.ts";

export const keysCreate: Command = {
  name: "keys create",
  summary: "Make an API key. It is shown once, now.",
  options: {
    name: { type: "string", value: "NAME", help: "What the key is for.", required: true },
    scopes: {
      type: "string",
      value: "LIST",
      help: `Comma-separated, or "all". Scopes: ${ALL_SCOPES.join(", ")}.`,
      required: true,
    },
    expires: {
      type: "string",
      value: "TIME",
      help: "ISO 8601 with offset, e.g. 2027-01-31T00:00:00Z. Without it, never.",
    },
    ...ORG_OPTION,
    ...JSON_OPTION,
  },
  run: (args) =>
    withServices(args, async ({ services }) => {
      const organisationId = await organisationOf(args, services);
      const scopes =
        args.text("scopes") === "all"
          ? ALL_SCOPES
          : (args.text("scopes") ?? "").split(",").map((scope) => scope.trim());
      const created = await services.keys.create(
        organisationId,
        { name: args.text("name") ?? "", scopes, expiresAt: expiryOf(args.text("expires")) },
        CLI_ACTOR,
      );
      if (args.flag("json")) printJson(created);
      else print(`${created.key}\n\nKeep it now: it cannot be shown again. Id: ${created.key_id}`);
      return 0;
    }),
};

export const keysList: Command = {
  name: "keys list",
  summary: "List the API keys of an organisation.",
  options: { ...ORG_OPTION, ...JSON_OPTION },
  run: (args) =>
    withServices(args, async ({ services }) => {
      const keys = await services.keys.list(await organisationOf(args, services));
      if (args.flag("json")) printJson(keys);
      else {
        printTable(
          ["id", "name", "status", "last used", "expires", "scopes"],
          keys.map((key) => [
            key.key_id,
            key.name,
            key.status,
            key.last_used_at ?? "never",
            key.expires_at ?? "never",
            key.scopes.join(","),
          ]),
        );
      }
      return 0;
    }),
};

export const keysRevoke: Command = {
  name: "keys revoke",
  summary: "Revoke an API key at once and for good.",
  positionals: ["KEY_ID"],
  options: ORG_OPTION,
  run: (args) =>
    withServices(args, async ({ services }) => {
      const [id = ""] = args.positionals;
      await services.keys.revoke(await organisationOf(args, services), id, CLI_ACTOR);
      print(`Revoked ${id}.`);
      return 0;
    }),
};

function expiryOf(text: string | undefined): number | null {
  return text === undefined ? null : parseIsoTime("--expires", text);
}

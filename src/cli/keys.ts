// ringward keys create | list | revoke
import { readFileSync } from "node:fs";
import { CLI_ACTOR } from "../core/actor.ts";
import { ALL_SCOPES } from "../payloads/scopes.ts";
import { AppError, messageOf } from "../core/errors.ts";
import { parseIsoTime } from "../core/iso-time.ts";
import { UsageError, type Command } from "./command.ts";
import { jsonValue } from "./option-values.ts";
import { JSON_OPTION, ORG_OPTION, organisationOf, withServices } from "./context.ts";
import { print, printJson, printTable } from "./output.ts";

export const keysCreate: Command = {
  name: "keys create",
  summary: "Create an API key. It is shown only once.",
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
      help: "ISO 8601 with offset, e.g. 2027-01-31T00:00:00Z. Default: never.",
    },
    "jwks-file": {
      type: "string",
      value: "FILE",
      help: "Registers a SMART backend service for FHIR with the public keys in this file (JSON Web Key Set).",
    },
    ...ORG_OPTION,
    ...JSON_OPTION,
  },
  run: (args) =>
    withServices(args, async ({ services }) => {
      const organisationId = await organisationOf(args, services);
      const jwksFile = args.text("jwks-file");
      const client = jwksFile === undefined ? {} : { jwks: jwksIn(jwksFile) };
      const scopes =
        args.text("scopes") === "all"
          ? ALL_SCOPES
          : (args.text("scopes") ?? "").split(",").map((scope) => scope.trim());
      const created = await services.keys.create(
        organisationId,
        { name: args.text("name") ?? "", scopes, expiresAt: expiryOf(args.text("expires")), ...client },
        CLI_ACTOR,
      );
      const { key: _never, ...view } = created;
      if (args.flag("json")) printJson(created.jwks ? view : created);
      else if (created.jwks) print(`The client_id is ${created.key_id}. Its token endpoint is /fhir/token.`);
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
  summary: "Revoke an API key immediately and permanently.",
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

function jwksIn(file: string): unknown {
  try {
    return jsonValue("jwks-file", readFileSync(file, "utf8"));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new AppError("VALIDATION_ERROR", `${file} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}

function expiryOf(text: string | undefined): number | null {
  return text === undefined ? null : parseIsoTime("--expires", text);
}

// ringward health: asks the running server, for a container's health check.
import type { Command } from "./command.ts";
import { configOf } from "./context.ts";
import { print, printError } from "./output.ts";
import { besideServer } from "./running-server.ts";

const TIMEOUT_MS = 3_000;

export const health: Command = {
  name: "health",
  summary: "Ask the running server whether it is alive (exit code 0) or not (1).",
  options: { ready: { type: "boolean", help: "Ask whether it can do its work (/readyz) instead." } },
  async run(args) {
    const { server } = besideServer(configOf(args));
    const scheme = server.tls_cert_file ? "https" : "http";
    const host = server.host === "0.0.0.0" || server.host === "::" ? "127.0.0.1" : server.host;
    const url = `${scheme}://${host.includes(":") ? `[${host}]` : host}:${server.port}${args.flag("ready") ? "/readyz" : "/healthz"}`;
    try {
      // The certificate names the public host, not this address; only our own process can answer here.
      const response = await fetch(url, {
        signal: AbortSignal.timeout(TIMEOUT_MS),
        tls: { rejectUnauthorized: false },
      });
      print(await response.text());
      return response.ok ? 0 : 1;
    } catch {
      printError(`Nobody answers at ${url}.`);
      return 1;
    }
  },
};

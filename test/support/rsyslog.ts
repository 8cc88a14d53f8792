// rsyslog, a collector of another author: listens with TCP or TLS and writes each message as a line of JSON.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rsyslogProgram } from "../../scripts/debian-packages.ts";
import { reservedPort } from "./free-ports.ts";
import type { Certificate } from "./private-ca.ts";
import { tempFolder } from "./temp.ts";
import { until } from "./until.ts";

export interface Rsyslog {
  readonly port: number;
  /** What it understood of each message. */
  got(): RsyslogMessage[];
  stop(): Promise<void>;
}

export interface RsyslogMessage {
  pri: string;
  timestamp: string;
  hostname: string;
  app: string;
  procid: string;
  msgid: string;
  sd: string;
  msg: string;
}

/** `clientCa`: it wants a certificate of its clients. */
export async function startRsyslog(
  options: { certificate?: Certificate; caPem?: string; asksClients?: boolean; port?: number } = {},
): Promise<Rsyslog> {
  const { certificate, caPem = "", asksClients = false, port = reservedPort() } = options;
  const folder = tempFolder();
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const out = file("out.jsonl", "");
  const fields = { pri: "pri", timestamp: "timereported", hostname: "hostname", app: "app-name", procid: "procid" };
  const each = Object.entries({ ...fields, msgid: "msgid", sd: "structured-data", msg: "msg" });
  const template = each.map(([name, property]) => property_(name, property)).join(' constant(value=",") ');
  const tls = certificate
    ? [
        `global(defaultNetstreamDriver="gtls" defaultNetstreamDriverCAFile="${file("ca.pem", caPem)}"`,
        `  defaultNetstreamDriverCertFile="${file("cert.pem", certificate.certPem)}"`,
        `  defaultNetstreamDriverKeyFile="${file("key.pem", certificate.keyPem)}")`,
      ]
    : [];
  const mode = certificate
    ? ` StreamDriver.Name="gtls" StreamDriver.Mode="1" StreamDriver.AuthMode="${asksClients ? "x509/certvalid" : "anon"}"`
    : "";
  const configuration = [
    `global(workDirectory="${folder}" maxMessageSize="64k")`,
    ...tls,
    `module(load="imtcp"${mode})`,
    `template(name="line" type="list") { constant(value="{") ${template} constant(value="}\\n") }`,
    `input(type="imtcp" address="127.0.0.1" port="${port}" ruleset="all")`,
    `ruleset(name="all") { action(type="omfile" file="${out}" template="line" fileCreateMode="0600") }`,
  ];
  const conf = file("rsyslog.conf", `${configuration.join("\n")}\n`);
  const child = Bun.spawn([rsyslogProgram() ?? "rsyslogd", "-n", "-f", conf, "-i", join(folder, "pid")], {
    stdout: "ignore",
    stderr: "pipe",
  });
  await until(async () => child.exitCode !== null || (await isListening(port)), { withinMs: 30_000 });
  if (child.exitCode !== null) throw new Error(`rsyslogd ended: ${await new Response(child.stderr).text()}`);
  return {
    port,
    got: () =>
      readFileSync(out, "utf8")
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line) as RsyslogMessage),
    async stop() {
      child.kill();
      await child.exited;
    },
  };
}

const property_ = (name: string, property: string): string =>
  `property(name="${property}" outname="${name}" format="jsonf"${property === "timereported" ? ' dateFormat="rfc3339"' : ""})`;

async function isListening(port: number): Promise<boolean> {
  try {
    (await Bun.connect({ hostname: "127.0.0.1", port, socket: { data() {} } })).end();
    return true;
  } catch {
    return false;
  }
}

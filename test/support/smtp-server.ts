// aiosmtpd, a real SMTP server of another author, with STARTTLS or TLS and sign-in.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createPrivateCa, type PrivateCa } from "./private-ca.ts";
import { tempFolder } from "./temp.ts";
import { until } from "./until.ts";

export interface TakenMail {
  from: string;
  to: string[];
  /** As it went over the wire. */
  data: string;
  isTls: boolean;
  user: string | null;
  host: string;
}

export interface SmtpServer {
  readonly port: number;
  /** The file of its authority. */
  readonly caFile: string;
  /** All that it took, once there are this many. */
  taken(count: number): Promise<TakenMail[]>;
  stop(): Promise<void>;
}

export interface SmtpServerOptions {
  security?: "starttls" | "tls" | "plain";
  /** Of the only account; without one, nobody signs in. */
  password?: string;
  /** Names in its certificate. */
  names?: readonly string[];
}

/** Debian's own interpreter has the package. */
const PYTHON = "/usr/bin/python3";
const SCRIPT = join(import.meta.dir, "smtp-server.py");

let authority: PrivateCa | undefined;

export async function startSmtpServer(options: SmtpServerOptions = {}): Promise<SmtpServer> {
  const { security = "starttls", password = "", names = ["localhost"] } = options;
  authority ??= createPrivateCa();
  const folder = tempFolder();
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const { certPem, keyPem } = authority.issue(names);
  const files = security === "plain" ? ["", ""] : [file("cert.pem", certPem), file("key.pem", keyPem)];
  const server = Bun.spawn([PYTHON, SCRIPT, security, ...files, password], { stdout: "pipe", stderr: "ignore" });
  let printed = "";
  const read = (async () => {
    const decoder = new TextDecoder();
    for await (const part of server.stdout) printed += decoder.decode(part, { stream: true });
  })();
  await until(() => printed.includes("\n"), { withinMs: 20_000 });
  const lines = () => printed.split("\n").slice(0, -1);
  return {
    port: Number(lines()[0]),
    caFile: file("ca.pem", authority.caPem),
    async taken(count) {
      // It prints a message before it confirms it, yet the pipe may be read later.
      await until(() => lines().length > count, { withinMs: 20_000 });
      return lines()
        .slice(1)
        .map((line) => JSON.parse(line) as TakenMail);
    },
    async stop() {
      server.kill();
      await server.exited;
      await read;
    },
  };
}

/** The decoded text of a message that has one part. */
export function textOf({ data }: TakenMail): string {
  const [head = "", ...body] = data.split("\r\n\r\n");
  const text = body.join("\r\n\r\n");
  if (/^Content-Transfer-Encoding: base64$/im.test(head)) return Buffer.from(text, "base64").toString("utf8");
  if (!/^Content-Transfer-Encoding: quoted-printable$/im.test(head)) return text;
  const bytes = text
    .replaceAll("=\r\n", "")
    .replaceAll(/%/g, "%25")
    .replaceAll(/=([0-9A-F]{2})/g, "%$1");
  return decodeURIComponent(bytes);
}

/** Settings for `loadConfig` that use this server. */
export const mailSettings = ({ port, caFile }: Pick<SmtpServer, "port" | "caFile">): Record<string, string> => ({
  RINGWARD_BASE_URL: "https://calls.hospital.example",
  RINGWARD_MAIL__HOST: "localhost",
  RINGWARD_MAIL__PORT: String(port),
  RINGWARD_MAIL__FROM: "ringward@hospital.example",
  RINGWARD_MAIL__CA_FILE: caFile,
});

// Mail servers that answer garbage, reject or break off at each step: a fault in time, and never a second recipient.
import { afterEach, describe, expect, test } from "bun:test";
import type { TCPSocketListener } from "bun";
import { loadConfig } from "../../src/config/load.ts";
import { systemClock } from "../../src/core/clock.ts";
import { MailFault } from "../../src/mail/mail-fault.ts";
import { createSmtp, type Mail } from "../../src/mail/smtp.ts";
import { mailSettings } from "../support/smtp-server.ts";

const MAIL: Mail = { to: "it@hospital.example", subject: "Trunk down", text: "The trunk main is down.\n" };

let listener: TCPSocketListener<{ rest: string; isData: boolean }> | null = null;
afterEach(() => {
  listener?.stop(true);
  listener = null;
});

/** `end` after an answer closes the connection. */
interface Script {
  greeting?: string;
  /** By the first word of a command; `.` is the end of the message. */
  answers?: Record<string, string>;
  end?: string;
}

const POLITE: Record<string, string> = {
  EHLO: "250 mail.hospital.example\r\n",
  MAIL: "250 ok\r\n",
  RCPT: "250 ok\r\n",
  DATA: "354 go on\r\n",
  ".": "250 taken\r\n",
  QUIT: "221 bye\r\n",
};

/** What the client said. */
function startScripted({ greeting = "220 mail.hospital.example ESMTP\r\n", answers = {}, end }: Script) {
  const said: string[] = [];
  listener = Bun.listen<{ rest: string; isData: boolean }>({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      open(socket) {
        socket.data = { rest: "", isData: false };
        socket.write(greeting);
        if (end === "greeting") socket.end();
      },
      data(socket, bytes) {
        const lines = (socket.data.rest + bytes.toString("latin1")).split("\r\n");
        socket.data.rest = lines.pop() ?? "";
        for (const line of lines) {
          if (socket.data.isData && line !== ".") continue;
          const word = line === "." ? "." : (line.split(" ")[0] ?? "").toUpperCase();
          said.push(line);
          socket.data.isData = word === "DATA";
          socket.write(answers[word] ?? POLITE[word] ?? "500 what\r\n");
          if (end === word) socket.end();
        }
      },
      error() {},
    },
  });
  const settings = { ...mailSettings({ port: listener.port, caFile: "" }), RINGWARD_MAIL__SECURITY: "plain" };
  return { said, smtp: createSmtp(loadConfig({ environment: settings }), systemClock) };
}

const faultOf = (sent: Promise<void>): Promise<unknown> =>
  sent.then(
    () => "sent",
    (error: unknown) => error,
  );

test("a polite server takes the message", async () => {
  const { said, smtp } = startScripted({});
  await smtp.send(MAIL, "mail_1");
  expect(said.filter((line) => line.startsWith("RCPT"))).toEqual(["RCPT TO:<it@hospital.example>"]);
});

describe("a server that", () => {
  test.each<[string, Script, boolean]>([
    ["speaks another protocol", { greeting: "HTTP/1.1 400 Bad Request\r\n\r\n" }, false],
    ["greets with bytes", { greeting: "\u0000\u00ff\u0001\u0002\r\n" }, false],
    ["is busy", { greeting: "421 too many connections\r\n", end: "greeting" }, false],
    ["greets and goes", { end: "greeting" }, false],
    ["never ends its line", { greeting: `220-${"x".repeat(200_000)}` }, false],
    ["never ends its greeting", { greeting: "220-still here\r\n".repeat(20_000) }, false],
    ["answers EHLO with garbage", { answers: { EHLO: "!!\r\n", HELO: "!!\r\n" } }, false],
    ["goes after EHLO", { end: "EHLO" }, false],
    ["answers MAIL with garbage", { answers: { MAIL: "\u0007\u0007\r\n" } }, false],
    ["refuses the recipient for now", { answers: { RCPT: "451 later\r\n" } }, false],
    ["refuses the recipient for good", { answers: { RCPT: "550 no such user\r\n" } }, true],
    ["refuses the message for now", { answers: { ".": "452 no room\r\n" } }, false],
    ["refuses the message for good", { answers: { ".": "554 spam\r\n" } }, true],
    ["goes in the middle of the message", { end: "DATA" }, false],
    ["answers the message with garbage", { answers: { ".": "perhaps\r\n" } }, false],
  ])(
    "%s: a fault without its words",
    async (_, script, isFinal) => {
      const { said, smtp } = startScripted(script);
      const fault = await faultOf(smtp.send(MAIL, "mail_1"));
      expect(fault).toBeInstanceOf(MailFault);
      expect((fault as MailFault).isFinal).toBe(isFinal);
      expect((fault as MailFault).message).toMatch(/^(The mail server|No TLS)/);
      expect((fault as MailFault).message).not.toMatch(/[\p{Cc}]|hospital|spam|perhaps|x{10}/u);
      expect(said.filter((line) => line.startsWith("RCPT")).length).toBeLessThanOrEqual(1);
      smtp.stop();
    },
    60_000,
  );
});

// Sending over SMTP, against a real server and against servers that misbehave.
import { afterEach, describe, expect, test } from "bun:test";
import type { Socket, TCPSocketListener } from "bun";
import { loadConfig } from "../../src/config/load.ts";
import { systemClock } from "../../src/core/clock.ts";
import { createSmtp, type Mail } from "../../src/mail/smtp.ts";
import { MailFault } from "../../src/mail/mail-fault.ts";
import { createManualClock } from "../support/manual-clock.ts";
import {
  mailSettings,
  startSmtpServer,
  textOf,
  type SmtpServer,
  type SmtpServerOptions,
} from "../support/smtp-server.ts";
import { until } from "../support/until.ts";

const MAIL: Mail = { to: "it@hospital.example", subject: "Trunk down", text: "The trunk main is down.\nनमस्ते\n" };

const open: { stop(): unknown }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.stop();
});

async function server(options: SmtpServerOptions = {}): Promise<SmtpServer> {
  const started = await startSmtpServer(options);
  open.push(started);
  return started;
}

const smtpTo = (at: Pick<SmtpServer, "port" | "caFile">, more: Record<string, string> = {}) =>
  createSmtp(loadConfig({ environment: { ...mailSettings(at), ...more } }), systemClock);

const faultOf = (sent: Promise<void>): Promise<MailFault> =>
  sent.then(
    () => {
      throw new Error("It was sent.");
    },
    (error: unknown) => {
      if (error instanceof MailFault) return error;
      throw error;
    },
  );

const ACCOUNT = { RINGWARD_MAIL__USERNAME: "ringward", RINGWARD_MAIL__PASSWORD: "mail password" };

describe("a message", () => {
  test("is sent over STARTTLS with sign-in, as text and without attachment", async () => {
    const at = await server({ password: "mail password" });
    await smtpTo(at, ACCOUNT).send(MAIL, "mail_1");
    const [taken] = await at.taken(1);
    expect(taken).toMatchObject({
      from: "ringward@hospital.example",
      to: ["it@hospital.example"],
      isTls: true,
      user: "ringward",
      host: "calls.hospital.example",
    });
    expect(textOf(taken!).replaceAll("\r\n", "\n")).toBe(MAIL.text);
    expect(taken!.data).toContain("Message-ID: <mail_1@hospital.example>\r\n");
    expect(taken!.data).toContain("Auto-Submitted: auto-generated\r\n");
    expect(taken!.data).not.toMatch(/multipart|attachment|X-Mailer|nodemailer/i);
  });

  test("is sent over TLS from the first byte", async () => {
    const at = await server({ security: "tls" });
    await smtpTo(at, { RINGWARD_MAIL__SECURITY: "tls" }).send(MAIL, "mail_1");
    expect(await at.taken(1)).toMatchObject([{ isTls: true }]);
  });

  test("is sent in clear to this machine alone", async () => {
    const at = await server({ security: "plain" });
    await smtpTo(at, { RINGWARD_MAIL__SECURITY: "plain" }).send(MAIL, "mail_1");
    expect(await at.taken(1)).toMatchObject([{ isTls: false }]);
    const elsewhere = { ...mailSettings(at), RINGWARD_MAIL__SECURITY: "plain", RINGWARD_MAIL__HOST: "mail.example" };
    expect(() => loadConfig({ environment: elsewhere })).toThrow("mail.security: plain is accepted only for a server");
  });

  test("gets no further header or recipient by its subject or address", async () => {
    const at = await server();
    const smtp = smtpTo(at);
    await smtp.send({ ...MAIL, subject: "Hello\r\nBcc: other@hospital.example\r\n\r\nbody" }, "mail_1");
    await smtp.send({ ...MAIL, to: "it@hospital.example, other@hospital.example" }, "mail_2").catch(() => {});
    await smtp
      .send({ ...MAIL, to: "it@hospital.example>\r\nRCPT TO:<other@hospital.example" }, "mail_3")
      .catch(() => {});
    const taken = await at.taken(1);
    const heads = taken.map(({ data }) => data.split("\r\n\r\n")[0] ?? "");
    expect(heads[0]).not.toMatch(/^Bcc:/im);
    expect(heads[0]).toContain("Subject: Hello Bcc: other@hospital.example body");
    expect(taken.map(({ to }) => to)).toEqual([["it@hospital.example"]]);
  });
});

describe("no message is sent", () => {
  test("to a server with the wrong certificate", async () => {
    const at = await server({ names: ["mail.other.example"] });
    expect(await faultOf(smtpTo(at).send(MAIL, "mail_1"))).toMatchObject({ reason: "tls", isFinal: false });
    const overTls = await server({ security: "tls", names: ["mail.other.example"] });
    const strict = smtpTo(overTls, { RINGWARD_MAIL__SECURITY: "tls" });
    expect(await faultOf(strict.send(MAIL, "mail_1"))).toMatchObject({ reason: "tls" });
    expect([...(await at.taken(0)), ...(await overTls.taken(0))]).toEqual([]);
  });

  test("to a server of an unknown authority", async () => {
    const at = await server();
    expect(await faultOf(smtpTo({ ...at, caFile: "" }).send(MAIL, "mail_1"))).toMatchObject({ reason: "tls" });
  });

  test("to a server that offers no STARTTLS", async () => {
    const at = await server({ security: "plain" });
    expect(await faultOf(smtpTo(at).send(MAIL, "mail_1"))).toMatchObject({ reason: "tls", isFinal: false });
    expect(await at.taken(0)).toEqual([]);
  });

  test("with a wrong password, which is no fault of the message", async () => {
    const at = await server({ password: "another" });
    const fault = await faultOf(smtpTo(at, ACCOUNT).send(MAIL, "mail_1"));
    expect(fault).toMatchObject({ reason: "sign_in", status: 535, isFinal: false });
    expect(await faultOf(smtpTo(at).send(MAIL, "mail_2"))).toMatchObject({ status: 530, isFinal: false });
  });

  test.each([
    [452, false],
    [550, true],
  ])("to an address that is refused with %d", async (status, isFinal) => {
    const at = await server();
    const fault = await faultOf(smtpTo(at).send({ ...MAIL, to: `${status}@hospital.example` }, "mail_1"));
    expect(fault).toMatchObject({ reason: "refused", status, isFinal });
    // The server's own words name the address.
    expect(fault.message).not.toContain("hospital.example");
  });

  test("where no server listens", async () => {
    const gone = await startSmtpServer();
    await gone.stop();
    expect(await faultOf(smtpTo(gone).send(MAIL, "mail_1"))).toMatchObject({ reason: "connection", isFinal: false });
  });
});

describe("a server that hangs", () => {
  /** Accepts connections and says nothing, or a byte for each that it is told to say. */
  function silent() {
    const sockets: Socket<unknown>[] = [];
    const listener: TCPSocketListener = Bun.listen({
      hostname: "127.0.0.1",
      port: 0,
      socket: { open: (socket) => void sockets.push(socket), data() {} },
    });
    open.push({ stop: () => listener.stop(true) });
    return { port: listener.port, caFile: "", sockets };
  }

  test("is left after a minute, however often it says something", async () => {
    const at = silent();
    const clock = createManualClock();
    const smtp = createSmtp(loadConfig({ environment: mailSettings(at) }), clock);
    const fault = faultOf(smtp.send(MAIL, "mail_1"));
    await until(() => at.sockets.length === 1);
    at.sockets[0]?.write("220-still here\r\n");
    await clock.advance(60_000);
    expect(await fault).toMatchObject({ reason: "timeout", isFinal: false });
  });

  test("does not delay a stop", async () => {
    const at = silent();
    const smtp = smtpTo(at);
    const fault = faultOf(smtp.send(MAIL, "mail_1"));
    await until(() => at.sockets.length === 1);
    smtp.stop();
    expect(await fault).toBeInstanceOf(MailFault);
  });
});

// The queue of e-mails: stored with their cause, retried, bounded, and never sent twice without need.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { loadConfig } from "../../src/config/load.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../src/core/clock.ts";
import { createIds } from "../../src/core/ids.ts";
import { createLogger } from "../../src/core/logger.ts";
import { createMetrics } from "../../src/core/metrics.ts";
import { createSecretBox } from "../../src/core/secret-box.ts";
import type { Database } from "../../src/db/database.ts";
import { MailFault } from "../../src/mail/mail-fault.ts";
import { createMailLoop, createMailQueue, type NewMail } from "../../src/mail/mail-queue.ts";
import type { Mail, Smtp } from "../../src/mail/smtp.ts";
import { createManualClock, type ManualClock } from "../support/manual-clock.ts";
import { mailSettings } from "../support/smtp-server.ts";
import { newDataFolder, openTestDatabase } from "../support/temp.ts";

const TO = "it@hospital.example";
const mail = (subject: string, more: Partial<NewMail> = {}): NewMail => ({
  kind: "alarm",
  to: TO,
  subject,
  text: "Secret words.",
  ...more,
});

let db: Database;
let clock: ManualClock;
let lines: string[];
/** What the next attempts answer; then all are taken. */
let answers: Error[];
let sent: { mail: Mail; id: string }[];
beforeEach(async () => {
  clock = createManualClock();
  db = await openTestDatabase(await newDataFolder());
  [lines, answers, sent] = [[], [], []];
});
afterEach(() => db.close());

const smtp: Smtp = {
  async send(one, id) {
    sent.push({ mail: one, id });
    const fault = answers.shift();
    if (fault) throw fault;
  },
  stop() {},
};

function world(options: { smtp?: Smtp | null; key?: number } = {}) {
  const logger = createLogger(clock, "debug", (line) => void lines.push(line));
  const secrets = createSecretBox(new Uint8Array(32).fill(options.key ?? 7));
  const config = loadConfig({ environment: mailSettings({ port: 25, caFile: "" }) });
  const ground = { config, db, clock, logger, secrets, wake: () => {} };
  const queue = createMailQueue({ ...ground, ids: createIds(clock) });
  const metrics = createMetrics();
  const loop = createMailLoop({ ...ground, metrics, smtp: options.smtp === undefined ? smtp : options.smtp });
  return {
    metrics,
    loop,
    add: (one: NewMail) => db.write((tx) => queue.add(tx, one)),
    async run(): Promise<void> {
      await loop.runDue();
      await clock.advance(0);
    },
  };
}

const subjects = () => sent.map(({ mail: { subject } }) => subject);
const rows = () => db.reader.selectFrom("mails").selectAll().execute();
const unreachable = () => new MailFault("connection", null, false);

describe("an e-mail", () => {
  test("is sent once and then deleted", async () => {
    const { add, run } = world();
    await add(mail("first"));
    await add(mail("second"));
    await run();
    await run();
    expect(subjects()).toEqual(["first", "second"]);
    expect(await rows()).toEqual([]);
  });

  test("is stored sealed, with neither address nor text", async () => {
    const { add } = world();
    await add(mail("Subject"));
    const stored = JSON.stringify(await rows());
    for (const word of [TO, "Secret", "Subject"]) expect(stored).not.toContain(word);
  });

  test("is retried after longer pauses, by the same id", async () => {
    const { add, run } = world();
    await add(mail("one"));
    answers = Array.from({ length: 5 }, unreachable);
    const at: number[] = [];
    const startedAt = clock.now();
    for (let minute = 0; minute <= 150; minute += 1) {
      const before = sent.length;
      await run();
      if (sent.length > before) at.push((clock.now() - startedAt) / MINUTE_MS);
      await clock.advance(MINUTE_MS);
    }
    expect(at).toEqual([0, 1, 6, 21, 81, 141]);
    expect(new Set(sent.map(({ id }) => id)).size).toBe(1);
    expect(await rows()).toEqual([]);
  });

  test("survives a restart", async () => {
    const first = world();
    await first.add(mail("one"));
    answers = [unreachable()];
    await first.run();
    await first.loop.stop();
    await clock.advance(MINUTE_MS);
    await world().run();
    expect(subjects()).toEqual(["one", "one"]);
    expect(await rows()).toEqual([]);
  });

  test("is given up if the server refuses it, and delays no other", async () => {
    const { add, run, metrics } = world();
    await add(mail("refused"));
    await add(mail("taken"));
    answers = [new MailFault("refused", 550, true)];
    await run();
    expect(subjects()).toEqual(["refused", "taken"]);
    expect(await rows()).toEqual([]);
    expect(metrics.render()).toContain('ringward_mails_lost_total{kind="alarm"} 1');
    expect(lines.join("\n")).not.toContain(TO);
  });

  test("is not sent after its time", async () => {
    const { add, run } = world();
    await add(mail("reset", { kind: "reset", lifeMs: 30 * MINUTE_MS }));
    await clock.advance(31 * MINUTE_MS);
    await run();
    expect(sent).toEqual([]);
    expect(await rows()).toEqual([]);
  });

  test("is dropped if the secret key changed", async () => {
    await world().add(mail("one"));
    await world({ key: 8 }).run();
    expect(sent).toEqual([]);
    expect(await rows()).toEqual([]);
  });

  test("is not sent again because the database could not be written", async () => {
    const { add, run } = world();
    await add(mail("one"));
    const write = db.write.bind(db);
    db.write = async () => {
      throw new Error("disk full");
    };
    await run();
    await clock.advance(30 * SECOND_MS);
    await run();
    db.write = write;
    await run();
    expect(subjects()).toEqual(["one"]);
    expect(await rows()).toEqual([]);
  });
});

test("a queue that is full drops further e-mails and says so", async () => {
  const { add } = world();
  const row = {
    kind: "alarm",
    sealed: "v1.x",
    attempts: 0,
    next_at: 0,
    expires_at: clock.now() + DAY_MS,
    created_at: 0,
  } as const;
  const many = Array.from({ length: 500 }, (_, i) => ({ ...row, id: `mail_${i}` }));
  await db.write((tx) => tx.insertInto("mails").values(many).execute());
  expect(await add(mail("one too many"))).toBe(false);
  expect(lines.at(-1)).toContain("too many wait");
});

test("the oldest waiting e-mail is measured", async () => {
  const { add, run, metrics } = world();
  await add(mail("one"));
  answers = [unreachable(), unreachable(), unreachable(), unreachable(), unreachable()];
  await run();
  await clock.advance(HOUR_MS);
  expect(metrics.render()).toContain("ringward_mail_oldest_waiting_seconds 3600");
});

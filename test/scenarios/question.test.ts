// The question before a call, over a real HTTPS receiver: go, wait, drop, and everything that is no answer.
import { expect, test } from "bun:test";
import { Webhook } from "standardwebhooks";
import { leaveNothingBehind, runBinary } from "../support/binary.ts";
import { finished, numberEnding, place, readCall, startQuick } from "../support/calls.ts";
import { closeReceivers, startReceiver, type Received } from "../support/receiver.ts";
import { until } from "../support/until.ts";

leaveNothingBehind();
closeReceivers();

const HOUR_MS = 3_600_000;
const numberIn = ({ json }: Received) => String(json.data["user_number"]);

test("a call goes out, waits or ends as the hospital's own system says", async () => {
  const his = startReceiver();
  /** Never answered while the test runs. */
  const tooLate = Promise.withResolvers<Response>();
  const answers = new Map<string, () => Response | Promise<Response>>();
  his.answer = (received) => answers.get(numberIn(received))?.() ?? Response.json({ answer: "go" });
  const server = await startQuick(his.env);
  const run = (...args: string[]) => runBinary(["question", ...args, "--data", server.dataDir], { env: his.env });
  const numberAnswered = (answer: () => Response | Promise<Response>) => {
    const number = numberEnding("1234");
    answers.set(number, answer);
    return number;
  };
  const placed = (answer: () => Response | Promise<Response>) => place(server, { user_number: numberAnswered(answer) });
  const reasonOf = async (id: string) => (await readCall(server, id)).hold_reason;
  const heldFor = (id: string, reason: string) =>
    until(async () => (await reasonOf(id)) === reason, { what: () => `${id} is not held for ${reason}` });
  try {
    expect((await run("set", "--url", "https://10.1.2.3/", "--fails", "open")).code).not.toBe(0);
    expect((await run("set", "--url", "http://127.0.0.1/", "--fails", "open")).code).not.toBe(0);
    const made = await run("set", "--url", his.url, "--fails", "closed", "--json");
    expect(made).toMatchObject({ code: 0, stderr: "" });
    const { secret } = JSON.parse(made.stdout) as { secret: string };

    const tried = await run("try");
    expect([tried.code, tried.stdout]).toEqual([0, expect.stringMatching(/^go after \d+ ms/)]);
    expect(his.received[0]?.json.data["test"]).toBe(true);

    const gone = await placed(() => Response.json({ answer: "go" }));
    await finished(server, gone);
    const asked = his.received.filter(({ json }) => json.data["call_id"] === gone);
    expect(asked).toHaveLength(1);
    const [{ body, headers }] = asked as [Received];
    expect(() => new Webhook(secret).verify(body.toString("utf8"), headers)).not.toThrow();
    expect(() => new Webhook(secret).verify(`${body.toString("utf8")} `, headers)).toThrow();

    const later = new Date(Date.now() + HOUR_MS).toISOString();
    const waiting = await placed(() => Response.json({ answer: "wait", until: later }));
    const dropped = await placed(() => Response.json({ answer: "drop", reason: "admitted" }));
    const unanswered = await Promise.all([
      placed(() => tooLate.promise),
      placed(() => new Response("<html>go</html>")),
      placed(() => Response.json({ answer: "go" }, { status: 500 })),
      placed(() => Response.redirect(`${his.url}/elsewhere`, 302)),
      placed(() => Response.json({ answer: "go", padding: "x".repeat(200_000) })),
    ]);
    await heldFor(waiting, "asked_to_wait");
    await finished(server, dropped);
    const end = await readCall(server, dropped);
    expect([end.status, JSON.stringify(end)]).toEqual(["disallowed", expect.stringContaining("admitted")]);
    for (const id of unanswered) await heldFor(id, "question_unanswered");

    expect((await run("set", "--url", his.url, "--fails", "open")).stdout).toContain("stays the same");
    const failedOpen = await placed(() => new Response(null, { status: 503 }));
    await finished(server, failedOpen);
    expect(his.received.filter(({ json }) => json.data["call_id"] === failedOpen)).toHaveLength(1);

    expect((await run("remove")).code).toBe(0);
    const before = his.received.length;
    await finished(server, await place(server, { user_number: numberEnding("1234") }));
    expect(his.received).toHaveLength(before);
  } finally {
    tooLate.resolve(Response.json({ answer: "go" }));
    await server.stop();
  }
}, 180_000);

// A trunk that goes away, comes back, or lost our registration: due calls wait, and the trunk registers again.
import { describe, expect, test } from "bun:test";
import { until } from "../../../support/until.ts";
import { fasterClock, startAgent, stopAgentsAfterEach, trunkAt } from "../call/agent-under-test.ts";
import { friendly, reply, udpPeer } from "../transport/scripted-peer.ts";

stopAgentsAfterEach();

/** Five seconds in a quarter of one. */
const SPEED = 20;
const account = { register: true, username: "ward", secret: "s3cret" };

/** For an hour: what is renewed within a test is not just due. */
const grantedLong = (answer: string | null) =>
  answer?.replace("Content-Length:", "Expires: 3600\r\nContent-Length:") ?? null;

async function exchange(settings: Parameters<typeof trunkAt>[1], answer: Parameters<typeof udpPeer>[0]) {
  const peer = await udpPeer((request, own, fromPort) => {
    const answered = answer(request, own, fromPort);
    return request.method === "REGISTER" ? grantedLong(answered) : answered;
  });
  const run = await startAgent([trunkAt(peer.port, settings)], { clock: fasterClock(SPEED) });
  const state = () => run.agent.trunkStates()[0]!;
  const count = (method: string) => peer.heard.filter((one) => one.method === method).length;
  return { peer, run, state, count };
}

describe("a trunk is down", () => {
  test("after one OPTIONS without an answer, and up again with the next answer", async () => {
    let isDead = false;
    const { state } = await exchange({ optionsEverySeconds: 25 }, (request) =>
      isDead ? null : friendly(request, "sip:peer@127.0.0.1"),
    );
    await until(() => state().state === "up");
    isDead = true;
    await until(() => state().state === "down");
    isDead = false;
    await until(() => state().state === "up");
    expect(state().lastError).toBeNull();
  });

  test("while one INVITE is unanswered, long before the call is given up; the next call is refused at once", async () => {
    const { run, state } = await exchange({}, () => null);
    run.invite();
    await until(() => state().state === "down");
    expect(run.endings.size).toBe(0);
    run.invite({ callId: "call_2" });
    expect(await run.ended("call_2")).toMatchObject({ by: "us", message: "The trunk is down." });
    // Nobody asks it whether it is back: after a while a call may.
    expect(await run.ended("call_1")).toMatchObject({ outcome: "infrastructure_error" });
    await until(() => state().state === "unknown");
  });

  test("no longer than a question takes, where it answers OPTIONS and only one call went astray", async () => {
    const { run, state } = await exchange({ optionsEverySeconds: 3_600 }, (request) =>
      request.method === "INVITE" ? null : friendly(request, "sip:peer@127.0.0.1"),
    );
    await until(() => state().state === "up");
    run.invite();
    await until(() => run.trunkStates.some((seen) => seen.state === "down"));
    await until(() => state().state === "up");
  });

  test("and does not rest afterwards, however many calls found it away: once it answers, they go out", async () => {
    let isDead = false;
    const { run, state } = await exchange({ optionsEverySeconds: 25 }, (request) =>
      isDead ? null : friendly(request, "sip:peer@127.0.0.1"),
    );
    await until(() => state().state === "up");
    isDead = true;
    const ids = Array.from({ length: 10 }, (_, at) => `call_${at}`);
    for (const callId of ids) run.invite({ callId });
    for (const callId of ids) expect(await run.ended(callId)).toMatchObject({ putBack: true });
    isDead = false;
    await until(() => state().state === "up");
    expect(state().restingUntilMs).toBeNull();
    expect(run.trunkStates.every(({ restingUntilMs }) => restingUntilMs === null)).toBe(true);
  });

  test("never for OPTIONS alone where it has never answered any", async () => {
    const { state, count } = await exchange({ optionsEverySeconds: 5, ...account }, (request) =>
      request.method === "OPTIONS" ? null : friendly(request, "sip:peer@127.0.0.1"),
    );
    await until(() => state().isRegistered === true);
    await until(() => count("OPTIONS") > 12);
    expect(state().state).toBe("up");
  });
});

describe("a registration that the trunk forgot is renewed", () => {
  test.each(["401 Unauthorized", "403 Forbidden", "404 Not Found"])(
    "as soon as OPTIONS shows it: %s",
    async (status) => {
      let hasForgotten = false;
      const { state, count } = await exchange({ optionsEverySeconds: 25, ...account }, (request) => {
        if (request.method === "REGISTER") hasForgotten = false;
        return hasForgotten ? reply(request, status) : friendly(request, "sip:peer@127.0.0.1");
      });
      await until(() => state().isRegistered === true && state().roundTripMs !== null);
      const before = count("REGISTER");
      hasForgotten = true;
      await until(() => count("REGISTER") > before);
      await until(() => state().state === "up" && state().isRegistered === true);
    },
  );

  test("as soon as a refused call shows it", async () => {
    const { run, state, count } = await exchange(account, (request) =>
      request.method === "INVITE" ? reply(request, "403 Forbidden") : friendly(request, "sip:peer@127.0.0.1"),
    );
    await until(() => state().isRegistered === true);
    const before = count("REGISTER");
    run.invite();
    expect(await run.ended()).toMatchObject({ outcome: "rejected" });
    await until(() => count("REGISTER") > before);
  });

  test("as soon as it says that it has no such call any more (481): it was restarted in between", async () => {
    const { run, state, count } = await exchange(account, (request, own) =>
      request.method === "BYE"
        ? reply(request, "481 Call/Transaction Does Not Exist")
        : friendly(request, `sip:peer@127.0.0.1:${own.port}`),
    );
    await until(() => state().isRegistered === true);
    const before = count("REGISTER");
    run.invite();
    await run.heard("call_1 answered");
    run.agent.hangUp("call_1");
    await until(() => count("REGISTER") > before);
  });

  test("when the trunk is back after it was away", async () => {
    let isDead = false;
    const { state, count } = await exchange({ optionsEverySeconds: 25, ...account }, (request) =>
      isDead ? null : friendly(request, "sip:peer@127.0.0.1"),
    );
    await until(() => state().state === "up" && state().isRegistered === true && state().roundTripMs !== null);
    isDead = true;
    await until(() => state().state === "down");
    const before = count("REGISTER");
    isDead = false;
    await until(() => count("REGISTER") > before);
  });

  test("once, where the trunk refuses every OPTIONS", async () => {
    const { count } = await exchange({ optionsEverySeconds: 1, ...account }, (request) =>
      reply(request, request.method === "OPTIONS" ? "404 Not Found" : "200 OK"),
    );
    await until(() => count("OPTIONS") > 10);
    expect(count("REGISTER")).toBeLessThanOrEqual(3);
  });
});

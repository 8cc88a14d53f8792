// Matrix rows shown with SIPp: its scenarios check each of our messages.
import { expect } from "bun:test";
import { freeSipPort } from "../../../support/free-ports.ts";
import { until } from "../../../support/until.ts";
import { expectAllOver } from "./row.ts";
import { isAnswerTo, startAgent, trunkAt, type AgentUnderTest } from "../call/agent-under-test.ts";
import { startSipp, type Sipp, type SippOptions } from "../sipp/sipp.ts";
import type { TrunkSettings } from "../../../../src/trunks/trunk-settings.ts";

type SippCall = AgentUnderTest & { sipp: Sipp };

/** We call it. */
export async function callTo(
  scenario: string,
  options: SippOptions = {},
  trunk: Partial<TrunkSettings> = {},
): Promise<SippCall> {
  const sipp = await startSipp(scenario, options);
  const run = await startAgent([trunkAt(sipp.port, { ...trunk, transport: options.transport ?? "udp" })]);
  run.invite();
  return { ...run, sipp };
}

/** We call it, it answers, and we hang up. */
export const weHangUp =
  (scenario: string, options: SippOptions = {}, trunk: Partial<TrunkSettings> = {}, codec?: string) =>
  async () => {
    const run = await callTo(scenario, options, trunk);
    await run.heard("call_1 answered");
    if (codec !== undefined) expect(run.negotiated).toMatchObject([{ codec }]);
    expectAllOver(options.transport ?? "udp", run);
    run.agent.hangUp("call_1");
    expect(await run.ended()).toMatchObject({ by: "us", outcome: null });
    await run.sipp.finished();
  };

/** We call it, and it ends the call as the scenario has it. */
export const itHangsUp =
  (scenario: string, check: (run: SippCall) => void = () => {}) =>
  async () => {
    const run = await callTo(scenario);
    expect(await run.ended()).toMatchObject({ by: "peer", outcome: null });
    await run.sipp.finished();
    check(run);
  };

export const itCallsUs =
  (transport: "udp" | "tcp", scenario = "call-us") =>
  async () => {
    const port = freeSipPort();
    const run = await startAgent([trunkAt(port, { transport })]);
    const sipp = await startSipp(scenario, { target: `127.0.0.1:${run.agent.port}`, port, transport });
    await until(() => run.inbound.length === 1);
    const { callId } = run.inbound[0]!;
    run.agent.answerInbound(callId, ["PCMA", "PCMU"]);
    expect(await run.ended(callId)).toMatchObject({ by: "peer", outcome: null });
    await sipp.finished();
    expectAllOver(transport, run);
  };

/** Each code in a call of its own. */
export const refusesWith = (statuses: readonly string[], outcome: string) => async () => {
  for (const status of statuses) {
    const run = await callTo("refuse", { words: { status } });
    expect(await run.ended()).toMatchObject({ by: "peer", outcome, sipCode: Number(status.slice(0, 3)) });
    await run.sipp.finished();
    await run.agent.stop(0);
  }
};

export const transfersTo = (result: string, state: string) => async () => {
  const run = await callTo("transfer", { words: { transfer_result: result } });
  await run.heard("call_1 answered");
  run.agent.refer("call_1", "+919800000002");
  await run.ended();
  await run.sipp.finished();
  expect(run.transfers.at(-1)).toMatchObject({ state });
};

/** A second telephone answers as well: it is put down, and the first goes on. */
export const forks = async () => {
  const run = await callTo("fork");
  await run.heard("call_1 answered");
  await until(() => run.ladder.some(({ text }) => isAnswerTo("BYE", text)));
  expect(run.endings.size).toBe(0);
  run.agent.hangUp("call_1");
  await run.sipp.finished();
};

export const takesNoRefer = async () => {
  const run = await callTo("transfer-refused");
  await run.heard("call_1 answered");
  run.agent.refer("call_1", "+919800000002");
  await until(() => run.transfers.length > 0);
  expect(run.transfers).toEqual([{ state: "refused", sipCode: 603 }]);
  expect(run.endings.size).toBe(0);
  run.agent.hangUp("call_1");
  await run.sipp.finished();
};

export const registers = async () => {
  const sipp = await startSipp("register");
  const run = await startAgent([trunkAt(sipp.port, { register: true, username: "ward", secret: "s3cret" })]);
  await until(() => run.agent.trunkStates()[0]!.isRegistered === true);
  await run.agent.stop(2_000);
  await sipp.finished();
};

export const isAsked = async () => {
  const asked = await startSipp("options-answered");
  const run = await startAgent([trunkAt(asked.port, { optionsEverySeconds: 25 })]);
  await until(() => run.agent.trunkStates()[0]!.state === "up");
  await asked.finished();
  const asking = await startSipp("ask-us", { target: `127.0.0.1:${run.agent.port}`, port: asked.port });
  await asking.finished();
};

export const nobodyAnswers = async () => {
  const sipp = await startSipp("no-answer");
  const run = await startAgent([trunkAt(sipp.port)]);
  run.invite({ ringTimeoutMs: 500 });
  expect(await run.ended()).toMatchObject({ by: "timeout", outcome: "no_answer", sipCode: 487 });
  await sipp.finished();
};

export const givesUp = async () => {
  const port = freeSipPort();
  const run = await startAgent([trunkAt(port)]);
  const sipp = await startSipp("call-us-and-give-up", { target: `127.0.0.1:${run.agent.port}`, port });
  await until(() => run.inbound.length === 1);
  expect(await run.ended(run.inbound[0]!.callId)).toMatchObject({ by: "peer", outcome: "no_answer", sipCode: 487 });
  await sipp.finished();
};

export const findsAllBusy = async () => {
  const port = freeSipPort();
  const run = await startAgent([trunkAt(port, { lines: 0 })]);
  const sipp = await startSipp("call-us-486", { target: `127.0.0.1:${run.agent.port}`, port });
  await sipp.finished();
  expect(run.inbound).toEqual([]);
};

// Calls on a running Ringward, followed to their end, and the commands that an administrator types meanwhile.
import { expect } from "bun:test";
import type { Utterance } from "../../src/payloads/conversation.ts";
import type { NoticeView } from "../../src/payloads/lawful-schema.ts";
import { ask, createCall } from "./api-client.ts";
import { runBinary, startBinary, type Running, type StartOptions } from "./binary.ts";
import { until } from "./until.ts";

/** A call without a time goes out at once and is over within half a second. */
export const QUICK = {
  RINGWARD_CALLS__DEFAULT_DELAY_SECONDS: "0",
  RINGWARD_TELEPHONY__SIMULATOR__SPEED: "100",
  RINGWARD_PLANS__BASE__REQUESTS_PER_MINUTE: "unlimited",
};

export function startQuick(env: Record<string, string | undefined> = {}, options: StartOptions = {}): Promise<Running> {
  return startBinary({ ...options, env: { ...QUICK, ...env } });
}

/** What GET answers of a call. */
export interface Call {
  call_id: string;
  status: string;
  call_direction: string;
  call_to: string | null;
  call_from: string | null;
  call_duration_seconds: number | null;
  agent_id: string;
  agent_name: string;
  call_recording: string | null;
  recording: { mode: string; consent: string | null; from: number | null; until: number | null } | null;
  call_analytics: { summary: string; sentiment: string; next_steps: string; disposition: string } | null;
  notices: NoticeView[] | null;
  call_transcript: Utterance[] | null;
  call_triggered_at: string | null;
  scheduled_at: string | null;
  completed_at: string | null;
  error: { code: string; message: string } | null;
  contact_number: string;
  contact_name: string | null;
  contact_email: string | null;
  contact_preferred_language: string | null;
  additional_info: Record<string, unknown> | null;
  created_at: string;
  updated_at: string;
  cancelled_at: string | null;
  extracted_details: Record<string, unknown> | null;
  analysis_source: Record<string, unknown> | null;
  credits_consumed: number | null;
  hold_reason: string | null;
  next_attempt_at: string | null;
  missing_placeholders: string[];
  scheduled_call_id: string | null;
  follows_call_id: string | null;
  simulated: boolean;
}

export const FINAL = ["completed", "failed", "cancelled", "disallowed"];

let numbersUsed = 0;

/** A number that no other test of the file calls; its last four digits tell the simulator what happens. */
export function numberEnding(lastFourDigits: string): string {
  numbersUsed += 1;
  return `+1555${200 + (numbersUsed % 800)}${lastFourDigits}`;
}

/** Somebody who answers and talks to the end. */
export const talkative = () => numberEnding("0100");

/** Creates a call that goes out as soon as it may, and answers its id. */
export function place(server: Running, changes: Record<string, unknown> = {}): Promise<string> {
  return createCall(server, { scheduled_time: undefined, user_number: talkative(), ...changes });
}

export async function readCall(server: Running, id: string, key?: string): Promise<Call> {
  const { status, text, data } = await ask(server, "GET", `/v1/calls/${id}`, key === undefined ? {} : { key });
  if (status !== 200) throw new Error(`GET /v1/calls/${id} answered ${status}: ${text}`);
  return data as unknown as Call;
}

/** Waits until the call is in one of these states. */
export async function callIn(
  server: Running,
  id: string,
  states: readonly string[],
  withinMs = 120_000,
): Promise<Call> {
  let call = await readCall(server, id);
  const arrived = async () => states.includes((call = await readCall(server, id)).status);
  await until(arrived, { withinMs, what: () => `the call is ${call.status}, not ${states.join(" or ")}` });
  return call;
}

export const finished = (server: Running, id: string, withinMs?: number) => callIn(server, id, FINAL, withinMs);

/** Places a call and follows it to its end. */
export async function placeAndFinish(server: Running, changes: Record<string, unknown> = {}): Promise<Call> {
  return finished(server, await place(server, changes));
}

/** The ids that the simulator has dialled, as often as it did. */
export function dialled(...outputs: string[]): string[] {
  const lines = outputs.flatMap((output) => output.split("\n").filter((line) => line.includes("The simulator dials.")));
  return lines.map((line) => (JSON.parse(line) as { call_id: string }).call_id);
}

/** A command beside the running server; it must succeed. */
export async function command(server: Pick<Running, "dataDir">, ...args: string[]): Promise<string> {
  const [options, positionals] = split(args);
  const { code, stdout, stderr } = await runBinary([...options, "--data", server.dataDir, ...positionals]);
  expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: "" });
  return stdout;
}

export async function commandJson<T>(server: Pick<Running, "dataDir">, ...args: string[]): Promise<T> {
  return JSON.parse(await command(server, ...args, "--json")) as T;
}

/** What stands after `--` stays last. */
function split(args: string[]): [string[], string[]] {
  const at = args.indexOf("--");
  return at === -1 ? [args, []] : [args.slice(0, at), args.slice(at)];
}

export interface OtherAgent {
  agentId: string;
  number: string;
}

/** An outbound agent with a number of its own. */
export async function newAgent(
  server: Running,
  options: { org?: string; name?: string; lines?: number; more?: string[] } = {},
): Promise<OtherAgent> {
  const { org, name = "Meera", lines = 10, more = [] } = options;
  const orgOption = org === undefined ? [] : ["--org", org];
  // At any hour: a test may run at night.
  const hours = more.includes("--calling-hours") ? [] : ["--calling-hours", "off"];
  const words = ["--name", name, "--greeting", "Hello {{user_name}}."];
  const made = ["agents", "create", ...words, ...hours, ...more, ...orgOption];
  const { agent_id } = await commandJson<{ agent_id: string }>(server, ...made);
  const number = numberEnding("0999");
  const added = ["numbers", "add", "--number", number, "--agent", agent_id, "--lines", String(lines), ...orgOption];
  await command(server, ...added);
  return { agentId: agent_id, number };
}

export async function organisationId(server: Running): Promise<string> {
  const [first] = await commandJson<{ organisation_id: string }[]>(server, "orgs", "list");
  return first!.organisation_id;
}

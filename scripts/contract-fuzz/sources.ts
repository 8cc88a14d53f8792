// Systems of a fuzzed hospital: sources, mirrored appointments with open wishes, refused HL7 messages, and lists in
// drop folders that ask before they cancel.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { siu } from "../../test/support/hl7.ts";
import { connectMllp } from "../../test/support/mllp-client.ts";
import { until } from "../../test/support/until.ts";
import type { Making } from "./hospital-plan.ts";
import type { Exhibit } from "./world.ts";

const DAY_MS = 86_400_000;
const WISHES = 12;
const MESSAGES = 3;
const LISTED_ON = () => new Date(Date.now() + 30 * DAY_MS).toISOString();

export async function sourceSeedsOf(making: Making): Promise<[kind: string, ids: string[]][]> {
  const { post, marker } = making;
  const sources = await Promise.all(
    Array.from({ length: 8 }, (_, at) => post("/v1/sources", { name: `${marker} ${at}`, kind: "api" })),
  );
  const [[accepted, acceptedFile], [rejected, rejectedFile]] = await Promise.all([
    askingList(making, "accepted"),
    askingList(making, "rejected"),
  ]);
  return [
    ["source_id", sources.map(({ source_id }) => source_id ?? "")],
    ["wished", await wishesOf(making)],
    ["message_id", await refusedMessages(making, `${marker} seeds`, MESSAGES)],
    ["accepted_source_id", [accepted]],
    ["accepted_file_id", [acceptedFile]],
    ["rejected_source_id", [rejected]],
    ["rejected_file_id", [rejectedFile]],
  ];
}

export async function sourceExhibitsOf(making: Making): Promise<Exhibit[]> {
  const { post, marker } = making;
  const { source_id: id = "" } = await post("/v1/sources", { name: `${marker} exhibit`, kind: "api" });
  const [message = ""] = await refusedMessages(making, `${marker} exhibit`, 1);
  const [, file] = await askingList(making, "exhibit");
  return [
    { kind: "source_id", id, address: `/v1/sources/${id}` },
    { kind: "message_id", id: message, address: `/v1/hl7-messages/${message}` },
    { kind: "file_id", id: file, address: null },
  ];
}

/** Ids of mirrored appointments with an open wish to cancel. */
async function wishesOf({ post, send, branchId, marker }: Making): Promise<string[]> {
  const { source_id = "" } = await post("/v1/sources", { name: `${marker} wishes`, kind: "api" });
  const appointments = Array.from({ length: WISHES }, (_, at) => ({
    external_id: `W-${at}`,
    starts_at: LISTED_ON(),
    branch_id: branchId,
  }));
  const { data } = await send<{ data: { appointment_id: string }[] }>("PUT", `/v1/sources/${source_id}/appointments`, {
    appointments,
  });
  const ids = data.map(({ appointment_id }) => appointment_id);
  await Promise.all(ids.map((id) => send("PATCH", `/v1/appointments/${id}`, { status: "cancelled" })));
  return ids;
}

/** Refused because their location is not known. */
async function refusedMessages({ post, send, hl7Port }: Making, application: string, count: number): Promise<string[]> {
  const settings = { application, peers: ["127.0.0.1"], time_zone: "UTC" };
  const { source_id } = await post("/v1/sources", { name: `${application} HL7`, kind: "hl7", settings });
  const client = await connectMllp(hl7Port);
  for (let at = 0; at < count; at++) {
    const booking = { trigger: "S12", controlId: `C${at}`, id: `A${at}`, sentAt: "20261118120000" };
    await client.ask(siu({ ...booking, application, location: "UNKNOWN" }));
  }
  client.close();
  const { data } = await send<{ data: { message_id: string }[] }>("GET", `/v1/hl7-messages?source_id=${source_id}`);
  return data.map(({ message_id }) => message_id);
}

/** A complete list that lacks what an earlier one had. */
async function askingList({ post, send }: Making, folder: string): Promise<[sourceId: string, fileId: string]> {
  const columns = { external_id: "Id", date: "Date", time: "Time" };
  const default_branch_id = crypto.randomUUID();
  const settings = { folder, list: "complete", columns, settle_seconds: 1, default_branch_id };
  const { source_id: id = "" } = await post("/v1/sources", { name: folder, kind: "folder", settings });
  const listed = () =>
    send<{ data: { file_id: string; state: string }[]; folder: { path: string } }>("GET", `/v1/sources/${id}/files`);
  const { path } = (await listed()).folder;
  mkdirSync(path, { recursive: true });
  const day = LISTED_ON().slice(0, 10);
  const list = (ids: readonly string[]) => `Id,Date,Time\n${ids.map((each) => `${each},${day},10:00\n`).join("")}`;
  const inState = async (state: string) => (await listed()).data.find((file) => file.state === state)?.file_id;
  writeFileSync(join(path, "first.csv"), list(["A", "B", "C"]));
  await until(async () => (await inState("done")) !== undefined, { withinMs: 30_000 });
  writeFileSync(join(path, "second.csv"), list(["A"]));
  await until(async () => (await inState("asking")) !== undefined, { withinMs: 30_000 });
  return [id, (await inState("asking")) ?? ""];
}

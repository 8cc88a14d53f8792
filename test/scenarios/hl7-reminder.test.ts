// From an empty machine to a reminder call over SIP: `ringward apply` with one file, and one SIU message of the
// hospital's scheduler. What the patient says goes back to the scheduler.
import { expect } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ask } from "../support/api-client.ts";
import { putPhonesAway, startPhone, testWithPhone as test } from "../support/baresip.ts";
import { leaveNothingBehind, runBinary, startBinary, tempFolder } from "../support/binary.ts";
import { FINAL, type Call } from "../support/calls.ts";
import { reservedPort } from "../support/free-ports.ts";
import { siu } from "../support/hl7.ts";
import { codeOf, connectMllp, hl7PortOpened } from "../support/mllp-client.ts";
import { startMllpReceiver } from "../support/mllp-receiver.ts";
import { noonZone } from "../support/noon.ts";
import { newPatient, sipOnLoopback } from "../support/sip-hospital.ts";
import { until } from "../support/until.ts";

leaveNothingBehind();
putPhonesAway();

const hospitalWith = (phonePort: number, schedulerPort: number) => `
[organisation]
name = "St. Mary's Hospital"
time_zone = "${noonZone()}"

[owner]
email = "owner@hospital.example"
password_env = "OWNER_PASSWORD"

[[branches]]
name = "Heart centre"

[[services]]
name = "Cardiology"

[[trunks]]
name = "exchange"
host = "127.0.0.1"
port = ${phonePort}
options_seconds = 0

[[agents]]
name = "Reminders"
greeting = "This is {{hospital}}. You have an appointment on {{visit}}."
calling_hours = "none"
open_announcements = true

[[phone_numbers]]
number = "+912255000001"
agent = "Reminders"
trunk = "exchange"

[[reminder_rules]]
agent = "Reminders"
branch = "Heart centre"
service = "Cardiology"
timing = "hours_before"
hours_before = 72
call_from = "00:00"
call_to = "23:00"

[[sources]]
name = "Scheduler"
kind = "hl7"

[sources.settings]
application = "HIS"
facility = "MAIN"
time_zone = "UTC"
country = "IN"
branches = [{ code = "CARD", branch = "Heart centre" }]
services = [{ code = "ECHO", service = "Cardiology" }]
tell = { as = "siu", address = "mllp://127.0.0.1:${schedulerPort}" }

[[api_keys]]
name = "reader"
scopes = ["calls:read", "appointments:read"]
key_file = "api-key"
`;

/** YYYYMMDDHHMMSS in UTC. */
const stamp = (ms: number) => new Date(ms).toISOString().slice(0, 19).replaceAll(/[-T:]/g, "");

test("one file and one SIU message: the patient is called, confirms, and the scheduler is told", async () => {
  const folder = tempFolder();
  const dataDir = join(folder, "data");
  const file = join(folder, "hospital.toml");
  const number = newPatient();
  const phone = await startPhone({ number });
  const scheduler = startMllpReceiver();
  writeFileSync(file, hospitalWith(phone.port, scheduler.port));
  const hl7Port = reservedPort();
  const env = {
    ...sipOnLoopback().env,
    RINGWARD_HL7__HOST: "127.0.0.1",
    RINGWARD_HL7__PORT: String(hl7Port),
    RINGWARD_HL7__ALLOW: "127.0.0.1",
  };
  const apply = () =>
    runBinary(["apply", file, "--data", dataDir, "--yes"], {
      env: { ...env, OWNER_PASSWORD: "correct horse battery" },
    });
  expect(await apply()).toMatchObject({ code: 0, stderr: "" });
  const server = await startBinary({ demo: false, dataDir, env });
  expect(await apply()).toMatchObject({ code: 0, stdout: expect.stringContaining("Nothing to change.") });
  const key = readFileSync(join(folder, "api-key"), "utf8").trim();

  await hl7PortOpened(server);
  const sender = await connectMllp(hl7Port);
  // Its reminder is due at the next full minute.
  const startsAt = Math.ceil((Date.now() + 5_000) / 60_000) * 60_000 + 72 * 3_600_000;
  const booking = { trigger: "S12", controlId: "C1", id: "A1", phone: number };
  const answer = await sender.ask(siu({ ...booking, sentAt: stamp(Date.now()), startsAt: stamp(startsAt) }));
  expect(codeOf(answer)).toBe("AA");

  await phone.told("CALL_ESTABLISHED", 1, 120_000);
  let call: Call | undefined;
  await until(
    async () => {
      await phone.press("1").catch(() => {});
      const { text } = await ask(server, "GET", "/v1/calls", { key });
      [call] = (JSON.parse(text) as { data: Call[] }).data;
      return call !== undefined && FINAL.includes(call.status);
    },
    { everyMs: 1_000, withinMs: 90_000, what: () => JSON.stringify(call) },
  );
  expect(call).toMatchObject({ status: "completed", call_to: number, extracted_details: { answer: "confirmed" } });
  const { data } = await ask(server, "GET", "/v1/appointments", { key });
  expect(data).toMatchObject([
    { external_id: "A1", status: "confirmed", contact_number: number, contact_confirmed_at: expect.any(String) },
  ]);
  await until(() => scheduler.got.length > 0, { withinMs: 30_000 });
  const [told] = scheduler.got;
  expect([told?.at("MSH-9.2"), told?.at("SCH-1"), told?.at("SCH-6")]).toEqual(["S14", "A1", "CONFIRMED"]);
  sender.close();
  expect(await server.stop()).toBe(0);
  scheduler.stop();
}, 240_000);

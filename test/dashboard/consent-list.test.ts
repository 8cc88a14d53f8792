// Lists of consents at the dashboard: import in parts, what is refused, and the export.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { consentLines } from "../../src/payloads/consent-lines.ts";
import { consentFor } from "../../src/rules/consent/consent-store.ts";
import type { ImportReport } from "../../src/rules/consent/service.ts";
import { signedInHospital, type Asked, type SignedInHospital } from "./signed-in.ts";

let inside: SignedInHospital;
beforeAll(async () => {
  inside = await signedInHospital();
});
afterAll(() => inside.hospital.close());

const FILE = [
  "contact_number,purpose,basis,granted_on,until,reference",
  "+91 98200-11111,promotional,written,2025-12-01,,Form 7",
  "+919820022222,,,,,",
  "9820033333,,,,,",
  "+919820044444,ads,,,,",
  "+919820055555,promotional,treatment,,,",
  "+919820066666,,,2025-02-30,,",
].join("\r\n");

const send = (file: string, role: Asked = "staff") =>
  inside.ask(role, "POST", "consents/import", { purpose: "service", basis: "verbal", lines: consentLines(file) });
const report = async (file: string) => (await send(file)).json as unknown as ImportReport;
const inForce = (number: string, purpose: "promotional" | "service") => {
  const { db, organisationId, clock } = inside.hospital;
  return consentFor(db.reader, organisationId, number, purpose, clock.now());
};

test("staff import a list; each refused line is named, and the second time nothing changes", async () => {
  expect((await send(FILE, "viewer")).status).toBe(403);
  const first = await report(FILE);
  expect(first).toMatchObject({ granted: 2, unchanged: 0 });
  expect(first.refused).toEqual([
    { row: 4, message: expect.stringContaining("E.164") },
    { row: 5, message: "purpose must be one of transactional, service, promotional." },
    { row: 6, message: expect.stringContaining("must not be treatment") },
    { row: 7, message: expect.stringContaining("granted_on must be a date") },
  ]);
  expect(await inForce("+919820011111", "promotional")).not.toBeNull();
  expect(await inForce("+919820022222", "service")).not.toBeNull();
  expect(await report(FILE)).toMatchObject({ granted: 0, unchanged: 2 });
  expect(await inside.hospital.actionsOnRecord()).toContain("consent.imported");
});

test("an export can be imported again, and brings back no consent that was withdrawn", async () => {
  const { text } = await inside.ask("viewer", "GET", "consents/export");
  expect(text).toContain("+919820011111,promotional,active,written,list,Form 7");
  expect(await report(text)).toEqual({ granted: 0, unchanged: 2, refused: [] });
  expect(await inside.hospital.actionsOnRecord()).toContain("consent.exported");
  const { consents } = inside.hospital.app.services;
  const person = { contact_number: "+919820011111", purpose: "promotional" as const };
  await consents.withdrawFor(inside.hospital.organisationId, person, { kind: "cli", id: null });
  expect(await report(text)).toMatchObject({ refused: [{ message: expect.stringContaining("withdrawn") }] });
  const later = (await inside.ask("viewer", "GET", "consents/export")).text;
  expect(await report(later)).toMatchObject({ refused: [{ message: expect.stringContaining("Only active") }] });
  expect(await inForce("+919820011111", "promotional")).toBeNull();
});

test("a request has a bounded number of lines of bounded cells", async () => {
  const lines = Array.from({ length: 501 }, (_, i) => `+9198${String(20_000_000 + i)}`);
  expect((await send(["number", ...lines].join("\n"))).status).toBe(400);
  const [line] = consentLines("number\n+919820011111") ?? [];
  const long = { purpose: "service", basis: "verbal", lines: [{ ...line, reference: "x".repeat(251) }] };
  expect((await inside.ask("staff", "POST", "consents/import", long)).status).toBe(400);
});

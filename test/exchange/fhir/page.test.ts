// The handbook lists what the CapabilityStatement says.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { CapabilityStatement } from "fhir/r4";
import { createFhirClient } from "../../support/fhir-client.ts";
import { fhirPage, unaligned } from "../../support/fhir-page.ts";
import { createTestApp, type TestApp } from "../../support/test-app.ts";
import { BASE } from "./world.ts";

const PAGE = readFileSync(join(import.meta.dir, "../../../src/handbook/fhir.md"), "utf8");

let app: TestApp;
beforeAll(async () => void (app = await createTestApp()));
afterAll(() => app.close());

test("the page has every resource, parameter and include of the statement", async () => {
  const fhir = createFhirClient((request) => app.app.handle(request), app.key, BASE);
  const { body } = await fhir<CapabilityStatement>("GET", "/metadata");
  expect(unaligned(PAGE)).toContain(unaligned(fhirPage(body)));
});

test("the API document leaves FHIR to its statement", async () => {
  const { text } = await app.request("GET", "/openapi.json", { key: null });
  expect(text).not.toContain("/fhir");
});

// Checks of the doctor that need nothing but the settings.
import { expect, test } from "bun:test";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkMetrics, checkProxy } from "../../src/cli/doctor-checks.ts";
import { checkFolders } from "../../src/cli/doctor-folders.ts";
import { loadConfig } from "../../src/config/load.ts";
import { tempFolder } from "../support/binary.ts";
import { createPrivateCa } from "../support/private-ca.ts";

const HTTPS = { RINGWARD_BASE_URL: "https://calls.hospital.example" };
const CERTIFICATE = certificateFiles();
const HEADER = { RINGWARD_SERVER__CLIENT_ADDRESS_HEADER: "x-forwarded-for" };

test.each<[what: string, settings: Record<string, string>, state: string]>([
  ["the defaults", {}, "ok"],
  ["https without a certificate and without the header", HTTPS, "warn"],
  ["https without a certificate, with the header", { ...HTTPS, ...HEADER }, "ok"],
  ["https with a certificate", { ...HTTPS, ...CERTIFICATE }, "ok"],
  [
    "a public name for a server that listens on loopback",
    { RINGWARD_BASE_URL: "http://calls.hospital.example" },
    "warn",
  ],
  ["a header that is believed from anybody", { ...HTTPS, ...CERTIFICATE, ...HEADER }, "warn"],
])("the proxy check of %s", (_, settings, state) => {
  const finding = checkProxy(loadConfig({ environment: settings }));
  expect(finding.state).toBe(state as "ok");
  if (state === "warn") expect(finding.message).toContain("server.client_address_header");
});

test.each([
  [{}, "ok"],
  [{ RINGWARD_SERVER__HOST: "0.0.0.0" }, "warn"],
  [{ RINGWARD_SERVER__HOST: "10.1.2.3" }, "warn"],
  [HTTPS, "warn"],
  [{ RINGWARD_SERVER__HOST: "0.0.0.0", RINGWARD_METRICS__TOKEN: "a-token-of-some-length" }, "ok"],
])("metrics with %p: %s", (settings, state) => {
  const finding = checkMetrics(loadConfig({ environment: settings }));
  expect(finding.state).toBe(state as typeof finding.state);
  expect(finding.message).not.toContain("a-token");
});

function certificateFiles(): Record<string, string> {
  const folder = tempFolder();
  const { certPem, keyPem } = createPrivateCa().issue(["calls.hospital.example"]);
  const [cert, key] = [join(folder, "cert.pem"), join(folder, "key.pem")];
  writeFileSync(cert, certPem);
  writeFileSync(key, keyPem);
  return { RINGWARD_SERVER__TLS_CERT_FILE: cert, RINGWARD_SERVER__TLS_KEY_FILE: key };
}

test("the place for drop folders must be there, and be closed to others; without one there is nothing to check", () => {
  const root = tempFolder();
  const checked = (path: string) => checkFolders(loadConfig({ environment: { RINGWARD_FOLDERS__ROOT: path } }));
  expect(checked("")).toEqual([]);
  expect(checked(join(root, "gone"))).toMatchObject([{ state: "FAIL" }]);
  chmodSync(root, 0o755);
  expect(checked(root)).toMatchObject([{ state: "warn" }]);
  chmodSync(root, 0o770);
  expect(checked(root)).toMatchObject([{ state: "ok" }]);
});

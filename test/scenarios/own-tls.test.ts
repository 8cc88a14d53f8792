// HTTPS without a proxy: every endpoint answers over TLS, and a renewed certificate is loaded at runtime.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { connect } from "node:tls";
import { ask, createCall, expectError } from "../support/api-client.ts";
import { leaveNothingBehind, runBinary, startBinary, tempFolder, type Running } from "../support/binary.ts";
import { placeAndFinish, QUICK, type Call } from "../support/calls.ts";
import { createPrivateCa } from "../support/private-ca.ts";
import { until } from "../support/until.ts";

leaveNothingBehind();

const ca = createPrivateCa();
const folder = tempFolder();
const tls = { certFile: join(folder, "cert.pem"), keyFile: join(folder, "key.pem"), caPem: ca.caPem };

function placeCertificate(): void {
  const { certPem, keyPem } = ca.issue(["127.0.0.1", "localhost"]);
  writeFileSync(tls.certFile, certPem);
  writeFileSync(tls.keyFile, keyPem);
}

let server: Running;
beforeAll(async () => {
  placeCertificate();
  server = await startBinary({ tls, env: QUICK });
});
afterAll(() => server.kill());

const open = (path: string, init: RequestInit = {}) => fetch(server.url + path, { ...init, tls: { ca: ca.caPem } });
const pathOf = (url: string) => new URL(url).pathname + new URL(url).search;

/** Uses its own connection, because a renewal closes idle ones. */
const ready = async () => (await open("/readyz", { keepalive: false })).text();

/**
 * The serial number of the certificate on a new connection. A connection in its handshake during the renewal is reset.
 */
async function serialNumber(): Promise<string> {
  for (;;) {
    const found = await serialOnce().catch((error: unknown) => {
      if (!(error instanceof Error && "code" in error && error.code === "ECONNRESET")) throw error;
      return null;
    });
    if (found !== null) return found;
  }
}

function serialOnce(): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: "127.0.0.1", port: server.port, ca: ca.caPem }, () => {
      resolve(socket.getPeerCertificate().serialNumber);
      socket.destroy();
    });
    socket.on("error", reject);
  });
}

async function handshake(...options: string[]): Promise<string> {
  const child = Bun.spawn(["openssl", "s_client", "-connect", `127.0.0.1:${server.port}`, ...options], {
    stdin: new TextEncoder().encode(""),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return out + err;
}

describe("every endpoint answers", () => {
  test("the API: create, read, list, and the error body", async () => {
    const id = await createCall(server);
    expect((await ask(server, "GET", `/v1/calls/${id}`)).data["call_id"]).toBe(id);
    expect((await ask(server, "GET", "/v1/calls?limit=1")).status).toBe(200);
    expectError(await ask(server, "DELETE", "/v1/me"), 405, "METHOD_NOT_ALLOWED");
    expectError(await ask(server, "GET", "/v1/nothing"), 404, "NOT_FOUND");
  });

  test("under a one-letter host name too", async () => {
    const answer = await ask(server, "GET", "/v1/me", { headers: { host: "r" } });
    expect(answer.status).toBe(200);
  });

  test("the inbound hook", async () => {
    const answer = await ask(server, "POST", pathOf(server.demo["hook_url"]!), { key: null, body: { action: "ping" } });
    expect([answer.status, answer.text]).toEqual([200, answer.text]);
  });

  test("a recording, whole and by range", async () => {
    const call: Call = await placeAndFinish(server, { user_name: "Test Patient" });
    const path = pathOf(call.call_recording!);
    const whole = new Uint8Array(await (await open(path)).arrayBuffer());
    const part = await open(path, { headers: { range: "bytes=10-19" } });
    expect(part.status).toBe(206);
    expect(new Uint8Array(await part.arrayBuffer())).toEqual(whole.slice(10, 20));
  });

  test("the dashboard's page, the documentation and its script", async () => {
    for (const path of ["/", "/swagger", "/swagger/swagger-ui-bundle.js", "/openapi.json", "/readyz"]) {
      const answer = await open(path);
      expect([path, answer.status]).toEqual([path, 200]);
      expect(answer.headers.get("strict-transport-security")).toBe("max-age=31536000");
    }
  });

  test("the health check of a container", async () => {
    const { code } = await runBinary(["health", "--data", server.dataDir]);
    expect(code).toBe(0);
  });
});

describe("the protocol", () => {
  const WEAK = ["ECDHE-ECDSA-AES128-SHA", "ECDHE-ECDSA-AES128-SHA256", "AES128-GCM-SHA256", "AES128-SHA"];
  test.each(WEAK)("TLS 1.2 with %s is refused", async (cipher) => {
    expect(await handshake("-tls1_2", "-cipher", `${cipher}:@SECLEVEL=0`)).toContain("Cipher is (NONE)");
  });
  test("TLS 1.1 is refused", async () => {
    expect(await handshake("-tls1_1", "-cipher", "ALL:@SECLEVEL=0")).toContain("Cipher is (NONE)");
  });
  test.each(["-tls1_2", "-tls1_3"])("%s is accepted", async (version) => {
    expect(await handshake(version)).not.toContain("Cipher is (NONE)");
  });
});

describe("a renewed certificate", () => {
  test("is loaded on SIGHUP, and open connections continue", async () => {
    const before = await serialNumber();
    placeCertificate();
    server.process.kill("SIGHUP");
    await until(async () => (await serialNumber()) !== before, { what: () => server.output() });
    expect(await ready()).toContain("ready");
    expect(server.process.exitCode).toBeNull();
  });

  test("with the wrong key is not loaded; /readyz reports it until it is right", async () => {
    const before = await serialNumber();
    writeFileSync(tls.keyFile, ca.issue(["127.0.0.1"]).keyPem);
    server.process.kill("SIGHUP");
    await until(async () => (await ready()).includes("are not taken"));
    expect(server.output()).toContain("is not the key of the certificate");
    expect(await ready()).not.toContain(folder);
    expect(await serialNumber()).toBe(before);
    placeCertificate();
    server.process.kill("SIGHUP");
    await until(async () => (await serialNumber()) !== before);
    await until(async () => !(await ready()).includes("are not taken"));
  });
});

// A trunk over TLS hangs up and calls us: over the connection that we keep to it, and over one that it opens to us.
import { afterEach, expect, test } from "bun:test";
import { X509Certificate } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { connect } from "node:tls";
import { leaveNothingBehind, tempFolder, type Running } from "../support/binary.ts";
import { callIn, command, commandJson, finished, place } from "../support/calls.ts";
import { freeSipPort } from "../support/free-ports.ts";
import { createPrivateCa } from "../support/private-ca.ts";
import { newPatient, sipHospital } from "../support/sip-hospital.ts";
import { until } from "../support/until.ts";
import { bye } from "../telephony/sip/transport/scripted-peer.ts";
import { callToUs, closeTlsPeersAfterEach, tlsPeer, type TlsPeer } from "../telephony/sip/transport/tls-peer.ts";

leaveNothingBehind();
closeTlsPeersAfterEach();

const started: Running[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((server) => server.kill()));
});

const ca = createPrivateCa();

function fileHolding(name: string, text: string): string {
  const file = join(tempFolder(), name);
  writeFileSync(file, text);
  return file;
}

/** Serial number of the certificate on a new connection. */
function serialNumberAt(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: "127.0.0.1", port, ca: ca.caPem }, () => {
      resolve(socket.getPeerCertificate().serialNumber);
      socket.destroy();
    });
    socket.on("error", reject);
  });
}

const invites = (peer: TlsPeer) => peer.heard.filter(({ method }) => method === "INVITE");

test("a BYE arrives over either connection, and a new call over ours", async () => {
  const peer = await tlsPeer(ca.issue(["127.0.0.1"]));
  const hospital = await sipHospital();
  const { agentId } = await hospital.addLine({ port: peer.port });
  const [trunk] = await commandJson<{ name: string }[]>(hospital, "trunks", "list");
  const authority = fileHolding("ca.pem", ca.caPem);
  await command(hospital, "trunks", "change", trunk!.name, "--transport", "tls", "--ca-file", authority);
  const own = ca.issue(["127.0.0.1"]);
  const tlsPort = freeSipPort();
  const certFile = fileHolding("cert.pem", own.certPem);
  const keyFile = fileHolding("key.pem", own.keyPem);
  const server = await hospital.start({
    RINGWARD_TELEPHONY__SIP__TLS_PORT: String(tlsPort),
    RINGWARD_TELEPHONY__SIP__TLS_CERT_FILE: certFile,
    RINGWARD_TELEPHONY__SIP__TLS_KEY_FILE: keyFile,
  });
  started.push(server);

  const first = await place(server, { agent_id: agentId, user_number: newPatient() });
  await callIn(server, first, ["in_progress"]);
  const goodbye = (index: number) => bye(invites(peer)[index]!, "SIP/2.0/TLS 127.0.0.1:5061", "sip:us@127.0.0.1");
  peer.sockets[0]!.write(goodbye(0));
  expect(await finished(server, first)).toMatchObject({ status: "completed" });

  const second = await place(server, { agent_id: agentId, user_number: newPatient() });
  await callIn(server, second, ["in_progress"]);
  expect(invites(peer)[1]!.header("contact")).toContain(`127.0.0.1:${tlsPort};transport=tls`);
  const visitor = connect({ host: "127.0.0.1", port: tlsPort, ca: ca.caPem }, () => visitor.write(goodbye(1)));
  expect(await finished(server, second)).toMatchObject({ status: "completed" });

  // A renewed certificate applies to new connections; the open one stays.
  const renewed = ca.issue(["127.0.0.1"]);
  writeFileSync(certFile, renewed.certPem);
  writeFileSync(keyFile, renewed.keyPem);
  server.process.kill("SIGHUP");
  const expected = new X509Certificate(renewed.certPem).serialNumber;
  // A connection in its handshake during the renewal is reset.
  await until(async () => (await serialNumberAt(tlsPort).catch(() => null)) === expected);
  expect(visitor.destroyed).toBe(false);
  visitor.destroy();

  // No agent takes calls at that number: the answer shows that the INVITE was received.
  peer.sockets[0]!.write(callToUs("INVITE", { transport: "TLS", port: 5061 }));
  await until(() => peer.heard.some(({ text }) => text.startsWith("SIP/2.0 404")));
}, 180_000);

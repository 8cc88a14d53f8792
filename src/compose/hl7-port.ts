// Wires the MLLP port: its limits, its certificate, and which clients it trusts.
import { readFileSync } from "node:fs";
import type { Config } from "../config/schema.ts";
import { MINUTE_MS, SECOND_MS, type Clock } from "../core/clock.ts";
import { messageOf } from "../core/errors.ts";
import type { Logger } from "../core/logger.ts";
import type { Metrics } from "../core/metrics.ts";
import { listenForMllp, type ClientTrust, type Hl7Listener } from "../exchange/hl7/listener/listener.ts";
import { isPeer } from "../exchange/hl7/telling/address.ts";
import type { Certificate } from "./certificates.ts";
import type { Hl7Services } from "./hl7.ts";

export interface Hl7PortDeps {
  config: Config;
  clock: Clock;
  logger: Logger;
  metrics: Metrics;
  services: Hl7Services;
  certificate: Certificate;
}

/** The MLLP port; nothing if it is off. */
export function createHl7Port({ config: { hl7 }, clock, logger, metrics, services, certificate }: Hl7PortDeps) {
  const { peers, showCertificate } = services.hl7Peers;
  let listener: Hl7Listener | null = null;
  let clients: ClientTrust | null = null;
  const count = metrics.counter("ringward_hl7_messages_total", "HL7 messages that came in, by acknowledgement.");
  metrics.gauge("ringward_hl7_connections", "Open connections to the HL7 port.", () => listener?.connections ?? 0);
  certificate.renewed(showCertificate);

  /** Takes changed files of `client_ca_file` and `client_crl_file`: a revoked client is out without a restart. */
  function look(): void {
    const pair = certificate.current();
    if (listener === null || pair === null) return;
    try {
      const read = clientTrustOf(hl7);
      if (Bun.deepEquals(read, clients)) return;
      listener.renew(pair, read);
      clients = read;
      logger.info("Changed client certificates of the HL7 port are in use.");
    } catch (error) {
      logger.error("Changed client certificates of the HL7 port are not taken; the old ones stay in use.", {
        error: messageOf(error),
      });
    }
  }

  return {
    start(): void {
      if (hl7.port === 0) return;
      clients = clientTrustOf(hl7);
      const opened = listenForMllp({
        host: hl7.host,
        port: hl7.port,
        tls: certificate.current(),
        clients,
        isAllowed: (address) => isPeer(peers, address),
        mostConnections: hl7.connections,
        clock,
        logger,
        receiver: services.hl7Receiver,
        limits: {
          mostBytes: hl7.max_message_kb * 1024,
          perSecond: hl7.messages_per_second,
          idleMs: hl7.idle_minutes * MINUTE_MS,
          frameMs: 30 * SECOND_MS,
          quietMs: 30 * SECOND_MS,
        },
        received: ({ code, outcome }) => count.add({ code, repeated: String(outcome === "repeated") }),
      });
      certificate.renewed((pair) => opened.renew(pair, clients));
      listener = opened;
      logger.info("The HL7 port is open.", { port: opened.port });
    },
    look,
    job: { name: "look for changed HL7 client certificates", pattern: "*/30 * * * * *", run: async () => look() },
    stop: async (): Promise<void> => listener?.stop(),
  };
}

/** Throws if a file cannot be read. */
function clientTrustOf(hl7: Config["hl7"]): ClientTrust | null {
  if (hl7.client_ca_file === "") return null;
  const crlPem = hl7.client_crl_file === "" ? null : readFileSync(hl7.client_crl_file, "utf8");
  return { caPem: readFileSync(hl7.client_ca_file, "utf8"), crlPem };
}

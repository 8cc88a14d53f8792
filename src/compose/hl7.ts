// Wires HL7: reading and answering messages, telling sources, and the log.
import { readFileSync } from "node:fs";
import { zoneOf } from "../calendar/directory-store.ts";
import { organisationById } from "../accounts/organisation-store.ts";
import type { AppointmentWatcher } from "../calendar/appointment-changes.ts";
import { ConfigError } from "../config/load.ts";
import type { Config } from "../config/schema.ts";
import type { Audit } from "../accounts/audit.ts";
import type { CertificatePair } from "../core/certificate.ts";
import type { Clock } from "../core/clock.ts";
import { messageOf } from "../core/errors.ts";
import type { Ids } from "../core/ids.ts";
import { lazily } from "../core/lazily.ts";
import type { SecretBox } from "../core/secret-box.ts";
import type { Database } from "../db/database.ts";
import type { Outbox } from "../events/outbox.ts";
import { checkedHl7Settings } from "../exchange/hl7/checked-settings.ts";
import { createHl7Log } from "../exchange/hl7/message-log.ts";
import { createPreview } from "../exchange/hl7/preview.ts";
import { Receiver } from "../exchange/hl7/receiver.ts";
import { createSourceWatcher, hl7SourcesIn } from "../exchange/hl7/source-changes.ts";
import { parsePeers } from "../exchange/hl7/telling/address.ts";
import { createTeller } from "../exchange/hl7/telling/told-changes.ts";
import { createHl7Transport } from "../exchange/hl7/telling/transport.ts";
import type { Mirror } from "../exchange/mirror/port.ts";
import type { SourceServiceDeps, SourceWatcher } from "../exchange/sources/service.ts";
import { trustedBy } from "../net/tls.ts";

export interface Hl7Ground {
  config: Config;
  db: Database;
  clock: Clock;
  ids: Ids;
  audit: Audit;
  secrets: SecretBox;
  outbox: Outbox;
  settingsChecks: SourceServiceDeps["settingsChecks"];
  sourceWatchers: SourceWatcher[];
  appointmentWatchers: AppointmentWatcher[];
}

export function createHl7Services(ground: Hl7Ground, mirror: Mirror) {
  const { config, db, outbox, settingsChecks, sourceWatchers, appointmentWatchers } = ground;
  const { peers, trust, showCertificate } = filesOf(config);
  const sources = hl7SourcesIn(db.reader);
  const receiver = new Receiver({
    ...ground,
    sources,
    mirror,
    zoneOf: async (organisationId, branchId) =>
      branchId === null
        ? ((await organisationById(db.reader, organisationId))?.time_zone ?? "UTC")
        : zoneOf(db.reader, organisationId, branchId),
  });
  const hl7 = createHl7Transport({ sources, peers, trust });
  settingsChecks.hl7 = (settings) => ({ ...checkedHl7Settings(settings, hl7.checkAddress) });
  sourceWatchers.push(createSourceWatcher(ground));
  appointmentWatchers.push(createTeller(outbox));
  return {
    /** The transport of endpoints of kind hl7. */
    hl7,
    hl7Receiver: receiver,
    hl7Preview: createPreview({ sources, receiver }),
    hl7Log: createHl7Log({ ...ground, sources, receiver, keepDays: config.hl7.keep_days }),
    hl7Peers: { peers, showCertificate },
  };
}

export type Hl7Services = ReturnType<typeof createHl7Services>;

/** Files and addresses of the settings. A bad one is a configuration error. */
function filesOf({ hl7 }: Config) {
  const text = (file: string) => (file === "" ? null : readFileSync(file, "utf8"));
  try {
    const caPem = text(hl7.ca_file);
    const [certPem, keyPem] = [text(hl7.tls_cert_file), text(hl7.tls_key_file)];
    const own = certPem !== null && keyPem !== null ? { certPem, keyPem } : null;
    // The system's authorities are slow to load.
    const trustAs = (pair: CertificatePair | null) => lazily(() => trustedBy(caPem, pair));
    let trust = trustAs(own);
    if (caPem !== null) trust();
    return {
      peers: parsePeers(hl7.allow),
      trust: () => trust(),
      /** Our certificate was renewed: systems that we send to see it from now on. */
      showCertificate: (pair: CertificatePair) => void (trust = trustAs(pair)),
    };
  } catch (error) {
    throw new ConfigError([`hl7: ${messageOf(error)}`]);
  }
}

// When the certificates of authorities expire that the settings and trunks name.
import { X509Certificate } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import type { Config } from "../config/schema.ts";
import type { Clock } from "../core/clock.ts";
import type { Metrics } from "../core/metrics.ts";
import type { Database } from "../db/database.ts";
import { allTrunks } from "../trunks/trunk-store.ts";

export interface Expiry {
  /** The setting, or the trunk. */
  name: string;
  expiresAt: number;
  /** Set if it belongs to one organisation. */
  organisationId?: string;
}

/** A bundle of a system has about 150. */
const MOST_READ = 300;

/** By setting; empty: none. */
const filesOf = (config: Config): [name: string, file: string][] => [
  ["hl7.client_ca_file", config.hl7.client_ca_file],
  ["hl7.ca_file", config.hl7.ca_file],
  ["webhooks.ca_file", config.webhooks.ca_file],
  ["models.ca_file", config.models.ca_file],
  ["database.ca_file", config.database.ca_file],
  ["mail.ca_file", config.mail.ca_file],
];

export function createAuthorities({ config, db, clock, metrics }: AuthoritiesDeps) {
  const kept = new Map<string, { mark: string; expiresAt: number | null }>();

  /** Reading a bundle takes milliseconds, so an unchanged one is not read again. */
  function fileExpiry(file: string): number | null {
    try {
      const { mtimeMs, size } = statSync(file);
      // With the day, because it decides which of them expires next.
      const mark = `${mtimeMs} ${size} ${Math.floor(clock.now() / 86_400_000)}`;
      const known = kept.get(file);
      if (known?.mark === mark) return known.expiresAt;
      const expiresAt = expiryOf(readFileSync(file, "utf8"), clock.now());
      kept.set(file, { mark, expiresAt });
      return expiresAt;
    } catch {
      // The part that uses the file reports that it cannot be read.
      return null;
    }
  }

  const ofFiles = (): Expiry[] =>
    filesOf(config).flatMap(([name, file]) => {
      const expiresAt = file === "" ? null : fileExpiry(file);
      return expiresAt === null ? [] : [{ name, expiresAt }];
    });

  metrics.gauges(
    "ringward_authority_expires_at_seconds",
    "When the next certificate of a CA file in the settings expires, as Unix time.",
    () => ofFiles().map(({ name, expiresAt }) => ({ labels: { of: name }, value: expiresAt / 1_000 })),
  );

  return {
    ofFiles,
    async ofTrunks(): Promise<Expiry[]> {
      const trunks = (await allTrunks(db.reader)).filter(({ enabled, ca_pem }) => enabled && ca_pem !== null);
      return trunks.flatMap(({ name, organisation_id, ca_pem }) => {
        const expiresAt = expiryOf(ca_pem ?? "", clock.now());
        return expiresAt === null ? [] : [{ name: `trunk ${name}`, expiresAt, organisationId: organisation_id }];
      });
    },
  };
}

export interface AuthoritiesDeps {
  config: Config;
  db: Database;
  clock: Clock;
  metrics: Metrics;
}

/** The next one to expire. Expired ones count only if no other is left: they stay in a file beside their successor. */
export function expiryOf(pem: string, now: number): number | null {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g) ?? [];
  const times = blocks.slice(0, MOST_READ).flatMap((block) => {
    try {
      return [Date.parse(new X509Certificate(block).validTo)];
    } catch {
      return [];
    }
  });
  const valid = times.filter((at) => at > now);
  if (valid.length > 0) return Math.min(...valid);
  return times.length === 0 ? null : Math.max(...times);
}

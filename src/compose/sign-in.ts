// Wires sign-in: sessions, second factors, passkeys, the emergency account and the hospital's directories.
import { readFileSync } from "node:fs";
import type { Audit } from "../accounts/audit.ts";
import { createDirectories } from "../accounts/directories/directories.ts";
import { createDirectoryPeople } from "../accounts/directories/directory-people.ts";
import { createLdapConnector } from "../accounts/directories/ldap-connection.ts";
import { createLdapDirectory } from "../accounts/directories/ldap-directory.ts";
import { createOidcClient } from "../accounts/directories/oidc-client.ts";
import { createOidcDirectory } from "../accounts/directories/oidc-directory.ts";
import { createRechecks } from "../accounts/directories/rechecks.ts";
import { createBreakGlassService } from "../accounts/break-glass-service.ts";
import { createFactorService } from "../accounts/factor-service.ts";
import { createHashGate, type HashGate } from "../accounts/hash-gate.ts";
import { createLoginThrottle } from "../accounts/login-throttle.ts";
import type { PersonService } from "../accounts/person-service.ts";
import { createPasskeyService } from "../accounts/passkey-service.ts";
import { createSessionList } from "../accounts/session-list.ts";
import type { ReadNotes } from "../accounts/read-notes.ts";
import { createSessionService } from "../accounts/session-service.ts";
import { createSignInService } from "../accounts/sign-in-service.ts";
import { createTickets } from "../accounts/sign-in-ticket.ts";
import type { Config } from "../config/schema.ts";
import type { LdapSettings, OidcSettings } from "../config/sign-in-settings.ts";
import { SECOND_MS, type Clock } from "../core/clock.ts";
import type { Ids } from "../core/ids.ts";
import type { Logger } from "../core/logger.ts";
import type { SecretBox } from "../core/secret-box.ts";
import type { Database } from "../db/database.ts";
import type { Outbox } from "../events/outbox.ts";

export interface SignInGround {
  config: Config;
  db: Database;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  audit: Audit;
  readNotes: ReadNotes;
  secrets: SecretBox;
  outbox: Outbox;
  people: PersonService;
}

export function createSignInServices(ground: SignInGround) {
  const { config, clock, ids, logger, secrets, outbox } = ground;
  const newThrottle = () => createLoginThrottle(clock, logger, config.server.idle_timeout_seconds * SECOND_MS);
  const directories = createDirectoriesOf(ground);
  const sessions = createSessionService({
    ...ground,
    throttle: newThrottle(),
    confirmElsewhere: directories.confirmPassword,
  });
  const factors = createFactorService(ground);
  const passkeys = createPasskeyService({ ...ground, factors });
  const tickets = createTickets({ clock, ids, key: secrets.deriveKey("sign-in-tickets") });
  const breakGlass = createBreakGlassService({
    ...ground,
    sessions,
    announce: (tx, organisationId, data) =>
      outbox.publish(tx, { organisationId, type: "account.break_glass_used", data }),
  });
  return {
    directories,
    sessions,
    factors,
    passkeys,
    tickets,
    breakGlass,
    sessionList: createSessionList(ground),
    signIn: createSignInService({
      ...ground,
      sessions,
      factors,
      passkeys,
      breakGlass,
      directories,
      tickets,
      throttle: newThrottle(),
    }),
  };
}

function createDirectoriesOf(ground: SignInGround) {
  const { config, clock, logger } = ground;
  const { sign_in: settings, server, dashboard_url: dashboardUrl } = config;
  const gate = createHashGate(settings.ldap.connections);
  const people = createDirectoryPeople({ ...ground, settings });
  const oidc = settings.oidc.issuer === "" ? null : oidcOf(settings.oidc, { ...ground, dashboardUrl });
  const ldap = settings.ldap.urls.length === 0 ? null : ldapOf(settings.ldap, { clock, gate });
  return createDirectories({
    ...ground,
    settings,
    people,
    oidc,
    ldap,
    rechecks: createRechecks({ ...ground, settings, people, oidc, ldap }),
    throttle: createLoginThrottle(clock, logger, server.idle_timeout_seconds * SECOND_MS, gate),
  });
}

type OidcGround = Omit<SignInGround, "config"> & { dashboardUrl: string };

function oidcOf(settings: OidcSettings, ground: OidcGround) {
  const client = createOidcClient({ settings, clock: ground.clock, caPem: readPem(settings.ca_file) });
  return createOidcDirectory({ ...ground, settings, client });
}

function ldapOf(settings: LdapSettings, { clock, gate }: { clock: Clock; gate: HashGate }) {
  const connector = createLdapConnector({ settings, clock, caPem: readPem(settings.ca_file) });
  return createLdapDirectory({ settings, connector, gate, clock });
}

const readPem = (file: string): string | null => (file === "" ? null : readFileSync(file, "utf8"));

// A person's own second factors. Each change needs the password, because the screen may be unattended, and ends the
// person's other sessions.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { FactorService } from "../../accounts/factor-service.ts";
import type { PasskeyService } from "../../accounts/passkey-service.ts";
import type { SessionService } from "../../accounts/session-service.ts";
import type { Tickets } from "../../accounts/sign-in-ticket.ts";
import { NewCredential } from "../../accounts/webauthn.ts";
import type { Actor } from "../../core/actor.ts";
import { AppError } from "../../core/errors.ts";
import type { Database } from "../../db/database.ts";
import { createPasskeyPage } from "../passkey-page.ts";
import { sessionTokenOf, ticketCookie, ticketOf } from "../session-cookie.ts";
import type { SessionGuard } from "../session-guard.ts";

export interface FactorRouteDeps {
  guard: SessionGuard;
  db: Database;
  factors: FactorService;
  passkeys: PasskeyService;
  sessions: SessionService;
  tickets: Tickets;
  isSecure: boolean;
  ownUrls: readonly string[];
  sourceOf: (request: Request) => string;
}

const text = (maxLength: number) => Type.String({ minLength: 1, maxLength });
const WithPassword = Type.Object({ password: text(200) });
const ById = Type.Object({ id: text(64) });
const PATH = "/dashboard/api/account/factors";

export function factorRoutes(deps: FactorRouteDeps) {
  const { guard, db, factors, passkeys, sessions, tickets, isSecure, ownUrls, sourceOf } = deps;
  const page = createPasskeyPage(ownUrls);
  const fingerprint = (request: Request) => sessions.fingerprintOf(sessionTokenOf(request) ?? "");
  const by = (request: Request, actor: Actor) => ({ actor, keptSession: fingerprint(request) });
  const assertPassword = (email: string, password: string, request: Request) =>
    sessions.assertPassword(email, password, sourceOf(request), "password");

  return new Elysia({ name: "dashboard-factors" })
    .use(guard)
    .get(PATH, ({ session }) => factors.view(session.personId), { role: "viewer" })
    .post(
      `${PATH}/code`,
      async ({ session, request, body }) => {
        await assertPassword(session.email, body.password, request);
        return factors.beginCode(session.personId);
      },
      { role: "viewer", body: WithPassword },
    )
    .post(
      `${PATH}/code/confirm`,
      async ({ session, actor, request, body }) => ({
        recovery_codes: await factors.confirmCode(session.personId, body.code, by(request, actor)),
      }),
      { role: "viewer", body: Type.Object({ code: text(40) }) },
    )
    .post(
      `${PATH}/code/remove`,
      async ({ session, actor, request, body }) => {
        await assertPassword(session.email, body.password, request);
        await factors.removeCode(session.personId, by(request, actor));
        return { ok: true };
      },
      { role: "viewer", body: WithPassword },
    )
    .post(
      `${PATH}/recovery-codes`,
      async ({ session, actor, request, body }) => {
        await assertPassword(session.email, body.password, request);
        return { recovery_codes: await factors.renewRecoveryCodes(session.personId, by(request, actor)) };
      },
      { role: "viewer", body: WithPassword },
    )
    .post(
      `${PATH}/passkeys/options`,
      async ({ session, request, body, set }) => {
        const at = page(request);
        const person = await assertPassword(session.email, body.password, request);
        const kind = "add_passkey";
        const asked = tickets.withChallenge({ kind, personId: person.id, session: fingerprint(request) });
        set.headers["set-cookie"] = ticketCookie(asked.token, isSecure);
        return passkeys.creationOptions(person, asked.challenge, at);
      },
      { role: "viewer", body: WithPassword },
    )
    .post(
      `${PATH}/passkeys`,
      async ({ session, actor, request, body }) => {
        const ticket = tickets.read(ticketOf(request), "add_passkey");
        const isOwn = ticket?.session === fingerprint(request) && ticket.personId === session.personId;
        if (!isOwn || ticket.challenge === null) throw new AppError("CONFLICT", "This took too long. Begin again.");
        const expected = { challenge: ticket.challenge, ...page(request) };
        const added = { name: body.name, expected, by: by(request, actor) };
        const codes = await db.write((tx) => passkeys.addWithin(tx, session.personId, body.credential, added));
        return { recovery_codes: codes };
      },
      { role: "viewer", body: Type.Object({ name: text(60), credential: NewCredential }) },
    )
    .patch(
      `${PATH}/passkeys/:id`,
      async ({ session, params, body }) => {
        await factors.renamePasskey(session.personId, params.id, body.name);
        return { ok: true };
      },
      { role: "viewer", params: ById, body: Type.Object({ name: text(60) }) },
    )
    .post(
      `${PATH}/passkeys/:id/remove`,
      async ({ session, actor, params, request, body }) => {
        await assertPassword(session.email, body.password, request);
        await factors.removePasskey(session.personId, params.id, by(request, actor));
        return { ok: true };
      },
      { role: "viewer", params: ById, body: WithPassword },
    );
}

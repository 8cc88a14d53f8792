// The second step of a sign-in: a code or a passkey, the set-up of a factor that the role needs, and a passkey alone.
// The ticket cookie names the person; it opens nothing but these routes.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { SignInService } from "../../accounts/sign-in-service.ts";
import { Assertion, NewCredential } from "../../accounts/webauthn.ts";
import { createPasskeyPage } from "../passkey-page.ts";
import { finishedCookies, ticketCookie, ticketOf } from "../session-cookie.ts";
import type { SessionGuard } from "../session-guard.ts";
import { originOf } from "./auth-routes.ts";

export interface SignInRouteDeps {
  guard: SessionGuard;
  signIn: SignInService;
  isSecure: boolean;
  ownUrls: readonly string[];
  sourceOf: (request: Request) => string;
}

const text = (maxLength: number) => Type.String({ minLength: 1, maxLength });
const PATH = "/dashboard/api/sign-in";

export function signInRoutes({ guard, signIn, isSecure, ownUrls, sourceOf }: SignInRouteDeps) {
  const origin = originOf(sourceOf);
  const page = createPasskeyPage(ownUrls);
  return new Elysia({ name: "dashboard-sign-in" })
    .use(guard)
    .post(
      `${PATH}/code`,
      async ({ request, body, set }) => {
        const opened = await signIn.enterCode(ticketOf(request), body.code, origin(request));
        set.headers["set-cookie"] = finishedCookies(opened, isSecure);
        return { ok: true };
      },
      { role: "nobody", body: Type.Object({ code: text(40) }) },
    )
    .post(
      `${PATH}/passkey/options`,
      async ({ request, body, set }) => {
        const asked = await signIn.passkeyOptions(ticketOf(request), page(request), body.alone);
        set.headers["set-cookie"] = ticketCookie(asked.ticket, isSecure);
        return asked.options;
      },
      { role: "nobody", body: Type.Object({ alone: Type.Boolean() }) },
    )
    .post(
      `${PATH}/passkey`,
      async ({ request, body, set }) => {
        const opened = await signIn.passkey(ticketOf(request), body, page(request), origin(request));
        set.headers["set-cookie"] = finishedCookies(opened, isSecure);
        return { ok: true };
      },
      { role: "nobody", body: Assertion },
    )
    .post(`${PATH}/set-up/code`, ({ request }) => signIn.beginCodeSetUp(ticketOf(request)), { role: "nobody" })
    .post(
      `${PATH}/set-up/code/confirm`,
      async ({ request, body, set }) => {
        const { opened, recoveryCodes } = await signIn.confirmCodeSetUp(ticketOf(request), body.code, origin(request));
        set.headers["set-cookie"] = finishedCookies(opened, isSecure);
        return { recovery_codes: recoveryCodes };
      },
      { role: "nobody", body: Type.Object({ code: text(40) }) },
    )
    .post(
      `${PATH}/set-up/passkey/options`,
      async ({ request, set }) => {
        const asked = await signIn.passkeySetUpOptions(ticketOf(request), page(request));
        set.headers["set-cookie"] = ticketCookie(asked.ticket, isSecure);
        return asked.options;
      },
      { role: "nobody" },
    )
    .post(
      `${PATH}/set-up/passkey`,
      async ({ request, body, set }) => {
        const ticket = ticketOf(request);
        const done = await signIn.passkeySetUp(ticket, body, page(request), origin(request));
        set.headers["set-cookie"] = finishedCookies(done.opened, isSecure);
        return { recovery_codes: done.recoveryCodes };
      },
      { role: "nobody", body: Type.Object({ name: text(60), credential: NewCredential }) },
    );
}

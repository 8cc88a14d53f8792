// Password resets and invitations by e-mail.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { PasswordLinks } from "../../accounts/password-links.ts";
import type { SessionGuard } from "../session-guard.ts";

export interface PasswordLinkRouteDeps {
  guard: SessionGuard;
  passwordLinks: PasswordLinks;
  sourceOf: (request: Request) => string;
}

const text = (maxLength: number) => Type.String({ minLength: 1, maxLength });
const token = text(100);

export function passwordLinkRoutes({ guard, passwordLinks, sourceOf }: PasswordLinkRouteDeps) {
  return new Elysia({ name: "dashboard-password-links" })
    .use(guard)
    .post(
      "/dashboard/api/forgot-password",
      ({ body, request }) => {
        passwordLinks.request(body.email, sourceOf(request));
        return { ok: true };
      },
      { role: "nobody", body: Type.Object({ email: text(254) }) },
    )
    .post(
      "/dashboard/api/password-link",
      // A POST, because addresses are logged.
      async ({ body }) => ({ link: await passwordLinks.find(body.token) }),
      { role: "nobody", body: Type.Object({ token }) },
    )
    .post(
      "/dashboard/api/password-link/use",
      async ({ body }) => {
        await passwordLinks.redeem(body.token, body.password);
        return { ok: true };
      },
      { role: "nobody", body: Type.Object({ token, password: text(200) }) },
    )
    .post(
      "/dashboard/api/people/:email/invitation",
      async ({ session, actor, params }) => {
        await passwordLinks.invite(session.organisationId, params.email, actor);
        return { ok: true };
      },
      { role: "owner", params: Type.Object({ email: text(254) }) },
    );
}

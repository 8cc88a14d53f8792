// Sign-in with the hospital's OpenID Connect provider. The provider sends the browser to the page /dashboard/oidc,
// which hands code and state to the second route. So every cookie stays SameSite=Strict, and the second factor of a
// password sign-in follows here as well.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Directories } from "../../accounts/directories/directories.ts";
import type { SignInService } from "../../accounts/sign-in-service.ts";
import { endedFlowCookie, flowCookie, flowOf, openedCookies, ticketCookie } from "../session-cookie.ts";
import type { SessionGuard } from "../session-guard.ts";
import { originOf } from "./auth-routes.ts";

export interface DirectoryRouteDeps {
  guard: SessionGuard;
  directories: Directories;
  signIn: SignInService;
  isSecure: boolean;
  sourceOf: (request: Request) => string;
}

/** Codes of some providers have more than a thousand characters. */
const given = Type.Optional(Type.String({ maxLength: 4_000 }));
const PATH = "/dashboard/api/sign-in/oidc";

export function directoryRoutes({ guard, directories, signIn, isSecure, sourceOf }: DirectoryRouteDeps) {
  const origin = originOf(sourceOf);
  return new Elysia({ name: "dashboard-directories" })
    .use(guard)
    .post(
      `${PATH}/begin`,
      async ({ request, set }) => {
        const { flow, url } = await directories.begin(origin(request));
        set.headers["set-cookie"] = flowCookie(flow, isSecure);
        return { url };
      },
      { role: "nobody" },
    )
    .post(
      `${PATH}/finish`,
      async ({ request, body, set }) => {
        const from = origin(request);
        const admitted = await signIn.admitFrom(await directories.finish(flowOf(request), body, from), from, "oidc");
        const ended = endedFlowCookie(isSecure);
        if (admitted.next === "open") {
          set.headers["set-cookie"] = [...openedCookies(admitted.opened, isSecure), ended];
          return { next: admitted.next, ways: null };
        }
        set.headers["set-cookie"] = [ticketCookie(admitted.ticket, isSecure), ended];
        return { next: admitted.next, ways: admitted.ways };
      },
      { role: "nobody", body: Type.Object({ code: given, state: given, iss: given, error: given }) },
    );
}

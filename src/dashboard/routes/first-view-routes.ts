// The first view of a page in one response.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { infoOf } from "../../http/request-info.ts";
import type { FirstView } from "../first-view.ts";
import type { SessionGuard } from "../session-guard.ts";

export interface FirstViewRouteDeps {
  guard: SessionGuard;
  firstView: FirstView;
}

export function firstViewRoutes({ guard, firstView }: FirstViewRouteDeps) {
  return new Elysia({ name: "dashboard-first-view" }).use(guard).get(
    "/dashboard/api/first-view",
    ({ request, query }) => {
      const { source, keepOpen = () => {} } = infoOf(request);
      return firstView.answer(request, query.ask, { source, keepOpen, isClosing: () => false });
    },
    { role: "nobody", query: Type.Object({ ask: Type.String({ maxLength: 1_000 }) }) },
  );
}

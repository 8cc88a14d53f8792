// Which schema a route's body is checked against, by method and pattern. The routes are complete at the first request.
import type { TSchema } from "@sinclair/typebox";

export interface RouteWithHooks {
  method: string;
  path: string;
  hooks?: unknown;
}

export type BodySchemaOf = (method: string, route: string) => TSchema | undefined;

export function createBodySchemas(routes: () => readonly RouteWithHooks[]): BodySchemaOf {
  let known: ReadonlyMap<string, TSchema> | undefined;
  return (method, route) => (known ??= bodySchemas(routes())).get(`${method} ${route}`);
}

export function bodySchemas(routes: readonly RouteWithHooks[]): Map<string, TSchema> {
  const named = routes.flatMap(({ method, path, hooks }) => {
    const { body } = (hooks ?? {}) as { body?: TSchema };
    return body ? [[`${method} ${path}`, body] as const] : [];
  });
  return new Map(named);
}

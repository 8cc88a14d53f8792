// Body and query schemas of the routes, by method and pattern. The routes are complete at the first request.
import type { TSchema } from "@sinclair/typebox";

export interface RouteWithHooks {
  method: string;
  path: string;
  hooks?: unknown;
}

/** The declared schemas of a route's body and query. */
export interface RouteSchemas {
  body?: TSchema;
  query?: TSchema;
}
export type SchemasOf = (method: string, route: string) => RouteSchemas;

const NONE: RouteSchemas = {};

export function createRouteSchemas(routes: () => readonly RouteWithHooks[]): SchemasOf {
  let known: ReadonlyMap<string, RouteSchemas> | undefined;
  return (method, route) => (known ??= routeSchemas(routes())).get(`${method} ${route}`) ?? NONE;
}

function routeSchemas(routes: readonly RouteWithHooks[]): Map<string, RouteSchemas> {
  return new Map(routes.map(({ method, path, hooks }) => [`${method} ${path}`, (hooks ?? NONE) as RouteSchemas]));
}

export function bodySchemas(routes: readonly RouteWithHooks[]): Map<string, TSchema> {
  return new Map([...routeSchemas(routes)].flatMap(([name, { body }]) => (body ? [[name, body] as const] : [])));
}

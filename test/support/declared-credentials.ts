// Which /v1 routes forgot to say who may call them.

interface DeclaredRoute {
  method: string;
  path: string;
  hooks?: unknown;
}

/** Routes under /v1 that declare neither a scope (x-scope) nor a credential of another kind (x-credential). */
export function routesWithoutCredential(routes: readonly DeclaredRoute[]): string[] {
  return routes
    .filter(({ path }) => path === "/v1" || path.startsWith("/v1/"))
    .filter(({ hooks }) => {
      const { detail = {} } = (hooks ?? {}) as { detail?: Record<string, unknown> };
      return detail["x-scope"] === undefined && detail["x-credential"] === undefined;
    })
    .map(({ method, path }) => `${method} ${path}`);
}

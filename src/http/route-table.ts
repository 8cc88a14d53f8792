// Trie of the allowed methods per address, built once from the routes. A lookup walks the address by segment and stops
// where no route continues, so a long address costs no more than a short one.

export interface KnownRoute {
  method: string;
  path: string;
}

export interface RouteTable {
  /** Sorted; empty if there is nothing at this address. */
  methodsOf(path: string): readonly string[];
}

interface Node {
  readonly named: Map<string, Node>;
  /** `:id` in a pattern: any non-empty segment. */
  parameter: Node | null;
  readonly methods: Set<string>;
}

const newNode = (): Node => ({ named: new Map(), parameter: null, methods: new Set() });

export function createRouteTable(routes: readonly KnownRoute[]): RouteTable {
  const root = newNode();
  for (const { method, path } of routes) {
    let node = root;
    for (const segment of path.split("/")) node = childFor(node, segment);
    node.methods.add(method);
  }
  return {
    methodsOf(path) {
      const found = new Set<string>();
      collect(root, path, 0, found);
      return [...found].toSorted();
    },
  };
}

function childFor(node: Node, segment: string): Node {
  if (segment.startsWith(":")) return (node.parameter ??= newNode());
  let child = node.named.get(segment);
  if (!child) node.named.set(segment, (child = newNode()));
  return child;
}

/** At most two branches per step, and no more steps than the longest pattern has segments. */
function collect(node: Node, path: string, from: number, found: Set<string>): void {
  if (from > path.length) {
    for (const method of node.methods) found.add(method);
    return;
  }
  if (node.named.size === 0 && node.parameter === null) return;
  const slash = path.indexOf("/", from);
  const to = slash === -1 ? path.length : slash;
  const named = node.named.get(path.slice(from, to));
  if (named) collect(named, path, to + 1, found);
  if (node.parameter && to > from) collect(node.parameter, path, to + 1, found);
}

// Resources that a search brings along with its matches.
import type { Asker, Kind, Resource, Search } from "./kind.ts";

/** `_include:iterate` follows references this far: Slot → Schedule → Location. */
const MOST_STEPS = 3;

export async function includedIn(
  kinds: readonly Kind[],
  asker: Asker,
  search: Search,
  matches: readonly Resource[],
): Promise<Resource[]> {
  const found = new Map<string, Resource>();
  const known = new Set(matches.map(referenceOf));
  let from: readonly Resource[] = matches;
  for (let step = 0; step < MOST_STEPS && from.length > 0; step++) {
    const asked = search.includes.filter(({ iterates }) => step === 0 || iterates);
    const wanted = new Set(asked.flatMap((include) => from.flatMap((resource) => targetsOf(kinds, include, resource))));
    const added: Resource[] = [];
    for (const kind of kinds) {
      const ids = [...wanted].filter((one) => !known.has(one)).flatMap((one) => idOf(one, kind.type));
      if (ids.length > 0) added.push(...(await kind.read(asker, ids)));
    }
    for (const reference of wanted) known.add(reference);
    for (const resource of added) found.set(referenceOf(resource), resource);
    from = added;
  }
  return [...found.values()];
}

const referenceOf = ({ resourceType, id = "" }: Resource) => `${resourceType}/${id}`;

const idOf = (reference: string, type: string): string[] =>
  reference.startsWith(`${type}/`) ? [reference.slice(type.length + 1)] : [];

function targetsOf(kinds: readonly Kind[], asked: Search["includes"][number], resource: Resource): string[] {
  if (asked.type !== resource.resourceType) return [];
  const include = kinds.find(({ type }) => type === asked.type)?.includes.find(({ name }) => name === asked.name);
  if (!include) return [];
  return include
    .of(resource)
    .flatMap((reference) => reference ?? [])
    .filter((reference) => asked.target === undefined || reference.startsWith(`${asked.target}/`));
}

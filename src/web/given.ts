// Query parameters of the API.

/** A query without its empty values. */
export function given<Values extends Record<string, string | null | undefined>>(
  values: Values,
): { [Name in keyof Values]?: NonNullable<Values[Name]> } {
  const filled = Object.entries(values).filter(([, value]) => value);
  return Object.fromEntries(filled) as { [Name in keyof Values]?: NonNullable<Values[Name]> };
}

// Memoizes an expensive value on first use. A value computed at module load would delay every start and every command.
export function lazily<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}

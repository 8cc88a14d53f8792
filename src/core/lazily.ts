// What is dear to make and not needed at once: made when it is first asked for, and kept. Whatever a module makes when
// it is loaded is paid for by every start and every command.
export function lazily<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}

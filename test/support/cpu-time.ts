// Measures CPU time, which a busy neighbour does not inflate as it does wall time.

/** Of all threads of this process. */
export async function cpuMsOf(act: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await act();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

// The IPv6 loopback address, for tests that need it. It is added to a machine that lacks it; otherwise the test fails.

export async function bringIpv6Loopback(): Promise<void> {
  if (await hasLoopback()) return;
  for (const command of [
    ["sysctl", "-w", "net.ipv6.conf.all.disable_ipv6=0", "net.ipv6.conf.lo.disable_ipv6=0"],
    ["ip", "-6", "address", "add", "::1/128", "dev", "lo"],
  ]) {
    if (Bun.which(command[0] ?? "") !== null) Bun.spawnSync(command);
  }
  if (!(await hasLoopback())) throw new Error("This machine has no ::1. Switch IPv6 on for its loopback interface.");
}

async function hasLoopback(): Promise<boolean> {
  try {
    (await Bun.udpSocket({ hostname: "::1", port: 0 })).close();
    return true;
  } catch {
    return false;
  }
}

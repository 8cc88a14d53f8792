// A telephone exchange between the hospital's trunk and two telephones: the patient's, and the desk's. It passes SIP on
// by the name that is dialled, and changes nothing; audio goes past it.
const DESK = "operator";

export interface ExchangeOptions {
  /** Where the trunk expects it. */
  port: number;
  /** Of the executable. */
  hospitalPort: number;
  phonePort: number;
  deskPort: number;
}

export async function startExchange(options: ExchangeOptions): Promise<{ close(): void }> {
  const { port, hospitalPort, phonePort, deskPort } = options;
  const socket = await Bun.udpSocket({
    hostname: "127.0.0.1",
    port,
    socket: {
      data(own, bytes, fromPort) {
        const text = bytes.toString("latin1");
        // What a telephone sends is for the hospital, unless the one asks for the other.
        const [, name] = /^[A-Z]+ sips?:([^@\s]+)@/.exec(text) ?? [];
        const to = name === DESK ? deskPort : fromPort === hospitalPort ? phonePort : hospitalPort;
        own.send(bytes, to, "127.0.0.1");
      },
      // A telephone that was put away.
      error() {},
    },
  });
  return { close: () => socket.close() };
}

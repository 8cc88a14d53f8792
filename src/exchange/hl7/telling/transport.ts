// Sends events of endpoints of kind hl7: builds the message, sends it over MLLP, and reads the acknowledgement.
import type { SecureContext } from "node:tls";
import { stopwatch } from "../../../core/clock.ts";
import { invalidField, messageOf } from "../../../core/errors.ts";
import type { AllowList } from "../../../net/allow-list.ts";
import { systemResolve, type Resolve } from "../../../net/dns.ts";
import { NetFailure } from "../../../net/failure.ts";
import type { Hl7Delivery, Hl7Transport, TellingResult } from "../../../events/hl7-port.ts";
import { encodeText } from "../message/charset.ts";
import type { Hl7Sources } from "../ports.ts";
import { addressFault, assertPeerAddress, peerAddresses, readAddress } from "./address.ts";
import { MllpLinks } from "./mllp-link.ts";
import { toldMessage, type ToldEvent } from "./told-message.ts";

export interface TransportDeps {
  sources: Pick<Hl7Sources, "byId">;
  peers: AllowList;
  trust: () => SecureContext;
  resolve?: Resolve;
}

/** HL7 allows 20 characters in MSH-10. */
const LONGEST_CONTROL_ID = 20;

export function createHl7Transport({ sources, peers, trust, resolve = systemResolve }: TransportDeps): Hl7Transport {
  const links = new MllpLinks({
    trust,
    addressesOf: (target, deadline) => peerAddresses(target, peers, resolve, deadline),
  });

  async function exchanged({ address, timeoutMs, ...delivery }: Hl7Delivery) {
    const { event, organisationId, sourceId } = delivery;
    const source = await sources.byId(organisationId, sourceId);
    if (!source) throw new NetFailure("blocked", "The source was removed.");
    const { told, ...appointment } = JSON.parse(event.data) as ToldEvent["appointment"] & Pick<ToldEvent, "told">;
    const controlId = event.id.slice(-LONGEST_CONTROL_ID).toUpperCase();
    const message = toldMessage({ controlId, at: event.created_at, told, appointment }, source.settings);
    const charset = source.settings.tell?.charset ?? "UNICODE UTF-8";
    return links.exchange(readAddress(address), encodeText(message, charset), controlId, timeoutMs);
  }

  return {
    checkAddress(address) {
      try {
        assertPeerAddress(address, peers);
      } catch (error) {
        throw invalidField("address", addressFault(error));
      }
    },
    async tell(delivery): Promise<TellingResult> {
      const elapsedMs = stopwatch();
      try {
        const { code, text } = await exchanged(delivery);
        return { kind: "answered", code, text, durationMs: elapsedMs() };
      } catch (error) {
        const kind = error instanceof NetFailure ? error.kind : "our_fault";
        return { kind, detail: messageOf(error), durationMs: elapsedMs() };
      }
    },
  };
}

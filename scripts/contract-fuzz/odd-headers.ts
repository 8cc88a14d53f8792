// Headers that request something the route does not offer, or that are malformed.
import { oneOf, type Draw } from "./draw.ts";
import { longText } from "./odd-text.ts";

const ODD_HEADERS: readonly Readonly<Record<string, string>>[] = [
  { accept: "text/csv" },
  { accept: "application/xml" },
  { accept: "text/html, */*;q=0.1" },
  { accept: "" },
  { "accept-language": "hi, en;q=0.5" },
  { "accept-encoding": "gzip, br" },
  { "if-none-match": "*" },
  { "if-match": '"nothing"' },
  { "if-modified-since": "Wed, 21 Oct 2037 07:28:00 GMT" },
  { "if-unmodified-since": "Wed, 21 Oct 2015 07:28:00 GMT" },
  { range: "bytes=0-1" },
  { range: "bytes=5-1" },
  { range: "bytes=-0" },
  { range: "bytes=99999999999999999999-" },
  { range: "lines=1-2" },
  { "idempotency-key": "" },
  { "idempotency-key": '""' },
  { "idempotency-key": longText(255) },
  { "idempotency-key": longText(256) },
  { "idempotency-key": "\u00ff" },
  { "idempotency-key": "a\tb" },
  { "x-http-method-override": "DELETE" },
  { "x-forwarded-for": "127.0.0.1" },
  { "x-forwarded-host": "elsewhere.example" },
  { origin: "https://elsewhere.example" },
  { cookie: `a=${longText(2_000)}; ringward_session=nobody` },
  { authorization: "Bearer nobody" },
  { "x-request-id": "req_mine" },
  { "x-inbound-timestamp": "NaN", "x-inbound-signature": longText(64, "0") },
  { "x-inbound-timestamp": "9999999999999999", "x-inbound-signature": "" },
];

export const oddHeaders = (draw: Draw): Readonly<Record<string, string>> => oneOf(draw, ODD_HEADERS);

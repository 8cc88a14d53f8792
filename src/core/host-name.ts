// What a DNS host name may look like (RFC 1123, with the underscore that internal names often carry).

const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;
/** RFC 1035, section 2.3.4, without the final dot. */
const LONGEST_NAME = 253;

export function isHostName(text: string): boolean {
  return text.length <= LONGEST_NAME && text.split(".").every((label) => LABEL.test(label));
}

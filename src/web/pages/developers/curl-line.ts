// A curl command for the inbound hook, signed if a signature is required.

export interface CurlLineInput {
  url: string;
  agentId: string;
  /** Null if no signature is required. */
  secret: string | null;
}

export function curlLine({ url, agentId, secret }: CurlLineInput): string {
  const body = JSON.stringify({
    action: "call.create",
    data: { agent_id: agentId, user_number: "+15555550123", user_name: "Test Patient" },
  });
  if (secret === null)
    return [`curl -s '${url}' \\`, `  -H 'content-type: application/json' \\`, `  -d '${body}'`].join("\n");
  return [
    `BODY='${body}'`,
    `TIME=$(date +%s)`,
    `SIGNATURE=$(printf '%s.%s' "$TIME" "$BODY" | openssl dgst -sha256 -hmac '${secret}' -r | cut -d ' ' -f 1)`,
    `curl -s '${url}' \\`,
    `  -H 'content-type: application/json' \\`,
    `  -H "x-inbound-timestamp: $TIME" \\`,
    `  -H "x-inbound-signature: $SIGNATURE" \\`,
    `  -d "$BODY"`,
  ].join("\n");
}

/** Fields for Zapier, Make, n8n and similar tools: a URL, and names with values. */
export const noCodeFields = (url: string, agentId: string): string =>
  [
    `POST ${url}`,
    "action                  call.create",
    `agent_id                ${agentId}`,
    "contact_number          {{number}}",
    "contact_name            {{name}}",
    "additional_info[visit]  {{visit}}",
  ].join("\n");

// A small S3 store in memory that checks every signature (AWS Signature Version 4) by itself, with uploads in parts and
// lists in pages. Faults can be switched on.
import { createHash, createHmac } from "node:crypto";

export interface StrictS3 {
  url: string;
  objects: Map<string, Buffer>;
  /** "METHOD key" of every request that was accepted. */
  requests: string[];
  refused: string[];
  /** Returns a status for a request that fails; null otherwise. */
  fault: (method: string, key: string) => number | null;
  /** Changes an object as it is stored. */
  damage: (key: string, bytes: Buffer) => Buffer;
  /** Changes the text of a page of a list. */
  page: (text: string) => string;
  stop(): void;
}

export const S3_ACCOUNT = {
  region: "us-east-1",
  access_key_id: "ringward-test",
  secret_access_key: "a secret of tests",
};

const BUCKET = "backups";
const PAGE = 3;

const sha256 = (bytes: string | Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();
const encoded = (text: string) =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

export function startStrictS3(): StrictS3 {
  const uploads = new Map<string, { key: string; parts: Map<number, Buffer> }>();
  const store: Omit<StrictS3, "url" | "stop"> = {
    objects: new Map(),
    requests: [],
    refused: [],
    fault: () => null,
    damage: (_, bytes) => bytes,
    page: (text) => text,
  };
  let uploadsMade = 0;

  async function answer(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const body = Buffer.from(await request.arrayBuffer());
    const [, bucket, ...rest] = decodeURIComponent(url.pathname).split("/");
    const key = rest.join("/");
    const why = bucket === BUCKET ? signatureFault(request, url, body) : "NoSuchBucket";
    if (why !== null) {
      store.refused.push(`${request.method} ${key}: ${why}`);
      return fault(403, why);
    }
    const failing = store.fault(request.method, key);
    if (failing !== null) return fault(failing, "InternalError");
    store.requests.push(`${request.method} ${key}`);
    const query = url.searchParams;
    if (request.method === "GET") return key === "" ? listed(query) : got(request, key);
    if (request.method === "HEAD") return got(request, key);
    if (request.method === "DELETE") {
      store.objects.delete(key);
      return new Response(null, { status: 204 });
    }
    if (request.method === "POST" && query.has("uploads")) {
      const id = `upload-${++uploadsMade}`;
      uploads.set(id, { key, parts: new Map() });
      return xml(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`);
    }
    const upload = uploads.get(query.get("uploadId") ?? "");
    if (request.method === "PUT" && upload) {
      upload.parts.set(Number(query.get("partNumber")), body);
      return new Response(null, { headers: { etag: `"${sha256(body).slice(0, 32)}"` } });
    }
    if (request.method === "POST" && upload) {
      const parts = [...upload.parts].toSorted(([a], [b]) => a - b).map(([, part]) => part);
      store.objects.set(key, store.damage(key, Buffer.concat(parts)));
      uploads.delete(query.get("uploadId") ?? "");
      return xml(`<CompleteMultipartUploadResult><ETag>"done"</ETag></CompleteMultipartUploadResult>`);
    }
    if (request.method !== "PUT") return fault(405, "MethodNotAllowed");
    store.objects.set(key, store.damage(key, body));
    return new Response(null, { headers: { etag: `"${sha256(body).slice(0, 32)}"` } });
  }

  function got(request: Request, key: string): Response {
    const bytes = store.objects.get(key);
    if (!bytes) return fault(404, "NoSuchKey");
    if (request.method === "HEAD") return new Response(null, { headers: { "content-length": String(bytes.length) } });
    return new Response(new Uint8Array(bytes));
  }

  function listed(query: URLSearchParams): Response {
    const prefix = query.get("prefix") ?? "";
    const after = query.get("continuation-token") ?? "";
    const keys = [...store.objects.keys()].filter((key) => key.startsWith(prefix) && key > after).toSorted();
    const page = keys.slice(0, PAGE);
    const isTruncated = keys.length > PAGE;
    const contents = page.map(
      (key) => `<Contents><Key>${key}</Key><Size>${store.objects.get(key)?.length ?? 0}</Size></Contents>`,
    );
    const next = isTruncated ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : "";
    const text =
      `<ListBucketResult><Name>${BUCKET}</Name><Prefix>${prefix}</Prefix><KeyCount>${page.length}</KeyCount>` +
      `<IsTruncated>${isTruncated}</IsTruncated>${next}${contents.join("")}</ListBucketResult>`;
    return xml(store.page(text));
  }

  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", maxRequestBodySize: 2 ** 30, fetch: answer });
  return Object.assign(store, {
    url: `http://127.0.0.1:${server.port}`,
    stop: () => void server.stop(true),
  });
}

/** Null if the signature is right. */
function signatureFault(request: Request, url: URL, body: Buffer): string | null {
  const header = request.headers.get("authorization") ?? "";
  const pattern =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/;
  const [, account, day = "", region, names = "", signature] = pattern.exec(header) ?? [];
  if (signature === undefined) return "MissingSecurityHeader";
  if (account !== S3_ACCOUNT.access_key_id) return "InvalidAccessKeyId";
  if (region !== S3_ACCOUNT.region) return "AuthorizationHeaderMalformed";
  const at = request.headers.get("x-amz-date") ?? "";
  const contentHash = request.headers.get("x-amz-content-sha256") ?? "";
  if (contentHash !== "UNSIGNED-PAYLOAD" && contentHash !== sha256(body)) return "XAmzContentSHA256Mismatch";
  const signed = names.split(";");
  if (!signed.includes("host") || !at.startsWith(day)) return "SignatureDoesNotMatch";
  const query = [...url.searchParams]
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .toSorted()
    .join("&");
  const headers = signed.map((name) => `${name}:${(request.headers.get(name) ?? "").trim()}\n`).join("");
  const path = decodeURIComponent(url.pathname).split("/").map(encoded).join("/");
  const canonical = [request.method, path, query, headers, names, contentHash].join("\n");
  const toSign = ["AWS4-HMAC-SHA256", at, `${day}/${region}/s3/aws4_request`, sha256(canonical)].join("\n");
  const signingKey = ["s3", "aws4_request"].reduce(
    (key, text) => hmac(key, text),
    hmac(hmac(`AWS4${S3_ACCOUNT.secret_access_key}`, day), region),
  );
  return createHmac("sha256", signingKey).update(toSign).digest("hex") === signature ? null : "SignatureDoesNotMatch";
}

const xml = (text: string, status = 200) =>
  new Response(`<?xml version="1.0" encoding="UTF-8"?>\n${text}`, {
    status,
    headers: { "content-type": "application/xml" },
  });

const fault = (status: number, code: string) =>
  xml(`<Error><Code>${code}</Code><Message>${code}</Message></Error>`, status);

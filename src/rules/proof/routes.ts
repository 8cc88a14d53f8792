// Routes of proofs. A proof and a head are answered as they were signed, byte for byte, without the usual "data".
import { Elysia } from "elysia";
import { Type } from "@sinclair/typebox";
import { AppError } from "../../core/errors.ts";
import type { Guard } from "../../http/guard.ts";
import { streamedFile } from "../../http/streamed-file.ts";
import type { ProofService } from "./proof-service.ts";

const HEX = (bytes: number, description: string) => Type.String({ pattern: `^[0-9a-f]{${2 * bytes}}$`, description });
const signed = <Name extends string>(name: Name, description: string) =>
  Type.Object({
    hash: HEX(32, `SHA-256 of ${name}, in canonical JSON.`),
    [name]: Type.Object({}, { additionalProperties: true, description }),
    signature: HEX(64, `Ed25519 signature of ${name}, in canonical JSON.`),
  });

const ProofSchema = signed("record", "What is proven; see /docs/lawful-calls.");
const HeadSchema = signed("head", "The last record of this organisation's chain.");
const KeysSchema = Type.Object({
  data: Type.Object({
    keys: Type.Array(
      Type.Object({
        public_key: HEX(32, "Ed25519."),
        created_at: Type.String({ format: "date-time" }),
        retired_at: Type.Union([Type.String({ format: "date-time" }), Type.Null()]),
      }),
    ),
  }),
});

const detail = (operationId: string, summary: string, errors: readonly string[], more: object = {}) => ({
  tags: ["Proofs"],
  operationId,
  summary,
  "x-errors": [...errors],
  ...more,
});

const asFile = (fileName: string) => ({
  "content-type": "application/json",
  "content-disposition": `attachment; filename="${fileName}"`,
  "cache-control": "no-store",
});

/** A line as a file of its own. */
export const proofFile = (callId: string, line: string): Response =>
  new Response(`${line}\n`, { headers: asFile(`proof-${callId}.json`) });

export const LINES = "application/x-ndjson";

export const PeriodQuery = Type.Object({
  from: Type.Optional(
    Type.String({ maxLength: 40, description: "ISO 8601 with offset, included; without it, a day before to." }),
  ),
  to: Type.Optional(Type.String({ maxLength: 40, description: "ISO 8601 with offset, excluded; without it, now." })),
});

export function proofRoutes(guard: Guard, proofs: ProofService) {
  return new Elysia({ name: "proofs" })
    .use(guard)
    .get(
      "/v1/calls/:call_id/proof",
      async ({ principal, params: { call_id } }) =>
        proofFile(call_id, await proofs.get(principal.organisationId, call_id)),
      {
        scope: "calls:read",
        params: Type.Object({ call_id: Type.String() }),
        answers: { 200: ProofSchema },
        detail: detail("getCallProof", "Download the signed proof of a call, also after it was erased", [
          "NOT_FOUND",
          "CONFLICT",
        ]),
      },
    )
    .get(
      "/v1/proofs",
      ({ principal, query }) => streamedFile("proofs.jsonl", LINES, proofs.exported(principal.organisationId, query)),
      {
        scope: "calls:read",
        query: PeriodQuery,
        answers: { 200: ProofSchema },
        detail: detail("exportProofs", "Download all proofs that were sealed in a period", ["VALIDATION_ERROR"], {
          description: "One proof per line, in the order of this organisation's chain. At most 366 days.",
          "x-media": { "200": { [LINES]: { schema: { type: "string" } } } },
        }),
      },
    )
    .get("/v1/proofs/key", async () => ({ data: await proofs.keys() }), {
      scope: "any",
      answers: { 200: KeysSchema },
      detail: detail("getProofKeys", "Read the public keys that sign proofs", []),
    })
    .get(
      "/v1/proofs/head",
      async ({ principal }) => {
        const line = await proofs.head(principal.organisationId);
        if (line === null) throw new AppError("NOT_FOUND", "There is no proof yet.");
        return new Response(`${line}\n`, { headers: asFile("proof-head.json") });
      },
      {
        scope: "calls:read",
        answers: { 200: HeadSchema },
        detail: detail("getProofHead", "Download the signed head of this organisation's chain", ["NOT_FOUND"]),
      },
    );
}

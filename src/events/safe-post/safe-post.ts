// Interim; replaced by the real sender.
export interface PostRequest { url: string; headers: Record<string, string>; body: Uint8Array; timeoutMs: number }
export type PostResult =
  | { kind: "answered"; status: number; excerpt: string; durationMs: number }
  | { kind: "timeout" | "unreachable" | "blocked" | "our_fault"; detail: string; durationMs: number };
export interface SafePost { checkUrl(url: string): void; post(request: PostRequest): Promise<PostResult> }
export interface SafePostOptions { allow: readonly string[]; caPem: string | null; proxyUrl: string | null; resolve?: (host: string) => Promise<string[]> }
export function createSafePost(_options: SafePostOptions): SafePost {
  return { checkUrl() {}, post: async () => ({ kind: "our_fault", detail: "interim", durationMs: 0 }) };
}

// SIP messages and packets of a call. For staff only: messages contain numbers, and packets may contain voices.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { LineService } from "../../calls/life/line-service.ts";
import { serveFile } from "../../http/serve-file.ts";
import type { SessionGuard } from "../session-guard.ts";

const params = Type.Object({ call_id: Type.String({ maxLength: 64 }) });

/** Download headers, with no copy in the browser cache. */
const download = (contentType: string, fileName: string) => ({
  "content-type": contentType,
  "content-disposition": `attachment; filename="${fileName}"`,
  "cache-control": "no-store",
});

export function lineRoutes(guard: SessionGuard, lines: LineService) {
  return new Elysia({ name: "dashboard-lines" })
    .use(guard)
    .get(
      "/dashboard/api/calls/:call_id/line",
      ({ session, actor, params: { call_id } }) => lines.read(session.organisationId, call_id, actor),
      { role: "staff", params },
    )
    .get(
      "/dashboard/api/calls/:call_id/line.txt",
      async ({ session, actor, params: { call_id } }) => {
        const text = await lines.text(session.organisationId, call_id, actor);
        return new Response(text, { headers: download("text/plain; charset=utf-8", `${call_id}-sip.txt`) });
      },
      { role: "staff", params },
    )
    .get(
      "/dashboard/api/calls/:call_id/line.pcap",
      async ({ request, session, actor, params: { call_id } }) => {
        const packets = await lines.packets(session.organisationId, call_id, actor);
        const headers = download("application/vnd.tcpdump.pcap", `${call_id}.pcap`);
        return "file" in packets ? serveFile(request, packets.file, headers) : new Response(packets.bytes, { headers });
      },
      { role: "staff", params },
    );
}

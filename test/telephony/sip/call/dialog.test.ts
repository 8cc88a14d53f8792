import { describe, expect, test } from "bun:test";
import {
  admit,
  dialogOfCallee,
  dialogOfCaller,
  dialogRequest,
  refreshTarget,
} from "../../../../src/telephony/sip/call/dialog.ts";
import { request, response } from "../message/messages.ts";

const ROUTES = "Record-Route: <sip:p2.example;lr>, <sip:p1.example;lr>\n";
const CONTACT = "Contact: <sip:them@192.0.2.50:5080>\n";

test("requests of the caller go to the callee's Contact, along the recorded route backwards", () => {
  const dialog = dialogOfCaller(request("INVITE"), response(200, { extra: ROUTES + CONTACT }));
  const bye = dialogRequest(dialog, "BYE");
  expect(bye.uri).toBe("sip:them@192.0.2.50:5080");
  expect(bye.headers.all("route")).toEqual(["<sip:p1.example;lr>", "<sip:p2.example;lr>"]);
  expect(bye.headers.get("from")).toBe("<sip:us@example.org>;tag=us");
  expect(bye.headers.get("to")).toBe("<sip:them@example.com>;tag=them");
  expect(bye.headers.get("cseq")).toBe("2 BYE");
  expect(dialogRequest(dialog, "ACK", 1).headers.get("cseq")).toBe("1 ACK");
  expect(dialogRequest(dialog, "INFO").headers.get("cseq")).toBe("3 INFO");
});

test("the callee keeps the route as it came", () => {
  const dialog = dialogOfCallee(request("INVITE", { extra: ROUTES + CONTACT }), "ours");
  const bye = dialogRequest(dialog, "BYE");
  expect(bye.headers.all("route")).toEqual(["<sip:p2.example;lr>", "<sip:p1.example;lr>"]);
  expect(bye.headers.get("from")).toBe("<sip:them@example.com>;tag=ours");
  expect(bye.headers.get("cseq")).toBe("1 BYE");
});

test("a strict router gets itself as the target, and the callee last on the route", () => {
  const extra = "Record-Route: <sip:strict.example>\n" + CONTACT;
  const bye = dialogRequest(dialogOfCaller(request("INVITE"), response(200, { extra })), "BYE");
  expect(bye.uri).toBe("sip:strict.example");
  expect(bye.headers.all("route")).toEqual(["<sip:them@192.0.2.50:5080>"]);
});

test("a Contact that is no SIP URI does not move the target", () => {
  const dialog = dialogOfCaller(request("INVITE"), response(200, { extra: CONTACT }));
  refreshTarget(dialog, response(200, { extra: "Contact: <http://evil.example/>\n" }));
  expect(dialog.remoteTarget).toBe("sip:them@192.0.2.50:5080");
  refreshTarget(dialog, response(200, { extra: "Contact: <sip:them@192.0.2.51>\n" }));
  expect(dialog.remoteTarget).toBe("sip:them@192.0.2.51");
});

describe("a request of the peer", () => {
  const dialog = dialogOfCaller(request("INVITE"), response(200));
  test.each([
    ["in order", "5 BYE", "them", "us", "admitted"],
    ["with the same number, as CANCEL and ACK have", "5 BYE", "them", "us", "admitted"],
    ["with a lower number", "4 BYE", "them", "us", "out of order"],
    ["of another caller", "6 BYE", "else", "us", "foreign"],
    ["to another of us", "6 BYE", "them", "else", "foreign"],
  ])("%s", (_, cseq, fromTag, toTag, verdict) => {
    expect(admit(dialog, request("BYE", { cseq, fromTag, toTag }))).toBe(verdict as ReturnType<typeof admit>);
  });
});

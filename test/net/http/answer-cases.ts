// Answers of servers, good and bad, and what each must be read as. Two readers came before this one, the webhooks' and
// the model servers'. `settled` stands where they read an answer differently, and says what counts.
export interface AnswerCase {
  name: string;
  /** Latin-1; the connection is closed behind it where `closes` is set. */
  bytes: string;
  closes?: true;
  /** In pieces the answer ends before the rest comes, which then ends the waiting connection. */
  inOnePiece?: true;
  /** `open`: it goes on, and nothing but the time ends it. `cut`: the connection ended in the middle. */
  reads: { status: number; body: string; isReusable: boolean } | "open" | "cut" | "not HTTP";
  settled?: string;
}

const OK = "HTTP/1.1 200 OK\r\n";
const ended = (body: string, isReusable = true, status = 200) => ({ status, body, isReusable });

export const ANSWER_CASES: readonly AnswerCase[] = [
  { name: "a body by its length", bytes: `${OK}Content-Length: 5\r\n\r\nhello`, reads: ended("hello") },
  { name: "no body by its length", bytes: `${OK}Content-Length: 0\r\n\r\n`, reads: ended("") },
  {
    name: "a body by chunks",
    bytes: `${OK}Transfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3;x=1\r\nllo\r\n0\r\n\r\n`,
    reads: ended("hello"),
  },
  {
    name: "chunks with a trailer",
    bytes: `${OK}Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nDigest: x\r\n\r\n`,
    reads: ended("a"),
  },
  { name: "a body to the end of the connection", bytes: `${OK}\r\nhello`, closes: true, reads: ended("hello", false) },
  { name: "no body at all, and the end of the connection", bytes: `${OK}\r\n`, closes: true, reads: ended("", false) },
  { name: "204 without a length", bytes: "HTTP/1.1 204 No Content\r\n\r\n", reads: ended("", true, 204) },
  {
    name: "304 with a length, which is of what it stands for",
    bytes: "HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n",
    reads: ended("", true, 304),
  },
  {
    name: "Connection: close",
    bytes: `${OK}Connection: close\r\nContent-Length: 2\r\n\r\nok`,
    reads: ended("ok", false),
  },
  { name: "HTTP/1.0", bytes: "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok", reads: ended("ok", false) },
  {
    name: "bytes behind the body",
    inOnePiece: true,
    bytes: `${OK}Content-Length: 2\r\n\r\nokHTTP/1.1 500 No\r\n\r\n`,
    reads: ended("ok", false),
  },
  { name: "bytes behind no body", inOnePiece: true, bytes: `${OK}Content-Length: 0\r\n\r\nx`, reads: ended("", false) },
  {
    name: "bytes behind the last chunk",
    inOnePiece: true,
    bytes: `${OK}Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\nx`,
    reads: ended("a", false),
  },
  {
    name: "bytes behind 204",
    inOnePiece: true,
    bytes: "HTTP/1.1 204 No Content\r\n\r\nx",
    reads: ended("", false, 204),
  },
  {
    name: "both framings: chunks count, and the connection goes",
    bytes: `${OK}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n`,
    reads: ended("a", false),
  },
  { name: "the same length twice", bytes: `${OK}Content-Length: 2\r\nContent-Length: 2\r\n\r\nok`, reads: ended("ok") },
  { name: "two lengths", bytes: `${OK}Content-Length: 2\r\nContent-Length: 3\r\n\r\nok`, reads: "not HTTP" },
  { name: "a length that is no number", bytes: `${OK}Content-Length: +2\r\n\r\nok`, reads: "not HTTP" },
  {
    name: "an unknown coding, to the end of the connection",
    bytes: `${OK}Transfer-Encoding: gzip\r\n\r\nzz`,
    closes: true,
    reads: ended("zz", false),
  },
  {
    name: "interim answers before the answer",
    bytes: `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n${OK}Content-Length: 1\r\n\r\na`,
    reads: ended("a"),
  },
  { name: "an interim answer alone", bytes: "HTTP/1.1 100 Continue\r\n\r\n", reads: "open" },
  {
    name: "an interim answer, and the end of the connection",
    bytes: "HTTP/1.1 100 Continue\r\n\r\n",
    closes: true,
    reads: "cut",
  },
  { name: "interim answers without end", bytes: "HTTP/1.1 102 Processing\r\n\r\n".repeat(1_300), reads: "not HTTP" },
  { name: "headers without end", bytes: `${OK}${"X-Long: y\r\n".repeat(3_000)}`, reads: "not HTTP" },
  {
    name: "half a body, and the end of the connection",
    bytes: `${OK}Content-Length: 5\r\n\r\nhe`,
    closes: true,
    reads: "cut",
  },
  {
    name: "half of the chunks, and the end of the connection",
    bytes: `${OK}Transfer-Encoding: chunked\r\n\r\n5\r\nhe`,
    closes: true,
    reads: "cut",
  },
  {
    name: "half a head, and the end of the connection",
    bytes: "HTTP/1.1 200 OK\r\nContent-",
    closes: true,
    reads: "cut",
  },
  { name: "nothing, and the end of the connection", bytes: "", closes: true, reads: "cut" },
  { name: "no status line", bytes: "SSH-2.0-OpenSSH_9.6\r\n\r\n", reads: "not HTTP" },
  { name: "HTTP/2", bytes: "HTTP/2 200\r\n\r\n", reads: "not HTTP" },
  { name: "a status that is none", bytes: "HTTP/1.1 099 No\r\n\r\n", reads: "not HTTP" },
  { name: "a chunk without a size", bytes: `${OK}Transfer-Encoding: chunked\r\n\r\nxx\r\n`, reads: "not HTTP" },
  {
    name: "a chunk that is longer than its size",
    bytes: `${OK}Transfer-Encoding: chunked\r\n\r\n1\r\nab\r\n0\r\n\r\n`,
    reads: "not HTTP",
  },
  {
    name: "a chunk line without end",
    bytes: `${OK}Transfer-Encoding: chunked\r\n\r\n1;${"x".repeat(9_000)}`,
    reads: "not HTTP",
  },
  {
    name: "a chunk line that ends without a carriage return",
    bytes: `${OK}Transfer-Encoding: chunked\r\n\r\n1\na\r\n0\r\n\r\n`,
    reads: "not HTTP",
  },
  {
    name: "101",
    bytes: "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n",
    reads: ended("", false, 101),
    settled: "It is the answer, as webhooks had it. Model servers waited for another one until the time was over.",
  },
  {
    name: "101 and an answer behind it",
    bytes: `HTTP/1.1 101 Switching Protocols\r\n\r\n${OK}Content-Length: 1\r\n\r\na`,
    reads: ended("", false, 101),
    settled: "What follows 101 is another protocol, as webhooks had it. Model servers took the answer behind it.",
  },
  {
    name: "a compressed body",
    bytes: `${OK}Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\nzz`,
    reads: ended("zz"),
    settled:
      "It is HTTP, and told in the head, as webhooks had it. Model servers took none of it, and refuse it now by the head.",
  },
  {
    name: "a compressed refusal",
    bytes: "HTTP/1.1 401 No\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\nzz",
    reads: ended("zz", true, 401),
    settled: "The status counts, as webhooks had it. Model servers told of an answer that is not the API.",
  },
];

import { writeProof, type Payees } from './proofs.ts';
import type { TestRequest } from './request.ts';
import { exchange, hangUp, readAnswers, type WireAnswer } from './wire.ts';

/** Where requests go, and who is paid there. */
export type Place = Payees & { url: string };

export type Answer = {
  status: number;
  headers: Headers;
  text: string;
  /** From the last byte sent to the last byte read. */
  tookMs: number;
};

/** `hung`: nothing came in time. `none`: the caller hung up, and nothing was to come. */
export type Outcome =
  | { kind: 'answer'; answer: Answer }
  | { kind: 'hung' }
  | { kind: 'none' }
  | { kind: 'wrong'; why: string };

export const ANSWER_LIMIT_MS = 20_000;
const SLOW_PIECES = 4;
const SLOW_GAP_MS = 40;
const HANG_UP_AFTER_MS = 15;

/** Sends one request the way it wants to be sent. */
export async function send(request: TestRequest, place: Place): Promise<Outcome> {
  const proof = request.proof === null ? [] : [[request.proof.header, await writeProof(request.proof, place)] as const];
  const headers = [...request.headers, ...proof];
  if (request.delivery === 'whole' && fetchSends(request, headers, place.url))
    return sendByFetch(request, headers, place);
  return sendBySocket(request, headers, place);
}

type HeaderList = readonly (readonly [name: string, value: string])[];

/** Headers that fetch sets itself or refuses. */
const NOT_BY_FETCH = new Set([
  'host',
  'expect',
  'upgrade',
  'connection',
  'transfer-encoding',
  'content-length',
  '__proto__',
]);

/** fetch tidies addresses up and has no body on GET: what it would change goes over a socket. */
function fetchSends({ method, target, body }: TestRequest, headers: HeaderList, url: string): boolean {
  if (['TRACE', 'CONNECT'].includes(method) || ((method === 'GET' || method === 'HEAD') && body !== null)) return false;
  if (headers.some(([name]) => NOT_BY_FETCH.has(name.toLowerCase()))) return false;
  return URL.canParse(url + target) && new URL(url + target).href === url + target;
}

async function sendByFetch(request: TestRequest, headers: HeaderList, place: Place): Promise<Outcome> {
  const sentMs = performance.now();
  try {
    const response = await fetch(place.url + request.target, {
      method: request.method,
      headers: headers.map(([name, value]): [string, string] => [name, value]),
      body: request.body === null ? null : new Uint8Array(request.body),
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
    });
    const text = await response.text();
    const { status } = response;
    return { kind: 'answer', answer: { status, headers: response.headers, text, tookMs: performance.now() - sentMs } };
  } catch (error) {
    if (error instanceof Error && error.name === 'TimeoutError') return { kind: 'hung' };
    // An idle connection may be closed in the very moment in which it is used again, which is nobody's fault. Over a new
    // one a fault of the server's would still be there.
    return sendBySocket(request, headers, place);
  }
}

async function sendBySocket(request: TestRequest, headers: HeaderList, { url }: Place): Promise<Outcome> {
  const port = Number(new URL(url).port);
  const body = request.body ?? Buffer.alloc(0);
  const isChunked = request.delivery === 'chunked' && request.body !== null;
  const framing = isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`;
  const host = headers.some(([name]) => name.toLowerCase() === 'host') ? [] : [`Host: 127.0.0.1:${port}`];
  const lines = [...host, ...headers.map(([name, value]) => `${name}: ${value}`)];
  const head = (last: string) =>
    Buffer.from(
      [`${request.method} ${request.target} HTTP/1.1`, ...lines, framing, last, '', ''].join('\r\n'),
      'latin1',
    );

  if (request.delivery === 'aborted') {
    const half = body.subarray(0, Math.floor(body.length / 2));
    await hangUp(port, Buffer.concat([head('Connection: close'), half]), HANG_UP_AFTER_MS);
    return { kind: 'none' };
  }
  const isPipelined = request.delivery === 'pipelined';
  const pieces = [
    ...(isPipelined ? [Buffer.from(`GET /health/live HTTP/1.1\r\nHost: first\r\n\r\n`)] : []),
    head(isPipelined ? 'Connection: keep-alive' : 'Connection: close'),
    ...(isChunked ? inChunks(body) : request.delivery === 'slow' ? inPieces(body) : [body]),
    ...(isPipelined ? [Buffer.from(`GET /health/live HTTP/1.1\r\nHost: last\r\nConnection: close\r\n\r\n`)] : []),
  ];
  const gapMs = request.delivery === 'slow' ? SLOW_GAP_MS : 0;
  const sendingMs = gapMs * pieces.length;
  const sentMs = performance.now() + sendingMs;
  const whole = gapMs === 0 ? [Buffer.concat(pieces)] : pieces;
  const bytes = await exchange(port, whole, { gapMs, timeoutMs: ANSWER_LIMIT_MS + sendingMs });
  const tookMs = Math.max(0, performance.now() - sentMs);
  if (bytes === null) return { kind: 'hung' };
  return readOutcome(bytes, request, tookMs);
}

/** Of three pipelined answers the one in the middle counts; a refused one may end the connection before the last. */
function readOutcome(bytes: Buffer, request: TestRequest, tookMs: number): Outcome {
  const isPipelined = request.delivery === 'pipelined';
  let answers: WireAnswer[];
  try {
    answers = readAnswers(bytes, isPipelined ? ['GET', request.method, 'GET'] : [request.method]);
  } catch (error) {
    return { kind: 'wrong', why: error instanceof Error ? error.message : String(error) };
  }
  // A request that breaks the stream is refused at once, even before an earlier one is answered.
  const refused = answers.find(({ status, headers }) => status >= 400 && headers.get('connection') === 'close');
  const own = answers[isPipelined ? 1 : 0] ?? refused;
  if (own === undefined) return { kind: 'wrong', why: 'the connection was closed without an answer' };
  const others = isPipelined ? [answers[0], answers[2]].filter((answer) => answer && answer !== own) : [];
  const isClosed = own.headers.get('connection') === 'close';
  if (others.some((answer) => answer?.status !== 200) || (isPipelined && answers.length < 3 && !isClosed)) {
    return { kind: 'wrong', why: `pipelined: ${answers.map(({ status }) => status).join(', ')}` };
  }
  return { kind: 'answer', answer: { ...own, text: own.body.toString(), tookMs } };
}

function inPieces(body: Buffer): Buffer[] {
  const size = Math.max(1, Math.ceil(body.length / SLOW_PIECES));
  return Array.from({ length: SLOW_PIECES }, (_, index) => body.subarray(index * size, (index + 1) * size));
}

function inChunks(body: Buffer): Buffer[] {
  const framed = inPieces(body)
    .filter(({ length }) => length > 0)
    .map((piece) => Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')]));
  return [...framed, Buffer.from('0\r\n\r\n')];
}

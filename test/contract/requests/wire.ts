import { connect } from 'node:net';

export type WireAnswer = { status: number; headers: Headers; body: Buffer };

const CRLF = '\r\n';
const HEAD_END = Buffer.from(`${CRLF}${CRLF}`);

/**
 * Writes bytes to a bare socket, piece by piece, and reads whatever comes back until the server closes. `null` when it
 * does not in time.
 */
export function exchange(
  port: number,
  pieces: readonly Buffer[],
  { gapMs = 0, timeoutMs }: { gapMs?: number; timeoutMs: number },
): Promise<Buffer | null> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const chunks: Buffer[] = [];
    const limit = setTimeout(() => socket.destroy(), timeoutMs);
    let isOver = false;
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('end', () => (isOver = true));
    // A reset after an answer is the server hanging up on what it no longer wants to read.
    socket.on('error', () => (isOver = chunks.length > 0));
    socket.on('close', () => {
      clearTimeout(limit);
      resolve(isOver ? Buffer.concat(chunks) : null);
    });
    void writeSlowly(pieces, gapMs, (piece) => !socket.destroyed && socket.write(piece));
  });
}

/** Sends the beginning of something and hangs up. */
export function hangUp(port: number, piece: Buffer, afterMs: number): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(piece);
      setTimeout(() => socket.destroy(), afterMs);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve());
  });
}

async function writeSlowly(pieces: readonly Buffer[], gapMs: number, write: (piece: Buffer) => boolean): Promise<void> {
  for (const piece of pieces) {
    write(piece);
    if (gapMs > 0) await new Promise((resolve) => setTimeout(resolve, gapMs));
  }
}

/** Takes an answer stream apart; `methods` are those of the requests, because an answer to HEAD has no body. */
export function readAnswers(bytes: Buffer, methods: readonly string[]): WireAnswer[] {
  const answers: WireAnswer[] = [];
  let rest = bytes;
  while (rest.length > 0) {
    const end = rest.indexOf(HEAD_END);
    if (end < 0) throw new Error(`an answer has no end of its headers: ${rest.toString('latin1').slice(0, 200)}`);
    const [statusLine = '', ...lines] = rest.subarray(0, end).toString('latin1').split(CRLF);
    const status = Number(/^HTTP\/1\.1 ([0-9]{3})/.exec(statusLine)?.[1]);
    if (!Number.isInteger(status)) throw new Error(`no answer begins with ${statusLine}`);
    rest = rest.subarray(end + HEAD_END.length);
    if (status < 200) continue;
    const headers = new Headers(lines.map((line): [string, string] => splitHeader(line)));
    const hasBody = methods[answers.length] !== 'HEAD' && status !== 204 && status !== 304;
    const read = hasBody ? readBody(rest, headers) : { body: Buffer.alloc(0), rest };
    rest = read.rest;
    answers.push({ status, headers, body: read.body });
  }
  return answers;
}

function splitHeader(line: string): [string, string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon), line.slice(colon + 1).trim()];
}

function readBody(bytes: Buffer, headers: Headers): { body: Buffer; rest: Buffer } {
  if (headers.get('transfer-encoding') === 'chunked') return readChunks(bytes);
  const length = headers.get('content-length');
  // Without a length the body ends with the connection.
  const end = length === null ? bytes.length : Number(length);
  if (end > bytes.length) throw new Error(`an answer of ${end} bytes ends after ${bytes.length}`);
  return { body: bytes.subarray(0, end), rest: bytes.subarray(end) };
}

function readChunks(bytes: Buffer): { body: Buffer; rest: Buffer } {
  const parts: Buffer[] = [];
  let rest = bytes;
  for (;;) {
    const end = rest.indexOf(CRLF);
    const size = Number.parseInt(rest.subarray(0, end).toString('latin1'), 16);
    if (end < 0 || Number.isNaN(size)) throw new Error('an answer in chunks is broken off');
    rest = rest.subarray(end + 2);
    if (size === 0) return { body: Buffer.concat(parts), rest: rest.subarray(2) };
    parts.push(rest.subarray(0, size));
    rest = rest.subarray(size + 2);
  }
}

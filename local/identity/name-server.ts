/** A name server on loopback that answers from a function, in the wire format of RFC 1035 over UDP. */
import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';

export type DnsType = 'A' | 'AAAA' | 'MX' | 'NS' | 'TXT';

/** Records as text: addresses, host names, for MX the preference before the host (`10 mail.example`), and plain text. */
export type DnsReply = readonly string[] | 'no-name' | 'failure' | 'refusal' | 'silence';

export type DnsServer = {
  /** As the configuration takes it: `127.0.0.1:5353`. */
  address: string;
  /** The latest questions, oldest first, as `A example.com`. */
  questions: readonly string[];
  close: () => Promise<void>;
};

const TYPES: Readonly<Record<number, DnsType>> = { 1: 'A', 2: 'NS', 15: 'MX', 16: 'TXT', 28: 'AAAA' };
const QUESTIONS_KEPT = 1_000;
const CLASS_INTERNET = 1;
const HEADER_BYTES = 12;
/** "The name of the question": a pointer to the byte behind the header. */
const QUESTION_NAME = Buffer.from([0xc0, HEADER_BYTES]);
const RESPONSE_CODES = { failure: 2, 'no-name': 3, refusal: 5 } as const;

export async function startDnsServer(answer: (name: string, type: DnsType) => DnsReply): Promise<DnsServer> {
  const socket = createSocket('udp4');
  const questions: string[] = [];
  socket.on('message', (query: Buffer, from: RemoteInfo) => {
    const question = parseQuestion(query);
    if (question === null) return;
    questions.push(`${question.type} ${question.name}`);
    if (questions.length > QUESTIONS_KEPT) questions.shift();
    const reply = answer(question.name, question.type);
    if (reply !== 'silence') socket.send(toResponse(query, question, reply), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    questions,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

type Question = { name: string; type: DnsType; end: number };

/** Null for what no resolver of ours asks: another type, another class, more than one question. */
function parseQuestion(query: Buffer): Question | null {
  if (query.length < HEADER_BYTES || query.readUInt16BE(4) !== 1) return null;
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  if (query.length < at + 5) return null;
  const type = TYPES[query.readUInt16BE(at + 1)];
  if (type === undefined || query.readUInt16BE(at + 3) !== CLASS_INTERNET) return null;
  return { name: labels.join('.').toLowerCase(), type, end: at + 5 };
}

function toResponse(query: Buffer, { type, end }: Question, reply: Exclude<DnsReply, 'silence'>): Buffer {
  const records = typeof reply === 'string' ? [] : reply;
  const header = Buffer.alloc(HEADER_BYTES);
  query.copy(header, 0, 0, 2);
  // A response that could ask further for us: QR, RD, RA.
  header.writeUInt16BE(0x8180 | (typeof reply === 'string' ? RESPONSE_CODES[reply] : 0), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(records.length, 6);
  return Buffer.concat([
    header,
    query.subarray(HEADER_BYTES, end),
    ...records.map((record) => toRecord(query.subarray(end - 4, end), toData(type, record))),
  ]);
}

/** A time to live of 0 keeps it out of caches. */
function toRecord(typeAndClass: Buffer, data: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(data.length);
  return Buffer.concat([QUESTION_NAME, typeAndClass, Buffer.alloc(4), length, data]);
}

function toData(type: DnsType, record: string): Buffer {
  switch (type) {
    case 'A':
      return Buffer.from(record.split('.').map(Number));
    case 'AAAA':
      return toIpV6(record);
    case 'NS':
      return toName(record);
    case 'MX': {
      const [preference = '0', host = '.'] = record.split(' ');
      return Buffer.concat([Buffer.from([0, Number(preference)]), toName(host)]);
    }
    case 'TXT':
      return toPieces(record);
  }
}

/** A piece has at most 255 bytes. */
function toPieces(text: string): Buffer {
  const pieces = text.match(/[^]{1,255}/g) ?? [''];
  return Buffer.concat(pieces.map((piece) => Buffer.from([piece.length, ...Buffer.from(piece, 'latin1')])));
}

/** The root, as in a null MX, is the single dot. */
function toName(name: string): Buffer {
  const labels = name.split('.').filter((label) => label !== '');
  const bytes = labels.flatMap((label) => [label.length, ...Buffer.from(label, 'latin1')]);
  return Buffer.from([...bytes, 0]);
}

function toIpV6(address: string): Buffer {
  const [before = '', after] = address.split('::');
  const head = before === '' ? [] : before.split(':');
  const tail = after === undefined || after === '' ? [] : after.split(':');
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0');
  const data = Buffer.alloc(16);
  for (const [index, group] of [...head, ...zeros, ...tail].entries())
    data.writeUInt16BE(parseInt(group, 16), index * 2);
  return data;
}

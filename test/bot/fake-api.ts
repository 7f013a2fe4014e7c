import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exactEvmPayloadSchema, readHeader } from '../../core/payments/x402.ts';
import { PINNED, PINNED_SOLANA } from './harness.ts';

/**
 * A strict stand-in for the API's pay route: it answers what a test scripted, in the contract's shapes, and remembers
 * every request. A request that an honest client would not send is answered 418, so that no test passes by accident.
 */
export type Step =
  | { do: 'challenge'; change?: (challenge: Challenge) => void }
  | { do: 'answer'; status: number; json: unknown; headers?: Record<string, string> }
  | { do: 'paid'; txnId?: number }
  /** The request was read, and then the connection broke. */
  | { do: 'drop' }
  /** Never answers; the client gives up. */
  | { do: 'hang' };

type Line = { platform?: string; receiver: string; amount: string };
type Body = { receiver: string; amount: string; description?: string; receivers?: Line[] };
type Authorization = ReturnType<typeof exactEvmPayloadSchema.parse>['authorization'];
export type Seen = {
  path: string;
  key: string;
  body: Body;
  header: string | null;
  /** Of a payment on Base. */
  authorization: Authorization | null;
  /** Of a payment on Solana. */
  transaction: string | null;
};

/** Loose, so that tests can bend it. */
export type Challenge = { accepts: [Terms, Terms] };
type Terms = Record<'scheme' | 'network' | 'amount' | 'asset' | 'payTo', string> & {
  maxTimeoutSeconds: number;
  extra: Record<string, string>;
};

export type FakeApi = {
  url: string;
  seen: Seen[];
  /** Headers sent, each once. */
  headers: () => string[];
  /** Decides by what came; `paid` counts the requests with a proof so far. */
  script: (decide: (request: Seen, paid: number) => Step) => void;
  close: () => Promise<void>;
};

export async function startFakeApi(): Promise<FakeApi> {
  const seen: Seen[] = [];
  let decide: (request: Seen, paid: number) => Step = (request) => ({ do: request.header ? 'paid' : 'challenge' });
  const server = createServer((request, response) => {
    void answer(request, response);
  });
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const problem = findProblem(request, Buffer.concat(chunks).toString());
    if (problem) return send(response, 418, { error: problem });
    const one = toSeen(request, Buffer.concat(chunks).toString());
    const paid = seen.filter((earlier) => earlier.header !== null).length;
    seen.push(one);
    perform(decide(one, paid), one, request, response);
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    headers: () => [...new Set(seen.flatMap((one) => (one.header === null ? [] : [one.header])))],
    script: (next) => void (decide = next),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function findProblem(request: IncomingMessage, body: string): string | null {
  if (request.method !== 'POST') return 'method';
  if (!/^\/payments\/((x|decsocial|email|web|code|discord|telegram)\/(batch-)?pay|batch-pay)$/.test(request.url ?? ''))
    return 'path';
  if (request.headers['content-type'] !== 'application/json') return 'content_type';
  if (!/^[\x21-\x7e]{16,128}$/.test(String(request.headers['idempotency-key']))) return 'key';
  const json = JSON.parse(body) as Record<string, unknown>;
  const isBatch = (request.url ?? '').endsWith('batch-pay');
  const known = isBatch ? ['receivers', 'description'] : ['receiver', 'amount', 'description'];
  if (Object.keys(json).some((key) => !known.includes(key))) return 'body';
  if (!isBatch) return isLine(json, false) ? null : 'body';
  const lines = Array.isArray(json.receivers) ? json.receivers : [];
  const isMixed = request.url === '/payments/batch-pay';
  return lines.length > 0 && lines.length <= 100 && lines.every((one) => isLine(one, isMixed)) ? null : 'body';
}

function isLine(line: Record<string, unknown>, isMixed: boolean): boolean {
  if (isMixed !== (typeof line.platform === 'string')) return false;
  return typeof line.receiver === 'string' && typeof line.amount === 'string';
}

function toSeen(request: IncomingMessage, body: string): Seen {
  const header = (request.headers['payment-signature'] as string | undefined) ?? null;
  const payload = header === null ? null : readHeader(header);
  if (header !== null && payload?.x402Version !== 2) throw new Error('the payment header is not a version 2 payment');
  return {
    path: request.url ?? '',
    key: String(request.headers['idempotency-key']),
    body: JSON.parse(body) as Body,
    header,
    ...readProof(payload?.payload),
  };
}

function readProof(payload: Record<string, unknown> | undefined): Pick<Seen, 'authorization' | 'transaction'> {
  if (!payload) return { authorization: null, transaction: null };
  if (typeof payload['transaction'] === 'string') return { authorization: null, transaction: payload['transaction'] };
  return { authorization: exactEvmPayloadSchema.parse(payload).authorization, transaction: null };
}

/** Names every request of this stand-in. */
export const REQUEST_HASH = '5a'.repeat(32);

function perform(step: Step, one: Seen, request: IncomingMessage, response: ServerResponse): void {
  switch (step.do) {
    case 'challenge':
      return send(response, 402, { code: 402, error: 'payment_required' }, challengeHeaders(one, step.change));
    case 'answer':
      return send(response, step.status, step.json, step.headers);
    case 'paid':
      return send(response, 200, paidAnswer(one, step.txnId ?? 4711));
    case 'drop':
      return void request.socket.destroy();
    case 'hang':
      return;
  }
}

function send(response: ServerResponse, status: number, json: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(json));
}

export function challengeHeaders(one: Seen, change: (challenge: Challenge) => void = () => {}): Record<string, string> {
  const { name, version } = PINNED;
  const sum = linesOf(one).reduce((total, { amount }) => total + toMicro(amount), 0n);
  const common = { scheme: 'exact', amount: String(sum), maxTimeoutSeconds: 60 };
  const where = ({ caip2: network, asset, payTo }: typeof PINNED | typeof PINNED_SOLANA) => ({ network, asset, payTo });
  const { feePayer } = PINNED_SOLANA;
  const challenge = {
    x402Version: 2,
    error: 'payment_required',
    resource: { url: `http://api.test${one.path}`, description: 'A payment', mimeType: 'application/json' },
    accepts: [
      { ...common, ...where(PINNED_SOLANA), extra: { name, version, feePayer, requestHash: REQUEST_HASH } },
      { ...common, ...where(PINNED), extra: { name, version, requestHash: REQUEST_HASH } },
    ] satisfies Challenge['accepts'],
    extensions: {},
  };
  change(challenge);
  return { 'payment-required': Buffer.from(JSON.stringify(challenge)).toString('base64') };
}

const linesOf = ({ body }: Seen): Line[] => body.receivers ?? [body];

function toMicro(amount: string): bigint {
  const [whole = '', fraction = ''] = amount.split('.');
  return BigInt(whole + fraction.padEnd(6, '0'));
}

/** The lines of a batch have the numbers that follow the given one. */
export function paidAnswer(one: Seen, txnId: number): Record<string, unknown> {
  const receipt = `http://api.test/receipts/${'r'.repeat(22)}`;
  const amount = Number(one.body.amount);
  const { receivers } = one.body;
  if (receivers) {
    const lines = receivers.map((line, index) => ({
      txn_id: txnId + index,
      username: line.receiver,
      amount: Number(line.amount),
      receipt: `${receipt.slice(0, -2)}${String(index).padStart(2, '0')}`,
      status: index === 0 ? 'queued' : 'pending_claim',
    }));
    return { code: 200, msg: 'sent', settlement_attempt_id: 'attempt_1_a', data: lines };
  }
  return { code: 200, msg: 'sent', data: { txn_id: txnId, amount, receipt, status: 'pending_claim' } };
}

export const refused = (status: 400 | 402, error: string): Step => ({
  do: 'answer',
  status,
  json: { code: status, msg: 'refused', error },
  headers: status === 402 ? { 'payment-error': error } : {},
});

export const pending: Step = {
  do: 'answer',
  status: 500,
  json: { code: 500, error: 'settlement_pending', settlement_attempt_id: 'attempt_1_a' },
  headers: { 'retry-after': '2' },
};

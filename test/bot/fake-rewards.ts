import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { requestHash } from '../../core/request-hash.ts';
import { exactEvmPayloadSchema, readHeader } from '../../core/payments/x402.ts';
import { challengeHeaders, type Challenge } from './fake-api.ts';

type Status = 'pending' | 'confirming' | 'confirmed' | 'completed' | 'partial' | 'rejected' | 'expired';
type Distribution = {
  id: string;
  status: Status;
  budget: string;
  exclude: string[];
  post: string;
  paidBy: string | null;
};
/** What the next proof gets. */
export type Verdict =
  | 'paid'
  /** It is charged, and nobody hears of it. */
  | 'paid and dropped'
  | 'pending'
  | 'dropped'
  | { status: 400 | 402 | 429; error: string };

/**
 * A strict stand-in for the routes of distributions: it freezes lists, is paid once for each, and remembers every proof.
 * A request that an honest client would not send is answered 418, so that no test passes by accident.
 */
export async function startFakeRewards() {
  const all = new Map<string, Distribution>();
  const state = {
    url: '',
    down: false,
    /** Answers a wish to create one with this refusal. */
    refuse: null as string | null,
    /** How many people a new one has. */
    people: 47,
    /** How many of them have to collect. */
    waiting: 2,
    /** What a confirmation without and with a proof gets before anything else is looked at. */
    price: null as { status: number; error: string } | null,
    verdict: (() => 'paid') as (proofs: number) => Verdict,
    change: (() => {}) as (challenge: Challenge) => void,
    /** Of what the 402 asks for, beside the budget. */
    after: 'completed' as Status,
    created: 0,
    reads: 0,
    rejected: [] as string[],
    proofs: [] as { id: string; key: string; header: string; value: string }[],
    charged: [] as { id: string; header: string }[],
    all,
    close: async () => {},
  };
  const server = createServer((request, response) => void answer(request, response));
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (state.down) return void request.socket.destroy();
    const text = Buffer.concat(chunks).toString();
    const body = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>;
    const path = (request.url ?? '').replace('/rewards/decsocial/', '');
    const route = `${request.method} ${path.replace(/dist_[0-9]+/, '*')}`;
    const id = /dist_[0-9]+/.exec(path)?.[0] ?? String(body['order_id']);
    switch (route) {
      case 'POST create-distribution':
        return create(body, response);
      case 'GET distributions/*':
        state.reads++;
        return send(response, 200, { code: 200, data: toData(find(id)) });
      case 'POST distributions/*/reject':
        return reject(find(id), response);
      case 'POST confirm-distribution':
        return confirm(find(id), request, response);
      default:
        return send(response, 418, { error: route });
    }
  }
  const find = (id: string): Distribution => {
    const one = all.get(id);
    if (!one) throw new Error(`nobody has made ${id}`);
    return one;
  };
  function create({ budget, content_id: post, exclude }: Record<string, unknown>, response: ServerResponse): void {
    if (typeof budget !== 'string' || typeof post !== 'string' || !Array.isArray(exclude))
      return send(response, 418, {});
    if (state.refuse !== null) return send(response, 400, { code: 400, error: state.refuse });
    const id = `dist_${String(++state.created).padStart(22, '0')}`;
    const one: Distribution = { id, status: 'pending', budget, exclude: exclude as string[], post, paidBy: null };
    all.set(id, one);
    send(response, 200, { code: 200, msg: 'created', data: { ...toData(one), order_secret: 's'.repeat(43) } });
  }
  function reject(one: Distribution, response: ServerResponse): void {
    state.rejected.push(one.id);
    if (one.status === 'pending') one.status = 'rejected';
    const isRejected = one.status === 'rejected';
    send(response, isRejected ? 200 : 409, isRejected ? { code: 200, data: toData(one) } : { code: 409, error: 'x' });
  }
  function confirm(one: Distribution, request: IncomingMessage, response: ServerResponse): void {
    const key = String(request.headers['idempotency-key']);
    const header = request.headers['payment-signature'] as string | undefined;
    if (!/^[\x21-\x7e]{16,128}$/.test(key)) return send(response, 418, { error: 'key' });
    if (header !== undefined) state.proofs.push({ id: one.id, key, header, value: valueOf(header) });
    const refuse = (status: number, error: string) =>
      send(response, status, { code: status, error }, status === 402 ? { 'payment-error': error } : {});
    if (state.price !== null) return refuse(state.price.status, state.price.error);
    if (one.paidBy !== null) {
      return send(response, 200, { code: 200, msg: 'paid', data: toData(one) }, settlementOf(one.paidBy));
    }
    if (one.status === 'rejected') return refuse(400, 'distribution_rejected');
    if (header === undefined) return send(response, 402, { error: 'payment_required' }, challengeOf(one, state.change));
    const verdict = state.verdict(state.proofs.length);
    if (verdict === 'dropped') return void request.socket.destroy();
    if (verdict === 'pending')
      return send(response, 500, { code: 500, error: 'settlement_pending' }, { 'retry-after': '2' });
    if (typeof verdict === 'object') return refuse(verdict.status, verdict.error);
    state.charged.push({ id: one.id, header });
    one.paidBy = header;
    one.status = 'confirmed';
    const said = toData(one);
    one.status = state.after;
    if (verdict === 'paid and dropped') return void request.socket.destroy();
    send(response, 200, { code: 200, msg: 'paid', data: said }, settlementOf(header));
  }
  const toData = (one: Distribution) => {
    const people = sharesOf(BigInt(Math.round(Number(one.budget) * 1e6)), state.people);
    const isPaid = one.paidBy !== null;
    const waiting = Math.min(state.waiting, state.people - 1);
    const settled = { paid: state.people - waiting, queued: 0, pending_claim: waiting, refunded: 0, held: 0 };
    const begun = { paid: 0, queued: state.people, pending_claim: 0, refunded: 0, held: 0 };
    return {
      id: one.id,
      status: one.status,
      budget: Number(one.budget),
      fee: 0,
      total: Number(one.budget),
      weights: { like: 1, comment: 2, repost: 3 },
      expires_at: new Date(EXPIRES_AT_MS).toISOString(),
      page: `https://pay.test/rewards/${one.id}`,
      csv: `https://pay.test/rewards/${one.id}/shares.csv`,
      post: { url: 'https://farcaster.xyz/marta/0xb87cf233', author: 'marta', text: 'hello' },
      recipients: people.map((amount, index) => ({ username: `person${index + 1}`, amount: Number(amount) / 1e6 })),
      left_out: [
        { reason: 'author', count: 1 },
        { reason: 'excluded', count: one.exclude.length },
      ],
      counts: isPaid ? (one.status === 'confirmed' ? begun : settled) : null,
    };
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  state.close = () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return state;
}

/** Far behind every test, so that only the card's own time is looked at. */
const EXPIRES_AT_MS = Date.UTC(2099, 0, 1);

function sharesOf(budget: bigint, people: number): bigint[] {
  const each = budget / BigInt(people);
  return Array.from({ length: people }, (_, index) => (index === 0 ? budget - each * BigInt(people - 1) : each));
}

function challengeOf({ budget, id }: Distribution, change: (challenge: Challenge) => void): Record<string, string> {
  const seen = { path: `/rewards/${id}`, key: '', body: { receiver: '', amount: budget }, header: null };
  const hash = requestHash('rest.confirm-distribution', { platform: 'decsocial' }, { order_id: id });
  return challengeHeaders({ ...seen, authorization: null, transaction: null }, (challenge) => {
    for (const { extra } of challenge.accepts) extra['requestHash'] = hash;
    change(challenge);
  });
}

/** Whose money it was; of a proof for Solana the fake wallets say nobody’s. */
function settlementOf(header: string): Record<string, string> {
  const base = exactEvmPayloadSchema.safeParse(readHeader(header)?.payload);
  if (!base.success && header.startsWith('ey')) return {};
  const payer = base.success ? base.data.authorization.from : header;
  return { 'payment-response': Buffer.from(JSON.stringify({ success: true, payer })).toString('base64') };
}

/** What a proof takes; of one for Solana the fake wallets say no sum. */
function valueOf(header: string): string {
  const payload = readHeader(header)?.payload;
  const base = exactEvmPayloadSchema.safeParse(payload);
  return base.success ? base.data.authorization.value : '';
}

function send(response: ServerResponse, status: number, json: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(json));
}

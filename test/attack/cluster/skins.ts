/** How a client asks and what it reads, for each interface: the price, and the answer to a proof. */
import { toHeader } from '../../../core/payments/x402.ts';
import { call } from '../../api/mcp/caller.ts';
import { rpc, X402 } from '../../api/a2a/world.ts';
import type { Answer } from './evidence.ts';

export type Wish = { receivers: readonly { receiver: string; amount: number }[]; description: string };
/** What is signed, and what has to be said again beside it. */
export type Price = { required: unknown; said: Record<string, unknown> };
type Heard = Answer extends infer One
  ? One extends Answer
    ? Omit<One, 'proof' | 'askedAtMs' | 'atMs'>
    : never
  : never;
export type Options = { signal: AbortSignal; headers: Record<string, string> };

export type Skin = {
  ask: (url: string, wish: Wish, options: Options) => Promise<Price>;
  present: (url: string, wish: Wish, price: Price, proof: Record<string, unknown>, options: Options) => Promise<Heard>;
};

type Json = Record<string, unknown>;
type Posted = { status: number; headers: Headers; body: Json };

async function post(url: string, body: unknown, { signal, headers }: Options): Promise<Posted> {
  const all = { 'content-type': 'application/json', ...headers };
  const response = await fetch(url, { method: 'POST', headers: all, body: JSON.stringify(body), signal });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: JSON.parse(text === '' ? '{}' : text) as Json };
}

const at = (value: unknown, ...path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>((part, key) => (part as Json | undefined)?.[key], value);
const word = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The ids of all lines that a 200 names, in their order. */
function paid(data: unknown): Heard {
  const lines = [data].flat();
  const inner = lines.flatMap((line) => at(line, 'data') ?? line);
  const txnIds = inner.map((line) => String(at(line, 'txn_id'))).join();
  return { kind: 'paid', txnIds, answer: JSON.stringify(data) };
}

function refused(status: number, error: string): Heard {
  if (status === 402) return { kind: 'challenge', error };
  return { kind: status >= 500 ? 'pending' : 'refused', status, error };
}

const single = ({ receivers: [one], description }: Wish) => ({ ...one, description });
const bodyOf = (wish: Wish) =>
  wish.receivers.length === 1
    ? { path: '/payments/x/pay', body: single(wish) }
    : {
        path: '/payments/x/batch-pay',
        body: { receivers: wish.receivers.map((one) => ({ ...one, description: wish.description })) },
      };

/** `version`: under which header the proof stands. */
const rest = (version: 1 | 2): Skin => ({
  async ask(url, wish, options) {
    const { path, body } = bodyOf(wish);
    const { status, headers, body: told } = await post(url + path, body, options);
    const required = headers.get('PAYMENT-REQUIRED');
    if (status !== 402 || required === null) throw new Error('no price');
    return { required: version === 1 ? told : JSON.parse(Buffer.from(required, 'base64').toString()), said: {} };
  },
  async present(url, wish, _price, proof, { signal, headers }) {
    const { path, body } = bodyOf(wish);
    const header = version === 1 ? 'X-PAYMENT' : 'PAYMENT-SIGNATURE';
    const answer = await post(url + path, body, { signal, headers: { ...headers, [header]: toHeader(proof) } });
    if (answer.status === 200) return paid(answer.body['data']);
    return refused(answer.status, word(answer.body['error']));
  },
});

const mcp: Skin = {
  async ask(url, wish, options) {
    const { body } = await post(`${url}/mcp`, call('pay_x', single(wish)), options);
    const data = at(body, 'error', 'data');
    if (at(data, 'paymentRequired') === undefined) throw new Error('no price');
    return { required: at(data, 'paymentRequired'), said: { taskId: at(data, 'taskId') } };
  },
  async present(url, wish, { said }, proof, options) {
    const asked = call('pay_x', single(wish), { 'x402/payment': proof, ...said });
    const { body } = await post(`${url}/mcp`, asked, options);
    const { error, result } = body;
    if (error !== undefined) {
      const code = at(error, 'code');
      const reason = word(at(error, 'data', 'error'));
      return refused(code === -32402 ? 402 : code === -32602 ? 400 : 500, reason);
    }
    return paid(at(result, 'structuredContent'));
  },
};

const a2a: Skin = {
  async ask(url, wish, options) {
    const message = {
      messageId: wish.description,
      role: 'ROLE_USER',
      parts: [{ data: { skill: 'pennypost.pay.x', params: single(wish) } }],
    };
    const { body } = await post(`${url}/a2a`, rpc('SendMessage', { message }), withX402(options));
    const task = at(body, 'result', 'task');
    const required = at(task, 'status', 'message', 'metadata', 'x402.payment.required');
    if (required === undefined) throw new Error('no price');
    return { required, said: { taskId: at(task, 'id') } };
  },
  async present(url, wish, { said }, proof, options) {
    const message = {
      messageId: `${wish.description} paid`,
      role: 'ROLE_USER',
      parts: [{ text: 'Here it is.' }],
      metadata: { 'x402.payment.status': 'payment-submitted', 'x402.payment.payload': proof },
      ...said,
    };
    const { status, body } = await post(`${url}/a2a`, rpc('SendMessage', { message }), withX402(options));
    const task = at(body, 'result', 'task', 'status');
    const artifact = at(body, 'result', 'task', 'artifacts', 0, 'parts', 0, 'data');
    if (at(task, 'state') === 'TASK_STATE_COMPLETED') return paid(artifact);
    const error =
      word(at(task, 'message', 'metadata', 'x402.payment.error')) || JSON.stringify(at(body, 'error') ?? task);
    const isChallenge = at(task, 'message', 'metadata', 'x402.payment.status') === 'payment-required';
    return refused(isChallenge ? 402 : status >= 500 ? status : 500, error);
  },
};

const withX402 = ({ signal, headers }: Options) => ({ signal, headers: { ...headers, 'X-A2A-Extensions': X402 } });

export const SKINS = { v2: rest(2), v1: rest(1), mcp, a2a };

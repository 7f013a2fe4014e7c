/** A service in memory that may lose questions and answers, and a clock that waits for nobody. */
import { privateKeyToAccount } from 'viem/accounts';
import { z } from 'zod';
import { evmProfile } from '../../chain/evm/rpc/profile.ts';
import { createEvmSigner } from '../../chain/evm/wallet-signer.ts';
import { createLibrary } from '../../client/library.ts';
import type { PaymentStore, Pennypost, PennypostOptions } from '../../client/pennypost.ts';
import { parseDecimalUsdc, sumUsdc, ZERO_USDC } from '../../core/money.ts';
import { toHeader } from '../../core/payments/x402.ts';
import { requestHash } from '../../core/request-hash.ts';

export const SERVICE = 'https://pay.test';
export const account = privateKeyToAccount(`0x${'11'.repeat(32)}`);
const { caip2, usdc, eip712Name: name, eip712Version: version } = evmProfile('base', 'mainnet');
const TREASURY = '0x1111111111111111111111111111111111111111';

type Body = { receivers: { platform: string; receiver: string; amount: string }[] };

export type ShopOptions = {
  random?: () => number;
  /** How often a question or an answer is lost, of all. */
  losses?: number;
  /** What the terms have other than they should. */
  terms?: Record<string, unknown>;
  extra?: Record<string, unknown>;
  feeMicroUsdc?: bigint;
  /** Answers every header so, instead of taking it. */
  refuses?: { status: number; error: string };
};

export function createShop({
  random = () => 1,
  losses = 0,
  terms,
  extra,
  feeMicroUsdc = 5_000n,
  refuses,
}: ShopOptions = {}) {
  /** Every header that moved money. */
  const taken = new Set<string>();
  const seen: { key: string | null; header: string | null }[] = [];
  let nowMs = 1_800_000_000_000;

  function answer(header: string | null, body: Body): Response {
    if (header === null) {
      const sum = sumUsdc(body.receivers.map(({ amount }) => parseDecimalUsdc(amount) ?? ZERO_USDC));
      const agreed = {
        scheme: 'exact',
        network: caip2,
        amount: (sum + feeMicroUsdc).toString(),
        asset: usdc,
        payTo: TREASURY,
        maxTimeoutSeconds: 60,
        extra: { name, version, requestHash: requestHash('rest.cross-batch-pay', {}, body), ...extra },
        ...terms,
      };
      const required = toHeader({ x402Version: 2, accepts: [agreed] });
      return Response.json({ error: 'payment_required' }, { status: 402, headers: { 'payment-required': required } });
    }
    if (refuses !== undefined)
      return Response.json({ error: refuses.error, detail: 'No.' }, { status: refuses.status });
    taken.add(header);
    const data = body.receivers.map(({ amount }, index) => ({
      txn_id: 100 + index,
      receipt: `${SERVICE}/receipts/${index}`,
      status: 'paid',
      amount: Number(amount),
    }));
    return Response.json({ code: 200, msg: 'sent', data });
  }

  const fetch: typeof globalThis.fetch = async (_url, init) => {
    const headers = new Headers(init?.headers);
    const header = headers.get('payment-signature');
    seen.push({ key: headers.get('idempotency-key'), header });
    if (random() < losses) throw new TypeError('lost on its way');
    const answered = answer(header, JSON.parse(z.string().parse(init?.body)) as Body);
    if (random() < losses) throw new TypeError('the answer was lost');
    return random() < losses / 2 ? Response.json({}, { status: 500 }) : answered;
  };

  function open(store?: PaymentStore, options: Partial<PennypostOptions> = {}): Pennypost {
    const all = { url: SERVICE, signer: createEvmSigner(account), fetch, ...(store && { store }), ...options };
    return createLibrary(all, {
      fetch,
      clock: { now: () => nowMs, sleep: async (milliseconds) => void (nowMs += milliseconds) },
      sha256: async (bytes) => new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)),
      random: (bytes) => crypto.getRandomValues(new Uint8Array(bytes)),
    });
  }
  return { open, taken, seen, pass: (milliseconds: number) => void (nowMs += milliseconds) };
}

export function createStore(): PaymentStore & { kept: Map<string, string> } {
  const kept = new Map<string, string>();
  return {
    kept,
    get: async (id) => kept.get(id) ?? null,
    add: async (id, text) => !kept.has(id) && kept.set(id, text) === kept,
    remove: async (id) => void kept.delete(id),
  };
}

import { parsePaymentAmount } from '../core/amounts.ts';
import { AppError, ERRORS } from '../core/errors.ts';
import { readServiceAddress } from '../core/http/service-address.ts';
import { microUsdc, parseDecimalUsdc, formatUsdc, sumUsdc, type MicroUsdc } from '../core/money.ts';
import { claimUrl } from '../core/payments/answers.ts';
import type { PaymentSigner } from '../core/payments/signer.ts';
import type { WireStatus } from '../core/states.ts';
import type { Sha256 } from './binding.ts';
import type { Clock } from './channel.ts';
import type { HttpDeps } from './exchange.ts';
import { cancelPayment, findPayment, type Answered, type FoundPayment } from './lookup.ts';
import { createPayments } from './payments.ts';
import {
  PennypostError,
  type Payment,
  type PaymentStore,
  type PayOptions,
  type Pennypost,
  type PennypostOptions,
} from './pennypost.ts';
import { buy, type PurchaseDeps } from './purchase.ts';
import { CONFIRMING, createRewardCalls } from './rewards.ts';

/** What the place where it runs brings: a browser, Node, Deno. */
export type Environment = {
  fetch: typeof globalThis.fetch;
  clock: Clock;
  sha256: Sha256;
  random: (bytes: number) => Uint8Array;
};

const ROUTE = '/payments/batch-pay';
const LINES_MAX = 100;
const MAX_FEE = microUsdc(50_000n);
const WAIT_MS = 120_000;
/** A cancellation takes effect now or never; services take ten minutes at most. */
const CANCELLATION_SECONDS = 300;
const POLL_MS = 2_000;
const SETTLED: readonly WireStatus[] = ['paid', 'pending_claim', 'refunded', 'held'];

type Line = { to: string; amount: string };
type Library = {
  deps: HttpDeps & { baseUrl: string };
  options: PennypostOptions;
  environment: Environment;
  store: PaymentStore;
};

/** The library over one service. */
export function createLibrary(options: PennypostOptions, environment: Environment): Pennypost {
  const baseUrl = readAddress(options.url);
  const deps = {
    baseUrl,
    fetch: options.fetch ?? environment.fetch,
    ...(options.signal && { closing: options.signal }),
  };
  const library: Library = { deps, options, environment, store: options.store ?? createMemory() };
  const rewards = createRewardCalls(deps);
  return {
    pay: (to, amount, more = {}) => payLines(library, [{ to, amount }], more),
    batch: (lines, more = {}) => payLines(library, lines, more),
    async validate(txnId) {
      const found = await findPayment(deps, baseUrl, readTxnId(txnId));
      return found.kind === 'open' ? null : toPayment(dataOf(found));
    },
    waitFor: (txnId, { until = SETTLED, limitMs = WAIT_MS } = {}) => waitFor(library, txnId, { until, limitMs }),
    async cancel(txnId) {
      const validBefore = Math.floor(environment.clock.now() / 1_000) + CANCELLATION_SECONDS;
      readTxnId(txnId);
      const signature = await signerOf(options).signCancellation({ txnId, validBefore });
      const { txn_id, ...data } = dataOf(await cancelPayment(deps, baseUrl, { txnId, signature, validBefore }));
      return { txnId: txn_id, ...data };
    },
    claimLink(to) {
      const { platform, receiver } = readName(to);
      return claimUrl(baseUrl, platform, receiver);
    },
    async createReward(request) {
      const budget = readUsdc('budget', request.budget);
      const reward = dataOf(await rewards.create(request, budget));
      if (reward.budget === formatUsdc(budget)) return reward;
      throw new PennypostError(
        'refused',
        'other_budget',
        'The service answers another budget than the one it was asked for.',
      );
    },
    async payReward({ id: rewardId, budget }, { id, maxFee } = {}) {
      const { paid } = await buy(purchaseDeps(library), {
        ...CONFIRMING,
        body: { order_id: rewardId },
        id: id ?? `reward ${rewardId}`,
        sum: readUsdc('budget', budget),
        maxFee: feeLimit(options, maxFee),
        channel: (key, payer) => rewards.channel(rewardId, key, payer),
      });
      return paid.reward;
    },
    reward: async (id) => dataOf(await rewards.read(id)),
  };
}

/** Always a batch, of one line too: there each receiver names its own platform, by any of its names. */
async function payLines(library: Library, lines: readonly Line[], { note, id, maxFee }: PayOptions) {
  const { deps, options } = library;
  if (lines.length === 0 || lines.length > LINES_MAX)
    throw usage('lines', `A payment has 1 to ${LINES_MAX} lines, found ${lines.length}.`);
  const read = lines.map(({ to, amount }) => ({ ...readName(to), amount: readAmount(amount) }));
  const body = {
    receivers: read.map(({ platform, receiver, amount }) => ({ platform, receiver, amount: formatUsdc(amount) })),
    ...(note !== undefined && { description: note }),
  };
  const payments = createPayments(deps);
  const bought = await buy(purchaseDeps(library), {
    operation: 'rest.cross-batch-pay',
    pathParameters: {},
    body,
    id: id ?? null,
    sum: sumUsdc(read.map(({ amount }) => amount)),
    maxFee: feeLimit(options, maxFee),
    channel: (key, payer) => payments.channel({ id: key, route: ROUTE, body, payer }),
  });
  return { id: bought.id, message: bought.paid.message, lines: bought.paid.lines };
}

async function waitFor(
  { deps, environment: { clock } }: Library,
  txnId: number,
  { until, limitMs }: { until: readonly WireStatus[]; limitMs: number },
): Promise<Payment> {
  const deadline = clock.now() + limitMs;
  for (;;) {
    const found = await findPayment(deps, deps.baseUrl, readTxnId(txnId));
    if (found.kind === 'refused') throw toFailure(found);
    if (found.kind === 'found' && until.includes(found.data.status)) return toPayment(found.data);
    if (clock.now() + POLL_MS >= deadline || deps.closing?.aborted) {
      throw new PennypostError('unknown', 'not_yet', `The payment ${txnId} is in none of the wanted states yet.`);
    }
    await clock.sleep(POLL_MS);
  }
}

function purchaseDeps({ deps, options, environment, store }: Library): PurchaseDeps {
  const { clock, sha256, random } = environment;
  const { waitMs = WAIT_MS } = options;
  return { service: deps.baseUrl, signer: signerOf(options), store, clock, sha256, random, waitMs };
}

function signerOf({ signer }: PennypostOptions): PaymentSigner {
  if (signer !== undefined) return signer;
  throw usage('signer', 'This needs a signer: createPennypost({ url, signer }).');
}

function dataOf<Data>(answered: Answered<Data>): Data {
  if (answered.kind === 'found') return answered.data;
  if (answered.kind === 'refused') throw toFailure(answered);
  throw new PennypostError('unknown', 'no_answer', 'The service has given no answer. Ask again in a moment.');
}

function toFailure({ reason, detail, line }: Exclude<Answered<never>, { kind: 'found' | 'open' }>): PennypostError {
  return new PennypostError('refused', reason, detail ?? `The service refused it: ${reason}.`, { line });
}

function toPayment({ txn_id, amount, receipt, status, network, settled_at }: FoundPayment): Payment {
  return { txnId: txn_id, amount, receipt, status, network, settledAt: settled_at };
}

/** `platform:name`, or an e-mail address. The service knows the platforms, and what their names look like. */
function readName(text: string): { platform: string; receiver: string } {
  const trimmed = text.trim();
  const [, platform, receiver] = /^@?([A-Za-z]+):(?!\/)(.+)$/s.exec(trimmed) ?? [];
  if (platform !== undefined && receiver !== undefined) return { platform, receiver };
  if (/^[^@\s]+@[^@\s]+$/.test(trimmed)) return { platform: 'email', receiver: trimmed };
  throw usage(
    'recipient',
    'Name a recipient as x:alice, github:octocat, farcaster:alice, alice@example.com or web:example.com.',
  );
}

function readAmount(amount: string): MicroUsdc {
  try {
    return parsePaymentAmount(amount, 'amount');
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw usage(error.code, error.context.detail ?? ERRORS[error.code].detail);
  }
}

function readUsdc(name: string, text: string): MicroUsdc {
  const amount = parseDecimalUsdc(text);
  if (amount !== null) return amount;
  throw usage('invalid_amount', `"${name}" must be USDC as decimal text, such as "0.5".`);
}

function feeLimit({ maxFee }: PennypostOptions, own: string | undefined): MicroUsdc {
  const text = own ?? maxFee;
  return text === undefined ? MAX_FEE : readUsdc('maxFee', text);
}

function readAddress(text: string): string {
  const read = readServiceAddress(text);
  if ('address' in read) return read.address;
  const texts = {
    no_address: 'The service is named by its address, such as https://pay.example.com.',
    not_encrypted: 'A service elsewhere is asked over https only.',
  };
  throw usage('url', texts[read.fault]);
}

function readTxnId(txnId: number): string {
  if (Number.isSafeInteger(txnId) && txnId > 0) return String(txnId);
  throw usage('txn_id', 'A txnId is a positive whole number from an answer to a payment.');
}

function usage(reason: string, text: string): PennypostError {
  return new PennypostError('usage', reason, text);
}

function createMemory(): PaymentStore {
  const kept = new Map<string, string>();
  return {
    get: (id) => kept.get(id) ?? null,
    add(id, text) {
      if (kept.has(id)) return false;
      kept.set(id, text);
      return true;
    },
    remove(id, text) {
      if (kept.get(id) === text) kept.delete(id);
    },
  };
}

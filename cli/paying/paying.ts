import { CHARGES } from '../../core/payments/charge.ts';
import { paymentHeader } from '../../core/payments/payment-header.ts';
import { formatUsdc, type MicroUsdc } from '../../core/money.ts';
import { boundNonce } from '../../core/request-hash.ts';
import { askPrice, type Price } from '../../client/channel.ts';
import { signCharge, type SignedHeader, type Signing } from '../../client/charge.ts';
import { createPayments, type PaidPayment } from '../../client/payments.ts';
import { learnFate, type Fate, type FateDeps } from './fate.ts';
import type { Days } from '../journal/days.ts';
import type { Kept } from '../journal/payments.ts';
import type { PaymentRecord } from '../journal/record.ts';
import { nameOrder, type Order } from './order.ts';
import type { Chains, Purse, Sign } from './purse.ts';
import { toRefusal } from './service.ts';
import { Stop } from '../terminal/stop.ts';
import { agree, type Quote } from './terms.ts';

export type PayingDeps = FateDeps & {
  service: string;
  purse: Purse;
  mode: Chains['mode'];
  random: (bytes: number) => Uint8Array;
  maxFee: MicroUsdc;
  days: Days;
  /** Null: no limit. Fees count. */
  maxCall: MicroUsdc | null;
  maxDay: MicroUsdc | null;
  /** How long one call tries to learn the fate of its payment. */
  waitMs: number;
};

/** `earlier`: the payment of the same request was begun before, and no second one was made. */
export type Outcome = { fate: Fate; earlier: boolean };

/** Each turn ends an earlier payment; more than a few of the same request are a fault. */
const TURNS_MAX = 5;

/** The price, checked against all that is known beforehand. Signs nothing. */
export async function quote(deps: PayingDeps, order: Order): Promise<Quote> {
  const { service, purse, maxFee, maxCall } = deps;
  const { route, body } = order;
  const channel = createPayments({ ...deps, baseUrl: service }).channel({
    id: newId(deps),
    route,
    body,
    payer: purse.address,
  });
  const price = await askPrice(channel, deps);
  if (price.kind !== 'price') throw noPrice(deps, price);
  const agreed = agree(price.challenge, order, { pinned: purse.pinned, from: purse.address, maxFee });
  if (maxCall === null || agreed.total <= maxCall) return agreed;
  const text = `This costs ${formatUsdc(agreed.total)} USDC; one call may cost ${formatUsdc(maxCall)} USDC.`;
  throw new Stop('refused', 'over_call_cap', text, 'Nothing was signed. The limit is --max-call.');
}

type NoPrice = Exclude<Price<PaidPayment>, { kind: 'price' }>;

function noPrice({ service }: PayingDeps, price: NoPrice): Stop {
  const refused = price.kind === 'refused' ? price : price.kind === 'unreachable' ? price.refusal : null;
  if (refused !== null) {
    const { word, text } = toRefusal(refused);
    return new Stop('refused', word, text, 'Nothing was signed.');
  }
  const text = `No service answers at ${service}.`;
  return new Stop('refused', 'unreachable', text, 'Nothing was signed. Check --url, and try again.');
}

/**
 * Finishes an earlier payment of the same request whose fate its caller was never told, and returns that fate. Null
 * when a new one may be made. A refused one is left to `pay`, since its caller knows of it.
 */
export async function finishEarlier(deps: PayingDeps, order: Order): Promise<Fate | null> {
  const look = deps.journal.look({ service: deps.service, ...order });
  if (look.kind === 'free' || look.kept.record.state.kind === 'refused') return null;
  const fate = await learnFate(deps, look.kept, deps.waitMs);
  return fate.kind === 'dead' ? null : fate;
}

/**
 * Pays what was agreed: reserves the day's part, signs, stores the header on the disk, and only then sends it. While an
 * earlier header of the same request can still take effect, that one is sent again instead.
 */
export async function pay(deps: PayingDeps, agreed: Quote): Promise<Outcome> {
  const sign = await deps.purse.prepare();
  for (let turn = 0; turn < TURNS_MAX; turn++) {
    const look = deps.journal.look({ service: deps.service, ...agreed.order });
    if (look.kind === 'open') {
      const fate = await learnFate(deps, look.kept, deps.waitMs);
      if (fate.kind !== 'dead') return { fate, earlier: true };
      continue;
    }
    const kept = await begin(deps, agreed, sign, look.place);
    if (kept !== null) return { fate: await learnFate(deps, kept, deps.waitMs), earlier: false };
  }
  throw new Stop('refused', 'busy', 'The same is being paid over and over by others here.', 'Nothing was signed.');
}

/** Null when another process has begun the same: then this header was not sent, and never will be. */
async function begin(deps: PayingDeps, agreed: Quote, sign: Sign, place: string): Promise<Kept | null> {
  const { days, journal } = deps;
  const named = { id: newId(deps), day: dayOf(deps) };
  const begun: { kept: Kept | null } = { kept: null };
  const signing: Signing<Quote> = {
    rules: CHARGES.commandLine,
    sinceMs: null,
    clock: deps,
    fail: ({ reason }) => Promise.reject(new Error(`a payment that its caller waits for failed: ${reason}`)),
    async allow(_agreed, go) {
      reserve(deps, named, agreed.total);
      await go();
    },
    sign: async () => signOrRelease(deps, agreed, sign, named),
    async keep(signed) {
      // When this throws, the record may be on the disk and be sent by a later start: its part of the day stays taken.
      begun.kept = journal.begin(toRecord(deps, agreed, signed, named), place);
      if (begun.kept === null) days.release(named.day, named.id);
    },
  };
  await signCharge(signing, agreed);
  return begun.kept;
}

function signOrRelease(deps: PayingDeps, agreed: Quote, sign: Sign, { day, id }: Named): SignedHeader {
  try {
    const binding = boundNonce(agreed.order.requestHash, Buffer.from(deps.random(16)).toString('hex'));
    const { payload, end } = sign(agreed, binding);
    return { header: paymentHeader(agreed.challenge, agreed.terms, payload), end };
  } catch (error) {
    deps.days.release(day, id);
    throw error;
  }
}

function reserve({ days, maxDay }: PayingDeps, { day, id }: Named, total: MicroUsdc): void {
  if (days.reserve(day, id, total, maxDay)) return;
  const spent = formatUsdc(days.spent(day));
  const text = `The limit of ${formatUsdc(maxDay ?? total)} USDC a day leaves no room for ${formatUsdc(total)}: ${spent} are signed for today (UTC), what was refused among it.`;
  throw new Stop('refused', 'over_day_cap', text, 'Nothing was signed. The limit is --max-day.');
}

type Named = { id: string; day: string };

function toRecord(
  deps: PayingDeps,
  { order, total }: Quote,
  { header, end }: SignedHeader,
  { id, day }: Named,
): PaymentRecord {
  return {
    version: 1,
    id,
    createdAt: new Date(deps.now()).toISOString(),
    day,
    service: deps.service,
    route: order.route,
    body: order.body,
    network: deps.purse.pinned.network,
    mode: deps.mode,
    from: deps.purse.address,
    name: nameOrder(order),
    sumMicroUsdc: order.sum.toString(),
    totalMicroUsdc: total.toString(),
    header,
    end,
    state: { kind: 'signed' },
  };
}

export function dayOf({ now }: Pick<PayingDeps, 'now'>): string {
  return new Date(now()).toISOString().slice(0, 10);
}

function newId({ random }: Pick<PayingDeps, 'random'>): string {
  return Buffer.from(random(16)).toString('hex');
}

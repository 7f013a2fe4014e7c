import { afterRefusal, isFresh, mayEndHeader, type ChargeRules, type HeaderEnd } from '../core/payments/charge.ts';
import type { Challenge } from '../core/payments/challenge.ts';
import { askPrice, sendUntilKnown, type Channel, type Clock, type PaidAnswer, type Sent } from './channel.ts';
import type { Refused } from './refusal.ts';

export type Failure = Pick<Refused, 'reason' | 'line'>;

/**
 * Something that is paid for once, as read from its store. Each function that writes names the state that was read, so
 * that only one of two processes succeeds; the other reads again.
 */
export type Payable<Paid extends PaidAnswer> = {
  rules: ChargeRules;
  /** When it was agreed to. */
  sinceMs: number | null;
  channel: Pick<Channel<Paid>, 'send'>;
  clock: Clock;
  /** How long one run keeps sending; 0: one try. */
  sendLimitMs: number;
  /** Called once, when the first answer leaves the fate open. */
  onWaiting?: () => Promise<void>;
  /** Whether the header that was sent can certainly no longer land; null: it can no longer be known. */
  isOver: () => Promise<boolean | null>;
  settle: (paid: Paid) => Promise<void>;
  /** Ends it unpaid for its payer. */
  fail: (failure: Failure, refused: Refused | null) => Promise<void>;
  /** Drops a header that is over, so that another one may be signed. */
  giveUp: (refused: Refused) => Promise<void>;
  /** Nothing more to do in this run. `open`: the fate of the header is open. */
  wait: (why: 'open' | 'not_over' | 'no_price') => Promise<void>;
};

export type SignedHeader = { header: string; end: HeaderEnd };

/** How we sign a charge ourselves. `Agreed`: the terms to sign. */
export type Signing<Agreed> = Pick<Payable<PaidAnswer>, 'rules' | 'sinceMs' | 'clock' | 'fail'> & {
  /** Calls `sign` at most once, when the limits and earlier charges allow it. */
  allow: (agreed: Agreed, sign: () => Promise<void>) => Promise<void>;
  /** Null when the signer refuses. */
  sign: (agreed: Agreed) => Promise<SignedHeader | null>;
  /** Stores the header before it is sent. Of two that were signed at once only the first is kept and ever sent. */
  keep: (signed: SignedHeader) => Promise<void>;
};

/** A charge that we price, sign and send. */
export type OwnPayable<Paid extends PaidAnswer, Agreed> = Payable<Paid> &
  Signing<Agreed> & {
    channel: Channel<Paid>;
    /** Why it cannot be signed at any price; null: it can. */
    obstacle: string | null;
    onAsking?: () => Promise<void>;
    /** Whether a price is for the network that pays it. */
    isOffered: (challenge: Challenge) => boolean;
    /** Checks a price against what is known; null: nothing is signed. */
    agree: (challenge: Challenge) => Agreed | null;
  };

/** `moved`: read it again, there may be a next step. `waits`: take it up later. */
export type Step = 'moved' | 'waits';

/** The service settles on no network now or yet, or has as much as it can settle: that ends by itself. */
const NETWORK_OUT: readonly string[] = ['network_unavailable', 'starting', 'overloaded'];

/** Price, agreement, signature. Nobody can be charged yet: only a kept header is ever sent. */
export async function prepareCharge<Paid extends PaidAnswer, Agreed>(payable: OwnPayable<Paid, Agreed>): Promise<Step> {
  const { rules, channel, clock, obstacle } = payable;
  if (!mayBeSigned(payable)) return fail(payable, 'took_too_long');
  if (obstacle !== null) return fail(payable, obstacle);
  await payable.onAsking?.();
  const price = await askPrice(channel, clock);
  switch (price.kind) {
    case 'price': {
      if (!payable.isOffered(price.challenge)) return waitOrFail(payable, rules.networkOut);
      const agreed = payable.agree(price.challenge);
      if (agreed === null) return fail(payable, 'price_not_agreed');
      await signCharge(payable, agreed);
      return 'moved';
    }
    case 'refused':
      await payable.fail(price, price);
      return 'moved';
    case 'unreachable':
      return waitOrFail(
        payable,
        NETWORK_OUT.includes(price.refusal?.reason ?? '') ? rules.networkOut : rules.unreachable,
      );
    case 'busy':
      await payable.wait('no_price');
      return 'waits';
    case 'paid':
      await payable.settle(price);
      return 'moved';
  }
}

async function waitOrFail(payable: Pick<Payable<PaidAnswer>, 'fail' | 'wait'>, which: 'fail' | 'wait'): Promise<Step> {
  if (which === 'fail') return fail(payable, 'unreachable');
  await payable.wait('no_price');
  return 'waits';
}

/** Signs what was agreed, once its limits allow it, and keeps it. */
export async function signCharge<Agreed>(signing: Signing<Agreed>, agreed: Agreed): Promise<void> {
  await signing.allow(agreed, async () => {
    // It may have waited long for others.
    if (!mayBeSigned(signing)) return void (await fail(signing, 'took_too_long'));
    const signed = await signing.sign(agreed);
    if (signed === null) return void (await fail(signing, 'not_signed'));
    await signing.keep(signed);
  });
}

/** Sends the kept header until its fate is known or the time is up. Nothing is signed beside it. */
export async function presentCharge<Paid extends PaidAnswer>(payable: Payable<Paid>, header: string): Promise<Step> {
  const { channel, clock, sendLimitMs: limitMs, onWaiting, rules } = payable;
  const send = () => channel.send(header);
  const sent = await sendUntilKnown(send, { clock, limitMs, ...(onWaiting && { onWaiting }) });
  if (sent.kind !== 'refused' || !mayEndHeader(rules, sent)) return conclude(payable, sent, false);
  const isOver = await payable.isOver();
  // A refusal is final only if the header was over before the request: otherwise it may have landed in between.
  return conclude(payable, isOver === true ? await send() : sent, isOver);
}

async function conclude<Paid extends PaidAnswer>(
  payable: Payable<Paid>,
  sent: Sent<Paid>,
  isOver: boolean | null,
): Promise<Step> {
  switch (sent.kind) {
    case 'pending':
      await payable.wait('open');
      return 'waits';
    case 'refused':
      return endRefused(payable, sent, isOver);
    case 'paid':
      await payable.settle(sent);
      return 'moved';
  }
}

async function endRefused<Paid extends PaidAnswer>(
  payable: Payable<Paid>,
  refused: Refused,
  isOver: boolean | null,
): Promise<Step> {
  const next = afterRefusal(payable.rules, refused, { isOver, isFresh: mayBeSigned(payable) });
  switch (next.do) {
    case 'give_up':
      await payable.giveUp(refused);
      return 'moved';
    case 'wait':
      await payable.wait('not_over');
      return 'waits';
    case 'fail':
      await payable.fail({ reason: next.reason, line: refused.line }, refused);
      return 'moved';
  }
}

function mayBeSigned({ rules, sinceMs, clock }: Pick<Signing<unknown>, 'rules' | 'sinceMs' | 'clock'>): boolean {
  return isFresh(rules, sinceMs, clock.now());
}

async function fail({ fail: end }: Pick<Signing<unknown>, 'fail'>, reason: string): Promise<'moved'> {
  await end({ reason, line: null }, null);
  return 'moved';
}

import { z } from 'zod';
import { agreeOn, FAULT_WORDS, type AgreedPrice, type PriceFault } from '../core/payments/agreement.ts';
import { CHARGES } from '../core/payments/charge.ts';
import { paymentHeader } from '../core/payments/payment-header.ts';
import type { PaymentSigner } from '../core/payments/signer.ts';
import { formatUsdc, type MicroUsdc } from '../core/money.ts';
import { bindNonce, hashRequest, hashText, toHex, type RequestName, type Sha256 } from './binding.ts';
import type { Channel, Clock, PaidAnswer } from './channel.ts';
import { prepareCharge, presentCharge, type OwnPayable, type Payable, type SignedHeader } from './charge.ts';
import { PennypostError, type PaymentStore } from './pennypost.ts';
import type { Refused } from './refusal.ts';

/** Something that is bought by one signature, under a name that its buyer gives it. */
export type Purchase<Paid extends PaidAnswer> = RequestName & {
  /** Null: it gets a name of its own. */
  id: string | null;
  /** Without the fee. */
  sum: MicroUsdc;
  maxFee: MicroUsdc;
  channel: (key: string, payer: string) => Channel<Paid>;
};

export type PurchaseDeps = {
  service: string;
  signer: PaymentSigner;
  store: PaymentStore;
  clock: Clock;
  sha256: Sha256;
  random: (bytes: number) => Uint8Array;
  waitMs: number;
};

/** What is kept of a payment, before it is sent. */
const keptSchema = z.object({
  version: z.literal(1),
  service: z.string(),
  payer: z.string(),
  network: z.string(),
  requestHash: z.string(),
  header: z.string(),
  end: z.union([z.object({ validBefore: z.int() }), z.object({ lastValidHeight: z.int() })]),
});
type Kept = z.infer<typeof keptSchema>;

/** Each turn ends an earlier header; more than a few under one name are a fault. */
const TURNS_MAX = 5;

/**
 * Buys it once. The header is kept before it is sent; while it can take effect, nothing else is signed under its name, in
 * whichever process the store is shared with.
 */
export async function buy<Paid extends PaidAnswer>(
  deps: PurchaseDeps,
  purchase: Purchase<Paid>,
): Promise<{ id: string; paid: Paid }> {
  const id = purchase.id ?? toHex(deps.random(16));
  const requestHash = await hashRequest(deps.sha256, purchase);
  // The service wants names of 16 characters and more.
  const key = (await hashText(deps.sha256, `pennypost-client ${id}`)).slice(0, 32);
  const channel = purchase.channel(key, deps.signer.address);
  const named: Named<Paid> = { id, requestHash, channel };
  for (let turn = 0; turn < TURNS_MAX; turn++) {
    const kept = await readKept(deps, named);
    const paid = kept === null ? await begin(deps, purchase, named) : await finish(deps, named, kept);
    if (paid === null) continue;
    // Nobody else knows this name, so nobody will ask for it again.
    if (purchase.id === null && kept !== null) await deps.store.remove(id, kept.text);
    return { id, paid };
  }
  throw new PennypostError('unknown', 'busy', 'The same payment is being made over and over.', { id });
}

type Named<Paid extends PaidAnswer> = {
  id: string;
  requestHash: string;
  channel: Channel<Paid>;
};

async function readKept(
  { store, service, signer }: PurchaseDeps,
  { id, requestHash }: Named<PaidAnswer>,
): Promise<(Kept & { text: string }) | null> {
  const text = await store.get(id);
  if (text === null) return null;
  const kept = keptSchema.safeParse(toJson(text));
  if (!kept.success) {
    const why = `What is kept of the payment ${id} cannot be read. It may have been sent: ask the service before you remove it.`;
    throw new PennypostError('unknown', 'broken_store', why, { id });
  }
  const { data } = kept;
  const isSame =
    data.service === service &&
    data.requestHash === requestHash &&
    data.payer === signer.address &&
    data.network === signer.pinned.caip2;
  if (isSame) return { ...data, text };
  throw new PennypostError('usage', 'id_reused', `Another payment has the id ${id}.`, { id });
}

/** Price, agreement, signature: the next turn sends it. Null also where another process has kept one meanwhile. */
async function begin<Paid extends PaidAnswer>(
  deps: PurchaseDeps,
  { sum, maxFee }: Purchase<Paid>,
  named: Named<Paid>,
): Promise<Paid | null> {
  const { id, requestHash, channel } = named;
  const { signer, clock, service } = deps;
  const known: { paid: Paid | null; fault: PriceFault | null } = { paid: null, fault: null };
  const payable: OwnPayable<Paid, AgreedPrice> = {
    ...unsent(deps, id),
    channel,
    settle: async (paid) => void (known.paid = paid),
    fail: ({ reason, line }, refused) => Promise.reject(refusalOf({ reason, line, refused, fault: known.fault, id })),
    isOffered: () => true,
    agree(challenge) {
      const agreed = agreeOn(challenge, { requestHash, sum }, { pinned: signer.pinned, from: signer.address, maxFee });
      if (!('why' in agreed)) return agreed;
      known.fault = agreed;
      return null;
    },
    allow: (_agreed, sign) => sign(),
    async sign({ challenge, terms, payTo, feePayer, total }): Promise<SignedHeader> {
      const binding = await bindNonce(deps.sha256, requestHash, deps.random(16));
      const transfer = { payTo, feePayer, amountMicroUsdc: total, binding };
      const { payload, end } = await signer.sign(transfer, clock.now());
      return { header: paymentHeader(challenge, terms, payload), end };
    },
    async keep({ header, end }) {
      const { address: payer, pinned } = signer;
      const kept: Kept = { version: 1, service, payer, network: pinned.caip2, requestHash, header, end };
      const text = JSON.stringify(kept);
      await deps.store.add(id, text);
    },
  };
  await prepareCharge(payable);
  return known.paid;
}

/** Null when it is over and was never taken: then another one may be signed. */
async function finish<Paid extends PaidAnswer>(
  deps: PurchaseDeps,
  named: Named<Paid>,
  { header, end, text }: Kept & { text: string },
): Promise<Paid | null> {
  const { id, channel } = named;
  const { signer, clock } = deps;
  const known: { paid: Paid | null; isOver: boolean } = { paid: null, isOver: false };
  // One that is not over can still be taken, by a service that lies or an earlier sending that is on its way.
  const isCertain = (await signer.isOver(end, clock.now())) === true;
  const payable: Payable<Paid> = {
    ...unsent(deps, id),
    channel,
    isOver: () => signer.isOver(end, clock.now()),
    settle: async (paid) => void (known.paid = paid),
    fail: ({ reason, line }, refused) =>
      Promise.reject(
        isCertain ? refusalOf({ reason, line, refused, fault: null, id }) : notYet({ reason, refused, id }),
      ),
    async giveUp() {
      await deps.store.remove(id, text);
      known.isOver = true;
    },
    wait: async () => undefined,
  };
  await presentCharge(payable, header);
  if (known.paid !== null || known.isOver) return known.paid;
  const why = 'It is not known yet whether this was paid. Call again with the same id: it can never be paid twice.';
  throw new PennypostError('unknown', 'fate_unknown', why, { id });
}

/** What a charge needs while nothing is sent. */
function unsent({ clock, waitMs }: PurchaseDeps, id: string) {
  return {
    rules: CHARGES.library,
    sinceMs: null,
    clock,
    sendLimitMs: waitMs,
    obstacle: null,
    isOver: async () => false,
    giveUp: async () => undefined,
    wait: () =>
      Promise.reject(new PennypostError('refused', 'order_in_progress', 'Another payer is paying for it now.', { id })),
  };
}

function notYet({ reason, refused, id }: Pick<RefusalParts, 'reason' | 'refused' | 'id'>): PennypostError {
  const why = refused?.detail ?? `The service refused it: ${reason}.`;
  const text = `${why} It is not known yet that it never will be charged. Call again with the same id: it can never be paid twice.`;
  return new PennypostError('unknown', reason, text, { id });
}

type RefusalParts = {
  reason: string;
  line: number | null;
  refused: Refused | null;
  fault: PriceFault | null;
  id: string;
};

function refusalOf({ reason, line, refused, fault, id }: RefusalParts): PennypostError {
  if (fault !== null)
    return new PennypostError('refused', fault.why === 'fee' ? 'fee_too_high' : reason, faultText(fault), { id });
  const text = refused?.detail ?? TEXTS[reason] ?? `The service refused it: ${reason}.`;
  return new PennypostError('refused', reason, text, { id, line });
}

const TEXTS: Readonly<Record<string, string>> = {
  unreachable: 'No service answers with a price. Nothing was signed.',
};

function faultText(fault: PriceFault): string {
  switch (fault.why) {
    case 'not_pinned':
      return `The price is refused: it has ${fault.found.found}, wanted ${fault.found.wanted}. Nothing was signed.`;
    case 'fee':
      return `The service wants a fee of ${formatUsdc(fault.fee)} USDC, more than is allowed. Nothing was signed.`;
    case 'lost':
    case 'own_account':
    case 'other_request':
    case 'no_fee_payer':
    case 'below_sum':
      return `The price is refused: ${FAULT_WORDS[fault.why]}. Nothing was signed.`;
  }
}

function toJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

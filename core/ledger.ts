import type { Network } from './networks.ts';

/**
 * The postings of each event (ARCHITECTURE.md, "Money"). Assets are positive, liabilities negative, and the postings of
 * an entry sum to zero per unit. Nothing is posted before the chain proves it.
 */
export type AccountSide = 'asset' | 'liability' | 'signed';
export type Posting = { account: string; unit: 'usdc' | 'wei' | 'lamports'; side: AccountSide; amount: bigint };
export type Entry = { cause: string; postings: Posting[] };

const asset = (account: string, amount: bigint): Posting => ({ account, unit: 'usdc', side: 'asset', amount });
const liability = (account: string, amount: bigint): Posting => ({ account, unit: 'usdc', side: 'liability', amount });

export const accounts = {
  chain: (network: Network, address: string) => `chain:${network}:${address}`,
  escrow: (network: Network, identityId: string) => `escrow:${network}:${identityId}`,
  outflight: (network: Network) => `outflight:${network}`,
  refundDue: (network: Network, payerAccountId: string) => `refund_due:${network}:${payerAccountId}`,
  suspense: (network: Network) => `suspense:${network}`,
  fees: (network: Network) => `fees:${network}`,
  float: (network: Network) => `float:${network}`,
  reorgLoss: (network: Network) => `reorg_loss:${network}`,
  native: (network: Network, address: string) => `native:${network}:${address}`,
  gasSpent: (network: Network) => `gas_spent:${network}`,
};

/** Its second part, in the name of every account. */
export function networkOfAccount(account: string): string {
  return account.split(':')[1] ?? '';
}

export type Credit = {
  identityId: string;
  amount: bigint;
  /** Whether this line's money has left escrow for a payout. Then a reorganisation is our loss, not the recipient's. */
  left: boolean;
};

type Inbound = {
  network: Network;
  address: string;
  fact: string;
  landing: number;
  fee: bigint;
  /** The part of the fee that has gone back with a refund. Then a reorganisation is our loss here too. */
  feeReturned?: bigint;
  credits: readonly Credit[];
};

/** A payment's money is on the chain: credits each recipient's escrow and our fee. */
export function inboundProven(event: Inbound): Entry {
  return { cause: `in:${event.fact}:${event.landing}`, postings: inboundPostings(event) };
}

/** Its block was reorganised away: the exact reverse of its last landing. */
export function inboundUndone(event: Inbound): Entry {
  return { cause: `un.in:${event.fact}:${event.landing}`, postings: reversed(inboundPostings(event)) };
}

function inboundPostings(event: Inbound): Posting[] {
  const total = event.credits.reduce((sum, credit) => sum + credit.amount, event.fee);
  const feeLost = event.feeReturned ?? 0n;
  const lost = event.credits.reduce((sum, credit) => sum + (credit.left ? credit.amount : 0n), feeLost);
  return merged([
    asset(accounts.chain(event.network, event.address), total),
    ...event.credits
      .filter((credit) => !credit.left)
      .map((credit) => liability(accounts.escrow(event.network, credit.identityId), -credit.amount)),
    liability(accounts.fees(event.network), feeLost - event.fee),
    asset(accounts.reorgLoss(event.network), -lost),
  ]);
}

type Resolved = {
  network: Network;
  paymentId: string;
  txnId: number;
  placeholderId: string;
  identityId: string;
  amount: bigint;
};

/** The person behind a name was found after the payment: moves the money from the placeholder to them. */
export function lineResolved(event: Resolved): Entry {
  return {
    cause: `resolve:${event.paymentId}:${event.txnId}`,
    postings: [
      liability(accounts.escrow(event.network, event.placeholderId), event.amount),
      liability(accounts.escrow(event.network, event.identityId), -event.amount),
    ],
  };
}

type Unexplained = { network: Network; address: string; fact: string; landing: number; amount: bigint };

/** The balance that an address of ours had when scanning began: the operator's own capital. */
export function openingBalance(event: { network: Network; address: string; amount: bigint }): Entry {
  return {
    cause: `open:${event.network}:${event.address}`,
    postings: [
      asset(accounts.chain(event.network, event.address), event.amount),
      liability(accounts.float(event.network), -event.amount),
    ],
  };
}

/** A transfer to us that nothing explains. */
export function suspenseReceived(event: Unexplained): Entry {
  return { cause: `in:${event.fact}:${event.landing}`, postings: suspensePostings(event) };
}

export function suspenseUndone(event: Unexplained): Entry {
  return { cause: `un.in:${event.fact}:${event.landing}`, postings: reversed(suspensePostings(event)) };
}

function suspensePostings(event: Unexplained): Posting[] {
  return [
    asset(accounts.chain(event.network, event.address), event.amount),
    liability(accounts.suspense(event.network), -event.amount),
  ];
}

/** The operator's own money, sent from an address that was declared as theirs. */
export function depositReceived(event: Unexplained): Entry {
  return {
    cause: `in:${event.fact}:${event.landing}`,
    postings: [
      asset(accounts.chain(event.network, event.address), event.amount),
      liability(accounts.float(event.network), -event.amount),
    ],
  };
}

type RefundDue = {
  network: Network;
  paymentId: string;
  txnId: number;
  identityId: string;
  account: string;
  amount: bigint;
  /** Goes back with it; zero when a payout was tried. */
  fee: bigint;
};

/** Not collected, or taken back by the payer: owed to the payer from now on. */
export function refundDue(event: RefundDue): Entry {
  return {
    cause: `refund:${event.paymentId}:${event.txnId}`,
    postings: merged([
      liability(accounts.escrow(event.network, event.identityId), event.amount),
      liability(accounts.fees(event.network), event.fee),
      liability(event.account, -(event.amount + event.fee)),
    ]),
  };
}

/** Left us in a restored database's lost time, and the books do not say for which lines: the float has to cover it. */
export function outflowLost(event: Pick<Unexplained, 'network' | 'address' | 'fact' | 'amount'>): Entry {
  return {
    cause: `lost:${event.fact}`,
    postings: [
      asset(accounts.chain(event.network, event.address), -event.amount),
      asset(accounts.reorgLoss(event.network), event.amount),
    ],
  };
}

type Returned = { network: Network; fact: string; account: string; amount: bigint };

/** Money in suspense whose sender is known goes back to them. */
export function suspenseReturned(event: Returned): Entry {
  return {
    cause: `return:${event.fact}`,
    postings: [liability(accounts.suspense(event.network), event.amount), liability(event.account, -event.amount)],
  };
}

/** The transfer that such a return is of. */
export function factOfReturn(cause: string): string {
  const [, fact] = /^return:(.+)$/.exec(cause) ?? [];
  if (fact === undefined) throw new Error(`${cause} returns no transfer`);
  return fact;
}

type PayoutEvent = {
  network: Network;
  payoutId: string;
  generation: number;
  sourceAccount: string;
  amount: bigint;
  /** The network where the money came in, if it is another one: our own money pays it out here. */
  crossFrom?: Network | null;
};

/** Money leaves its account for a payout. From now on it can only land or be proven dead. */
export function payoutReserved(event: PayoutEvent): Entry {
  const kind = isCross(event) ? 'cross' : 'out.reserve';
  return { cause: `${kind}:${event.payoutId}:${event.generation}`, postings: reservePostings(event) };
}

/** The exact reverse of this generation's reserve. Needs proof that its authorization can never land. */
export function payoutDead(event: PayoutEvent): Entry {
  return { cause: `out.dead:${event.payoutId}:${event.generation}`, postings: reversed(reservePostings(event)) };
}

function isCross({ crossFrom, network }: PayoutEvent): boolean {
  return crossFrom !== undefined && crossFrom !== null && crossFrom !== network;
}

/** Across networks the debt becomes our own money where it came in, and our own money goes out here: both balance. */
function reservePostings(event: PayoutEvent): Posting[] {
  const { network, sourceAccount, amount, crossFrom } = event;
  const leaves = liability(accounts.outflight(network), -amount);
  if (!isCross(event) || !crossFrom) return [liability(sourceAccount, amount), leaves];
  return [
    liability(sourceAccount, amount),
    liability(accounts.float(crossFrom), -amount),
    liability(accounts.float(network), amount),
    leaves,
  ];
}

type Written = { network: Network; paymentId: string; txnId: number; account: string; amount: bigint };

/**
 * Money came back that had left escrow for a payment which a reorganisation removed for good. We owe it to nobody, so
 * it cancels the loss that was posted for it.
 */
export function lossRecovered({ network, paymentId, txnId, account, amount }: Written): Entry {
  return {
    cause: `unlost:${paymentId}:${txnId}`,
    postings: [liability(account, amount), asset(accounts.reorgLoss(network), -amount)],
  };
}

type Landing = { network: Network; address: string; fact: string; landing: number; amount: bigint };

export function payoutLanded(event: Landing): Entry {
  return { cause: `out.land:${event.fact}:${event.landing}`, postings: landingPostings(event) };
}

export function payoutUnlanded(event: Landing): Entry {
  return { cause: `out.unland:${event.fact}:${event.landing}`, postings: reversed(landingPostings(event)) };
}

function landingPostings(event: Landing): Posting[] {
  return [
    liability(accounts.outflight(event.network), event.amount),
    asset(accounts.chain(event.network, event.address), -event.amount),
  ];
}

type Moved = { network: Network; from: string; to: string; fact: string; landing: number; amount: bigint };

/** From one address of ours to another. */
export function moved(event: Moved): Entry {
  return { cause: `move:${event.fact}:${event.landing}`, postings: movePostings(event) };
}

export function movedBack(event: Moved): Entry {
  return { cause: `un.move:${event.fact}:${event.landing}`, postings: reversed(movePostings(event)) };
}

function movePostings({ network, from, to, amount }: Moved): Posting[] {
  return merged([asset(accounts.chain(network, to), amount), asset(accounts.chain(network, from), -amount)]);
}

type Gas = {
  network: Network;
  /** The wallet that paid it: a lane on an EVM network, a fee payer on Solana. */
  lane: string;
  transaction: string;
  unit: 'wei' | 'lamports';
  amount: bigint;
};

/** Gas in the network's own unit. Lanes are funded from outside the books, so both accounts are running totals. */
export function gasSpent({ network, lane, transaction, unit, amount }: Gas): Entry {
  return {
    cause: `gas:${transaction}`,
    postings: [
      { account: accounts.gasSpent(network), unit, side: 'signed', amount },
      { account: accounts.native(network, lane), unit, side: 'signed', amount: -amount },
    ],
  };
}

function reversed(postings: readonly Posting[]): Posting[] {
  return postings.map((posting) => ({ ...posting, amount: -posting.amount }));
}

/** One posting per account, none of zero, in account order, so that rows are always locked in the same order. */
function merged(postings: readonly Posting[]): Posting[] {
  const byAccount = new Map<string, Posting>();
  for (const posting of postings) {
    const known = byAccount.get(posting.account);
    byAccount.set(posting.account, known ? { ...known, amount: known.amount + posting.amount } : posting);
  }
  return [...byAccount.values()].filter((posting) => posting.amount !== 0n);
}

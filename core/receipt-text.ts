import { formatUsdcForPeople, type MicroUsdc } from './money.ts';
import type { Platform } from './platforms.ts';
import type { ReturnReason, WireStatus } from './states.ts';
import { code, line, muted, strong, type Paragraph, type View } from './view.ts';

export type ReceiptFacts = {
  amount: MicroUsdc;
  /** From `recipientName`; an e-mail address already masked where others read along. */
  recipient: string;
  status: WireStatus;
  /** With `held`: why, in the words of `payouts.held_reason`. */
  heldReason?: string | null;
  receiptUrl: string;
  /** The inbound transaction. */
  transaction: string | null;
  /** ISO time until which the recipient can collect; only while the money waits. */
  claimUntil: string | null;
  /** With `pending_claim`: the recipient hears of it from the payer, or not at all. */
  onlyPayerTells?: boolean;
  /** With `paid`: the recipient came for what waited. */
  wasCollected?: boolean;
  /** With `refunded`. */
  returnedBecause?: ReturnedBecause | null;
};

/** Why money came back to its payer: its line's own reason, or what can be seen from the time. */
export type ReturnedBecause = ReturnReason | 'not_collected' | 'taken_back';

/** Whom this service writes to by itself when money waits for them (contract, section 8). */
const WRITTEN_TO: readonly Platform[] = ['email', 'discord', 'telegram'];

/** Whether nobody but the payer tells a recipient that money waits: there we never write to strangers. */
export function onlyPayerTells(platform: string): boolean {
  return !WRITTEN_TO.some((other) => other === platform);
}

/** The receipt that the worker posts into the payer's chat. */
export function receiptView(facts: ReceiptFacts): View {
  const paragraphs: Paragraph[] = [headline(facts)];
  paragraphs.push(...whatHappensNext(facts));
  if (facts.transaction) paragraphs.push(line`${muted('Transaction')} ${code(shorten(facts.transaction))}`);
  return {
    state: 'ok',
    audience: 'everyone',
    paragraphs,
    actions: [{ kind: 'link', label: 'Open the receipt', url: facts.receiptUrl }],
  };
}

/** The word that people know a network by; names that explain themselves need none. */
const NETWORK_WORDS: Readonly<Record<string, string>> = {
  decsocial: 'farcaster',
  code: 'github',
  photo: 'instagram',
  email: '',
  web: '',
};

/** `x:alice`, `github:octocat`, `alice@example.com`: the recipient as people write it, in a `/tip` as well. */
export function recipientName({ platform, key }: { platform: string; key: string }): string {
  const word = NETWORK_WORDS[platform] ?? platform;
  return word === '' ? key : `${word}:${key}`;
}

type HeldWords = { state: string; next: string };

const ANOTHER_DAY = 'is limited, and today’s limit is reached. It goes on by itself on a day with room for it, in UTC.';

/** What keeps money back and goes away by itself. */
const PASSING = new Map<string, (recipient: string) => HeldWords>([
  [
    'payer_limit',
    () => ({ state: 'Waiting for another day', next: `What one payer can send in a day ${ANOTHER_DAY}` }),
  ],
  [
    'recipient_limit',
    (recipient) => ({
      state: 'Waiting for another day',
      next: `What ${recipient} can receive in a day ${ANOTHER_DAY}`,
    }),
  ],
  [
    'no_token_account',
    (recipient) => ({
      state: 'Waiting for an account',
      next: `The wallet of ${recipient} cannot hold USDC yet. It goes on by itself when it can, or when enough waits to open an account for it.`,
    }),
  ],
]);

/** Whether what is kept back goes on without anybody's help. */
export function passesByItself(reason: string | null): boolean {
  return PASSING.has(reason ?? '');
}

/** Why money is kept back (`payouts.held_reason`), and what lets it go on, for people who know nothing of us. */
export function heldWords(reason: string | null, recipient: string): HeldWords {
  return (
    PASSING.get(reason ?? '')?.(recipient) ?? {
      state: 'Being checked',
      next: 'Whoever runs this service has to look at it before it can go out. Until then it is kept.',
    }
  );
}

function headline({ amount, recipient, status, heldReason, wasCollected }: ReceiptFacts): Paragraph {
  const sum = strong(`${formatUsdcForPeople(amount)} USDC`);
  const name = strong(recipient);
  switch (status) {
    case 'paid':
      return wasCollected === true ? line`${name} collected ${sum}.` : line`${name} received ${sum}.`;
    case 'queued':
      return line`${sum} is on its way to ${name}.`;
    case 'pending_claim':
      return line`${sum} is waiting for ${name}.`;
    case 'held':
      return PASSING.has(heldReason ?? '')
        ? line`${sum} for ${name} has to wait.`
        : line`${sum} for ${name} is being checked.`;
    case 'refunded':
      return line`${sum} for ${name} came back to you.`;
  }
}

function whatHappensNext(facts: ReceiptFacts): Paragraph[] {
  const { status, heldReason, recipient, returnedBecause } = facts;
  switch (status) {
    case 'held':
      return [line`${heldWords(heldReason ?? null, recipient).next}`];
    case 'pending_claim':
      return howTheyHear(facts);
    case 'refunded':
      return returnedBecause ? [line`${RETURN_WORDS[returnedBecause](recipient)}`] : [];
    case 'paid':
    case 'queued':
      return [];
  }
}

function howTheyHear({ amount, recipient, claimUntil, receiptUrl, onlyPayerTells: isForPayer }: ReceiptFacts) {
  const until = claimUntil === null ? null : longDate(claimUntil);
  if (isForPayer === true) {
    return [
      line`Send them this:`,
      // A line of its own, to be copied as it stands.
      line`I sent you ${formatUsdcForPeople(amount)} USDC, a digital dollar. Collect it here: ${receiptUrl}`,
      ...(until === null ? [] : [line`They can collect it until ${until}. After that it comes back to you.`]),
    ];
  }
  if (until === null) return [line`Send them the receipt: that is where they collect it.`];
  return [
    line`Send them the receipt: ${recipient} can collect it there until ${until}. After that it comes back to you.`,
  ];
}

const RETURN_WORDS: Readonly<Record<ReturnedBecause, (recipient: string) => string>> = {
  not_collected: (recipient) => `${recipient} did not collect it in time.`,
  taken_back: () => 'You took it back before it was collected.',
  declined: (recipient) => `${recipient} did not want it.`,
  opted_out: (recipient) => `${recipient} wants no payments.`,
  not_found: (recipient) => `There is no ${recipient}, so nobody could have collected it.`,
  no_answer: (recipient) => `Nobody could say in time who ${recipient} is.`,
  had_another_owner: (recipient) => `${recipient} was somebody else before, so nobody could say whom you meant.`,
  newer_than_payment: (recipient) => `Whoever is ${recipient} now got that name only after you paid.`,
};

const dates = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });

function longDate(iso: string): string {
  return dates.format(new Date(iso));
}

/** The ends of a hash are enough to compare; the receipt page has all of it. */
function shorten(hash: string): string {
  return hash.length <= 16 ? hash : `${hash.slice(0, 8)}…${hash.slice(-6)}`;
}

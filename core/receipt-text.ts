import { formatUsdcForPeople, type MicroUsdc } from './money.ts';
import type { WireStatus } from './states.ts';
import { code, line, muted, strong, type Paragraph, type View } from './view.ts';

export type ReceiptFacts = {
  amount: MicroUsdc;
  /** As the chat may show it: `x:alice`; an e-mail address already masked where others read along. */
  recipient: string;
  status: WireStatus;
  receiptUrl: string;
  /** The inbound transaction. */
  transaction: string | null;
  /** ISO time until which the recipient can collect; only while the money waits. */
  claimUntil: string | null;
};

/** The receipt that the worker posts into the payer's chat. */
export function receiptView(facts: ReceiptFacts): View {
  const paragraphs: Paragraph[] = [headline(facts)];
  const after = whatHappensNext(facts);
  if (after) paragraphs.push(after);
  if (facts.transaction) paragraphs.push(line`${muted('Transaction')} ${code(shorten(facts.transaction))}`);
  return {
    state: 'ok',
    audience: 'everyone',
    paragraphs,
    actions: [{ kind: 'link', label: 'Open the receipt', url: facts.receiptUrl }],
  };
}

function headline({ amount, recipient, status }: ReceiptFacts): Paragraph {
  const sum = strong(`${formatUsdcForPeople(amount)} USDC`);
  const name = strong(recipient);
  switch (status) {
    case 'paid':
      return line`${name} received ${sum}.`;
    case 'queued':
      return line`${sum} is on its way to ${name}.`;
    case 'pending_claim':
      return line`${sum} is waiting for ${name}.`;
    case 'held':
      return line`${sum} for ${name} is being checked.`;
    case 'refunded':
      return line`${sum} for ${name} came back to you.`;
  }
}

function whatHappensNext({ status, recipient, claimUntil }: ReceiptFacts): Paragraph | null {
  if (status === 'held') return line`It goes out by itself as soon as the check is done.`;
  if (status !== 'pending_claim') return null;
  if (claimUntil === null) return line`Send them the receipt: that is where they collect it.`;
  return line`Send them the receipt: ${recipient} can collect it there until ${longDate(claimUntil)}. After that it comes back to you.`;
}

const dates = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });

function longDate(iso: string): string {
  return dates.format(new Date(iso));
}

/** The ends of a hash are enough to compare; the receipt page has all of it. */
function shorten(hash: string): string {
  return hash.length <= 16 ? hash : `${hash.slice(0, 8)}…${hash.slice(-6)}`;
}

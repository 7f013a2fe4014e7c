import { PAYMENT_AMOUNT_MIN } from '../../core/amounts.ts';
import { formatUsdc, microUsdc, splitEqually, type MicroUsdc } from '../../core/money.ts';
import { recipientName } from '../../core/platforms/recipient-name.ts';
import type { Recipient } from '../../core/platforms/recipient.ts';
import type { View } from '../../core/view.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import { decideFunding, type Funding } from '../paying/funding.ts';
import type { Origin } from '../shared/messenger.ts';
import { mistakeView } from '../conversation/mistake-view.ts';
import { eachOnce, shownName } from '../shared/names.ts';
import { draftOrder, type Draft } from './order-draft.ts';
import { checkRange, type Tip } from '../../core/grammar/corrections.ts';
import { privateView, tryCommand } from '../conversation/views.ts';
import { heldWallet } from '../shared/wallets.ts';

export type Proposed = { kind: 'proposal'; draft: Draft } | { kind: 'view'; view: View };

/**
 * An order for several people, to be shown before anything happens. A person named twice gets one part: a slip is
 * likelier than a double tip, and the card says so.
 */
export async function proposeSeveral(deps: CoreDeps, origin: Origin, tip: Tip): Promise<Proposed> {
  const recipients = eachOnce(tip.recipients);
  const { length: count } = recipients;
  if (tip.sharing === 'each' && tip.amount.kind !== 'exact' && count > 1) return allEachView(deps, tip, recipients);
  const wallet = await heldWallet(deps, origin);
  const funding = await decideSum(deps, wallet.walletId, tip, count);
  if (funding.amount < PAYMENT_AMOUNT_MIN) {
    return view(privateView('error', [deps.texts.nothingToSend(funding.amount)], [tryCommand('/deposit')]));
  }
  const parts = tip.sharing === 'each' ? undefined : splitEqually(funding.amount, count);
  const each = microUsdc(funding.amount / BigInt(count));
  // Checked once more: each may get more now that nobody counts twice, and `all` and `half` were not checked before.
  const amount = { kind: 'exact', amount: parts ? funding.amount : each } as const;
  const problem = checkRange({ ...tip, recipients, amount });
  if (problem) return view(mistakeView(deps, problem));
  const lines = recipients.map((recipient, index) => ({
    recipient,
    amount: parts?.[index] ?? each,
    isAgain: timesNamed(tip, recipient) > 1,
  }));
  return { kind: 'proposal', draft: await draftSeveral(deps, origin, { lines, note: tip.note, wallet, funding }) };
}

function timesNamed({ recipients }: Tip, recipient: Recipient): number {
  return recipients.filter((other) => recipientName(other) === recipientName(recipient)).length;
}

/** `funding.amount` is the sum of all parts. */
async function decideSum(
  deps: Pick<CoreDeps, 'networks' | 'log'>,
  walletId: string,
  tip: Tip,
  count: number,
): Promise<Funding> {
  if (tip.amount.kind !== 'exact' || tip.sharing === 'split') return decideFunding(deps, walletId, tip.amount);
  return decideFunding(deps, walletId, { kind: 'exact', amount: microUsdc(tip.amount.amount * BigInt(count)) });
}

type Line = { recipient: Recipient; amount: MicroUsdc; isAgain: boolean };
type Payment = { lines: Line[]; note: string | null } & Pick<Parameters<typeof draftOrder>[2], 'wallet' | 'funding'>;

/** One payment for all of them. */
export async function draftSeveral(
  deps: Pick<CoreDeps, 'texts' | 'random' | 'clock'>,
  origin: Origin,
  { lines, note, wallet, funding }: Payment,
): Promise<Draft> {
  const platforms = new Set(lines.map(({ recipient }) => recipient.platform));
  const [only] = platforms.size === 1 ? platforms : [];
  const receivers = lines.map(({ recipient: { platform, display }, amount }) => ({
    ...(only === undefined ? { platform } : {}),
    receiver: display,
    amount: formatUsdc(amount),
  }));
  const draft = await draftOrder(deps, origin, {
    route: only === undefined ? '/payments/batch-pay' : `/payments/${only}/batch-pay`,
    body: { receivers, ...(note === null ? {} : { description: note }) },
    recipient: deps.texts.people(lines.length),
    wallet,
    funding,
  });
  const shown = lines.map(({ recipient, amount, isAgain }) => ({
    recipient: shownName(origin, recipient),
    amountMicroUsdc: amount.toString(),
    ...(isAgain ? { again: true as const } : {}),
  }));
  return { ...draft, lines: shown };
}

/** "all" for each of several is more than there is, so it was meant otherwise; only the person can say how. */
function allEachView({ texts }: Pick<CoreDeps, 'texts'>, { amount }: Tip, recipients: readonly Recipient[]): Proposed {
  const names = recipients.map((recipient) => recipientName(recipient)).join(' ');
  return view(privateView('error', [texts.allEach()], [tryCommand(`/tip ${names} ${amount.kind} split`)]));
}

const view = (shown: View): Proposed => ({ kind: 'view', view: shown });

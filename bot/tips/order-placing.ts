import { microUsdc, splitEqually, type MicroUsdc } from '../../core/money.ts';
import { recipientName } from '../../core/platforms/recipient-name.ts';
import type { View } from '../../core/view.ts';
import { createPacedOrder } from '../../db/tips/community-orders.ts';
import { readCommunitySettings } from '../../db/communities/community-settings.ts';
import { createOrder, type OrderDraft, type OrderRow } from '../../db/tips/orders.ts';
import { findRuleProblem, ruleView, type Attempt } from './community-rules.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import type { Origin } from '../shared/messenger.ts';
import { eachOnce } from '../shared/names.ts';
import type { TipWords } from './order-command.ts';
import type { Draft } from './order-draft.ts';
import { writtenSum } from '../../core/grammar/amount.ts';
import type { Tip } from '../../core/grammar/tip.ts';

/** What the community has against this tip, as far as the tip itself says what each recipient gets. */
export async function refuseByRules(
  deps: Pick<CoreDeps, 'store' | 'clock' | 'texts'>,
  origin: Origin,
  tip: Tip,
): Promise<View | null> {
  return refuse(deps, { ...origin, note: tip.note, parts: partsOf(tip) }, tip);
}

/** The same once the balance has said what `all` and `half` are. */
export async function refuseDraft(
  deps: Pick<CoreDeps, 'store' | 'clock' | 'texts'>,
  draft: Draft,
  tip: Tip,
): Promise<View | null> {
  if (tip.amount.kind === 'exact') return null;
  return refuse(deps, { ...draft, note: tip.note, parts: amountsOf(draft) }, tip);
}

async function refuse(
  deps: Pick<CoreDeps, 'store' | 'clock' | 'texts'>,
  attempt: Attempt,
  tip: Tip,
): Promise<View | null> {
  const problem = await findRuleProblem(deps, attempt);
  return problem === null ? null : ruleView(deps, problem, wordsOfTip(tip));
}

export type Placed = { kind: 'order'; order: OrderRow } | { kind: 'view'; view: View };

/**
 * Stores the order. The pause until this person's next tip begins with it; for a proposal it begins when the payer
 * agrees.
 */
export async function placeOrder(
  deps: Pick<CoreDeps, 'store' | 'clock' | 'texts'>,
  draft: OrderDraft,
  status: 'proposed' | 'drafted',
  words: TipWords,
): Promise<Placed> {
  const { store, clock } = deps;
  const { transport, communityId } = draft;
  if (status === 'proposed' || !communityId) return { kind: 'order', order: await createOrder(store, draft, status) };
  const { cooldownSeconds } = await readCommunitySettings(store, { transport, communityId });
  const placed = await createPacedOrder(store, draft, { cooldownSeconds, nowMs: clock.now() });
  if (placed.kind === 'created') return { kind: 'order', order: placed.order };
  return { kind: 'view', view: ruleView(deps, { code: 'too_soon', endsAtMs: placed.endsAtMs }, words) };
}

export function wordsOfTip({ recipients, amount, sharing, note }: Tip): TipWords {
  const names = eachOnce(recipients).map((recipient) => recipientName(recipient));
  return { names, sum: writtenSum(amount), sharing, note };
}

/** What each recipient of an order gets. */
export function amountsOf({ lines, amountMicroUsdc }: Pick<OrderDraft, 'lines' | 'amountMicroUsdc'>): MicroUsdc[] {
  return lines ? lines.map((line) => microUsdc(BigInt(line.amountMicroUsdc))) : [microUsdc(amountMicroUsdc)];
}

function partsOf({ recipients, amount, sharing }: Tip): MicroUsdc[] {
  if (amount.kind !== 'exact') return [];
  return sharing === 'each' ? [amount.amount] : splitEqually(amount.amount, eachOnce(recipients).length);
}

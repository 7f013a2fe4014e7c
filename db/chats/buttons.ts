import { and, eq, inArray, isNull, or } from 'drizzle-orm';
import type { Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';
import type { ShownWithdrawal } from '../tables/bot.ts';

/** Actions several people may press, each with their own answer. Permission is checked at the press. */
type TreasuryAction = 'confirm_treasury' | 'reject_treasury' | 'cancel_treasury_address';

type RewardAction = 'confirm_reward' | 'reject_reward';

/** In place of a user id, which is never so short: anyone may press the button. */
export const ANYBODY = '*';

type Row = Tables['chatButtons']['$inferSelect'];
/** What a press does. */
export type ButtonAction =
  | { action: 'take_play_money' }
  | { action: 'choose_wallet' | 'cancel_raises' | 'end_new_holders'; walletId: string }
  | { action: 'withdraw'; walletId: string; withdrawal: ShownWithdrawal }
  | { action: 'cancel_withdrawal'; walletId: string; withdrawal: ShownWithdrawal }
  | { action: 'confirm_order' | 'cancel_order'; orderId: string }
  | { action: 'undo_order'; orderId: string }
  | { action: 'choose_language'; language: string | null }
  | { action: 'keep_claim'; claimId: string }
  | { action: 'erase' | 'opt_out' }
  | { action: TreasuryAction; treasuryId: string }
  | { action: RewardAction; rewardId: string };
export type NewButton = { id: string; userId: string; action: ButtonAction; nowMs: number };

export async function createButton(store: Store, { id, userId, action, nowMs }: NewButton): Promise<void> {
  await store.tx((db) => db.insert(store.tables.chatButtons).values({ id, userId, ...action, createdAtMs: nowMs }));
}

/** A second press of these changes nothing, so a press lost in a crash may be repeated. */
const REPEATABLE = [
  'confirm_order',
  'cancel_order',
  'choose_language',
  'keep_claim',
  'erase',
  'opt_out',
  'cancel_raises',
  'end_new_holders',
  'cancel_withdrawal',
  'undo_order',
  'confirm_treasury',
  'reject_treasury',
  'cancel_treasury_address',
  'confirm_reward',
  'reject_reward',
] as const satisfies ButtonAction['action'][];

/**
 * The action of a button, for the one press that counts, however often its event is delivered. Null for a second
 * press, another person's press, or an id that never was.
 */
export async function pressButton(
  store: Store,
  press: { buttonId: string; userId: string; eventId: string },
): Promise<ButtonAction | null> {
  const { chatButtons } = store.tables;
  const isFree = or(
    isNull(chatButtons.pressedByEvent),
    eq(chatButtons.pressedByEvent, press.eventId),
    inArray(chatButtons.action, REPEATABLE),
  );
  const [row] = await store.tx((db) =>
    db
      .update(chatButtons)
      .set({ pressedByEvent: press.eventId })
      .where(and(eq(chatButtons.id, press.buttonId), inArray(chatButtons.userId, [press.userId, ANYBODY]), isFree))
      .returning({
        action: chatButtons.action,
        walletId: chatButtons.walletId,
        withdrawal: chatButtons.withdrawal,
        orderId: chatButtons.orderId,
        language: chatButtons.language,
        claimId: chatButtons.claimId,
        treasuryId: chatButtons.treasuryId,
        rewardId: chatButtons.rewardId,
      }),
  );
  return row ? toAction(row) : null;
}

/** Whether the button belongs to another user. */
export async function isForeignButton(store: Store, buttonId: string, userId: string): Promise<boolean> {
  const { chatButtons } = store.tables;
  const [row] = await store.read
    .select({ userId: chatButtons.userId })
    .from(chatButtons)
    .where(eq(chatButtons.id, buttonId));
  return row !== undefined && row.userId !== userId;
}

type Stored = Pick<
  Row,
  'action' | 'walletId' | 'withdrawal' | 'orderId' | 'language' | 'claimId' | 'treasuryId' | 'rewardId'
>;

function toAction({ action, ...row }: Stored): ButtonAction {
  const named = <Value>(value: Value | null, what: string): Value => {
    if (value === null) throw new Error(`a button with the action ${action} names no ${what}`);
    return value;
  };
  switch (action) {
    case 'take_play_money':
    case 'erase':
    case 'opt_out':
      return { action };
    case 'choose_wallet':
    case 'cancel_raises':
    case 'end_new_holders':
      return { action, walletId: named(row.walletId, 'wallet') };
    case 'withdraw':
    case 'cancel_withdrawal':
      return {
        action,
        walletId: named(row.walletId, 'wallet'),
        withdrawal: named(row.withdrawal, 'withdrawal'),
      };
    case 'confirm_order':
    case 'cancel_order':
    case 'undo_order':
      return { action, orderId: named(row.orderId, 'order') };
    case 'choose_language':
      return { action, language: row.language };
    case 'keep_claim':
      return { action, claimId: named(row.claimId, 'claim') };
    case 'confirm_treasury':
    case 'reject_treasury':
    case 'cancel_treasury_address':
      return { action, treasuryId: named(row.treasuryId, 'treasury') };
    case 'confirm_reward':
    case 'reject_reward':
      return { action, rewardId: named(row.rewardId, 'reward') };
  }
}

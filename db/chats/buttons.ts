import { createHash } from 'node:crypto';
import { and, eq, inArray, isNull, lte, or } from 'drizzle-orm';
import type { Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';
import type { ShownWithdrawal } from '../tables/bot.ts';
import { BUTTON_ACTIONS, type SaidCommand } from '../tables/button-actions.ts';

/** Actions several people may press, each with their own answer. Permission is checked at the press. */
type TreasuryAction = 'confirm_treasury' | 'reject_treasury' | 'cancel_treasury_address';

type RewardAction = 'confirm_reward' | 'reject_reward';

type RequestAction = 'pay_request' | 'decline_request' | 'never_request';

/** `take_share` is anybody's, the others are the giver's, as is `pay_drop`. */
type DropAction = 'take_share' | 'list_drop' | 'call_off_drop';

/** What a recipient does with one tip. */
type TipAction = 'block_giver' | 'allow_giver' | 'read_note' | 'keep_tip' | 'decline_tip';

/** Replaces a user id, which is never so short: anyone may press the button. */
export const ANYBODY = '*';

type Row = Tables['chatButtons']['$inferSelect'];
/** What a press does. */
export type ButtonAction =
  | { action: 'take_play_money' }
  | { action: 'say'; said: SaidCommand }
  | { action: 'choose_wallet' | 'cancel_raises' | 'end_new_holders'; walletId: string }
  | { action: 'withdraw'; walletId: string; withdrawal: ShownWithdrawal }
  | { action: 'cancel_withdrawal'; walletId: string; withdrawal: ShownWithdrawal }
  | { action: 'confirm_order' | 'cancel_order'; orderId: string }
  | { action: 'undo_order'; orderId: string }
  | { action: 'send_order' | 'add_and_send_order'; orderId: string }
  | { action: 'choose_language'; language: string | null }
  | { action: 'keep_claim'; claimId: string }
  | { action: 'erase' | 'opt_out' | 'quiet_small' | 'ring_small' }
  | { action: TipAction; txnId: number }
  | { action: TreasuryAction; treasuryId: string }
  | { action: RewardAction; rewardId: string }
  | { action: RequestAction; requestId: string }
  | { action: DropAction; dropId: string }
  /** Pays, or confirms, the list that it stands below. */
  | { action: 'pay_drop'; dropId: string; listHash: string };
export type NewButton = { id: string; userId: string; action: ButtonAction; nowMs: number };

export async function createButton(store: Store, { id, userId, action, nowMs }: NewButton): Promise<void> {
  const row = { id, userId, ...action, createdAtMs: nowMs };
  await store.tx((db) => db.insert(store.tables.chatButtons).values(row).onConflictDoNothing());
}

/**
 * The same button however often its message is shown: what has not changed is then no edit. `name`: what tells it from all
 * others. Answers its id.
 */
export async function createLastingButton(
  store: Store,
  { name, userId, action, nowMs }: Omit<NewButton, 'id'> & { name: string },
): Promise<string> {
  const id = `b_${createHash('sha256')
    .update(JSON.stringify([name, userId, action]))
    .digest('base64url')
    .slice(0, 22)}`;
  await createButton(store, { id, userId, action, nowMs });
  return id;
}

/** The same event, taken up again, offers the same command under the same button, which still counts one press. */
export async function offerCommand(
  store: Store,
  { id, userId, said, nowMs }: Omit<NewButton, 'action'> & { said: SaidCommand },
): Promise<void> {
  const { chatButtons } = store.tables;
  const row = { id, userId, action: 'say', said, createdAtMs: nowMs } as const;
  const again = { set: { said, createdAtMs: nowMs }, setWhere: isNull(chatButtons.pressedByEvent) };
  await store.tx((db) =>
    db
      .insert(chatButtons)
      .values(row)
      .onConflictDoUpdate({ target: chatButtons.id, ...again }),
  );
}

/** A second press of these changes nothing, so a press lost in a crash may be repeated. */
const REPEATABLE = [
  'confirm_order',
  'cancel_order',
  'choose_language',
  'keep_claim',
  'erase',
  'opt_out',
  'block_giver',
  'allow_giver',
  'read_note',
  'keep_tip',
  'decline_tip',
  'quiet_small',
  'ring_small',
  'cancel_raises',
  'end_new_holders',
  'cancel_withdrawal',
  'undo_order',
  'send_order',
  'add_and_send_order',
  'confirm_treasury',
  'reject_treasury',
  'cancel_treasury_address',
  'confirm_reward',
  'reject_reward',
  'pay_request',
  'decline_request',
  'never_request',
  'take_share',
  'list_drop',
  'pay_drop',
  'call_off_drop',
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
        said: chatButtons.said,
        orderId: chatButtons.orderId,
        language: chatButtons.language,
        claimId: chatButtons.claimId,
        txnId: chatButtons.txnId,
        treasuryId: chatButtons.treasuryId,
        rewardId: chatButtons.rewardId,
        requestId: chatButtons.requestId,
        dropId: chatButtons.dropId,
        listHash: chatButtons.listHash,
      }),
  );
  return row ? toAction(row) : null;
}

const NOT_SAID = BUTTON_ACTIONS.filter((action) => action !== 'say');

/** Forgets the commands offered until then, which are people's words, and the other buttons made until then. */
export async function forgetButtons(
  store: Store,
  { saidUntilMs, madeUntilMs }: { saidUntilMs: number; madeUntilMs: number },
  limit: number,
): Promise<void> {
  const { chatButtons } = store.tables;
  const isOver = [
    and(eq(chatButtons.action, 'say'), lte(chatButtons.createdAtMs, saidUntilMs)),
    and(inArray(chatButtons.action, NOT_SAID), lte(chatButtons.createdAtMs, madeUntilMs)),
  ];
  for (const isOld of isOver) {
    const old = await store.read.select({ id: chatButtons.id }).from(chatButtons).where(isOld).limit(limit);
    const ids = old.map(({ id }) => id);
    // One that was offered again since stays.
    if (ids.length > 0) await store.tx((db) => db.delete(chatButtons).where(and(inArray(chatButtons.id, ids), isOld)));
  }
}

/** What a button of another user does; null for a person's own, and for an id that never was. */
export async function foreignAction(
  store: Store,
  buttonId: string,
  userId: string,
): Promise<ButtonAction['action'] | null> {
  const { chatButtons } = store.tables;
  const [row] = await store.read
    .select({ userId: chatButtons.userId, action: chatButtons.action })
    .from(chatButtons)
    .where(eq(chatButtons.id, buttonId));
  return row === undefined || row.userId === userId ? null : row.action;
}

type Stored = Pick<
  Row,
  | 'action'
  | 'walletId'
  | 'withdrawal'
  | 'said'
  | 'orderId'
  | 'language'
  | 'claimId'
  | 'txnId'
  | 'treasuryId'
  | 'rewardId'
  | 'requestId'
  | 'dropId'
  | 'listHash'
>;

function toAction({ action, ...row }: Stored): ButtonAction {
  const named = <Value>(value: Value | null, what: string): Value => {
    if (value === null) throw new Error(`a button with the action ${action} names no ${what}`);
    return value;
  };
  switch (action) {
    case 'say':
      return { action, said: named(row.said, 'command') };
    case 'take_play_money':
    case 'erase':
    case 'opt_out':
    case 'quiet_small':
    case 'ring_small':
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
    case 'send_order':
    case 'add_and_send_order':
      return { action, orderId: named(row.orderId, 'order') };
    case 'choose_language':
      return { action, language: row.language };
    case 'keep_claim':
      return { action, claimId: named(row.claimId, 'claim') };
    case 'block_giver':
    case 'allow_giver':
    case 'read_note':
    case 'keep_tip':
    case 'decline_tip':
      return { action, txnId: named(row.txnId, 'tip') };
    case 'confirm_treasury':
    case 'reject_treasury':
    case 'cancel_treasury_address':
      return { action, treasuryId: named(row.treasuryId, 'treasury') };
    case 'confirm_reward':
    case 'reject_reward':
      return { action, rewardId: named(row.rewardId, 'reward') };
    case 'pay_request':
    case 'decline_request':
    case 'never_request':
      return { action, requestId: named(row.requestId, 'request') };
    case 'take_share':
    case 'list_drop':
    case 'call_off_drop':
      return { action, dropId: named(row.dropId, 'drop') };
    case 'pay_drop':
      return { action, dropId: named(row.dropId, 'drop'), listHash: named(row.listHash, 'list') };
  }
}

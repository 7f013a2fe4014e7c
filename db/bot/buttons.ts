import { and, eq, isNull, or } from 'drizzle-orm';
import type { Store } from '../store.ts';
import type { Tables } from '../tables.ts';
import type { ShownWithdrawal } from '../tables/bot.ts';

type Row = Tables['chatButtons']['$inferSelect'];
/** What a press does. */
export type ButtonAction =
  | { action: 'take_play_money' }
  | { action: 'choose_wallet'; walletId: string }
  | { action: 'withdraw'; walletId: string; withdrawal: ShownWithdrawal };
export type NewButton = { id: string; userId: string; action: ButtonAction; nowMs: number };

export async function createButton(store: Store, { id, userId, action, nowMs }: NewButton): Promise<void> {
  await store.tx((db) => db.insert(store.tables.chatButtons).values({ id, userId, ...action, createdAtMs: nowMs }));
}

/**
 * The action of a button, for the one press that counts, however often its event is delivered. Null for a second
 * press, another person's press, or an id that never was.
 */
export async function pressButton(
  store: Store,
  press: { buttonId: string; userId: string; eventId: string },
): Promise<ButtonAction | null> {
  const { chatButtons } = store.tables;
  const isFree = or(isNull(chatButtons.pressedByEvent), eq(chatButtons.pressedByEvent, press.eventId));
  const [row] = await store.tx((db) =>
    db
      .update(chatButtons)
      .set({ pressedByEvent: press.eventId })
      .where(and(eq(chatButtons.id, press.buttonId), eq(chatButtons.userId, press.userId), isFree))
      .returning({
        action: chatButtons.action,
        walletId: chatButtons.walletId,
        withdrawal: chatButtons.withdrawal,
      }),
  );
  return row ? toAction(row) : null;
}

function toAction({ action, walletId, withdrawal }: Pick<Row, 'action' | 'walletId' | 'withdrawal'>): ButtonAction {
  if (action === 'take_play_money') return { action };
  if (walletId === null) throw new Error(`a button with the action ${action} names no wallet`);
  if (action === 'choose_wallet') return { action, walletId };
  if (withdrawal === null) throw new Error('a button that withdraws does not say what');
  return { action, walletId, withdrawal };
}

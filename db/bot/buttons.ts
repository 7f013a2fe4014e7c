import { and, eq, isNull, or } from 'drizzle-orm';
import type { Store } from '../store.ts';
import type { Tables } from '../tables.ts';

export type ButtonAction = Tables['chatButtons']['$inferSelect']['action'];
export type NewButton = { id: string; userId: string; action: ButtonAction; nowMs: number };

export async function createButton(store: Store, { id, userId, action, nowMs }: NewButton): Promise<void> {
  await store.tx((db) => db.insert(store.tables.chatButtons).values({ id, userId, action, createdAtMs: nowMs }));
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
      .returning({ action: chatButtons.action }),
  );
  return row?.action ?? null;
}

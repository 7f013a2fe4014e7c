import type { Store } from '../store/store.ts';
import { otherStory, type OtherStory } from './other-story.ts';
import type { Found } from './search.ts';
import { paymentStory, type Story } from './story.ts';

/** What alone fits, as a whole: a payment, or one thing of another kind. */
export type OnlyStory = { payment: Story } | { other: OtherStory };

/** Null where nothing or more than one thing fits, and where it is gone by now. */
export async function onlyStory(store: Store, { payments, others }: Found): Promise<OnlyStory | null> {
  if (payments.length + others.length !== 1) return null;
  const [payment] = payments;
  if (payment !== undefined) {
    const story = await paymentStory(store, payment.id);
    return story && { payment: story };
  }
  const [other] = others;
  const story = other === undefined ? null : await otherStory(store, other);
  return story && { other: story };
}

import type { TipPlan } from './plan.ts';

/** A person who tips over one of the transports, as seen at the screen: nothing here knows the bot's books. */
export type Person = {
  /** What pays for this person's tips. */
  walletId: string;
  /**
   * Says it until the platform or the page has taken it. What the platform then does not take itself, because it tells
   * the person that nobody has answered, is said again.
   */
  say: (tip: TipPlan) => Promise<void>;
  /** Has what was said for this tip delivered once more, long after its end. */
  deliverAgain: (tip: TipPlan) => Promise<void>;
  /** What the bot shows this person now. */
  sees: () => readonly string[];
};

export const commandOf = ({ handle }: TipPlan, amount: string): string => `/tip x:${handle} ${amount}`;

/**
 * Who drops and pays; who takes a share and asks for the bill; who takes a share, pays, and blocks the last; who tips and is
 * blocked.
 */
export const MEMBERS = ['giver', 'first', 'second', 'loud'] as const;
export type Member = (typeof MEMBERS)[number];
/** All but the last: they are known there, may be asked for money, and ask to be listed. */
export const REGULARS = ['giver', 'first', 'second'] as const satisfies readonly Member[];
export type Regular = (typeof REGULARS)[number];

/** A group as its members have it before them: nothing here knows the bot's books. */
export type Screen = {
  transport: 'discord' | 'telegram';
  communityId: string;
  /** As the bot calls them. */
  userId: (member: Member) => string;
  /** Says it until the platform has taken it. */
  drop: (sum: string) => Promise<void>;
  bill: (sum: string) => Promise<void>;
  /** The last tips the one before. */
  tip: (sum: string) => Promise<void>;
  /** Asks to be listed, or for the list. */
  top: (member: Member, choice: '' | 'on') => Promise<void>;
  /** Presses what says so twice in the same moment, where this member sees it, in a message that says `text`. */
  press: (member: Member, label: RegExp, text?: RegExp) => Promise<void>;
  sees: (member: Member) => readonly string[];
  /** Has all that was said and pressed delivered once more; answers how much of it. */
  deliverAgain: () => Promise<Delivered>;
};

export const KINDS = ['drop', 'bill', 'top', 'block'] as const;
/** What an event is part of. */
export type Kind = (typeof KINDS)[number];
export type Delivered = Readonly<Record<Kind, number>>;

export function kindOfPress(label: string): Kind {
  if (label.startsWith('Pay my part')) return 'bill';
  return label.startsWith('Stop hearing') ? 'block' : 'drop';
}

export function countKinds(kinds: readonly Kind[]): Delivered {
  const count = (kind: Kind) => kinds.filter((one) => one === kind).length;
  return { drop: count('drop'), bill: count('bill'), top: count('top'), block: count('block') };
}

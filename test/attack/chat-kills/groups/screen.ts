/** Who drops and pays; who takes a share and asks for the bill; who takes a share and pays. */
export const MEMBERS = ['giver', 'first', 'second'] as const;
export type Member = (typeof MEMBERS)[number];

/** A group as its members have it before them: nothing here knows the bot's books. */
export type Screen = {
  transport: 'discord' | 'telegram';
  communityId: string;
  /** As the bot calls them. */
  userId: (member: Member) => string;
  /** Says it until the platform has taken it. */
  drop: (sum: string) => Promise<void>;
  bill: (sum: string) => Promise<void>;
  /** Presses what says so twice in the same moment, where this member sees it. */
  press: (member: Member, label: RegExp) => Promise<void>;
  sees: (member: Member) => readonly string[];
  /** Has all that was said and pressed delivered once more; answers how much of it. */
  deliverAgain: () => Promise<Delivered>;
};

export type Delivered = { drops: number; bills: number };

/** Which of the two a press is part of. */
export const isOfBill = (label: string): boolean => label.startsWith('Pay my part');

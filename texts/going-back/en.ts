const days = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });

/** What keeps it from going back: one of several is collected each by itself. */
export type GoesBackIf = 'nobody_collects' | 'each_nobody_collects' | 'you_do_nothing' | 'nothing_changes';

/**
 * `to`: whom its reader is told of; `you` is its sender; null where there is no room to say it. `on`: a day or a moment; null
 * where it is not known.
 */
export type GoingBackFacts = { if: GoesBackIf; to: 'sender' | 'you' | null; on: string | null };

const starts: Record<GoesBackIf, string> = {
  nobody_collects: 'If nobody collects it, it',
  each_nobody_collects: 'What nobody collects',
  you_do_nothing: 'If you do nothing, it',
  nothing_changes: 'If nothing changes, it',
};
const ways = { sender: 'goes back to its sender', you: 'comes back to you' };
const back = 'goes back';

/**
 * When waiting money goes back, in the same words on pages and pictures, in chats and mails. It can be collected until that
 * moment, so they name the day of going back: of “until 20 December” nobody knows whether that day counts.
 */
export const goingBackEn = {
  sentence: ({ if: start, to, on }: GoingBackFacts): string =>
    `${starts[start]} ${to === null ? back : ways[to]}${on === null ? '' : ` on ${on}`}.`,
  /** Between it and the sentence before. */
  between: ' ',
  /** `20 December 2026 (UTC)`. Pages put their reader's own day there. */
  day: (date: Date): string => `${days.format(date)} (UTC)`,
};

export type GoingBackTexts = typeof goingBackEn;

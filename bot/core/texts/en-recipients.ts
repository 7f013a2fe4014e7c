import { line, strong, type Paragraph } from '../../../core/view.ts';

/** Why somebody cannot be tipped. */
export const recipientsEn = {
  selfTip: (name: string): Paragraph => line`${strong(name)} is you. Send it to somebody else:`,
  ownBotTip: (): Paragraph => line`That is me, and I need no tips. Send it to somebody else:`,
  botTip: (name: string): Paragraph =>
    line`${strong(name)} is a bot, and bots can’t collect money. Send it to a person:`,
};

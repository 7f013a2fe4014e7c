import { quoteText } from '../../core/characters.ts';
import { code, line, type Paragraph } from '../../core/view.ts';
import type { Mistake, MistakeCode } from '../../core/grammar/mistakes.ts';
import {
  COOLDOWN_MAX,
  DECIMALS,
  LIFETIME_MAX,
  LIFETIME_MIN,
  NAMES_MAX,
  NOTE_CHARACTERS,
  TIP_MAX,
  TIP_MIN,
} from '../rules/rules.ts';

/** What is wrong with a command. The corrected examples follow by themselves. */
const MISTAKES: Record<MistakeCode, (mistake: Mistake) => Paragraph> = {
  empty_tip: () => line`Say who and how much:`,
  no_recipient: () => line`Who is it for? Put their name first:`,
  no_amount: () => line`How much? Put the amount after the name:`,
  which_network: ({ found }) =>
    line`Which ${quoteText(found)}? The same name can be different people, so add the network:`,
  unknown_network: ({ found }) =>
    line`I don’t know the network in ${quoteText(found)}. These work: ${code('x')}, ${code('farcaster')}, ${code('github')}, an e-mail address or a website.`,
  name_in_two_words: () => line`Write the network and the name as one word:`,
  bad_recipient: ({ found, detail }) => line`${detail ?? `I can’t read the name ${quoteText(found)}.`}`,
  too_many_recipients: () => line`That is more than ${NAMES_MAX} people at once.`,
  thousands_separator: ({ found }) =>
    line`I can’t tell whether ${quoteText(found)} means one or a thousand. Write it plainly; a tip is ${TIP_MIN} to ${TIP_MAX} USDC:`,
  shorthand_amount: ({ found }) =>
    line`Please write ${quoteText(found)} out in digits. A tip is ${TIP_MIN} to ${TIP_MAX} USDC:`,
  too_many_decimals: ({ found }) =>
    line`${quoteText(found)} has more than ${DECIMALS} decimals, and I don’t round your money:`,
  other_currency: ({ found }) =>
    line`I only send USDC (1 USDC is worth one US dollar), so ${quoteText(found)} doesn’t work:`,
  unreadable_amount: ({ found }) => line`I can’t read ${quoteText(found)} as an amount:`,
  too_small: () => line`That is too little: a tip is ${TIP_MIN} to ${TIP_MAX} USDC for each person.`,
  too_large: () => line`That is too much at once: a tip is ${TIP_MIN} to ${TIP_MAX} USDC for each person.`,
  note_too_long: () => line`That note is too long: it can have ${NOTE_CHARACTERS} characters.`,
  no_withdraw_amount: () => line`How much shall I send there? ${code('all')} is everything:`,
  plain_digits: ({ found }) => line`Please write ${quoteText(found)} in plain digits, such as ${code('1000')}:`,
  command_too_long: () => line`That message is too long for me. A tip is short:`,
  unknown_setting: ({ found }) =>
    line`There is no ${quoteText(found)} to set. ${code('/settings')} shows what there is:`,
  setting_choice: () => line`One of these works here:`,
  setting_amount: () => line`Write an amount in USDC, or ${code('off')}:`,
  cooldown_time: () =>
    line`Write a time like ${code('30s')}, ${code('5m')} or ${code('1h')}, up to ${code(COOLDOWN_MAX)}, or ${code('off')}:`,
  lifetime_time: () =>
    line`Write a time like ${code('30m')} or ${code('1h')}, from ${code(LIFETIME_MIN)} to ${code(LIFETIME_MAX)}, or ${code('off')}:`,
  setting_person: () =>
    line`I have to know for certain whom you mean. Mention one person, or reply to a message of theirs:`,
  setting_role: () => line`Mention the role, or write ${code('off')}:`,
};

export const mistakesEn = {
  mistake: (mistake: Mistake): Paragraph => MISTAKES[mistake.code](mistake),
};

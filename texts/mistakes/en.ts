import { quoteText } from '../../core/characters.ts';
import { code, line, type Paragraph } from '../../core/view.ts';
import type { Mistake, MistakeCode } from '../../core/grammar/mistakes.ts';
import type { NameReason } from '../../core/grammar/name-reason.ts';
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
  bad_recipient: ({ found, reason }) => unreadable(found, reason),
  too_many_recipients: () => line`That is more than ${NAMES_MAX} people at once.`,
  thousands_separator: ({ found }) =>
    line`Is ${quoteText(found)} more than a thousand, or does it have decimals? Write it another way; a tip is ${TIP_MIN} to ${TIP_MAX} USDC:`,
  shorthand_amount: ({ found }) =>
    line`Please write ${quoteText(found)} out in digits. A tip is ${TIP_MIN} to ${TIP_MAX} USDC:`,
  too_many_decimals: ({ found }) =>
    line`${quoteText(found)} has more than ${DECIMALS} decimals, and I don’t round your money:`,
  other_currency: ({ found }) =>
    line`I only send USDC (1 USDC is worth one US dollar) and have no rate for ${quoteText(found)} here. How many USDC is that?`,
  unreadable_amount: ({ found }) => line`I can’t read ${quoteText(found)} as an amount:`,
  counted_amount: ({ found }) => line`How many USDC is ${quoteText(found)}? Write the sum in digits:`,
  word_amount: ({ found }) => line`Is ${quoteText(found)} the amount? Write it in digits:`,
  repeated_tip: () => line`I send a tip once, and nothing repeats by itself. This sends it once:`,
  called_off: () => line`Nothing was sent. If you do want to send it, this sends it:`,
  all_or_wish: ({ found }) =>
    line`Is ${quoteText(found)} a wish, or shall I send everything? This would really send it:`,
  how_shared: () => line`Does each of them get that, or do they share it?`,
  two_payments: () => line`Is that one tip or two? Choose what you mean; I send one at a time:`,
  wallet_address: () =>
    line`That is a wallet address. A tip goes to a person’s name; to send your money to an address, use this:`,
  bank_account: () =>
    line`I can’t pay a bank account. Use a name that the person has somewhere, or their e-mail address:`,
  phone_number: () =>
    line`I can’t pay a phone number. Use a name that the person has somewhere, or their e-mail address:`,
  platform_domain: ({ found }) => line`${quoteText(found)} is the site itself, not a person. Whom do you mean there?`,
  post_of_owner: () => line`That link doesn’t say who wrote it, only whose place it is. Is it for the owner?`,
  post_without_author: () => line`That link doesn’t say who wrote it. Write the name:`,
  mail_domain: ({ found }) => line`Is ${quoteText(found)} spelled right? Choose the address that you mean:`,
  did_you_mean: () => line`Did you mean this?`,
  undo_is_a_button: () =>
    line`A tip that nobody has collected yet has the button “Take it back” in its own message. This shows your tips:`,
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

/** Why a name cannot be read. */
function unreadable(found: string, reason: NameReason | undefined): Paragraph {
  switch (reason?.kind) {
    case 'hidden':
      return line`There is an invisible character in ${quoteText(found)}. Type the name by hand:`;
    case 'look_alike':
      return line`The “${reason.character}” in ${quoteText(found)} only looks like “${reason.like}”. It could be somebody else’s name, so type it by hand:`;
    case 'character':
      return line`No name on ${reason.title} has ${quoteText(reason.character)} in it:`;
    case 'page':
      return line`That is one page of a website. I can only pay the owner of a whole site, or a person by name:`;
    case 'number':
      return line`Names on ${reason.title} can change hands. Mention the person there, or use their numeric id:`;
    case 'form':
      return line`${quoteText(found)} can’t be a name for ${reason.title}:`;
    case undefined:
      return line`I can’t read the name ${quoteText(found)}:`;
  }
}

export const mistakesEn = {
  mistake: (mistake: Mistake): Paragraph => MISTAKES[mistake.code](mistake),
};

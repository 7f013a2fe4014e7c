import type { MistakeCode } from '../../../core/grammar/mistakes.ts';
import { SENTENCE_CHARACTERS_MAX, type Question } from '../../../core/grammar/sentences/sentence.ts';
import { quoteText } from '../../../core/characters.ts';
import { mistakesEn } from '../../../texts/mistakes/en.ts';

const EXAMPLE = 'Send 5 USDC to alice on X for the talk';
/** No example names a person the text may have meant: a program would send it back unread. */
const SAY_IT = `Nothing is priced yet. Say all of it in one sentence to this task, such as "${EXAMPLE}", or call a skill.`;

export const SEVERAL_PLATFORMS = `One task pays people of one platform. Send a message for each platform. ${SAY_IT}`;
export const ANOTHER_PLATFORM = `People of that platform cannot be paid here; the agent card lists the skills. ${SAY_IT}`;

export const ANOTHER_NETWORK = `That network is not offered here; the agent card lists those that are. ${SAY_IT}`;

const ABOUT: Record<Exclude<Question['about'], 'mistake'>, string> = {
  request: 'Who is to get how much?',
  words:
    'I did not understand every word beside the name and the amount. Put what the payment is for behind "for", or in quotation marks.',
  note: 'Do the words behind the name and the amount change the payment? If they are only a note, put them in quotation marks.',
  sharing: 'Does each of them get that amount, or do they share it? Say "each" or "split".',
  share_of_all: 'How much is that? Write the amount in USDC.',
};

/** Replaces what the chats say about their own commands and examples. */
const INSTEAD: Partial<Record<MistakeCode, (found: string) => string>> = {
  empty_tip: () => ABOUT.request,
  no_recipient: () => 'Who is it for?',
  no_amount: () => 'How much? Write one exact amount.',
  which_network: (found) => `Whom does ${quoteText(found)} mean? Names belong to platforms: "alice on X", "x:alice".`,
  name_in_two_words: (found) => `Whom does ${quoteText(found)} mean? Write the name as "x:alice".`,
  did_you_mean: (found) => `What does ${quoteText(found)} mean there? I did not understand every word.`,
  two_payments: () => 'Is that one payment or two? Send one message for each.',
  repeated_tip: () => 'A payment is made once, and nothing repeats by itself. Is it to be sent once?',
  called_off: () => 'Is that to be sent, or not?',
  how_shared: () => ABOUT.sharing,
  all_or_wish: () => ABOUT.share_of_all,
  wallet_address: () => 'That is a wallet address. Money goes to a person by name.',
  post_of_owner: () => 'That link does not say who wrote it. Whom do you mean?',
  command_too_long: () => `A sentence has at most ${SENTENCE_CHARACTERS_MAX} characters.`,
};

export function toQuestion(question: Question): string {
  if (question.about !== 'mistake') return `${ABOUT[question.about]} ${SAY_IT}`;
  const { mistake } = question;
  const own = INSTEAD[mistake.code]?.(mistake.found);
  if (own !== undefined) return `${own} ${SAY_IT}`;
  const said = mistakesEn.mistake(mistake).map(({ text }) => text);
  return `${said.join('').replace(/:$/, '.')} ${SAY_IT}`;
}

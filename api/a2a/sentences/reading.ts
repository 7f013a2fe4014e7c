import type { Skill } from '../../../core/catalog/skills.ts';
import { readSentence, SENTENCE_CHARACTERS_MAX, type Payment } from '../../../core/grammar/sentences/sentence.ts';
import { formatUsdc } from '../../../core/money.ts';
import type { Network } from '../../../core/networks.ts';
import { platformRow, type Platform } from '../../../core/platforms/platforms.ts';
import { ANOTHER_NETWORK, ANOTHER_PLATFORM, SEVERAL_PLATFORMS, toQuestion } from './question.ts';

/** In place of a skill, for a task that has only been asked about so far. No skill has this name. */
export const ASKING = 'asking';

/** How a text was understood, so that callers can compare it with what they meant. */
export type Reading = {
  platform: Platform;
  /** Of one recipient; of several: in `receivers`. */
  receiver?: string;
  amount?: string;
  receivers?: readonly { receiver: string; amount: string }[];
  note: string | null;
  sentence: string;
};

/** What a text is: the call of a skill, or something to ask about. */
export type TextReading =
  | { kind: 'call'; skillId: string; params: Record<string, unknown> }
  | { kind: 'question'; params: { text: string }; question: string };

/** Databases refuse some of them, and no sentence needs any. */
const UNSTORABLE = /[^\P{Cc}\n]|\p{Cs}/gu;

/** What can be paid here. */
export type Offered = { skills: ReadonlyMap<string, Skill>; networks: readonly Network[] };

/** Never throws: what cannot be read is asked about. */
export function readText({ skills, networks }: Offered, text: string): TextReading {
  // Keeps one character past the limit, so that a text that is too long is still too long.
  const kept = text.slice(0, SENTENCE_CHARACTERS_MAX + 1).replace(UNSTORABLE, ' ');
  const question = (words: string): TextReading => ({ kind: 'question', params: { text: kept }, question: words });
  const sentence = readSentence(kept);
  if (sentence.kind === 'question') return question(toQuestion(sentence));
  if (sentence.network !== null && !networks.includes(sentence.network)) return question(ANOTHER_NETWORK);
  const { platform } = sentence.lines[0].recipient;
  if (sentence.lines.some(({ recipient }) => recipient.platform !== platform)) return question(SEVERAL_PLATFORMS);
  const kind = sentence.lines.length === 1 ? 'pay' : 'batch-pay';
  const skill = [...skills.values()].find((one) => one.platform === platform && one.paid.kind === kind);
  if (skill === undefined || skill.isForBot) return question(ANOTHER_PLATFORM);
  return { kind: 'call', skillId: skill.id, params: toParams(sentence) };
}

/** The question of a task that asks, from the text that it was kept with. */
export function questionOf(offered: Offered, params: Record<string, unknown>): string {
  const { text } = params;
  const reading = readText(offered, typeof text === 'string' ? text : '');
  // This version may understand what an earlier one did not; the caller was asked, and still has to say it again.
  return reading.kind === 'question' ? reading.question : toQuestion({ kind: 'question', about: 'request' });
}

function toParams({ lines, note }: Payment): Record<string, unknown> {
  const description = note === null ? {} : { description: note };
  const receivers = lines.map(({ recipient, amount }) => ({ receiver: recipient.key, amount: formatUsdc(amount) }));
  return receivers.length === 1 ? { ...receivers[0], ...description } : { receivers, ...description };
}

/** What a priced task pays, in the program's words; null for params of another form. */
export function toReading({ platform, paid }: Skill, params: Record<string, unknown>): Reading | null {
  const offer = { isBot: true, check: () => undefined };
  const { lines, description: note } = paid.read(params, offer, platform);
  const [first] = lines;
  if (first === undefined || lines.some(({ recipient }) => recipient.platform !== platform)) return null;
  const named = lines.map(({ receiver, amount }) => ({ receiver, amount: formatUsdc(amount) }));
  const { title } = platformRow(platform);
  const sums = named.slice(0, SHOWN_MAX).map(({ receiver, amount }) => `${amount} USDC to ${receiver}`);
  const more = named.length > SHOWN_MAX ? ` and ${named.length - SHOWN_MAX} more` : '';
  const sentence = `${sums.join(', ')}${more} on ${title}${note === null ? '' : `, with the note "${note}"`}`;
  const [line] = named;
  return named.length === 1 ? { platform, ...line, note, sentence } : { platform, receivers: named, note, sentence };
}

const SHOWN_MAX = 5;

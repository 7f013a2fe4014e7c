import type { DiscordTexts } from '../../texts/discord/words.ts';

/** What was entered under `/tip`, `/pay` or `/request`, as the text of the grammar (core/grammar/tip.ts). */
export type EnteredTip = {
  /** `pay`: by a link. `request`: from this person. */
  command: 'tip' | 'pay' | 'request';
  /** Names, as typed. */
  to: string | null;
  /** Ids of Discord that were chosen, not typed. */
  people: readonly string[];
  amount: string;
  note: string | null;
};

const MENTION = /<@!?([1-9][0-9]{0,19})>/g;

/** Names come first and the note is marked as one, so that no word of it can be read as a name. Without any name there is no note either. */
export function composeTip({ command, to, people, amount, note }: EnteredTip): string {
  const typed = byNumber(to ?? '');
  const chosen = people.map((id) => `discord:${id}`).filter((name) => !typed.split(/\s+/).includes(name));
  const names = [typed, ...chosen].join(' ').replace(/\s+/g, ' ').trim();
  const parts = names === '' ? [amount] : [names, amount, note === null ? '' : `note: ${note}`];
  return `/${command} ${parts.join(' ').trim()}`;
}

/** Mentions that were typed, as names of the grammar. */
export function byNumber(text: string): string {
  return text.replace(MENTION, ' discord:$1 ');
}

/** The people that a text names by number. */
export function peopleIn(text: string): string[] {
  const ids = Array.from(text.matchAll(/\bdiscord[:/]@?([1-9][0-9]{0,19})\b/gi), (match) => match[1] ?? '');
  return [...new Set(ids)];
}

/** The ids in the form, and the prefix of the form's own id, which the ids of the person and the message follow. */
export const FORM = { id: 'tip:', amount: 'amount', note: 'note' } as const;

const TITLE_CHARACTERS_MAX = 45;
const INPUT = { type: 4, style: 1 } as const;

/** The person that a form is for, and the message on which it was opened. */
export type Tipped = { personId: string; messageId: string | null };

/** What the menu on a person or message asks for. The form's id names the person, so no row is needed. */
export function tipForm(
  { form }: DiscordTexts,
  person: { id: string; name: string },
  messageId: string | null,
): object {
  const title = form.title(person.name);
  const note = { ...INPUT, custom_id: FORM.note, required: false, max_length: 280 };
  const amount = { ...INPUT, custom_id: FORM.amount, max_length: 60, placeholder: form.amountExample };
  return {
    custom_id: `${FORM.id}${person.id}${messageId === null ? '' : `:${messageId}`}`,
    title: title.length <= TITLE_CHARACTERS_MAX ? title : `${cut(title, TITLE_CHARACTERS_MAX - 1)}…`,
    components: [
      { type: 18, label: form.amount, component: amount },
      { type: 18, label: form.note, component: note },
    ],
  };
}

/** Never splits a character. */
function cut(text: string, charactersMax: number): string {
  return text.slice(0, charactersMax).replace(/[\uD800-\uDBFF]$/, '');
}

export function readFormId(formId: string): Tipped | null {
  const [, personId, messageId = null] = /^tip:([1-9][0-9]{0,19})(?::([1-9][0-9]{0,19}))?$/.exec(formId) ?? [];
  return personId === undefined ? null : { personId, messageId };
}

import type { DiscordTexts } from '../../texts/discord/words.ts';

/** The ids within the form, and the beginning of its own, which the ids of the person and of the message follow. */
export const FORM = { id: 'tip:', amount: 'amount', note: 'note' } as const;

const TITLE_CHARACTERS_MAX = 45;
const INPUT = { type: 4, style: 1 } as const;

/** Whom a form is for, and the message that it was opened on. */
export type Tipped = { personId: string; messageId: string | null };

/** What the menu on a person or message asks for. Whom it is for stands in the form's id, so no row is needed. */
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

/** Never between the halves of one character. */
function cut(text: string, charactersMax: number): string {
  return text.slice(0, charactersMax).replace(/[\uD800-\uDBFF]$/, '');
}

export function readFormId(formId: string): Tipped | null {
  const [, personId, messageId = null] = /^tip:([1-9][0-9]{0,19})(?::([1-9][0-9]{0,19}))?$/.exec(formId) ?? [];
  return personId === undefined ? null : { personId, messageId };
}

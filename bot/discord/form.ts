import type { DiscordWords } from './words.ts';

/** The ids within the form, and the beginning of its own, which the person's id follows. */
export const FORM = { id: 'tip:', amount: 'amount', note: 'note' } as const;

const TITLE_CHARACTERS_MAX = 45;
const INPUT = { type: 4, style: 1 } as const;

/** What the menu on a person or message asks for. Whom it is for stands in the form's id, so no row is needed. */
export function tipForm({ form }: DiscordWords, person: { id: string; name: string }): object {
  const title = form.title(person.name);
  const note = { ...INPUT, custom_id: FORM.note, required: false, max_length: 280 };
  const amount = { ...INPUT, custom_id: FORM.amount, max_length: 60, placeholder: form.amountExample };
  return {
    custom_id: `${FORM.id}${person.id}`,
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

export function personOfForm(formId: string): string | null {
  return /^tip:([1-9][0-9]{0,19})$/.exec(formId)?.[1] ?? null;
}

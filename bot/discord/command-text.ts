/** What was entered under `/tip` or `/pay`, as the text of the grammar (core/grammar/tip.ts). */
export type EnteredTip = {
  /** `pay`: by a link. */
  command: 'tip' | 'pay';
  /** Names, as typed. */
  to: string | null;
  /** Ids of Discord that were chosen, not typed. */
  people: readonly string[];
  amount: string;
  note: string | null;
};

const MENTION = /<@!?([1-9][0-9]{0,19})>/g;

/** Names come first, so that no word of the note can be read as one. Without any name there is no note either. */
export function composeTip({ command, to, people, amount, note }: EnteredTip): string {
  const typed = (to ?? '').replace(MENTION, ' discord:$1 ');
  const chosen = people.map((id) => `discord:${id}`).filter((name) => !typed.split(/\s+/).includes(name));
  const names = [typed, ...chosen].join(' ').replace(/\s+/g, ' ').trim();
  const parts = names === '' ? [amount] : [names, amount, note ?? ''];
  return `/${command} ${parts.join(' ').trim()}`;
}

/** Whom a text names by number. */
export function peopleIn(text: string): string[] {
  const ids = Array.from(text.matchAll(/\bdiscord[:/]@?([1-9][0-9]{0,19})\b/gi), (match) => match[1] ?? '');
  return [...new Set(ids)];
}

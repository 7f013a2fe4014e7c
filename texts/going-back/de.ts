import type { GoesBackIf, GoingBackTexts } from './en.ts';

const days = new Intl.DateTimeFormat('de-DE', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
const starts: Record<GoesBackIf, { start: string; what: string }> = {
  nobody_collects: { start: 'Holt es niemand ab,', what: ' es' },
  each_nobody_collects: { start: 'Was niemand abholt,', what: '' },
  you_do_nothing: { start: 'Wenn du nichts tust,', what: ' das Geld' },
  nothing_changes: { start: 'Ändert sich nichts,', what: ' es' },
};
const ways = { sender: { verb: 'geht', to: ' an den Absender' }, you: { verb: 'kommt', to: ' zu dir' } };
const back = { verb: 'geht', to: '' };

export const goingBackDe: GoingBackTexts = {
  sentence: ({ if: condition, to, on }) => {
    const { start, what } = starts[condition];
    const way = to === null ? back : ways[to];
    return `${start} ${way.verb}${what}${on === null ? '' : ` am ${on}`}${way.to} zurück.`;
  },
  between: ' ',
  day: (date) => `${days.format(date)} (UTC)`,
};

import type { GoesBackIf, GoingBackTexts } from './en.ts';

const days = new Intl.DateTimeFormat('pt-BR', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
const starts: Record<GoesBackIf, string> = {
  nobody_collects: 'Se ninguém resgatar, o dinheiro',
  each_nobody_collects: 'O que ninguém resgatar',
  you_do_nothing: 'Se você não fizer nada, o dinheiro',
  nothing_changes: 'Se nada mudar, o dinheiro',
};
const ways = { sender: 'para quem enviou', you: 'para você' };

export const goingBackPt: GoingBackTexts = {
  // The day before the person: after “quem enviou” it would be the day of sending.
  sentence: ({ if: start, to, on }) =>
    `${starts[start]} volta${on === null ? '' : ` em ${on}`}${to === null ? '' : ` ${ways[to]}`}.`,
  between: ' ',
  day: (date) => `${days.format(date)} (UTC)`,
};

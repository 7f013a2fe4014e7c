import type { GoesBackIf, GoingBackTexts } from './en.ts';

const days = new Intl.DateTimeFormat('es-ES', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
const starts: Record<GoesBackIf, string> = {
  nobody_collects: 'Si nadie lo recoge,',
  each_nobody_collects: 'Lo que nadie recoja',
  you_do_nothing: 'Si no haces nada,',
  nothing_changes: 'Si nada cambia,',
};

export const goingBackEs: GoingBackTexts = {
  sentence: ({ if: start, to, on }) => {
    const day = on === null ? '' : ` el ${on}`;
    return to === 'you'
      ? `${starts[start]} se te devolverá${day}.`
      : `${starts[start]} se devolverá${day}${to === null ? '' : ' a quien lo envió'}.`;
  },
  between: ' ',
  day: (date) => `${days.format(date)} (UTC)`,
};

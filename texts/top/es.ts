import { code, line, muted, strong } from '../../core/view.ts';
import { TOP_DAYS_SHOWN } from '../rules/rules.ts';
import type { topEn } from './en.ts';

export const topEs: typeof topEn = {
  topTitle: () => line`Quién agradeció aquí a más personas distintas en ${TOP_DAYS_SHOWN} días:`,
  topLine: (rank, name, people) =>
    line`${String(rank)}. ${name}: ${strong(people === 1 ? '1 persona' : `${people} personas`)}`,
  topHint: () => [
    muted('Solo quien quiso aparecer, y nunca por importes. '),
    code('/top on'),
    muted(' · '),
    code('/top off'),
  ],
  topEmpty: () =>
    line`Aquí no aparece nadie todavía. ${code('/top on')} te incluye según a cuántas personas distintas agradeces aquí, nunca por importes.`,
  topJoined: () =>
    line`Listo. Ahora aquí se ve a cuántas personas distintas agradeces. ${code('/top off')} lo termina.`,
  topLeft: () => line`Listo. Ya no apareces en la lista.`,
  topElsewhere: () => line`Escribe ${code('/top')} en el grupo del que se trata.`,
};

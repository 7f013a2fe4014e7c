import { code, line, muted, strong } from '../../core/view.ts';
import { TOP_DAYS_SHOWN } from '../rules/rules.ts';
import type { topEn } from './en.ts';

export const topPt: typeof topEn = {
  topTitle: () => line`Quem agradeceu aqui a mais pessoas diferentes em ${TOP_DAYS_SHOWN} dias:`,
  topLine: (rank, name, people) =>
    line`${String(rank)}. ${name}: ${strong(people === 1 ? '1 pessoa' : `${people} pessoas`)}`,
  topHint: () => [
    muted('Só quem quis aparecer, e nunca por valores. '),
    code('/top on'),
    muted(' · '),
    code('/top off'),
  ],
  topEmpty: () =>
    line`Ninguém aparece aqui ainda. ${code('/top on')} inclui você por quantas pessoas diferentes você agradece aqui, nunca por valores.`,
  topJoined: () =>
    line`Pronto. Agora dá para ver aqui a quantas pessoas diferentes você agradece. ${code('/top off')} encerra isso.`,
  topLeft: () => line`Pronto. Você não aparece mais na lista.`,
  topElsewhere: () => line`Escreva ${code('/top')} no grupo de que se trata.`,
};

import { code, line, muted, strong } from '../../core/view.ts';
import { TOP_DAYS_SHOWN } from '../rules/rules.ts';
import type { topEn } from './en.ts';

export const topDe: typeof topEn = {
  topTitle: () => line`Wer hier in ${TOP_DAYS_SHOWN} Tagen den meisten verschiedenen Leuten gedankt hat:`,
  topLine: (rank, name, people) =>
    line`${String(rank)}. ${name}: ${strong(people === 1 ? '1 Person' : `${people} Leute`)}`,
  topHint: () => [
    muted('Nur wer hier stehen möchte, und nie nach Beträgen. '),
    code('/top on'),
    muted(' · '),
    code('/top off'),
  ],
  topEmpty: () =>
    line`Hier steht noch niemand. ${code('/top on')} führt dich danach auf, wie vielen verschiedenen Leuten du hier dankst, nie nach Beträgen.`,
  topJoined: () =>
    line`Erledigt. Andere hier sehen jetzt, wie vielen verschiedenen Leuten du dankst. ${code('/top off')} beendet es.`,
  topLeft: () => line`Erledigt. Du stehst nicht mehr in der Liste.`,
  topElsewhere: () => line`Schreib ${code('/top')} in der Gruppe, um die es geht.`,
};

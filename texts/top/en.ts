import { code, line, muted, strong, type Paragraph } from '../../core/view.ts';
import { TOP_DAYS_SHOWN } from '../rules/rules.ts';

/** Who thanks many in a group. */
export const topEn = {
  topTitle: (): Paragraph => line`Who thanked the most different people here in ${TOP_DAYS_SHOWN} days:`,
  topLine: (rank: number, name: string, people: number): Paragraph =>
    line`${String(rank)}. ${name}: ${strong(people === 1 ? '1 person' : `${people} people`)}`,
  topHint: (): Paragraph => [
    muted('Only those who asked to stand here, and never by how much. '),
    code('/top on'),
    muted(' · '),
    code('/top off'),
  ],
  topEmpty: (): Paragraph =>
    line`Nobody stands here yet. ${code('/top on')} lists you by how many different people you thank here, never by how much.`,
  topJoined: (): Paragraph =>
    line`Done. Others here can see now how many different people you thank. ${code('/top off')} ends it.`,
  topLeft: (): Paragraph => line`Done. You are not in the list any more.`,
  topElsewhere: (): Paragraph => line`Type ${code('/top')} in the group that it is about.`,
};

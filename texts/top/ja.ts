import { code, line, muted, strong } from '../../core/view.ts';
import { TOP_DAYS_SHOWN } from '../rules/rules.ts';
import type { topEn } from './en.ts';

export const topJa: typeof topEn = {
  topTitle: () => line`この${TOP_DAYS_SHOWN}日間に、ここで多くの人に感謝を送った人:`,
  topLine: (rank, name, people) => line`${String(rank)}. ${name}: ${strong(`${people}人`)}`,
  topHint: () => [
    muted('希望した人だけが載り、金額の順にはなりません。'),
    code('/top on'),
    muted(' · '),
    code('/top off'),
  ],
  topEmpty: () =>
    line`まだ誰も載っていません。${code('/top on')} で、ここで何人に感謝を送ったかの順に載ります。金額は関係ありません。`,
  topJoined: () =>
    line`設定しました。何人に感謝を送ったかが、ここの人に見えるようになります。${code('/top off')} でやめられます。`,
  topLeft: () => line`設定しました。リストから外れました。`,
  topElsewhere: () => line`${code('/top')} は、見たいグループで入力してください。`,
};

import type { GoesBackIf, GoingBackTexts } from './en.ts';

const days = new Intl.DateTimeFormat('ja-JP', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
const starts: Record<GoesBackIf, string> = {
  nobody_collects: '受け取られない場合は、',
  each_nobody_collects: '受け取られなかった分は、',
  you_do_nothing: '何もしなければ、',
  nothing_changes: 'このままの場合、',
};
const ways = { sender: '送り主へ戻ります。', you: 'あなたに戻ります。' };

export const goingBackJa: GoingBackTexts = {
  sentence: ({ if: start, to, on }) =>
    `${starts[start]}${on === null ? '' : `${on}に`}${to === null ? '戻ります。' : ways[to]}`,
  between: '',
  day: (date) => `${days.format(date)}（UTC）`,
};

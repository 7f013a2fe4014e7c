import type { NoticePageTexts } from './en.ts';

export const noticePageJa: NoticePageTexts = {
  eyebrow: 'メール',
  stopTitle: 'お金に関するメールを止めますか？',
  stopDescription: '一度のクリックで、今後メールを送りません。',
  stopLead: 'お金が待っているというお知らせを、今後は送りません。',
  stopButton: 'メールを止める',
  stopHint: '送られたお金は、これからも受け取れます。受け取らなかったお金は送り主に戻ります。',
  stoppedTitle: 'メールを止めました',
  stoppedDescription: '待っているお金についてのメールは、もう届きません。',
  stoppedLead: '今後、あなたを待っているお金についてのメールは届きません。',
  stoppedNote: '受け取りの際のコードなど、ご自身が求めたものと、お金について変更があるときのお知らせだけが届きます。',
  holdTitle: '変更を止めますか？',
  holdLead: 'このお金について予定されている変更を、すべて止めます。',
  holdNote: 'まだ送れない新しいログインは終了し、新しいパスキーは削除され、出金の予定だったお金はそのまま残ります。',
  holdButton: '止める',
  heldTitle: '変更を止めました',
  heldNote:
    '変更はすべて止まり、お金は元の場所にあります。他の人があなたのメールを読める場合は、パスワードを変更してください。',
  overTitle: 'このリンクは使えません',
  overNote: 'お知らせした変更は、すでに行われたか、止められています。ログインしてお金を確認してください。',
  seePurse: 'お金を確認する',
};

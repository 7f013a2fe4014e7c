import type { TipPageTexts } from './en.ts';

export const tipPageJa: TipPageTexts = {
  title: '名前あてに送る',
  lead: '相手がすでに使っている名前だけで、誰にでも送れます。相手は、その名前が自分のものだと示すと受け取れます。',
  ownTitle: (person) => `${person}に送る`,
  shownBecause: (person) => `${person}は、この名前が自分のものだと示し、このページを置いています。`,
  platform: '相手が使っているサービス',
  name: 'そこでの名前',
  amount: '金額（ドル）',
  otherAmount: 'その他',
  note: 'メッセージ（なくてもかまいません）',
  next: '次へ',
  nextNote: 'まだ何も送られません。先に料金を確かめてから決められます。ここに保管しているお金から送られます。',
  badge: 'お金を送る',

  section: 'あなたのページ',
  sectionNote: (days) =>
    `誰でも開いて、あなたに送れます。名前と下の言葉が表示されます。もう一度オンにしなければ、${days}日後に終わります。`,
  words: 'ひとこと（なくてもかまいません）',
  wordsHint: (charactersMax) => `${charactersMax}文字まで。リンクは書けません。`,
  switchOn: 'オンにする',
  save: '保存する',
  switchOff: 'オフにする',
  open: '自分のページを開く',
  until: '{time}まで表示されます。',
  embed: 'プロフィールやREADMEに貼る：',
  copy: 'コピー',
  hasLink: 'リンクかアドレスが含まれています。取り除いてください。',
  tooLong: (charactersMax) => `${charactersMax}文字を超えています。短くしてください。`,
  barred: 'このサービスの運営者が、あなたのページを取り下げました。',
};

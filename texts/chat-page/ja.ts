import type { pageEn } from './en.ts';

export const pageJa: typeof pageEn = {
  title: 'pennypost チャット',
  heading: 'ふだんの名前あてに、誰にでもお金を送れます',
  intro: '名前と金額を入力してください。相手が pennypost を知らなくても大丈夫。お金は受け取られるのを待ちます。',
  skip: 'メッセージ欄へ移動',
  tryIt: '試してみる',
  names: 'X、Farcaster、GitHub の名前、メールアドレス、ウェブサイト。',
  conversation: '会話',
  composer: 'メッセージ',
  placeholder: '/tip @x:alice 1',
  send: '送信',
  commands: 'コマンド',
  connecting: '接続しています…',
  reconnecting: '接続が切れました。つなぎ直しています…',
  sending: '送信しています…',
  notSent: 'まだ送信できていません。もう一度試しています…',
  refused: '送信できませんでした。',
  tooFast: '少し速すぎました。数秒待ってください。',
  you: 'あなた',
  bot: 'pennypost',
  noScript: 'このチャットには JavaScript が必要です。明細のページにはいりません。',
};

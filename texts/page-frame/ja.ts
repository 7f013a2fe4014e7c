import type { PageFrame } from './en.ts';

export const pageFrameJa: PageFrame = {
  skip: '本文へ移動',
  playMoney: 'お試し用のお金です。本物ではありません',
  testMoney: 'テスト用のお金です。価値はありません',
  operatedBy: 'このサービスの運営者：',
  getHelp: 'お困りですか？問い合わせる',
  askThem: 'お困りのときは、運営者にお問い合わせください。',
  askYourself: 'お困りのときは、このサービスを起動したターミナルをご覧ください。',
  print: '印刷',
  language: '言語',
  script: {
    copied: 'コピーしました',
    notCopied: 'コピーできません',
    copyFailed: 'コピーできませんでした。文字を選択してコピーしてください',
    following: 'このページは支払いの状況を自動で表示します。',
    interrupted: 'ただいま接続できません。自動で再接続します。',
  },
};

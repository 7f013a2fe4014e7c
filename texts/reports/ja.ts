import type { ReportTexts } from './en.ts';

export const reportsJa: ReportTexts = {
  link: '通報する',
  title: 'この送金を通報する',
  pageTitle: 'このページを通報する',
  goesTo: (operator) => `通報はこのサービスの運営者（${operator}）に届きます。送った人には知らされません。`,
  pageGoesTo: (operator) => `通報はこのサービスの運営者（${operator}）に届きます。ページの持ち主には知らされません。`,
  moderators:
    'グループから送られたものの場合、そのグループのモデレーターに理由が伝わることがあります。書いた内容は伝わりません。',
  movesNothing:
    '通報してもお金は動きません。届いているものは、受け取ることも、断ることも、返るのを待つこともできます。',
  why: '何が問題ですか？',
  reasons: {
    trick: 'お金や個人情報をだまし取ろうとしているように見える',
    pretends: '送った人が別の人になりすましている',
    insults: '侮辱や脅しが書かれている',
    not_meant: '自分あてではなかった',
    other: 'その他',
  },
  words: '運営者に伝えたいこと（書かなくてもかまいません）',
  wordsHint: (charactersMax) =>
    `${charactersMax}文字まで。パスワードやコードは書かないでください。ここで必要とする人はいません。`,
  send: '通報を送る',
  back: '戻る',
  chooseOne: '何が問題かを選んでください。',
  tooLong: (charactersMax) => `${charactersMax}文字を超えています。短くしてください。`,
  callerFull: '短い間に何度も通報されています。時間をおいてからお試しください。',
  dayFull: '今日はこれ以上の通報を保存できません。明日もう一度お試しください。',
  orWrite: (help) => `または、このサービスの運営者に連絡してください：${help}。`,
  help: 'ヘルプ',
  doneTitle: 'ありがとうございます',
  done: (operator) => `このサービスの運営者（${operator}）に通報されました。`,
  doneNext: 'ほかにすることはありません。ここの誰かがお金やパスワード、秘密の言葉を求めることは決してありません。',

  reported: '通報：',
  readIt: 'サービスの運営者にも通報が届いています。送った人には知らされません。',
};

import type { MailCodeTexts } from './en.ts';

export const mailCodeJa: MailCodeTexts = {
  collect: {
    subject: 'pennypost の確認コード',
    lead: (to) =>
      `${to} 宛てのお金を受け取りたいという申し込みがありました。受け取る場合は、次のページをお好きなブラウザで開いてください。送り先もそこで選べます。`,
    button: 'お金を受け取る',
    typeCode: 'または、お申し込みのページにこのコードを入力してください。',
    confirms: 'このコードで、次の送り先を確定します。',
    otherwise: (minutes) =>
      `送り先が違う場合は、コードを使わないでください。コードは、お申し込みの画面で ${minutes} 分間有効です。`,
    ignore:
      '電話やチャットでこのコードをお尋ねすることは決してありません。お金が不要な場合は、このメールを無視してください。リンクもコードも使わなければ、何も起こりません。',
  },
  signIn: {
    subject: 'ログイン用の確認コード',
    lead: (to) =>
      `${to} 宛てにお預かりしているお金へのログインの申し込みがありました。ご本人の場合は、次のページをお好きなブラウザで開いてください。`,
    button: 'ログインする',
    typeCode:
      'または、お申し込みのページにこのコードを入力してください。お預かりしているお金を表示するだけで、お金は動きません。',
    worksFor: (minutes) =>
      `コードは、お申し込みの画面で ${minutes} 分間有効です。電話やチャットでお尋ねすることは決してありません。`,
    ignore: 'お心当たりがない場合は、このメールを無視してください。リンクもコードも使わなければ、何も起こりません。',
  },
  linkWorksFor: (minutes) => `リンクは、どなたの申し込みでも ${minutes} 分間有効です。ほかの人に渡さないでください。`,
  goesBack: '受け取らないため、送り主に戻ります',
  staysHere: 'ここでお預かりします',
  onNetwork: (address, place) => `${address}（${place}）`,
  operatedBy: (baseUrl, operator) => `pennypost（${baseUrl}）の運営者：${operator}`,
  help: (url) => `お問い合わせ：${url}`,
};

import type { LandingTexts } from './en.ts';

export const landingJa: LandingTexts = {
  title: 'だれにでも USDC を送る',
  heading: 'いつもの名前で、だれにでもお金を送れます。',
  example: (sum, name) =>
    `たとえば ${name} へ ${sum}。リンクを渡すと、相手は名前の持ち主だと確認するだけで受け取れます。送るのは USDC というデジタルのドルです。`,
  sendTitle: 'お金を送る',
  sendFrom:
    'ここに保管しているお金を、名前を持つ人なら誰にでも送れます。先に料金がわかり、まだ誰も受け取っていなければ取り戻せます。',
  sendOpen: '名前あてに送る',
  chatTitle: 'チャットで',
  chatType: (command) => `${command} と入力すると、届く様子が見られます。`,
  chatOpen: 'チャットを開く',
  collectTitle: 'お金が送られてきましたか？',
  collectLink: '受け取ったリンクを開いてください。そこで無料で受け取れます。',
  collectWaits: (duration) => `お金は${duration}待ち、その後は送り主に戻ります。`,
  seeMoney: '自分のお金を見る',
  realTitle: 'これは本物ですか？',
  realProof:
    'お金を受け取れるのは、その名前の持ち主だと確認できた人だけです。カードやパスワード、秘密の言葉をたずねることはありません。',
  realReceipt:
    'どの支払いにも、最後まで見届けられる専用のページがあります。そのリンクを、お金を受け取る人に送ってください。',
  apiTitle: 'プログラム向け',
  apiAsk: (code) => `たずねると、価格つきの ${code} が返ります。無料で試せます。`,
  apiCopy: 'コマンドをコピー',
  apiCopied: 'コマンドをコピーしました',
  apiDocs: 'ドキュメントを読む',
  apiSigns: (client, code) =>
    `${client} などの x402 クライアントが価格に署名して、もう一度たずねます。返ってくる ${code} に控えが示されます。`,
  apiPayers: (file) => `試せる資金入りの支払い元が、データフォルダーの ${file} にあります。`,
};

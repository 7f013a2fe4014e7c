import type { DiscordWords } from './words.ts';

export const wordsJa: DiscordWords = {
  commands: {
    tip: {
      name: 'チップ',
      description: 'いつもの名前あてに、だれにでもUSDCを送れます',
      options: {
        amount: ['金額', '1 · 0.5 · 50c · half（半分）· all（全部）'],
        user: ['相手', 'Discordのだれか'],
        to: ['宛先', 'ほかの場所の名前: x:alice · github:alice · alice@example.com'],
        note: ['メモ', 'ひとこと添える'],
      },
    },
    balance: { name: '残高', description: '今いくらあるかを見る', options: {} },
    deposit: { name: '入金', description: 'ウォレットにお金を入れる', options: {} },
    withdraw: {
      name: '出金',
      description: '自分のアドレスにお金を送る',
      options: {
        amount: ['金額', '5 · half（半分）· all（全部）'],
        address: ['アドレス', '送り先'],
      },
    },
    wallet: { name: 'ウォレット', description: 'どこから払うかを選ぶ', options: {} },
    history: { name: '履歴', description: '送ったものを見る', options: {} },
    claim: {
      name: '受け取り',
      description: 'あなたあてに届いているものを受け取る',
      options: { name: ['名前', 'あなたのほかの名前（x:alice など）'] },
    },
    link: {
      name: '連携',
      description: 'ほかの名前あてに送られたものを受け取る',
      options: { name: ['名前', 'x:alice など'] },
    },
    language: {
      name: '言語',
      description: '私が話す言語を選ぶ',
      options: { language: ['言語', 'en · es · de · pt · ja · app'] },
    },
    privacy: { name: 'プライバシー', description: '私が知っていることを見て、消す', options: {} },
    help: {
      name: 'ヘルプ',
      description: '私にできることを見る',
      options: { command: ['コマンド', 'ひとつのコマンドを詳しく'] },
    },
  },
  menu: 'チップを送る',
  form: { title: (name) => `${name}さんにチップ`, amount: '金額（USDC）', amountExample: '1', note: 'メモ' },
  tooFast: '一度にたくさん届きました。1分ほど待ってから、もう一度お試しください。',
};

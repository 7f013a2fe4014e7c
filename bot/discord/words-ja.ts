import type { DiscordWords } from './words.ts';

export const wordsJa: DiscordWords = {
  commands: {
    tip: {
      description: 'いつもの名前あてに、だれにでもUSDCを送れます',
      options: {
        amount: ['金額', '1 · 0.5 · 50c · half（半分）· all（全部）'],
        user: ['相手', 'Discordのだれか'],
        to: ['宛先', 'ほかの場所の名前: x:alice · github:alice · alice@example.com'],
        note: ['メモ', 'ひとこと添える'],
      },
    },
    pay: { description: 'リンクで USDC を送る（どのウォレットやアプリからでも）', options: {} },
    balance: { description: '今いくらあるかを見る', options: {} },
    deposit: { description: 'ウォレットにお金を入れる', options: {} },
    withdraw: {
      description: '自分のアドレスにお金を送る',
      options: {
        amount: ['金額', '5 · half（半分）· all（全部）'],
        address: ['アドレス', '送り先'],
      },
    },
    wallet: { description: 'どこから払うかを選ぶ', options: {} },
    limits: {
      description: 'チップで使える額を見る・変える',
      options: { change: ['変更', 'tip 5 · ask 1 · day 20 · cancel（上げない）'] },
    },
    lock: { description: 'ウォレットからの支払いをすべて止める', options: {} },
    unlock: { description: '24時間後にまた支払えるようにする', options: {} },
    history: { description: '送ったものを見る', options: {} },
    claim: {
      description: 'あなたあてに届いているものを受け取る',
      options: { name: ['名前', 'あなたのほかの名前（x:alice など）'] },
    },
    link: {
      description: 'ほかの名前あてに送られたものを受け取る',
      options: { name: ['名前', 'x:alice など'] },
    },
    language: {
      description: '私が話す言語を選ぶ',
      options: { language: ['言語', 'en · es · de · pt · ja · app'] },
    },
    privacy: { description: '私が知っていることを見て、消す', options: {} },
    help: {
      description: '私にできることを見る',
      options: { command: ['コマンド', 'ひとつのコマンドを詳しく'] },
    },
  },
  menu: 'チップを送る',
  form: { title: (name) => `${name}さんにチップ`, amount: '金額（USDC）', amountExample: '1', note: 'メモ' },
  tooFast: '一度にたくさん届きました。1分ほど待ってから、もう一度お試しください。',
};

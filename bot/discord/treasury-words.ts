/** The steps of `/treasury` as Discord lists them. */
export const TREASURY_STEPS = ['balance', 'deposit', 'statement', 'address', 'withdraw'] as const;
export type TreasuryStep = (typeof TREASURY_STEPS)[number];

export type TreasuryWords = {
  description: string;
  steps: Record<TreasuryStep, string>;
  /** What is typed for `address`, and for `withdraw`. */
  address: string;
  amount: string;
  network: string;
};

export const treasuryWordsEn: TreasuryWords = {
  description: 'The money of this community',
  steps: {
    balance: 'What there is, and where it can go',
    deposit: 'Pay something in',
    statement: 'What came in and what went out',
    address: 'For the owner: where withdrawals go, after 24 hours',
    withdraw: 'For moderators: ask the others to let money go',
  },
  address: '0x… on Base, any other on Solana; off base ends it',
  amount: '5 · half · all',
  network: 'Where it is, if it lies on both',
};

export const treasuryWordsDe: TreasuryWords = {
  description: 'Das Geld dieser Gemeinschaft',
  steps: {
    balance: 'Was da ist, und wohin es gehen kann',
    deposit: 'Etwas einzahlen',
    statement: 'Was kam und was ging',
    address: 'Für den Eigentümer: wohin Auszahlungen gehen, nach 24 Stunden',
    withdraw: 'Für die Moderation: die anderen um eine Auszahlung bitten',
  },
  address: '0x… auf Base, jede andere auf Solana; off base beendet sie',
  amount: '5 · half (die Hälfte) · all (alles)',
  network: 'Wo es liegt, wenn es auf beiden liegt',
};

export const treasuryWordsEs: TreasuryWords = {
  description: 'El dinero de esta comunidad',
  steps: {
    balance: 'Lo que hay, y adónde puede ir',
    deposit: 'Aportar algo',
    statement: 'Lo que entró y lo que salió',
    address: 'Para la persona dueña: adónde van los retiros, a las 24 horas',
    withdraw: 'Para moderadores: pedir a los demás un retiro',
  },
  address: '0x… en Base, cualquier otra en Solana; off base la termina',
  amount: '5 · half (la mitad) · all (todo)',
  network: 'Dónde está, si está en las dos',
};

export const treasuryWordsPt: TreasuryWords = {
  description: 'O dinheiro desta comunidade',
  steps: {
    balance: 'O que há, e para onde pode ir',
    deposit: 'Contribuir com algo',
    statement: 'O que entrou e o que saiu',
    address: 'Para quem é dono: para onde vão os saques, depois de 24 horas',
    withdraw: 'Para a moderação: pedir um saque aos outros',
  },
  address: '0x… em Base, qualquer outro em Solana; off base encerra',
  amount: '5 · half (metade) · all (tudo)',
  network: 'Onde está, se estiver nas duas',
};

export const treasuryWordsJa: TreasuryWords = {
  description: 'このコミュニティのお金',
  steps: {
    balance: '残高と出金先を見る',
    deposit: '入金する',
    statement: '入出金の明細を見る',
    address: '所有者用: 出金先を決める (24 時間後に有効)',
    withdraw: 'モデレーター用: 出金の確認を求める',
  },
  address: '0x… は Base、それ以外は Solana。off base で取り消し',
  amount: '5 · half (半分) · all (全額)',
  network: '両方にあるときは、どちらか',
};
